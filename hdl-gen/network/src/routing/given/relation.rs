//! A given relation as one hop by hop: by difference where a translation keeps it ([`Alike`]),
//! else by address; or as one by tables at the sources.

use super::alike::Alike;
use super::{Fault, Given, GivenError, Hops, routes};
use crate::routing::hop_by_hop::{HopByHop, HopError, Parts, Ways};
use crate::routing::{Output, Relation};
use crate::topology::Topology;

/// The relation, on [`Given::network`] or the part of it that flows need. Walks every route.
///
/// # Errors
/// [`GivenError`]: what [`Given::check`] finds; a route that does not arrive.
pub fn relation(given: &Given, topology: &dyn Topology) -> Result<Relation, GivenError> {
    given.check()?;
    given.complete(topology)?;
    if let Hops::ByRoute(all) = &given.hops {
        return routes::relation(given, all, topology);
    }
    let relation = match (Alike::of(given), &given.hops) {
        (Some(alike), _) => {
            let definition = alike.kinds.iter().map(|row| {
                let mut ways = Ways::none(topology.address_bits());
                ways.set(0, Output::EJECT);
                let hops = (1..).zip(row).filter_map(|(d, &port)| Some((d, port?)));
                hops.for_each(|(d, port)| ways.set(d, Output::Network(port)));
                ways
            });
            let (sites, definition) = (alike.kind_of, definition.collect());
            let name = given.name.clone();
            let parts = Parts { name, by_difference: true, sites, definition, cycles: true };
            HopByHop::relation(topology, parts)
        }
        (None, Hops::ByPair(hops)) => {
            HopByHop::by_address(topology, &given.name, true, |node, destination| match Output::of(
                topology,
                destination,
            ) {
                Some((sink, output)) if sink == node => Some(output),
                _ => hops.get(&(node, destination)).copied().map(Output::Network),
            })
        }
        (None, Hops::ByDifference(_) | Hops::ByRoute(_)) => {
            unreachable!("by difference all nodes are alike, and routes are of the sources")
        }
    };
    relation.map_err(|error| match error {
        HopError::NoHop { from, to, at } => Fault::NoHop { from, to, at }.into(),
        HopError::Route(error) => error.into(),
    })
}

//! Two relations one after the other, by table at the source: what [`super::phases`] does with relations
//! whose sources make headers alike, for any two that are deterministic, on any network. The table has
//! a route for each destination and draw, so it is for small networks.

use super::source::{Draws, Legs, source_legs};
use super::walk::walk;
use super::{Built, Draw, Intermediate, Output, Relation, RoutingError, Via};
use crate::topology::{Port, Terminal, Topology};

/// `first` to an intermediate terminal, which is drawn, one of 2^`bits` as `via` says, and `second` from
/// there on. Each phase has virtual
/// channels of its own, as many as it takes against deadlock ([`super::layers`]).
///
/// # Errors
/// [`RoutingError::Phase`] for a relation whose packets choose or draw; those of
/// [`source_routed`](super::source::source_routed).
pub fn phases_by_table(
    name: &'static str,
    topology: &dyn Topology,
    [first, second]: [Relation; 2],
    (via, bits): (Via, u32),
    intermediate: &Intermediate,
) -> Built {
    for phase in [&first, &second] {
        if !phase.keeps_order() {
            let phase = phase.name().to_owned();
            return Err(RoutingError::Phase { name, phase });
        }
    }
    let leg = |relation: &Relation, from: Terminal, to: Terminal| -> Result<Vec<Port>, _> {
        let mut ports = Vec::new();
        let walked = walk(topology, relation, from, to, Draw::NONE, |step| {
            if let Output::Network(port) = step.hop.output {
                ports.push(port);
            }
        });
        walked.map(|_| ports).map_err(|_| RoutingError::disconnected(topology, from, to))
    };
    let draws = Draws { bits, alike: intermediate.is_alike() };
    let (relation, later) = source_legs(topology, name, draws, |source, destination, draw| {
        let between = via.terminal(source, destination, draw);
        Ok(Legs::moving([leg(&first, source, between)?, leg(&second, between, destination)?]))
    })?;
    let names = [&first, &second].map(|phase| phase.name().to_owned());
    Ok(relation.with_phases(names, later, (intermediate, via)))
}

//! Names of the terminals and their flows, as files give them.

use crate::options::{Chosen, ChosenTopology, NetworkOptions, UnroutedOptions};
use crate::{flows_file, input};
use anyhow::{Context, bail};
use std::collections::BTreeSet;
use std::path::Path;
use turnpike_network::flows::{Bandwidth, Flow};
use turnpike_network::places::{NamedTerminal, PlaceList};
use turnpike_network::topology::{self, Terminal, Topology};
use turnpike_search::placing::question::Flow as Between;

/// Flow that asks for places.
pub struct Asked {
    /// The flow, of any length.
    pub between: Between,
    /// Cycles within which its packets should arrive.
    pub latency: Option<u32>,
    /// Flits of a packet behind the first.
    pub behind: u32,
    /// Number of the message class; 0 where there are none.
    pub class: usize,
}

/// Terminals of the file of places, then those that ends or flows name besides.
///
/// # Errors
/// A file that cannot be read, no name, or one that no terminal can have, or that one of the network has.
pub fn named(
    network: &NetworkOptions,
    said: &PlaceList,
    topology: &dyn Topology,
) -> anyhow::Result<PlaceList> {
    let UnroutedOptions { flows, ends: ends_path, .. } = &network.unrouted;
    let ends = network.ends()?;
    let flow_list = flows.as_deref().map(flows_file::read).transpose()?;
    let (path, names): (&Path, Vec<(usize, &str)>) = match (&ends, ends_path, &flow_list, flows) {
        (Some(ends), Some(path), ..) => {
            let ports = ends.ports();
            (path, ports.filter_map(|port| Some((ends.line_of(port.name)?, port.name))).collect())
        }
        (_, _, Some(list), Some(path)) => (path, list.names()),
        _ => bail!(
            "place finds places for terminals that have flows, and there are none; add --flows FILE or \
             --ends FILE, or [[flow]] to a system"
        ),
    };
    let mut list = said.list().to_vec();
    let known: BTreeSet<String> = list.iter().map(|named| named.name.clone()).collect();
    for (line, name) in names.into_iter().filter(|(_, name)| !known.contains(*name)) {
        let name = name.to_owned();
        list.push(NamedTerminal { line, name, at: String::new() });
    }
    if list.is_empty() {
        let path = path.display();
        bail!(
            "{path}: flows of patterns alone name no terminal; name each in some flow, or place them before (--places)"
        );
    }
    let all = PlaceList::of(list).map_err(|flaw| input::fault(path, flaw.line, flaw.error))?;
    let own = all
        .list()
        .iter()
        .find(|named| said.list().is_empty() && topology.terminal(&named.name).is_ok());
    if let Some(NamedTerminal { line, name, .. }) = own {
        let why = format!(
            "'{name}' is a terminal of the network already; give those that are to be placed names of their own, or \
             say with --places where they are"
        );
        return Err(input::fault(path, Some(*line), why));
    }
    Ok(all)
}

/// The terminals at a network with room enough for any number of them, which says what names and patterns of flows
/// stand for: a star.
///
/// # Errors
/// A file that cannot be read, flows that cannot be.
pub fn anywhere(network: &NetworkOptions, list: &PlaceList) -> anyhow::Result<Box<dyn Topology>> {
    const LEAVES: usize = 64;
    let star = &topology::star::KIND;
    let count = list.list().len();
    let (leaves, several) = (count.clamp(2, LEAVES), count.div_ceil(LEAVES).next_power_of_two());
    let at = |(number, named): (usize, &NamedTerminal)| NamedTerminal {
        at: (number % leaves).to_string(),
        ..named.clone()
    };
    let list = PlaceList::of(list.list().iter().enumerate().map(at).collect())?;
    let size = star.sizes.of_keys(&[&leaves.to_string()]).expect("a number of nodes");
    let star = Chosen::of(ChosenTopology::Named(star.name, size));
    let mut chosen = star.concentrated(several as u32);
    chosen.place(Path::new("the names"), list);
    network.wanted_of(&chosen, |wanted| wanted.intact())
}

/// The flows by the numbers of the terminals, on such a network.
///
/// # Errors
/// A network without flows: a fault of this program.
pub fn by_name(topology: &dyn Topology, list: &PlaceList) -> anyhow::Result<Vec<Asked>> {
    let names: Vec<&str> = list.list().iter().map(|named| &*named.name).collect();
    let flows = topology.flows().context("internal error: there are no flows")?;
    let number = |stream: Terminal| {
        let label = topology.place_label(stream);
        names.iter().position(|name| *name == label).expect("a terminal of the list")
    };
    let asked = |(flow, weight): (&Flow, Bandwidth)| Asked {
        between: Between {
            from: number(flow.source),
            to: number(flow.destination),
            weight: weight.0,
            most_channels: u32::MAX,
        },
        latency: flow.latency,
        behind: flow.packet_flits.unwrap_or(1) - 1,
        class: flows.class_of(flow.source),
    };
    Ok(flows.list().iter().zip(flows.shares()).map(asked).collect())
}

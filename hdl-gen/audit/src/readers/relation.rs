//! A relation file of Turnpike's: for a topology that it names, or for that of a file.

use super::error::{Fault, File, ReadError};
use super::{Input, Inputs, Reading};
use crate::model::Routed;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use turnpike_network::description::{Description, ReadOptions, read_with};
use turnpike_network::routing::given::{Given, GivenError, Hops, On};
use turnpike_network::topology::{Node, Terminal};

pub(super) fn read(inputs: &Inputs<'_>) -> Result<Reading, ReadError> {
    let (own, file, Input { bytes, .. }) = match inputs.routes {
        Some(routes) => {
            let Input { name, bytes } = inputs.network;
            let network = read_with(name, bytes, ReadOptions::default())?;
            (Some(Arc::new(network.description)), File::Routes, routes)
        }
        None => (None, File::Network, inputs.network),
    };
    let fault = |error: GivenError| ReadError {
        file,
        line: error.line,
        fault: Box::new(Fault::Syntax(error.fault.to_string())),
    };
    let given = Given::from_bytes(bytes, own.as_ref()).map_err(fault)?;
    let topology = given.network().map_err(fault)?;
    let mut description = match &given.on {
        On::Described(description) => Description::clone(description),
        On::Named(..) => Description::of(&*topology),
    };
    // Terminals of failed nodes neither send nor take packets.
    for (at, terminal) in (0..).map(Terminal).zip(&mut description.terminals) {
        terminal.source = terminal.source.filter(|_| topology.source(at).is_some());
        terminal.sink = terminal.sink.filter(|_| topology.sink(at).is_some());
    }
    let mut routed = Routed::new(&description, 1)?;
    let ports = (0..).zip(&description.channels);
    let channel_of: FxHashMap<(usize, &str), u32> =
        ports.map(|(at, channel)| ((channel.from.node, &*channel.from.port), at)).collect();
    let names: Vec<String> = (0..topology.ports())
        .map(|port| topology.port_name(turnpike_network::topology::Port(port)))
        .collect();
    let mut hop = |node: Node, terminal: Terminal, port: u8| {
        let key = (node.0 as usize, &*names[usize::from(port)]);
        if let Some(&channel) = channel_of.get(&key) {
            routed.tables.set(node.0, terminal.0, &[channel]);
        }
    };
    match &given.hops {
        Hops::ByPair(hops) => {
            hops.iter().for_each(|(&(node, terminal), port)| hop(node, terminal, port.0));
        }
        Hops::ByDifference(hops) => {
            for node in 0..topology.nodes() {
                for (&difference, port) in hops {
                    hop(Node(node), Terminal(node ^ difference as u32), port.0);
                }
            }
        }
        Hops::ByRoute(_) => {
            return Err(ReadError { file, line: None, fault: Box::new(Fault::ByRoute) });
        }
    }
    Ok(Reading { description, routed, remarks: Vec::new(), traffic: None })
}

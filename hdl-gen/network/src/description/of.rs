//! The description of a topology.

use super::names::Taken;
use super::{Channel, Description, End, Terminal};
use crate::topology::{Port, Topology};

impl Description {
    /// A topology as data, before any node failed: nodes and terminals by their labels, in their
    /// order.
    pub fn of(topology: &dyn Topology) -> Self {
        let topology = topology.intact().unwrap_or(topology);
        let mut taken = Taken::default();
        let nodes = topology.all_nodes().map(|node| taken.name(&topology.label(node))).collect();
        let mut taken = Taken::default();
        let mut terminal = |terminal| Terminal {
            name: taken.name(&topology.terminal_label(terminal)),
            source: topology.source(terminal).map(|(node, _)| node.0 as usize),
            sink: topology.sink(terminal).map(|(node, _)| node.0 as usize),
        };
        let terminals = topology.all_terminals().map(&mut terminal).collect();
        let ports: Vec<Port> = (0..topology.ports()).map(Port).collect();
        let mut channels = Vec::new();
        for from in topology.all_nodes() {
            for &port in &ports {
                let Some((to, input)) = topology.channel(from, port) else { continue };
                let end =
                    |node: u32, port| End { node: node as usize, port: topology.port_name(port) };
                channels.push(Channel { from: end(from.0, port), to: end(to.0, input) });
            }
        }
        Self {
            name: topology.identifier().replace('-', "_"),
            nodes,
            terminals,
            ports: ports.into_iter().map(|port| topology.port_name(port)).collect(),
            channels,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::{FORMATS, read};
    use crate::topology::TOPOLOGIES;

    /// Every topology reads back from every format, as far as the format carries it: all but anynet
    /// carry the ports, and Turnpike's own the names of terminals.
    #[test]
    fn every_topology_reads_back_from_every_format() {
        for kind in TOPOLOGIES {
            let topology = kind.build(*kind.sizes.small().last().unwrap()).unwrap();
            let description = Description::of(&*topology);
            assert_eq!(description.channels.len() as u64, topology.channels());
            for format in FORMATS {
                let text = match format.write(&description) {
                    Ok(text) => text,
                    Err(error) => {
                        // Links are two channels in anynet, and one way alone cannot be said; a node
                        // of the others sends and receives by one terminal.
                        let reason = error.to_string();
                        let apart = topology
                            .all_terminals()
                            .any(|terminal| topology.source(terminal) != topology.sink(terminal));
                        assert!(apart || format.name == "anynet", "{}: {reason}", kind.name);
                        assert_ne!(format.name, "topology");
                        assert!(reason.contains(" cannot say "), "{reason}");
                        continue;
                    }
                };
                let file = format!("{}.{}", description.name, format.endings[0]);
                let again = read(&file, text.as_bytes()).unwrap();
                if format.name == "topology" {
                    assert!(again == description, "{}: {text}", kind.name);
                    continue;
                }
                let ends = |description: &Description| {
                    let pair = |c: &Channel| (c.from.node, c.to.node);
                    let mut ends: Vec<_> = description.channels.iter().map(pair).collect();
                    ends.sort_unstable();
                    ends
                };
                assert_eq!(ends(&again), ends(&description), "{} {}", kind.name, format.name);
                let at = |d: &Description| -> Vec<_> {
                    d.terminals.iter().map(|t| (t.source, t.sink)).collect()
                };
                assert_eq!(at(&again), at(&description));
                if format.name != "anynet" {
                    let set = |d: &Description| -> std::collections::BTreeSet<(End, End)> {
                        d.channels.iter().map(|c| (c.from.clone(), c.to.clone())).collect()
                    };
                    assert!(set(&again) == set(&description), "{} {}", kind.name, format.name);
                    assert_eq!(again.ports, description.ports, "{} {}", kind.name, format.name);
                }
            }
        }
    }
}

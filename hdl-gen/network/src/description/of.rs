//! The description of a topology.

use super::names::of_texts;
use super::{Channel, Description, End, Terminal};
use crate::topology::{Port, Topology};

impl Description {
    /// A topology as data, before any node failed: nodes and terminals by their labels, in their
    /// order.
    pub fn of(topology: &dyn Topology) -> Self {
        let topology = topology.intact().unwrap_or(topology);
        let nodes: Vec<String> = topology.all_nodes().map(|node| topology.label(node)).collect();
        let labels: Vec<String> =
            topology.all_terminals().map(|terminal| topology.terminal_label(terminal)).collect();
        let terminal = |(name, terminal)| Terminal {
            name,
            source: topology.source(terminal).map(|(node, _)| node.0 as usize),
            sink: topology.sink(terminal).map(|(node, _)| node.0 as usize),
            address: topology.given_address(terminal),
        };
        let terminals = of_texts(&labels).into_iter().zip(topology.all_terminals());
        let terminals = terminals.map(terminal).collect();
        let ports: Vec<Port> = (0..topology.ports()).map(Port).collect();
        let mut channels = Vec::new();
        for from in topology.all_nodes() {
            for &port in &ports {
                let Some((to, input)) = topology.channel(from, port) else { continue };
                let end =
                    |node: u32, port| End { node: node as usize, port: topology.port_name(port) };
                let delay = topology.delay(from, port);
                channels.push(Channel { from: end(from.0, port), to: end(to.0, input), delay });
            }
        }
        Self {
            name: topology.identifier().replace('-', "_"),
            nodes: of_texts(&nodes),
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

    /// Registers on links read back from every format, unlike ones there and back among them.
    #[test]
    fn delays_read_back_from_every_format() {
        let text = "turnpike-topology 1\nnode a b c\nterminal x a\nterminal y b\nterminal z c\n\
                    link a.e b.w delay=3\nchannel b.e c.w delay=64\nchannel c.w b.e delay=1\n\
                    channel a.w c.e delay=2\nchannel c.e a.w\n";
        let description = read("net.topology", text.as_bytes()).unwrap();
        let delays = |description: &Description| -> std::collections::BTreeMap<_, u32> {
            let of = |c: &Channel| ((c.from.node, c.to.node), c.delay);
            description.channels.iter().map(of).collect()
        };
        let wanted = delays(&description);
        assert_eq!(wanted.values().copied().collect::<Vec<_>>(), [3, 2, 3, 64, 0, 1]);
        for format in FORMATS {
            let text = format.write(&description).unwrap();
            let again = read(&format!("net.{}", format.endings[0]), text.as_bytes()).unwrap();
            assert_eq!(delays(&again), wanted, "{}: {text}", format.name);
            let topology = crate::topology::wired::Wired::new(&again).unwrap();
            assert_eq!(delays(&Description::of(&topology)), wanted, "{}", format.name);
            assert_eq!(topology.most_delay(), 64);
        }
    }

    /// Addresses read back from every format that has nodes with attributes; such formats refuse those
    /// of a node that do not follow each other.
    #[test]
    fn addresses_read_back() {
        let begin = "turnpike-topology 1\nnode a b c\nlink a.e b.w\nlink b.e c.w\nlink c.e a.w\n";
        let text =
            format!("{begin}terminal x a @7\nsource y b @0x20\nsource z b @33\nterminal v c\n");
        let description = read("net.topology", text.as_bytes()).unwrap();
        let addresses =
            |d: &Description| -> Vec<_> { d.terminals.iter().map(|t| t.address).collect() };
        assert_eq!(addresses(&description), [Some(7), Some(32), Some(33), None]);
        for format in FORMATS.iter().filter(|format| format.name != "anynet") {
            let text = format.write(&description).unwrap();
            let again = read(&format!("net.{}", format.endings[0]), text.as_bytes()).unwrap();
            assert_eq!(addresses(&again), addresses(&description), "{}: {text}", format.name);
            let topology = crate::topology::wired::Wired::new(&again).unwrap();
            assert_eq!(addresses(&Description::of(&topology)), addresses(&description));
        }
        for wrong in ["source y b @32\nsource z b @34", "source y b @32\nsource z b"] {
            let text = format!("{begin}{wrong}\nsink v c\n");
            let description = read("net.topology", text.as_bytes()).unwrap();
            for format in FORMATS.iter().filter(|format| ["graphml", "dot"].contains(&format.name))
            {
                let error = format.write(&description).unwrap_err().to_string();
                let reason = "cannot say addresses at a node that do not follow each other";
                assert!(error.ends_with(reason), "{error}");
            }
        }
    }

    /// Faults of addresses, by format, with their lines.
    #[test]
    fn addresses_at_fault() {
        let graphml = |a: &str, b: &str| {
            format!(
                "<graphml><graph>\n<node id=\"a\">{a}</node>\n<node id=\"b\">{b}</node>\n\
                 <edge source=\"a\" target=\"b\"/></graph></graphml>"
            )
        };
        let data = |key: &str, value: &str| format!("<data key=\"{key}\">{value}</data>");
        let at = |value: &str| data("address", value);
        let range = "is no address of a terminal; write 0 to 2147483647, or 0x10";
        let number =
            "too: its number, for no address is said for it; say one for it, or another here";
        for (file, text, message) in [
            ("n.graphml", graphml(&at("x"), ""), format!("line 2: 'x' {range}")),
            (
                "n.graphml",
                graphml("", &(data("terminals", "2") + &at("2147483647"))),
                format!("line 3: '2147483648' {range}"),
            ),
            (
                "n.graphml",
                graphml(&at("9"), &at("0x9")),
                "line 3: address 9 is taken already; give each terminal one of its own".into(),
            ),
            (
                "n.graphml",
                graphml(&at("1"), ""),
                format!("line 2: address 1 is that of terminal 'b' {number}"),
            ),
            (
                "n.graphml",
                graphml(&(data("terminals", "0") + &at("1")), ""),
                "line 2: a node without terminals has an address; leave one out".into(),
            ),
            ("n.dot", "graph { a -- b\na [address=-1] }".into(), format!("line 2: '-1' {range}")),
            (
                "n.dot",
                "graph { a -- b\nb [address=0] }".into(),
                format!("line 2: address 0 is that of terminal 'a' {number}"),
            ),
            (
                "n.dot",
                "graph { a -- b\nnode [address=4] }".into(),
                "line 2: each node has an address of its own; say it at the node".into(),
            ),
        ] {
            let error = read(file, text.as_bytes()).unwrap_err().to_string();
            assert_eq!(error, message, "{file}: {text}");
        }
        // Each of the two has what would be the number of the other.
        assert!(read("n.dot", b"graph { a [address=1]; b [address=0]; a -- b }").is_ok());
    }
}

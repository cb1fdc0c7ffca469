//! A network wired port to port, from a [`Description`]: any switches, any channels between them,
//! terminals anywhere.
//!
//! The terminals of a switch have its inject ports, and its eject ports, in the order of their
//! addresses.

use super::canonical::Canonical;
use super::{Local, Node, Port, Size, Structure, Terminal, Topology, TopologyError};
use crate::description::{Description, MOST_PORTS, Name};
use std::collections::HashMap;
use std::sync::OnceLock;

/// Name, in messages, of a network that a user describes; its own name is [`Topology::title`].
pub const NAME: &str = "network";

/// A description that makes no network.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum WiredError {
    /// More terminals at one switch than there may be.
    #[error(
        "more than {MOST_PORTS} terminals {what} at {node}: arbiters and multiplexers grow with \
         them; use more switches"
    )]
    Terminals {
        /// `send` or `receive`.
        what: &'static str,
        /// Label of the switch.
        node: String,
    },
}

/// Places of terminals: by number, and the numbers by switch, then by inject or eject port.
#[derive(Debug)]
struct Places {
    of: Vec<Option<(Node, Local)>>,
    at: Vec<Vec<Terminal>>,
}

impl Places {
    fn new(
        description: &Description,
        what: &'static str,
        nodes: impl Iterator<Item = Option<usize>>,
    ) -> Result<Self, WiredError> {
        let mut at = vec![Vec::new(); description.nodes.len()];
        let mut of = Vec::new();
        for (terminal, node) in (0..).zip(nodes) {
            let Some(node) = node else {
                of.push(None);
                continue;
            };
            if at[node].len() == MOST_PORTS {
                let node = description.nodes[node].identifier.clone();
                return Err(WiredError::Terminals { what, node });
            }
            of.push(Some((Node(node as u32), Local(at[node].len() as u8))));
            at[node].push(Terminal(terminal));
        }
        Ok(Self { of, at })
    }

    fn of(&self, terminal: Terminal) -> Option<(Node, Local)> {
        self.of.get(terminal.0 as usize).copied().flatten()
    }

    fn at(&self, node: Node, local: Local) -> Option<Terminal> {
        self.at.get(node.0 as usize)?.get(usize::from(local.0)).copied()
    }
}

/// A network of a description.
#[derive(Debug)]
pub struct Wired {
    title: String,
    nodes: Vec<Name>,
    terminals: Vec<Name>,
    /// Addresses that are given, by number.
    addresses: Vec<Option<u32>>,
    ports: Vec<String>,
    /// By node and port: node number times ports, plus port.
    channels: Vec<Option<(Node, Port)>>,
    /// Registers on channels that have any, by node and port.
    delays: HashMap<(Node, Port), u32>,
    node_of: HashMap<String, Node>,
    terminal_of: HashMap<String, Terminal>,
    sources: Places,
    sinks: Places,
    /// Found when it is asked for.
    canonical: OnceLock<Canonical>,
}

impl Wired {
    /// The network that a description says.
    ///
    /// # Errors
    /// [`WiredError`] for one with too many terminals at one switch.
    ///
    /// # Panics
    /// For a description that does not hold together: none that a builder made.
    pub fn new(description: &Description) -> Result<Self, WiredError> {
        let Description { nodes, terminals, ports, .. } = description;
        let port_of: HashMap<&String, u8> = ports.iter().zip(0..).collect();
        let mut channels = vec![None; nodes.len() * ports.len()];
        let mut delays = HashMap::new();
        for channel in &description.channels {
            let [from, to] = [&channel.from, &channel.to].map(|end| (end.node, port_of[&end.port]));
            let to = (Node(to.0 as u32), Port(to.1));
            channels[from.0 * ports.len() + usize::from(from.1)] = Some(to);
            if channel.delay > 0 {
                delays.insert((Node(from.0 as u32), Port(from.1)), channel.delay);
            }
        }
        Ok(Self {
            title: description.name.clone(),
            addresses: terminals.iter().map(|terminal| terminal.address).collect(),
            channels,
            delays,
            ports: ports.clone(),
            node_of: by_name(nodes.iter(), Node),
            terminal_of: by_name(terminals.iter().map(|terminal| &terminal.name), Terminal),
            sources: Places::new(description, "send", terminals.iter().map(|t| t.source))?,
            sinks: Places::new(description, "receive", terminals.iter().map(|t| t.sink))?,
            canonical: OnceLock::new(),
            nodes: nodes.clone(),
            terminals: terminals.iter().map(|terminal| terminal.name.clone()).collect(),
        })
    }

    fn unknown(&self, label: &str, of: &str, such: &str) -> TopologyError {
        TopologyError::Label {
            topology: self.name(),
            label: label.to_owned(),
            expected: format!("the name of a {of}, such as {such}"),
        }
    }
}

/// By identifier, and by the name as it was given.
fn by_name<'a, T: Copy>(
    names: impl Iterator<Item = &'a Name> + Clone,
    thing: fn(u32) -> T,
) -> HashMap<String, T> {
    let given =
        (0..).zip(names.clone()).filter_map(|(at, name)| Some((name.original.clone()?, at)));
    // Identifiers are each one's own, and go first.
    let known = given.chain((0..).zip(names).map(|(at, name)| (name.identifier.clone(), at)));
    known.map(|(name, at)| (name, thing(at))).collect()
}

impl Topology for Wired {
    fn name(&self) -> &'static str {
        NAME
    }
    fn title(&self) -> String {
        self.title.clone()
    }
    fn identifier(&self) -> String {
        self.title()
    }
    fn size(&self) -> Size {
        Size::of_nodes(self.nodes())
    }
    fn structure(&self) -> Structure {
        Structure::Given
    }
    fn nodes(&self) -> u32 {
        self.nodes.len() as u32
    }
    fn label(&self, node: Node) -> String {
        self.nodes[node.0 as usize].identifier.clone()
    }
    fn node(&self, label: &str) -> Result<Node, TopologyError> {
        let node = self.node_of.get(label).copied();
        node.ok_or_else(|| self.unknown(label, "node", &self.nodes[0].identifier))
    }
    fn ports(&self) -> u8 {
        self.ports.len() as u8
    }
    fn port_name(&self, port: Port) -> String {
        self.ports[usize::from(port.0)].clone()
    }
    fn channel(&self, from: Node, output: Port) -> Option<(Node, Port)> {
        let output = Some(usize::from(output.0)).filter(|&output| output < self.ports.len())?;
        self.channels[from.0 as usize * self.ports.len() + output]
    }
    fn delay(&self, from: Node, output: Port) -> u32 {
        self.delays.get(&(from, output)).copied().unwrap_or(0)
    }
    fn given_address(&self, terminal: Terminal) -> Option<u32> {
        self.addresses.get(terminal.0 as usize).copied().flatten()
    }
    fn most_delay(&self) -> u32 {
        self.delays.values().copied().max().unwrap_or(0)
    }
    fn terminals(&self) -> u32 {
        self.terminals.len() as u32
    }
    fn source(&self, terminal: Terminal) -> Option<(Node, Local)> {
        self.sources.of(terminal)
    }
    fn sink(&self, terminal: Terminal) -> Option<(Node, Local)> {
        self.sinks.of(terminal)
    }
    fn source_at(&self, node: Node, local: Local) -> Option<Terminal> {
        self.sources.at(node, local)
    }
    fn sink_at(&self, node: Node, local: Local) -> Option<Terminal> {
        self.sinks.at(node, local)
    }
    fn terminal_label(&self, terminal: Terminal) -> String {
        self.terminals[terminal.0 as usize].identifier.clone()
    }
    fn terminal(&self, label: &str) -> Result<Terminal, TopologyError> {
        let (label_text, such) = (label.to_owned(), self.a_terminal());
        match self.terminal_of.get(label) {
            Some(&terminal) => Ok(terminal),
            None if self.node_of.contains_key(label) => {
                Err(TopologyError::NoTerminal { label: label_text, such })
            }
            None => Err(self.unknown(label, "terminal", &such)),
        }
    }
    fn canonical(&self) -> Option<&Canonical> {
        Some(self.canonical.get_or_init(|| Canonical::of(self)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::read;
    use crate::topology::tests::keeps_the_contract;
    use std::fmt::Write;

    fn wired(lines: &str) -> Result<Wired, WiredError> {
        let text = format!("turnpike-topology 1\n{lines}");
        Wired::new(&read("test.topology", text.as_bytes()).unwrap())
    }

    /// Two sources and a sink at `a`, two channels from `a` to `b`, no terminal at `c`.
    const LINES: &str = "node a b c\n\
        terminal x-1 a\nsource y a\nsink z b\nsink z2 b\n\
        channel a.p b.q\nchannel a.q b.p\nchannel b.p c.p\nchannel c.q a.p\n";

    #[test]
    fn any_wiring_keeps_the_contract() {
        let wired = wired(LINES).unwrap();
        keeps_the_contract(&wired);
        let terminals = |all: &[u32]| all.iter().copied().map(Terminal).collect::<Vec<_>>();
        assert_eq!(wired.sources().collect::<Vec<_>>(), terminals(&[0, 1]));
        assert_eq!(wired.sinks().collect::<Vec<_>>(), terminals(&[0, 2, 3]));
        assert_eq!(wired.source(Terminal(1)), Some((Node(0), Local(1))));
        assert_eq!(wired.sink(Terminal(3)), Some((Node(1), Local(1))));
        // As it was given, and as it stands in Verilog.
        assert_eq!(
            (wired.terminal("x-1"), wired.terminal("x_1")),
            (Ok(Terminal(0)), Ok(Terminal(0)))
        );
        assert_eq!(wired.sender("y"), Ok(Terminal(1)));
        assert_eq!(wired.sender("z"), Err(TopologyError::SendsNothing("z".to_owned())));
        assert_eq!(wired.receiver("y"), Err(TopologyError::TakesNothing("y".to_owned())));
        let error = wired.terminal("c").unwrap_err().to_string();
        assert!(error.contains("without a terminal; name a node that has one, such as x_1"));
        let error = wired.terminal("w").unwrap_err().to_string();
        assert!(error.contains("the name of a terminal, such as x_1"), "{error}");
        let error = wired.node("w").unwrap_err().to_string();
        assert!(error.contains("the name of a node, such as a"), "{error}");
    }

    #[test]
    fn what_is_no_network_is_refused() {
        let mut lines = "node a b\nlink a b\nsink z b\n".to_owned();
        for source in 0..=MOST_PORTS {
            assert!(source == 0 || wired(&lines).is_ok());
            writeln!(lines, "source s{source} a").unwrap();
        }
        let error = WiredError::Terminals { what: "send", node: "a".into() };
        assert_eq!(wired(&lines).unwrap_err(), error);
    }
}

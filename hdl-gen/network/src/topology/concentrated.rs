//! A network with several terminals at each switch (concentration, Dally and Towles, Principles
//! and Practices of Interconnection Networks, section 1.3.1).
//!
//! An address is that of the place, and below it the number of the terminal there. The terminals of
//! a place enter by inject ports of their own, and leave by eject ports of their own.

use super::{Local, Node, Port, Structure, Terminal, Topology, TopologyError};

/// Most terminals in place of one.
pub const MOST: u32 = 16;
/// Most terminals of such a network.
const MOST_TERMINALS: u64 = 1 << 20;

/// A network with several terminals at each switch. Numbers, labels and ports of its switches
/// are those of the network that it is made of.
#[derive(Debug)]
pub struct Concentrated {
    plain: Box<dyn Topology>,
    /// The number of a terminal at its place has this many bits.
    bits: u32,
}

impl Concentrated {
    /// `plain` with `concentration` terminals at each switch that has one.
    ///
    /// # Errors
    /// [`TopologyError::Concentration`] unless it is 1, 2, 4, 8 or 16; of more than one
    /// [`TopologyError::Local`] where a switch of `plain` has several terminals, and
    /// [`TopologyError::Concentrated`] for too many in all.
    pub fn new(plain: Box<dyn Topology>, concentration: u32) -> Result<Self, TopologyError> {
        let topology = plain.name();
        if !concentration.is_power_of_two() || concentration > MOST {
            return Err(TopologyError::Concentration { concentration, most: MOST });
        }
        let terminals = u64::from(plain.terminals()) * u64::from(concentration);
        if terminals > MOST_TERMINALS {
            let most = MOST_TERMINALS;
            return Err(TopologyError::Concentrated { topology, terminals, most });
        }
        let alone = |end: Option<(Node, Local)>| end.is_none_or(|(_, local)| local == Local(0));
        let several =
            |&terminal: &Terminal| !alone(plain.source(terminal)) || !alone(plain.sink(terminal));
        let found = (concentration > 1).then(|| plain.all_terminals().find(several)).flatten();
        if let Some(terminal) = found {
            let terminal = plain.terminal_label(terminal);
            return Err(TopologyError::Local { topology, terminal });
        }
        Ok(Self { plain, bits: concentration.ilog2() })
    }

    /// The place of a terminal, as a terminal of the network that this one is made of, and its
    /// number there.
    fn place(&self, terminal: Terminal) -> (Terminal, Local) {
        (Terminal(terminal.0 >> self.bits), Local((terminal.0 % self.concentration()) as u8))
    }

    /// The terminal of a number at a place.
    fn at(&self, place: Terminal, local: Local) -> Terminal {
        Terminal(place.0 << self.bits | u32::from(local.0))
    }

    /// An end of a terminal, from the end of its place.
    fn end(
        &self,
        terminal: Terminal,
        end: impl Fn(Terminal) -> Option<(Node, Local)>,
    ) -> Option<(Node, Local)> {
        let (place, local) = self.place(terminal);
        end(place).map(|(node, _)| (node, local))
    }

    /// The terminal at a local port, from that of the only one of the plain network.
    fn at_local(&self, place: Option<Terminal>, local: Local) -> Option<Terminal> {
        let there = u32::from(local.0) < self.concentration();
        place.filter(|_| there).map(|place| self.at(place, local))
    }

    /// A terminal moved with its place.
    fn moved(&self, terminal: Terminal, move_place: impl Fn(Terminal) -> Terminal) -> Terminal {
        let (place, local) = self.place(terminal);
        self.at(move_place(place), local)
    }
}

impl Topology for Concentrated {
    super::forward::as_in!(nodes of plain);

    fn structure(&self) -> Structure {
        self.plain.structure()
    }
    fn identifier(&self) -> String {
        format!("{}_c{}", self.plain.identifier(), self.concentration())
    }
    fn concentration(&self) -> u32 {
        1 << self.bits
    }
    fn address_bits(&self) -> u32 {
        self.plain.address_bits() + self.bits
    }
    fn channel(&self, from: Node, output: Port) -> Option<(Node, Port)> {
        self.plain.channel(from, output)
    }
    fn representative(&self, node: Node) -> Node {
        self.plain.representative(node)
    }
    fn translate(&self, node: Node, to: Node) -> Node {
        self.plain.translate(node, to)
    }
    fn translate_back(&self, node: Node, to: Node) -> Node {
        self.plain.translate_back(node, to)
    }
    fn translate_terminal(&self, terminal: Terminal, to: Node) -> Terminal {
        self.moved(terminal, |place| self.plain.translate_terminal(place, to))
    }
    fn translate_terminal_back(&self, terminal: Terminal, to: Node) -> Terminal {
        self.moved(terminal, |place| self.plain.translate_terminal_back(place, to))
    }
    fn with_fewer_translations(&self) -> Option<Box<dyn Topology>> {
        let plain = self.plain.with_fewer_translations()?;
        Some(Box::new(Self { plain, bits: self.bits }))
    }
    fn generators(&self) -> Vec<Node> {
        self.plain.generators()
    }
    fn terminals(&self) -> u32 {
        self.plain.terminals() << self.bits
    }
    fn source(&self, terminal: Terminal) -> Option<(Node, Local)> {
        self.end(terminal, |place| self.plain.source(place))
    }
    fn sink(&self, terminal: Terminal) -> Option<(Node, Local)> {
        self.end(terminal, |place| self.plain.sink(place))
    }
    fn source_at(&self, node: Node, local: Local) -> Option<Terminal> {
        self.at_local(self.plain.source_at(node, Local(0)), local)
    }
    fn sink_at(&self, node: Node, local: Local) -> Option<Terminal> {
        self.at_local(self.plain.sink_at(node, Local(0)), local)
    }
    fn terminal_label(&self, terminal: Terminal) -> String {
        let (place, local) = self.place(terminal);
        format!("{}_{}", self.plain.terminal_label(place), local.0)
    }
    fn terminal(&self, label: &str) -> Result<Terminal, TopologyError> {
        let number = |local: &str| {
            let local: u8 = local.parse().ok()?;
            (u32::from(local) < self.concentration()).then_some(Local(local))
        };
        let split = label.rsplit_once('_');
        let found = split.and_then(|(place, local)| {
            let place = self.plain.terminal(place).ok()?;
            Some(self.at(place, number(local)?))
        });
        // `00_01` is not `00_1`.
        found.filter(|&terminal| self.terminal_label(terminal) == label).ok_or_else(|| {
            let expected = format!(
                "that of a switch, `_` and a number below {}, such as {}",
                self.concentration(),
                self.a_terminal()
            );
            let (topology, label) = (self.name(), label.to_owned());
            TopologyError::TerminalLabel { topology, label, expected }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::hypercube::Hypercube;
    use crate::topology::parameter::{ARITY, LEVELS};
    use crate::topology::{sinks_at, sources_at, tree};

    fn cube(concentration: u32) -> Result<Concentrated, TopologyError> {
        Concentrated::new(Box::new(Hypercube::new(2).unwrap()), concentration)
    }

    #[test]
    fn each_switch_has_its_terminals_and_no_others() {
        let cube = cube(4).unwrap();
        assert_eq!((cube.nodes(), cube.terminals(), cube.address_bits()), (4, 16, 4));
        for node in cube.all_nodes() {
            let own: Vec<_> = (0..4).map(|local| Terminal(4 * node.0 + local)).collect();
            assert_eq!(sources_at(&cube, node).collect::<Vec<_>>(), own);
            assert_eq!(sinks_at(&cube, node).collect::<Vec<_>>(), own);
        }
        for terminal in cube.all_terminals() {
            assert_eq!(cube.terminal(&cube.terminal_label(terminal)), Ok(terminal));
        }
        assert_eq!(cube.terminal_label(Terminal(0b10_01)), "10_1");
    }

    #[test]
    fn what_is_no_terminal_is_refused() {
        let cube = cube(2).unwrap();
        for label in ["10", "10_2", "10_01", "20_0", "10_", "_0", "10_-0", "10_+1"] {
            let error = cube.terminal(label).unwrap_err().to_string();
            assert!(error.ends_with("a number below 2, such as 00_0"), "{error}");
        }
    }

    #[test]
    fn other_numbers_and_switches_with_several_terminals_are_refused() {
        for concentration in [0, 3, 32, u32::MAX] {
            let error = cube(concentration).unwrap_err().to_string();
            assert!(error.ends_with("use 1, 2, 4, 8 or 16"), "{error}");
        }
        let size = crate::topology::Size::of([(&ARITY, 2), (&LEVELS, 2)]);
        let tree = || tree::TREE.build(size).unwrap();
        assert!(matches!(Concentrated::new(tree(), 2), Err(TopologyError::Local { .. })));
        assert!(Concentrated::new(tree(), 1).is_ok());
        let large = Box::new(Hypercube::new(20).unwrap());
        let error = Concentrated::new(large, 2).unwrap_err();
        assert!(matches!(error, TopologyError::Concentrated { terminals: 2_097_152, .. }));
    }
}

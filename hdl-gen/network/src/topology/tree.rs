//! Trees of switches with K^L terminals, K at each switch of the lowest of L levels.
//!
//! **Tree.** One root, and K switches below each switch but the lowest.
//!
//! **Fat tree.** The k-ary n-tree of Petrini and Vanneschi (k-ary n-trees: High performance
//! networks for massively parallel architectures, IPPS 1997): K^(L-1) switches on each level, with
//! K channels down and, but for the highest level, K up. Two switches of neighbouring levels l and
//! l + 1 are linked where the K-ary digits of their indices differ nowhere but in digit l. (The
//! paper counts levels from the top.)
//!
//! Level 0 is the lowest, digit 0 the least significant. Switch i of level l has label `l_i`; level
//! by level they are numbered, from the lowest up. Terminal t has label `t`; it is at switch t / K
//! of level 0, by the inject and eject port of number t modulo K. So `down<d>` leads to where digit
//! l of a terminal's address is d, on level l.

use super::error::check_terminals;
use super::parameter::{ARITY, LEVELS};
use super::positions::Position;
use super::{
    Limit, Local, Node, Port, Range, Size, Sizes, Structure, Terminal, Topology, TopologyError,
    TopologyKind, labels,
};

/// The most levels.
const MOST_LEVELS: u32 = 12;
/// A switch has as many ports as a topology file takes; routes from all terminals are walked.
const MOST_TERMINALS: u32 = 4096;
const SIZES: Sizes = Sizes::of(
    [Range::of(&ARITY, "K", (2, 32)), Range::of(&LEVELS, "L", (2, MOST_LEVELS))],
    Limit::Terminals(MOST_TERMINALS),
)
.with_examples(&["2 2", "2 3", "3 2"], &["2 12", "4 6", "16 3"]);

/// The entry of the tree in the list of topologies.
pub const TREE: TopologyKind = TopologyKind {
    name: "tree",
    aliases: &[],
    summary: "tree of switches, K^L terminals below its L levels",
    sizes: SIZES,
    default_routing: "up-down",
    of_size: |size| Ok(Box::new(Tree::of(TREE.name, size)?)),
};
/// The entry of the fat tree.
pub const FAT_TREE: TopologyKind = TopologyKind {
    name: "fat-tree",
    aliases: &["k-ary-n-tree"],
    summary: "k-ary n-tree: K^L terminals, L levels of K^(L-1) switches, as many channels up as down",
    sizes: SIZES,
    default_routing: "up-down",
    of_size: |size| Ok(Box::new(Tree::of(FAT_TREE.name, size)?)),
};

/// A tree or a fat tree.
#[derive(Debug, Clone, Copy)]
pub struct Tree {
    name: &'static str,
    arity: u32,
    levels: u32,
    // Worked out beforehand: places are asked for at every hop.
    /// The powers of the arity, up to the number of terminals.
    powers: [u32; MOST_LEVELS as usize + 1],
    /// The first switch of each level, and behind the last level the number of switches.
    starts: [u32; MOST_LEVELS as usize + 1],
}

impl Tree {
    fn of(name: &'static str, size: Size) -> Result<Self, TopologyError> {
        let [arity, levels] = [&ARITY, &LEVELS].map(|parameter| size.expect(parameter));
        check_terminals(name, u64::from(arity).pow(levels), MOST_TERMINALS)?;
        let (powers, starts) = Default::default();
        let mut tree = Self { name, arity, levels, powers, starts };
        (0..=levels).for_each(|at| tree.powers[at as usize] = arity.pow(at));
        for level in 0..levels {
            tree.starts[level as usize + 1] = tree.starts[level as usize] + tree.width(level);
        }
        Ok(tree)
    }

    /// The tree that a topology is; `None` for another.
    pub fn of_topology(topology: &dyn Topology) -> Option<Self> {
        match topology.structure() {
            Structure::Tree(found) => Some(found),
            _ => None,
        }
    }

    /// Whether there are as many channels up as down.
    pub fn is_fat(&self) -> bool {
        self.name == FAT_TREE.name
    }

    /// Channels down from a switch, or terminals at it.
    pub fn arity(&self) -> u32 {
        self.arity
    }

    /// Levels of switches.
    pub fn levels(&self) -> u32 {
        self.levels
    }

    /// A digit of a number, the least significant being 0.
    pub fn digit(&self, number: u32, at: u32) -> u32 {
        number / self.powers[at as usize] % self.arity
    }

    /// `number` with another digit in that place.
    fn with_digit(&self, number: u32, at: u32, digit: u32) -> u32 {
        let stride = self.powers[at as usize];
        number - self.digit(number, at) * stride + digit * stride
    }

    /// Number of switches of a level.
    fn width(&self, level: u32) -> u32 {
        self.powers[(self.levels - 1 - if self.is_fat() { 0 } else { level }) as usize]
    }

    /// The level of a switch, and its index there.
    ///
    /// # Panics
    /// For a node that is none.
    pub fn place(&self, node: Node) -> (u32, u32) {
        assert!(node.0 < self.nodes(), "{node:?} is no switch of {self:?}");
        let ends = &self.starts[1..self.levels as usize];
        let level = ends.iter().take_while(|&&end| end <= node.0).count();
        (level as u32, node.0 - self.starts[level])
    }

    /// The switch at a place.
    fn at(&self, level: u32, index: u32) -> Node {
        Node(self.starts[level as usize] + index)
    }

    /// The port down to where the digit is this.
    pub fn down(&self, digit: u32) -> Port {
        Port(digit as u8)
    }

    /// A port up; a tree has one, of number 0.
    pub fn up(&self, number: u32) -> Port {
        Port((self.arity + number) as u8)
    }

    /// The number of a port up; `None` for a port down.
    pub fn number_up(&self, port: Port) -> Option<u32> {
        u32::from(port.0).checked_sub(self.arity)
    }
}

impl Topology for Tree {
    fn name(&self) -> &'static str {
        self.name
    }
    fn size(&self) -> Size {
        Size::of([(&ARITY, self.arity), (&LEVELS, self.levels)])
    }
    fn structure(&self) -> Structure {
        Structure::Tree(*self)
    }
    fn nodes(&self) -> u32 {
        self.starts[self.levels as usize]
    }
    fn terminals(&self) -> u32 {
        self.powers[self.levels as usize]
    }
    fn label(&self, node: Node) -> String {
        let (level, index) = self.place(node);
        format!("{level}_{index}")
    }
    fn position(&self, node: Node) -> Option<Position> {
        let (level, index) = self.place(node);
        // Below a switch of a tree stand as many of the lowest level.
        let below = self.width(0) / self.width(level);
        let x = (f64::from(index) + 0.5) * f64::from(below);
        // Links of a wide tree would lie flat.
        let height = (f64::from(self.width(0)) / 5.0).max(1.5);
        Some((x, f64::from(level) * height))
    }
    fn node(&self, label: &str) -> Result<Node, TopologyError> {
        let place = label.split_once('_').and_then(|(level, index)| {
            let level = labels::parse_number(level).filter(|&level| level < self.levels)?;
            let index = labels::parse_number(index).filter(|&index| index < self.width(level))?;
            Some(self.at(level, index))
        });
        place.ok_or_else(|| TopologyError::Label {
            topology: self.name,
            label: label.to_owned(),
            expected: format!(
                "a level below {} and a switch of that level, such as {}",
                self.levels,
                self.label(Node(self.nodes() - 1))
            ),
        })
    }
    fn ports(&self) -> u8 {
        self.up(if self.is_fat() { self.arity } else { 1 }).0
    }
    fn port_name(&self, port: Port) -> String {
        match self.number_up(port) {
            Some(number) => format!("up{number}"),
            None => format!("down{}", port.0),
        }
    }
    fn channel(&self, from: Node, output: Port) -> Option<(Node, Port)> {
        let ((level, index), digit) = (self.place(from), u32::from(output.0));
        match self.number_up(output) {
            _ if output.0 >= self.ports() => None,
            Some(_) if level + 1 == self.levels => None,
            Some(number) if self.is_fat() => {
                let to = self.at(level + 1, self.with_digit(index, level, number));
                Some((to, self.down(self.digit(index, level))))
            }
            Some(_) => {
                let to = self.at(level + 1, index / self.arity);
                Some((to, self.down(index % self.arity)))
            }
            None if level == 0 => None,
            None if self.is_fat() => {
                let to = self.at(level - 1, self.with_digit(index, level - 1, digit));
                Some((to, self.up(self.digit(index, level - 1))))
            }
            None => Some((self.at(level - 1, index * self.arity + digit), self.up(0))),
        }
    }
    fn at_each_node(&self) -> u32 {
        self.arity
    }
    fn terminal_label(&self, terminal: Terminal) -> String {
        terminal.0.to_string()
    }
    fn terminal(&self, label: &str) -> Result<Terminal, TopologyError> {
        let number = labels::parse_number(label).filter(|&number| number < self.terminals());
        number.map(Terminal).ok_or_else(|| match self.node(label) {
            Ok(node) if self.source_at(node, Local(0)).is_none() => {
                TopologyError::NoTerminal { label: label.to_owned(), such: self.a_terminal() }
            }
            _ => TopologyError::Label {
                topology: self.name,
                label: label.to_owned(),
                expected: format!("the number of a terminal, from 0 to {}", self.terminals() - 1),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::tests::keeps_the_contract;

    fn tree(kind: &TopologyKind, arity: u32, levels: u32) -> Tree {
        Tree::of(kind.name, Size::of([(&ARITY, arity), (&LEVELS, levels)])).unwrap()
    }

    /// Two terminals are as far apart as twice the highest digit in which they differ.
    #[test]
    fn figures_are_those_of_the_formulas() {
        for (arity, levels) in [(2, 2), (2, 3), (2, 5), (3, 2), (3, 3), (4, 3), (5, 2)] {
            let terminals = u32::pow(arity, levels);
            for kind in [TREE, FAT_TREE] {
                let tree = tree(&kind, arity, levels);
                keeps_the_contract(&tree);
                let (switches, links) = match tree.is_fat() {
                    true => (levels * terminals / arity, (levels - 1) * terminals),
                    false => {
                        let switches = (terminals - 1) / (arity - 1);
                        (switches, switches - 1)
                    }
                };
                assert_eq!((tree.nodes(), tree.channels()), (switches, 2 * u64::from(links)));
                let mut total = 0;
                for source in tree.sources() {
                    let distances = tree.distances(tree.source(source).unwrap().0);
                    for sink in tree.sinks() {
                        let far = distances[tree.sink(sink).unwrap().0.0 as usize];
                        let differs =
                            |&at: &u32| tree.digit(source.0, at) != tree.digit(sink.0, at);
                        let highest = (0..levels).filter(differs).max().unwrap_or(0);
                        assert_eq!(far, 2 * highest);
                        total += far;
                    }
                }
                let at = |digit| 2 * digit * (arity - 1) * arity.pow(digit);
                assert_eq!(total, terminals * (1..levels).map(at).sum::<u32>());
            }
        }
    }

    /// The paper's definition, for any two switches.
    #[test]
    fn a_fat_tree_is_the_papers() {
        let tree = tree(&FAT_TREE, 3, 3);
        for from in tree.all_nodes() {
            for to in tree.all_nodes() {
                let (low, high) = (tree.place(from), tree.place(to));
                let alike = |at| tree.digit(low.1, at) == tree.digit(high.1, at);
                let linked = low.0 + 1 == high.0 && (0..2).filter(|&at| at != low.0).all(alike);
                let ports = || (0..tree.ports()).map(Port);
                let between = |from, to| {
                    ports()
                        .filter(|&p| tree.channel(from, p).map(|(end, _)| end) == Some(to))
                        .count()
                };
                assert_eq!(
                    between(from, to),
                    usize::from(
                        linked
                            || low.0 == high.0 + 1 && {
                                (0..2).filter(|&at| at != high.0).all(alike)
                            }
                    )
                );
            }
        }
    }

    #[test]
    fn sizes_and_labels_are_bounded() {
        for (arity, levels, what) in [
            (1, 3, "arity 1 is out of range; use 2 to 32"),
            (33, 3, "arity 33 is out of range; use 2 to 32"),
            (2, 1, "levels 1 is out of range; use 2 to 12"),
            (32, 13, "levels 13 is out of range; use 2 to 12"),
            (32, 12, "1152921504606846976 terminals are more than 4096; make it smaller"),
        ] {
            let error = FAT_TREE
                .build(Size::of([(&ARITY, arity), (&LEVELS, levels)]))
                .unwrap_err()
                .to_string();
            assert_eq!(error, format!("fat-tree: {what}"));
        }
        let tree = tree(&TREE, 2, 3);
        for bad in ["", "3_0", "2_1", "0_4", "00_1", "1", "_"] {
            let text = tree.node(bad).unwrap_err().to_string();
            assert!(text.ends_with("a level below 3 and a switch of that level, such as 2_0"));
        }
        let text = tree.terminal("1_0").unwrap_err().to_string();
        assert!(text.contains("a switch without a terminal; name a node that has one, such as 0"));
        for bad in ["8", "0_0", "+1"] {
            let text = tree.terminal(bad).unwrap_err().to_string();
            assert!(text.ends_with("a label is the number of a terminal, from 0 to 7"), "{text}");
        }
    }
}

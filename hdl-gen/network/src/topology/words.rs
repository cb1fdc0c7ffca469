//! Networks of words: nodes are words of K letters, and each leads to the words that a letter makes
//! of it, shifted in at the right while the leftmost letter falls out.
//!
//! **De Bruijn** (A combinatorial problem, Proc. Koninklijke Nederlandse Akademie van Wetenschappen
//! 49, 1946): any words over D letters, D^K of them. Port `letter<c>` shifts in letter c. By input
//! `letter<c>` packets come from the word that begins with c. A word of one letter alone would lead
//! to itself; that channel is left out.
//!
//! **Kautz** (Bounds on directed (d, k) graphs, Theory of cellular logic networks and machines,
//! 1968): words over D + 1 letters in which no letter stands beside itself, (D + 1)·D^(K-1) of
//! them. Port `plus<c>` shifts in the letter that is c more than the last, modulo D + 1. By input
//! `plus<c>` packets come from the word whose first letter is c less than its second. So all
//! switches are alike: adding a number to all letters keeps every name.
//!
//! Labels are the words. A de Bruijn node's number is its word in base D; a Kautz node's is its
//! first letter and then each letter's distance from the one before it, less one, in base D.

use super::parameter::{ARITY, DIM};
use super::{
    Limit, MOST_SWITCHES, Node, Port, Range, Size, Sizes, Structure, Topology, TopologyError,
    TopologyKind,
};

/// Routes from all nodes are walked, and each looks them up in a table of its own: no more nodes than
/// have Verilog. Letters are digits.
const SIZES: Sizes = Sizes::of(
    [Range::of(&ARITY, "D", (2, 8)), Range::of(&DIM, "K", (1, 10))],
    Limit::Nodes(MOST_SWITCHES),
)
.with_examples(&["2 1", "2 2", "3 2", "2 3"], &["2 9", "4 4", "8 3"]);

/// The entry of the de Bruijn network in the list of topologies.
pub const DE_BRUIJN: TopologyKind = TopologyKind {
    name: "de-bruijn",
    aliases: &[],
    summary: "words of K letters of D, each with a channel to where a letter is shifted in",
    sizes: SIZES,
    default_routing: "shift",
    of_size: |size| Ok(Box::new(Words::of(DE_BRUIJN.name, size)?)),
};
/// The entry of the Kautz network.
pub const KAUTZ: TopologyKind = TopologyKind {
    name: "kautz",
    aliases: &[],
    summary: "words of K letters of D + 1, none beside itself, and channels as of de-bruijn",
    sizes: SIZES,
    default_routing: "shift",
    of_size: |size| Ok(Box::new(Words::of(KAUTZ.name, size)?)),
};

/// A de Bruijn or a Kautz network.
#[derive(Debug, Clone, Copy)]
pub struct Words {
    name: &'static str,
    arity: u32,
    length: u32,
}

impl Words {
    fn of(name: &'static str, size: Size) -> Result<Self, TopologyError> {
        let [arity, length] = [&ARITY, &DIM].map(|parameter| size.expect(parameter));
        let words = Self { name, arity, length };
        let high = MOST_SWITCHES;
        let nodes = u64::from(words.letters()) * u64::from(arity).pow(length - 1);
        match nodes > high.into() {
            true => Err(TopologyError::Nodes { topology: name, nodes, low: words.letters(), high }),
            false => Ok(words),
        }
    }

    /// The network that a topology is; `None` for another.
    pub fn of_topology(topology: &dyn Topology) -> Option<Self> {
        match topology.structure() {
            Structure::Words(found) => Some(found),
            _ => None,
        }
    }

    fn is_kautz(&self) -> bool {
        self.name == KAUTZ.name
    }

    /// Channels from a node.
    pub fn arity(&self) -> u32 {
        self.arity
    }

    /// Letters of a word.
    pub fn length(&self) -> u32 {
        self.length
    }

    /// Number of letters of the alphabet.
    pub fn letters(&self) -> u32 {
        self.arity + u32::from(self.is_kautz())
    }

    /// Nodes whose words begin alike in one letter.
    fn of_first(&self) -> u32 {
        self.arity.pow(self.length - 1)
    }

    /// The letter that a port shifts in behind this one.
    fn letter_of(&self, port: Port, last: u32) -> u32 {
        match self.is_kautz() {
            true => (last + 1 + u32::from(port.0)) % self.letters(),
            false => port.0.into(),
        }
    }

    /// The port that shifts a letter in behind another.
    fn port_of(&self, letter: u32, last: u32) -> Port {
        match self.is_kautz() {
            true => Port(((letter + self.arity - last) % self.letters()) as u8),
            false => Port(letter as u8),
        }
    }

    /// The letters of a node.
    pub fn word(&self, node: Node) -> Vec<u32> {
        let (first, mut place) = (node.0 / self.of_first(), self.of_first());
        let mut word = vec![first];
        for _ in 1..self.length {
            place /= self.arity;
            let port = Port((node.0 / place % self.arity) as u8);
            word.push(self.letter_of(port, word[word.len() - 1]));
        }
        word
    }

    /// The letters of the channel of a port: those of the node that it leaves, and the one that it
    /// shifts in.
    pub fn channel_word(&self, node: Node, port: Port) -> Vec<u32> {
        let mut word = self.word(node);
        word.push(self.letter_of(port, word[word.len() - 1]));
        word
    }

    /// The ports of the shortest path, of which there is one: they shift in the letters that are
    /// not at the end of the first word already.
    pub fn shortest(&self, from: Node, to: Node) -> Vec<Port> {
        let (from, to) = (self.word(from), self.word(to));
        let common = (0..=from.len()).rev().find(|&common| from.ends_with(&to[..common]));
        let mut last = from[from.len() - 1];
        let missing = to[common.unwrap_or(0)..].iter();
        missing.map(|&letter| self.port_of(letter, std::mem::replace(&mut last, letter))).collect()
    }
}

impl Topology for Words {
    fn name(&self) -> &'static str {
        self.name
    }
    fn size(&self) -> Size {
        Size::of([(&ARITY, self.arity), (&DIM, self.length)])
    }
    fn structure(&self) -> Structure {
        Structure::Words(*self)
    }
    fn nodes(&self) -> u32 {
        self.letters() * self.of_first()
    }
    fn label(&self, node: Node) -> String {
        self.word(node).iter().map(u32::to_string).collect()
    }
    fn node(&self, label: &str) -> Result<Node, TopologyError> {
        let letter = |c: char| c.to_digit(10).filter(|&letter| letter < self.letters());
        let word: Option<Vec<u32>> = label.chars().map(letter).collect();
        let alike = |word: &[u32]| word.windows(2).any(|pair| pair[0] == pair[1]);
        let right = |word: &Vec<u32>| {
            word.len() == self.length as usize && !(self.is_kautz() && alike(word))
        };
        let node = word.filter(right).map(|word| {
            let ports = word.windows(2).map(|pair| self.port_of(pair[1], pair[0]));
            Node(ports.fold(word[0], |number, port| number * self.arity + u32::from(port.0)))
        });
        node.ok_or_else(|| TopologyError::Label {
            topology: self.name,
            label: label.to_owned(),
            expected: format!(
                "{} letter(s) of 0 to {}{}, such as {}",
                self.length,
                self.letters() - 1,
                if self.is_kautz() { ", none beside itself" } else { "" },
                self.label(Node(self.nodes() - 1))
            ),
        })
    }
    fn ports(&self) -> u8 {
        self.arity as u8
    }
    fn port_name(&self, port: Port) -> String {
        match self.is_kautz() {
            true => format!("plus{}", port.0 + 1),
            false => format!("letter{}", port.0),
        }
    }
    fn channel(&self, from: Node, output: Port) -> Option<(Node, Port)> {
        if output.0 >= self.ports() {
            return None;
        }
        let (first, rest) = (from.0 / self.of_first(), from.0 % self.of_first());
        // What follows the first letter, and the letter that is shifted in.
        let follows = rest * self.arity + u32::from(output.0);
        let (next, rest) = (follows / self.of_first(), follows % self.of_first());
        let (begins, input) = match self.is_kautz() {
            true => ((first + 1 + next) % self.letters(), next),
            false => (next, first),
        };
        let to = Node(begins * self.of_first() + rest);
        (to != from).then_some((to, Port(input as u8)))
    }
    fn representative(&self, node: Node) -> Node {
        if self.is_kautz() { Node(node.0 % self.of_first()) } else { node }
    }
    fn translate(&self, node: Node, to: Node) -> Node {
        match self.is_kautz() {
            true => Node((node.0 + to.0 - to.0 % self.of_first()) % self.nodes()),
            false => node,
        }
    }
    fn translate_back(&self, node: Node, to: Node) -> Node {
        match self.is_kautz() {
            true => Node((node.0 + self.nodes() - to.0 + to.0 % self.of_first()) % self.nodes()),
            false => node,
        }
    }
    fn generators(&self) -> Vec<Node> {
        if self.is_kautz() { vec![Node(self.of_first())] } else { Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::tests::keeps_the_contract;

    fn networks() -> impl Iterator<Item = Words> {
        let sizes = [(2, 1), (2, 2), (2, 3), (2, 5), (3, 1), (3, 2), (3, 3), (5, 2), (8, 2)];
        sizes.into_iter().flat_map(|(arity, length)| {
            [DE_BRUIJN, KAUTZ].map(|kind| {
                Words::of(kind.name, Size::of([(&ARITY, arity), (&DIM, length)])).unwrap()
            })
        })
    }

    /// The definition on words, and nothing but it; as many nodes and channels as there should be.
    #[test]
    fn channels_shift_a_letter_in() {
        for words in networks() {
            keeps_the_contract(&words);
            let (d, k) = (words.arity(), words.length());
            let (nodes, loops) = match words.is_kautz() {
                true => ((d + 1) * d.pow(k - 1), 0),
                false => (d.pow(k), d),
            };
            assert_eq!((words.nodes(), words.channels()), (nodes, (nodes * d - loops).into()));
            for from in words.all_nodes() {
                let word = words.word(from);
                for to in words.all_nodes() {
                    let ports = (0..words.ports()).map(Port);
                    let ends = ports.filter_map(|port| words.channel(from, port));
                    let channels = ends.filter(|&(end, _)| end == to).count();
                    let shifted = word[1..] == words.word(to)[..k as usize - 1];
                    // Words of one letter alone: all lead to all others.
                    assert_eq!(channels == 1, shifted && from != to, "{words:?}");
                    assert!(channels <= 1);
                }
                for port in (0..words.ports()).map(Port) {
                    let Some((to, _)) = words.channel(from, port) else { continue };
                    let passed = words.channel_word(from, port);
                    assert_eq!((&passed[..k as usize], &passed[1..]), (&*word, &*words.word(to)));
                }
            }
        }
    }

    /// The only shortest path shifts in the letters that are missing; the diameter is the number of
    /// letters.
    #[test]
    fn distances_are_the_letters_that_are_missing() {
        for words in networks() {
            let mut diameter = 0;
            for from in words.all_nodes() {
                for (far, to) in words.distances(from).into_iter().zip(0..) {
                    let ports = words.shortest(from, Node(to));
                    assert_eq!(ports.len() as u32, far);
                    let step = |at: Node, port: &Port| words.channel(at, *port).unwrap().0;
                    assert_eq!(ports.iter().fold(from, step), Node(to));
                    diameter = diameter.max(far);
                }
            }
            assert_eq!(diameter, words.length());
        }
    }

    #[test]
    fn sizes_and_labels_are_bounded() {
        for (arity, length, what) in [
            (1, 3, "arity 1 is out of range; use 2 to 8"),
            (9, 3, "arity 9 is out of range; use 2 to 8"),
            (2, 0, "dimension 0 is out of range; use 1 to 10"),
            (2, 11, "dimension 11 is out of range; use 1 to 10"),
            (2, 10, "1536 nodes are out of range; use 3 to 1024"),
        ] {
            let error =
                KAUTZ.build(Size::of([(&ARITY, arity), (&DIM, length)])).unwrap_err().to_string();
            assert_eq!(error, format!("kautz: {what}"));
        }
        let kautz = Words::of(KAUTZ.name, Size::of([(&ARITY, 2), (&DIM, 3)])).unwrap();
        assert_eq!(kautz.label(Node(11)), "210");
        for bad in ["", "01", "0101", "013", "011", "+10", "x10"] {
            let text = kautz.node(bad).unwrap_err().to_string();
            assert!(text.ends_with("3 letter(s) of 0 to 2, none beside itself, such as 210"));
        }
    }
}

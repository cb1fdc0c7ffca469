//! The switches of a network that is routed row by row, put together from the places of its rows.

use super::ByRows;
use crate::turns::{SwitchTurns, Turn, Turns, Witness};
use turnpike_network::routing::rows::Rows;
use turnpike_network::routing::walk::Step;
use turnpike_network::routing::{Draw, Header, Input, Output, Relation, Vc};
use turnpike_network::topology::{Node, Port, Terminal, Topology};

/// A class of switches by the classes of its places in the rows, X first.
type Kind = Vec<usize>;

/// Queue at a switch from which packets begin in a later row.
struct Before {
    input: Input,
    vc: Vc,
    /// Source of a packet there: the node as far as this row is done.
    source: Node,
}

impl ByRows {
    /// The turns of every switch: those of its places along each row; from where a way in one row
    /// ends, those by which one in a later row begins.
    ///
    /// The witness of a turn is the first route that takes it, destinations before sources, as if all
    /// were walked: the coordinates that may be any are 0.
    pub fn turns(&self) -> Turns {
        let mut kinds: Vec<(Node, Kind)> =
            self.kinds().into_iter().map(|kind| (self.first(&kind), kind)).collect();
        kinds.sort_unstable();
        let mut class_of_kind = vec![0; kinds.len()];
        for (class, (_, kind)) in kinds.iter().enumerate() {
            class_of_kind[self.number(kind.iter().copied())] = class as u32;
        }
        let classes = kinds.iter().map(|(site, _)| self.switch(*site)).collect();
        let class = |node| class_of_kind[self.number(self.kind(node))];
        let class_of = self.grid().all_nodes().map(class).collect();
        Turns::of_classes(classes, class_of)
    }

    /// Every combination of classes of places.
    fn kinds(&self) -> Vec<Kind> {
        self.all.iter().fold(vec![Kind::new()], |kinds, row| {
            let with = |kind: &Kind| {
                let kind = kind.clone();
                (0..row.first_of.len()).map(move |class| [&kind[..], &[class]].concat())
            };
            kinds.iter().flat_map(with).collect()
        })
    }

    /// The number of a combination.
    fn number(&self, kind: impl Iterator<Item = usize>) -> usize {
        let digits = kind.zip(&self.all);
        digits
            .fold((0, 1), |(sum, base), (class, row)| {
                (sum + class * base, base * row.first_of.len())
            })
            .0
    }

    /// The classes of a node's places.
    fn kind(&self, node: Node) -> impl Iterator<Item = usize> + '_ {
        self.all.iter().enumerate().map(move |(d, row)| row.class_of[self.place(node, d)])
    }

    /// A node's place in its row of a dimension.
    pub(super) fn place(&self, node: Node, dimension: usize) -> usize {
        self.rows.in_row(node, dimension).0 as usize
    }

    /// The first node of a class: at the first place of each class in its row.
    fn first(&self, kind: &Kind) -> Node {
        let along = kind.iter().enumerate().map(|(d, &class)| self.all[d].first_of[class]);
        Node(along.enumerate().map(|(d, place)| self.on_axis(d, place).0).sum())
    }

    /// A node with other coordinates in one dimension, and 0 in those before it or behind it.
    fn moved(&self, node: Node, dimension: usize, to: u32, zero: std::ops::Range<usize>) -> Node {
        let coordinate = |d: usize| match d {
            _ if d == dimension => to,
            _ if zero.contains(&d) => 0,
            _ => self.place(node, d) as u32,
        };
        Node((0..self.all.len()).map(|d| coordinate(d) * self.strides[d]).sum())
    }

    /// A row's mask as one of the grid's header, with what `later` gives of the rows behind it.
    fn mask(&self, dimension: usize, mask: Header, later: impl Fn(usize) -> Header) -> Header {
        let low = |d: usize| self.rows.rows()[d].low;
        let behind = dimension + 1..self.all.len();
        behind.fold(mask << low(dimension), |all, d| all | later(d) << low(d))
    }

    fn switch(&self, site: Node) -> SwitchTurns {
        let mut switch = SwitchTurns::at(site);
        let end = self.all.len();
        let mut befores = vec![Before { input: Input::INJECT, vc: Vc(0), source: site }];
        let begins = |d: usize| self.all[d].begins();
        let needed = |d: usize| self.all[d].needed(self.place(site, d));
        let anywhere = |d: usize| self.all[d].needed_anywhere();
        let inject = (Input::INJECT, Vc(0));
        // What a packet that has not begun needs is what one in front of the first row does.
        let all = |of: &dyn Fn(usize) -> Header| self.mask(0, of(0), of);
        switch.header_masks.insert(inject, all(&begins));
        switch.stored.insert(inject, all(&needed));
        switch.received.insert(Input::INJECT, all(&needed));
        for (dimension, row) in self.all.iter().enumerate() {
            let here: &SwitchTurns = &row.switches[self.place(site, dimension)];
            let own = |to: Port| Output::Network(Rows::port(dimension, to));
            let mut ending = Vec::new();
            for (turn, witness) in &here.turns {
                let (source, to) = (witness.source.0, witness.destination.0);
                // Later coordinates of the destination may be any; so may earlier ones of the source.
                let destination = self.moved(site, dimension, to, dimension + 1..end);
                match (turn.input, turn.output) {
                    (Input::Inject(_), Output::Network(port)) => {
                        for before in &befores {
                            let (input, input_vc) = (before.input, before.vc);
                            let output_vc = turn.output_vc;
                            let turn = Turn { input, input_vc, output: own(port), output_vc };
                            switch.turns.insert(turn, at(before.source, destination, site));
                        }
                    }
                    (Input::Inject(_), Output::Eject(_)) => {}
                    (Input::Network(came), output) => {
                        let source = self.moved(site, dimension, source, 0..dimension);
                        let input = Input::Network(Rows::port(dimension, came));
                        match output {
                            Output::Network(port) => {
                                let turn = Turn { input, output: own(port), ..*turn };
                                switch.turns.insert(turn, at(source, destination, site));
                            }
                            Output::Eject(_) => {
                                ending.push(Before { input, vc: turn.input_vc, source });
                            }
                        }
                    }
                }
            }
            befores.extend(ending);
            let input = |input: Input| match input {
                Input::Network(came) => Some(Input::Network(Rows::port(dimension, came))),
                Input::Inject(_) => None,
            };
            for (&(came, vc), &mask) in &here.header_masks {
                let Some(input) = input(came) else { continue };
                switch.header_masks.insert((input, vc), self.mask(dimension, mask, begins));
            }
            for (&(came, vc), &mask) in &here.stored {
                let Some(input) = input(came) else { continue };
                switch.stored.insert((input, vc), self.mask(dimension, mask, needed));
            }
            for (&came, &mask) in &here.received {
                let Some(input) = input(came) else { continue };
                switch.received.insert(input, self.mask(dimension, mask, anywhere));
            }
            for (&port, &mask) in &here.sent {
                let mask = self.mask(dimension, mask, anywhere);
                switch.sent.insert(Rows::port(dimension, port), mask);
            }
        }
        for before in befores {
            let (input, input_vc) = (before.input, before.vc);
            let turn = Turn { input, input_vc, output: Output::EJECT, output_vc: Vc(0) };
            switch.turns.insert(turn, at(before.source, site, site));
        }
        switch
    }

    /// Calls `visit` on steps that stand for all: at the switches of each class, for each queue and
    /// each header of the row in which the packet goes on; the fields of later rows all 0, and all set
    /// in ways that packets begin there. A rule that looks at one row's field at a time, in the order
    /// of the rows, does with any others as with these.
    pub fn each_step(&self, relation: &Relation, mut visit: impl FnMut(&Step)) {
        for kind in self.kinds() {
            let site = self.first(&kind);
            let mut befores = vec![(Input::INJECT, Vc(0))];
            for (dimension, row) in self.all.iter().enumerate() {
                let later = self.later(&kind, dimension);
                for step in &row.steps[kind[dimension]] {
                    if step.hop.output.is_eject() {
                        continue;
                    }
                    let node = self.moved(site, dimension, step.node.0, 0..0);
                    let own = match step.input {
                        Input::Network(came) => {
                            vec![(Input::Network(Rows::port(dimension, came)), step.vc)]
                        }
                        Input::Inject(_) => befores.clone(),
                    };
                    let field = step.header << self.rows.rows()[dimension].low;
                    for (input, vc) in own {
                        for header in later.iter().map(|later| field | later) {
                            let hop = relation.hop(node, input, vc, header);
                            visit(&Step { node, input, vc, header, hop });
                        }
                    }
                }
                let here = &row.switches[row.first_of[kind[dimension]]];
                befores.extend(here.turns.keys().filter_map(|turn| match turn.input {
                    Input::Network(came) if turn.output.is_eject() => {
                        Some((Input::Network(Rows::port(dimension, came)), turn.input_vc))
                    }
                    _ => None,
                }));
            }
            for (input, vc) in befores {
                let hop = relation.hop(site, input, vc, 0);
                visit(&Step { node: site, input, vc, header: 0, hop });
            }
        }
    }

    /// Fields of the rows behind one, of packets that begin there at the first places of these
    /// classes: none, and of each row the least and the largest.
    fn later(&self, kind: &Kind, dimension: usize) -> [Header; 3] {
        let mut all = [0; 3];
        for (d, &class) in kind.iter().enumerate().skip(dimension + 1) {
            let (row, from) = (&self.rows.rows()[d], self.all[d].first_of[class] as u32);
            let to = (0..self.all[d].side() as u32).filter(|&to| to != from);
            let fields = to.map(|to| row.relation.inject(Terminal(from), Terminal(to), Draw::NONE));
            let (least, largest) = fields.fold((Header::MAX, 0), |(least, largest), field| {
                (field.min(least), field.max(largest))
            });
            all[1] |= least << row.low;
            all[2] |= largest << row.low;
        }
        all
    }
}

fn at(source: Node, destination: Node, at: Node) -> Witness {
    Witness {
        source: Terminal(source.0),
        destination: Terminal(destination.0),
        draw: Draw::NONE,
        at,
    }
}

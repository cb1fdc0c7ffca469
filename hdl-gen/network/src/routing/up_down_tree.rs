//! Up a tree as far as needed, and down again. In a fat tree the way up is that of the
//! destination's digits, D-mod-k (Zahavi, Fat-tree routing and node ordering providing contention
//! free traffic for MPI global collectives, J. Parallel and Distributed Computing 72(11), 2012): on
//! level l a packet leaves by port `up<d>` or `down<d>`, d being digit l of the destination's
//! address. No route turns up again after it went down, so one virtual channel is enough.
//!
//! No switch knows where it stands but for its level. A header is, digit by digit, source XOR
//! destination. An input from below comes from where digit l is known, which gives the
//! destination's; digits above it that are not 0 say that the packet goes on up. What a packet needs
//! on its way down:
//!
//! - in a fat tree nothing: it came up by that very digit, so by `up<d>` come the packets that
//!   leave by `down<d>`, and no others;
//! - in a tree the destination's digits, which each switch puts in their place on the way up.
//!
//! Adaptive routing in a fat tree (Petrini and Vanneschi, k-ary n-trees, IPPS 1997) goes up by any
//! port that is free, and down by the destination's digits as in a tree. It needs no escape channels,
//! as no route turns up again. The ports up are as good as each other, so packets take them in turn.
//!
//! Where the source draws the ports up, they stand above the digits in the header, level by level.

use super::choice::{ADAPTIVE_VC, Choice, Choices, ChosenWay};
use super::grid_header::MOST_TABLE_BITS;
use super::{
    Build, Built, Carried, ChannelOrder, Condition, DestinationEncoding, Draw, Drawn, Header,
    HeaderUpdate, Hop, Injection, Input, Output, Relation, RelationKind, RouteLogic, RoutingError,
    RoutingFunction, Rule, Select, Vc, bits_of, low_bits,
};
use crate::topology::tree::Tree;
use crate::topology::{Local, Node, Port, Structure, Terminal, Topology};
use std::sync::Arc;
use turnpike_base::bits::bits_for;

/// The entry in the list of relations.
pub const KIND: RelationKind = RelationKind {
    name: "up-down",
    routes: |network| matches!(network, Structure::Tree(_)),
    summary: "up as far as needed, by the destination's digits where there is a choice, and down",
    source: "Zahavi, J. Parallel and Distributed Computing 72(11), 2012: D-mod-k",
    build: Build::Fixed(build),
};

fn build(topology: &dyn Topology) -> Built {
    let tree = Tree::of_topology(topology).expect("the relation is of trees");
    let up = if tree.is_fat() { Up::ByDigit } else { Up::Only };
    UpDownTree::relation(KIND.name, tree, up)
}

/// Most switches of a fat tree whose packets draw their ports up: all draws are walked.
const MOST_DRAWN: u32 = 1 << 10;

/// The relation of this name that goes up a fat tree by any port.
///
/// # Errors
/// [`RoutingError`] for a tree that is too large.
pub(super) fn adaptive(name: &'static str, tree: Tree) -> Built {
    UpDownTree::relation(name, tree, Up::Any)
}

/// The relation of this name that goes up a fat tree by ports that the source draws.
///
/// # Errors
/// [`RoutingError`] for a tree that is too large.
pub(super) fn drawn(name: &'static str, tree: Tree) -> Built {
    let nodes = tree.nodes();
    match nodes > MOST_DRAWN {
        true => Err(RoutingError::Nodes { name, most: MOST_DRAWN, nodes }),
        false => UpDownTree::relation(name, tree, Up::Drawn),
    }
}

/// Choice of the port by which a packet goes up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Up {
    /// The only port.
    Only,
    /// By the destination's digit.
    ByDigit,
    /// By any.
    Any,
    /// By the one that the source drew for the level.
    Drawn,
}

/// The relation on one tree.
#[derive(Debug)]
struct UpDownTree {
    tree: Tree,
    up: Up,
    /// Bits of a digit.
    digit: u32,
    /// Bits that are drawn for each level but the highest.
    drawn: u32,
}

impl UpDownTree {
    fn relation(name: &str, tree: Tree, up: Up) -> Built {
        let arity = tree.arity();
        let drawn = match up {
            Up::Drawn => Draw::bits_for(arity, arity.is_power_of_two()),
            Up::Only | Up::ByDigit | Up::Any => 0,
        };
        let relation = Self { tree, up, digit: bits_for(arity), drawn };
        if !relation.by_difference() {
            let rows = u64::from(tree.terminals()) << tree.address_bits();
            let bits = rows * u64::from(relation.bits());
            if bits > MOST_TABLE_BITS {
                let (name, most) = (name.to_owned(), MOST_TABLE_BITS);
                return Err(RoutingError::Tables { name, bits, most });
            }
        }
        let (order, legend) = (ChannelOrder::by_number(tree.ports()), relation.legend());
        let draws = 1 << relation.draw_bits();
        let parts = Arc::new(relation);
        let relation = Relation::new(name, order, legend, Arc::clone(&parts)).with_draws(draws);
        Ok(if up == Up::Any { relation.with_choices(parts, false) } else { relation })
    }

    /// Bits of the digits in a header.
    fn bits(&self) -> u32 {
        self.tree.levels() * self.digit
    }

    /// Bits of a draw.
    fn draw_bits(&self) -> u32 {
        self.drawn * (self.tree.levels() - 1)
    }

    /// The lowest header bit of what is drawn for a level.
    fn drawn_at(&self, level: u32) -> u32 {
        self.bits() + level * self.drawn
    }

    /// The header bits of what is drawn for the levels from this one on.
    fn drawn_from(&self, level: u32) -> Header {
        low_bits(self.bits() + self.draw_bits()) & !low_bits(self.drawn_at(level))
    }

    /// The number of the port up that a level's draw means: one of K comes for at most one draw more
    /// than another.
    fn up_of(&self, drawn: u64) -> u32 {
        Draw(drawn as u32).pick(self.tree.arity().into(), self.drawn) as u32
    }

    /// Whether digits are bits of the address, so that one injector serves all sources.
    fn by_difference(&self) -> bool {
        self.tree.arity().is_power_of_two()
    }

    /// The digits of an address, each in bits of its own.
    fn digits(&self, address: u32) -> Header {
        let digit = |at| u64::from(self.tree.digit(address, at)) << (at * self.digit);
        (0..self.tree.levels()).map(digit).sum()
    }

    /// The digit of a level, for packets that come from below by this input; `None` for packets
    /// from above.
    fn below(&self, input: Input) -> Option<u32> {
        match input {
            Input::Inject(local) => Some(local.0.into()),
            Input::Network(port) => self.tree.number_up(port).is_none().then_some(port.0.into()),
        }
    }

    /// The lowest bit of a level's digit.
    fn low(&self, level: u32) -> u32 {
        level * self.digit
    }

    /// The bits of the digits above that of a level.
    fn above(&self, level: u32) -> Header {
        low_bits(self.bits()) & !low_bits(self.low(level + 1))
    }

    /// Down from a level, to where its digit is this.
    fn down(&self, level: u32, digit: u32) -> Output {
        match level {
            0 => Output::Eject(Local(digit as u8)),
            _ => Output::Network(self.tree.down(digit)),
        }
    }

    /// Up from a switch, for packets that came from where its digit is `own` to destinations with
    /// this digit, for whose level this was drawn: the port that is liked best. Where it may be any that
    /// is one of its own for each input.
    fn up(&self, own: u32, digit: u32, drawn: u64) -> Port {
        self.tree.up(match self.up {
            Up::Only => 0,
            Up::ByDigit => digit,
            Up::Any => own,
            Up::Drawn => self.up_of(drawn),
        })
    }

    /// All ports up, the best liked first.
    fn ups(&self, own: u32) -> impl Iterator<Item = Port> + use<> {
        let (tree, arity) = (self.tree, self.tree.arity());
        (0..arity).map(move |further| tree.up((own + further) % arity))
    }

    /// The header bits of a level's digit.
    fn digit_bits(&self, level: u32) -> Header {
        low_bits(self.digit) << self.low(level)
    }

    /// Header that [`RouteLogic::carry`] makes of a header; every hop asks for it.
    fn after(&self, level: u32, input: Input, output: Port, header: Header) -> Header {
        let goes_up = self.tree.number_up(output).is_some();
        match (self.up == Up::ByDigit, self.below(input)) {
            (true, Some(_)) if goes_up => header & self.above(level),
            (true, _) => 0,
            (false, Some(own)) if goes_up => {
                let kept = low_bits(self.bits()) | self.drawn_from(level + 1);
                (header ^ u64::from(own) << self.low(level)) & kept
            }
            (false, _) => header & low_bits(self.low(level)),
        }
    }

    /// Value of a level's field of the header, for a digit of the destination.
    fn value(&self, level: u32, digit: u32, own: Option<u32>) -> Header {
        u64::from(digit ^ own.unwrap_or(0)) << self.low(level)
    }

    /// The digits with which packets turn down at a level: at the lowest switch that they may, so
    /// not back, but for a terminal's to itself.
    fn turning(&self, level: u32, own: Option<u32>) -> impl Iterator<Item = u32> + use<> {
        (0..self.tree.arity()).filter(move |&digit| level == 0 || own != Some(digit))
    }
}

impl Choices for UpDownTree {
    fn hops(&self, node: Node, input: Input, _vc: Vc, header: Header) -> Vec<Hop> {
        let (level, _) = self.tree.place(node);
        let ports: Vec<Port> = match self.below(input) {
            Some(own) if header & self.above(level) != 0 => self.ups(own).collect(),
            _ => match self.hop(node, input, ADAPTIVE_VC, header).output {
                Output::Network(port) => vec![port],
                Output::Eject(_) => Vec::new(),
            },
        };
        let hop = |port| Hop {
            output: Output::Network(port),
            vc: ADAPTIVE_VC,
            header: self.carry(node, input, ADAPTIVE_VC, (port, ADAPTIVE_VC)).apply(header),
        };
        ports.into_iter().map(hop).collect()
    }
    fn choice(&self, node: Node, input: Input, _vc: Vc) -> Choice {
        let (level, _) = self.tree.place(node);
        let (own, above) = (self.below(input), self.above(level));
        let way = |port, when| ChosenWay::on(when, port);
        let mut ways = Vec::new();
        if let Some(own) = own.filter(|_| above != 0) {
            let goes_on = Condition::value(0, 0).and_any(above);
            ways.extend(self.ups(own).map(|port| way(port, goes_on).in_turn()));
        }
        // From above there is no way on up, and those digits are gone.
        let arrived = if own.is_some() { above } else { 0 };
        for digit in self.turning(level, own).filter(|_| level > 0) {
            let when = Condition::value(self.digit_bits(level), self.value(level, digit, own));
            ways.push(way(self.tree.down(digit), when.and_value(arrived, 0)));
        }
        Choice { ways, all_if: None }
    }
}

impl RoutingFunction for UpDownTree {
    fn inject(&self, source: Terminal, destination: Terminal, draw: Draw) -> Header {
        let digits = self.digits(source.0) ^ self.digits(destination.0);
        digits | u64::from(draw.0) << self.bits()
    }
    fn hop(&self, node: Node, input: Input, _vc: Vc, header: Header) -> Hop {
        let (level, _) = self.tree.place(node);
        let digit = (header >> self.low(level) & low_bits(self.digit)) as u32;
        let output = match (self.below(input), input) {
            (Some(own), _) if header & self.above(level) != 0 => {
                let drawn = header >> self.drawn_at(level) & low_bits(self.drawn);
                Output::Network(self.up(own, own ^ digit, drawn))
            }
            (Some(own), _) => self.down(level, own ^ digit),
            (None, Input::Network(port)) if self.up == Up::ByDigit => {
                self.down(level, self.tree.number_up(port).unwrap_or(0))
            }
            (None, _) => self.down(level, digit),
        };
        let header = match output {
            Output::Network(port) => self.after(level, input, port, header),
            Output::Eject(_) => 0,
        };
        Hop { output, vc: Vc(0), header }
    }
}

impl RouteLogic for UpDownTree {
    fn header_bits(&self, _input: Input) -> u32 {
        self.bits() + self.draw_bits()
    }
    fn injection(&self, source: Terminal) -> Injection {
        let (address, bits) = (self.tree.address_bits(), self.bits());
        let header = |destination| self.inject(source, destination, Draw::NONE);
        let injection = match self.by_difference() {
            true => Injection::plain(DestinationEncoding::difference(address)),
            false => Injection::by_address("digits", address, bits, self.tree.terminals(), header),
        };
        let field = Drawn::Field { low: bits, bits: self.draw_bits() };
        Injection { drawn: (self.up == Up::Drawn).then_some(field), ..injection }
    }
    fn select(&self, node: Node, input: Input, _vc: Vc) -> Select {
        let (level, _) = self.tree.place(node);
        let (own, above) = (self.below(input), self.above(level));
        let care = self.digit_bits(level);
        let value = |digit| self.value(level, digit, own);
        let mut rules = Vec::new();
        if let Some(own) = own.filter(|_| above != 0) {
            let when = |care, value| Condition::value(care, value).and_any(above);
            match self.up {
                Up::ByDigit => rules.extend(
                    (0..self.tree.arity())
                        .map(|digit| Rule::on(when(care, value(digit)), self.up(own, digit, 0))),
                ),
                Up::Only => rules.push(Rule::on(when(0, 0), self.up(own, 0, 0))),
                Up::Any => rules.extend(self.ups(own).map(|port| Rule::on(when(0, 0), port))),
                Up::Drawn => {
                    let (low, all) = (self.drawn_at(level), low_bits(self.drawn));
                    rules.extend((0..=all).map(|drawn| {
                        Rule::on(when(all << low, drawn << low), self.up(own, 0, drawn))
                    }));
                }
            }
        }
        let down = |digit| Rule::to(care, value(digit), self.down(level, digit).into());
        match (own, input) {
            (None, Input::Network(port)) if self.up == Up::ByDigit => {
                rules.push(down(self.tree.number_up(port).unwrap_or(0)));
            }
            _ => rules.extend(self.turning(level, own).map(down)),
        }
        // What is left goes by the last.
        if let Some(last) = rules.last_mut() {
            last.when = Condition::value(0, 0);
        }
        Select::FirstRule { rules, one_hot: false }
    }
    fn carry(&self, node: Node, input: Input, _vc: Vc, (output, _): (Port, Vc)) -> HeaderUpdate {
        let (level, _) = self.tree.place(node);
        let goes_up = self.tree.number_up(output).is_some();
        match (self.up == Up::ByDigit, self.below(input)) {
            (true, Some(_)) if goes_up => HeaderUpdate::keeping(self.above(level)),
            (true, _) => HeaderUpdate::default(),
            (false, Some(own)) if goes_up => {
                let all = HeaderUpdate::keeping(low_bits(self.bits()) | self.drawn_from(level + 1));
                let bits = bits_of(u64::from(own) << self.low(level)).into_iter();
                bits.fold(all, |carry, bit| carry.with(bit, Carried::Inverse(bit)))
            }
            (false, _) => HeaderUpdate::keeping(low_bits(self.low(level))),
        }
    }
}

impl UpDownTree {
    fn legend(&self) -> Vec<String> {
        let mut legend = vec![
            format!("Header bits: the digits of the addresses, {} bits each, as source XOR", {
                self.digit
            }),
            "destination; 0 behind the digit of the level where the packet turns down.".to_owned(),
        ];
        if self.up != Up::ByDigit {
            legend[1] =
                "destination, and behind the level of their digit the destination's.".into();
        }
        if self.up == Up::Any {
            legend.push("Packets choose among the ports up; no escape channels.".into());
        }
        if self.up == Up::Drawn {
            let low = self.bits();
            legend.push(format!(
                "Above them, from bit {low} on, what the source drew for each level"
            ));
            legend.push(format!("but the highest, {} bits each: the port up.", self.drawn));
        }
        legend
    }
}

#[cfg(test)]
mod tests;

//! A relation on a network with several terminals at each switch
//! ([`crate::topology::concentrated`]).
//!
//! Routes lead from place to place as those of the plain network. The header is that of the plain
//! relation, and above it the number of the terminal at its place, which only the last switch looks
//! at.

use super::choice::{Choice, Choices};
use super::{
    Built, Draw, EjectNumber, Header, HeaderUpdate, Hop, Injection, Input, Output, Relation,
    RouteLogic, RoutingError, RoutingFunction, Select, Vc, low_bits,
};
use crate::topology::{Local, Node, Port, Terminal, Topology};
use turnpike_base::bits::in_words;

/// Width of a header at most.
const MOST_HEADER_BITS: u32 = 64;

/// The parts of a relation with several terminals at each switch.
#[derive(Debug)]
struct Concentrating {
    plain: Relation,
    /// Bits of the number of a terminal at its place.
    bits: u32,
    /// Lowest header bit of the terminal's number at its switch.
    low: u32,
}

/// `plain`, a relation of the topology `of`, with `concentration` terminals at each switch: a
/// power of two.
///
/// # Errors
/// [`RoutingError::NoRoom`] where there is no room for the number in a header.
pub fn concentrated(plain: Relation, of: &dyn Topology, concentration: u32) -> Built {
    let inputs = (0..of.ports()).map(|port| Input::Network(Port(port)));
    let queues = inputs.chain([Input::INJECT]).map(|input| plain.header_bits(input));
    // Headers are as wide whoever makes them, and each source may have a table of its own.
    let made = of.sources().next().map(|source| plain.injection(source).bits());
    let low = queues.chain(made).max().unwrap_or(0);
    let bits = concentration.ilog2();
    if low + bits > MOST_HEADER_BITS {
        return Err(RoutingError::NoRoom {
            name: plain.name().to_owned(),
            bits: low,
            more: bits,
            most: MOST_HEADER_BITS,
        });
    }
    let number = in_words(low + bits - 1, low);
    let mut relation = plain.clone().behind(Concentrating { plain, bits, low });
    // What is drawn is a place, not a terminal.
    relation.via = None;
    relation.legend.push(format!("The terminal's number at its switch: {number}."));
    Ok(relation)
}

impl Concentrating {
    fn place(&self, terminal: Terminal) -> Terminal {
        Terminal(terminal.0 >> self.bits)
    }

    /// The bits of a header that hold the number.
    fn number(&self) -> Header {
        low_bits(self.bits) << self.low
    }

    /// The header that the plain relation sees.
    fn plain_header(&self, header: Header) -> Header {
        header & low_bits(self.low)
    }

    /// The input that the plain relation sees.
    fn plain_input(input: Input) -> Input {
        if input.is_inject() { Input::INJECT } else { input }
    }

    /// A hop of the plain relation, for a packet with this header.
    fn hop_of(&self, plain: Hop, header: Header) -> Hop {
        match plain.output {
            Output::Network(_) => Hop { header: plain.header | header & self.number(), ..plain },
            Output::Eject(_) => {
                let local = Local(((header & self.number()) >> self.low) as u8);
                Hop { output: Output::Eject(local), ..plain }
            }
        }
    }

    fn select_of(&self, plain: Select) -> Select {
        let number = EjectNumber { low: self.low, bits: self.bits, first: 0, stride: 1 };
        Select::Concentrated { select: Box::new(plain), number }
    }

    fn choices(&self) -> &dyn Choices {
        self.plain.choices().expect("asked of relations that have them")
    }
}

impl RoutingFunction for Concentrating {
    fn inject(&self, source: Terminal, destination: Terminal, draw: Draw) -> Header {
        let number = u64::from(destination.0) & low_bits(self.bits);
        self.plain.inject(self.place(source), self.place(destination), draw) | number << self.low
    }
    fn hop(&self, node: Node, input: Input, vc: Vc, header: Header) -> Hop {
        let plain = self.plain.hop(node, Self::plain_input(input), vc, self.plain_header(header));
        self.hop_of(plain, header)
    }
    fn output_vc(&self, node: Node, input: Input, vc: Vc, output: Output) -> Vc {
        let output = if output.is_eject() { Output::EJECT } else { output };
        self.plain.output_vc(node, Self::plain_input(input), vc, output)
    }
}

impl RouteLogic for Concentrating {
    fn header_bits(&self, _input: Input) -> u32 {
        self.low + self.bits
    }
    fn injection(&self, source: Terminal) -> Injection {
        let plain = self.plain.injection(self.place(source));
        Injection { view: plain.view.with_local(self.bits), local_at: self.low, ..plain }
    }
    fn select(&self, node: Node, input: Input, vc: Vc) -> Select {
        self.select_of(self.plain.select(node, Self::plain_input(input), vc))
    }
    fn carry(&self, node: Node, input: Input, vc: Vc, to: (Port, Vc)) -> HeaderUpdate {
        let plain = self.plain.carry(node, Self::plain_input(input), vc, to);
        plain.also_keeping(self.number())
    }
    fn oblivious_select(&self, node: Node) -> Option<Select> {
        self.plain.oblivious_select(node).map(|plain| self.select_of(plain))
    }
}

impl Choices for Concentrating {
    fn hops(&self, node: Node, input: Input, vc: Vc, header: Header) -> Vec<Hop> {
        let (input, plain) = (Self::plain_input(input), self.plain_header(header));
        let hops = self.choices().hops(node, input, vc, plain);
        hops.into_iter().map(|hop| self.hop_of(hop, header)).collect()
    }
    fn choice(&self, node: Node, input: Input, vc: Vc) -> Choice {
        self.choices().choice(node, Self::plain_input(input), vc)
    }
    fn adaptive_vc(&self, input: Input, vc: Vc) -> Option<Vc> {
        self.choices().adaptive_vc(Self::plain_input(input), vc)
    }
}

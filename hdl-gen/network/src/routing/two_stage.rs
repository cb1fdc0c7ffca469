//! The memo's routing in two stages on cube-connected cycles (Heller, Directed Cube Networks,
//! CSG Memo 253, 1985, section 7).
//!
//! 1. Go forward around the ring and correct each bit of the ring's label when its position
//!    comes by, until all are right. (The memo lets a packet choose the direction; in hardware
//!    one direction for all costs no header bit and fewer virtual channels.)
//! 2. Go to the destination's position: the shorter way around, or forward where rings go one
//!    way. Of two ways of one length, forward.
//!
//! Deadlock: a packet moves to the next virtual channel when it goes on from position 0, which
//! it came to around the ring; so (VC, position) ascends while it goes forward. Going backward,
//! which comes last, it starts on VC 0 of the backward channels and moves on at the other end.

use super::{
    Build, Built, ChannelOrder, DestinationEncoding, Draw, Header, HeaderUpdate, Hop, Injection,
    Input, Output, Relation, RelationKind, RouteLogic, RoutingFunction, Rule, Select, Vc, low_bits,
    walk,
};
use crate::topology::ccc::{Ccc, Link};
use crate::topology::{Node, Port, Structure, Terminal, Topology};
use std::sync::Arc;

/// The entry in the list of relations.
pub const KIND: RelationKind = RelationKind {
    name: "two-stage",
    routes: |network| matches!(network, Structure::Cycles(_)),
    summary: "correct the ring's bits going forward, then go to the position",
    source: "Heller, Directed Cube Networks, CSG Memo 253, section 7",
    build: Build::Fixed(build),
};

fn build(topology: &dyn Topology) -> Built {
    let Structure::Cycles(ccc) = topology.structure() else {
        unreachable!("the relation is of cube-connected cycles")
    };
    let order = ChannelOrder::by_number(ccc.ports());
    let parts = TwoStage { ccc };
    let relation = Relation::new(KIND.name, order, parts.legend(), Arc::new(parts));
    let vcs = count_vcs(&ccc, &relation);
    Ok(relation.with_vcs(vcs))
}

/// Routing in two stages on cube-connected cycles. The header: bits of the ring's label still
/// to be corrected, and above them the destination's position.
#[derive(Debug)]
pub struct TwoStage {
    ccc: Ccc,
}

impl TwoStage {
    fn port(&self, link: Link) -> Port {
        self.ccc.port(link).expect("the variant has this link")
    }

    /// The link that corrects a bit.
    fn correcting(&self) -> Link {
        match self.ccc.port(Link::Lateral) {
            Some(_) => Link::Lateral,
            None => Link::Across,
        }
    }

    /// The link of the second stage from one position to another.
    fn around(&self, from: u32, to: u32) -> Link {
        let ring = self.ccc.ring();
        let steps = (to + ring - from) % ring;
        match self.ccc.port(Link::Backward) {
            Some(_) if steps > ring / 2 => Link::Backward,
            _ => Link::Forward,
        }
    }

    fn label_mask(&self) -> Header {
        low_bits(self.ccc.dimension())
    }

    fn position_mask(&self) -> Header {
        low_bits(self.ccc.address_bits()) & !self.label_mask()
    }
}

/// Most virtual channels in use. How often a packet passes position 0 depends on where it
/// starts, the last bit that it corrects, whether it corrects one at position 0, and where
/// it ends.
fn count_vcs(ccc: &Ccc, relation: &Relation) -> u8 {
    let (ring, n) = (ccc.ring(), ccc.dimension());
    let mut most = 0;
    for start in 0..ring {
        for label in (0..n).flat_map(|bit| [0, 1 << bit, 1 << bit | 1]) {
            for end in 0..ring {
                let ends = [ccc.at(0, start), ccc.at(label, end)];
                let [source, destination] = ends.map(|node| Terminal(node.0));
                let visit = |step: &walk::Step| most = most.max(step.hop.vc.0);
                // A route that does not arrive is refused when the network is built.
                let _ = walk::walk(ccc, relation, source, destination, Draw::NONE, visit);
            }
        }
    }
    most + 1
}

impl RoutingFunction for TwoStage {
    fn inject(&self, source: Terminal, destination: Terminal, _draw: Draw) -> Header {
        u64::from(destination.0) ^ u64::from(source.0) & self.label_mask()
    }
    fn hop(&self, node: Node, input: Input, vc: Vc, header: Header) -> Hop {
        let (_, position) = self.ccc.place(node);
        let wrong = header & self.label_mask();
        let end = (header >> self.ccc.dimension()) as u32;
        let (link, header) = if wrong >> position & 1 == 1 {
            (self.correcting(), header & !(1 << position))
        } else if wrong != 0 {
            (Link::Forward, header)
        } else if position == end {
            return Hop { output: Output::EJECT, vc: Vc(0), header: 0 };
        } else {
            (self.around(position, end), header)
        };
        let output = Output::Network(self.port(link));
        Hop { output, vc: self.output_vc(node, input, vc, output), header }
    }
    fn output_vc(&self, node: Node, input: Input, vc: Vc, output: Output) -> Vc {
        let (_, position) = self.ccc.place(node);
        let is = |port: Port, link: Link| self.ccc.port(link) == Some(port);
        match (input, output) {
            (Input::Inject(_), _) | (_, Output::Eject(_)) => Vc(0),
            (Input::Network(from), Output::Network(to)) if is(to, Link::Backward) => {
                // The first backward channel, or the one on from the last position.
                match (is(from, Link::Backward), position + 1 == self.ccc.ring()) {
                    (false, _) => Vc(0),
                    (true, end) => Vc(vc.0 + u8::from(end)),
                }
            }
            (Input::Network(from), Output::Network(_)) => {
                let around = is(from, Link::Forward) || is(from, Link::Across);
                Vc(vc.0 + u8::from(around && position == 0))
            }
        }
    }
}

impl RouteLogic for TwoStage {
    fn header_bits(&self, _input: Input) -> u32 {
        self.ccc.address_bits()
    }
    fn injection(&self, _source: Terminal) -> Injection {
        let difference_bits = self.ccc.dimension();
        let plain_bits = self.ccc.address_bits() - difference_bits;
        Injection::plain(DestinationEncoding::new(difference_bits, plain_bits))
    }
    fn select(&self, node: Node, _input: Input, _vc: Vc) -> Select {
        let (_, position) = self.ccc.place(node);
        let n = self.ccc.dimension();
        let here = (position < n).then(|| Rule::bit(position, self.port(self.correcting())));
        let others = (0..n).filter(|bit| *bit != position);
        let others = others.map(|bit| Rule::bit(bit, self.port(Link::Forward)));
        let ends = (0..self.ccc.ring()).filter(|end| *end != position).map(|end| {
            let port = self.port(self.around(position, end));
            Rule::value(self.position_mask(), u64::from(end) << n, port)
        });
        let rules = here.into_iter().chain(others).chain(ends).collect();
        Select::FirstRule { rules, one_hot: false }
    }
    fn carry(&self, node: Node, _input: Input, _vc: Vc, (output, _): (Port, Vc)) -> HeaderUpdate {
        let (_, position) = self.ccc.place(node);
        let all = self.label_mask() | self.position_mask();
        let corrected = self.ccc.port(self.correcting()) == Some(output);
        HeaderUpdate::keeping(if corrected { all & !(1 << position) } else { all })
    }
}

impl TwoStage {
    fn legend(&self) -> Vec<String> {
        let (n, top) = (self.ccc.dimension(), self.ccc.address_bits() - 1);
        vec![
            format!("Header bits per port: {top} to {n}, the destination's position; below, the"),
            { "bits of the ring's label still to be corrected, by number.".to_owned() },
        ]
    }
}

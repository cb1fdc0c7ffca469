//! Every shortest path on meshes and tori: in any dimension in which the packet still has to go.
//!
//! Where both ways around a ring are as short, packets go upward alone: the header says in which
//! direction.

use super::Shortest;
use crate::routing::choice::{ADAPTIVE_VC, Choice, Choices, ChosenWay};
use crate::routing::grid_header::GridHeader;
use crate::routing::{Header, HeaderUpdate, Hop, Input, Output, Vc, low_bits};
use crate::topology::grid::Grid;
use crate::topology::{Node, Port};

/// Every shortest path on one grid.
#[derive(Debug)]
pub struct Shortened {
    headers: GridHeader,
}

impl Shortened {
    /// Shortest paths of a mesh or a torus.
    pub fn new(grid: Grid) -> Self {
        Self { headers: GridHeader::of(grid) }
    }
}

impl Choices for Shortened {
    fn hops(&self, node: Node, input: Input, _vc: Vc, header: Header) -> Vec<Hop> {
        let onward =
            self.headers.order(input).filter_map(|d| self.headers.onward(node, d, input, header));
        let hop = |port| {
            let output = Output::Network(port);
            Hop { output, vc: ADAPTIVE_VC, header: self.headers.after(port, header) }
        };
        onward.map(|direction| hop(direction.port())).collect()
    }
    fn choice(&self, node: Node, input: Input, _vc: Vc) -> Choice {
        let directions =
            self.headers.order(input).flat_map(|d| self.headers.directions(node, d, input));
        let ways = directions.map(|(to, when)| ChosenWay::on(when, to.port()));
        Choice { ways: ways.collect(), all_if: None }
    }
}

impl Shortest for Shortened {
    fn after(&self, output: Port, header: Header) -> Header {
        self.headers.after(output, header)
    }
    fn carry(&self, output: Port) -> HeaderUpdate {
        self.headers.carry(output, low_bits(self.headers.bits()))
    }
}

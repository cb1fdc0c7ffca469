//! Layout of the busses of a fabric, and what follows from it alone.

use crate::extent::Extent;
use crate::flows::BusFlows;
use crate::funnels::Funnels;
use crate::grid::Grid;
use crate::plan::BusPlan;
use std::ops::Range;

/// Busses between the terminals of a fabric, which stand at the points of a grid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Layout {
    /// A bus along each line of the grid: words for all nodes.
    Lines,
    /// One bus of all nodes: words of these flows alone.
    OneBus(BusFlows),
    /// Busses between the levels of a split&hash network. The digits of a sink are its coordinates,
    /// the lowest that along X.
    Leveled(Funnels),
}

impl Layout {
    pub(crate) fn extent(&self, grid: &Grid) -> Extent {
        match self {
            Self::Lines => Extent::of_grid(grid),
            Self::OneBus(flows) => Extent::of_grid(grid).for_flows(flows),
            Self::Leveled(funnels) => Extent::of_funnels(funnels),
        }
    }

    /// The coordinates that are still to be looked at after the bus of this dimension; after the
    /// busses to this level, where there are levels.
    fn left(&self, grid: &Grid, dimension: usize) -> Range<usize> {
        match self {
            Self::Lines | Self::OneBus(_) => dimension + 1..grid.dimensions(),
            // The digits of a sink are looked at from the highest on.
            Self::Leveled(_) => 0..dimension,
        }
    }
}

impl BusPlan {
    /// Flows that the fabric is for; `None` where each terminal may send to every one.
    pub fn flows(&self) -> Option<&BusFlows> {
        match &self.layout {
            Layout::OneBus(flows) => Some(flows),
            Layout::Lines | Layout::Leveled(_) => None,
        }
    }

    /// Nodes of the terminals that send, in the order of their slices of the ports.
    pub fn sources(&self) -> Vec<u32> {
        self.flows().map_or_else(|| (0..self.terminals()).collect(), BusFlows::sources)
    }

    /// Nodes of the terminals that take words, in the order of their slices of the ports.
    pub fn sinks(&self) -> Vec<u32> {
        self.flows().map_or_else(|| (0..self.terminals()).collect(), BusFlows::sinks)
    }

    /// Whether one terminal may send to another.
    pub fn sends_to(&self, source: u32, sink: u32) -> bool {
        self.flows().is_none_or(|flows| flows.has(source, sink))
    }

    /// Whether some words are refused at their source: to addresses without a node, or without a flow.
    pub fn refuses(&self) -> bool {
        self.flows().is_some() || !self.grid.fills_addresses()
    }

    /// Bits of a word on a bus of this dimension, or to this level: the payload, and above it the
    /// coordinates that are still to be looked at. The coordinate along the bus stands beside it: it
    /// is the receiver.
    pub fn word_bits(&self, dimension: usize) -> u32 {
        let left = self.layout.left(&self.grid, dimension);
        self.payload_bits() + left.map(|d| self.grid.coordinate_bits(d)).sum::<u32>()
    }

    /// A name of something that there is for each dimension, or for the busses to each level:
    /// `x_bus`; `bus` where there is one dimension; `to_level1_bus`.
    pub fn along(&self, dimension: usize, what: &str) -> String {
        match self.way(dimension) {
            Some(way) => format!("{way}_{what}"),
            None => what.to_owned(),
        }
    }

    /// Name of the busses of a dimension, or to a level: `x`, `to_level1`; `None` where there is
    /// one dimension.
    pub fn way(&self, dimension: usize) -> Option<String> {
        match self.layout {
            Layout::Lines if self.grid.dimensions() > 1 => {
                Some(self.grid.name(dimension).to_owned())
            }
            Layout::Lines | Layout::OneBus(_) => None,
            Layout::Leveled(_) => Some(format!("to_level{dimension}")),
        }
    }

    /// Whether words of one source to one destination arrive in order. Through funnels each try of a
    /// word may lead to another node, where others wait.
    pub fn keeps_order(&self) -> bool {
        !matches!(self.layout, Layout::Leveled(_)) && self.protocol.kind().keeps_order()
    }
}

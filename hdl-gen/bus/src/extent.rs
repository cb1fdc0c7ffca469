//! Extent of the busses of a fabric: how many, how long, and who meets on them.

use crate::flows::BusFlows;
use crate::funnels::Funnels;
use crate::grid::Grid;

/// Extent of the busses of a fabric.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// Number of busses.
    pub busses: u32,
    /// Most senders and receivers on one bus, a node that is both counted once.
    pub longest_bus: u32,
    /// Most busses at a node.
    pub degree: u32,
    /// Pairs of a sender and a receiver on one bus.
    pub crosspoints: u64,
    /// The most senders whose words can meet at a receiver.
    pub most_meeting: u32,
}

impl Extent {
    pub(crate) fn of_grid(grid: &Grid) -> Self {
        let dimensions = 0..grid.dimensions();
        Self {
            busses: dimensions.map(|dimension| grid.lines(dimension)).sum(),
            longest_bus: grid.longest_bus(),
            degree: grid.dimensions() as u32,
            crosspoints: grid.crosspoints(),
            most_meeting: grid.longest_bus() - 1,
        }
    }

    pub(crate) fn of_funnels(funnels: &Funnels) -> Self {
        let network = funnels.network();
        let levels = 0..network.levels();
        let degrees = (0..=network.levels()).map(|level| network.degree(level));
        Self {
            busses: levels.map(|level| funnels.busses(level).len() as u32).sum(),
            longest_bus: network.most_senders() + network.side(),
            degree: degrees.max().unwrap_or(0),
            crosspoints: funnels.crosspoints(),
            most_meeting: network.most_senders(),
        }
    }

    /// Extent of the same busses for these flows alone.
    pub(crate) fn for_flows(self, flows: &BusFlows) -> Self {
        let crosspoints = flows.pairs().len() as u64;
        Self { crosspoints, most_meeting: flows.most_senders(), ..self }
    }
}

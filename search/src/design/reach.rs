//! Channels that a route of bounded length may take.

use super::question::{Channel, Demand};

/// Channels that the routes of a demand may take: those on paths of at most so many channels more than the
/// distance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reach {
    /// Numbers of the channels, ascending. None where packets leave at the switch where they enter.
    pub channels: Vec<usize>,
    /// Ends of each of these channels, by the places of the switches among those in reach.
    pub(super) ends: Vec<(usize, usize)>,
    /// Number of switches in reach.
    pub(super) switches: usize,
    /// Places of the source's switch and of the destination's.
    pub(super) places: (usize, usize),
    /// Channels of a shortest route.
    pub shortest: u32,
    /// The most channels of a route.
    pub longest: u32,
}

impl Reach {
    /// The reach of a demand, by the distances from each switch to each other (`u32::MAX` where there is no
    /// path); `None` where there is no path.
    pub(super) fn of(
        channels: &[Channel],
        distances: &[Vec<u32>],
        demand: &Demand,
        detour: u32,
    ) -> Option<Self> {
        let (from, to) = (demand.from.0 as usize, demand.to.0 as usize);
        let shortest = Some(distances[from][to]).filter(|&channels| channels != u32::MAX)?;
        let longest = shortest.saturating_add(detour);
        let fits = |channel: &Channel| {
            // A route neither comes back to its source nor goes on from its end.
            let inside = channel.to != demand.from && channel.from != demand.to;
            let before = distances[from][channel.from.0 as usize];
            let behind = distances[channel.to.0 as usize][to];
            inside && before.saturating_add(1).saturating_add(behind) <= longest
        };
        let apart = channels.iter().enumerate().filter(|_| from != to);
        let (numbers, within): (Vec<usize>, Vec<&Channel>) =
            apart.filter(|(_, channel)| fits(channel)).unzip();
        let mut nodes: Vec<u32> = within.iter().flat_map(|c| [c.from.0, c.to.0]).collect();
        nodes.extend([demand.from.0, demand.to.0]);
        nodes.sort_unstable();
        nodes.dedup();
        let place = |node: u32| nodes.binary_search(&node).expect("a switch in reach");
        Some(Self {
            channels: numbers,
            ends: within.iter().map(|c| (place(c.from.0), place(c.to.0))).collect(),
            switches: nodes.len(),
            places: (place(demand.from.0), place(demand.to.0)),
            shortest,
            longest,
        })
    }
}

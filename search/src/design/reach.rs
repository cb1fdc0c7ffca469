//! Channels that a route of bounded length may take.

use super::question::{Channel, Demand};
use std::collections::VecDeque;

/// Channels that the routes of a demand may take: those on paths of at most [`Reach::longest`] channels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reach {
    /// Numbers of the channels, ascending. None where packets leave at the switch where they enter.
    pub channels: Vec<usize>,
    /// Channels of a shortest route.
    pub shortest: u32,
    /// The most channels of a route.
    pub longest: u32,
}

impl Reach {
    /// The reach of a demand; `None` where there is no path.
    pub(super) fn of(
        channels: &[Channel],
        nodes: u32,
        demand: &Demand,
        detour: u32,
    ) -> Option<Self> {
        if demand.from == demand.to {
            return Some(Self { channels: Vec::new(), shortest: 0, longest: 0 });
        }
        let forward = distances(nodes, demand.from.0, channels.iter().map(|c| (c.from.0, c.to.0)));
        let back = distances(nodes, demand.to.0, channels.iter().map(|c| (c.to.0, c.from.0)));
        let shortest = forward[demand.to.0 as usize]?;
        let longest = shortest.saturating_add(detour);
        let fits = |channel: &Channel| {
            let (before, behind) = (forward[channel.from.0 as usize], back[channel.to.0 as usize]);
            // A route neither comes back to its source nor goes on from its end.
            let inside = channel.to != demand.from && channel.from != demand.to;
            inside && before.zip(behind).is_some_and(|(a, b)| a + 1 + b <= longest)
        };
        let numbers = channels.iter().enumerate().filter(|(_, channel)| fits(channel));
        Some(Self { channels: numbers.map(|(number, _)| number).collect(), shortest, longest })
    }
}

/// Number of channels from a node to each other; `None` where there is no path.
fn distances(
    nodes: u32,
    from: u32,
    channels: impl Iterator<Item = (u32, u32)>,
) -> Vec<Option<u32>> {
    let mut after = vec![Vec::new(); nodes as usize];
    channels.for_each(|(from, to)| after[from as usize].push(to));
    let mut distance = vec![None; nodes as usize];
    distance[from as usize] = Some(0);
    let mut open = VecDeque::from([(from, 0)]);
    while let Some((at, steps)) = open.pop_front() {
        for &to in &after[at as usize] {
            if distance[to as usize].is_none() {
                distance[to as usize] = Some(steps + 1);
                open.push_back((to, steps + 1));
            }
        }
    }
    distance
}

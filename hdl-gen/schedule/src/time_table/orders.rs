//! First fit: one word after another, each in the first slot in which its whole way is free.

use super::occupancy::Occupancy;
use super::{Flow, Flows, TimeTable};
use std::cmp::Reverse;

/// Order in which flows are placed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    /// Flows with the busiest channel first.
    Busiest,
    /// Flows with the longest route first.
    Longest,
    /// Flows as they are given.
    Given,
}

impl Order {
    pub const ALL: [Self; 3] = [Self::Busiest, Self::Longest, Self::Given];

    fn of(self, flows: &Flows) -> Vec<usize> {
        let list = flows.list();
        let load = |&channel: &u32| flows.loads()[channel as usize];
        let busiest = |at: usize| list[at].route.iter().map(load).max();
        let all = |at: usize| list[at].route.iter().map(|c| u64::from(load(c))).sum::<u64>();
        let length = |at: usize| list[at].route.len();
        let mut order: Vec<usize> = (0..list.len()).collect();
        match self {
            Self::Busiest => order.sort_by_cached_key(|&at| Reverse((busiest(at), all(at)))),
            Self::Longest => order.sort_by_cached_key(|&at| Reverse((length(at), busiest(at)))),
            Self::Given => {}
        }
        order
    }
}

/// A table of this frame; `None` where a word finds no slot. No flow [meets
/// itself](Flows::meets_itself) in the frame.
pub(super) fn first_fit(flows: &Flows, frame: u32, order: Order) -> Option<TimeTable> {
    let mut occupancy = Occupancy::new(flows.channels(), frame);
    let mut starts = vec![Vec::new(); flows.list().len()];
    for at in order.of(flows) {
        let Flow { route, words } = &flows.list()[at];
        let mut from = 0;
        for _ in 0..*words {
            // What was taken stays taken: no slot before the last start is free.
            from = occupancy.free(route, from)?;
            occupancy.take(route, from);
            starts[at].push(from);
        }
    }
    Some(TimeTable { frame, starts })
}

//! Saturation throughput of a bus fabric: every terminal always has a word to send.

use super::fabric::FabricModel;
use super::{Offer, Word};
use crate::traffic::random::Random;
use turnpike_bus::BusFlows;

/// Words that arrive per terminal that sends and cycle (two cycles are a slot) of a fabric after its reset,
/// each of its `nodes` terminals offering one in each cycle to a sink that is drawn evenly: of all, its own
/// included, or of those that it has `flows` to. Of `cycles` cycles after as many.
pub fn throughput(
    mut model: FabricModel,
    nodes: u32,
    flows: Option<&BusFlows>,
    seed: u64,
    cycles: u64,
) -> f64 {
    // A stream of its own: words do not depend on what senders draw.
    let mut random = Random::new(seed ^ u64::from_be_bytes(*b"saturate"));
    let sinks = flows.map(|flows| {
        let mut sinks = vec![Vec::new(); nodes as usize];
        flows.pairs().iter().for_each(|&(source, sink)| sinks[source as usize].push(sink));
        sinks
    });
    let sends = |node: &u32| sinks.as_ref().is_none_or(|sinks| !sinks[*node as usize].is_empty());
    let senders: Vec<u32> = (0..nodes).filter(sends).collect();
    let mut number = 0;
    let mut word = |source: u32| {
        number += 1;
        let destination = match &sinks {
            None => random.below(nodes),
            Some(sinks) => {
                let own = &sinks[source as usize];
                own[random.below(own.len() as u32) as usize]
            }
        };
        Some(Offer::Word(Word { source, destination, number }))
    };
    let mut offers: Vec<Option<Offer>> = vec![None; nodes as usize];
    senders.iter().for_each(|&node| offers[node as usize] = word(node));
    let takes = vec![true; nodes as usize];
    let mut arrived = 0u64;
    for cycle in 0..2 * cycles {
        if cycle >= cycles {
            arrived += (0..nodes).filter(|&node| model.offered(node).is_some()).count() as u64;
        }
        let ready: Vec<u32> = senders.iter().copied().filter(|&node| model.ready(node)).collect();
        model.clock(&offers, &takes);
        ready.into_iter().for_each(|node| offers[node as usize] = word(node));
    }
    arrived as f64 / (cycles * senders.len() as u64) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bus::Model;
    use crate::bus::leveled::Leveled;
    use crate::bus::one_bus::OneBus;
    use turnpike_bus::protocol::{Backoff, Window};
    use turnpike_bus::{Funnels, Grid, Protocol, SplitHash};

    fn of_grid(grid: &Grid, protocol: Protocol, depth: usize, cycles: u64) -> f64 {
        let model = FabricModel::Grid(Model::of(grid, protocol, depth, 1));
        throughput(model, grid.nodes(), None, 1, cycles)
    }

    /// Funnels of one place for each function: to a place comes, in its function's slot, the word of
    /// one of N senders. Each sends with probability p, to any of k parts: to each of the k nodes of
    /// the place there comes a word with probability N p/k (1 - p/k)^(N-1).
    #[test]
    fn funnels_of_full_windows_as_computed() {
        let network = SplitHash::new(4, 2, 2).unwrap();
        let window = Protocol::Window(Window::new(64).unwrap());
        let grid = Grid::new(&[4, 4]).unwrap();
        let model = Leveled::of(&Funnels::new(network, 1), &grid, window, 64, 1);
        let found = throughput(FabricModel::Leveled(model), 16, None, 1, 200_000);
        let to_it = 1.0 / 64.0 / 4.0;
        let parts = 4.0 * 16.0 * to_it * f64::powi(1.0 - to_it, 15);
        // Of 16 terminals; a slot is two cycles. Nodes below meet three others, and get on more often:
        // queues of 64 words nearly always have room.
        let expected = parts / 2.0 / 16.0;
        assert!((found / expected - 1.0).abs() < 0.03, "{found} {expected}");
    }

    /// N nodes that all send with probability 1/N, each to any other: a word comes to a node in a
    /// slot with probability (N-1) p (1-p)^(N-2), p = 1/(N (N-1)), as far as queues are full. A
    /// word from a node to itself comes without a bus.
    #[test]
    fn a_bus_of_full_windows_as_computed() {
        let grid = Grid::new(&[16]).unwrap();
        let window = Protocol::Window(Window::new(16).unwrap());
        let found = of_grid(&grid, window, 4, 200_000);
        let sends: f64 = 1.0 / 16.0;
        let to_it = sends / 15.0;
        let slots = 15.0 * to_it * (1.0 - to_it).powi(14);
        // Of 16 words 15 take the bus.
        let expected = slots / 2.0 * 16.0 / 15.0;
        assert!((found / expected - 1.0).abs() < 0.02, "{found} {expected}");
    }

    /// Two nodes never collide, as each sends to the other: a word in each slot, and half of all
    /// words stay where they are.
    #[test]
    fn two_nodes_by_backoff() {
        let grid = Grid::new(&[2]).unwrap();
        let backoff = Protocol::Backoff(Backoff::new(10).unwrap());
        let found = of_grid(&grid, backoff, 16, 20_000);
        // The sink takes a word in each slot, from the bus or from its own source.
        assert!((0.4..=0.5).contains(&found), "{found}");
    }

    /// Flows that share no sink never collide: each has a word in each slot. Two to one sink share its slots,
    /// and lose those in which both send.
    #[test]
    fn flows_meet_at_their_sinks_alone() {
        let grid = Grid::new(&[6]).unwrap();
        let backoff = Protocol::Backoff(Backoff::new(10).unwrap());
        let of = |pairs: &[(u32, u32)]| {
            let flows = BusFlows::new(pairs.iter().copied(), String::new());
            let model = FabricModel::OneBus(OneBus::of(&grid, &flows, backoff, 16, 1));
            throughput(model, 6, Some(&flows), 1, 20_000)
        };
        assert_eq!(of(&[(0, 1)]), 0.5);
        assert_eq!(of(&[(0, 1), (2, 3), (5, 4)]), 0.5);
        let shared = of(&[(0, 2), (1, 2)]);
        assert!((0.1..0.25).contains(&shared), "{shared}");
    }
}

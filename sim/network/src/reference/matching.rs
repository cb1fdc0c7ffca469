//! Two ways to give the outputs of a switch to packets that have a choice.

use super::arbiter::first_after;
use crate::terminals::Bits;

/// A head that asks: its queue, and the (output, VC)s that it may take, as bits.
pub(super) type Asking = (u8, u64);
/// A queue and the (output, VC) that it gets.
pub(super) type Given = (u8, u8);

/// The RTL's allocator, in one round: each (output, VC) that is asked for proposes itself to one
/// of those that ask, the first one after `owner`, whom it proposed itself to last; each head
/// takes the proposal that is first in `liked` of its queue, or else the lowest.
pub(super) fn propose(heads: &[Asking], liked: &[Vec<u8>], owner: &mut [u8]) -> Vec<Given> {
    let mut by_lane = [0u64; 64];
    let mut asked = 0;
    for &(queue, asks) in heads {
        asked |= asks;
        Bits(asks).for_each(|lane| by_lane[lane as usize] |= 1 << queue);
    }
    let mut proposals = [0u64; 64];
    for lane in Bits(asked) {
        let lane = lane as usize;
        let queue = first_after(by_lane[lane], u32::from(owner[lane]));
        owner[lane] = queue as u8;
        proposals[queue as usize] |= 1 << lane;
    }
    let take = |&(queue, _): &Asking| {
        let proposed = proposals[usize::from(queue)];
        let mut by_liking = liked[usize::from(queue)].iter().copied();
        let best = by_liking.find(|&lane| proposed >> lane & 1 == 1);
        let best = best.or((proposed != 0).then(|| proposed.trailing_zeros() as u8));
        best.map(|lane| (queue, lane))
    };
    heads.iter().filter_map(take).collect()
}

/// A maximum matching: no more heads could get an (output, VC) each. Heads that come first are
/// never left out for the sake of later ones (each is matched by an augmenting path if there is
/// one, and stays matched).
pub(super) fn maximum(heads: &[Asking], liked: &[Vec<u8>]) -> Vec<Given> {
    // By (output, VC): the head that it goes to, an index into `heads`.
    let mut goes_to = [None; 64];
    for head in 0..heads.len() {
        let mut seen = 0;
        augment(head, heads, liked, &mut goes_to, &mut seen);
    }
    let given = goes_to.iter().enumerate();
    given.filter_map(|(lane, head)| Some((heads[(*head)?].0, lane as u8))).collect()
}

fn augment(
    head: usize,
    heads: &[Asking],
    liked: &[Vec<u8>],
    goes_to: &mut [Option<usize>; 64],
    seen: &mut u64,
) -> bool {
    let (queue, asks) = heads[head];
    let by_liking = liked[usize::from(queue)].iter().copied();
    let by_liking = by_liking.filter(|&lane| asks >> lane & 1 == 1);
    for lane in by_liking.chain(Bits(asks).map(|lane| lane as u8)) {
        if *seen >> lane & 1 == 1 {
            continue;
        }
        *seen |= 1 << lane;
        let free = match goes_to[usize::from(lane)] {
            None => true,
            Some(other) => augment(other, heads, liked, goes_to, seen),
        };
        if free {
            goes_to[usize::from(lane)] = Some(head);
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traffic::random::Random;
    use petgraph::algo::maximum_matching;
    use petgraph::graph::UnGraph;
    use std::collections::BTreeSet;

    /// The maximum is that of petgraph, whatever the heads ask for; nobody who comes first is left
    /// out; the RTL's is a matching, and no larger.
    #[test]
    fn matchings_are_matchings_and_the_maximum_is_one() {
        let mut random = Random::new(1);
        let liked = vec![vec![2, 0, 1], vec![], vec![5], vec![1, 3], vec![], vec![0]];
        for _ in 0..2_000 {
            let mut ask = |queue| (queue, u64::from(random.below(64) & random.below(64)));
            let heads: Vec<(u8, u64)> = (0..6).map(&mut ask).filter(|head| head.1 != 0).collect();
            let mut graph = UnGraph::<(), ()>::new_undirected();
            let nodes: Vec<_> = (0..12).map(|_| graph.add_node(())).collect();
            for &(queue, asks) in &heads {
                for lane in Bits(asks) {
                    graph.add_edge(nodes[usize::from(queue)], nodes[6 + lane as usize], ());
                }
            }
            let most = maximum(&heads, &liked);
            assert_eq!(most.len(), maximum_matching(&graph).len());
            if let Some(first) = heads.first() {
                assert!(most.iter().any(|given| given.0 == first.0), "the first head is served");
            }
            let mut owner = vec![5; 64];
            let rtl = propose(&heads, &liked, &mut owner);
            assert!(rtl.len() <= most.len() && rtl.is_empty() == heads.is_empty());
            for given in [&most, &rtl] {
                let lanes: BTreeSet<u8> = given.iter().map(|(_, lane)| *lane).collect();
                let queues: BTreeSet<u8> = given.iter().map(|(queue, _)| *queue).collect();
                assert_eq!((lanes.len(), queues.len()), (given.len(), given.len()));
                let asked = |(queue, lane): &(u8, u8)| {
                    heads.iter().any(|(q, asks)| q == queue && asks >> lane & 1 == 1)
                };
                assert!(given.iter().all(asked));
            }
        }
    }
}

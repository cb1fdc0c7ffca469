//! Two ways to give the outputs of a switch to packets that have a choice.

use super::recency::Recency;
use crate::terminals::Bits;

/// A head that asks: its queue, and the (output, VC)s that it may take, as bits.
pub(super) type Asking = (u8, u64);
/// A queue and the (output, VC) that it gets.
pub(super) type Given = (u8, u8);

/// Memory of an adaptive switch from cycle to cycle, beside the holders of its channels.
pub(super) struct Memory<'a> {
    /// By (output, VC): what its [`Recency`] keeps.
    pub grants: &'a mut [u16],
    /// Numbers that are kept for each.
    pub numbers: usize,
    /// By queue: whether it picks from the last of its ways on; turned by each loss.
    pub from_last: &'a mut [bool],
    /// By queue: of the (output, VC)s that it takes in turn the last one that it took, or [`super::layout::NONE`].
    pub taken: &'a mut [u8],
    /// By queue: how often its head lost, up to what it gives way.
    pub waited: &'a mut [u8],
}

impl Memory<'_> {
    #[inline(always)]
    fn recency(&mut self, lane: u32) -> Option<Recency<'_>> {
        Recency::of(&mut self.grants[lane as usize * self.numbers..][..self.numbers])
    }

    /// A queue gets an (output, VC).
    #[inline(always)]
    fn took(&mut self, liked: &[Liked], queue: u8, lane: u8) {
        if liked[usize::from(queue)].in_turn >> lane & 1 == 1 {
            self.taken[usize::from(queue)] = lane;
        }
    }
}

/// The (output, VC)s that a queue may send to, in the order in which it picks them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Liked {
    lanes: Vec<u8>,
    /// (Output, VC)s of the list as bits, where they ascend; else none.
    ascending: u64,
    /// The (output, VC)s that the queue takes in turn, as bits: the first of the list.
    in_turn: u64,
}

impl Liked {
    pub fn new(lanes: Vec<u8>) -> Self {
        let bits = lanes.iter().fold(0, |bits, lane| bits | 1 << lane);
        Self { ascending: if lanes.is_sorted() { bits } else { 0 }, lanes, in_turn: 0 }
    }

    /// The order, where so many of the first are taken in turn.
    pub fn in_turn(self, count: usize) -> Self {
        let first = self.lanes.iter().take(count);
        Self { in_turn: first.fold(0, |bits, lane| bits | 1 << lane), ..self }
    }

    /// Pick of a head among the (output, VC)s in `asks`: of those in turn the next behind `taken`;
    /// else the first or the last one that it likes; another one only where it likes none of them.
    #[inline(always)]
    fn pick(&self, asks: u64, from_last: bool, taken: u8) -> Option<u8> {
        if self.in_turn != 0 {
            return self.pick_in_turn(asks, taken);
        }
        let liked = asks & self.ascending;
        if liked != 0 {
            let last = 63 - liked.leading_zeros();
            return Some(if from_last { last } else { liked.trailing_zeros() } as u8);
        }
        let mut ways = self.lanes.iter().copied().filter(|&lane| asks >> lane & 1 == 1);
        let best = if from_last { ways.next_back() } else { ways.next() };
        best.or((asks != 0).then(|| asks.trailing_zeros() as u8))
    }
}

impl Liked {
    fn pick_in_turn(&self, asks: u64, taken: u8) -> Option<u8> {
        let open = |lane: &u8| asks >> lane & 1 == 1;
        let (turning, others) = self.lanes.split_at(self.in_turn.count_ones() as usize);
        let behind = turning.iter().position(|&lane| lane == taken).map_or(0, |at| at + 1);
        let (before, behind) = turning.split_at(behind);
        let lanes = behind.iter().chain(before).chain(others).copied().find(open);
        lanes.or((asks != 0).then(|| asks.trailing_zeros() as u8))
    }
}

/// The RTL's allocator. In the first of two rounds each head picks one of its (output, VC)s, and
/// each (output, VC) goes to whoever it was granted to longest ago. In the second those that lost
/// pick among the (output, VC)s that nobody has picked. A head picks of those in `liked` of its
/// queue, the first or the last one in turn.
/// A queue that `gives_way` so many times does so to all others that compete. Adds what each gets to
/// `given`.
pub(super) fn separable(
    heads: &[Asking],
    liked: &[Liked],
    gives_way: &[u8],
    memory: &mut Memory<'_>,
    given: &mut Vec<Given>,
) {
    match *heads {
        [head] => alone(head, liked, memory, given),
        _ => two_rounds(heads, liked, gives_way, memory, given),
    }
}

/// Grants of a single head that asks: it gets what it picks.
#[inline]
fn alone((queue, asks): Asking, liked: &[Liked], memory: &mut Memory<'_>, given: &mut Vec<Given>) {
    let from_last = memory.from_last[usize::from(queue)];
    let taken = memory.taken[usize::from(queue)];
    if let Some(lane) = liked[usize::from(queue)].pick(asks, from_last, taken)
        && let Some(mut recency) = memory.recency(lane.into())
    {
        given.push((recency.grant(1 << queue), lane));
        memory.took(liked, queue, lane);
        memory.waited[usize::from(queue)] = 0;
    }
}

fn two_rounds(
    heads: &[Asking],
    liked: &[Liked],
    gives_way: &[u8],
    memory: &mut Memory<'_>,
    given: &mut Vec<Given>,
) {
    // Who asks for an (output, VC), where `asked` says that somebody does.
    let mut by_lane = [0u64; 64];
    let (mut left, mut picked) = (u64::MAX, 0u64);
    for _ in 0..2 {
        let mut asked = 0u64;
        for &(queue, asks) in heads.iter().filter(|head| left >> head.0 & 1 == 1) {
            let from_last = memory.from_last[usize::from(queue)];
            let taken = memory.taken[usize::from(queue)];
            if let Some(lane) = liked[usize::from(queue)].pick(asks & !picked, from_last, taken) {
                let others = by_lane[usize::from(lane) % 64];
                let others = if asked >> lane & 1 == 1 { others } else { 0 };
                by_lane[usize::from(lane) % 64] = others | 1 << queue;
                asked |= 1 << lane;
            }
        }
        for lane in Bits(asked) {
            let asking = by_lane[lane as usize % 64];
            let competes =
                |&queue: &u32| memory.waited[queue as usize] >= gives_way[queue as usize];
            let competing = match asking & (asking - 1) {
                0 => 0,
                _ => Bits(asking).filter(competes).fold(0, |mask, queue| mask | 1 << queue),
            };
            let asking = if competing == 0 { asking } else { competing };
            if let Some(mut recency) = memory.recency(lane) {
                let queue = recency.grant(asking);
                left &= !(1 << queue);
                memory.took(liked, queue, lane as u8);
                given.push((queue, lane as u8));
            }
        }
        if given.len() == heads.len() {
            break;
        }
        picked |= asked;
    }
    for queue in heads.iter().map(|head| usize::from(head.0)) {
        let lost = left >> queue & 1 == 1;
        memory.from_last[queue] ^= lost;
        let waited = &mut memory.waited[queue];
        *waited = if lost { gives_way[queue].min(*waited + 1) } else { 0 };
    }
}

/// A maximum matching: no more heads could get an (output, VC) each. Heads that come first are
/// never left out for the sake of later ones (each is matched by an augmenting path if there is
/// one, and stays matched).
pub(super) fn maximum(heads: &[Asking], liked: &[Liked]) -> Vec<Given> {
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
    liked: &[Liked],
    goes_to: &mut [Option<usize>; 64],
    seen: &mut u64,
) -> bool {
    let (queue, asks) = heads[head];
    let by_liking = liked[usize::from(queue)].lanes.iter().copied();
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
    use crate::reference::layout::NONE;
    use crate::traffic::random::Random;
    use petgraph::algo::maximum_matching;
    use petgraph::graph::UnGraph;
    use std::collections::BTreeSet;

    /// Memory of 64 (output, VC)s and 6 queues without a grant.
    fn no_grants() -> Vec<u16> {
        let mut grants = vec![0; 64 * Recency::numbers(6)];
        let each = grants.chunks_mut(Recency::numbers(6)).filter_map(Recency::of);
        each.for_each(|mut recency| recency.reset());
        grants
    }

    /// A pick is the first or the last one liked in a list, of lists in any order.
    #[test]
    fn a_pick_is_that_of_a_list() {
        for lanes in [vec![], vec![5], vec![0, 1, 2], vec![2, 0, 1], vec![1, 3, 63]] {
            let liked = Liked::new(lanes.clone());
            for asks in (0..64u64).chain([1 << 63, 1 << 63 | 2]) {
                let mut ways = lanes.iter().copied().filter(|lane| asks >> lane & 1 == 1);
                let any = (asks != 0).then(|| asks.trailing_zeros() as u8);
                assert_eq!(liked.pick(asks, false, NONE), ways.clone().next().or(any));
                assert_eq!(liked.pick(asks, true, NONE), ways.next_back().or(any));
            }
        }
    }

    /// Ways in turn are picked in turn: a head picks the next open one behind the last one taken,
    /// around; others only where none of those is open.
    #[test]
    fn ways_in_turn_are_picked_in_turn() {
        let liked = Liked::new(vec![4, 2, 7, 1]).in_turn(3);
        let pick = |lanes: &[u8], taken| {
            liked.pick(lanes.iter().fold(0, |asks, lane| asks | 1 << lane), true, taken)
        };
        for (open, taken, picked) in [
            (&[1, 2, 4, 7][..], NONE, 4),
            (&[1, 2, 4, 7], 4, 2),
            (&[1, 2, 4, 7], 2, 7),
            (&[1, 2, 4, 7], 7, 4),
            (&[2, 4], 2, 4),
            (&[2], 2, 2),
            (&[1, 3], 2, 1),
            (&[3], 2, 3),
        ] {
            assert_eq!(pick(open, taken), Some(picked), "{open:?} {taken}");
        }
        assert_eq!(pick(&[], 2), None);
    }

    /// The maximum is that of petgraph, whatever the heads ask for; nobody who comes first is left
    /// out; the RTL's is a matching, and no larger.
    #[test]
    fn matchings_are_matchings_and_the_maximum_is_one() {
        let mut random = Random::new(1);
        let mut grants = no_grants();
        let (mut from_last, mut waited, mut taken) = ([false; 6], [0; 6], [NONE; 6]);
        let liked = [vec![2, 0, 1], vec![], vec![5], vec![1, 3], vec![], vec![0]].map(Liked::new);
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
            let mut memory = Memory {
                grants: &mut grants,
                numbers: Recency::numbers(6),
                from_last: &mut from_last,
                taken: &mut taken,
                waited: &mut waited,
            };
            let mut rtl = Vec::new();
            separable(&heads, &liked, &[0, 0, 3, 0, 3, 0], &mut memory, &mut rtl);
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

    /// One head, after any others: the same is given, and remembered.
    #[test]
    fn who_is_alone_gets_what_two_rounds_give() {
        let mut random = Random::new(5);
        let mut liked =
            [vec![2, 0, 1], vec![], vec![5], vec![1, 3], vec![], vec![0]].map(Liked::new);
        liked[0] = liked[0].clone().in_turn(3);
        let gives_way = [0, 0, 3, 0, 3, 0];
        let (mut grants, mut from_last, mut waited) = (no_grants(), [false; 6], [0; 6]);
        let mut taken = [NONE; 6];
        for step in 0..4_000 {
            let mut ask = |queue| (queue, u64::from(random.below(64) & random.below(64)));
            let mut heads: Vec<Asking> = (0..6).map(&mut ask).filter(|head| head.1 != 0).collect();
            heads.truncate(if step % 2 == 0 { 1 } else { 6 });
            let (mut others, mut last, mut waits) = (grants.clone(), from_last, waited);
            let mut turns = taken;
            let memory = |grants, from_last, waited, taken| Memory {
                grants,
                numbers: Recency::numbers(6),
                from_last,
                taken,
                waited,
            };
            let [mut one, mut two] = [vec![], vec![]];
            let mut kept =
                memory(&mut grants[..], &mut from_last[..], &mut waited[..], &mut taken[..]);
            separable(&heads, &liked, &gives_way, &mut kept, &mut one);
            let mut kept = memory(&mut others[..], &mut last[..], &mut waits[..], &mut turns[..]);
            two_rounds(&heads, &liked, &gives_way, &mut kept, &mut two);
            assert_eq!((one, &grants, from_last, waited), (two, &others, last, waits));
            assert_eq!(taken, turns);
        }
    }

    /// To each other queue that feeds a way a head loses there once at most, and one that gives way
    /// 3 times loses twice more, whatever is open and whoever asks.
    #[test]
    fn nobody_loses_more_often_than_the_bound_says() {
        let ways: [u64; 6] = [0b000_111, 0b000_110, 0b001_101, 0b011_001, 0b110_000, 0b100_011];
        let feeding = |lane: u32| ways.iter().filter(|&&ways| ways >> lane & 1 == 1).count() as u32;
        let gives_way = [0, 0, 3, 0, 0, 3];
        let bound = |queue: usize| {
            let losses: u32 = Bits(ways[queue]).map(|lane| feeding(lane) - 1).sum();
            losses + u32::from(gives_way[queue]).saturating_sub(1)
        };
        let mut grants = no_grants();
        let (mut from_last, mut waited, mut taken) = ([false; 6], [0; 6], [NONE; 6]);
        let mut liked = vec![Liked::default(); 6];
        liked[3] = Liked::new(vec![3, 0, 4]).in_turn(3);
        let (mut random, mut losses, mut most) = (Random::new(3), [0; 6], 0);
        for _ in 0..50_000 {
            let open = u64::from(random.below(64) & random.below(64));
            let asks = |queue: u8| (queue, ways[usize::from(queue)] & open);
            let mut heads: Vec<(u8, u64)> = (0..6).map(asks).filter(|head| head.1 != 0).collect();
            heads.retain(|_| random.below(8) > 0);
            let mut memory = Memory {
                grants: &mut grants,
                numbers: Recency::numbers(6),
                from_last: &mut from_last,
                taken: &mut taken,
                waited: &mut waited,
            };
            let mut given = Vec::new();
            separable(&heads, &liked, &gives_way, &mut memory, &mut given);
            for queue in heads.iter().map(|head| usize::from(head.0)) {
                let served = given.iter().any(|given| usize::from(given.0) == queue);
                losses[queue] = if served { 0 } else { losses[queue] + 1 };
                assert!(losses[queue] <= bound(queue), "{queue}: {losses:?}");
                most = most.max(losses[queue]);
            }
        }
        assert!(most > 3, "{most}: hardly anyone ever waits");
    }
}

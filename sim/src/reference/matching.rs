//! Two ways to give the outputs of a switch to packets that have a choice.

use super::cycle::first_after;
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

//! Even loads under bounds on turns: from a relation that keeps those on turns, two changes at a
//! time, and never one that breaks them.
//!
//! A packet that crosses two dimensions in the other order takes a route off two channels and puts it
//! on two others. Where all loads but a few are right, that spoils three or four, and single changes
//! come no further. So a change that spoils loads is made together with a second one, among those that
//! mend what the first one spoiled, and both are taken or neither.

use super::options::Options;
use super::state::State;
use super::{anywhere, draw_chance, nth_bit};
use crate::solver::Limits;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

/// Temperatures at the first and at the last pair, in squares of loads.
const TEMPERATURES: (f64, f64) = (0.55, 0.3);
/// Cost that a first change may add beyond what the two may: that of four channels one off.
const SPOILED: f64 = 4.0;
/// Pairs between two looks at the clock.
const PAIRS_AT_ONCE: u64 = 1024;

/// A change of a hop: node, destination, the new dimension.
type Change = (u32, u32, u32);

/// Changes pairs of hops until all bounds of the state hold or as many pairs are drawn; whether they
/// hold.
pub fn search(
    state: &mut State,
    options: &Options,
    random: &mut ChaCha8Rng,
    pairs: u64,
    limits: &Limits,
) -> bool {
    let (first, last) = TEMPERATURES;
    let mut changes = Vec::new();
    for drawn in 0..pairs {
        if state.is_answer() || drawn % PAIRS_AT_ONCE == 0 && limits.are_reached() {
            break;
        }
        let temperature = first * (last / first).powf(drawn as f64 / pairs as f64);
        let most = -temperature * draw_chance(random).ln();
        attempt(state, options, random, most, &mut changes);
    }
    state.is_answer()
}

/// One change, and a second one where it needs one, if they cost at most `most` more together.
fn attempt(
    state: &mut State,
    options: &Options,
    random: &mut ChaCha8Rng,
    most: f64,
    changes: &mut Vec<Change>,
) {
    let before = state.cost();
    let Some((at, to, port)) = first(state, options, random, changes) else { return };
    let old = state.next(at, to);
    state.attempt(at, to, port, most + SPOILED);
    if state.next(at, to) == old || state.cost() < before {
        return;
    }
    let left = most - (state.cost() - before) as f64;
    changes.clear();
    for channel in state.uneven_by_last().collect::<Vec<_>>() {
        helping(state, options, channel, changes);
    }
    changes.retain(|&(node, end, p)| {
        (node, end) != (at, to) && state.cost_of(node, end, p, left) as f64 <= left
    });
    if let Some(&(node, end, p)) = drawn_of(changes, random) {
        state.attempt(node, end, p, left);
    } else if left < 0.0 {
        state.attempt(at, to, old, f64::INFINITY);
    }
}

/// A change that helps some channel whose load is not right; every other time, any.
fn first(
    state: &State,
    options: &Options,
    random: &mut ChaCha8Rng,
    changes: &mut Vec<Change>,
) -> Option<Change> {
    if random.next_u32() & 1 == 0 {
        return Some(anywhere(state, options, random));
    }
    changes.clear();
    let &channel = drawn_of(state.all_uneven(), random)?;
    helping(state, options, channel, changes);
    drawn_of(changes, random).copied()
}

/// Element of a list, drawn; `None` of an empty one.
fn drawn_of<'a, T>(list: &'a [T], random: &mut ChaCha8Rng) -> Option<&'a T> {
    list.get((random.next_u32() as usize).checked_rem(list.len())?)
}

/// Adds the changes that take a route off a channel with too many, or put one on a channel with too
/// few, at its first hop or its second.
fn helping(state: &State, options: &Options, channel: usize, changes: &mut Vec<Change>) {
    let k = options.dimension();
    let (node, port) = (channel as u32 / k, channel as u32 % k);
    let too_many = state.has_too_many(channel);
    // The hop at `at` for `to`, to or from `p`.
    let mut change = |at: u32, to: u32, p: u32| {
        let choice = options.of(at, to);
        if choice & 1 << p == 0 || too_many != (state.next(at, to) == p) {
            return;
        }
        match too_many {
            true => {
                let others = choice & !(1 << p);
                let nth = |nth| (at, to, nth_bit(others, nth));
                changes.extend((0..others.count_ones()).map(nth));
            }
            false => changes.push((at, to, p)),
        }
    };
    for to in 0..options.nodes() {
        if options.of(node, to) & 1 << port == 0 {
            continue;
        }
        change(node, to, port);
        if state.next(node, to) == port {
            (0..k).for_each(|p| change(node ^ 1 << p, to, p));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::{Balanced, Failures, Measure, Question};

    fn even(imbalance: u32) -> Question {
        let balanced = Some(Balanced::Total);
        Question { failures: Failures::Regenerated, balanced, ..Question::new(4) }
            .with(Measure::FanOut, 2)
            .with(Measure::Imbalance, imbalance)
    }

    /// Each change that is called helping moves the load of the channel the right way.
    #[test]
    fn changes_help_the_channel() {
        let options = Options::new(4, &[0].into()).unwrap();
        let mut state = State::new(&even(0), &options);
        let mut seen = [0, 0];
        for channel in state.all_uneven().to_vec() {
            let mut changes = Vec::new();
            helping(&state, &options, channel, &mut changes);
            let before = (state.has_too_many(channel), state.load(channel));
            for (at, to, port) in changes {
                let old = state.next(at, to);
                assert_ne!(old, port);
                state.attempt(at, to, port, f64::INFINITY);
                let after = state.load(channel);
                assert!(if before.0 { after < before.1 } else { after > before.1 });
                state.attempt(at, to, old, f64::INFINITY);
                seen[usize::from(before.0)] += 1;
            }
            assert_eq!(state.load(channel), before.1);
        }
        assert!(seen.iter().all(|&changes| changes > 20), "{seen:?}");
    }
}

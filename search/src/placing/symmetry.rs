//! Places that a symmetry of the network maps to each other: where one was tried, the others need not be.

use super::bound::Partial;
use super::question::Question;
use std::collections::{BTreeMap, BTreeSet};

/// Steps after which the search for symmetries gives up: places count as different then.
const MOST_STEPS: usize = 100_000;

/// Free places where a terminal may be, one of each kind: any other is mapped to one of them by a map of the
/// places to each other that keeps all numbers of channels, what terminals may be where, and the terminals that
/// are placed.
pub(super) fn representatives(
    question: &Question,
    placed: &Partial,
    terminal: usize,
) -> Vec<usize> {
    let mut fixed = vec![false; question.places()];
    placed.iter().flatten().for_each(|&place| fixed[usize::from(place)] = true);
    let left: Vec<usize> = (0..placed.len()).filter(|&at| placed[at].is_none()).collect();
    let colours = colours(question, &fixed, &left);
    let mut symmetry = Symmetry { question, colours, steps: MOST_STEPS };
    let mut kept: Vec<usize> = Vec::new();
    let free = (0..fixed.len()).filter(|&place| !fixed[place]);
    for place in free.filter(|&place| question.is_allowed(terminal, place)) {
        if !kept.iter().any(|&other| symmetry.maps(other, place)) {
            kept.push(place);
        }
    }
    kept
}

/// Places by colour: two of different colours are not mapped to each other. They begin with what tells places apart
/// by themselves, and are told apart further by the colours that they see at each distance, until nothing is
/// (colour refinement, Weisfeiler and Leman 1968): most places that are not alike differ then.
fn colours(question: &Question, fixed: &[bool], left: &[usize]) -> Vec<usize> {
    let places = 0..question.places();
    let first = |place: usize| {
        // A place that is taken is mapped to itself.
        let own = if fixed[place] { Some(place) } else { None };
        let allowed: Vec<bool> =
            left.iter().map(|&terminal| question.is_allowed(terminal, place)).collect();
        (own, allowed, question.channels(place, place))
    };
    let mut colours = numbered(&places.clone().map(first).collect::<Vec<_>>());
    loop {
        let seen = |place: usize| {
            let from = |other: usize| {
                let channels = [question.channels(place, other), question.channels(other, place)];
                (channels, colours[other])
            };
            let mut seen: Vec<_> = places.clone().map(from).collect();
            seen.sort_unstable();
            (colours[place], seen)
        };
        let finer = numbered(&places.clone().map(seen).collect::<Vec<_>>());
        let count = |colours: &[usize]| colours.iter().max().copied();
        if count(&finer) == count(&colours) {
            return colours;
        }
        colours = finer;
    }
}

/// Number of each key among those that differ, in ascending order.
fn numbered<K: Ord>(keys: &[K]) -> Vec<usize> {
    let numbers: BTreeSet<&K> = keys.iter().collect();
    let numbers: BTreeMap<&K, usize> = numbers.into_iter().zip(0..).collect();
    keys.iter().map(|key| numbers[key]).collect()
}

struct Symmetry<'a> {
    question: &'a Question,
    colours: Vec<usize>,
    /// Steps that are left.
    steps: usize,
}

impl Symmetry<'_> {
    /// Whether a symmetry maps one place to the other, as far as one is found within [`MOST_STEPS`].
    fn maps(&mut self, from: usize, to: usize) -> bool {
        if self.colours[from] != self.colours[to] {
            return false;
        }
        // The place itself first; then the others, each of which must fit to all before it.
        let mut order: Vec<usize> =
            (0..self.colours.len()).filter(|&place| place != from).collect();
        order.insert(0, from);
        let mut image = vec![to];
        self.extend(&order, &mut image)
    }

    /// Whether the images of the first places of `order` are those of a symmetry.
    fn extend(&mut self, order: &[usize], image: &mut Vec<usize>) -> bool {
        let Some(&place) = order.get(image.len()) else { return true };
        for candidate in 0..order.len() {
            if image.contains(&candidate) || !self.fits(order, image, place, candidate) {
                continue;
            }
            if self.steps == 0 {
                return false;
            }
            self.steps -= 1;
            image.push(candidate);
            if self.extend(order, image) {
                return true;
            }
            image.pop();
        }
        false
    }

    /// Whether a place may be mapped to a candidate, as those before it are mapped.
    fn fits(&self, order: &[usize], image: &[usize], place: usize, candidate: usize) -> bool {
        let channels = |from, to| self.question.channels(from, to);
        self.colours[place] == self.colours[candidate]
            && order.iter().zip(image).all(|(&other, &there)| {
                channels(place, other) == channels(candidate, there)
                    && channels(other, place) == channels(there, candidate)
            })
    }
}

//! Places that a symmetry of the network maps to each other: where one was tried, the others need not be.

use super::bound::Partial;
use super::question::Question;

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
    placed.iter().flatten().for_each(|&place| fixed[place] = true);
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

/// Places by colour: two of different colours are not mapped to each other.
fn colours(question: &Question, fixed: &[bool], left: &[usize]) -> Vec<usize> {
    let places = 0..question.places();
    let settled: Vec<usize> = places.clone().filter(|&place| fixed[place]).collect();
    let key = |place: usize| {
        // A place that is taken is mapped to itself.
        let own = if fixed[place] { Some(place) } else { None };
        let to_settled: Vec<[u32; 2]> = settled
            .iter()
            .map(|&other| [question.channels(place, other), question.channels(other, place)])
            .collect();
        let allowed: Vec<bool> =
            left.iter().map(|&terminal| question.is_allowed(terminal, place)).collect();
        (own, to_settled, allowed)
    };
    let keys: Vec<_> = places.map(key).collect();
    keys.iter().map(|key| keys.iter().position(|other| other == key).unwrap_or(0)).collect()
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

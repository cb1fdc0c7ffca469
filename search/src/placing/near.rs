//! Local search (simulated annealing) for a placement that costs little: one terminal after another goes to another
//! place, and the one that is there to its own. It proves nothing, and leaves less for branch and bound.

use super::question::{Flow, Question};
use crate::solver::Limits;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Moves for each terminal and place, in a run of the first round.
const MOVES: u64 = 400;
/// Fewest moves of a run.
const FEWEST_MOVES: u64 = 20_000;
/// Runs from different seeds.
const RUNS: u64 = 4;
/// Factor of the temperature from the first move of a run to the last.
const COOLING: f64 = 1e-4;

/// The cheapest placement that was found, and no dearer than `start`. It makes `more` times as many moves as in
/// a first round, and ends at a cost of `least`, which no placement is below.
pub(super) fn nearer(
    question: &Question,
    start: Vec<usize>,
    (least, more): (i64, u64),
    limits: &Limits,
) -> Vec<usize> {
    let mut best = (question.in_units(&start), start);
    for run in 0..RUNS {
        if best.0 <= least || limits.are_reached() {
            break;
        }
        let seed = limits.seed.wrapping_add(run);
        let found = run_from(question, &best.1, (least, more), &Limits { seed, ..limits.clone() });
        if found.0 < best.0 {
            best = found;
        }
    }
    best.1
}

/// One run, from the seed of the limits: its best placement, with its cost.
fn run_from(
    question: &Question,
    start: &[usize],
    (least, more): (i64, u64),
    limits: &Limits,
) -> (i64, Vec<usize>) {
    let mut random = ChaCha8Rng::seed_from_u64(limits.seed);
    let mut below = move |most: usize| (random.next_u64() % most.max(1) as u64) as usize;
    let mut places = start.to_vec();
    let mut there: Vec<Option<usize>> = vec![None; question.places()];
    (0..).zip(&places).for_each(|(terminal, &place)| there[place] = Some(terminal));
    let moving: Vec<usize> =
        (0..places.len()).filter(|&terminal| question.choices(terminal) > 1).collect();
    let mut own = question.in_units(&places);
    let mut best = (own, places.clone());
    if moving.is_empty() {
        return best;
    }
    let moves = (MOVES * (moving.len() * there.len()) as u64).max(FEWEST_MOVES);
    let moves = moves.saturating_mul(more);
    // What a move costs in the mean, roughly: the cost of a terminal.
    let hot = own.min(question.forbidden()) as f64 / places.len() as f64;
    for step in 0..moves {
        if best.0 <= least || step % 4096 == 0 && limits.are_reached() {
            break;
        }
        let temperature = hot * COOLING.powf(step as f64 / moves as f64);
        let (terminal, to) = (moving[below(moving.len())], below(there.len()));
        let (from, other) = (places[terminal], there[to]);
        let may = question.is_allowed(terminal, to)
            && other.is_none_or(|other| question.is_allowed(other, from));
        if from == to || !may {
            continue;
        }
        let before = cost_of(question, &places, terminal, other);
        places[terminal] = to;
        if let Some(other) = other {
            places[other] = from;
        }
        let change = cost_of(question, &places, terminal, other) - before;
        let chance = (below(1 << 30) as f64 + 0.5) / f64::from(1 << 30);
        if change as f64 > -temperature * chance.ln() {
            places[terminal] = from;
            if let Some(other) = other {
                places[other] = to;
            }
            continue;
        }
        (there[from], there[to]) = (other, Some(terminal));
        own += change;
        if own < best.0 {
            best = (own, places.clone());
        }
    }
    best
}

/// Cost of a terminal at its place, and of another.
fn cost_of(question: &Question, places: &[usize], terminal: usize, other: Option<usize>) -> i64 {
    let cost = |flow: &Flow| question.flow_cost(flow, places[flow.from], places[flow.to]);
    let is_wrong = |terminal: usize| !question.is_allowed(terminal, places[terminal]);
    let wrong = [Some(terminal), other].into_iter().flatten().filter(|&at| is_wrong(at)).count();
    let own = question.of_terminal(terminal).map(cost).sum::<i64>();
    let own = own + question.forbidden() * wrong as i64;
    let Some(other) = other else { return own };
    // Flows between the two count once.
    let apart =
        question.of_terminal(other).filter(|flow| flow.from != terminal && flow.to != terminal);
    own + apart.map(cost).sum::<i64>()
}

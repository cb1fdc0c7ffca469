//! Local search (simulated annealing) for routes with little of a measure: one demand after another takes
//! another route, and keeps it where that pays, or by chance where it costs little. It proves nothing,
//! and leaves less for the solver to find.

use super::figures::{Figures, Route};
use super::question::{Measure, Question};
use super::state::State;
use crate::solver::Limits;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::collections::BTreeSet;

/// Moves for each demand, in the first round.
const MOVES: usize = 400;
/// Routes of a demand that are drawn from at most.
const MOST_ROUTES: usize = 128;
/// Temperature at the first move and at the last: differences of energy that are taken often.
const TEMPERATURE: (f64, f64) = (2.0, 0.05);
/// Energy of what is beyond a bound, for each unit of it.
const PENALTY: f64 = 4.0;
/// Share of an input or queue in the energy of a measure that does not count it.
const BESIDE: f64 = 0.05;
/// Power to which loads count: the largest ones above all.
const POWER: i32 = 6;

/// Routes with less of a measure than these, which are within the bounds, if any were found. It makes `more`
/// times as many moves as in a first round, and ends at a value of `least`, which no routes are below.
pub fn nearer(
    question: &Question,
    measure: Measure,
    start: Vec<Route>,
    (least, more): (u64, u64),
    limits: &Limits,
) -> Vec<Route> {
    let mut random = ChaCha8Rng::seed_from_u64(limits.seed);
    let mut below = move |most: usize| (random.next_u64() % most.max(1) as u64) as usize;
    let choices: Vec<Vec<Vec<usize>>> =
        (0..start.len()).map(|demand| routes(question, demand, &mut below)).collect();
    let mut state = State::new(question, &start);
    let moving: Vec<usize> = (0..start.len()).filter(|&at| choices[at].len() > 1).collect();
    let mut best = (state.figures().value(measure), start);
    let moves = (MOVES * moving.len()) as u64 * more;
    let peak = least.max(1) as f64;
    let mut own = energy(&state, &state.figures(), measure, peak);
    for step in 0..moves {
        if moving.is_empty() || best.0 <= least || step % 256 == 0 && limits.are_reached() {
            break;
        }
        let done = step as f64 / moves as f64;
        let temperature = TEMPERATURE.0 * (TEMPERATURE.1 / TEMPERATURE.0).powf(done);
        let at = moving[below(moving.len())];
        let channels = choices[at][below(choices[at].len())].clone();
        let layer = below(question.layers());
        let old = state.replace(at, Route { channels, layer });
        let figures = state.figures();
        let after = energy(&state, &figures, measure, peak);
        let chance = (below(1 << 30) as f64 + 0.5) / f64::from(1 << 30);
        let is_kept = after - own <= -temperature * chance.ln() && state.is_free(at);
        if !is_kept {
            state.replace(at, old);
            continue;
        }
        own = after;
        if figures.are_within(question) && figures.value(measure) < best.0 {
            best = (figures.value(measure), state.routes.clone());
        }
    }
    best.1
}

/// Routes that a demand may take, in a random order: all of them, or so many as [`MOST_ROUTES`].
fn routes(
    question: &Question,
    at: usize,
    below: &mut impl FnMut(usize) -> usize,
) -> Vec<Vec<usize>> {
    let (demand, reach) = (&question.demands[at], &question.reach[at]);
    let mut found: BTreeSet<Vec<usize>> = BTreeSet::new();
    // Random walks that never come back: a route of each, or a dead end.
    for _ in 0..4 * MOST_ROUTES {
        let (mut node, mut route, mut visited) = (demand.from, Vec::new(), vec![demand.from]);
        while node != demand.to && route.len() < reach.longest as usize {
            let onward = reach.channels.iter().copied().filter(|&channel| {
                let channel = question.channels[channel];
                channel.from == node && !visited.contains(&channel.to)
            });
            let onward: Vec<usize> = onward.collect();
            if onward.is_empty() {
                break;
            }
            let channel = onward[below(onward.len())];
            node = question.channels[channel].to;
            visited.push(node);
            route.push(channel);
        }
        if node == demand.to {
            found.insert(route);
        }
        if found.len() == MOST_ROUTES {
            break;
        }
    }
    found.into_iter().collect()
}

/// Energy of routes: little where the measure is, and the others are within their bounds.
fn energy(state: &State<'_>, figures: &Figures, measure: Measure, peak: f64) -> f64 {
    let (inputs, queues) = (figures.multiplexer_inputs as f64, figures.queues as f64);
    let own = match measure {
        Measure::MaxLoad => state.loads.iter().map(|&load| (load as f64 / peak).powi(POWER)).sum(),
        Measure::MultiplexerInputs => inputs + BESIDE * queues,
        Measure::Queues => queues + BESIDE * inputs,
        // Inputs go one by one long before a virtual channel does.
        Measure::Vcs => figures.vcs as f64 * inputs.max(1.0),
    };
    let beyond = state.question.bounds.iter().map(|(&bound, &most)| match bound {
        Measure::MaxLoad => {
            let over = state.loads.iter().map(|&load| load.saturating_sub(most));
            over.sum::<u64>() as f64 / most.max(1) as f64 * 8.0
        }
        other => figures.value(other).saturating_sub(most) as f64,
    });
    own + PENALTY * beyond.sum::<f64>()
}

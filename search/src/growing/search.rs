//! Search for layouts: simulated annealing, of each of several objectives by itself, then from the best that any of
//! them found.

use super::layout::Layout;
use super::moves::Moves;
use super::question::Question;
use super::state::State;
use crate::solver::Limits;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::collections::BTreeSet;

/// Moves for each terminal and pair, in a run, where there is no reason for another number.
pub const MOVES: u64 = 12_000;
/// Temperature of the first move of a run, in LUTs.
const HOT: f64 = 200.0;
/// Temperature of the first move of a run from what others found.
const WARM: f64 = 60.0;
/// Temperature of the last.
const COLD: f64 = 0.5;
/// LUTs that a port or a channel beyond the limits counts for.
const BEYOND: f64 = 150.0;
/// LUTs that a flit per cycle beyond the limits counts for.
const BEYOND_LOAD: f64 = 3_000.0;
/// LUTs that a channel less is worth, in the mean over all flits: area alone, with latency, and latency before all.
const WORTHS: [f64; 3] = [0.0, 40.0, 400.0];
/// Rounds in which objectives begin with what others found.
const ROUNDS: u64 = 2;

/// Weights by which layouts are compared.
struct Objective {
    /// The flows, with the load that a channel may carry.
    question: Question,
    /// LUTs that one channel less is worth, in the mean over all flits.
    channel: f64,
}

impl Objective {
    /// Objectives of a question: a channel may carry all that it can, no more than the link of the busiest terminal
    /// does, or half way between, those that differ; and each with all [`WORTHS`].
    fn all(question: &Question) -> Vec<Self> {
        let most = question.most_load();
        let least = question.busiest().min(most);
        let loads: BTreeSet<u64> = [most, least.midpoint(most), least].into();
        let objective = |load: u64, channel| Self { question: question.with_load(load), channel };
        loads
            .into_iter()
            .rev()
            .flat_map(|load| WORTHS.map(|worth| objective(load, worth)))
            .collect()
    }

    /// Cost of a layout, in LUTs: its area, and what it takes beside and beyond that.
    fn cost(&self, state: &State<'_>, all: u64) -> f64 {
        let channels = state.transport as f64 / all.max(1) as f64;
        let beyond = (state.excess_ports + state.excess_channels) as f64;
        let load = state.excess_load as f64 / 1e9;
        state.counts().luts() + self.channel * channels + BEYOND * beyond + BEYOND_LOAD * load
    }

    /// A layout with its cost; `None` where it is not within the limits.
    fn of(&self, layout: &Layout) -> Option<Costed> {
        let state = State::new(&self.question, layout.clone());
        state.fits().then(|| (self.cost(&state, self.question.load()), layout.clone()))
    }
}

/// A layout, and its cost.
type Costed = (f64, Layout);

/// Result of a run.
struct Run {
    best: Option<Costed>,
    /// Whether it made all its moves.
    is_whole: bool,
}

/// Layouts that were found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grown {
    /// The best for each objective that some layout was found for.
    pub layouts: Vec<Layout>,
    /// Whether all moves were made: the same seed finds the same again.
    pub is_whole: bool,
}

/// Layouts within all limits and with no circle of waits: the best found for each of several objectives, which weigh area,
/// channels and load differently. A run has so many `moves` for each terminal and pair. `progress` is told how many rounds are left.
pub fn grow(
    question: &Question,
    moves: u64,
    limits: &Limits,
    progress: impl Fn(u64) + Sync,
) -> Grown {
    let objectives = Objective::all(question);
    let several = question.ports() as usize;
    // Smaller switches first: a large one has room for many others that cost the same.
    let share = |parts: usize| question.terminals().div_ceil(parts) as u32;
    let mut starts: Vec<(Layout, u32)> =
        [3, 2].map(|parts| (Layout::spread(question, 1), share(parts))).into();
    let whole = match several >= question.terminals() {
        true => Layout::star(question),
        false => Layout::spread(question, several.div_ceil(2)),
    };
    starts.push((whole, question.ports()));
    if !question.is_together() {
        starts.push((Layout::bus(question), question.ports()));
    }
    let moves = moves * (question.terminals() + question.pairs().len()) as u64;
    let rounds = starts.len() as u64 + ROUNDS;
    let mut best: Vec<Option<Costed>> = vec![None; objectives.len()];
    let mut is_whole = true;
    for round in 0..rounds {
        progress(rounds - round);
        // Runs of a round go side by side as far as there are threads.
        let batches = objectives.len().div_ceil(rayon::current_num_threads()) as u32;
        let time = limits.share((rounds - round) as usize).left().map(|left| left / batches);
        let known: Vec<&Layout> = best.iter().flatten().map(|(_, layout)| layout).collect();
        let runs: Vec<(u64, &Objective)> = (0..).zip(&objectives).collect();
        let run = |&(number, objective): &(u64, &Objective)| {
            let seed = limits.seed.wrapping_add(round * objectives.len() as u64 + number);
            let limits = Limits { seed, ..limits.clone() };
            let limits = time.map_or(limits.clone(), |time| limits.within(time));
            match starts.get(round as usize) {
                Some((start, ports)) => {
                    let question = objective.question.with_ports(*ports);
                    let objective = Objective { question, ..*objective };
                    run_from(&objective, start.clone(), (moves, HOT), &limits)
                }
                None => {
                    let costed = known.iter().filter_map(|layout| objective.of(layout));
                    match costed.min_by(|one, other| one.0.total_cmp(&other.0)) {
                        Some((_, start)) => run_from(objective, start, (moves, WARM), &limits),
                        None => Run { best: None, is_whole: true },
                    }
                }
            }
        };
        let found: Vec<Run> = runs.par_iter().map(run).collect();
        for (best, run) in best.iter_mut().zip(found) {
            is_whole &= run.is_whole;
            if let Some(found) = run.best
                && best.as_ref().is_none_or(|best| found.0 < best.0)
            {
                *best = Some(found);
            }
        }
    }
    let layouts = best.into_iter().flatten().map(|(_, layout)| layout).collect();
    Grown { layouts, is_whole }
}

/// One run of so many moves and of this temperature at first, from the seed of the limits: the best layout that it
/// came by.
fn run_from(
    objective: &Objective,
    start: Layout,
    (moves, hot): (u64, f64),
    limits: &Limits,
) -> Run {
    let question = &objective.question;
    let mut random = Moves::new(question, ChaCha8Rng::seed_from_u64(limits.seed));
    let mut state = State::new(question, start);
    let all = question.load();
    let mut own = objective.cost(&state, all);
    let mut best = state.fits().then(|| (own, state.layout.clone()));
    for step in 0..moves {
        if step % 1024 == 0 && limits.are_reached() {
            return Run { best, is_whole: false };
        }
        let temperature = hot * (COLD / hot).powf(step as f64 / moves as f64);
        let Some(change) = random.draw(&state.layout) else { continue };
        let (back, has_new) = state.apply(change);
        let now = objective.cost(&state, all);
        let is_too_dear = now - own > -temperature * random.chance().ln();
        if is_too_dear || has_new && !state.is_free() {
            state.apply(back);
            continue;
        }
        own = now;
        if state.fits() && best.as_ref().is_none_or(|best| own < best.0) {
            best = Some((own, state.layout.clone()));
        }
    }
    Run { best, is_whole: true }
}

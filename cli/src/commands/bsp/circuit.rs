//! `turnpike bsp --kind circuit`: supersteps on the reference model of a circuit fabric, whose
//! schedules are made for them.

use super::{BspOptions, SuperstepFigures, fit, rows_text};
use crate::Report;
use crate::format::{Format, json};
use crate::progress::Progress;
use crate::tabular::{self, Document, ReportKind};
use anyhow::Context;
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_circuit::baked::Baked;
use turnpike_circuit::plan::{CircuitPlan, Control};
use turnpike_schedule::demand::{Demand, Transfer};
use turnpike_schedule::slots::Schedule;
use turnpike_sim_network::circuit::{Inputs, Model};
use turnpike_sim_network::statistics::line::Line;
use turnpike_sim_network::traffic::pattern::permutation;

/// A circuit fabric by g and L.
#[derive(Serialize, JsonSchema)]
struct CircuitBspReport {
    /// Version of these fields: 1.
    schema_version: u32,
    /// The name of the fabric.
    fabric: String,
    /// The words after `turnpike generate` that make the fabric.
    configuration: String,
    /// Number of terminals.
    terminals: u32,
    /// Seed of the first run of each h.
    seed: u64,
    /// Runs for each h.
    runs: u32,
    /// g: cycles more for each word more, by least squares over the means.
    g: f64,
    /// L: cycles that the fitted line leaves at h = 0.
    l: f64,
    /// The root of the mean square by which the means are off g·h + L, in cycles.
    residual: f64,
    /// g as the schedule gives it: a slot for each word.
    closed_form_g: u32,
    /// L as the stages of registers give it, in cycles.
    closed_form_l: u32,
    /// Supersteps by h.
    rows: Vec<SuperstepFigures>,
}

impl Document for CircuitBspReport {
    const ROWS: Option<&'static str> = Some("rows");
}

/// Entry in the list of reports.
pub const REPORT: ReportKind = ReportKind::of::<CircuitBspReport>(
    "bsp_circuit",
    "g and L of a circuit fabric (`bsp --kind circuit`)",
);

/// Runs it on the reference model.
///
/// # Errors
/// A network that not every permutation passes.
pub(super) fn run(options: &BspOptions, plan: &CircuitPlan, all: &[u32]) -> anyhow::Result<Report> {
    let progress = Progress::steps(all.len() as u64 * u64::from(options.runs), "supersteps");
    let mut measured: Vec<(u32, Vec<u64>)> = Vec::new();
    for &h in all {
        let mut cycles = Vec::new();
        for run in 0..u64::from(options.runs) {
            cycles.push(superstep(plan, h, options.seed.wrapping_add(run))?);
            progress.step();
        }
        measured.push((h, cycles));
    }
    drop(progress);
    let (Line { slope, intercept, residual }, rows) = fit(measured);
    let report = CircuitBspReport {
        schema_version: 1,
        fabric: plan.name.clone(),
        configuration: plan.canonical(),
        terminals: plan.terminals(),
        seed: options.seed,
        runs: options.runs,
        g: slope,
        l: intercept,
        residual,
        closed_form_g: 1,
        closed_form_l: plan.latency(),
        rows,
    };
    Ok(Report::holds(match options.format.format {
        Format::Json => json(&report)?,
        Format::Csv => tabular::csv(&report)?,
        Format::Text => report.text(),
    }))
}

/// Cycles of one superstep: the words of h drawn permutations, in as few slots as there can be, from
/// the first cycle to the end of the one in which the last word comes.
fn superstep(plan: &CircuitPlan, h: u32, seed: u64) -> anyhow::Result<u64> {
    let terminals = plan.terminals();
    let mut transfers = Vec::new();
    for round in 0..u64::from(h) {
        let sinks = permutation(terminals, seed.wrapping_mul(4096).wrapping_add(round));
        let words = (0..).zip(sinks).map(|(source, sink)| Transfer { source, sink, words: 1 });
        transfers.extend(words);
    }
    let demand = Demand::new(terminals, transfers)?;
    let schedule = Schedule::new(&plan.network, &demand)?;
    let slot = |slot| Ok((schedule.permutation(slot)?, schedule.settings(slot)?));
    let slots = (0..schedule.slots()).map(slot).collect::<anyhow::Result<Vec<_>>>()?;
    let control = Control::Baked(Baked::new(&plan.network, slots)?);
    let fixed =
        CircuitPlan::new(&plan.words, plan.network.clone(), plan.parameters, control, None)?;
    let mut model = Model::new(&fixed);
    let (mut left, mut last) = (u64::from(h) * u64::from(terminals), 0);
    for cycle in 0.. {
        // After its schedule nobody has anything to send.
        let sends = cycle < u64::from(schedule.slots());
        let inputs = Inputs {
            enable: true,
            words: (0..terminals).map(|t| sends.then_some(u64::from(t))).collect(),
            destinations: vec![0; terminals as usize],
            ..Inputs::default()
        };
        let come = model.outputs(&inputs).words.iter().flatten().count() as u64;
        left = left.checked_sub(come).context("internal error: a word came twice")?;
        if left == 0 {
            last = cycle + 1;
            break;
        }
        model.clock(&inputs);
    }
    Ok(last)
}

impl CircuitBspReport {
    fn text(&self) -> String {
        let Self { fabric, terminals, configuration, g, l, residual, runs, seed, .. } = self;
        format!(
            "{fabric}: {terminals} terminals\nconfiguration: {configuration}\n\n\
             g  {g:.3} cycles per word; by its schedule {}\n\
             L  {l:.1} cycles; by its registers {}\n   \
             {residual:.2} cycles off, root mean square\n\n\
             {}\nEach h: the mean of {runs} runs of h random permutations, from seed {seed}.\n",
            self.closed_form_g,
            self.closed_form_l,
            rows_text(&self.rows)
        )
    }
}

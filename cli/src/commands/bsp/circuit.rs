//! Supersteps on the reference model of a circuit fabric, whose schedules are made for them.

use super::{BspReport, Supersteps};
use crate::kinds::{Identity, Reported};
use crate::tabular::ReportKind;
use anyhow::{Context, ensure};
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_circuit::baked::Baked;
use turnpike_circuit::plan::{CircuitPlan, Control, MOST_SLOTS};
use turnpike_schedule::demand::{Demand, Transfer};
use turnpike_schedule::slots::Schedule;
use turnpike_sim_network::circuit::{Inputs, Model};
use turnpike_sim_network::traffic::pattern::permutation;

/// A circuit fabric at the head of its report.
#[derive(Serialize, JsonSchema)]
pub struct CircuitHead {
    /// The fabric.
    #[serde(flatten)]
    fabric: Identity,
    /// Number of terminals.
    terminals: u32,
}

/// g and L that follow from the plan.
#[derive(Serialize, JsonSchema)]
pub struct ClosedForms {
    /// g as the schedule gives it: a slot for each word.
    closed_form_g: u32,
    /// L as the stages of registers give it, in cycles.
    closed_form_l: u32,
}

/// Entry in the list of reports.
pub const REPORT: ReportKind = ReportKind::of::<BspReport<CircuitHead, ClosedForms>>(
    "bsp_circuit",
    "g and L of a circuit fabric (`bsp --kind circuit`)",
);

impl Supersteps for CircuitPlan {
    type Head = CircuitHead;
    type ClosedForms = ClosedForms;

    fn fields(&self) -> (CircuitHead, ClosedForms) {
        let head = CircuitHead { fabric: self.head(), terminals: self.terminals() };
        (head, ClosedForms { closed_form_g: 1, closed_form_l: self.latency() })
    }
    fn check_size(&self, most: u32) -> anyhow::Result<()> {
        ensure!(
            most <= MOST_SLOTS,
            "--up-to {most} is out of range; a circuit fabric has {MOST_SLOTS} slots at most"
        );
        Ok(())
    }
    /// Cycles of one superstep: its words in as few slots as there can be, from the first cycle to the
    /// end of the one in which the last word comes.
    fn superstep(&self, h: u32, seed: u64) -> anyhow::Result<u64> {
        let terminals = self.terminals();
        let mut transfers = Vec::new();
        for round in 0..u64::from(h) {
            let sinks = permutation(terminals, seed.wrapping_mul(4096).wrapping_add(round));
            let words = (0..).zip(sinks).map(|(source, sink)| Transfer { source, sink, words: 1 });
            transfers.extend(words);
        }
        let demand = Demand::new(terminals, transfers)?;
        let schedule = Schedule::new(&self.network, &demand)?;
        let slot = |slot| Ok((schedule.permutation(slot)?, schedule.settings(slot)?));
        let slots = (0..schedule.slots()).map(slot).collect::<anyhow::Result<Vec<_>>>()?;
        let control = Control::Baked(Baked::new(&self.network, slots)?);
        let fixed =
            CircuitPlan::new(&self.words, self.network.clone(), self.parameters, control, None)?;
        let mut model = Model::new(&fixed);
        let (mut left, mut cycle) = (u64::from(h) * u64::from(terminals), 0);
        loop {
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
            cycle += 1;
            if left == 0 {
                return Ok(cycle);
            }
            model.clock(&inputs);
        }
    }
    fn remarks(&self) -> [String; 2] {
        ["; by its schedule 1".to_owned(), format!("; by its registers {}", self.latency())]
    }
}

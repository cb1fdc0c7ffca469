//! Report of `generate` on a switched fabric: the proofs on the way.

use super::{GenerateOptions, Generated, Written};
use crate::tabular::ReportKind;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write;
use turnpike_analysis::deadlock::DeadlockVerdict;
use turnpike_emit::{File, picture};
use turnpike_fabric::board::Board;
use turnpike_fabric::matrix::turn_matrix;
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::report::Configuration;

/// Figures of a switched fabric that was written.
#[derive(Serialize, JsonSchema)]
pub struct SwitchedFigures {
    /// Bytes of all files.
    bytes: usize,
    /// The board of the self-test, where there is one.
    selftest: Option<&'static str>,
    /// Switches that are built: failed nodes have none, nor nodes that no packet passes.
    switches: u32,
    /// Channels between the switches that are built, one way each.
    channels: u64,
    /// Classes of switches, a module each.
    classes: Vec<WrittenClass>,
    /// Pairs of source and destination.
    pairs: u64,
    /// Number of pairs whose route was walked: it arrives, and takes only turns that are built. The
    /// others are their translates.
    pairs_walked: u64,
    /// Whether there is a certificate that no packets wait for each other for ever.
    deadlock_free: bool,
    /// Condition under which the certificate holds packets free of deadlock; absent without one.
    deadlock_free_condition: Option<&'static str>,
    /// Channels in the certificate, or in the cycle where there is none.
    numbered_channels: usize,
    /// Routes along which the certificate was checked; pairs along whose every route it was, where
    /// packets choose and there are no escape channels.
    routes_checked: u64,
    /// Cycles from injection to delivery without a channel on the way.
    zero_load_cycles: u32,
    /// Cycles more for each channel.
    channel_cycles: u32,
}

/// A class of switches.
#[derive(Serialize, JsonSchema)]
struct WrittenClass {
    /// Name of the switch's module.
    module: String,
    /// Crosspoints between network ports, virtual channels merged.
    crosspoints: usize,
}

/// Entry in the list of reports.
pub const REPORT: ReportKind = ReportKind::of::<Written<Configuration, SwitchedFigures>>(
    "generate",
    "a fabric that was written (`generate`)",
);

impl Generated for FabricPlan {
    const IS_SWITCHED: bool = true;
    type Figures = SwitchedFigures;

    fn more_files(&self, options: &GenerateOptions) -> anyhow::Result<Vec<File>> {
        let picture = options.picture.then(|| picture::picture(self)).transpose()?;
        Ok(picture.into_iter().collect())
    }
    fn figures(&self, files: &[File], board: Option<&Board>) -> SwitchedFigures {
        let (topology, network) = (self.topology(), self.network());
        let classes = self.switches.iter().zip(&network.turns().classes);
        let built = classes.filter(|(class, _)| !class.queues.is_empty());
        let sinks = topology.sinks().count() as u64;
        let pairs = match topology.flows() {
            None => topology.sources().count() as u64 * sinks,
            Some(_) => topology.pairs().count() as u64,
        };
        SwitchedFigures {
            bytes: files.iter().map(|file| file.contents.len()).sum(),
            selftest: board.map(|board| board.name),
            switches: self.switch_count(),
            channels: self.channel_count(),
            classes: built
                .map(|(class, turns)| WrittenClass {
                    module: class.name.clone(),
                    crosspoints: turns.crosspoints().len(),
                })
                .collect(),
            pairs,
            pairs_walked: pairs.min(network.sources().len() as u64 * sinks),
            deadlock_free: self.is_deadlock_free(),
            deadlock_free_condition: self.deadlock_free_condition(),
            numbered_channels: match network.verdict() {
                DeadlockVerdict::Free(certificate) => certificate.numbers.len(),
                DeadlockVerdict::Cyclic(cycle) => cycle.channels.len(),
            },
            routes_checked: network.routes_checked(),
            zero_load_cycles: self.zero_load_latency(0),
            channel_cycles: self.hop_cycles(),
        }
    }
    fn text(&self, figures: &SwitchedFigures) -> String {
        text(self, figures)
    }
}

/// Classes of switches whose turns are shown.
const SHOWN_CLASSES: usize = 8;

/// Report for people.
fn text(plan: &FabricPlan, w: &SwitchedFigures) -> String {
    let mut text = String::new();
    let mut line = |s: String| writeln!(text, "{s}").expect("a string takes any text");
    line(format!(
        "  {} switches of {} class(es), {} channels, {}",
        w.switches,
        w.classes.len(),
        w.channels,
        plan.terminals_in_words()
    ));
    let switches = plan.switches.iter().filter(|class| !class.queues.is_empty());
    for (class, switch) in w.classes.iter().zip(switches).take(SHOWN_CLASSES) {
        line(format!("  {}: crosspoints {}, VCs merged", class.module, class.crosspoints));
        turn_matrix(switch).lines().for_each(|l| line(format!("    {l}")));
    }
    if let more @ 1.. = w.classes.len().saturating_sub(SHOWN_CLASSES) {
        line(format!("  and {more} more, each with its turns at the top of its file"));
    }
    line("proven:".into());
    let pairs = match w.pairs - w.pairs_walked {
        0 => format!("{} pairs, all walked", w.pairs),
        others => format!("{} pairs walked, the other {others} their translates", w.pairs_walked),
    };
    line(format!("  every route arrives; each turn has a witness ({pairs})"));
    let (checked, channels) = (w.routes_checked, w.numbered_channels);
    let along = match plan.chooses() && !plan.relation().has_escape() {
        true if plan.relation().is_randomised() => {
            format!("every route of {checked} pairs and draws")
        }
        true => format!("every route of {checked} pairs"),
        false => format!("{checked} routes"),
    };
    line(match w.deadlock_free_condition {
        Some(condition) => format!(
            "  deadlock-free with {} VC(s), {condition}:\n    {channels} channel numbers ascend along \
             {along} checked",
            plan.relation().vcs()
        ),
        None => format!("  NOT deadlock-free: a cycle of {channels} channels; the files say so"),
    });
    let own = match plan.topology().most_delay() {
        0 => String::new(),
        most => format!(", and the registers that its links have in the file, up to {most}"),
    };
    line(format!(
        "zero-load latency: {} cycles and {} per channel{own}",
        w.zero_load_cycles, w.channel_cycles
    ));
    text
}

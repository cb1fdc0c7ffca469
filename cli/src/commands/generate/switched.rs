//! Report of `generate`: the files that were written, and the proofs on the way.

use super::{GenerateOptions, Generated};
use crate::tabular::{Document, ReportKind};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;
use turnpike_analysis::deadlock::DeadlockVerdict;
use turnpike_emit::{File, picture};
use turnpike_fabric::board::{Board, Flow};
use turnpike_fabric::matrix::turn_matrix;
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::report::Configuration;

/// A fabric that was written.
#[derive(Serialize, JsonSchema)]
pub struct WrittenFabric {
    /// Version of these fields: 1.
    schema_version: u32,
    /// The fabric.
    #[serde(flatten)]
    configuration: Configuration,
    /// Path of the folder that was written.
    folder: String,
    /// Files of the fabric's folder.
    files: Vec<WrittenFile>,
    /// Bytes of all files.
    bytes: usize,
    /// The board of the self-test, where there is one.
    selftest: Option<&'static str>,
    /// Switches that are built: failed nodes have none.
    switches: usize,
    /// Channels between the switches, one way each.
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

/// Longest line of a sentence.
pub(super) const WIDTH: usize = 96;

/// A file that was written.
#[derive(Serialize, JsonSchema)]
pub(super) struct WrittenFile {
    /// Path of the file in the folder.
    name: String,
    /// Length of the file in bytes.
    bytes: usize,
}

impl WrittenFile {
    /// Entry of a file.
    pub fn of(file: &File) -> Self {
        Self { name: file.name.clone(), bytes: file.contents.len() }
    }

    /// The size of some, rounded up.
    pub fn kilobytes(files: &[Self]) -> usize {
        files.iter().map(|file| file.bytes).sum::<usize>().div_ceil(1000)
    }
}

/// A class of switches.
#[derive(Serialize, JsonSchema)]
struct WrittenClass {
    /// Name of the switch's module.
    module: String,
    /// Crosspoints between network ports, virtual channels merged.
    crosspoints: usize,
}

impl Document for WrittenFabric {}

/// Entry in the list of reports.
pub const REPORT: ReportKind =
    ReportKind::of::<WrittenFabric>("generate", "a fabric that was written (`generate`)");

impl WrittenFabric {
    /// Report on this plan.
    pub fn of(plan: &FabricPlan, path: &Path, files: &[File], board: Option<&Board>) -> Self {
        let (topology, network) = (plan.topology(), plan.network());
        let classes = plan.switches.iter().zip(&network.turns().classes);
        let built = classes.filter(|(class, _)| !class.queues.is_empty());
        let sinks = topology.sinks().count() as u64;
        Self {
            schema_version: 1,
            configuration: Configuration::of(plan),
            folder: path.display().to_string(),
            files: files.iter().map(WrittenFile::of).collect(),
            bytes: files.iter().map(|file| file.contents.len()).sum(),
            selftest: board.map(|board| board.name),
            switches: topology.nodes() as usize - topology.failed_nodes().len(),
            channels: topology.channels(),
            classes: built
                .map(|(class, turns)| WrittenClass {
                    module: class.name.clone(),
                    crosspoints: turns.crosspoints().len(),
                })
                .collect(),
            pairs: topology.sources().count() as u64 * sinks,
            pairs_walked: network.sources().len() as u64 * sinks,
            deadlock_free: plan.is_deadlock_free(),
            deadlock_free_condition: plan.deadlock_free_condition(),
            numbered_channels: match network.verdict() {
                DeadlockVerdict::Free(certificate) => certificate.numbers.len(),
                DeadlockVerdict::Cyclic(cycle) => cycle.channels.len(),
            },
            routes_checked: network.routes_checked(),
            zero_load_cycles: plan.zero_load_latency(0),
            channel_cycles: plan.hop_cycles(),
        }
    }
}

impl Generated for FabricPlan {
    type Report = WrittenFabric;

    fn is_switched(&self) -> bool {
        true
    }
    fn more_files(&self, options: &GenerateOptions) -> anyhow::Result<Vec<File>> {
        let picture = options.picture.then(|| picture::picture(self)).transpose()?;
        Ok(picture.into_iter().collect())
    }
    fn written(&self, folder: &Path, files: &[File], board: Option<&Board>) -> WrittenFabric {
        WrittenFabric::of(self, folder, files, board)
    }
    fn text(&self, report: &WrittenFabric, board: Option<&Board>) -> String {
        text(self, report, board)
    }
}

/// Classes of switches whose turns are shown.
const SHOWN_CLASSES: usize = 8;

/// Report for people.
fn text(plan: &FabricPlan, w: &WrittenFabric, board: Option<&Board>) -> String {
    let mut text = String::new();
    let mut line = |s: String| writeln!(text, "{s}").expect("a string takes any text");
    line(format!("{}: {}", w.configuration.fabric, w.configuration.configuration));
    line(format!("wrote {}: {} files, {} kB", w.folder, w.files.len(), w.bytes.div_ceil(1000)));
    line(format!(
        "  {} switches of {} class(es), {} channels, {} terminals",
        w.switches,
        w.classes.len(),
        w.channels,
        w.configuration.terminals
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
        true => format!("every route of {checked} pairs"),
        false => format!("{checked} routes"),
    };
    line(match w.deadlock_free_condition {
        Some(condition) => format!(
            "  deadlock-free with {} VC(s), {condition}:\n    {channels} channel numbers ascend along \
             {along} checked",
            w.configuration.virtual_channels
        ),
        None => format!("  NOT deadlock-free: a cycle of {channels} channels; the files say so"),
    });
    line(format!(
        "zero-load latency: {} cycles and {} per channel",
        w.zero_load_cycles, w.channel_cycles
    ));
    text + &board.map(|board| selftest(&plan.name, board)).unwrap_or_default()
}

/// Lines on a self-test.
pub(super) fn selftest(name: &str, board: &Board) -> String {
    let made = match board.flow {
        Flow::Vivado => "by Vivado",
        _ => "by Yosys and nextpnr, which fail where it does not fit or misses the clock",
    };
    format!(
        "self-test for the {} ({}, {} MHz): {}_selftest.v and its parts\n  \
         `make bitstream` in the folder makes the bitstream, {made}\n",
        board.title, board.device, board.clock_mhz, name
    )
}

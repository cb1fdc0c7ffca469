//! `turnpike simulate split-hash`: permutations, random functions and h-relations by the Funnel
//! Algorithm.

use super::SimulateOptions;
use super::bus;
use crate::Report;
use crate::busses::FunnelSize;
use crate::options::{NetworkOptions, values};
use crate::table::Table;
use crate::tabular::{Document, ReportKind};
use anyhow::bail;
use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_bus::grid::GridError;
use turnpike_bus::split_hash::Hashing;
use turnpike_bus::{Figures, Grid, SplitHash};
use turnpike_sim_network::bus::funnels::{self, FunnelRun, LastStep, Medium, OnLivelock, Rules};
use turnpike_sim_network::bus::summary::Figure;
use turnpike_sim_network::bus::workload::Workload;

/// Rule by which functions are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum HashingName {
    /// Each from a permutation of its own.
    #[default]
    Own,
    /// All from one.
    One,
}

/// Consequence of a livelock of a level.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum LivelockName {
    /// New functions.
    #[default]
    Rehash,
    /// The run ends.
    Stop,
    /// Time table for the packets that are left.
    Table,
}

impl LivelockName {
    /// Word on the command line.
    fn word(self) -> &'static str {
        match self {
            Self::Rehash => "rehash",
            Self::Stop => "stop",
            Self::Table => "table",
        }
    }
}

/// Busses that carry the packets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum MediumName {
    /// The network's own.
    #[default]
    Own,
    /// Busses of a mesh of busses.
    Mob,
}

/// Options of split&hash networks.
#[derive(Args, Clone, Debug)]
pub struct FunnelOptions {
    /// The network.
    #[command(flatten)]
    pub size: FunnelSize,
    /// split-hash: batches that packets are parted into [default: 2 * FACTOR * LEVELS]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = values::positive)]
    pub batches: Option<u32>,
    /// split-hash: whether each function is drawn from a permutation of its own (own) or all from
    /// one (one), as printed in the paper [default: own]
    #[arg(long, value_enum, value_name = "HOW", hide_possible_values = true)]
    pub hashing: Option<HashingName>,
    /// split-hash: which busses carry packets: the network's own (own), or those of a mesh of busses
    /// of LEVELS dimensions, on which it is simulated (mob) [default: own]
    #[arg(long, value_enum, value_name = "BUSSES", hide_possible_values = true)]
    pub medium: Option<MediumName>,
    /// split-hash: what becomes of a level that livelocks: new functions (rehash), what is left goes
    /// by a time table after all others (table), or the run ends (stop) [default: rehash]
    #[arg(long, value_enum, value_name = "WHAT", hide_possible_values = true)]
    pub on_livelock: Option<LivelockName>,
}

impl FunnelOptions {
    /// The network that the options name; `None` where they name another.
    ///
    /// # Errors
    /// As [`FunnelSize::network`].
    pub fn network(&self, options: &NetworkOptions) -> anyhow::Result<Option<SplitHash>> {
        self.size.network(options)
    }
}

#[derive(Serialize, JsonSchema)]
struct FunnelReport {
    /// Version of these fields: 1.
    schema_version: u32,
    /// The network: the words of the command line.
    topology: String,
    /// The busses that carry packets: the network, or the mesh on which it is simulated, in the words
    /// of the command line.
    medium: String,
    /// Nodes of each level.
    nodes: u32,
    /// Senders and receivers of the longest bus.
    longest_bus: u32,
    /// The most busses at a node.
    degree: u32,
    /// Name of the workload.
    workload: String,
    /// Packets of each source.
    h: u32,
    /// Number of batches that the packets are parted into.
    batches: u32,
    /// Consequence of a livelock of a level.
    on_livelock: String,
    /// Slots until the last packet is at its sink, over the runs that ended.
    slots: Option<Figure>,
    /// Share of the runs with a livelock.
    livelock_share: f64,
    /// Every run.
    runs: Vec<FunnelRun>,
}

impl Document for FunnelReport {
    const ROWS: Option<&'static str> = Some("runs");
}

/// Entry in the list of reports.
pub const REPORT: ReportKind = ReportKind::of::<FunnelReport>(
    "simulate_split_hash",
    "a workload on a split&hash network (`simulate split-hash`)",
);

/// Runs it. A run that did not end does not hold.
///
/// # Errors
/// A workload that split&hash networks do not route.
pub(super) fn run(options: &SimulateOptions, network: &SplitHash) -> anyhow::Result<Report> {
    let own = &options.funnels;
    let name = options.workload.workload.as_deref().unwrap_or("permutation");
    let workload = bus::workload(name, &options.workload)?;
    if workload == Workload::Transpose {
        bail!(
            "split-hash routes drawn workloads; use --workload permutation, random-function or \
             h-relation"
        );
    }
    let on_livelock = own.on_livelock.unwrap_or_default();
    let rules = Rules {
        batches: own.batches.unwrap_or(2 * network.factor() * network.levels()),
        hashing: match own.hashing.unwrap_or_default() {
            HashingName::Own => Hashing::Own,
            HashingName::One => Hashing::One,
        },
        medium: match own.medium.unwrap_or_default() {
            MediumName::Own => Medium::Own,
            MediumName::Mob => Medium::Mesh,
        },
        on_livelock: match on_livelock {
            LivelockName::Rehash => OnLivelock::Rehash,
            LivelockName::Stop => OnLivelock::Stop,
            LivelockName::Table => OnLivelock::Table,
        },
    };
    if rules.batches > network.nodes() {
        bail!("--batches {} are more than the {} sinks", rules.batches, network.nodes());
    }
    // Nodes that are silent at times part packets that always collide.
    let is_relation = matches!(workload, Workload::HRelation(_));
    if rules.hashing == Hashing::One && rules.on_livelock == OnLivelock::Rehash && !is_relation {
        bail!(
            "functions of one permutation collide alike, however often they are drawn; add \
             --on-livelock stop to see it, or table to end it"
        );
    }
    let figures = match rules.medium {
        Medium::Own => Figures::of_split_hash(network),
        Medium::Mesh => {
            let sides = vec![network.side(); network.levels() as usize];
            Figures::of_grid(&Grid::new(&sides)?)
        }
    };
    let grid = Grid::new(&[network.nodes()]).map_err(|error: GridError| error)?;
    let runs = options.each_run("funnels", |seed| {
        let words = workload.words(&grid, seed)?;
        Ok(funnels::run(network, workload, &words, rules, seed)?)
    })?;
    let livelocks = runs.iter().filter(|run| run.livelock).count();
    let holds = runs.iter().all(|run| run.slots.is_some());
    let report = FunnelReport {
        schema_version: 1,
        topology: network.to_string(),
        medium: figures.topology,
        nodes: network.nodes(),
        longest_bus: figures.longest_bus,
        degree: figures.degree,
        workload: name.to_owned(),
        h: workload.h(),
        batches: rules.batches,
        on_livelock: on_livelock.word().to_owned(),
        slots: Figure::of(runs.iter().filter_map(|run| run.slots.map(|slots| slots as f64))),
        livelock_share: livelocks as f64 / runs.len() as f64,
        runs,
    };
    options.format.report(&report, holds, || report.text())
}

impl FunnelReport {
    fn text(&self) -> String {
        let mut text = format!(
            "{}, {} nodes on each level\non {}: busses of at most {} nodes, {} busses at a node\n{}, \
             h = {}, in {} batches\n\n",
            self.topology,
            self.nodes,
            if self.medium == self.topology { "busses of its own" } else { &self.medium },
            self.longest_bus,
            self.degree,
            self.workload,
            self.h,
            self.batches
        );
        let mut table = Table::new([
            "to level",
            "functions",
            "rounds, mean",
            "most",
            "of the lemma",
            "in the first",
            "in two",
            "left by thinning",
        ]);
        let levels = self.runs.first().map_or(0, |run| run.levels.len());
        for at in 0..levels {
            let all = || self.runs.iter().map(|run| &run.levels[at]);
            let mean = |value: fn(&funnels::LevelReport) -> f64| {
                all().map(value).sum::<f64>() / self.runs.len() as f64
            };
            let rounds = Figure::of(all().filter_map(|level| level.mean_rounds));
            let first = &self.runs[0].levels[at];
            table.push(vec![
                first.level.to_string(),
                first.functions.to_string(),
                rounds.map_or(String::new(), |figure| format!("{:.2}", figure.mean)),
                all().map(|level| level.most_rounds).max().unwrap_or(0).to_string(),
                first.rounds_of_the_lemma.map_or(String::new(), |rounds| format!("{rounds:.2}")),
                format!("{:.4}", mean(|level| level.first_round)),
                format!("{:.4}", mean(|level| level.two_rounds)),
                Figure::of(all().filter_map(|level| level.left_by_thinning))
                    .map_or(String::new(), |figure| format!("{:.4}", figure.mean)),
            ]);
        }
        text += &table.text();
        let last = || self.runs.iter().filter_map(|run| run.last_step);
        if let Some(slots) = Figure::of(last().filter_map(|last| Some(last.slots? as f64))) {
            let most = |end: fn(LastStep) -> u32| last().map(end).max().unwrap_or(0);
            text += &format!(
                "last step: {:.1} slots by thinning, up to {} packets of a node and {} for a sink\n",
                slots.mean,
                most(|last| last.most_held),
                most(|last| last.most_wanted)
            );
        }
        let by_table: u64 = self.runs.iter().map(|run| run.by_table).sum();
        if by_table > 0 {
            let slots: u64 = self.runs.iter().map(|run| run.table_slots).sum();
            text += &format!("by a time table: {by_table} packets in all, in {slots} slots\n");
        }
        if let Some(Figure { mean, largest, .. }) = self.slots {
            text += &format!("slots to the last delivery: {mean:.1}, at most {largest:.0}\n");
        }
        let given_up = self.runs.iter().filter(|run| run.slots.is_none()).count();
        if given_up > 0 {
            text += &format!("{given_up} run(s) did not end\n");
        }
        let (runs, share) = (self.runs.len(), self.livelock_share);
        text + &format!(
            "{runs} run(s), seeds from {}; a livelock in {share:.2} of them\n",
            self.runs[0].seed
        )
    }
}

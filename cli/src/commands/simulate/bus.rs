//! `turnpike simulate` of a network of busses: a workload, to the last delivery.

use super::{SimulateOptions, WorkloadOptions};
use crate::Report;
use crate::busses::Words;
use crate::table::Table;
use crate::tabular::{Document, ReportKind};
use anyhow::bail;
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_bus::{Grid, time_table};
use turnpike_sim_network::bus::summary::Summary;
use turnpike_sim_network::bus::workload::{self, BusRun, MOST_SLOTS, WordRoute, Workload};

#[derive(Serialize, JsonSchema)]
struct BusWorkloadReport {
    /// Version of these fields: 1.
    schema_version: u32,
    /// The network: the words of the command line.
    topology: String,
    /// The protocol, with its numbers.
    protocol: String,
    /// Whether each word goes first to a node that is drawn, and then to its destination.
    two_phase: bool,
    /// Name of the workload.
    workload: String,
    /// Words of each node.
    h: u32,
    /// Over all runs.
    summary: Summary,
    /// Every run.
    runs: Vec<BusRun>,
}

impl Document for BusWorkloadReport {
    const ROWS: Option<&'static str> = Some("runs");
}

/// Entry in the list of reports.
pub const REPORT: ReportKind = ReportKind::of::<BusWorkloadReport>(
    "simulate_bus",
    "a workload on busses (`simulate ocpc`, `mob`)",
);

/// Runs it. A run that is given up does not hold.
///
/// # Errors
/// A workload that is missing or unknown; numbers out of range.
pub(super) fn run(options: &SimulateOptions, grid: &Grid) -> anyhow::Result<Report> {
    let given = &options.workload;
    let Some(name) = &given.workload else {
        if options.fabric.network.unrouted.flows.is_some() {
            bail!(
                "no workload of busses is of flows; `verify` runs words of the flows, and `compare --network` \
                 measures their throughput"
            );
        }
        let names: Vec<&str> = workload::WORKLOADS.iter().map(|(name, _)| *name).collect();
        bail!("busses run workloads; add --workload ({})", names.join(", "));
    };
    let workload = workload(name, given)?;
    let (h, two_phase) = (workload.h(), given.two_phase);
    let sending = match (options.bus.is_time_table(), two_phase) {
        (true, _) => None,
        (false, false) => {
            Some((options.bus.protocol(grid, Words::Relation(h))?, WordRoute::Direct))
        }
        // More words may come to a node that is drawn.
        (false, true) => Some((options.bus.protocol(grid, Words::Held(h))?, WordRoute::TwoPhase)),
    };
    let runs = options.each_run("busses", |seed| {
        let words = workload.words(grid, seed)?;
        Ok(match sending {
            Some(sending) => workload::run(grid, sending, &words, seed, MOST_SLOTS),
            None => workload::by_time_table(grid, &words, seed)?,
        })
    })?;
    let summary = Summary::of(&runs);
    let holds = summary.given_up == 0;
    let report = BusWorkloadReport {
        schema_version: 1,
        topology: grid.to_string(),
        protocol: sending.map_or(time_table::NAME.to_owned(), |(protocol, _)| protocol.to_string()),
        two_phase,
        workload: name.clone(),
        h,
        summary,
        runs,
    };
    options.format.report(&report, holds, || {
        let summary = sending.map_or(time_table::SUMMARY, |(protocol, _)| protocol.kind().summary);
        report.text(grid, summary)
    })
}

/// The workload of this name, with its number of words.
///
/// # Errors
/// An unknown name; words out of range.
pub(super) fn workload(name: &str, given: &WorkloadOptions) -> anyhow::Result<Workload> {
    Ok(Workload::named(name, given.h.unwrap_or(1))?)
}

impl BusWorkloadReport {
    fn text(&self, grid: &Grid, summary: &str) -> String {
        let mut text = format!(
            "{}, {} nodes; {}, h = {}\nprotocol {}: {}\n",
            self.topology,
            grid.nodes(),
            self.workload,
            self.h,
            self.protocol,
            summary
        );
        if self.two_phase {
            text += "two phases: each word goes first to a node that is drawn for it\n";
        }
        text.push('\n');
        let Summary { runs, given_up, slots, first_slot, tries } = &self.summary;
        let mut table = Table::new(["", "mean", "95 %", "largest"]);
        let mut row = |what: &str, figure: &Option<turnpike_sim_network::bus::summary::Figure>| {
            if let Some(f) = figure {
                let half = f.half_width.map_or("".to_owned(), |half| format!("+-{half:.3}"));
                let values = [format!("{:.3}", f.mean), half, format!("{:.3}", f.largest)];
                table.push(std::iter::once(what.to_owned()).chain(values).collect());
            }
        };
        row("slots to the last delivery", slots);
        row("share delivered of those sent in the first slot", first_slot);
        row("tries of a word on a bus", tries);
        text += &table.text();
        text += &match runs {
            1 => format!("1 run, seed {}\n", self.runs[0].seed),
            several => format!("{several} runs, seeds from {}\n", self.runs[0].seed),
        };
        if *given_up > 0 {
            text += &format!("{given_up} given up after {MOST_SLOTS} slots\n");
        }
        text
    }
}

//! The report of `simulate --machine`.

use super::machine::MachineName;
use super::{SimulateOptions, parts};
use crate::Report;
use crate::format::{indent, number};
use crate::network_fields::NetworkFields;
use crate::table::Table;
use crate::tabular::{Document, ReportKind};
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_network::routing::Relation;
use turnpike_network::topology::Topology;
use turnpike_sim_network::machine::{Drawn, Figure, MachineReport, PhaseBounds, Queueing, Rules};

#[derive(Serialize, JsonSchema)]
struct Whole {
    /// Version of these fields: 1.
    schema_version: u32,
    /// The network.
    #[serde(flatten)]
    network: NetworkFields,
    /// Name of the machine.
    machine: MachineName,
    /// Order of the packets that wait for a channel.
    queueing: Queueing,
    /// Whether no packet begins its second phase before all have ended their first.
    barrier: bool,
    /// Draws of the intermediate terminals: for each packet by itself, or a permutation for all.
    drawn: Drawn,
    /// The traffic or pattern, by its name, or the file.
    pattern: String,
    /// Measurements of the runs.
    #[serde(flatten)]
    report: MachineReport,
}

impl Document for Whole {
    const ROWS: Option<&'static str> = Some("runs");
}

/// Entry in the list of reports.
pub const REPORT: ReportKind =
    ReportKind::of::<Whole>("simulate_machine", "the machine of steps (`simulate --machine`)");

/// The report in the format asked for.
///
/// # Errors
/// None: its keys are strings.
pub fn write(
    options: &SimulateOptions,
    (topology, relation): (&dyn Topology, &Relation),
    Rules { queueing, barrier, drawn }: Rules,
    pattern: &str,
    report: MachineReport,
) -> anyhow::Result<Report> {
    let holds = report.summary.violations == 0;
    let whole = Whole {
        schema_version: 1,
        network: NetworkFields::of(topology, relation),
        machine: MachineName::Steps,
        queueing,
        barrier,
        drawn,
        pattern: pattern.to_owned(),
        report,
    };
    options.format.report(&whole, holds, || text(&whole))
}

fn text(whole: &Whole) -> String {
    let phases =
        whole.network.phases.as_ref().map(|names| format!(" ({names})")).unwrap_or_default();
    let rule = match whole.queueing {
        Queueing::FirstCome => "first come, first served",
        Queueing::FarthestFirst => "farthest first",
    };
    let barrier = if whole.barrier { ", a barrier between the phases" } else { "" };
    let drawn = match whole.drawn {
        Drawn::Independent => "",
        Drawn::Permutation => ", intermediate terminals a random permutation",
    };
    let (s, runs) = (&whole.report.summary, &whole.report.runs);
    let [first, last] = [runs.first(), runs.last()].map(|run| run.map_or(0, |run| run.seed));
    let seeds = match s.runs {
        1 => format!("1 run, seed {first}"),
        count => format!("{count} runs, seeds {first} to {last}"),
    };
    let packets = runs.first().map_or(0, |run| run.packets);
    let mut text = format!(
        "{}{phases}\n\
         machine of steps: one packet per channel and step, {rule}{barrier}{drawn}\n\
         pattern: {}, {packets} packets, {seeds}\n\nOver the runs\n",
        whole.network.title(),
        whole.pattern
    );
    let mut table = Table::new(["", "largest", "mean"]);
    let mut row = |name: &str, figure: Option<Figure>| {
        if let Some(Figure { largest, mean }) = figure {
            table.push(vec![name.to_owned(), largest.to_string(), number(mean)]);
        }
    };
    row("steps", Some(s.steps));
    row("of phase 1", s.first_phase_steps);
    row("of phase 2", s.second_phase_steps);
    row("longest queue", Some(s.longest_queue));
    row("most packets over a channel", Some(s.max_link_load));
    row("largest delay", Some(s.max_delay));
    row("most routes that meet one", Some(s.max_meeting));
    text += &indent(&table.text());
    text += "\nPackets over a channel, the mean over all channels\n";
    let mut lines = vec![("whole routes", number(s.mean_link_load), "")];
    if let Some(load) = s.first_phase_mean_link_load {
        lines.push(("phase 1", number(load), "E[T(e)], in the lecture 1/2"));
    }
    text += &parts::figures(&lines);
    if let Some(bounds) = &s.bounds {
        text += &of_bounds(bounds);
    }
    text + &theorem(whole)
}

fn of_bounds(b: &PhaseBounds) -> String {
    let phase = format!("of the runs take more than 4n = {} steps", b.phase_steps);
    let whole = format!("of the runs take more than 8n = {} steps", b.steps);
    let mut lines = Vec::new();
    for (name, share) in [("phase 1", b.first_phase_over), ("phase 2", b.second_phase_over)] {
        if let Some(share) = share {
            lines.push((name, number(share), phase.as_str()));
        }
    }
    if !lines.is_empty() {
        lines.push(("allowed", format!("{:.2e}", b.allowed), "2^-1.5n, for each phase"));
    }
    lines.push(("in all", number(b.over), whole.as_str()));
    format!("\nThe lecture's bounds\n{}", parts::figures(&lines))
}

fn theorem(whole: &Whole) -> String {
    let s = &whole.report.summary;
    let (routes, ours) = (s.routes, s.routes_in_one_run);
    let verdict = match s.violations {
        0 => "holds on each of these".to_owned(),
        wrong => format!("FAILS on {wrong} of these"),
    };
    format!(
        "\nThe lecture's theorem: a packet's delay is at most the number of routes that meet its own\n  \
         of {routes} routes {ours} meet each other in one run of channels; the theorem {verdict}\n"
    )
}

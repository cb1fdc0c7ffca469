//! The report of `simulate --workload`.

use super::engines::Comparison;
use super::parts;
use super::{Engine, SimulateOptions};
use crate::Report;
use crate::format::{counted, number};
use crate::options::AllocatorName;
use crate::tabular::{Document, ReportKind};
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_fabric::plan::FabricPlan;
use turnpike_network::topology::Scale;
use turnpike_sim_network::workload::{PipelineReport, WorkloadOutcome, WorkloadReport};

#[derive(Serialize, JsonSchema)]
struct Whole<'a> {
    #[serde(flatten)]
    report: &'a WorkloadReport,
    /// Engine that ran the network.
    engine: Engine,
    /// Allocator of channels, where packets choose.
    allocator: Option<AllocatorName>,
    /// The engine beside the reference router, where it is another.
    comparison: Option<&'a Comparison>,
    #[serde(skip)]
    size: Scale,
}

impl Document for Whole<'_> {}

/// Entry in the list of reports.
pub const REPORT: ReportKind =
    ReportKind::of::<Whole<'_>>("simulate_workload", "a workload (`simulate --workload`)");

/// The report in the format asked for.
///
/// # Errors
/// None: its keys are strings.
pub fn write(
    options: &SimulateOptions,
    plan: &FabricPlan,
    report: &WorkloadReport,
    comparison: Option<&Comparison>,
    holds: bool,
) -> anyhow::Result<Report> {
    let whole = Whole {
        report,
        engine: options.engine,
        allocator: plan.chooses().then_some(options.details.allocator),
        comparison,
        size: plan.topology().scale(),
    };
    options.format.report(&whole, holds, || text(&whole))
}

fn text(whole: &Whole<'_>) -> String {
    let r = whole.report;
    let mut text = parts::fabric(&r.configuration, whole.size);
    text += &workload(r);
    text += &parts::engine(whole.engine, whole.comparison);
    text += &format!("outcome: {}\n", outcome(r));

    text += "\nMessages, and the cycle of the last delivery\n";
    let at = |count: u64, cycle: u64| match count {
        0 => String::new(),
        _ => format!("the last in cycle {cycle}"),
    };
    let delivered = at(r.delivered_messages, r.delivery_cycles);
    let mut lines = vec![
        ("to send", r.messages.to_string(), "one per terminal and round"),
        ("delivered", r.delivered_messages.to_string(), delivered.as_str()),
    ];
    let acknowledged =
        at(r.acknowledged_messages.unwrap_or(0), r.acknowledgement_cycles.unwrap_or(0));
    if let Some(count) = r.acknowledged_messages {
        lines.push(("acknowledged", count.to_string(), &acknowledged));
    }
    text += &parts::figures(&lines);

    text += "\nThroughput, messages per terminal and cycle\n";
    let mut lines = vec![("whole run", number(r.throughput), "to the last delivery")];
    if let Some(pipeline) = &r.pipeline {
        lines.extend(throughput(pipeline));
    }
    text += &parts::figures(&lines);

    text += "\nTime in cycles\n";
    let round_time = r.pipeline.and(r.round_time);
    let rows = [
        ("from release", r.latency),
        ("from injection", r.network_latency),
        ("whole round", round_time),
        ("round trip", r.round_trip),
    ];
    let rows: Vec<_> = rows.iter().filter_map(|(name, l)| Some((*name, l.as_ref()?))).collect();
    text += &match rows.is_empty() {
        true => "  nothing was delivered\n".to_owned(),
        false => parts::latencies(&rows),
    };

    text += "\nQueues\n";
    text + &parts::figures(&queues(r))
}

fn workload(r: &WorkloadReport) -> String {
    let w = &r.workload;
    let mut words = vec![format!("workload: {}", w.name)];
    if let Some(interval) = w.interval {
        words.push(format!("{}, interval {interval}", counted(w.rounds, "round")));
    }
    words.push(format!("messages of {}", counted(w.message_flits, "flit")));
    if w.acknowledge {
        let room = w.acknowledgement_room.map(|room| format!(" with room for {room}"));
        words.push("acknowledged".to_owned() + room.as_deref().unwrap_or_default());
    }
    words.push(format!("seed {}", w.seed));
    let drawn = if w.self_addressed { "" } else { "not " };
    words.push(format!("self-addressed messages {drawn}drawn"));
    format!("{}\nlaw: {}\n", words.join(", "), w.law)
}

fn outcome(r: &WorkloadReport) -> String {
    match (r.outcome, r.workload.acknowledge) {
        (WorkloadOutcome::Delivered, false) => {
            "delivered: every message, once, where it belongs".to_owned()
        }
        (WorkloadOutcome::Delivered, true) => {
            "delivered: every message and its acknowledgement, once, where they belong".to_owned()
        }
        (WorkloadOutcome::Deadlocked, _) => {
            let cycle = r.cycles;
            format!("DEADLOCKED in cycle {cycle}: what is in the network never arrives")
        }
    }
}

fn throughput(p: &PipelineReport) -> Vec<(&'static str, String, &'static str)> {
    let mut lines = vec![
        ("offered", number(p.offered_throughput), "1 / interval"),
        ("delivered", number(p.sustained_throughput), "in the second half of the rounds"),
    ];
    if let Some(growth) = p.backlog_growth {
        let remark = match p.keeps_up {
            Some(true) => "of what is offered: the network keeps up",
            Some(false) => "of what is offered: the network does not keep up",
            None => "of what is offered: undecided whether it keeps up; more --rounds",
        };
        lines.push(("stays behind", number(growth), remark));
    }
    lines
}

fn queues(r: &WorkloadReport) -> Vec<(&'static str, String, &'static str)> {
    let mut lines = vec![
        ("largest queue", r.largest_queue_flits.to_string(), "flits, in the network"),
        ("mean queue", number(r.mean_queue_flits), "flits, over all queues and cycles"),
        (
            "largest backlog",
            r.largest_source_backlog_messages.to_string(),
            "messages, at one terminal",
        ),
        (
            "mean backlog",
            number(r.mean_source_backlog_messages),
            "messages, over all terminals and cycles",
        ),
    ];
    if let (Some(held), Some(bound)) = (r.largest_acknowledgement_queue, r.most_unacknowledged) {
        lines.extend([
            ("to acknowledge", held.to_string(), "messages, most at one terminal"),
            ("its bound", bound.to_string(), "most to one terminal, released, not acknowledged"),
        ]);
    }
    lines
}

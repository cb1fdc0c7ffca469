//! `turnpike job`: messages of which some wait for others, from the first release to the last delivery, beside
//! the time that no run is below.

use super::simulate::parts;
use crate::format::{Format, FormatOption, counted, number};
use crate::kinds::Reported;
use crate::options::{FabricOptions, values};
use crate::progress::Progress;
use crate::tabular::{Document, ReportKind};
use crate::{Report, busses, input, memory};
use anyhow::{Context, bail};
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use turnpike_fabric::plan::FabricPlan;
use turnpike_network::topology::{Scale, Terminal};
use turnpike_sim_network::job::collective::{self, COLLECTIVES};
use turnpike_sim_network::job::read::NamedJob;
use turnpike_sim_network::job::{self, JobOutcome, JobReport, JobRunError, MessageTimes};
use turnpike_sim_network::traffic::MOST_FLITS;
use turnpike_sim_network::workload::Progress as Progressed;

/// Options of `job`.
#[derive(Args, Debug)]
pub struct JobOptions {
    /// The fabric.
    #[command(flatten)]
    pub fabric: FabricOptions,
    /// Collective operation among all terminals
    #[arg(long, value_name = "NAME", help = collective_help())]
    pub collective: Option<String>,
    /// Flits of a piece of the vectors that a collective operation is about. Default: 16
    #[arg(long, value_name = "FLITS", allow_hyphen_values = true, value_parser = values::positive)]
    pub piece: Option<u32>,
    /// Messages from a CSV file (message, source, destination, flits, after, delay; terminals by label)
    #[arg(long, value_name = "FILE")]
    pub messages: Option<PathBuf>,
    /// Format of the report.
    #[command(flatten)]
    pub format: FormatOption,
}

/// Flits of a piece where none are given.
const PIECE: u32 = 16;
/// Bytes of a message in a run and its report: 2.1 million of them took 744 MB.
const MESSAGE_BYTES: u64 = 360;

fn collective_help() -> String {
    format!("Collective operation among all terminals: {}", names())
}

fn names() -> String {
    COLLECTIVES.iter().map(|collective| collective.name).collect::<Vec<_>>().join(", ")
}

#[derive(Serialize, JsonSchema)]
struct Whole<'a> {
    #[serde(flatten)]
    report: &'a JobReport,
    /// Flits of a piece of the vectors; absent for messages of a file.
    piece_flits: Option<u32>,
    /// Messages, in the order of the job.
    rows: Vec<MessageRow<'a>>,
    #[serde(skip)]
    size: Scale,
}

impl Document for Whole<'_> {
    const ROWS: Option<&'static str> = Some("rows");
}

/// Message of a job, with its times in cycles from the start.
#[derive(Serialize, JsonSchema)]
struct MessageRow<'a> {
    /// Name of the message in its file; of a collective operation its number, from 0.
    message: std::borrow::Cow<'a, str>,
    /// Label of the terminal that sends it.
    source: String,
    /// Label of the terminal that it goes to.
    destination: String,
    /// Flits of the message.
    message_flits: u32,
    /// Cycle of its release; absent where what it waits for never arrived.
    released: Option<u64>,
    /// Cycle in which the network took its first flit.
    accepted: Option<u64>,
    /// Cycle in which its last flit was taken at its destination.
    delivered: Option<u64>,
}

/// Entry in the list of reports.
pub const REPORT: ReportKind = ReportKind::of::<Whole<'_>>("job", "a job (`job`)");

/// Runs it on the reference router. A network that deadlocks does not hold.
///
/// # Errors
/// Unknown names, numbers out of range, a file that cannot be used, a fabric beyond memory.
pub fn run(options: &JobOptions) -> anyhow::Result<Report> {
    let collective = options.collective.as_deref().map(collective_of).transpose()?;
    if collective.is_none() && options.messages.is_none() {
        bail!("no job is given; add --collective NAME ({}), or --messages FILE", names());
    }
    let piece = options.piece.unwrap_or(PIECE);
    if piece > MOST_FLITS {
        bail!("--piece {piece} is out of range; use 1 to {MOST_FLITS}");
    }
    busses::refuse_name(&options.fabric.network.unrouted.topology)?;
    let plan = options.fabric.plan_to_run()?;
    plan.check_memory()?;
    let of_file = options.messages.as_deref().map(|path| read(&plan, path)).transpose()?;
    let of_collective = collective.map(|collective| collective.job(plan.topology(), piece));
    let (job, names) = match (of_file, of_collective.transpose()?) {
        (Some(NamedJob { job, names }), _) => (job, names),
        (None, Some(job)) => (job, Vec::new()),
        (None, None) => unreachable!("one of them is given"),
    };
    let bytes = job.messages().len() as u64 * MESSAGE_BYTES;
    memory::check("this job", bytes, "use fewer messages, or fewer terminals")?;
    let named = |at: u32| names.get(at as usize).cloned().unwrap_or_else(|| at.to_string());
    let progress = Progress::steps(1, "reference router: delivering");
    let mut tell = |p: Progressed| progress.at(p.delivered, Some(p.of));
    let (report, times) = job::run(&plan, &job, &mut tell).map_err(|error| match error {
        JobRunError::Ends { message, from, to } => {
            let message = named(message);
            anyhow::anyhow!(
                "message {message} goes from {from} to {to}, and there is no flow between them"
            )
        }
        error => error.into(),
    })?;
    drop(progress);
    let whole = Whole {
        report: &report,
        piece_flits: collective.is_some().then_some(piece),
        // The text has none.
        rows: match options.format.format {
            Format::Text => Vec::new(),
            Format::Json | Format::Csv => rows(&plan, &job, &names, &times),
        },
        size: plan.topology().scale(),
    };
    let holds = report.outcome == JobOutcome::Delivered;
    options.format.report(&whole, holds, || text(&whole))
}

fn collective_of(name: &str) -> anyhow::Result<&'static collective::Collective> {
    let unknown =
        |nearest| anyhow::anyhow!("unknown collective '{name}'{nearest} (there are: {})", names());
    collective::find(name).map_err(unknown)
}

fn read(plan: &FabricPlan, path: &Path) -> anyhow::Result<NamedJob> {
    let file = input::open(path, "job", input::MOST_TRACE)?;
    let read = job::read::read(plan.topology(), BufReader::new(file));
    read.with_context(|| path.display().to_string())
}

fn rows<'a>(
    plan: &FabricPlan,
    job: &job::Job,
    names: &'a [String],
    times: &[MessageTimes],
) -> Vec<MessageRow<'a>> {
    let label = |terminal| plan.topology().terminal_label(Terminal(terminal));
    let row = |(at, (message, times)): (usize, (&job::Message, &MessageTimes))| MessageRow {
        message: match names.get(at) {
            Some(name) => name.into(),
            None => at.to_string().into(),
        },
        source: label(message.source),
        destination: label(message.destination),
        message_flits: message.flits,
        released: times.released,
        accepted: times.accepted,
        delivered: times.delivered,
    };
    job.messages().iter().zip(times).enumerate().map(row).collect()
}

fn text(whole: &Whole<'_>) -> String {
    let r = whole.report;
    let mut text = parts::fabric(&r.configuration, whole.size);
    let pieces = whole.piece_flits.map(|flits| format!(", pieces of {}", counted(flits, "flit")));
    text += &format!(
        "job: {}, {}, {} in all{}\n",
        r.job,
        counted(r.messages, "message"),
        counted(r.flits, "flit"),
        pieces.unwrap_or_default()
    );
    text += &match r.outcome {
        JobOutcome::Delivered => {
            "outcome: delivered: every message, once, where it belongs\n".to_owned()
        }
        JobOutcome::Deadlocked => format!(
            "outcome: DEADLOCKED: {} of {} messages were delivered, and what is in the network never arrives\n",
            r.delivered_messages, r.messages
        ),
    };
    let least = "no run is below: waits, and what a terminal sends or takes";
    let times = match r.outcome {
        JobOutcome::Delivered => {
            let times = number(r.cycles as f64 / r.least_cycles as f64);
            format!("{least}; {times} times that")
        }
        JobOutcome::Deadlocked => format!("{least}; this one did not end"),
    };
    text += "\nCycles\n";
    text += &parts::figures(&[
        ("in all", r.cycles.to_string(), "to the last delivery"),
        ("at least", r.least_cycles.to_string(), times.as_str()),
    ]);
    text += "\nLatency of a message in cycles\n";
    let rows = [("from release", &r.latency), ("from injection", &r.network_latency)];
    let rows: Vec<_> = rows.iter().filter_map(|(name, l)| Some((*name, l.as_ref()?))).collect();
    text += &match rows.is_empty() {
        true => "  nothing was delivered\n".to_owned(),
        false => parts::latencies(&rows),
    };
    text += "\nNetwork\n";
    let hops = r.hops_per_flit.map_or_else(|| "-".to_owned(), number);
    text + &parts::figures(&[
        ("throughput", number(r.throughput), "flits per terminal and cycle"),
        ("channels", hops, "that a flit crosses"),
        ("largest queue", r.largest_queue_flits.to_string(), "flits"),
    ])
}

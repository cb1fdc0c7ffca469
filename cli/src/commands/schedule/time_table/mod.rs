//! Time tables: the slots in which words start, so that none waits on its way.

mod report;
mod text;

pub use report::REPORT;

use super::ScheduleOptions;
use crate::format::{Format, json};
use crate::messages::Messages;
use crate::progress::Progress;
use crate::{Report, Verdict, tabular};
use anyhow::{Context, anyhow, ensure};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use turnpike_analysis::pattern_routes::{self, PatternRoutes};
use turnpike_flow::interrupt;
use turnpike_network::routing::Relation;
use turnpike_network::topology::Topology;
use turnpike_schedule::time_table::{Flow, Flows, FlowsError, TimeTable};
use turnpike_search::solver::Limits;
use turnpike_search::time_table::check::{Start, check};
use turnpike_search::time_table::{Frame, Short, WhyNone, decide, short};

/// Conflicts after which the solver gives a frame up, where none are said.
const DEFAULT_CONFLICTS: u64 = 20_000;

/// Outcome of the search for a table.
enum Found {
    /// A table, the shortest that was found where no number of slots was asked for.
    Table(Short),
    /// No table of this frame.
    None(u32, WhyNone),
    /// A search that does not decide whether there is a table of the frame that was asked for.
    NotDecided,
}

/// Runs it. That there is no table of a frame that is asked for does not hold.
///
/// # Errors
/// Unknown names, numbers out of range; a relation whose packets choose; a pattern that the network does
/// not have; more words or slots than are kept.
pub fn run(options: &ScheduleOptions) -> anyhow::Result<Report> {
    let (topology, relation) = options.network.one_route_each("a time table")?;
    let messages = options.pattern.messages(&*topology)?;
    ensure!(
        messages.slots.is_empty(),
        "{}: a time table says itself which words go in which slot; leave the lines 'slot' out, or use \
         --kind circuit",
        messages.name
    );
    let progress = Progress::spinner(format!("walking {} routes", messages.list.len()));
    let routes = pattern_routes::routes(&*topology, &relation, &messages.list)?;
    let flows = flows(&routes)
        .map_err(|error| anyhow!("{error}; send fewer words, or use a smaller network"))?;
    progress.message(format!("a time table of {}", messages.name));
    let limits = limits(options, progress);
    let found = match options.slots {
        None => Found::Table(
            short(&flows, &limits)
                .map_err(|error| anyhow!("{error}; send fewer words, or use a smaller network"))?,
        ),
        Some(slots) => {
            match decide(&flows, slots, &limits).with_context(|| format!("--slots {slots}"))? {
                Frame::Table(table) => Found::of_asked(table),
                Frame::None(why) => Found::None(slots, why),
                Frame::NotDecided => Found::NotDecided,
            }
        }
    };
    if let Found::Table(Short { table, .. }) = &found {
        checked(&*topology, &relation, &messages, &routes, table)?;
    }
    let verdict = match &found {
        Found::Table(short) if short.is_least() || options.slots.is_some() => Verdict::Holds,
        Found::None(..) => Verdict::Fails,
        _ if limits.interrupt.load(Ordering::Relaxed) => Verdict::Interrupted,
        Found::Table(_) => Verdict::Holds,
        Found::NotDecided => Verdict::Undecided,
    };
    let network = (&*topology, &relation);
    let report = report::of(network, &messages.name, &routes, &flows, options.slots, &found);
    let text = match options.format.format {
        Format::Json => json(&report)?,
        Format::Csv => tabular::csv(&report.lines())?,
        Format::Text => text::of(&report),
    };
    Ok(Report { text, verdict })
}

impl Found {
    /// A table of the frame that was asked for: of others nothing is known.
    fn of_asked(table: TimeTable) -> Self {
        Self::Table(Short { table, refuted: Vec::new(), not_decided: Vec::new() })
    }
}

fn flows(routes: &PatternRoutes) -> Result<Flows, FlowsError> {
    let flow =
        |pair: &pattern_routes::PairRoute| Flow { route: pair.route.clone(), words: pair.words };
    Flows::new(routes.channels.len() as u32, routes.pairs.iter().map(flow).collect())
}

fn limits(options: &ScheduleOptions, progress: Progress) -> Limits {
    let progress = Mutex::new(progress);
    let shown = move |conflicts: u64| {
        if let Ok(progress) = progress.lock() {
            progress.message(format!("a time table: {conflicts} conflicts"));
        }
    };
    Limits {
        conflicts: Some(options.conflicts.unwrap_or(DEFAULT_CONFLICTS)),
        interrupt: interrupt::stop_by(),
        progress: Some(Arc::new(shown)),
        ..Limits::default()
    }
}

/// Has the table checked by what shares nothing with the finding.
fn checked(
    topology: &dyn Topology,
    relation: &Relation,
    messages: &Messages,
    routes: &PatternRoutes,
    table: &TimeTable,
) -> anyhow::Result<()> {
    let starts = routes.pairs.iter().zip(&table.starts).flat_map(|(pair, starts)| {
        let (source, destination) = (pair.source, pair.destination);
        starts.iter().map(move |&slot| Start { source, destination, slot })
    });
    check(topology, relation, &messages.list, table.frame, starts)
        .context("internal error: a wrong time table")
}

//! Time tables: the slots in which words start, so that none waits on its way.

mod report;
mod text;

pub use report::REPORT;
use report::TimeTableReport;

use super::ScheduleOptions;
use crate::progress::Progress;
use crate::searching::Searching;
use crate::time_tables::{self, DEFAULT_CONFLICTS, Sent};
use crate::{Report, Verdict};
use anyhow::ensure;
use std::time::Instant;
use turnpike_schedule::time_table::TimeTable;
use turnpike_search::solver::Limits;
use turnpike_search::time_table::{Frame, Short, WhyNone};

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
    time_tables::check_delays(&*topology)?;
    let messages = match &options.network.unrouted.flows {
        Some(path) => time_tables::of_flows(path, &*topology, &relation, options.slots)?,
        None => options.pattern()?.messages(&*topology)?,
    };
    ensure!(
        messages.slots.is_empty(),
        "{}: a time table says itself which words go in which slot; leave the lines 'slot' out, or use \
         --kind circuit",
        messages.name
    );
    let progress = Progress::spinner("walking routes");
    let sent = Sent::new((&*topology, &relation), messages, &progress)?;
    let limits = Limits {
        conflicts: Some(options.conflicts.unwrap_or(DEFAULT_CONFLICTS)),
        ..Searching::new(progress, "a time table").limits(Instant::now(), None)
    };
    let found = match options.slots {
        None => Found::Table(sent.shortest(&limits)?),
        Some(slots) => match sent.decide(slots, &limits)? {
            Frame::Table(table) => Found::of_asked(table),
            Frame::None(why) => Found::None(slots, why),
            Frame::NotDecided => Found::NotDecided,
        },
    };
    let short_of = match &found {
        Found::Table(Short { table, .. }) => sent.short_of(table.frame),
        Found::None(..) | Found::NotDecided => Vec::new(),
    };
    let verdict = match &found {
        _ if !short_of.is_empty() => Verdict::Fails,
        Found::Table(short) if short.is_least() || options.slots.is_some() => Verdict::Holds,
        Found::None(..) => Verdict::Fails,
        _ if limits.is_interrupted() => Verdict::Interrupted,
        Found::Table(_) => Verdict::Holds,
        Found::NotDecided => Verdict::Undecided,
    };
    let network = (&*topology, &relation);
    let report = TimeTableReport {
        short_of: report::short_flows(&*topology, short_of),
        ..report::of(network, &sent.messages.name, &sent.routes, &sent.flows, options.slots, &found)
    };
    options.format.report_with_lines(&report, || report.lines(), verdict, || text::of(&report))
}

impl Found {
    /// A table of the frame that was asked for: of others nothing is known.
    fn of_asked(table: TimeTable) -> Self {
        Self::Table(Short { table, refuted: Vec::new(), not_decided: Vec::new() })
    }
}

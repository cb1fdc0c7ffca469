//! Time tables: the slots in which words start, so that none waits on its way.

mod report;
mod text;

pub use report::REPORT;
use report::{ShortFlow, TimeTableReport};

use super::ScheduleOptions;
use crate::messages::{Messages, no_frame};
use crate::progress::Progress;
use crate::searching::Searching;
use crate::{Report, Verdict};
use anyhow::{Context, anyhow, ensure};
use std::path::Path;
use std::time::Instant;
use turnpike_analysis::pattern_load::Message;
use turnpike_analysis::pattern_routes::{self, PatternRoutes};
use turnpike_network::flows::{self as network_flows, Bandwidth};
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
    ensure!(
        topology.most_delay() == 0,
        "a time table is for channels that take a cycle each, and links of this network have up to {} \
         registers; leave 'delay' out of its file",
        topology.most_delay()
    );
    let messages = match &options.network.unrouted.flows {
        Some(path) => of_flows(path, &*topology, &relation, options.slots)?,
        None => options.pattern()?.messages(&*topology)?,
    };
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
    let limits = Limits {
        conflicts: Some(options.conflicts.unwrap_or(DEFAULT_CONFLICTS)),
        ..Searching::new(progress, "a time table").limits(Instant::now(), None)
    };
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
    let short_of = match &found {
        Found::Table(Short { table, .. }) => short_of(&*topology, &messages, table.frame),
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
        short_of,
        ..report::of(network, &messages.name, &routes, &flows, options.slots, &found)
    };
    options.format.report_with_lines(&report, || report.lines(), verdict, || text::of(&report))
}

/// Words of the flows of a file that both ends of are there, on their routes.
fn of_flows(
    path: &Path,
    topology: &dyn Topology,
    relation: &Relation,
    slots: Option<u32>,
) -> anyhow::Result<Messages> {
    let flow = |(source, destination)| topology.flows()?.between(source, destination).copied();
    let list: Vec<_> = topology.pairs().filter_map(flow).collect();
    let one = |flow: &network_flows::Flow| Message {
        source: flow.source,
        destination: flow.destination,
        words: 1,
    };
    let messages: Vec<Message> = list.iter().map(one).collect();
    let routes = pattern_routes::routes(topology, relation, &messages)?;
    let mut links = vec![Vec::new(); routes.channels.len()];
    for (at, pair) in routes.pairs.iter().enumerate() {
        pair.route.iter().for_each(|&channel| links[channel as usize].push(at));
    }
    Messages::of_flows(path, &list, slots, &links).map_err(|link| {
        let channel = routes.channels[link];
        let (from, port) = (channel.from(topology), channel.port(topology));
        no_frame(path, &format!("on the channel {from} {port}"))
    })
}

/// The flows that ask for more than their words come to in a frame.
fn short_of(topology: &dyn Topology, messages: &Messages, frame: u32) -> Vec<ShortFlow> {
    let Some(flows) = topology.flows() else { return Vec::new() };
    let short = |message: &Message| {
        let Message { source, destination, words } = *message;
        let asked = flows.between(source, destination)?.bandwidth?;
        (u64::from(words) * Bandwidth::WHOLE.0 < asked.0 * u64::from(frame)).then(|| ShortFlow {
            source: topology.terminal_label(source),
            destination: topology.terminal_label(destination),
            words,
            bandwidth: asked.flits_per_cycle(),
        })
    };
    messages.list.iter().filter_map(short).collect()
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

//! Slotted fabrics of a command line: the network, and a time table of what is to be sent on it.

use crate::kinds::{KindOptions, Switched};
use crate::messages::Messages;
use crate::options::acts::Kind;
use crate::options::check_one_route;
use crate::progress::Progress;
use crate::time_tables::{self, DEFAULT_CONFLICTS, Sent, ShortFlow};
use anyhow::bail;
use std::path::Path;
use std::sync::Arc;
use turnpike_analysis::pattern_load::Message;
use turnpike_analysis::pattern_routes::Channel;
use turnpike_fabric::plan::FabricPlan;
use turnpike_network::flows::Flows;
use turnpike_network::topology::Topology;
use turnpike_schedule::time_table::TimeTable;
use turnpike_search::solver::Limits;
use turnpike_search::time_table::{Frame, WhyNone};
use turnpike_slotted::plan::{MOST_SLOTS, Starts};
use turnpike_slotted::{SlottedFlow, SlottedPlan};

/// The slotted fabric that is asked for; `None` where one of another kind is.
///
/// # Errors
/// Errors of the network; a relation whose packets have several routes; a frame without a table; flows that
/// have too little of it, or come too late by it.
pub fn plan(
    options: &KindOptions,
    name: Option<&str>,
    switched: Switched<'_>,
) -> anyhow::Result<Option<SlottedPlan>> {
    if options.circuit.kind != Kind::Slotted {
        return Ok(None);
    }
    let over = Arc::new(switched(&options.fabric)?);
    check_one_route(over.relation(), "a slotted fabric")?;
    time_tables::check_delays(over.topology())?;
    let path = options.fabric.network.unrouted.flows.as_deref();
    let slots = options.circuit.slots;
    let ask = Ask { over: &over, path, name };
    let (frame, reason) = match ask.plan(slots, DEFAULT_CONFLICTS)? {
        Kept::Plan(plan) => return Ok(Some(*plan)),
        Kept::Not(frame, reason) => (frame, reason),
    };
    let has_bandwidths = |flows: &Flows| flows.list().iter().any(|flow| flow.bandwidth.is_some());
    if slots.is_some() || !over.topology().flows().is_some_and(has_bandwidths) {
        bail!("{reason}");
    }
    let most = (frame + MORE_FRAMES).min(MOST_SLOTS);
    for slots in frame + 1..=most {
        if let Kept::Plan(plan) = ask.plan(Some(slots), MORE_CONFLICTS)? {
            return Ok(Some(*plan));
        }
    }
    bail!("{reason}; nor is there a table that keeps it with up to {most} slots");
}

/// Longer frames that are tried where the shortest does not keep what the flows ask for, and conflicts after
/// which the solver gives each of them up.
const MORE_FRAMES: u32 = 64;
const MORE_CONFLICTS: u64 = 1_000;

/// Network, flows and name of a fabric that is asked for.
struct Ask<'a> {
    over: &'a Arc<FabricPlan>,
    /// File of the flows.
    path: Option<&'a Path>,
    name: Option<&'a str>,
}

/// Fabric that keeps what its flows ask for.
enum Kept {
    Plan(Box<SlottedPlan>),
    /// Slots of a frame without such a fabric, and the reason.
    Not(u32, String),
}

impl Ask<'_> {
    /// Fabric of a frame of so many slots, or of the shortest that is found.
    fn plan(&self, slots: Option<u32>, conflicts: u64) -> anyhow::Result<Kept> {
        let Self { over, path, name } = *self;
        let (topology, relation) = (over.topology(), over.relation());
        let messages = match path {
            Some(path) => time_tables::of_flows(path, topology, relation, slots)?,
            None => every_pair(topology),
        };
        let progress = Progress::spinner("walking routes");
        let sent = Sent::new((topology, relation), messages, &progress)?;
        check_size(&sent)?;
        let limits = Limits { conflicts: Some(conflicts), ..Limits::default() };
        let table = match table(&sent, slots, &limits)? {
            Ok(table) => table,
            Err(reason) => return Ok(Kept::Not(slots.unwrap_or(0), reason)),
        };
        let frame = table.frame;
        let label = |terminal| topology.terminal_label(terminal);
        if let Some(ShortFlow { words, bandwidth }) = sent.short_of(frame).into_iter().next() {
            let (source, destination) = (label(words.source), label(words.destination));
            let reason = format!(
                "{source} to {destination} has {} of {frame} slots, and asks for a bandwidth of \
                 {bandwidth}; use another number of --slots, or ask for less",
                words.words
            );
            return Ok(Kept::Not(frame, reason));
        }
        let pairs = sent.routes.pairs.iter().map(|pair| (pair.source, pair.destination));
        let starts: Starts = pairs.zip(table.starts).collect();
        let plan = SlottedPlan::new(Arc::clone(over), frame, &starts, name)?;
        let reason = plan.late().into_iter().next().map(|(flow, most, asked)| {
            let SlottedFlow { source, destination, .. } = flow;
            let (source, destination) = (label(*source), label(*destination));
            format!(
                "a packet of {source} to {destination} may take {most} cycles by the time table of {frame} \
                 slots, and asks for {asked}; use another number of --slots, or ask for more bandwidth or a \
                 longer latency"
            )
        });
        Ok(match reason {
            Some(reason) => Kept::Not(frame, reason),
            None => Kept::Plan(Box::new(plan)),
        })
    }
}

/// Refuses words that no frame holds, and tables that are too large in the shortest, before a search for one.
fn check_size(sent: &Sent<'_>) -> anyhow::Result<()> {
    let least = sent.flows.bound();
    if least > MOST_SLOTS {
        bail!(
            "a channel has {least} words in a frame, and a frame has at most {MOST_SLOTS} slots; send fewer words"
        );
    }
    let is_output = |channel: &&Channel| !matches!(channel, Channel::Inject(_));
    let outputs = sent.routes.channels.iter().filter(is_output).count() as u64;
    Ok(SlottedPlan::check_rows(least, outputs)?)
}

/// One word of every pair.
fn every_pair(topology: &dyn Topology) -> Messages {
    let one = |(source, destination)| Message { source, destination, words: 1 };
    let list = topology.pairs().map(one).collect();
    Messages { name: "every pair".to_owned(), list, slots: Vec::new() }
}

/// Table of a frame of so many slots, or the shortest that is found; or the reason that there is none.
fn table(
    sent: &Sent<'_>,
    slots: Option<u32>,
    limits: &Limits,
) -> anyhow::Result<Result<TimeTable, String>> {
    let Some(slots) = slots else { return Ok(Ok(sent.shortest(limits)?.table)) };
    if slots > MOST_SLOTS {
        bail!("--slots {slots} is out of range; use 1 to {MOST_SLOTS}");
    }
    Ok(match sent.decide(slots, limits)? {
        Frame::Table(table) => Ok(table),
        Frame::None(WhyNone::Bound) => Err(format!(
            "--slots {slots}: a channel has {} words in a frame; use more slots",
            sent.flows.bound()
        )),
        Frame::None(_) => Err(format!("no time table has {slots} slots; use other --slots")),
        Frame::NotDecided => Err(format!(
            "it is not decided whether a time table has {slots} slots; use other --slots"
        )),
    })
}

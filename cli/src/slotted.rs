//! Slotted fabrics of a command line: the network, and a time table of what is to be sent on it.

use crate::circuits::Kind;
use crate::kinds::{KindOptions, Switched};
use crate::messages::Messages;
use crate::options::check_one_route;
use crate::progress::Progress;
use crate::time_tables::{self, DEFAULT_CONFLICTS, Sent, ShortFlow};
use anyhow::bail;
use turnpike_analysis::pattern_load::Message;
use turnpike_network::topology::Topology;
use turnpike_schedule::time_table::TimeTable;
use turnpike_search::solver::Limits;
use turnpike_search::time_table::{Frame, WhyNone};
use turnpike_slotted::plan::Starts;
use turnpike_slotted::{SlottedFlow, SlottedPlan};

/// The slotted fabric that is asked for; `None` where one of another kind is.
///
/// # Errors
/// Those of the network; a relation whose packets have several routes; a frame without a table; flows that
/// have too little of it, or come too late by it.
pub fn plan(
    options: &KindOptions,
    name: Option<&str>,
    switched: Switched<'_>,
) -> anyhow::Result<Option<SlottedPlan>> {
    if options.circuit.kind != Kind::Slotted {
        return Ok(None);
    }
    let over = switched(&options.fabric)?;
    let (topology, relation) = (over.topology(), over.relation());
    check_one_route(relation, "a slotted fabric")?;
    time_tables::check_delays(topology)?;
    let slots = options.circuit.slots;
    let messages = match &options.fabric.network.unrouted.flows {
        Some(path) => time_tables::of_flows(path, topology, relation, slots)?,
        None => every_pair(topology),
    };
    let progress = Progress::spinner("walking routes");
    let sent = Sent::new((topology, relation), messages, &progress)?;
    let table = table(&sent, slots)?;
    if let Some(ShortFlow { words, bandwidth }) = sent.short_of(table.frame).into_iter().next() {
        bail!(
            "{} to {} has {} of {} slots, and asks for a bandwidth of {bandwidth}; use --slots with more than \
             {}, or ask for less",
            topology.terminal_label(words.source),
            topology.terminal_label(words.destination),
            words.words,
            table.frame,
            table.frame
        );
    }
    let pairs = sent.routes.pairs.iter().map(|pair| (pair.source, pair.destination));
    let starts: Starts = pairs.zip(table.starts).collect();
    let plan = SlottedPlan::new(over.clone(), table.frame, &starts, name)?;
    if let Some((flow, most, asked)) = plan.late().into_iter().next() {
        let SlottedFlow { source, destination, .. } = flow;
        bail!(
            "a packet of {} to {} may take {most} cycles by the time table, and asks for {asked}; ask for more \
             bandwidth, so that its slots come more often, or for a longer latency",
            topology.terminal_label(*source),
            topology.terminal_label(*destination)
        );
    }
    Ok(Some(plan))
}

/// One word of every pair.
fn every_pair(topology: &dyn Topology) -> Messages {
    let one = |(source, destination)| Message { source, destination, words: 1 };
    let list = topology.pairs().map(one).collect();
    Messages { name: "every pair".to_owned(), list, slots: Vec::new() }
}

/// Table of a frame of so many slots, or the shortest that is found.
fn table(sent: &Sent<'_>, slots: Option<u32>) -> anyhow::Result<TimeTable> {
    let limits = Limits { conflicts: Some(DEFAULT_CONFLICTS), ..Limits::default() };
    let Some(slots) = slots else { return Ok(sent.shortest(&limits)?.table) };
    match sent.decide(slots, &limits)? {
        Frame::Table(table) => Ok(table),
        Frame::None(WhyNone::Bound) => bail!(
            "--slots {slots}: a channel has {} words in a frame; use at least as many slots",
            sent.flows.bound()
        ),
        Frame::None(_) => {
            bail!("no time table has {slots} slots; use other --slots, or leave it out")
        }
        Frame::NotDecided => bail!(
            "it is not decided whether a time table has {slots} slots; use other --slots, or leave it out"
        ),
    }
}

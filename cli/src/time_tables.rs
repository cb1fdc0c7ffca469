//! Time tables of a routed network: what is to be sent, the search for the slots in which it starts, and
//! the check of what was found.

use crate::messages::{Messages, no_frame};
use crate::progress::Progress;
use anyhow::{Context, anyhow, ensure};
use std::path::Path;
use turnpike_analysis::pattern_load::Message;
use turnpike_analysis::pattern_routes::{self, PatternRoutes};
use turnpike_network::flows::{self as network_flows, Bandwidth};
use turnpike_network::routing::Relation;
use turnpike_network::topology::Topology;
use turnpike_schedule::time_table::{Flow, Flows, TimeTable};
use turnpike_search::solver::Limits;
use turnpike_search::time_table::check::{Start, check};
use turnpike_search::time_table::{Frame, Short, decide, short};

/// Conflicts after which the solver gives a frame up, where none are said.
pub const DEFAULT_CONFLICTS: u64 = 20_000;

/// Words that are to be sent, each on its route.
pub struct Sent<'a> {
    topology: &'a dyn Topology,
    relation: &'a Relation,
    /// Messages to be sent.
    pub messages: Messages,
    /// Routes of the messages.
    pub routes: PatternRoutes,
    /// The routes as lists of channels alone.
    pub flows: Flows,
}

/// Flow that asks for more than its words come to.
pub struct ShortFlow {
    /// The words of the flow.
    pub words: Message,
    /// Words per slot that it asks for.
    pub bandwidth: Bandwidth,
}

/// Refuses channels that take more than a cycle.
///
/// # Errors
/// A link with registers.
pub fn check_delays(topology: &dyn Topology) -> anyhow::Result<()> {
    ensure!(
        topology.most_delay() == 0,
        "a time table is for channels that take a cycle each, and links of this network have up to {} \
         registers; leave 'delay' out of its file",
        topology.most_delay()
    );
    Ok(())
}

/// Words of the flows that a network is for, on their routes: those of a frame of `slots`, or of the shortest
/// that holds them.
///
/// # Errors
/// A route that does not arrive; a channel for which no frame is long enough.
pub fn of_flows(
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

impl<'a> Sent<'a> {
    /// Walks the routes of the messages.
    ///
    /// # Errors
    /// A route that does not arrive; more words than a time table has.
    pub fn new(
        (topology, relation): (&'a dyn Topology, &'a Relation),
        messages: Messages,
        progress: &Progress,
    ) -> anyhow::Result<Self> {
        progress.message(format!("walking {} routes", messages.list.len()));
        let routes = pattern_routes::routes(topology, relation, &messages.list)?;
        let flow = |pair: &pattern_routes::PairRoute| Flow {
            route: pair.route.clone(),
            words: pair.words,
        };
        let flows =
            Flows::new(routes.channels.len() as u32, routes.pairs.iter().map(flow).collect())
                .map_err(|error| anyhow!("{error}; send fewer words, or use a smaller network"))?;
        progress.message(format!("a time table of {}", messages.name));
        Ok(Self { topology, relation, messages, routes, flows })
    }

    /// The shortest table that is found, checked.
    ///
    /// # Errors
    /// A table that would be too large.
    pub fn shortest(&self, limits: &Limits) -> anyhow::Result<Short> {
        let found = short(&self.flows, limits)
            .map_err(|error| anyhow!("{error}; send fewer words, or use a smaller network"))?;
        self.check(&found.table)?;
        Ok(found)
    }

    /// Verdict on a frame of so many slots; a table is checked.
    ///
    /// # Errors
    /// A frame of none, or one that would be too large.
    pub fn decide(&self, slots: u32, limits: &Limits) -> anyhow::Result<Frame> {
        let frame =
            decide(&self.flows, slots, limits).with_context(|| format!("--slots {slots}"))?;
        if let Frame::Table(table) = &frame {
            self.check(table)?;
        }
        Ok(frame)
    }

    /// Has the table checked by what shares nothing with the finding.
    fn check(&self, table: &TimeTable) -> anyhow::Result<()> {
        let starts = self.routes.pairs.iter().zip(&table.starts).flat_map(|(pair, starts)| {
            let (source, destination) = (pair.source, pair.destination);
            starts.iter().map(move |&slot| Start { source, destination, slot })
        });
        check(self.topology, self.relation, &self.messages.list, table.frame, starts)
            .context("internal error: a wrong time table")
    }

    /// The flows that ask for more than their words come to in a frame.
    pub fn short_of(&self, frame: u32) -> Vec<ShortFlow> {
        let Some(flows) = self.topology.flows() else { return Vec::new() };
        let short = |message: &Message| {
            let bandwidth = flows.between(message.source, message.destination)?.bandwidth?;
            let sent = u64::from(message.words) * Bandwidth::WHOLE.0;
            (sent < bandwidth.0 * u64::from(frame))
                .then_some(ShortFlow { words: *message, bandwidth })
        };
        self.messages.list.iter().filter_map(short).collect()
    }
}

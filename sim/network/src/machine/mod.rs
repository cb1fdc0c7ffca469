//! The machine of steps: every packet is at its source in step 0, every channel between switches moves
//! one packet in each step, and packets that want the same channel wait in a queue without bound (Routing
//! in a Parallel Computer; Valiant and Brebner, Universal schemes for parallel communication, STOC 1981).
//!
//! It is a model for theorems, not of the hardware: queues have no bound, virtual channels do not count,
//! and packets enter and leave the network in no time.

mod permuted;
mod queues;
mod report;
mod routes;
mod shared;
mod steps;

pub use report::{Figure, MachineReport, PhaseBounds, RunReport, Summary};
pub use routes::{Routes, Spans};
pub use shared::{Meetings, meetings};

use crate::traffic::random::Random;
use queues::Queues;
use report::PhaseRoutes;
use schemars::JsonSchema;
use serde::Serialize;
use steps::deliver;
use turnpike_network::routing::Relation;
use turnpike_network::routing::walk::RouteError;
use turnpike_network::topology::{Terminal, Topology};

/// Most packets of a run.
pub const MOST_PACKETS: u32 = 1 << 20;

/// Order of the packets that wait for a channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Queueing {
    /// Order of arrival; of packets that came in one step, the one of the lowest number first.
    #[default]
    FirstCome,
    /// Order of the channels still to go, most first, with a barrier in this phase; of equals in
    /// the order of arrival.
    FarthestFirst,
}

/// Draws of the intermediate terminals of two phases.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Drawn {
    /// Draws for each packet by itself, as in hardware.
    #[default]
    Independent,
    /// Random permutation of the terminals for the first packets of all sources, as step 1 of the
    /// lecture says, another for their second packets, and so on.
    Permutation,
}

/// Rules of the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rules {
    /// Order of the packets that wait for a channel.
    pub queueing: Queueing,
    /// Whether no packet begins its second phase before all have ended their first.
    pub barrier: bool,
    /// Draws of the intermediate terminals.
    pub drawn: Drawn,
}

/// A packet: its number is its place in the list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Packet {
    /// Terminal at which the packet is in step 0.
    pub source: Terminal,
    /// Terminal to which it goes.
    pub destination: Terminal,
}

/// Reason that the machine cannot run.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum MachineError {
    /// Packets choose their way by what the queues hold.
    #[error(
        "packets choose their way under '{0}'; the machine of steps needs routes that are known when a \
         packet leaves its source"
    )]
    Choices(String),
    /// A barrier between phases where there are none.
    #[error("routing '{0}' has no two phases for a barrier to stand between")]
    NoPhases(String),
    /// A permutation of intermediate terminals where sources do not all draw from all of them.
    #[error(
        "packets of routing '{0}' do not go first to a terminal that each source draws from all, so \
         there is no permutation of them to draw"
    )]
    NoPermutation(String),
    /// More packets than a run has.
    #[error("{0} packets are too many for the machine of steps; there may be {MOST_PACKETS}")]
    Packets(usize),
    /// A route that does not arrive.
    #[error(transparent)]
    Route(#[from] RouteError),
}

/// The machine of a topology and a relation. Serves any number of runs.
pub struct Machine<'a> {
    topology: &'a dyn Topology,
    relation: &'a Relation,
    rules: Rules,
    queues: Queues,
}

/// A run: its figures, and what each packet did.
#[derive(Clone, PartialEq, Debug)]
pub struct Run {
    /// The figures.
    pub report: RunReport,
    /// The routes that were drawn.
    pub routes: Routes,
    /// The step in which each packet arrived, 0 for one that is where it goes.
    pub arrivals: Vec<u32>,
}

impl<'a> Machine<'a> {
    /// The machine.
    ///
    /// # Errors
    /// A relation whose packets choose; a barrier where there are no phases.
    pub fn new(
        topology: &'a dyn Topology,
        relation: &'a Relation,
        rules: Rules,
    ) -> Result<Self, MachineError> {
        if relation.choices().is_some() {
            return Err(MachineError::Choices(relation.name().to_owned()));
        }
        if rules.barrier && relation.second_phase().is_none() {
            return Err(MachineError::NoPhases(relation.name().to_owned()));
        }
        if rules.drawn == Drawn::Permutation && !permuted::can_be(topology, relation) {
            return Err(MachineError::NoPermutation(relation.name().to_owned()));
        }
        let queues = Queues::new(routes::links(topology));
        Ok(Self { topology, relation, rules, queues })
    }

    /// Bytes of a run of so many packets, about, on this topology.
    pub fn bytes(topology: &dyn Topology, packets: u64) -> u64 {
        /// Channels of a route and what is kept for each: a generous mean.
        const ROUTE: u64 = 64 * 16;
        routes::links(topology) as u64 * 32 + packets * ROUTE
    }

    /// Runs these packets, their routes drawn by the generator of `seed`.
    ///
    /// # Errors
    /// Too many packets; a route that does not arrive.
    pub fn run(&mut self, packets: &[Packet], seed: u64) -> Result<Run, MachineError> {
        if packets.len() > MOST_PACKETS as usize {
            return Err(MachineError::Packets(packets.len()));
        }
        // A stream of its own: routes do not depend on how destinations are drawn.
        let mut random = Random::new(seed ^ u64::from_be_bytes(*b"machine!"));
        let draws = match self.rules.drawn {
            Drawn::Independent => routes::independent(self.relation, packets, &mut random),
            Drawn::Permutation => {
                permuted::draws(self.topology, self.relation, packets, &mut random)
            }
        };
        let routes = Routes::of(self.topology, self.relation, packets, &draws)?;
        let links = routes::links(self.topology);
        let queueing = self.rules.queueing;
        let parts = match self.rules.barrier {
            true => vec![routes.first(), routes.second()],
            false => vec![routes.whole()],
        };
        let ends = routes.phase_ends();
        let mut arrivals = vec![0; packets.len()];
        let (mut found, mut before) = (Vec::new(), 0);
        for spans in parts {
            let delivery = deliver(&mut self.queues, spans, queueing, ends);
            let moving = (0..packets.len()).filter(|&packet| spans.length(packet) > 0);
            moving.for_each(|packet| arrivals[packet] = before + delivery.arrivals[packet]);
            before += delivery.steps;
            found.push(PhaseRoutes::new(spans, links, delivery));
        }
        let channels = self.topology.channels();
        let has_phases = self.relation.second_phase().is_some();
        let report = RunReport::new(seed, &routes, &found, has_phases, channels);
        Ok(Run { report, routes, arrivals })
    }
}

//! Questions about routes of flows.

use super::reach::Reach;
use crate::named;
use std::collections::BTreeMap;
use turnpike_base::bits::bits_for;
use turnpike_network::flows::{Bandwidth, Flows};
use turnpike_network::routing::MAX_VCS;
use turnpike_network::routing::source::{MOST_HEADER_BITS, port_bits};
use turnpike_network::topology::{Node, Port, Terminal, Topology};

/// Most channels that a route may have beyond the distance.
pub const MOST_DETOUR: u32 = 8;

/// Measure that is to be least.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Measure {
    /// Flits per cycle over the channel that flows load most, in billionths.
    MaxLoad,
    /// Data inputs of the multiplexers of all switches: a multiplexer of one input is a wire, and has
    /// none.
    MultiplexerInputs,
    /// Queues of channels: one for each virtual channel of each channel that a route takes.
    Queues,
    /// Virtual channels of all message classes together.
    Vcs,
}

impl Measure {
    /// Each with its name on the command line.
    pub const ALL: [(Self, &str); 4] = [
        (Self::MaxLoad, "max-load"),
        (Self::MultiplexerInputs, "multiplexer-inputs"),
        (Self::Queues, "queues"),
        (Self::Vcs, "vcs"),
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        named::name(&Self::ALL, self)
    }
}

impl std::str::FromStr for Measure {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        named::parse(&Self::ALL, text)
    }
}

/// A channel of the network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Channel {
    /// Switch that it leaves.
    pub from: Node,
    /// Output port by which it leaves.
    pub port: Port,
    /// Switch that it arrives at.
    pub to: Node,
}

/// The flows of one message class between two terminals of the network, which share a route.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stream {
    /// Number of the message class; 0 where there are none.
    pub class: usize,
    /// The flows: the streams by which their packets enter and leave.
    pub flows: Vec<(Terminal, Terminal)>,
}

/// A pair of terminals whose packets take one route.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Demand {
    /// Terminals of the topology without concentration.
    pub pair: (Terminal, Terminal),
    /// Switch where the packets enter.
    pub from: Node,
    /// Switch where they leave.
    pub to: Node,
    /// Billionths of a flit per cycle, of all flows together.
    pub load: u64,
    /// The flows, by message class.
    pub streams: Vec<Stream>,
}

/// Question about routes: one for each demand.
#[derive(Clone, Debug)]
pub struct Question {
    /// Channels of the network, by their switch, then port.
    pub channels: Vec<Channel>,
    /// Pairs that have flows, by source, then destination.
    pub demands: Vec<Demand>,
    /// Channels that the route of each demand may take.
    pub reach: Vec<Reach>,
    /// Number of message classes, at least 1.
    pub classes: usize,
    /// Channels that a route may have beyond the distance.
    pub detour: u32,
    /// The most of each measure; of virtual channels always.
    pub bounds: BTreeMap<Measure, u64>,
    /// Bits of a hop in a header, on one virtual channel.
    port_bits: u32,
    /// Hops of a header beside those over channels: 1 where a switch has several eject ports.
    ejects: u32,
}

/// A question that cannot be asked.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum QuestionError {
    /// A detour that is too long.
    #[error("design: a detour of {0} channels is out of range; use 0 to {MOST_DETOUR}")]
    Detour(u32),
    /// Fewer virtual channels than message classes, or too many.
    #[error(
        "design: {vcs} virtual channels for {classes} message class{}; use {classes} to {MAX_VCS}",
        if *.classes == 1 { "" } else { "es, which take one each at least" }
    )]
    Vcs {
        /// Virtual channels asked for.
        vcs: u64,
        /// Number of classes.
        classes: usize,
    },
    /// Routes that no header holds.
    #[error(
        "design: routes of up to {longest} channels take {bits} bits in a packet's header, which has at \
             most {MOST_HEADER_BITS}; use a smaller network or fewer virtual channels"
    )]
    Header {
        /// Channels of the longest route.
        longest: u32,
        /// Bits of its header.
        bits: u32,
    },
    /// No path.
    #[error("design: there is no path from {from} to {to}; leave the flow out, or add a link")]
    NoPath {
        /// Label of the source.
        from: String,
        /// Label of the destination.
        to: String,
    },
}

impl Question {
    /// Question for routes of `flows` on a topology that has one terminal in each place, where each
    /// place has so many terminals of the flows: a power of two. One virtual channel for each message
    /// class, and where flows have bandwidths no more on a channel than it carries.
    ///
    /// # Errors
    /// [`QuestionError`].
    pub fn new(
        topology: &dyn Topology,
        flows: &Flows,
        concentration: u32,
        detour: u32,
    ) -> Result<Self, QuestionError> {
        if detour > MOST_DETOUR {
            return Err(QuestionError::Detour(detour));
        }
        let ports = |from: Node| {
            (0..topology.ports()).map(Port).filter_map(move |port| {
                let (to, _) = topology.channel(from, port)?;
                Some(Channel { from, port, to })
            })
        };
        let channels: Vec<Channel> = topology.all_nodes().flat_map(ports).collect();
        let demands = demands(topology, flows, concentration);
        let distances: Vec<Vec<u32>> =
            topology.all_nodes().map(|node| topology.distances(node)).collect();
        let reach = demands.iter().map(|demand| {
            Reach::of(&channels, &distances, demand, detour).ok_or_else(|| {
                let label = |terminal| topology.terminal_label(terminal);
                let (from, to) = (label(demand.pair.0), label(demand.pair.1));
                QuestionError::NoPath { from, to }
            })
        });
        let reach = reach.collect::<Result<Vec<_>, _>>()?;
        let classes = flows.classes().len().max(1);
        let mut bounds = BTreeMap::from([(Measure::Vcs, classes as u64)]);
        if flows.have_bandwidths() {
            bounds.insert(Measure::MaxLoad, Bandwidth::WHOLE.0);
        }
        // The last hop takes one of several eject ports.
        let ejects = topology.sinks().filter_map(|sink| topology.sink(sink)).any(|(_, l)| l.0 > 0);
        let (port_bits, ejects) = (port_bits(topology), u32::from(ejects));
        let question =
            Self { channels, demands, reach, classes, detour, bounds, port_bits, ejects };
        question.with_headers()
    }

    /// The question with `measure` at most `most`.
    ///
    /// # Errors
    /// [`QuestionError::Vcs`].
    pub fn with(mut self, measure: Measure, most: u64) -> Result<Self, QuestionError> {
        let classes = self.classes;
        if measure == Measure::Vcs && !(classes as u64..=u64::from(MAX_VCS)).contains(&most) {
            return Err(QuestionError::Vcs { vcs: most, classes });
        }
        self.bounds.insert(measure, most);
        if measure == Measure::Vcs { self.with_headers() } else { Ok(self) }
    }

    /// The question with routes that a header has room for, and no longer than they were: what is known of
    /// routes holds with fewer virtual channels, too.
    fn with_headers(mut self) -> Result<Self, QuestionError> {
        let digit = self.port_bits + bits_for(self.layers() as u32);
        let most = (MOST_HEADER_BITS / digit.max(1)).saturating_sub(self.ejects);
        let longest = self.reach.iter().map(|reach| reach.shortest).max().unwrap_or(0);
        if longest > most {
            let bits = (longest + self.ejects) * digit;
            return Err(QuestionError::Header { longest, bits });
        }
        for reach in &mut self.reach {
            reach.longest = reach.longest.min(most);
        }
        Ok(self)
    }

    /// The most channels of a route, where a header has no room for some that the detour allows.
    pub fn most_channels(&self) -> Option<u32> {
        let cut = |reach: &&Reach| reach.longest < reach.shortest + self.detour;
        self.reach.iter().find(cut).map(|reach| reach.longest)
    }

    /// Virtual channels that a class can have, where the others have one each.
    pub fn layers(&self) -> usize {
        self.vcs() as usize - (self.classes - 1)
    }

    /// The most virtual channels of all classes together.
    pub fn vcs(&self) -> u64 {
        self.bounds[&Measure::Vcs]
    }
}

/// The demands of flows.
fn demands(topology: &dyn Topology, flows: &Flows, concentration: u32) -> Vec<Demand> {
    let bits = concentration.ilog2();
    let place = |stream: Terminal| Terminal(flows.address(stream).0 >> bits);
    let mut demands: BTreeMap<(Terminal, Terminal), Demand> = BTreeMap::new();
    for (flow, share) in flows.list().iter().zip(flows.shares()) {
        let pair = (place(flow.source), place(flow.destination));
        let (Some((from, _)), Some((to, _))) = (topology.source(pair.0), topology.sink(pair.1))
        else {
            continue;
        };
        let new = || Demand { pair, from, to, load: 0, streams: Vec::new() };
        let demand = demands.entry(pair).or_insert_with(new);
        demand.load += share.0;
        let class = flows.class_of(flow.source);
        let ends = (flow.source, flow.destination);
        match demand.streams.iter_mut().find(|stream| stream.class == class) {
            Some(stream) => stream.flows.push(ends),
            None => demand.streams.push(Stream { class, flows: vec![ends] }),
        }
    }
    demands.into_values().collect()
}

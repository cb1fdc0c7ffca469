//! Terminals that send and terminals that take packets: patterns speak of both by number, those
//! that failed or have no such port left out.

use turnpike_analysis::patterns::Places;
use turnpike_network::flows::{Flow, MessageClass};
use turnpike_network::topology::{Terminal, Topology};

/// The terminals that send and those that take packets, ascending.
#[derive(Clone, Debug)]
pub struct Ends {
    /// All terminals, those that do neither with them.
    pub terminals: u32,
    /// Terminals that send.
    pub sources: Vec<u32>,
    /// Terminals that take packets.
    pub sinks: Vec<u32>,
    /// Places of the sources, each with a sink of its own.
    pub places: Places,
    /// Flows between them, ascending by source; `None` where each source sends to every sink.
    pub flows: Option<Vec<Flow>>,
    /// Message classes of the flows; none where all messages are alike.
    pub classes: Vec<ClassEnds>,
}

/// Sources of a message class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClassEnds {
    /// Name of the class.
    pub name: String,
    /// Terminals that send messages of the class, ascending: streams of their own.
    pub sources: Vec<u32>,
}

/// A flow of a message class, and that of the replies to its packets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer {
    /// Flow of the requests.
    pub request: Flow,
    /// Flow of the replies, of a class that comes after.
    pub reply: Flow,
}

impl Answer {
    /// The flows of a network whose packets can be answered.
    pub fn all(topology: &dyn Topology) -> Vec<Self> {
        let (Some(flows), Some(live)) = (topology.flows(), topology.live_flows()) else {
            return Vec::new();
        };
        let answer = |&request: &Flow| {
            let reply = *flows.reply_to(&request)?;
            topology.source(reply.source).and(topology.sink(reply.destination))?;
            Some(Self { request, reply })
        };
        live.iter().filter_map(answer).collect()
    }
}

/// A source, as patterns see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sender {
    /// Index of the source among the sources.
    pub number: u32,
    /// Index of the source among the sinks, where it is one.
    pub itself: Option<u32>,
}

impl Ends {
    /// `terminals` terminals that all do both.
    pub fn all(terminals: u32) -> Self {
        let all = || (0..terminals).collect();
        Self {
            terminals,
            sources: all(),
            sinks: all(),
            places: Places::row(terminals),
            flows: None,
            classes: Vec::new(),
        }
    }

    /// Ends of a network.
    pub fn of(topology: &dyn Topology) -> Self {
        let sources: Vec<u32> = topology.sources().map(|terminal| terminal.0).collect();
        let classes = topology.flows().map_or_else(Vec::new, |flows| {
            let class = |(at, class): (usize, &MessageClass)| {
                let own = |source: &&u32| flows.class_of(Terminal(**source)) == at;
                let sources = sources.iter().filter(own).copied().collect();
                ClassEnds { name: class.name.clone(), sources }
            };
            flows.classes().iter().enumerate().map(class).collect()
        });
        Self {
            classes,
            terminals: topology.terminals(),
            places: Places::of(topology, sources.len() as u32),
            sources,
            sinks: topology.sinks().map(|terminal| terminal.0).collect(),
            flows: topology.live_flows(),
        }
    }

    /// Terminals of a network that both send and take packets: requests go from one of these to
    /// another, so that each can be answered. The other terminals are silent. Of a network for flows, those
    /// flows that [`Answer::all`] answers.
    pub fn answering(topology: &dyn Topology) -> Self {
        if topology.flows().is_some() {
            let flows = Answer::all(topology).into_iter().map(|answer| answer.request).collect();
            return Self { flows: Some(flows), ..Self::of(topology) };
        }
        let both: Vec<u32> = topology
            .sources()
            .filter(|&terminal| topology.sink(terminal).is_some())
            .map(|terminal| terminal.0)
            .collect();
        Self {
            terminals: topology.terminals(),
            places: Places::of(topology, both.len() as u32),
            sources: both.clone(),
            sinks: both,
            flows: None,
            classes: Vec::new(),
        }
    }

    /// The sources, in order.
    pub fn senders(&self) -> impl Iterator<Item = Sender> {
        (0..).zip(&self.sources).map(|(number, &terminal)| {
            let itself = self.sink(terminal);
            Sender { number, itself }
        })
    }

    /// The place of a terminal among the sinks.
    pub fn sink(&self, terminal: u32) -> Option<u32> {
        self.sinks.binary_search(&terminal).ok().map(|place| place as u32)
    }
}

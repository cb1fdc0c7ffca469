//! Load of a pattern of messages on each channel, under a relation without choices. Where packets
//! draw, loads are means over all draws.

use crate::expected::Expected;
use rustc_hash::FxHashMap;
use turnpike_network::routing::walk::{RouteError, Step, route};
use turnpike_network::routing::{Input, Output, Relation};
use turnpike_network::topology::{Node, Port, Terminal, Topology};

/// Most routes, messages times draws, that a load is to be asked of: some minutes.
pub const MOST_ROUTES: u64 = 1 << 22;

/// A message: who sends how many words to whom.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Message {
    /// Source of the message.
    pub source: Terminal,
    /// Destination of the message.
    pub destination: Terminal,
    /// Number of words, 1 or more.
    pub words: u32,
}

/// The load of a pattern, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PatternLoad {
    /// Use of the channels between switches.
    pub links: Use<(Node, Port)>,
    /// Use of the crosspoints of switches, terminals' included: the edges of a multistage network
    /// as a graph of rows.
    pub edges: Use<(Node, Input, Output)>,
    /// By switch on the route, from the first: the channels by which packets leave it, and the
    /// crosspoints that they take there. In a multistage network these are the stages.
    pub steps: Vec<StepUse>,
}

/// Use of one kind of places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Use<Place> {
    /// Number of places that some word uses.
    pub used: u64,
    /// Most words that use one.
    pub most: Expected,
    /// The first of those places; `None` where no word uses any.
    pub busiest: Option<Place>,
    /// The messages that meet there, in order.
    pub meeting: Vec<Message>,
}

/// Use of the places of one step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StepUse {
    /// Channels in use.
    pub links_used: u64,
    /// Most words on one.
    pub max_link_load: Expected,
    /// Crosspoints in use.
    pub edges_used: u64,
    /// Most words on one.
    pub max_edge_load: Expected,
}

/// The load of these messages. Walks each one's unlike routes twice: memory for the places in use, not for
/// the routes.
///
/// # Errors
/// [`RouteError`] for a route that does not arrive.
pub fn load(
    topology: &dyn Topology,
    relation: &Relation,
    messages: &[Message],
) -> Result<PatternLoad, RouteError> {
    let mut links: FxHashMap<(u32, (Node, Port)), u64> = FxHashMap::default();
    let mut edges: FxHashMap<(u32, (Node, Input, Output)), u64> = FxHashMap::default();
    let drawn = || {
        messages.iter().flat_map(|&message| {
            let unlike = relation.unlike_draws(message.source, message.destination);
            unlike.map(move |(draw, alike)| (message, draw, alike))
        })
    };
    for (message, draw, alike) in drawn() {
        let steps = route(topology, relation, message.source, message.destination, draw)?;
        for (step, at) in steps.iter().zip(0..) {
            let words = u64::from(message.words) * u64::from(alike);
            *edges.entry((at, edge(step))).or_default() += words;
            if let Some(link) = link(step) {
                *links.entry((at, link)).or_default() += words;
            }
        }
    }
    let mut steps: Vec<StepUse> = Vec::new();
    let mut step = |at: u32, count: &dyn Fn(&mut StepUse)| {
        let wanted = (at as usize + 1).max(steps.len());
        steps.resize(wanted, StepUse::default());
        count(&mut steps[at as usize]);
    };
    let mean = |words: u64| Expected::over(words, relation.draw_count().into());
    for (&(at, _), &words) in &links {
        step(at, &|s| {
            s.links_used += 1;
            s.max_link_load = s.max_link_load.max(mean(words));
        });
    }
    for (&(at, _), &words) in &edges {
        step(at, &|s| {
            s.edges_used += 1;
            s.max_edge_load = s.max_edge_load.max(mean(words));
        });
    }
    let mut load = PatternLoad { links: of(links, mean), edges: of(edges, mean), steps };
    for (message, draw, _) in drawn() {
        for step in route(topology, relation, message.source, message.destination, draw)? {
            if link(&step).is_some_and(|link| load.links.busiest == Some(link)) {
                load.links.meeting.push(message);
            }
            if load.edges.busiest == Some(edge(&step)) {
                load.edges.meeting.push(message);
            }
        }
    }
    // A message once, whatever it draws.
    load.links.meeting.dedup();
    load.edges.meeting.dedup();
    Ok(load)
}

fn link(step: &Step) -> Option<(Node, Port)> {
    match step.hop.output {
        Output::Network(port) => Some((step.node, port)),
        Output::Eject(_) => None,
    }
}

fn edge(step: &Step) -> (Node, Input, Output) {
    (step.node, step.input, step.hop.output)
}

/// The use of places, whichever step they are used in.
fn of<Place: Copy + Ord + std::hash::Hash>(
    by_step: FxHashMap<(u32, Place), u64>,
    mean: impl Fn(u64) -> Expected,
) -> Use<Place> {
    let mut places: FxHashMap<Place, u64> = FxHashMap::default();
    for ((_, place), words) in by_step {
        *places.entry(place).or_default() += words;
    }
    let most = places.values().copied().max().unwrap_or(0);
    let busiest = places.iter().filter(|(_, words)| **words == most).map(|(place, _)| *place).min();
    Use { used: places.len() as u64, most: mean(most), busiest, meeting: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::Network;
    use crate::properties::Properties;
    use turnpike_network::topology::Shape;

    /// One word from each terminal to each: the loads that the property of balance finds another
    /// way, step by step too.
    #[test]
    fn all_pairs_load_channels_as_the_property_says() {
        let mesh: Shape = "4x3".parse().unwrap();
        for network in [
            Network::new("hypercube", 4, Some("rotation"), None).unwrap(),
            Network::new("mesh", mesh, None, None).unwrap(),
        ] {
            let topology = network.topology();
            let pairs = topology.sources().flat_map(|s| topology.sinks().map(move |t| (s, t)));
            let message = |(source, destination)| Message { source, destination, words: 1 };
            let messages: Vec<Message> = pairs.map(message).collect();
            let load = load(topology, network.relation(), &messages).unwrap();
            let balance = Properties::of(&network).0.balance;
            assert_eq!(load.links.most, balance.total.most.packets);
            assert_eq!(load.links.used, topology.channels());
            assert_eq!(load.links.most, load.links.meeting.len() as u64);
            let steps: Vec<Expected> = load.steps.iter().map(|step| step.max_link_load).collect();
            let wanted: Vec<Expected> =
                balance.per_step.iter().map(|s| s.load.most.packets).collect();
            assert_eq!(steps[..wanted.len()], wanted);
            let ejected = load.steps.iter().map(|step| step.edges_used).sum::<u64>();
            assert!(ejected >= load.edges.used);
        }
    }

    /// Words count, not messages.
    #[test]
    fn words_add_up() {
        let network = Network::new("hypercube", 2, None, None).unwrap();
        let message = |source, destination, words| Message {
            source: Terminal(source),
            destination: Terminal(destination),
            words,
        };
        let messages = [message(0, 1, 3), message(0, 3, 4), message(2, 2, 9)];
        let load = load(network.topology(), network.relation(), &messages).unwrap();
        assert_eq!((load.links.used, load.links.most), (2, 7.into()));
        assert_eq!(load.links.busiest, Some((Node(0), Port(0))));
        assert_eq!(load.links.meeting, messages[..2]);
        assert_eq!((load.edges.most, load.edges.used), (9.into(), 5));
    }
}

//! Message classes on virtual channels that they share: what packets hold while they wait for each
//! other, through the terminals. A terminal that takes a message of one class may be waiting until it
//! has sent one of a class after it, which may then stand behind others of the first.

use crate::deadlock::shortest_cycle;
use crate::network::Network;
use crate::states::every_step;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::BTreeMap;
use turnpike_network::flows::MessageClass;
use turnpike_network::routing::{Input, Output, Vc};
use turnpike_network::topology::{Node, Port, Terminal, Topology};

/// Queue or terminal that a message holds while it waits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Held {
    /// A channel, by the node that it leaves, its port and virtual channel.
    Channel(Node, Port, Vc),
    /// The stream of a class, by number, from a terminal into the network.
    Sends(usize, Terminal),
    /// The stream of a class, by number, from the network to a terminal.
    Takes(usize, Terminal),
}

/// A message that holds something and waits for what the next one holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Waiting {
    /// Queue or terminal that it holds.
    pub held: Held,
    /// Number of the message class.
    pub class: usize,
    /// Terminal that sends it.
    pub source: Terminal,
    /// Terminal that it is for.
    pub destination: Terminal,
}

/// A shortest circle in which messages of these classes can wait for each other, where class i goes by the
/// routes of `networks[i]`, on virtual channels that all share. With `one_stream` each terminal has one
/// stream in and one out, for all classes. `None` where there is no such circle.
///
/// Where packets may leave adaptive channels by escape channels, the circle is one of escape channels.
pub fn circle(
    classes: &[MessageClass],
    networks: &[&Network],
    one_stream: bool,
) -> Option<Vec<Waiting>> {
    let mut waits = Waits::default();
    let stream = |class: usize| if one_stream { 0 } else { class };
    for (class, network) in networks.iter().enumerate() {
        waits.on_routes(class, stream(class), network);
    }
    for (later, class) in classes.iter().enumerate() {
        for &earlier in &class.after {
            let [taken, sent] = [earlier, later].map(|class| networks[class].topology());
            for source in sent.sources().filter(|&terminal| taken.sink(terminal).is_some()) {
                let Some(destination) = sent.destinations(source).next() else { continue };
                let held = Held::Takes(stream(earlier), source);
                let why = Waiting { held, class: later, source, destination };
                waits.add(why, Held::Sends(stream(later), source));
            }
        }
    }
    let cycle = shortest_cycle(&waits.graph)?;
    let ends = cycle.iter().zip(cycle.iter().cycle().skip(1));
    let edge = |(&from, &to)| waits.graph.find_edge(from, to).map(|edge| waits.graph[edge]);
    ends.map(edge).collect()
}

/// The graph of what is held and waited for; an edge says which message does both.
#[derive(Default)]
struct Waits {
    graph: DiGraph<Held, Waiting>,
    index: BTreeMap<Held, NodeIndex>,
}

impl Waits {
    fn vertex(&mut self, held: Held) -> NodeIndex {
        *self.index.entry(held).or_insert_with(|| self.graph.add_node(held))
    }

    /// A message that waits for something.
    fn add(&mut self, waiting: Waiting, awaited: Held) {
        let [from, to] = [waiting.held, awaited].map(|held| self.vertex(held));
        if self.graph.find_edge(from, to).is_none() {
            self.graph.add_edge(from, to, waiting);
        }
    }

    /// Waits of the messages of a class on their routes.
    fn on_routes(&mut self, class: usize, stream: usize, network: &Network) {
        let (topology, relation) = (network.topology(), network.relation());
        let entering = network.all_entering();
        let visited = every_step(topology, relation, network.symmetry(), |source, to, _, step| {
            let held = match step.input {
                Input::Inject(_) => Some(Held::Sends(stream, source)),
                Input::Network(_) if !relation.is_numbered(step.vc) => None,
                Input::Network(input) => entering
                    .channel(step.node, input)
                    .map(|(from, port)| Held::Channel(from, port, step.vc)),
            };
            let awaited = match step.hop.output {
                Output::Eject(_) => Some(Held::Takes(stream, to)),
                Output::Network(_) if !relation.is_numbered(step.hop.vc) => None,
                Output::Network(port) => Some(Held::Channel(step.node, port, step.hop.vc)),
            };
            if let (Some(held), Some(awaited)) = (held, awaited) {
                self.add(Waiting { held, class, source, destination: to }, awaited);
            }
        });
        debug_assert!(visited.is_ok(), "the routes of a network arrive");
    }
}

/// A circle in words: `2_1 takes request -> 2_1 sends reply to 0_0 -> reply of 2_1 to 0_0 by x_minus
/// of 2_1 -> ...`, with its beginning again at the end.
pub fn in_words(topology: &dyn Topology, classes: &[MessageClass], circle: &[Waiting]) -> String {
    let words = |waiting: &Waiting| {
        let [source, to] =
            [waiting.source, waiting.destination].map(|terminal| topology.terminal_label(terminal));
        let name = |class: usize| classes.get(class).map_or("", |class| class.name.as_str());
        let own = name(waiting.class);
        match waiting.held {
            Held::Takes(class, terminal) => {
                format!("{} takes {}", topology.terminal_label(terminal), name(class))
            }
            Held::Sends(..) => format!("{source} sends {own} to {to}"),
            Held::Channel(node, port, _) => {
                let (port, node) = (topology.port_name(port), topology.label(node));
                format!("{own} of {source} to {to} by {port} of {node}")
            }
        }
    };
    let steps: Vec<String> = circle.iter().chain(circle.first()).map(words).collect();
    steps.join(" -> ")
}

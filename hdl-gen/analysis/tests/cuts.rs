//! How many edges, links or switches separate k sources of a Benes network from k sinks: Question 1
//! of the lecture on butterflies and Benes networks, by maximum flow, over all sets of both.

use petgraph::algo::ford_fulkerson;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::HashMap;
use turnpike_network::topology::parameter::{DIM, RADIX};
use turnpike_network::topology::{Local, Node, Port, Size, Terminal, Topology, find};

/// What is cut.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cut {
    /// Crosspoints: the edges of the network as a graph of rows.
    Edges,
    /// Channels between switches: the nodes of that graph but for the first and the last level.
    Links,
    Switches,
}

/// More than can be cut.
const ALL: u32 = 1 << 16;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Enter(Node),
    Leave(Node),
    /// An input or an output of a switch, terminals' behind the others.
    Input(Node, u8),
    Output(Node, u8),
    Sources,
    Sinks,
}

struct Flow {
    graph: DiGraph<(), u32>,
    places: HashMap<Place, NodeIndex>,
}

impl Flow {
    fn place(&mut self, place: Place) -> NodeIndex {
        let Self { graph, places } = self;
        *places.entry(place).or_insert_with(|| graph.add_node(()))
    }

    fn lead(&mut self, from: Place, to: Place, capacity: u32) {
        let (from, to) = (self.place(from), self.place(to));
        self.graph.add_edge(from, to, capacity);
    }

    /// The network without terminals.
    fn of(topology: &dyn Topology, cut: Cut) -> Self {
        let mut flow = Self { graph: DiGraph::new(), places: HashMap::new() };
        let one = |of| if cut == of { 1 } else { ALL };
        for node in topology.all_nodes() {
            if cut == Cut::Switches {
                flow.lead(Place::Enter(node), Place::Leave(node), 1);
            }
            for a in 0..2 {
                if cut == Cut::Switches {
                    flow.lead(Place::Input(node, a), Place::Enter(node), ALL);
                    flow.lead(Place::Leave(node), Place::Output(node, a), ALL);
                } else {
                    (0..2).for_each(|b| {
                        flow.lead(Place::Input(node, a), Place::Output(node, b), one(Cut::Edges));
                    });
                }
                if let Some((to, Port(input))) = topology.channel(node, Port(a)) {
                    flow.lead(Place::Output(node, a), Place::Input(to, input), one(Cut::Links));
                }
            }
        }
        flow
    }

    /// Fewest that separate these sources from these sinks.
    fn least(topology: &dyn Topology, cut: Cut, sources: u32, sinks: u32) -> u32 {
        let mut flow = Self::of(topology, cut);
        for terminal in topology.all_terminals() {
            let Terminal(number) = terminal;
            let (from, Local(input)) = topology.source(terminal).unwrap();
            let (to, Local(output)) = topology.sink(terminal).unwrap();
            if sources >> number & 1 == 1 {
                flow.lead(Place::Sources, Place::Input(from, input), ALL);
            }
            if sinks >> number & 1 == 1 {
                flow.lead(Place::Output(to, output), Place::Sinks, ALL);
            }
        }
        let [from, to] = [Place::Sources, Place::Sinks].map(|place| flow.place(place));
        ford_fulkerson(&flow.graph, from, to).0
    }
}

/// By k, from 1: the fewest that separate any k sources from any k sinks of 2^dim.
fn fewest(dim: u32, cut: Cut) -> Vec<u32> {
    let benes = find("benes").unwrap().build(Size::of([(&DIM, dim), (&RADIX, 2)])).unwrap();
    let sets = |k: u32| (0..1u32 << (1 << dim)).filter(move |set| set.count_ones() == k);
    let least = |k| {
        let pairs = sets(k).flat_map(|sources| sets(k).map(move |sinks| (sources, sinks)));
        pairs.map(|(from, to)| Flow::least(&*benes, cut, from, to)).min().unwrap()
    };
    (1..=1 << dim).map(least).collect()
}

/// Of edges and of links it takes k or more, as the question says; of switches half as many do, for
/// two terminals share one.
#[test]
fn k_terminals_are_separated_by_k_links_and_half_as_many_switches() {
    assert_eq!(fewest(2, Cut::Edges), [2, 2, 6, 8]);
    assert_eq!(fewest(2, Cut::Links), [2, 2, 4, 4]);
    assert_eq!(fewest(2, Cut::Switches), [1, 1, 2, 2]);
}

#[test]
fn of_8_terminals_too() {
    assert_eq!(fewest(3, Cut::Edges), [2, 4, 4, 4, 8, 12, 14, 16]);
    assert_eq!(fewest(3, Cut::Links), [2, 2, 4, 4, 6, 6, 8, 8]);
    assert_eq!(fewest(3, Cut::Switches), [1, 1, 2, 2, 3, 3, 4, 4]);
}

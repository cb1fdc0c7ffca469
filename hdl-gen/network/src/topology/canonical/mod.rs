//! Canonical order of a network: an order of its nodes and terminals that follows from how they
//! are linked, whatever their names and numbers are.
//!
//! Two descriptions of one network, with other names and in another order, have orders that lead
//! from one to the other by an isomorphism. So whatever goes by this order comes out the same, up to
//! that isomorphism. (A search for the least of the orders that refined partitions lead to, with
//! those left out that an automorphism shows to be like others: McKay, Practical graph isomorphism,
//! Congressus Numerantium 30, 1981.)
//!
//! Ports count for nothing: of channels from one node to another each is as good as the other.

mod partition;

use super::{Node, Port, Terminal, Topology};
use partition::{Graph, Partition, Scratch};
use std::cmp::Ordering;

/// Most edges that are looked at in search of the order, of some seconds. Networks of the sizes that
/// have RTL take a hundredth; only such as strongly regular graphs take more.
const MOST_WORK: u64 = 400_000_000;

/// Most nodes of a network whose order is searched for: each step of the search keeps a partition.
const MOST_VERTICES: usize = 2048;

/// Kinds of edges: channels, and terminals that send at one node and take packets at another.
const CHANNEL: usize = 0;
const APART: usize = 1;

/// The canonical order of a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Canonical {
    /// By node: its place.
    places: Vec<u32>,
    /// By terminal: its place.
    terminals: Vec<u32>,
    /// Whether the order was found; otherwise the search was given up, and the order is one of several
    /// that names and numbers pick.
    exact: bool,
}

impl Canonical {
    /// The order of this network.
    pub fn of(topology: &dyn Topology) -> Self {
        Self::within(topology, MOST_WORK)
    }

    fn within(topology: &dyn Topology, most_work: u64) -> Self {
        let node_of = |end: Option<(Node, _)>| end.map(|(node, _)| node);
        let ends: Vec<[Option<Node>; 2]> = (0..topology.terminals())
            .map(Terminal)
            .map(|t| [node_of(topology.source(t)), node_of(topology.sink(t))])
            .collect();
        // Terminals that only send, only take packets, or do both, by node.
        let mut counts = vec![[0u64; 4]; topology.nodes() as usize];
        for [source, sink] in &ends {
            let both = usize::from(source == sink) * 2;
            for (at, node) in [source, sink].into_iter().enumerate() {
                if let Some(node) = node {
                    counts[node.0 as usize][at + both] += 1;
                }
            }
        }
        let mut kinds = counts.clone();
        kinds.sort_unstable();
        kinds.dedup();
        let colour = |counts| kinds.binary_search(counts).map_or(0, |at| at as u64);
        let mut graph = Graph::new(counts.iter().map(colour).collect(), 2);
        for from in topology.all_nodes() {
            for port in (0..topology.ports()).map(Port) {
                if let Some((to, _)) = topology.channel(from, port) {
                    graph.edge(CHANNEL, from.0, to.0);
                }
            }
        }
        for ends in &ends {
            if let [Some(source), Some(sink)] = ends
                && source != sink
            {
                graph.edge(APART, source.0, sink.0);
            }
        }
        let (places, exact) = order(&graph, most_work);
        // Terminals with the same two ends are as good as each other.
        let place = |node: &Option<Node>| node.map_or(u32::MAX, |node| places[node.0 as usize]);
        let mut sorted: Vec<u32> = (0..topology.terminals()).collect();
        sorted.sort_by_key(|&terminal| {
            let [source, sink] = &ends[terminal as usize];
            (place(source), place(sink), terminal)
        });
        let mut terminals = vec![0; sorted.len()];
        for (place, terminal) in (0..).zip(sorted) {
            terminals[terminal as usize] = place;
        }
        Self { places, terminals, exact }
    }

    /// The place of a node.
    pub fn place(&self, node: Node) -> u32 {
        self.places[node.0 as usize]
    }

    /// The place of a terminal.
    pub fn terminal(&self, terminal: Terminal) -> u32 {
        self.terminals[terminal.0 as usize]
    }

    /// Whether names and numbers have no say in it. They may where a search for the order would take
    /// too long: in networks many of whose nodes look alike from everywhere, and are not, and in some
    /// of more than 2048 nodes.
    pub fn is_exact(&self) -> bool {
        self.exact
    }
}

/// By vertex its place in the canonical order, and whether that was found within so many edges.
fn order(graph: &Graph, most_work: u64) -> (Vec<u32>, bool) {
    let mut scratch = Scratch::default();
    let whole = Partition::new(graph, &mut scratch);
    if whole.target().is_none() || graph.vertices() > MOST_VERTICES {
        return (whole.order().1.to_vec(), whole.target().is_none());
    }
    let mut search = Search {
        graph,
        scratch,
        most_work,
        given_up: false,
        best: None,
        automorphisms: Vec::new(),
        path: Vec::new(),
        trace: Vec::new(),
    };
    search.explore(&whole);
    let best = search.best.map(|leaf| leaf.order).unwrap_or_default();
    let mut places = vec![0; best.len()];
    for (place, vertex) in (0..).zip(best) {
        places[vertex as usize] = place;
    }
    (places, !search.given_up)
}

/// An order that singling out one vertex after another leads to.
struct Leaf {
    /// Values seen at each step.
    trace: Vec<u64>,
    /// The edges by places.
    form: Vec<u32>,
    /// The vertices singled out.
    path: Vec<u32>,
    order: Vec<u32>,
}

/// The search for the least leaf, by trace and form.
struct Search<'a> {
    graph: &'a Graph,
    scratch: Scratch,
    most_work: u64,
    given_up: bool,
    best: Option<Leaf>,
    /// By vertex, where it goes.
    automorphisms: Vec<Vec<u32>>,
    /// The vertices singled out, and what was seen.
    path: Vec<u32>,
    trace: Vec<u64>,
}

impl Search<'_> {
    /// Looks for leaves below a partition. Gives how many steps of the path stand: fewer than there are
    /// where all that is left further down is like what was seen.
    fn explore(&mut self, partition: &Partition) -> usize {
        let depth = self.path.len();
        let Some(cell) = partition.target().map(<[u32]>::to_vec) else {
            return self.leaf(partition);
        };
        let mut orbits = Orbits::new(self.graph.vertices());
        let (mut known, mut tried): (usize, Vec<u32>) = (0, Vec::new());
        for vertex in cell {
            for automorphism in &self.automorphisms[known..] {
                if self.path.iter().all(|&fixed| automorphism[fixed as usize] == fixed) {
                    orbits.join_all(automorphism);
                }
            }
            known = self.automorphisms.len();
            let orbit = orbits.of(vertex);
            if tried.iter().any(|&other| orbits.of(other) == orbit) {
                continue;
            }
            if self.best.is_some() && self.scratch.work > self.most_work {
                self.given_up = true;
                break;
            }
            tried.push(vertex);
            self.scratch.work += self.graph.vertices() as u64;
            let mut finer = partition.clone();
            let seen = finer.single_out(self.graph, &mut self.scratch, vertex);
            self.path.push(vertex);
            self.trace.push(seen);
            let stand = if self.may_be_least() { self.explore(&finer) } else { depth };
            self.path.truncate(depth);
            self.trace.truncate(depth);
            if stand < depth {
                return stand;
            }
        }
        depth
    }

    /// Whether a leaf further down may be no greater than the least so far.
    fn may_be_least(&self) -> bool {
        let best = self.best.as_ref().map(|best| &best.trace);
        best.is_none_or(|best| self.trace[..] <= best[..best.len().min(self.trace.len())])
    }

    fn leaf(&mut self, partition: &Partition) -> usize {
        let (order, place) = partition.order();
        let form = self.graph.form(order, place);
        let against = |best: &Leaf| (&self.trace, &form).cmp(&(&best.trace, &best.form));
        match self.best.as_ref().map(|best| (against(best), best)) {
            Some((Ordering::Greater, _)) => self.path.len(),
            Some((Ordering::Equal, best)) => {
                let mut automorphism = vec![0; order.len()];
                for (&from, &to) in best.order.iter().zip(order) {
                    automorphism[from as usize] = to;
                }
                let both = best.path.iter().zip(&self.path);
                let common = both.take_while(|(one, other)| one == other).count();
                self.automorphisms.push(automorphism);
                common
            }
            None | Some((Ordering::Less, _)) => {
                let (trace, path) = (self.trace.clone(), self.path.clone());
                self.best = Some(Leaf { trace, form, path, order: order.to_vec() });
                self.path.len()
            }
        }
    }
}

/// Orbits of vertices under some automorphisms.
struct Orbits(Vec<u32>);

impl Orbits {
    fn new(vertices: usize) -> Self {
        Self((0..vertices as u32).collect())
    }

    /// The vertex that stands for an orbit.
    fn of(&mut self, vertex: u32) -> u32 {
        let mut at = vertex;
        while self.0[at as usize] != at {
            self.0[at as usize] = self.0[self.0[at as usize] as usize];
            at = self.0[at as usize];
        }
        at
    }

    fn join_all(&mut self, automorphism: &[u32]) {
        for (from, &to) in (0..).zip(automorphism) {
            let (one, other) = (self.of(from), self.of(to));
            self.0[one.max(other) as usize] = one.min(other);
        }
    }
}

#[cfg(test)]
mod tests;

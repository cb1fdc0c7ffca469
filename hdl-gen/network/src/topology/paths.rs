//! Shortest paths in the graph of a topology, by breadth-first search: distances, how many there
//! are, one by rule, one drawn evenly from all, or all.

use super::entering::Entering;
use super::{Node, Port, Terminal, Topology};
use std::rc::Rc;

/// Distance (channels) from `from` to every node by way of nodes that are `open`; `u32::MAX`
/// where there is no such path, and at nodes that are not open. `from` itself is taken as open.
pub fn distances_through<T: Topology + ?Sized>(
    topology: &T,
    from: Node,
    open: impl Fn(Node) -> bool,
) -> Vec<u32> {
    let mut distance = vec![u32::MAX; topology.nodes() as usize];
    distance[from.0 as usize] = 0;
    let mut frontier = vec![from];
    let mut steps = 0;
    while !frontier.is_empty() {
        steps += 1;
        let mut next = Vec::new();
        for node in frontier {
            for to in successors(topology, node).filter(|&to| open(to)) {
                if distance[to.0 as usize] == u32::MAX {
                    distance[to.0 as usize] = steps;
                    next.push(to);
                }
            }
        }
        frontier = next;
    }
    distance
}

fn successors<T: Topology + ?Sized>(topology: &T, node: Node) -> impl Iterator<Item = Node> {
    (0..topology.ports()).filter_map(move |p| topology.channel(node, Port(p))).map(|(to, _)| to)
}

/// By node, the channels that enter it: (from, by output port), in the order of the ports.
type Channels = Vec<Vec<(Node, Port)>>;

/// Every channel, by the node where it ends.
fn channels<T: Topology + ?Sized>(topology: &T) -> Channels {
    let entering = Entering::of(topology);
    let of = |node| {
        let channels = entering.channels(node).iter();
        let mut channels: Vec<_> = channels.map(|channel| (channel.from, channel.output)).collect();
        // In an order that translations keep.
        channels.sort_by_key(|&(_, port)| port);
        channels
    };
    topology.all_nodes().map(of).collect()
}

/// The shortest paths of a network, one source after another: those from the last one are kept.
#[derive(Debug)]
pub struct Paths<'a, T: ?Sized> {
    topology: &'a T,
    /// Made when the first source is asked for.
    entering: Option<Rc<Channels>>,
    last: Option<(Node, PathsFrom)>,
}

impl<'a, T: Topology + ?Sized> Paths<'a, T> {
    /// Shortest paths of this network.
    pub fn new(topology: &'a T) -> Self {
        Self { topology, entering: None, last: None }
    }

    /// Shortest paths from `source`.
    pub fn from(&mut self, source: Node) -> &PathsFrom {
        let topology = self.topology;
        let entering = self.entering.get_or_insert_with(|| Rc::new(channels(topology)));
        let known = self.last.take().filter(|(node, _)| *node == source);
        let new = || (source, PathsFrom::new(topology, entering.clone(), source));
        &self.last.insert(known.unwrap_or_else(new)).1
    }

    /// Shortest paths from the switch of one terminal, and the switch of another; `None` where the
    /// one sends nothing, or the other takes nothing.
    pub fn between(&mut self, source: Terminal, sink: Terminal) -> Option<(&PathsFrom, Node)> {
        let (from, _) = self.topology.source(source)?;
        let (to, _) = self.topology.sink(sink)?;
        Some((self.from(from), to))
    }
}

/// The shortest paths from one node.
#[derive(Debug)]
pub struct PathsFrom {
    entering: Rc<Channels>,
    distance: Vec<u32>,
    /// Shortest paths to each node; saturates.
    count: Vec<u128>,
}

impl PathsFrom {
    fn new<T: Topology + ?Sized>(topology: &T, entering: Rc<Channels>, source: Node) -> Self {
        let distance = topology.distances(source);
        let mut order: Vec<Node> =
            topology.all_nodes().filter(|n| distance[n.0 as usize] != u32::MAX).collect();
        order.sort_by_key(|n| distance[n.0 as usize]);
        let count = vec![0; entering.len()];
        let mut paths = Self { entering, distance, count };
        paths.count[source.0 as usize] = 1;
        for node in order.into_iter().filter(|&n| n != source) {
            let before = paths.before(node).map(|(from, _)| paths.count[from.0 as usize]);
            paths.count[node.0 as usize] = before.fold(0, u128::saturating_add);
        }
        paths
    }

    /// Channels on a shortest path to a node; `None` where there is none.
    pub fn distance(&self, node: Node) -> Option<u32> {
        Some(self.distance[node.0 as usize]).filter(|&d| d != u32::MAX)
    }

    /// Number of shortest paths to a node; `u128::MAX` where there are more.
    pub fn count(&self, node: Node) -> u128 {
        self.count[node.0 as usize]
    }

    /// The last channels of the shortest paths to a node.
    fn before(&self, node: Node) -> impl Iterator<Item = (Node, Port)> {
        let last = self.distance[node.0 as usize].checked_sub(1);
        let entering = self.entering[node.0 as usize].iter().copied();
        entering.filter(move |(from, _)| Some(self.distance[from.0 as usize]) == last)
    }

    /// One shortest path to a node, its ports in order. `choose` picks one of the last channels
    /// by how many paths end with each (never empty).
    fn path(&self, node: Node, mut choose: impl FnMut(&[u128]) -> usize) -> Vec<Port> {
        let (mut at, mut ports) = (node, Vec::new());
        while self.distance[at.0 as usize] > 0 {
            let before: Vec<(Node, Port)> = self.before(at).collect();
            let counts: Vec<u128> = before.iter().map(|(n, _)| self.count[n.0 as usize]).collect();
            let (from, port) = before[choose(&counts)];
            ports.push(port);
            at = from;
        }
        ports.reverse();
        ports
    }

    /// The shortest path that comes in by the first port in order, looked at from its end;
    /// `None` where there is none.
    pub fn first(&self, node: Node) -> Option<Vec<Port>> {
        self.distance(node)?;
        Some(self.path(node, |_| 0))
    }

    /// The shortest path that `draw` (a number below the one it is given) picks, each with the
    /// same probability; `None` where there is none.
    pub fn drawn(&self, node: Node, mut draw: impl FnMut(u128) -> u128) -> Option<Vec<Port>> {
        self.distance(node)?;
        Some(self.path(node, |counts| {
            let mut left = draw(counts.iter().copied().fold(0, u128::saturating_add));
            pick(counts, &mut left)
        }))
    }

    /// The shortest path of this number, below [`PathsFrom::count`]; `None` where there is none.
    pub fn numbered(&self, node: Node, number: u128) -> Option<Vec<Port>> {
        self.distance(node)?;
        let mut left = number;
        Some(self.path(node, |counts| pick(counts, &mut left)))
    }

    /// Every shortest path to a node, ports in order, in lexicographic order; at most `most`.
    pub fn all(&self, node: Node, most: usize) -> Vec<Vec<Port>> {
        let mut found = Vec::new();
        if self.distance(node).is_some() {
            self.collect(node, &mut Vec::new(), &mut found, most);
        }
        found.sort();
        found
    }

    fn collect(&self, at: Node, after: &mut Vec<Port>, found: &mut Vec<Vec<Port>>, most: usize) {
        if found.len() == most {
            return;
        }
        if self.distance[at.0 as usize] == 0 {
            found.push(after.iter().rev().copied().collect());
            return;
        }
        for (from, port) in self.before(at).collect::<Vec<_>>() {
            after.push(port);
            self.collect(from, after, found, most);
            after.pop();
        }
    }
}

/// Index of the count that a number falls into; `left` is then the number within it.
fn pick(counts: &[u128], left: &mut u128) -> usize {
    let found = counts.iter().position(|&count| {
        let here = *left < count;
        if !here {
            *left -= count;
        }
        here
    });
    found.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::ccc::{Ccc, Variant};
    use crate::topology::hypercube::Hypercube;
    use std::collections::BTreeSet;

    #[test]
    fn the_cube_has_as_many_as_there_are_orders() {
        let cube = Hypercube::new(5).unwrap();
        let mut paths = Paths::new(&cube);
        let paths = paths.from(Node(3));
        for node in cube.all_nodes() {
            let apart = (node.0 ^ 3).count_ones();
            let orders: u128 = (1..=u128::from(apart)).product();
            assert_eq!((paths.distance(node), paths.count(node)), (Some(apart), orders));
            let all = paths.all(node, usize::MAX);
            assert_eq!(all.len() as u128, orders);
            let drawn: BTreeSet<_> = (0..4 * orders)
                .filter_map(|i| paths.drawn(node, |n| (i * 7919 + i / n) % n))
                .collect();
            assert!(drawn.iter().all(|path| all.contains(path)));
            let mut numbered: Vec<_> =
                (0..orders).filter_map(|number| paths.numbered(node, number)).collect();
            numbered.sort();
            assert_eq!(numbered, all);
            assert!(all.contains(&paths.first(node).unwrap()));
        }
        assert_eq!(paths.all(Node(28), 7).len(), 7);
    }

    /// Every path walked, one by one.
    #[test]
    fn counts_are_those_of_a_search_of_all_paths() {
        fn walk(ccc: &Ccc, node: Node, to: Node, left: u32) -> u128 {
            match left {
                0 => u128::from(node == to),
                _ => successors(ccc, node).map(|next| walk(ccc, next, to, left - 1)).sum(),
            }
        }
        for variant in Variant::ALL {
            let ccc = Ccc::new(variant, 3).unwrap();
            let mut paths = Paths::new(&ccc);
            let paths = paths.from(Node(0));
            for to in ccc.all_nodes() {
                let expected = walk(&ccc, Node(0), to, paths.distance(to).unwrap());
                assert_eq!(paths.count(to), expected);
            }
        }
    }

    #[test]
    fn closed_nodes_are_gone_round_or_cut_off() {
        let cube = Hypercube::new(2).unwrap();
        let around = distances_through(&cube, Node(0), |n| n != Node(1));
        assert_eq!(around, [0, u32::MAX, 1, 2]);
        let cut_off = distances_through(&cube, Node(0), |n| n != Node(1) && n != Node(2));
        assert_eq!(cut_off, [0, u32::MAX, u32::MAX, u32::MAX]);
    }
}

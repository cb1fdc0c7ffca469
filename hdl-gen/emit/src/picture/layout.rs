//! Layout of the nodes of a picture: as the topology places them, or else by forces, with room for
//! each node's label and terminals.

use super::geometry::{Area, Point};
use force_graph::{ForceGraph, NodeData};
use std::collections::VecDeque;
use turnpike_network::topology::positions::{Position, on_circle};
use turnpike_network::topology::{Node, Port, Topology};

/// Pixels between neighbours, at least.
const LEAST_STEP: f64 = 66.0;
/// Greatest extent of a layout by forces, in extents of a circle.
const MOST_EXTENT: f64 = 2.0;
/// Pixels between two nodes, at least.
const GAP: f64 = 14.0;

/// Middle of each node, in pixels. `sizes` says how much room each takes around that.
pub fn places(topology: &dyn Topology, sizes: &[Area]) -> Vec<Point> {
    let own: Option<Vec<Position>> = topology.all_nodes().map(|n| topology.position(n)).collect();
    if let Some(own) = own {
        return scaled(&own, step(&own, sizes));
    }
    // Failed nodes stay where they were.
    let intact = topology.intact().unwrap_or(topology);
    let graph = Neighbours::of(intact);
    let order = graph.breadth_first();
    let mut circle = vec![(0.0, 0.0); order.len()];
    for (node, place) in order.into_iter().zip(0..) {
        circle[node] = on_circle(place, intact.nodes());
    }
    legible([by_forces(&graph, &circle), circle], sizes)
}

/// A layout by forces; or else a circle, where forces leave two nodes so near to each other that
/// all would have to be drawn far apart.
fn legible(layouts: [Vec<Position>; 2], sizes: &[Area]) -> Vec<Point> {
    let [forces, circle] = layouts.map(|places| scaled(&places, step(&places, sizes)));
    if extent(&forces) <= MOST_EXTENT * extent(&circle) { forces } else { circle }
}

/// Extent of all places: their width or their height, whichever is more.
fn extent(places: &[Point]) -> f64 {
    let boxes = places.iter().map(|&at| Area { least: at, most: at });
    boxes.reduce(Area::with).map_or(0.0, |all| all.width().max(all.height()))
}

fn scaled(places: &[Position], step: f64) -> Vec<Point> {
    // Positions count upward, pixels downward.
    places.iter().map(|&(x, y)| Point::new(x, -y) * step).collect()
}

/// The least number of pixels to a unit with which no two nodes lie on each other.
fn step(places: &[Position], sizes: &[Area]) -> f64 {
    let mut least = LEAST_STEP;
    for (index, (a, a_size)) in places.iter().zip(sizes).enumerate() {
        for (b, b_size) in places.iter().zip(sizes).skip(index + 1) {
            let across =
                room(a.0, b.0, (a_size.least.x, a_size.most.x), (b_size.least.x, b_size.most.x));
            let down =
                room(-a.1, -b.1, (a_size.least.y, a_size.most.y), (b_size.least.y, b_size.most.y));
            least = least.max(across.min(down));
        }
    }
    least
}

/// The least number of pixels to a unit with which one node ends before the other begins, along one
/// axis: places in units, what each takes in pixels.
fn room(a: f64, b: f64, a_size: (f64, f64), b_size: (f64, f64)) -> f64 {
    match a < b {
        true => (a_size.1 - b_size.0 + GAP) / (b - a),
        false => (b_size.1 - a_size.0 + GAP) / (a - b),
    }
}

/// The nodes that channels join to each node, whichever way they lead.
struct Neighbours(Vec<Vec<usize>>);

impl Neighbours {
    fn of(topology: &dyn Topology) -> Self {
        let mut of = vec![Vec::new(); topology.nodes() as usize];
        for from in topology.all_nodes() {
            for output in (0..topology.ports()).map(Port) {
                let Some((Node(to), _)) = topology.channel(from, output) else { continue };
                of[from.0 as usize].push(to as usize);
                of[to as usize].push(from.0 as usize);
            }
        }
        for nodes in &mut of {
            nodes.sort_unstable();
            nodes.dedup();
        }
        Self(of)
    }

    /// Pairs of nodes that are to be near each other: those with a channel between them; and the
    /// parts of a network that channels do not join, so that none drifts away.
    fn links(&self) -> impl Iterator<Item = (usize, usize)> {
        let joined = self.0.iter().enumerate().flat_map(|(from, of)| {
            of.iter().filter(move |&&to| from < to).map(move |&to| (from, to))
        });
        joined.chain(self.starts().skip(1).map(|start| (0, start)))
    }

    /// A node of each part.
    fn starts(&self) -> impl Iterator<Item = usize> {
        let mut reached = vec![false; self.0.len()];
        (0..self.0.len()).filter(move |&start| self.search(start, &mut reached, |_| ()))
    }

    /// Visits the nodes of a part by breadth-first search; whether `start` was not reached before.
    fn search(&self, start: usize, reached: &mut [bool], mut visit: impl FnMut(usize)) -> bool {
        let new = !reached[start];
        let mut queue = VecDeque::from([start]);
        while let Some(at) = queue.pop_front() {
            if !std::mem::replace(&mut reached[at], true) {
                visit(at);
                queue.extend(&self.0[at]);
            }
        }
        new
    }

    /// All nodes, each soon after its neighbours.
    fn breadth_first(&self) -> Vec<usize> {
        let mut order = Vec::new();
        let mut reached = vec![false; self.0.len()];
        for start in 0..self.0.len() {
            self.search(start, &mut reached, |node| order.push(node));
        }
        order
    }
}

/// Steps that forces act for, of this many seconds each; fewer of them where there are many nodes.
const STEPS: usize = 1500;
const SECONDS: f32 = 0.016;
/// Most pairs of nodes that push each other, over all steps.
const MOST_PAIRS: usize = 150_000_000;

/// Nodes that push each other away, and links that pull their ends together, from these places
/// on. The unit is then the mean length of a link. The sums are of IEEE's basic operations alone:
/// the same on every machine.
fn by_forces(graph: &Neighbours, start: &[Position]) -> Vec<Position> {
    if start.len() == 1 {
        return vec![Position::default()];
    }
    let mut forces = <ForceGraph>::new(Default::default());
    let node = |&(x, y): &Position| {
        let (x, y) = (80.0 * x as f32, 80.0 * y as f32);
        NodeData { x, y, ..NodeData::default() }
    };
    let nodes: Vec<_> = start.iter().map(|place| forces.add_node(node(place))).collect();
    for (from, to) in graph.links() {
        forces.add_edge(nodes[from], nodes[to], Default::default());
    }
    let pairs = start.len() * start.len() / 2;
    for _ in 0..STEPS.min(MOST_PAIRS / pairs.max(1)) {
        forces.update(SECONDS);
    }
    let mut places = Vec::with_capacity(start.len());
    forces.visit_nodes(|node| places.push((f64::from(node.x()), f64::from(node.y()))));
    let (mut total, mut links) = (0.0, 0.0);
    for (from, to) in graph.links() {
        let (a, b): (Position, Position) = (places[from], places[to]);
        total += Point::new(b.0 - a.0, b.1 - a.1).length();
        links += 1.0;
    }
    places.into_iter().map(|(x, y)| (x * links / total, y * links / total)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_that_meet_are_put_on_the_circle() {
        let sizes = [Area::around(Point::default(), 30.0, 20.0); 4];
        let circle: Vec<Position> = (0..4).map(|place| on_circle(place, 4)).collect();
        let apart = vec![(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (2.0, 1.0)];
        let forces = scaled(&apart, LEAST_STEP);
        assert_eq!(legible([apart.clone(), circle.clone()], &sizes), forces);
        for near in [0.0, 1e-6] {
            let mut meeting = apart.clone();
            meeting[1] = (0.0, near);
            let places = legible([meeting, circle.clone()], &sizes);
            assert_eq!(places, scaled(&circle, LEAST_STEP));
        }
    }
}

//! Shortest cycles of a graph.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::VecDeque;

/// Steps at most in which a shortest cycle is looked for.
const MOST_STEPS: usize = 50_000_000;

/// A graph of numbered nodes, each edge with its number.
pub struct Graph {
    /// By node, its edges: target and number.
    edges: Vec<Vec<(u32, u32)>>,
    /// By node, the strongly connected component.
    component: Vec<u32>,
    /// Nodes on some cycle, ascending.
    on_cycles: Vec<u32>,
    /// By node, the edge that a search came by, and where that edge begins.
    by: Vec<Option<(u32, u32)>>,
    steps: usize,
}

impl Graph {
    /// The graph of some edges.
    pub fn new(nodes: u32, list: impl Iterator<Item = (u32, u32)>) -> Self {
        let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(nodes as usize, 0);
        for _ in 0..nodes {
            graph.add_node(());
        }
        let mut edges = vec![Vec::new(); nodes as usize];
        let mut loops = vec![false; nodes as usize];
        for (number, (from, to)) in (0..).zip(list) {
            edges[from as usize].push((to, number));
            loops[from as usize] |= from == to;
            graph.add_edge(NodeIndex::new(from as usize), NodeIndex::new(to as usize), ());
        }
        let mut component = vec![0; nodes as usize];
        let mut on_cycles = Vec::new();
        for (number, part) in (0..).zip(kosaraju_scc(&graph)) {
            part.iter().for_each(|node| component[node.index()] = number);
            if part.len() > 1 || loops[part[0].index()] {
                on_cycles.extend(part.iter().map(|node| node.index() as u32));
            }
        }
        on_cycles.sort_unstable();
        Self { edges, component, on_cycles, by: vec![None; nodes as usize], steps: 0 }
    }

    /// A shortest cycle through a node, of up to `most` edges: the numbers of its edges.
    fn through(&mut self, start: u32, most: usize) -> Option<Vec<u32>> {
        let mut met = Vec::new();
        let mut queue = VecDeque::from([(start, 0)]);
        let mut found = None;
        'search: while let Some((at, length)) = queue.pop_front() {
            if length == most {
                break;
            }
            for &(to, edge) in &self.edges[at as usize] {
                self.steps += 1;
                if to == start {
                    found = Some((edge, at));
                    break 'search;
                }
                let inside = self.component[to as usize] == self.component[start as usize];
                if inside && self.by[to as usize].is_none() {
                    self.by[to as usize] = Some((edge, at));
                    met.push(to);
                    queue.push_back((to, length + 1));
                }
            }
        }
        let cycle = found.map(|(edge, mut at)| {
            let mut cycle = vec![edge];
            while let Some((edge, before)) = self.by[at as usize] {
                cycle.push(edge);
                at = before;
            }
            cycle.reverse();
            cycle
        });
        met.into_iter().for_each(|node| self.by[node as usize] = None);
        cycle
    }

    /// A shortest cycle, of those that are found in [`MOST_STEPS`]: the numbers of its edges, from the
    /// least node on. `None` where there is no cycle.
    pub fn shortest(&mut self) -> Option<Vec<u32>> {
        let mut best: Option<Vec<u32>> = None;
        for start in std::mem::take(&mut self.on_cycles) {
            if self.steps > MOST_STEPS {
                break;
            }
            let most = best.as_ref().map_or(usize::MAX, |best| best.len() - 1);
            best = self.through(start, most).or(best);
        }
        best
    }

    /// Shortest cycles through some nodes, up to `most` of them, each once.
    pub fn several(&mut self, most: usize) -> Vec<Vec<u32>> {
        let mut all: Vec<Vec<u32>> = Vec::new();
        let mut nodes = vec![false; self.by.len()];
        for start in std::mem::take(&mut self.on_cycles) {
            if all.len() == most || self.steps > MOST_STEPS {
                break;
            }
            // A node of a cycle that was found is most often met by that one again.
            if nodes[start as usize] && all.len() >= most / 2 {
                continue;
            }
            let Some(mut cycle) = self.through(start, usize::MAX) else { continue };
            let first = (0..cycle.len()).min_by_key(|&at| cycle[at]).unwrap_or(0);
            cycle.rotate_left(first);
            if !all.contains(&cycle) {
                nodes[start as usize] = true;
                all.push(cycle);
            }
        }
        all
    }
}

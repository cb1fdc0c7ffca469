//! Partitions of the vertices of a graph into cells, in an order, refined until the vertices of a
//! cell have as many neighbours in every cell (the first step of McKay, Practical graph isomorphism,
//! Congressus Numerantium 30, 1981).

use std::collections::{BTreeMap, VecDeque};
use turnpike_base::hash::mix;

/// A directed graph with edges of several kinds, several of one kind between two vertices where
/// there are.
#[derive(Debug)]
pub(super) struct Graph {
    /// By relation (a kind of edge, forward or backward) and vertex: the neighbours.
    relations: Vec<Vec<Vec<u32>>>,
    /// Colours of the vertices: the facts on each beside its edges.
    colours: Vec<u64>,
}

impl Graph {
    /// A graph of these vertices, by their colours, and no edges of so many kinds.
    pub fn new(colours: Vec<u64>, kinds: usize) -> Self {
        Self { relations: vec![vec![Vec::new(); colours.len()]; 2 * kinds], colours }
    }

    /// Adds an edge of a kind.
    pub fn edge(&mut self, kind: usize, from: u32, to: u32) {
        self.relations[2 * kind][from as usize].push(to);
        self.relations[2 * kind + 1][to as usize].push(from);
    }

    /// Number of vertices.
    pub fn vertices(&self) -> usize {
        self.colours.len()
    }

    /// The edges where the vertices are renamed by their places in an order: the same for two orders
    /// just where one leads to the other by an automorphism.
    pub fn form(&self, order: &[u32], place: &[u32]) -> Vec<u32> {
        let mut form = Vec::new();
        let mut ends: Vec<u32> = Vec::new();
        for neighbours in self.relations.iter().step_by(2) {
            for &vertex in order {
                let places = neighbours[vertex as usize].iter().map(|&to| place[to as usize]);
                ends.extend(places);
                ends.sort_unstable();
                form.push(ends.len() as u32);
                form.append(&mut ends);
            }
        }
        form
    }
}

/// Cells of vertices, in an order.
#[derive(Clone, Debug)]
pub(super) struct Partition {
    /// The vertices, cell by cell.
    order: Vec<u32>,
    /// By vertex: its place in that order.
    place: Vec<u32>,
    /// By vertex: the place of the first of its cell.
    cell: Vec<u32>,
    /// By place of the first of a cell: how many it has.
    size: Vec<u32>,
}

/// Buffers of the refinement of a partition, kept from one time to the next.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// By vertex: neighbours in the cell that is looked at.
    count: Vec<u32>,
    /// By place of the first of a cell: whether it waits to be looked at.
    waits: Vec<bool>,
    /// Edges that were looked at.
    pub work: u64,
}

impl Partition {
    /// Cells of one colour each, by colour, refined; and what is seen on the way.
    pub fn new(graph: &Graph, scratch: &mut Scratch) -> Self {
        let vertices = graph.vertices();
        let mut order: Vec<u32> = (0..vertices as u32).collect();
        order.sort_by_key(|&vertex| graph.colours[vertex as usize]);
        let zeros = vec![0; vertices];
        let mut partition = Self { order, place: zeros.clone(), cell: zeros.clone(), size: zeros };
        let colour = |&vertex: &u32| graph.colours[vertex as usize];
        let sizes: Vec<u32> = partition
            .order
            .chunk_by(|one, next| colour(one) == colour(next))
            .map(|cell| cell.len() as u32)
            .collect();
        let mut starts = Vec::new();
        let mut start = 0;
        for size in sizes {
            partition.set_cell(start, size);
            starts.push(start);
            start += size;
        }
        scratch.count = vec![0; vertices];
        scratch.waits = vec![false; vertices];
        partition.refine(graph, scratch, starts);
        partition
    }

    /// The vertices cell by cell, and their places.
    pub fn order(&self) -> (&[u32], &[u32]) {
        (&self.order, &self.place)
    }

    /// The first of the smallest cells that have several vertices; `None` where each has one.
    pub fn target(&self) -> Option<&[u32]> {
        let (mut start, mut best) = (0, None);
        while let Some(&size) = self.size.get(start) {
            if size > 1 && best.is_none_or(|(_, least)| size < least) {
                best = Some((start, size));
            }
            start += size as usize;
        }
        best.map(|(start, size)| &self.order[start..start + size as usize])
    }

    /// Puts a vertex into a cell of its own, before the others of its cell, and refines. What is
    /// seen on the way is the same for two vertices that an automorphism takes one to the other.
    pub fn single_out(&mut self, graph: &Graph, scratch: &mut Scratch, vertex: u32) -> u64 {
        let start = self.cell[vertex as usize];
        let (at, size) = (self.place[vertex as usize], self.size[start as usize]);
        self.order.swap(start as usize, at as usize);
        self.set_cell(start, 1);
        self.set_cell(start + 1, size - 1);
        self.refine(graph, scratch, vec![start])
    }

    /// Makes a cell of the vertices from a place on.
    fn set_cell(&mut self, start: u32, size: u32) {
        self.size[start as usize] = size;
        for place in start..start + size {
            let vertex = self.order[place as usize] as usize;
            (self.place[vertex], self.cell[vertex]) = (place, start);
        }
    }

    /// Splits cells by the neighbours that their vertices have in others, those from `starts` on
    /// first, until there is nothing to split.
    fn refine(&mut self, graph: &Graph, scratch: &mut Scratch, starts: Vec<u32>) -> u64 {
        let mut seen = Seen(0);
        let mut open = VecDeque::from(starts);
        open.iter().for_each(|&start| scratch.waits[start as usize] = true);
        while let Some(splitter) = open.pop_front() {
            scratch.waits[splitter as usize] = false;
            let size = self.size[splitter as usize];
            let members = self.order[splitter as usize..(splitter + size) as usize].to_vec();
            for (relation, neighbours) in graph.relations.iter().enumerate() {
                // Read against its direction: who has how many edges to the splitter.
                let mut touched: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
                for &member in &members {
                    for &vertex in &neighbours[member as usize] {
                        scratch.work += 1;
                        if scratch.count[vertex as usize] == 0 {
                            touched.entry(self.cell[vertex as usize]).or_default().push(vertex);
                        }
                        scratch.count[vertex as usize] += 1;
                    }
                }
                for (cell, vertices) in touched {
                    seen.see(u64::from(splitter) << 32 | u64::from(cell));
                    seen.see(relation as u64);
                    self.split(cell, &vertices, scratch, &mut open, &mut seen);
                    vertices.iter().for_each(|&vertex| scratch.count[vertex as usize] = 0);
                }
            }
        }
        seen.0
    }

    /// Splits a cell by the counts of its vertices, of which `touched` have one above 0.
    fn split(
        &mut self,
        cell: u32,
        touched: &[u32],
        scratch: &mut Scratch,
        open: &mut VecDeque<u32>,
        seen: &mut Seen,
    ) {
        let size = self.size[cell as usize];
        let mut by_count: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for &vertex in touched {
            by_count.entry(scratch.count[vertex as usize]).or_default().push(vertex);
        }
        let left = size - touched.len() as u32;
        if left > 0 {
            seen.see(u64::from(left));
        }
        for (&count, vertices) in &by_count {
            seen.see(u64::from(count) << 32 | vertices.len() as u64);
        }
        if by_count.len() + usize::from(left > 0) == 1 {
            return;
        }
        // Those without a neighbour there stay in front.
        let mut end = cell + size;
        let mut parts = Vec::new();
        for vertices in by_count.values().rev() {
            for &vertex in vertices {
                end -= 1;
                let (from, other) = (self.place[vertex as usize], self.order[end as usize]);
                // Vertices behind `end` are in their parts already, so the swap moves none of them.
                self.order.swap(from as usize, end as usize);
                (self.place[vertex as usize], self.place[other as usize]) = (end, from);
            }
            parts.push((end, vertices.len() as u32));
        }
        if left > 0 {
            parts.push((cell, left));
        }
        parts.reverse();
        for &(start, size) in &parts {
            self.set_cell(start, size);
        }
        // Of a cell that waits every part waits; else the largest may be left out.
        let largest = parts.iter().copied().rev().max_by_key(|&(_, size)| size);
        let whole_waits = scratch.waits[cell as usize];
        for &(start, size) in &parts {
            let left_out = !whole_waits && Some((start, size)) == largest;
            if !left_out && !scratch.waits[start as usize] {
                scratch.waits[start as usize] = true;
                open.push_back(start);
            }
        }
    }
}

/// Digest of the values seen so far.
struct Seen(u64);

impl Seen {
    fn see(&mut self, number: u64) {
        self.0 = mix(self.0 ^ number);
    }
}

//! A time table: when each word goes over which bus, known beforehand, so that none meet.
//!
//! A permutation takes 2d - 1 slots on a mesh of busses of d dimensions. It is a Clos network in
//! time (Clos 1953; Slepian, Duguid): the lines of the first dimension are its outer switches, and
//! the meshes of the other dimensions, one for each coordinate along it, its middle switches. The
//! words are the edges of a bipartite graph between the lines that they come from and those that
//! they go to; no line has more than its k nodes, so k colours do, and the colour of a word is the
//! mesh that it crosses. A slot takes each word there along its line, the mesh has a time table of
//! its own, and a last slot takes each to its node. An h-relation is h permutations, by edge
//! colouring as well.

use crate::grid::Grid;
use turnpike_schedule::colouring::{ColouringError, Edge, colour};

/// Name of the time table among the protocols.
pub const NAME: &str = "schedule";
pub const SUMMARY: &str = "a time table that is known beforehand, in which no words meet";

/// Time table: the slots in which words go. Slots count from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TimeTable {
    /// Slots of a permutation: 2d - 1.
    frame: usize,
    /// Permutations, one after the other.
    frames: usize,
    /// By word, its frame and the nodes where it is before the first slot of the frame and after
    /// each.
    words: Vec<(usize, Vec<u32>)>,
}

/// Fault of a time table.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TimeTableError {
    /// A word is not where it ought to be, or moves along two dimensions.
    #[error("word {word} does not follow its way at slot {slot}")]
    Way { word: usize, slot: usize },
    /// Two words at one node.
    #[error("two words are at node {node} after slot {slot}")]
    Meet { node: u32, slot: usize },
}

impl TimeTable {
    /// A time table of words, each from a node to a node.
    ///
    /// # Errors
    /// More nodes or words than are coloured.
    pub fn new(grid: &Grid, words: &[(u32, u32)]) -> Result<Self, ColouringError> {
        let nodes = grid.nodes();
        let edge = |&(left, right): &(u32, u32)| Edge { left, right, copies: 1 };
        let edges: Vec<Edge> = words.iter().map(edge).collect();
        let permutations = colour(nodes, nodes, &edges)?;
        let mut table = Self {
            frame: 2 * grid.dimensions() - 1,
            frames: permutations.colours() as usize,
            words: words.iter().map(|(source, _)| (0, vec![*source])).collect(),
        };
        for frame in 0..permutations.colours() {
            let class = permutations.class(frame);
            for &word in class {
                table.words[word as usize].0 = frame as usize;
            }
            let list = class.iter().map(|&word| (word as usize, words[word as usize].1)).collect();
            table.route(grid, 0, list)?;
        }
        Ok(table)
    }

    /// Routes words of a permutation, each from where it is, along the dimensions from `from` on:
    /// in those below they are where they have to be.
    fn route(
        &mut self,
        grid: &Grid,
        from: usize,
        words: Vec<(usize, u32)>,
    ) -> Result<(), ColouringError> {
        if from + 1 == grid.dimensions() {
            words.iter().for_each(|&(word, to)| self.words[word].1.push(to));
            return Ok(());
        }
        // A line, by its node at coordinate 0; those of one call are of one mesh.
        let line = |node: u32| grid.along(node, from, 0);
        let at = |table: &Self, word: usize| *table.words[word].1.last().expect("it began");
        let edges: Vec<Edge> = words
            .iter()
            .map(|&(word, to)| Edge { left: line(at(self, word)), right: line(to), copies: 1 })
            .collect();
        let nodes = grid.nodes();
        let meshes = colour(nodes, nodes, &edges)?;
        for mesh in 0..meshes.colours() {
            let crossing = meshes.class(mesh).iter().map(|&index| words[index as usize]);
            let mut inside = Vec::new();
            for (word, to) in crossing {
                let there = grid.along(at(self, word), from, mesh);
                self.words[word].1.push(there);
                inside.push((word, grid.along(to, from, mesh)));
            }
            self.route(grid, from + 1, inside)?;
        }
        words.iter().for_each(|&(word, to)| self.words[word].1.push(to));
        Ok(())
    }

    /// Number of slots.
    pub fn slots(&self) -> usize {
        self.frame * self.frames
    }

    /// Words that move in a slot.
    pub fn moves(&self, slot: usize) -> usize {
        let (frame, at) = (slot / self.frame, slot % self.frame);
        let moves = |(own, way): &&(usize, Vec<u32>)| *own == frame && way[at] != way[at + 1];
        self.words.iter().filter(moves).count()
    }

    /// Walks every word's way again: each moves along the one dimension of its slot, and after no
    /// slot two words of a frame are at one node. So no two are sent to one receiver, and none of
    /// two by one sender.
    ///
    /// # Errors
    /// The first that is wrong.
    pub fn check(&self, grid: &Grid, words: &[(u32, u32)]) -> Result<(), TimeTableError> {
        let dimensions = grid.dimensions();
        for (word, ((_, way), &(source, sink))) in self.words.iter().zip(words).enumerate() {
            let ends = (way.first(), way.last(), way.len());
            if ends != (Some(&source), Some(&sink), self.frame + 1) {
                return Err(TimeTableError::Way { word, slot: 0 });
            }
            for (slot, step) in way.windows(2).enumerate() {
                let dimension = if slot < dimensions { slot } else { self.frame - 1 - slot };
                let to = grid.coordinate(step[1], dimension);
                if grid.along(step[0], dimension, to) != step[1] {
                    return Err(TimeTableError::Way { word, slot });
                }
            }
        }
        let mut seen = vec![usize::MAX; grid.nodes() as usize];
        for frame in 0..self.frames {
            for slot in 0..=self.frame {
                let mark = frame * (self.frame + 1) + slot;
                for (_, way) in self.words.iter().filter(|(own, _)| *own == frame) {
                    let node = way[slot];
                    if std::mem::replace(&mut seen[node as usize], mark) == mark {
                        return Err(TimeTableError::Meet { node, slot });
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Every permutation of 2x2 and 3x2 nodes.
    #[test]
    fn every_small_permutation_takes_three_slots() {
        for sides in [&[2, 2][..], &[3, 2], &[2, 3]] {
            let grid = Grid::new(sides).unwrap();
            let mut sinks: Vec<u32> = (0..grid.nodes()).collect();
            let mut count = 0;
            permute(&mut sinks, 0, &mut |sinks| {
                let words: Vec<(u32, u32)> = (0..).zip(sinks.iter().copied()).collect();
                let table = TimeTable::new(&grid, &words).unwrap();
                assert_eq!(table.slots(), 3);
                table.check(&grid, &words).unwrap();
                count += 1;
            });
            assert_eq!(count, (1..=grid.nodes()).product::<u32>());
        }
    }

    fn permute(list: &mut [u32], from: usize, visit: &mut dyn FnMut(&[u32])) {
        if from == list.len() {
            return visit(list);
        }
        for at in from..list.len() {
            list.swap(from, at);
            permute(list, from + 1, visit);
            list.swap(from, at);
        }
    }

    proptest! {
        /// h-relations and partial ones, of one dimension to three.
        #[test]
        fn relations_have_time_tables(
            sides in prop::sample::select(vec![vec![9], vec![4, 5], vec![3, 2, 4]]),
            draws in prop::collection::vec((any::<u32>(), any::<u32>()), 0..80),
        ) {
            let grid = Grid::new(&sides).unwrap();
            let nodes = grid.nodes();
            let words: Vec<(u32, u32)> =
                draws.iter().map(|(a, b)| (a % nodes, b % nodes)).collect();
            let table = TimeTable::new(&grid, &words).unwrap();
            table.check(&grid, &words).unwrap();
            let degree = |end: fn(&(u32, u32)) -> u32| {
                (0..nodes).map(|node| words.iter().filter(|word| end(word) == node).count()).max()
            };
            let h = degree(|word| word.0).max(degree(|word| word.1)).unwrap();
            prop_assert_eq!(table.slots(), h * (2 * sides.len() - 1));
        }
    }

    #[test]
    fn a_wrong_table_is_found() {
        let grid = Grid::new(&[2, 2]).unwrap();
        let words = [(0, 3), (1, 0)];
        let table = TimeTable::new(&grid, &words).unwrap();
        let mut other = table.clone();
        other.words[0].1 = vec![0, 0, 2, 3];
        other.words[1].1 = vec![1, 0, 0, 0];
        assert_eq!(other.check(&grid, &words), Err(TimeTableError::Meet { node: 0, slot: 1 }));
        other.words[1].1 = vec![1, 1, 0, 0];
        assert_eq!(other.check(&grid, &words), Err(TimeTableError::Way { word: 1, slot: 1 }));
        assert_eq!(
            table.check(&grid, &[(0, 2), (1, 0)]),
            Err(TimeTableError::Way { word: 0, slot: 0 })
        );
    }
}

//! Halves a bipartite multigraph of even degrees: each node has half of its edges in either half
//! (an Euler split; Gabow 1976).

use super::regular::EdgeBundle;

/// No edge.
const NONE: u32 = u32::MAX;

/// Halves graphs of one number of nodes. What it needs to do so is kept from one to the next.
#[derive(Debug)]
pub(super) struct Halver {
    /// By side and node: an edge that still has no mate there.
    waiting: [Vec<u32>; 2],
    /// By edge: its mates at its left and at its right end.
    mates: Vec<[u32; 2]>,
    /// By edge: the half that its odd copy goes to.
    halves: Vec<u8>,
}

const UNSET: u8 = 2;

impl Halver {
    pub fn new(nodes: usize) -> Self {
        let waiting = [vec![NONE; nodes], vec![NONE; nodes]];
        Self { waiting, mates: Vec::new(), halves: Vec::new() }
    }

    /// The two halves, their edges in the order in which they are given. All degrees are even.
    ///
    /// Of an even number of copies, half go to either. The copies left over are paired at each
    /// end, any two that meet there. Going from mate to mate at the right and at the left in turn
    /// closes a loop of even length, whose edges go to the halves in turn. This is the looping
    /// algorithm for more than two edges at a node.
    pub fn halve(&mut self, parts: &[EdgeBundle]) -> [Vec<EdgeBundle>; 2] {
        self.pair(parts);
        self.go_round();
        let size = parts.len();
        let mut halves = [Vec::with_capacity(size), Vec::with_capacity(size)];
        for (part, &odd) in parts.iter().zip(&self.halves) {
            for (half, to) in (0..).zip(&mut halves) {
                let copies = part.copies / 2 + u32::from(odd == half);
                if copies > 0 {
                    to.push(EdgeBundle { copies, ..*part });
                }
            }
        }
        halves.map(|mut half| {
            half.shrink_to_fit();
            half
        })
    }

    fn pair(&mut self, parts: &[EdgeBundle]) {
        self.mates.clear();
        self.mates.resize(parts.len(), [NONE; 2]);
        for (index, part) in (0..).zip(parts).filter(|(_, part)| part.copies % 2 == 1) {
            for (side, node) in [part.left, part.right].into_iter().enumerate() {
                let waiting = &mut self.waiting[side][node as usize];
                if *waiting == NONE {
                    *waiting = index;
                } else {
                    self.mates[index as usize][side] = *waiting;
                    self.mates[*waiting as usize][side] = index;
                    *waiting = NONE;
                }
            }
        }
        debug_assert!(self.waiting.iter().flatten().all(|&index| index == NONE), "odd degrees");
    }

    fn go_round(&mut self) {
        self.halves.clear();
        self.halves.resize(self.mates.len(), UNSET);
        for start in 0..self.mates.len() {
            let mut edge = start;
            while self.mates[edge][0] != NONE && self.halves[edge] == UNSET {
                let next = self.mates[edge][1] as usize;
                self.halves[edge] = 0;
                self.halves[next] = 1;
                edge = self.mates[next][0] as usize;
            }
        }
    }
}

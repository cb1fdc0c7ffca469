//! A level's steps on a mesh of busses (section 4 of the paper).
//!
//! Node l of every level is node l of a mesh of d dimensions, whose sides have k nodes. A group of
//! level i + 1 is a mesh of i + 1 dimensions, and the nodes at one place of its k parts are a line
//! along the last of them. A function takes more than k nodes of the group to one place. So a step
//! has phases: in each up to k of them go to the nodes of the line, a partial permutation that is
//! known beforehand, by a time table of 2i + 1 slots; then each sends its packet along the line to
//! its part, in one slot, and competes for it though it may be there. After the last phase the nodes
//! that took a packet answer the same ways back, in as many slots.

use super::functions::Functions;
use crate::bus::workload::BusWorkloadError;
use turnpike_bus::time_table::TimeTableError;
use turnpike_bus::{Grid, SplitHash, TimeTable};

/// The phases of a level's steps.
pub(super) struct Mesh {
    /// Number of phases.
    phases: u32,
    /// Slots of a step, answers among them.
    slots: u64,
    /// By group and function, the phase of each node.
    of: Vec<Vec<Vec<u32>>>,
}

impl Mesh {
    /// The phases of functions, by group the place of each node under each. Every permutation gets
    /// a time table, which is checked.
    ///
    /// # Errors
    /// More dimensions than a mesh has; [`BusWorkloadError::TimeTable`] never, unless a table is
    /// wrong.
    pub fn new(
        network: &SplitHash,
        level: u32,
        groups: &[Functions],
    ) -> Result<Self, BusWorkloadError> {
        let side = network.side();
        let grid = Grid::new(&vec![side; level as usize + 1])?;
        let block = network.block(level, 0).len() as u32;
        let phases = network.group(level + 1).div_ceil(block).div_ceil(side);
        let mut of = Vec::new();
        for group in groups {
            let mut functions = Vec::new();
            for places in group {
                let mut words = vec![Vec::new(); phases as usize];
                let mut come = vec![0; network.group(level) as usize];
                let mut phase_of = Vec::new();
                for (node, &place) in (0..).zip(places) {
                    let turn = &mut come[place as usize];
                    let (phase, at) = (*turn / side, *turn % side);
                    *turn += 1;
                    let to = grid.along(place, level as usize, at);
                    words[phase as usize].push((node, to));
                    phase_of.push(phase);
                }
                words.iter().try_for_each(|words| check(&grid, words))?;
                functions.push(phase_of);
            }
            of.push(functions);
        }
        let phase = 2 * u64::from(level) + 2;
        Ok(Self { phases, slots: 2 * u64::from(phases) * phase, of })
    }

    /// Phases of a step.
    pub fn phases(&self) -> u32 {
        self.phases
    }

    /// Slots of a step.
    pub fn slots(&self) -> u64 {
        self.slots
    }

    /// The phase in which a node of a group sends under a function.
    pub fn phase(&self, group: usize, function: u32, node: u32) -> u32 {
        self.of[group][function as usize][node as usize]
    }
}

/// Whether a partial permutation has a time table of 2d - 1 slots.
fn check(grid: &Grid, words: &[(u32, u32)]) -> Result<(), BusWorkloadError> {
    let table = TimeTable::new(grid, words)?;
    table.check(grid, words)?;
    match table.slots() < 2 * grid.dimensions() {
        true => Ok(()),
        false => Err(TimeTableError::Way { word: 0, slot: table.slots() }.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bus::funnels::functions::Funnels;
    use crate::bus::funnels::tests::rules;
    use crate::bus::funnels::{Medium, OnLivelock, Rules};
    use crate::traffic::random::Random;
    use turnpike_bus::split_hash::Hashing;

    /// Nodes that one function takes to one place send in phases of k at most.
    #[test]
    fn phases_have_room_for_all() {
        for (side, levels, factor, level, phases) in [
            // 256 nodes to 4 places: 64 of each, 16 on a line.
            (16, 2, 2, 1, 4),
            // 64 nodes to one place, 8 on a line.
            (8, 3, 2, 1, 8),
            // 512 nodes to 21 places: up to 25 of each.
            (8, 3, 2, 2, 4),
        ] {
            let network = SplitHash::new(side, levels, factor).unwrap();
            let mut random = Random::new(2);
            let rules = Rules { medium: Medium::Mesh, ..rules(1, Hashing::Own, OnLivelock::Stop) };
            let funnels = Funnels::new(&network, level, rules, &mut random).unwrap();
            let mesh = Mesh::new(&network, level, funnels.groups()).unwrap();
            assert_eq!((mesh.phases(), mesh.slots()), (phases, funnels.step_slots()));
            let slots = 2 * u64::from(phases) * u64::from(2 * level + 2);
            assert_eq!(mesh.slots(), slots);
            for (group, functions) in funnels.groups().iter().enumerate() {
                for (function, places) in (0..).zip(functions) {
                    let mut count = std::collections::BTreeMap::new();
                    for (node, place) in (0..).zip(places) {
                        let phase = mesh.phase(group, function, node);
                        assert!(phase < phases);
                        *count.entry((phase, place)).or_insert(0) += 1;
                    }
                    assert!(count.values().all(|&count| count <= side));
                }
            }
        }
    }
}

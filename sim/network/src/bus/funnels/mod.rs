//! Routing on split&hash networks, batch by batch and level by level (Meyer auf der Heide, Schröder
//! and Schwarze 1996): permutations (section 3), random functions and h-relations (section 5).
//!
//! In a step of a round all active packets of a level try the same function. A packet gets on if no
//! other tries its place, and no packet of this batch stands there already: the paper's algorithm
//! does not say the latter, without which two packets may come to one place in two rounds. A round
//! in which no packet gets on will repeat itself for ever: a livelock, which ends the batch's level.
//!
//! Batches of a permutation and of an h-relation are parted by destination; those of a random
//! function are drawn. Packets of a permutation go to their sinks in a step for each batch. The
//! others wait on level 1 for those of all batches, and take the last step together.

mod functions;
mod last_step;
mod level;
mod mesh;
mod table;
mod thinning;

pub use last_step::LastStep;
pub use level::LevelReport;

use super::Word;
use super::workload::{BusWorkloadError, Workload};
use crate::traffic::random::Random;
use level::Level;
use schemars::JsonSchema;
use serde::Serialize;
use table::Rest;
use turnpike_bus::split_hash::{Hashing, SplitHash};
use turnpike_schedule::network::MOST_TERMINALS;

/// Consequence of a livelock of a level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnLivelock {
    /// The run ends.
    Stop,
    /// New functions are drawn for that level, [`MOST_HASHES`] times at most.
    Rehash,
    /// The packets that are left are set aside. After all others they go by a time table that is
    /// known beforehand.
    Table,
}

/// Busses that carry the packets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Medium {
    /// Busses of the network: a step is a slot.
    Own,
    /// Busses of a mesh of as many dimensions as the network has levels, on which it is simulated.
    /// A step has phases, each of several slots; answers go back in as many.
    Mesh,
}

/// Number of times that functions are drawn again for a level of a batch. Where each function of a
/// funnel has one place, no two packets of a permutation ever pass it.
pub const MOST_HASHES: u32 = 200;
/// The most packets of a node: thinning begins again with a window above it.
pub const MOST_H: u32 = 1024;
/// Slots after which a run is given up.
pub const MOST_SLOTS: u64 = 1 << 24;

/// Rules of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Batches that the packets are parted into.
    pub batches: u32,
    /// Rule by which functions are drawn.
    pub hashing: Hashing,
    /// Busses that carry the packets.
    pub medium: Medium,
    /// Consequence of a livelock of a level.
    pub on_livelock: OnLivelock,
}

/// A run.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct FunnelRun {
    /// Seed of the functions, of the packets and of their draws.
    pub seed: u64,
    /// Slots until the last packet of the last batch is at its sink; `null` where a livelock ended
    /// the run, or it was given up.
    pub slots: Option<u64>,
    /// Levels of batches that livelocked.
    pub livelocks: u32,
    /// Whether a livelock ended the run.
    pub livelock: bool,
    /// Packets that livelocks left and that went by a time table.
    pub by_table: u64,
    /// Slots of the time table: part of `slots`.
    pub table_slots: u64,
    /// From level 1 to the sinks, part of `slots`; `null` for permutations, whose batches take one step
    /// each, and where the run ended before.
    pub last_step: Option<LastStep>,
    /// From the highest level on.
    pub levels: Vec<LevelReport>,
}

/// A packet of a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Packet {
    /// The node where it stands.
    at: u32,
    /// The node that it goes to.
    sink: u32,
    /// Whether it came to the level that its batch is on its way to.
    on: bool,
}

/// Outcome of a batch on its way to a level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    /// All its packets came there.
    Through,
    /// A livelock: none of the packets that are left will come there.
    Livelock,
    /// A batch that took too many slots.
    TooLong,
}

/// Routes a permutation, a random function or an h-relation.
///
/// # Errors
/// More packets of a node than [`MOST_H`]; more nodes than a time table has, where one is needed.
pub fn run(
    network: &SplitHash,
    workload: Workload,
    words: &[Word],
    rules: Rules,
    seed: u64,
) -> Result<FunnelRun, BusWorkloadError> {
    if workload.h() > MOST_H {
        return Err(BusWorkloadError::H { h: workload.h(), most: MOST_H });
    }
    let has_tables = rules.medium == Medium::Mesh || rules.on_livelock == OnLivelock::Table;
    if has_tables && network.nodes() > MOST_TERMINALS {
        return Err(BusWorkloadError::Tables(network.nodes()));
    }
    let mut random = Random::new(seed ^ u64::from_be_bytes(*b"funnels!"));
    let above = (1..network.levels()).rev();
    let levels = above.map(|level| Level::new(network, level, rules, &mut random));
    let levels = levels.collect::<Result<Vec<Level>, BusWorkloadError>>()?;
    let mut run =
        Run { workload, rules, random, levels, slots: 0, livelocks: 0, rest: Rest::default() };
    let mut waiting = Vec::new();
    let mut ended = true;
    for batch in batches(workload, words, rules.batches) {
        let Some(packets) = run.descend(batch)? else {
            ended = false;
            break;
        };
        match workload.is_permutation() {
            // From level 1 each reaches its sink: no two have the same.
            true => run.slots += u64::from(!packets.is_empty()),
            false => waiting.extend(packets),
        }
    }
    let takes_last = ended && !workload.is_permutation();
    let last_step =
        takes_last.then(|| last_step::deliver(network.nodes(), &waiting, rules.medium, seed));
    run.slots += last_step.and_then(|last| last.slots).unwrap_or(0);
    ended &= last_step.is_none_or(|last| last.slots.is_some());
    let Run { levels, mut slots, livelocks, rest, .. } = run;
    let by_table = rest.len() as u64;
    let table_slots = match rules.medium {
        _ if !ended || by_table == 0 => 0,
        Medium::Mesh => rest.slots_on_mesh(network)?,
        Medium::Own => rest.slots(network, levels.iter().map(|level| &level.funnels))?,
    };
    slots += table_slots;
    Ok(FunnelRun {
        seed,
        slots: ended.then_some(slots),
        livelocks,
        livelock: livelocks > 0,
        by_table,
        table_slots,
        last_step,
        levels: levels.iter().map(|level| level.report(network)).collect(),
    })
}

/// The packets of each batch. Those of a random function are drawn: words come in random order.
fn batches(workload: Workload, words: &[Word], count: u32) -> Vec<Vec<Packet>> {
    let mut batches = vec![Vec::new(); count as usize];
    for (number, &Word { source, destination, .. }) in words.iter().enumerate() {
        let batch = match workload {
            Workload::RandomFunction => number % count as usize,
            _ => (destination % count) as usize,
        };
        batches[batch].push(Packet { at: source, sink: destination, on: false });
    }
    batches
}

/// A run on its way.
struct Run {
    workload: Workload,
    rules: Rules,
    random: Random,
    /// From the highest on.
    levels: Vec<Level>,
    slots: u64,
    livelocks: u32,
    rest: Rest,
}

impl Run {
    /// Brings a batch to level 1; those of it that come there. `None` where the run ends.
    fn descend(
        &mut self,
        mut packets: Vec<Packet>,
    ) -> Result<Option<Vec<Packet>>, BusWorkloadError> {
        for level in 0..self.levels.len() {
            for tries in 0.. {
                let outcome = self.lower(level, &mut packets, tries == 0);
                if outcome == Outcome::Through {
                    break;
                }
                self.livelocks += u32::from(outcome == Outcome::Livelock);
                match self.rules.on_livelock {
                    _ if outcome == Outcome::TooLong => return Ok(None),
                    OnLivelock::Stop => return Ok(None),
                    OnLivelock::Rehash if tries == MOST_HASHES => return Ok(None),
                    OnLivelock::Rehash => {
                        self.levels[level].funnels.draw(self.rules, &mut self.random)?;
                    }
                    OnLivelock::Table => {
                        self.rest.take(self.levels[level].funnels.level(), &mut packets);
                        break;
                    }
                }
            }
            packets.iter_mut().for_each(|packet| packet.on = false);
        }
        Ok(Some(packets))
    }

    /// Brings a batch to a level with the functions that it has.
    fn lower(&mut self, level: usize, packets: &mut [Packet], first: bool) -> Outcome {
        let level = &mut self.levels[level];
        let (outcome, count) = match self.workload {
            Workload::HRelation(h) => level.thin(packets, h, &mut self.random, &mut self.slots),
            _ => level.funnel(packets, &mut self.slots),
        };
        if first {
            level.record(outcome, &count);
        }
        outcome
    }
}

#[cfg(test)]
mod tests;

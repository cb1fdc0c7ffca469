//! The Funnel Algorithm on split&hash networks: permutations, batch by batch and level by level
//! (Meyer auf der Heide, Schröder and Schwarze 1996, section 3).
//!
//! In a step of a round all active packets of a level try the same function. A packet gets on if no
//! other tries its place, and no packet of this batch stands there already: the paper's algorithm
//! does not say the latter, without which two packets may come to one place in two rounds. A round
//! in which no packet gets on will repeat itself for ever: a livelock, which ends the batch's level.

use crate::traffic::random::Random;
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_bus::split_hash::{Hashing, SplitHash};

/// What becomes of a level that livelocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnLivelock {
    /// The run ends.
    Stop,
    /// New functions are drawn for that level, [`MOST_HASHES`] times at most.
    Rehash,
}

/// How often functions are drawn again for a level of a batch. Where each function of a funnel has one
/// place, no two packets ever pass it.
pub const MOST_HASHES: u32 = 200;

/// How a run goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Batches that the packets are parted into, by their destinations.
    pub batches: u32,
    /// How functions are drawn.
    pub hashing: Hashing,
    /// What becomes of a level that livelocks.
    pub on_livelock: OnLivelock,
}

/// A level over all batches of a run.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct LevelReport {
    /// The level that packets come to.
    pub level: u32,
    /// Functions of its funnels: the steps of a round.
    pub functions: u32,
    /// Batches that came to it without a livelock.
    pub batches_through: u32,
    /// Most rounds of such a batch; 0 where there is none.
    pub most_rounds: u32,
    /// Rounds of such a batch, the mean; `null` where there is none.
    pub mean_rounds: Option<f64>,
    /// Share of the packets of all batches, livelocks among them, that got on in the first round.
    pub first_round: f64,
    /// Share of them in the first two rounds.
    pub two_rounds: f64,
    /// t_i of the Main Lemma: log log k^i / log(a_i - 1) - 1, logarithms to base 2; `null` where a_i is
    /// 2 and it is infinite.
    pub rounds_of_the_lemma: Option<f64>,
}

/// A run.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct FunnelRun {
    /// The seed of the functions and of the permutation.
    pub seed: u64,
    /// Steps until the last packet of the last batch is at its sink; `null` where a livelock ended
    /// the run.
    pub slots: Option<u64>,
    /// Levels of batches that livelocked.
    pub livelocks: u32,
    /// Whether there was one.
    pub livelock: bool,
    /// From the highest level on.
    pub levels: Vec<LevelReport>,
}

/// The functions of one group's funnels: by function, the place of each node.
type Functions = Vec<Vec<u32>>;

/// Draws the functions of the funnels from a group of level `level` + 1.
fn draw(network: &SplitHash, level: u32, hashing: Hashing, random: &mut Random) -> Functions {
    let nodes = network.group(level + 1);
    let mut order: Vec<u32> = (0..nodes).collect();
    random.shuffle(&mut order);
    let function = |function| {
        if function > 0 && hashing == Hashing::Own {
            random.shuffle(&mut order);
        }
        let block = network.block(level, function);
        let size = block.len() as u32;
        order.iter().map(|&at| block.start + at % size).collect()
    };
    (0..network.functions(level)).map(function).collect()
}

/// A level of a network: functions by group.
struct Level {
    level: u32,
    groups: Vec<Functions>,
    rounds: Vec<u32>,
    packets: u64,
    by_round: [u64; 2],
}

/// Routes a permutation. `sinks`: by source, its destination.
pub fn run(network: &SplitHash, sinks: &[u32], rules: Rules, seed: u64) -> FunnelRun {
    let mut random = Random::new(seed ^ u64::from_be_bytes(*b"funnels!"));
    let Rules { batches, hashing, on_livelock } = rules;
    let mut levels: Vec<Level> = (1..network.levels())
        .rev()
        .map(|level| {
            let groups = network.nodes() / network.group(level + 1);
            let groups = (0..groups).map(|_| draw(network, level, hashing, &mut random)).collect();
            Level { level, groups, rounds: Vec::new(), packets: 0, by_round: [0; 2] }
        })
        .collect();
    let mut steps = 0;
    let (mut livelocks, mut ended) = (0, true);
    'batches: for batch in 0..batches {
        // Of each packet, where it stands and where it goes.
        let own = (0..).zip(sinks).filter(|(_, sink)| *sink % batches == batch);
        let mut packets: Vec<(u32, u32)> = own.map(|(source, &sink)| (source, sink)).collect();
        for level in &mut levels {
            let mut hashes = 0;
            while !level.pass(network, &mut packets, &mut steps) {
                livelocks += 1;
                hashes += 1;
                if on_livelock == OnLivelock::Stop || hashes > MOST_HASHES {
                    ended = false;
                    break 'batches;
                }
                let draws = |_: &mut Functions| draw(network, level.level, hashing, &mut random);
                level.groups = level.groups.iter_mut().map(draws).collect();
            }
        }
        // From level 1 each reaches its sink: no two have the same.
        steps += u64::from(!packets.is_empty());
    }
    FunnelRun {
        seed,
        slots: ended.then_some(steps),
        livelocks,
        livelock: livelocks > 0,
        levels: levels.iter().map(|level| level.report(network)).collect(),
    }
}

impl Level {
    /// Brings the packets of a batch to this level; whether all got there. After a livelock those
    /// that did not are where they were.
    fn pass(&mut self, network: &SplitHash, packets: &mut [(u32, u32)], steps: &mut u64) -> bool {
        let (above, here) = (network.group(self.level + 1), network.group(self.level));
        // The group above that a packet is in is that of its sink: a packet whose sink's group on
        // this level it stands in got on before a livelock.
        let mut active: Vec<usize> = Vec::new();
        let mut taken = vec![false; network.nodes() as usize];
        for (number, &(at, _)) in packets.iter().enumerate() {
            match at >= network.nodes() {
                true => taken[(at - network.nodes()) as usize] = true,
                false => active.push(number),
            }
        }
        let begun = active.len() as u64;
        // A batch that goes on after a livelock has begun before.
        let begins = begun > 0 && begun == packets.len() as u64;
        let mut tries = vec![0u32; network.nodes() as usize];
        let mut rounds = 0;
        let mut left_after = [begun; 2];
        let mut through = true;
        while !active.is_empty() {
            let before = active.len();
            for function in 0..network.functions(self.level) as usize {
                if active.is_empty() {
                    break;
                }
                *steps += 1;
                let place = |&number: &usize| {
                    let (at, sink) = packets[number];
                    let group = (at / above) as usize;
                    let inside = self.groups[group][function][(at % above) as usize];
                    sink / here * here + inside
                };
                let places: Vec<u32> = active.iter().map(place).collect();
                places.iter().for_each(|&place| tries[place as usize] += 1);
                let mut left = Vec::new();
                for (&number, &place) in active.iter().zip(&places) {
                    match tries[place as usize] == 1 && !taken[place as usize] {
                        // Marked as on this level until all are.
                        true => {
                            taken[place as usize] = true;
                            packets[number].0 = network.nodes() + place;
                        }
                        false => left.push(number),
                    }
                }
                places.iter().for_each(|&place| tries[place as usize] = 0);
                active = left;
            }
            rounds += 1;
            if rounds <= 2 {
                left_after[rounds as usize - 1..].fill(active.len() as u64);
            }
            if active.len() == before {
                through = false;
                break;
            }
        }
        if begins {
            self.packets += begun;
            self.by_round[0] += begun - left_after[0];
            self.by_round[1] += begun - left_after[1];
            self.rounds.extend(through.then_some(rounds));
        }
        if !through {
            return false;
        }
        for (at, _) in packets.iter_mut() {
            *at -= network.nodes();
        }
        true
    }

    fn report(&self, network: &SplitHash) -> LevelReport {
        let functions = network.functions(self.level);
        let share = |part: u64| part as f64 / self.packets.max(1) as f64;
        let places = f64::from(network.group(self.level));
        let lemma = places.log2().log2() / f64::from(functions - 1).log2() - 1.0;
        let rounds: u32 = self.rounds.iter().sum();
        LevelReport {
            level: self.level,
            functions,
            batches_through: self.rounds.len() as u32,
            most_rounds: self.rounds.iter().copied().max().unwrap_or(0),
            mean_rounds: (!self.rounds.is_empty())
                .then(|| f64::from(rounds) / self.rounds.len() as f64),
            first_round: share(self.by_round[0]),
            two_rounds: share(self.by_round[1]),
            rounds_of_the_lemma: (functions > 2).then_some(lemma),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn permutation(nodes: u32, seed: u64) -> Vec<u32> {
        let mut sinks: Vec<u32> = (0..nodes).collect();
        Random::new(seed).shuffle(&mut sinks);
        sinks
    }

    fn rules(batches: u32, hashing: Hashing, on_livelock: OnLivelock) -> Rules {
        Rules { batches, hashing, on_livelock }
    }

    #[test]
    fn permutations_arrive() {
        for (side, levels, factor) in [(8, 2, 2), (16, 2, 3), (12, 3, 2)] {
            let network = SplitHash::new(side, levels, factor).unwrap();
            let batches = 2 * factor * levels;
            let mut least = u64::from(batches) * u64::from(levels);
            for seed in 1..5 {
                let sinks = permutation(network.nodes(), seed);
                let run =
                    run(&network, &sinks, rules(batches, Hashing::Own, OnLivelock::Rehash), seed);
                least = least.min(run.slots.unwrap());
                assert_eq!(run.livelock, run.livelocks > 0);
                for level in &run.levels {
                    assert!(level.mean_rounds.is_none_or(|mean| mean >= 1.0), "{level:?}");
                    assert!(level.first_round > 0.5, "{level:?}");
                }
            }
            // A step of each level for each batch, at least.
            assert_eq!(least, least.max(u64::from(batches) * u64::from(levels)));
        }
    }

    /// All functions of one permutation collide alike: as soon as two packets of a group meet under
    /// one they meet under all.
    #[test]
    fn functions_of_one_permutation_livelock() {
        let network = SplitHash::new(16, 2, 2).unwrap();
        let livelocks = |hashing| {
            let runs = (1..20).map(|seed| {
                let sinks = permutation(256, seed);
                run(&network, &sinks, rules(8, hashing, OnLivelock::Stop), seed).livelock
            });
            runs.filter(|livelock| *livelock).count()
        };
        assert_eq!(livelocks(Hashing::One), 19);
        assert!(livelocks(Hashing::Own) < 19);
    }

    /// Six functions of a place each: the one place of a function is all packets' of its funnel.
    #[test]
    fn funnels_of_one_place_for_each_function_are_given_up() {
        let network = SplitHash::new(8, 3, 2).unwrap();
        let sinks = permutation(512, 1);
        let run = run(&network, &sinks, rules(2, Hashing::Own, OnLivelock::Rehash), 1);
        assert_eq!((run.slots, run.livelock), (None, true));
        assert!(run.livelocks > MOST_HASHES);
    }

    #[test]
    fn a_batch_of_one_packet_takes_a_step_of_each_level() {
        let network = SplitHash::new(8, 2, 2).unwrap();
        let sinks = permutation(64, 1);
        let run = run(&network, &sinks, rules(64, Hashing::Own, OnLivelock::Stop), 1);
        assert_eq!((run.slots, run.livelocks), (Some(2 * 64), 0));
        assert_eq!((run.levels[0].most_rounds, run.levels[0].first_round), (1, 1.0));
    }
}

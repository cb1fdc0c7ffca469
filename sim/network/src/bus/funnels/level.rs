//! A level over the batches of a run: the Funnel Algorithm, and its figures.

use super::functions::Funnels;
use super::{Outcome, Packet, Rules};
use crate::bus::workload::BusWorkloadError;
use crate::traffic::random::Random;
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_bus::split_hash::SplitHash;

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
    /// Share of them that the Modified Thinning Phase left to the phases after it; `null` where there
    /// is none.
    pub left_by_thinning: Option<f64>,
    /// t_i of the Main Lemma: log log k^i / log(a_i - 1) - 1, logarithms to base 2; `null` where a_i is
    /// 2 and it is infinite.
    pub rounds_of_the_lemma: Option<f64>,
}

/// A batch on its way to a level, round by round.
pub(super) struct Count {
    begun: u64,
    rounds: u32,
    left_after: [u64; 2],
    /// Left by the first phase of thinning.
    pub left_by_thinning: Option<u64>,
}

impl Count {
    /// Counts of a batch of so many packets.
    pub fn new(packets: usize) -> Self {
        let begun = packets as u64;
        Self { begun, rounds: 0, left_after: [begun; 2], left_by_thinning: None }
    }

    /// A round is over, that leaves so many.
    pub fn round(&mut self, left: usize) {
        self.rounds += 1;
        if self.rounds <= 2 {
            self.left_after[self.rounds as usize - 1..].fill(left as u64);
        }
    }
}

/// A level of a network, and what its batches did.
pub(super) struct Level {
    pub funnels: Funnels,
    rounds: Vec<u32>,
    packets: u64,
    by_round: [u64; 2],
    left_by_thinning: Option<u64>,
}

impl Level {
    /// A level with funnels that are drawn.
    ///
    /// # Errors
    /// As [`Funnels::new`].
    pub fn new(
        network: &SplitHash,
        level: u32,
        rules: Rules,
        random: &mut Random,
    ) -> Result<Self, BusWorkloadError> {
        let funnels = Funnels::new(network, level, rules, random)?;
        Ok(Self {
            funnels,
            rounds: Vec::new(),
            packets: 0,
            by_round: [0; 2],
            left_by_thinning: None,
        })
    }

    /// The Funnel Algorithm: brings the packets of a batch to this level, each of which stands
    /// alone at its node. After a livelock those that did not get on are where they were.
    pub fn funnel(&mut self, packets: &mut [Packet], slots: &mut u64) -> (Outcome, Count) {
        let mut active = self.funnels.begin(packets);
        let mut count = Count::new(active.len());
        while !active.is_empty() {
            let before = active.len();
            *slots += self.funnels.round(packets, &mut active, 1);
            count.round(active.len());
            if active.len() == before {
                return (Outcome::Livelock, count);
            }
        }
        (Outcome::Through, count)
    }

    /// Counts a batch that came to this level, or livelocked on its way, with the first functions
    /// that it had.
    pub fn record(&mut self, outcome: Outcome, count: &Count) {
        if count.begun == 0 {
            return;
        }
        self.packets += count.begun;
        self.by_round[0] += count.begun - count.left_after[0];
        self.by_round[1] += count.begun - count.left_after[1];
        if let Some(left) = count.left_by_thinning {
            *self.left_by_thinning.get_or_insert(0) += left;
        }
        self.rounds.extend((outcome == Outcome::Through).then_some(count.rounds));
    }

    /// Figures of the level.
    pub fn report(&self, network: &SplitHash) -> LevelReport {
        let (level, functions) = (self.funnels.level(), self.funnels.functions());
        let share = |part: u64| part as f64 / self.packets.max(1) as f64;
        let places = f64::from(network.group(level));
        let lemma = places.log2().log2() / f64::from(functions - 1).log2() - 1.0;
        let rounds: u32 = self.rounds.iter().sum();
        LevelReport {
            level,
            functions,
            batches_through: self.rounds.len() as u32,
            most_rounds: self.rounds.iter().copied().max().unwrap_or(0),
            mean_rounds: (!self.rounds.is_empty())
                .then(|| f64::from(rounds) / self.rounds.len() as f64),
            first_round: share(self.by_round[0]),
            two_rounds: share(self.by_round[1]),
            left_by_thinning: self.left_by_thinning.map(share),
            rounds_of_the_lemma: (functions > 2).then_some(lemma),
        }
    }
}

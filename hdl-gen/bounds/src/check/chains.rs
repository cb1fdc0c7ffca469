//! Packets that can be in the way of others: whether all are counted, for as long as they take.

use super::ways::{Checker, released};
use super::{Wrong, at_least};
use crate::steps::Claim;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

impl Checker<'_> {
    /// Whether a claim counts all packets that can be in the way, each for long enough.
    pub fn claim(&self, claim: &Claim, known: &[Option<u64>]) -> Result<(), Wrong> {
        let own = claim.flow;
        let mut sum = 0;
        let mut counted: BTreeMap<usize, u64> = BTreeMap::new();
        for packets in &claim.packets {
            let bound = known.get(packets.flow).copied().flatten();
            // Packets behind it in its flow are in no chain of it where all go one way.
            let meanwhile = match packets.flow == own && self.ways_of(own).count() == 1 {
                true => 0,
                false => claim.cycles + 1,
            };
            let within = match claim.by_meeting {
                true => claim.cycles + 1,
                false => meanwhile + bound.ok_or(Wrong::Other("a bound is not known yet"))?,
            };
            let what = || format!("flow {own}: cycles of flow {}", packets.flow);
            at_least(what, packets.within_cycles, within)?;
            let what = || format!("flow {own}: packets of flow {}", packets.flow);
            at_least(
                what,
                packets.count,
                released(&self.flows[packets.flow], packets.within_cycles),
            )?;
            counted.insert(packets.flow, packets.cycles_each);
            sum += packets.count * packets.cycles_each;
        }
        at_least(|| format!("flow {own}"), claim.cycles + 1, sum)?;
        for (way, first) in self.in_the_way(own, claim.by_meeting) {
            let (flow, takes) = (self.ways[way].flow, self.charged(way, first));
            if counted.get(&flow).is_none_or(|&cycles| cycles < takes) {
                return Err(Wrong::Missing { flow: own, other: flow });
            }
        }
        Ok(())
    }

    /// By route, the first stage from which on its packets can be in the way of a flow: 0 is the source,
    /// then two for each stop, before and after it is granted.
    fn in_the_way(&self, own: usize, whole: bool) -> BTreeMap<usize, usize> {
        let mut reached: BTreeMap<usize, usize> = BTreeMap::new();
        let mut open: VecDeque<(usize, usize)> = self.ways_of(own).map(|way| (way, 0)).collect();
        let (mut queues, mut outputs) = (BTreeSet::new(), BTreeSet::new());
        let mut sources = BTreeSet::new();
        while let Some((way, stage)) = open.pop_front() {
            let stage = if whole { 0 } else { stage };
            if reached.get(&way).is_some_and(|&known| known <= stage) {
                continue;
            }
            reached.insert(way, stage);
            let source = self.source(way);
            if stage == 0 && sources.insert(source) {
                let same = (0..self.ways.len()).filter(|&other| self.source(other) == source);
                open.extend(same.map(|other| (other, 0)));
            }
            for (at, stop) in self.ways[way].stops.iter().enumerate() {
                let (waits, granted) = (2 * at + 1, 2 * at + 2);
                let waited = [
                    Some(stop.queue).filter(|_| stage <= waits),
                    stop.next.filter(|_| stage <= granted),
                ];
                for queue in waited.into_iter().flatten().filter(|&queue| queues.insert(queue)) {
                    open.extend(self.waiters[&queue].iter().map(|&(way, at)| (way, 2 * at + 1)));
                }
                if stage <= waits && outputs.insert(stop.output) {
                    open.extend(
                        self.takers[&stop.output].iter().map(|&(way, at)| (way, 2 * at + 2)),
                    );
                }
            }
        }
        reached
    }

    /// Cycles that a packet takes alone from a stage on, with the other virtual channels of its links busy.
    fn charged(&self, way: usize, first: usize) -> u64 {
        let stops = &self.ways[way].stops;
        let [grant, output] = self.registers();
        let entering = if first == 0 { u64::from(self.plan.injection_cycles()) } else { 0 };
        let mut cycles = entering + self.paces(way, stops.len() - 1)[1];
        for stop in &stops[first.saturating_sub(1) / 2..] {
            cycles += grant + self.sharing(stop) + stop.registers + output;
            if stop.next.is_some() {
                cycles += 2 * stop.registers + output;
            }
        }
        cycles
    }
}

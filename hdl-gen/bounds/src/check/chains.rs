//! Packets that can be in the way of others: whether all are counted, for as long as they take.

use super::ways::{Checker, Stop, released};
use super::{Wrong, at_least};
use crate::queue_network::LinkSharing;
use crate::steps::Claim;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use turnpike_network::routing::Vc;

impl Checker<'_> {
    /// Whether a claim counts all packets that can be in the way, each for long enough.
    pub fn claim(&self, claim: &Claim, known: &[Option<u64>]) -> Result<(), Wrong> {
        let own = claim.flow;
        let mut sum = 0;
        let mut counted: BTreeMap<usize, u64> = BTreeMap::new();
        if !claim.since_idle.is_empty() && !claim.since_idle.contains(&own) {
            return Err(Wrong::Other("a flow counts from when others were idle"));
        }
        for packets in &claim.packets {
            let within = match claim.since_idle.contains(&packets.flow) {
                true => claim.cycles + 1,
                false => {
                    let bound = known.get(packets.flow).copied().flatten();
                    let bound = bound.ok_or(Wrong::Other("a bound is not known yet"))?;
                    // Packets behind it in its flow are in no chain of it where all go one way, and take
                    // none of its links where that crosses each once.
                    let is_ahead = packets.flow == own && self.is_in_line(own);
                    bound + if is_ahead { 0 } else { claim.cycles + 1 }
                }
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
        let alone = self.ways_of(own).map(|way| self.in_registers(way)).max();
        let alone = alone.filter(|_| claim.since_idle.is_empty()).unwrap_or(0);
        at_least(|| format!("flow {own}"), claim.cycles + 1, sum + alone)?;
        let reached = self.in_the_way(own, &claim.since_idle);
        let mut takes: BTreeMap<usize, u64> = BTreeMap::new();
        for (&way, &first) in &reached {
            let flow = self.ways[way].flow;
            let is_whole = claim.since_idle.contains(&flow);
            let registers = if is_whole { self.in_registers(way) } else { 0 };
            let cycles = self.charged(way, first, claim.link_sharing) + registers;
            let known = takes.entry(flow).or_default();
            *known = cycles.max(*known);
        }
        for (flow, cycles) in self.links_taken(&reached, claim.link_sharing) {
            *takes.entry(flow).or_default() += cycles;
        }
        for (other, takes) in takes {
            if counted.get(&other).is_none_or(|&cycles| cycles < takes) {
                return Err(Wrong::Missing { flow: own, other });
            }
        }
        Ok(())
    }

    /// Whether a flow has one route, which crosses no link twice.
    fn is_in_line(&self, flow: usize) -> bool {
        let ways: Vec<usize> = self.ways_of(flow).collect();
        let [way] = ways[..] else { return false };
        let links = self.ways[way].stops.iter().map(|stop| (stop.output.0, stop.output.1));
        let links: Vec<_> = links.collect();
        (1..links.len()).all(|at| !links[..at].contains(&links[at]))
    }

    /// By flow, the cycles that one packet of it takes links of these routes for, on other virtual channels.
    fn links_taken(
        &self,
        reached: &BTreeMap<usize, usize>,
        counted: LinkSharing,
    ) -> BTreeMap<usize, u64> {
        let mut waiting: BTreeMap<_, BTreeSet<(Vc, u8)>> = BTreeMap::new();
        for &way in reached.keys() {
            for &Stop { output: (node, output, vc), .. } in &self.ways[way].stops {
                waiting.entry((node, output)).or_default().insert((vc, self.priority(way)));
            }
        }
        let mut most = BTreeMap::new();
        for (way, route) in self.ways.iter().enumerate() {
            let own = self.priority(way);
            let holds_up = |&&Stop { output: (node, output, vc), .. }: &&Stop| {
                let waiting = waiting.get(&(node, output));
                let holds_up = |&(other, priority): &(Vc, u8)| match counted {
                    LinkSharing::Turns => priority < own,
                    LinkSharing::Flits => other != vc && priority <= own,
                };
                waiting.is_some_and(|waiting| waiting.iter().any(holds_up))
            };
            let links = route.stops.iter().filter(holds_up).count() as u64;
            let known: &mut u64 = most.entry(route.flow).or_default();
            *known = (links * self.packet(way)).max(*known);
        }
        most.retain(|_, cycles| *cycles > 0);
        most
    }

    /// By route, the first stage from which on its packets can be in the way of a flow and those beside
    /// it: 0 is the source, then two for each stop, before and after it is granted.
    fn in_the_way(&self, own: usize, beside: &[usize]) -> BTreeMap<usize, usize> {
        let mut reached: BTreeMap<usize, usize> = BTreeMap::new();
        let first = beside.iter().chain([&own]).flat_map(|&flow| self.ways_of(flow));
        let mut open: VecDeque<(usize, usize)> = first.map(|way| (way, 0)).collect();
        let (mut queues, mut outputs) = (BTreeSet::new(), BTreeSet::new());
        let mut sources = BTreeSet::new();
        while let Some((way, stage)) = open.pop_front() {
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

    /// Cycles that a packet holds up others alone from a stage on, with the other virtual channels of its
    /// links counted so.
    fn charged(&self, way: usize, first: usize, counted: LinkSharing) -> u64 {
        let stops = &self.ways[way].stops;
        let [grant, output] = self.registers();
        let (entered, under_way) = match self.packet(way) {
            1 => (1, 0),
            _ => (u64::from(self.plan.injection_cycles()), output),
        };
        let mut cycles = self.paces(way, stops.len() - 1, counted)[1];
        if first == 0 {
            cycles += entered;
        }
        for stop in &stops[first.saturating_sub(1) / 2..] {
            cycles += grant + self.sharing(stop, counted) + under_way;
            if stop.next.is_some() {
                cycles += output;
            }
        }
        cycles
    }

    /// Cycles that a packet of one flit is in registers, where it holds up nobody.
    fn in_registers(&self, way: usize) -> u64 {
        let stops = self.ways[way].stops.len() as u64;
        match self.packet(way) {
            1 => stops * self.registers()[1] + u64::from(self.plan.injection_cycles()) - 1,
            _ => 0,
        }
    }
}

//! The adversary: releases that token buckets let through, so chosen that some packet takes as long as it
//! can.

use super::fabric;
use std::collections::VecDeque;
use turnpike_base::random::Random;
use turnpike_bounds::{Bounds, FlowBound};
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::testing::is_every;
use turnpike_network::flows::{Bandwidth, Flow};
use turnpike_sim_network::reference::{Beat, Reference};
use turnpike_sim_network::terminals::TerminalSet;

/// Cycles in which packets are released in one trial.
const CYCLES: u64 = 600;

/// When a flow releases packets: from some cycle on, so many at once as soon as its bucket lets it, and
/// then none for so many cycles.
#[derive(Clone, Copy, Debug)]
struct Habit {
    from: u64,
    at_once: u32,
    pause: u64,
}

impl Habit {
    fn drawn(random: &mut Random) -> Self {
        Self {
            from: random.below(40).into(),
            at_once: 1 + random.below(4),
            pause: (1 + random.below(60)).into(),
        }
    }
}

/// A flow that releases packets by a habit, as its token bucket lets it.
struct Releaser<'a> {
    flow: &'a Flow,
    at_once: u64,
    pause: u64,
    /// Cycle before which it releases none.
    until: u64,
    /// Billionths of a flit.
    tokens: u64,
}

impl<'a> Releaser<'a> {
    fn new(flow: &'a Flow, habit: &Habit) -> Self {
        let mut new = Self { flow, at_once: 0, pause: habit.pause, until: habit.from, tokens: 0 };
        new.tokens = new.full();
        new.at_once = u64::from(habit.at_once).min(new.full() / new.packet());
        new
    }

    fn full(&self) -> u64 {
        u64::from(self.flow.burst.unwrap()) * Bandwidth::WHOLE.0
    }

    fn packet(&self) -> u64 {
        u64::from(self.flow.packet_flits.unwrap()) * Bandwidth::WHOLE.0
    }

    /// Packets that it releases in a cycle.
    fn release(&mut self, cycle: u64) -> u64 {
        let needs = self.at_once * self.packet();
        let released = if cycle >= self.until && self.tokens >= needs { self.at_once } else { 0 };
        if released > 0 {
            self.tokens -= needs;
            self.until = cycle + self.pause;
        }
        self.tokens = (self.tokens + self.flow.bandwidth.unwrap().0).min(self.full());
        released
    }
}

/// Packets that wait at a source, each with its number, and the flits of the first that went.
#[derive(Clone, Default)]
struct Source {
    waiting: VecDeque<u32>,
    sent: u32,
}

/// The slowest packet of each flow, in cycles from its release to its last flit.
fn slowest(plan: &FabricPlan, flows: &[Flow], habits: &[Habit]) -> Vec<u64> {
    let mut reference = Reference::new(plan).unwrap();
    let terminals = reference.terminals();
    let sinks = TerminalSet::all(terminals);
    let mut releasers: Vec<Releaser<'_>> =
        flows.iter().zip(habits).map(|(flow, habit)| Releaser::new(flow, habit)).collect();
    let mut sources = vec![Source::default(); terminals as usize];
    // By number: the flow, and the cycle of release.
    let mut packets: Vec<(usize, u64)> = Vec::new();
    let mut slowest = vec![0; flows.len()];
    for cycle in 0..CYCLES + 100_000 {
        if cycle < CYCLES {
            for (at, releaser) in releasers.iter_mut().enumerate() {
                for _ in 0..releaser.release(cycle) {
                    let waiting = &mut sources[releaser.flow.source.0 as usize].waiting;
                    waiting.push_back(packets.len() as u32);
                    packets.push((at, cycle));
                }
            }
        } else if reference.flits() == 0 && sources.iter().all(|source| source.waiting.is_empty()) {
            return slowest;
        }
        for (terminal, source) in (0..).zip(&mut sources) {
            let Some(&packet) = source.waiting.front() else { continue };
            let flow = &flows[packets[packet as usize].0];
            let last = source.sent + 1 == flow.packet_flits.unwrap();
            if reference.offer(terminal, Beat { packet, destination: flow.destination, last }) {
                source.sent = if last { 0 } else { source.sent + 1 };
                source.waiting.drain(..usize::from(last));
            }
        }
        for delivery in reference.clock(&sinks).iter().filter(|delivery| delivery.flit.last) {
            let (flow, released) = packets[delivery.flit.packet as usize];
            slowest[flow] = slowest[flow].max(cycle - released);
        }
    }
    panic!("{}: it never empties", plan.name)
}

/// Holds the slowest packets against the bounds. How near each came to the bound of its flow, from 0 to 1; 0
/// where there is none.
fn hold(plan: &FabricPlan, bounds: &Bounds, slowest: &[u64]) -> Vec<f64> {
    let near = |(flow, &slowest): (&FlowBound, &u64)| {
        let Some(bound) = flow.bound_cycles else { return 0.0 };
        assert!(slowest <= bound, "{}: {flow:?} took {slowest}", plan.canonical());
        assert!(flow.least_cycles <= bound, "{}: {flow:?}", plan.canonical());
        slowest as f64 / bound as f64
    };
    bounds.flows.iter().zip(slowest).map(near).collect()
}

/// A flow to make slow: one whose bound is by the times of queues, where there is one.
fn target(bounds: &Bounds, random: &mut Random) -> usize {
    let is_by_queues = |flow: &FlowBound| {
        flow.bound_cycles.is_some() && flow.bound_cycles == flow.compositional_cycles
    };
    let flows = bounds.flows.iter().enumerate();
    let by_queues: Vec<usize> =
        flows.filter(|(_, flow)| is_by_queues(flow)).map(|(at, _)| at).collect();
    match by_queues.is_empty() {
        true => random.below(bounds.flows.len() as u32) as usize,
        false => by_queues[random.below(by_queues.len() as u32) as usize],
    }
}

/// Looks for releases that make the packets of one flow as slow as they can be, in so many trials that each
/// change the habit of one flow. How near the nearest packet of any flow came to its bound.
fn search(plan: &FabricPlan, bounds: &Bounds, trials: usize, random: &mut Random) -> f64 {
    let flows = plan.topology().live_flows().unwrap();
    let target = target(bounds, random);
    let mut habits = vec![Habit { from: 0, at_once: 1, pause: 1 }; flows.len()];
    let nearest = |near: &[f64]| near.iter().copied().fold(0.0, f64::max);
    let first = hold(plan, bounds, &slowest(plan, &flows, &habits));
    let (mut best, mut most) = (first[target], nearest(&first));
    for _ in 1..trials {
        let at = random.below(habits.len() as u32) as usize;
        let before = std::mem::replace(&mut habits[at], Habit::drawn(random));
        let near = hold(plan, bounds, &slowest(plan, &flows, &habits));
        most = most.max(nearest(&near));
        match near[target] >= best {
            true => best = near[target],
            false => habits[at] = before,
        }
    }
    most
}

/// No packet of random fabrics is slower than its bound, and bounds are near what there is: some are
/// reached, and half of the fabrics have a packet that takes a third of its bound.
#[test]
fn no_adversary_beats_a_bound() {
    let mut random = Random::new(1);
    let fabrics = if is_every() { 6000 } else { 800 };
    let mut nearest: Vec<f64> = (0..fabrics)
        .map(|_| {
            let (plan, bounds) = fabric(&mut random);
            search(&plan, &bounds, 20, &mut random)
        })
        .collect();
    nearest.sort_by(f64::total_cmp);
    println!("{:.2} in the median", nearest[fabrics / 2]);
    assert!(nearest.last() == Some(&1.0) && nearest[fabrics / 2] > 0.33, "{nearest:?}");
}

/// Ten million cycles of releases on each of 20 fabrics.
#[test]
#[ignore = "for minutes of search"]
fn no_patient_adversary_beats_a_bound() {
    let mut random = Random::new(2);
    for _ in 0..20 {
        let (plan, bounds) = fabric(&mut random);
        let near = search(&plan, &bounds, (10_000_000 / CYCLES) as usize, &mut random);
        println!("{near:.2} {}", plan.canonical());
    }
}

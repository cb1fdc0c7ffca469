//! The testbench of a single switch: random legal packets at every queue, random back-pressure
//! at every output, and every port held against [`SwitchModel`] in every cycle.

use super::failure::{bit, words};
use super::fifo::random_words;
use super::ready_before::ReadyBefore;
use super::switch_model::{SwitchFlit, SwitchModel};
use super::{Bench, Failure, Flow, RESET_EVERY, is_reset};
use std::collections::{BTreeMap, BTreeSet};
use turnpike_fabric::plan::{FabricPlan, QueuePlan, SwitchPlan};
use turnpike_fabric::rtl::switch::port;
use turnpike_network::routing::walk::walk;
use turnpike_network::routing::{Header, Input, Vc};
use turnpike_sim_network::traffic::random::Random;
use turnpike_sim_rtl::dut::Dut;
use turnpike_sim_rtl::eval::NetId;

/// Handles of the wires of a port: header, where there is one, and flit.
type Wires = (Option<NetId>, NetId);
/// Handles of `valid` and `ready`.
type Handshake = (NetId, NetId);

/// Counts of the bench.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SwitchCounts {
    /// Packets that left, by (queue, (output, VC)): every turn of the switch should be here.
    pub turns: BTreeMap<(usize, usize), u64>,
    /// Flits that left.
    pub flits: u64,
}

/// The bench of `rtl::switch`.
#[derive(Debug)]
pub struct SwitchBench {
    class: SwitchPlan,
    model: SwitchModel,
    /// The model after a reset.
    empty: SwitchModel,
    inputs: Vec<Wires>,
    queues: Vec<Handshake>,
    outputs: Vec<Wires>,
    output_vcs: Vec<Handshake>,
    width: u32,
    most_flits: u32,
    /// By queue: the headers that the relation produces there.
    headers: Vec<Vec<Header>>,
    /// By queue: the header and the flits left of the packet under way, and the flit that
    /// stands at the port.
    sending: Vec<(Header, u32)>,
    standing: Vec<Option<SwitchFlit>>,
    /// By queue: its flit is on the wires in this cycle.
    offered: Vec<bool>,
    /// By queue: its ready in the cycles before.
    was_ready: Vec<ReadyBefore>,
    ready: Vec<bool>,
    random: Random,
    clock: u64,
    /// Whether this cycle is under reset.
    reset: bool,
    cycles: u64,
    /// Counts of the flits and packets that left so far.
    pub counts: SwitchCounts,
}

impl SwitchBench {
    /// A bench of that many cycles for a switch class of a plan; packets of up to four times
    /// the queues' depth.
    pub fn new(dut: &Dut, plan: &FabricPlan, class: &SwitchPlan, cycles: u64, seed: u64) -> Self {
        let wires = |header: &[u32], name: &dyn Fn(&str) -> String| {
            ((!header.is_empty()).then(|| dut.port(&name("header"))), dut.port(&name("flit")))
        };
        let handshake =
            |name: &dyn Fn(&str) -> String| (dut.port(&name("valid")), dut.port(&name("ready")));
        let inputs = &class.inputs;
        let outputs = &class.outputs;
        Self {
            model: SwitchModel::new(plan, class),
            empty: SwitchModel::new(plan, class),
            inputs: inputs.iter().map(|i| wires(&i.header, &|s| port::input(i, s))).collect(),
            queues: class
                .queues
                .iter()
                .map(|q| handshake(&|s| port::input_vc(&inputs[q.input], q.vc, s)))
                .collect(),
            outputs: outputs.iter().map(|o| wires(&o.header, &|s| port::output(o, s))).collect(),
            output_vcs: class
                .output_vcs
                .iter()
                .map(|o| handshake(&|s| port::output_vc(&outputs[o.output], o.vc, s)))
                .collect(),
            width: plan.flit_width(),
            most_flits: 4 * plan.parameters.depth,
            headers: headers(plan, class),
            sending: vec![(0, 0); class.queues.len()],
            standing: vec![None; class.queues.len()],
            offered: vec![false; class.queues.len()],
            was_ready: class.queues.iter().map(|queue| before(plan, class, queue)).collect(),
            ready: vec![false; class.output_vcs.len()],
            class: class.clone(),
            random: Random::new(seed),
            clock: 0,
            reset: false,
            cycles,
            counts: SwitchCounts::default(),
        }
    }

    fn next_flit(&mut self, queue: usize) -> SwitchFlit {
        if self.sending[queue].1 == 0 {
            let headers = &self.headers[queue];
            let header = headers[self.random.below(headers.len() as u32) as usize];
            let long = self.random.below(8) == 0;
            let most = if long { self.most_flits } else { 3 };
            self.sending[queue] = (header, 1 + self.random.below(most));
        }
        let (header, left) = &mut self.sending[queue];
        *left -= 1;
        let (header, last) = (*header, *left == 0);
        let mut bits = random_words(&mut self.random, self.width);
        let top = self.width - 1;
        let word = &mut bits[(top / 64) as usize];
        *word = *word & !(1 << (top % 64)) | u64::from(last) << (top % 64);
        SwitchFlit { header, bits, last }
    }

    /// Chooses what each input port carries; at most one of its VCs a cycle.
    fn offer(&mut self, dut: &mut Dut, load: u32) {
        self.offered.fill(false);
        for input in 0..self.inputs.len() {
            let queues: Vec<usize> = (0..self.class.queues.len())
                .filter(|&q| self.class.queues[q].input == input)
                .collect();
            let queue = queues[self.random.below(queues.len() as u32) as usize];
            let Some(flit) = &self.standing[queue] else { continue };
            if !self.was_ready[queue].lets_send() {
                continue;
            }
            if self.random.below(100) >= load {
                continue;
            }
            self.offered[queue] = true;
            let (header, wires) = self.inputs[input];
            if let Some(net) = header {
                dut.set(net, gather(flit.header, &self.class.inputs[input].header));
            }
            dut.set_words(wires, 0, self.width, &flit.bits);
        }
        for (queue, &(valid, _)) in self.queues.iter().enumerate() {
            dut.set(valid, self.offered[queue].into());
        }
    }

    /// Whether who sends to this queue does so some cycles after it was ready: not the injector.
    fn follows_ready(&self, queue: usize) -> bool {
        self.was_ready[queue].counts()
    }

    fn compare(&mut self, dut: &Dut, cycle: u64) -> Result<(), Failure> {
        let outcome = self.model.outcome(&self.ready);
        for (queue, &(_, ready)) in self.queues.iter().enumerate() {
            let signal = || format!("{} ready", self.class.queues[queue].name);
            bit(cycle, signal(), outcome.queue_ready[queue], dut.get(ready) == 1)?;
        }
        for (lane, offer) in outcome.offers.iter().enumerate() {
            let ov = &self.class.output_vcs[lane];
            bit(
                cycle,
                format!("{} valid", ov.name),
                offer.is_some(),
                dut.get(self.output_vcs[lane].0) == 1,
            )?;
            let Some(offer) = offer else { continue };
            let (header, flit) = self.outputs[ov.output];
            let found: Vec<u64> = dut.get_words(flit, 0, self.width).collect();
            words(cycle, format!("{} flit", ov.name), &offer.flit.bits, found.into_iter())?;
            if let Some(net) = header {
                let expected = gather(offer.header, &self.class.outputs[ov.output].header);
                let found = std::iter::once(dut.get(net));
                words(cycle, format!("{} header", ov.name), &[expected], found)?;
            }
            if self.ready[lane] {
                self.counts.flits += 1;
            }
        }
        Ok(())
    }

    /// The queue that feeds each (output, VC) to which it gives its packet's last flit now.
    fn count_turns(&mut self) {
        for (lane, leaves) in self.model.leaving(&self.ready).iter().enumerate() {
            let ends = leaves.as_ref().is_some_and(|o| o.flit.last);
            if let Some(source) = self.model.source(lane).filter(|_| ends) {
                *self.counts.turns.entry((source, lane)).or_default() += 1;
            }
        }
    }
}

/// Readiness of a queue before, for its sender: nothing of an injection queue, whose sender looks at once.
fn before(plan: &FabricPlan, class: &SwitchPlan, queue: &QueuePlan) -> ReadyBefore {
    let is_inject = class.inputs[queue.input].input.is_inject();
    ReadyBefore::new(if is_inject { 0 } else { plan.queue_size(class, queue).in_flight })
}

/// The bits of a header that a port carries, packed, the first in bit 0.
fn gather(header: Header, bits: &[u32]) -> u64 {
    bits.iter().rev().fold(0, |v, &b| v << 1 | header >> b & 1)
}

/// By queue of a class: the headers that the relation produces there, over every route.
pub fn headers(plan: &FabricPlan, class: &SwitchPlan) -> Vec<Vec<Header>> {
    let (topology, relation) = (plan.topology(), plan.relation());
    let mut found: BTreeMap<(Input, Vc), BTreeSet<Header>> = BTreeMap::new();
    for source in topology.sources() {
        let pairs = topology.destinations(source).map(|destination| (source, destination));
        for ((_, destination), draw) in relation.with_each_route(pairs) {
            let route = walk(topology, relation, source, destination, draw, |step| {
                if plan.switch_of(step.node).name == class.name {
                    found.entry((step.input, step.vc)).or_default().insert(step.header);
                }
            });
            debug_assert!(route.is_ok(), "every route was walked when the network was made");
        }
    }
    let of = |q: &turnpike_fabric::plan::QueuePlan| {
        let headers = found.get(&(class.inputs[q.input].input, q.vc));
        headers.into_iter().flatten().copied().collect()
    };
    class.queues.iter().map(of).collect()
}

impl Bench<Dut> for SwitchBench {
    fn drive(&mut self, dut: &mut Dut) -> Result<(), Failure> {
        // The deeper the queues, the longer they take to fill.
        self.reset = is_reset(self.clock, RESET_EVERY + 4 * u64::from(self.most_flits));
        dut.set_reset(self.reset);
        for queue in 0..self.standing.len() {
            if self.standing[queue].is_none() {
                self.standing[queue] = Some(self.next_flit(queue));
            }
        }
        let phase = self.clock / 100;
        self.offer(dut, [100, 30, 80][(phase % 3) as usize]);
        let sinks = [100, 50, 20, 90][(phase / 3 % 4) as usize];
        for lane in 0..self.ready.len() {
            self.ready[lane] = self.random.below(100) < sinks;
            dut.set(self.output_vcs[lane].1, self.ready[lane].into());
        }
        Ok(())
    }

    fn check(&mut self, dut: &Dut) -> Result<Flow, Failure> {
        self.clock += 1;
        if self.reset {
            // What was offered and what was inside is gone, and no packet goes on.
            self.model.clone_from(&self.empty);
            self.sending.fill((0, 0));
            self.standing.fill(None);
            self.was_ready.iter_mut().for_each(ReadyBefore::clear);
            return Ok(Flow::On);
        }
        self.compare(dut, self.clock - 2)?;
        self.count_turns();
        let queue_ready = self.model.outcome(&self.ready).queue_ready;
        let arriving = (0..self.standing.len()).map(|queue| {
            let ready = queue_ready[queue] || self.follows_ready(queue);
            let taken = self.offered[queue] && ready;
            taken.then(|| self.standing[queue].clone()).flatten()
        });
        let arriving: Vec<_> = arriving.collect();
        for (queue, flit) in arriving.iter().enumerate() {
            if flit.is_some() {
                self.standing[queue] = None;
            }
        }
        self.model.clock(&self.ready, arriving);
        for (before, ready) in self.was_ready.iter_mut().zip(queue_ready) {
            before.note(ready);
        }
        Ok(if self.clock > self.cycles { Flow::Done } else { Flow::On })
    }
}

//! A switch in software, from its plan alone: what the RTL of one switch must equal, port by
//! port and cycle for cycle.

use super::arbiter::{AnyArbiter, ArbiterModel};
use std::collections::VecDeque;
use turnpike_fabric::plan::{FabricPlan, OutputVcPlan, Pipeline, SwitchPlan};
use turnpike_network::routing::{Header, Input, Output};

/// A flit in a queue of a switch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SwitchFlit {
    /// The header, bit j being header bit j of the relation.
    pub header: Header,
    /// The flit's bits in words of 64, the lowest first; its top bit is `last`.
    pub bits: Vec<u64>,
    /// Whether it is its packet's last.
    pub last: bool,
}

/// Flit that leaves through an (output, VC), or stands there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    /// Header bits that go on.
    pub header: Header,
    /// The flit, with its header as it was.
    pub flit: SwitchFlit,
}

/// Outputs of a cycle, from the state and the readies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// By queue: its ready.
    pub queue_ready: Vec<bool>,
    /// By (output, VC): what is offered where `valid` is high.
    pub offers: Vec<Option<Offer>>,
}

#[derive(Clone, Debug)]
pub struct SwitchModel {
    class: SwitchPlan,
    depth: usize,
    pipeline: Pipeline,
    queues: Vec<VecDeque<SwitchFlit>>,
    /// By queue: whether its first flit stands in the front register, where there is one.
    fronts: Vec<bool>,
    /// By (output, VC), over its sources.
    arbiters: Vec<AnyArbiter>,
    /// By (output, VC): the header bits that a queue behind its channel stores.
    live: Vec<Header>,
    /// By output, over its (output, VC)s of each priority, the highest first.
    links: Vec<Vec<(Vec<usize>, ArbiterModel)>>,
    /// By (output, VC): what its output register holds for it, where there is one.
    registers: Vec<Option<Offer>>,
}

/// Header with these bits set.
fn mask(bits: &[u32]) -> Header {
    bits.iter().fold(0, |mask, bit| mask | 1 << bit)
}

/// Header bits that the queues behind an (output, VC) store, at the nodes of a class.
fn live(plan: &FabricPlan, class: &SwitchPlan, ov: &OutputVcPlan) -> Header {
    let Output::Network(port) = class.outputs[ov.output].output else { return 0 };
    let topology = plan.topology();
    let own = topology.all_nodes().filter(|&node| plan.switch_of(node).name == class.name);
    own.filter_map(|node| topology.channel(node, port)).fold(0, |live, (to, input)| {
        let behind = plan.switch_of(to);
        let queue = behind.queues.iter().find(|queue| {
            queue.vc == ov.vc && behind.inputs[queue.input].input == Input::Network(input)
        });
        live | queue.map_or(0, |queue| mask(&queue.header))
    })
}

impl SwitchModel {
    /// An empty switch of a class.
    pub fn new(plan: &FabricPlan, class: &SwitchPlan) -> Self {
        let pipeline = plan.parameters.pipeline;
        let arbiter = |n| AnyArbiter::new(pipeline.granting(), n);
        let arbiters = class.output_vcs.iter().map(|ov| arbiter(ov.sources.len()));
        let links = (0..class.outputs.len()).map(|output| {
            let own = |priority: u8| -> Vec<usize> {
                let lanes = class.output_vcs.iter().enumerate();
                let own = lanes.filter(|(_, ov)| (ov.output, ov.priority) == (output, priority));
                own.map(|(lane, _)| lane).collect()
            };
            let levels = (0..=u8::MAX).rev().map(own).filter(|lanes| !lanes.is_empty());
            levels.map(|lanes| (lanes.clone(), ArbiterModel::new(lanes.len()))).collect()
        });
        Self {
            depth: plan.parameters.depth as usize,
            pipeline,
            queues: vec![VecDeque::new(); class.queues.len()],
            fronts: vec![false; class.queues.len()],
            arbiters: arbiters.collect(),
            live: class.output_vcs.iter().map(|ov| live(plan, class, ov)).collect(),
            links: links.collect(),
            registers: vec![None; class.output_vcs.len()],
            class: class.clone(),
        }
    }

    /// Flits in all queues.
    pub fn flits(&self) -> usize {
        self.queues.iter().map(VecDeque::len).sum()
    }

    /// By source of an (output, VC): whether the flit at a place of its queue, if any, wants it.
    fn wanted(&self, output_vc: usize, place: impl Fn(usize) -> Option<usize>) -> Vec<bool> {
        let ov = &self.class.output_vcs[output_vc];
        let output = self.class.outputs[ov.output].output;
        let wants = |queue: usize| {
            let flit = place(queue).and_then(|place| self.queues[queue].get(place));
            let way = flit.map(|flit| self.class.queues[queue].select.way(flit.header));
            way.is_some_and(|way| way.output == output && way.vc.is_none_or(|vc| vc == ov.vc))
        };
        ov.sources.iter().map(|s| wants(s.queue)).collect()
    }

    /// By source of an (output, VC): whether it asks for it, where the flits of `leaving` leave.
    fn requests(&self, output_vc: usize, leaving: &[Option<Offer>]) -> Vec<bool> {
        if !self.pipeline.asks_ahead() {
            return self.wanted(output_vc, |_| Some(0));
        }
        // The packet that is the first of its queue in the next cycle, if it has no grant then.
        let lanes = || (0..leaving.len()).filter_map(|lane| Some((lane, self.granted(lane)?)));
        self.wanted(output_vc, |queue| {
            let own = lanes().find(|&(_, granted)| granted == queue);
            match own {
                None => Some(0),
                Some((lane, _)) => leaving[lane].as_ref().filter(|o| o.flit.last).map(|_| 1),
            }
        })
    }

    /// The queue that a registered grant of an (output, VC) goes to.
    fn granted(&self, output_vc: usize) -> Option<usize> {
        let source = self.arbiters[output_vc].grant(&[])?;
        Some(self.class.output_vcs[output_vc].sources[source].queue)
    }

    /// The source that is granted an (output, VC) and has a flit.
    fn present(&self, output_vc: usize) -> Option<usize> {
        let ov = &self.class.output_vcs[output_vc];
        if self.pipeline.asks_ahead() {
            let source = self.arbiters[output_vc].grant(&[]);
            return source.filter(|&source| self.fronts[ov.sources[source].queue]);
        }
        let requests = self.wanted(output_vc, |_| Some(0));
        self.arbiters[output_vc].grant(&requests).filter(|&source| requests[source])
    }

    /// Whether a flit of an (output, VC) can leave its queue.
    fn room(&self, output_vc: usize, ready: &[bool]) -> bool {
        let output = &self.class.outputs[self.class.output_vcs[output_vc].output];
        // A channel's register is always free again: its sender looked at ready before.
        let holds = self.pipeline.registers_output() && output.output.is_eject();
        ready[output_vc] || holds && self.registers[output_vc].is_none()
    }

    /// By (output, VC) of a priority of an output: whether it may send.
    fn candidates(&self, lanes: &[usize], ready: &[bool]) -> Vec<bool> {
        lanes.iter().map(|&i| self.room(i, ready) && self.present(i).is_some()).collect()
    }

    /// The place of the highest priority of an output that may send; `None` where none may.
    fn first_level(&self, output: usize, ready: &[bool]) -> Option<usize> {
        let may = |(lanes, _): &(Vec<usize>, _)| self.candidates(lanes, ready).contains(&true);
        self.links[output].iter().position(may)
    }

    /// The queue that is granted an (output, VC) and has a flit.
    pub fn source(&self, output_vc: usize) -> Option<usize> {
        let source = self.present(output_vc)?;
        Some(self.class.output_vcs[output_vc].sources[source].queue)
    }

    /// Flit of the granted source of an (output, VC).
    fn offer(&self, output_vc: usize) -> Option<Offer> {
        let source = &self.class.output_vcs[output_vc].sources[self.present(output_vc)?];
        let flit = self.queues[source.queue].front()?.clone();
        // A bit that no queue behind the channel stores is made of what this queue stores.
        let stored = mask(&self.class.queues[source.queue].header);
        let [whole, rest] =
            [Header::MAX, stored].map(|kept| source.carry.apply(flit.header & kept));
        let live = self.live[output_vc];
        Some(Offer { header: whole & live | rest & !live, flit })
    }

    /// By (output, VC): the flit that leaves its queue.
    pub fn leaving(&self, ready: &[bool]) -> Vec<Option<Offer>> {
        let mut leaving = vec![None; self.class.output_vcs.len()];
        for output in 0..self.class.outputs.len() {
            let Some(level) = self.first_level(output, ready) else { continue };
            let (lanes, arbiter) = &self.links[output][level];
            if let Some(at) = arbiter.grant(&self.candidates(lanes, ready)) {
                leaving[lanes[at]] = self.offer(lanes[at]);
            }
        }
        leaving
    }

    /// Outputs at the ports: `ready` by (output, VC).
    pub fn outcome(&self, ready: &[bool]) -> Outcome {
        let offers = if self.pipeline.registers_output() {
            self.registers.clone()
        } else {
            let mut offers = self.leaving(ready);
            // A terminal's valid does not wait for its ready; a channel's does.
            for (lane, ov) in self.class.output_vcs.iter().enumerate() {
                if self.class.outputs[ov.output].output.is_eject() {
                    offers[lane] = self.offer(lane);
                }
            }
            offers
        };
        let full = self.depth - self.pipeline.in_flight() as usize;
        let behind = self.queues.iter().zip(&self.fronts);
        let behind = behind.map(|(queue, &front)| queue.len() - usize::from(front));
        let queue_ready = behind.map(|flits| flits < full).collect();
        Outcome { queue_ready, offers }
    }

    /// The clock's edge: `ready` by (output, VC), `arriving` by queue.
    pub fn clock(&mut self, ready: &[bool], arriving: Vec<Option<SwitchFlit>>) {
        let leaving = self.leaving(ready);
        for output in 0..self.class.outputs.len() {
            let Some(level) = self.first_level(output, ready) else { continue };
            let wants = self.candidates(&self.links[output][level].0, ready);
            self.links[output][level].1.clock(&wants, true);
        }
        let rooms: Vec<bool> = (0..ready.len()).map(|i| self.room(i, ready)).collect();
        let sources: Vec<_> = (0..ready.len()).map(|i| self.source(i)).collect();
        let requests: Vec<_> = (0..ready.len()).map(|i| self.requests(i, &leaving)).collect();
        for (lane, requests) in requests.iter().enumerate() {
            if let (Some(_), Some(queue)) = (&leaving[lane], sources[lane]) {
                self.queues[queue].pop_front();
            }
            let done = leaving[lane].as_ref().is_some_and(|offer| offer.flit.last);
            self.arbiters[lane].clock(requests, done);
        }
        if self.pipeline.registers_output() {
            for (lane, offer) in leaving.into_iter().enumerate() {
                let ejects =
                    self.class.outputs[self.class.output_vcs[lane].output].output.is_eject();
                if rooms[lane] || !ejects {
                    self.registers[lane] = offer;
                }
            }
        }
        for (queue, flit) in arriving.into_iter().enumerate() {
            self.fronts[queue] = self.pipeline.asks_ahead() && !self.queues[queue].is_empty();
            self.queues[queue].extend(flit);
        }
    }
}

//! A switch in software, from its plan alone: what the RTL of one switch must equal, port by
//! port and cycle for cycle.

use super::arbiter::ArbiterModel;
use std::collections::VecDeque;
use turnpike_hdl_gen::plan::{FabricPlan, SwitchPlan};
use turnpike_hdl_gen::routing::{Header, Output};

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

/// What leaves through an (output, VC), or stands there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    /// Header bits that go on.
    pub header: Header,
    /// The flit, with its header as it was.
    pub flit: SwitchFlit,
}

/// What happens in a cycle, from the state and the readies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// By queue: its ready.
    pub queue_ready: Vec<bool>,
    /// By (output, VC): what is offered where `valid` is high.
    pub offers: Vec<Option<Offer>>,
}

/// The model.
#[derive(Clone, Debug)]
pub struct SwitchModel {
    class: SwitchPlan,
    depth: usize,
    queues: Vec<VecDeque<SwitchFlit>>,
    /// By (output, VC), over its sources.
    arbiters: Vec<ArbiterModel>,
    /// By output, over its VCs.
    links: Vec<ArbiterModel>,
}

impl SwitchModel {
    /// An empty switch of a class.
    pub fn new(plan: &FabricPlan, class: &SwitchPlan) -> Self {
        let arbiters = class.output_vcs.iter().map(|ov| ArbiterModel::new(ov.sources.len()));
        let links = class.outputs.iter().map(|o| ArbiterModel::new(o.vcs.len()));
        Self {
            depth: plan.parameters.depth as usize,
            queues: vec![VecDeque::new(); class.queues.len()],
            arbiters: arbiters.collect(),
            links: links.collect(),
            class: class.clone(),
        }
    }

    /// Flits in all queues.
    pub fn flits(&self) -> usize {
        self.queues.iter().map(VecDeque::len).sum()
    }

    /// By source of an (output, VC): whether its head asks for it.
    fn requests(&self, output_vc: usize) -> Vec<bool> {
        let ov = &self.class.output_vcs[output_vc];
        let output = self.class.outputs[ov.output].output;
        let asks = |queue: usize| {
            let head = self.queues[queue].front();
            head.is_some_and(|f| self.class.queues[queue].select.output(f.header) == output)
        };
        ov.sources.iter().map(|s| asks(s.queue)).collect()
    }

    /// By (output, VC) of an output that has a grant and is ready: whether it may send.
    fn candidates(&self, output: usize, ready: &[bool]) -> Vec<(usize, bool)> {
        let lanes =
            (0..self.class.output_vcs.len()).filter(|&i| self.class.output_vcs[i].output == output);
        let may = |i: usize| ready[i] && self.arbiters[i].grant(&self.requests(i)).is_some();
        lanes.map(|i| (i, may(i))).collect()
    }

    /// The queue that is granted an (output, VC).
    pub fn source(&self, output_vc: usize) -> Option<usize> {
        let granted = self.arbiters[output_vc].grant(&self.requests(output_vc))?;
        Some(self.class.output_vcs[output_vc].sources[granted].queue)
    }

    /// What stands at the ports: `ready` by (output, VC).
    pub fn outcome(&self, ready: &[bool]) -> Outcome {
        let mut offers = vec![None; self.class.output_vcs.len()];
        for (index, output) in self.class.outputs.iter().enumerate() {
            let lanes = self.candidates(index, ready);
            // A terminal's valid does not wait for its ready; a channel's does.
            let lane = match output.output {
                Output::Eject => Some(lanes[0].0),
                Output::Network(_) => {
                    let wants: Vec<bool> = lanes.iter().map(|&(_, may)| may).collect();
                    self.links[index].grant(&wants).map(|at| lanes[at].0)
                }
            };
            let Some(lane) = lane else { continue };
            let granted = self.arbiters[lane].grant(&self.requests(lane));
            offers[lane] = granted.and_then(|source| {
                let source = &self.class.output_vcs[lane].sources[source];
                let flit = self.queues[source.queue].front()?.clone();
                Some(Offer { header: flit.header & source.keeps, flit })
            });
        }
        let queue_ready = self.queues.iter().map(|q| q.len() < self.depth).collect();
        Outcome { queue_ready, offers }
    }

    /// The clock's edge: `ready` by (output, VC), `arriving` by queue.
    pub fn clock(&mut self, ready: &[bool], arriving: Vec<Option<SwitchFlit>>) {
        let outcome = self.outcome(ready);
        for index in 0..self.class.outputs.len() {
            let lanes = self.candidates(index, ready);
            let wants: Vec<bool> = lanes.iter().map(|&(_, may)| may).collect();
            self.links[index].clock(&wants, true);
        }
        let requests: Vec<_> = (0..ready.len()).map(|i| self.requests(i)).collect();
        for (lane, requests) in requests.iter().enumerate() {
            let leaving = outcome.offers[lane].as_ref().filter(|_| ready[lane]);
            if leaving.is_some()
                && let Some(source) = self.arbiters[lane].grant(requests)
            {
                let queue = self.class.output_vcs[lane].sources[source].queue;
                self.queues[queue].pop_front();
            }
            let done = leaving.is_some_and(|offer| offer.flit.last);
            self.arbiters[lane].clock(requests, done);
        }
        for (queue, flit) in arriving.into_iter().enumerate() {
            if outcome.queue_ready[queue] {
                self.queues[queue].extend(flit);
            }
        }
    }
}

//! Links: flits, and the readiness of queues, that arrive some cycles after they left.

use super::layout::{Links, NO_LINK};
use super::leaving::Flits;
use std::mem;
use std::ops::Range;
use std::sync::Arc;
use turnpike_fabric::plan::FabricPlan;

/// Cycles that things take which leave in the same cycle.
#[derive(Clone, Debug)]
enum Delays {
    /// All of them the same.
    Same(usize),
    /// Each its own, by the number of its queue or (output, VC); with the largest.
    Own(Arc<[u8]>, usize),
}

/// Channels of some switches, with all that is on its way. Nothing stops there: a flit arrives as many
/// cycles after it left as there are registers.
#[derive(Debug)]
pub(super) struct OnLinks {
    /// Cycles of flits, by the number of the queue in the whole fabric.
    forward: Delays,
    /// Cycles of changes, by the number of the (output, VC) in its part.
    back: Delays,
    /// Flits that have left, with the queue that they go to: a place for each cycle to come.
    flits: Vec<Flits>,
    /// Changes of readiness that are on their way back: a place for each cycle to come.
    changes: Vec<Changes>,
    /// The places of this cycle.
    now: [usize; 2],
}

/// (Output, VC)s whose queue at the channel's end changed in a cycle.
#[derive(Clone, Default, Debug)]
pub(super) struct Changes {
    /// (Output, VC)s whose queue has room again.
    pub room: Vec<u32>,
    /// (Output, VC)s whose queue is full, after all that have room again.
    pub full: Vec<u32>,
}

impl Changes {
    fn is_empty(&self) -> bool {
        self.room.is_empty() && self.full.is_empty()
    }
}

impl Delays {
    /// Places that a ring of what is under way has.
    fn places(&self) -> usize {
        match *self {
            // What arrives makes room for what leaves.
            Self::Same(cycles) => cycles,
            Self::Own(_, most) => most + 1,
        }
    }

    fn most(&self) -> usize {
        match *self {
            Self::Same(cycles) => cycles,
            Self::Own(_, most) => most,
        }
    }
}

/// Registers that a network has on its links beside those of the parameters.
#[derive(Debug)]
pub(super) struct LinkDelays {
    /// Cycles of a flit, by queue.
    forward: Delays,
    /// Registers back, by (output, VC); empty where all are the same.
    back: Vec<u8>,
    registers: usize,
}

impl LinkDelays {
    /// Delays of all links of a plan: `own` says the network's own by (output, VC).
    pub fn new(plan: &FabricPlan, links: &Links, own: impl Fn(usize) -> u32) -> Self {
        let registers = plan.parameters.link_registers as usize;
        let output = usize::from(plan.parameters.pipeline.registers_output());
        if plan.topology().most_delay() == 0 {
            return Self { forward: Delays::Same(registers + output), back: Vec::new(), registers };
        }
        let mut back = vec![0; links.downstream.len()];
        let mut forward = vec![output as u8; links.upstream.len()];
        for (queue, &upstream) in links.upstream.iter().enumerate() {
            if upstream != NO_LINK {
                let delay = registers as u8 + own(upstream as usize) as u8;
                back[upstream as usize] = delay;
                forward[queue] += delay;
            }
        }
        let most = usize::from(forward.iter().copied().max().unwrap_or(0));
        Self { forward: Delays::Own(forward.into(), most), back, registers }
    }

    /// Links of the switches with these numbers, with nothing on them.
    pub fn none(&self, numbers: Range<usize>) -> OnLinks {
        let back = match self.back.get(numbers) {
            Some(own) if !own.is_empty() => {
                let most = self.back.iter().copied().max().unwrap_or(0);
                Delays::Own(own.into(), usize::from(most))
            }
            _ => Delays::Same(self.registers),
        };
        let forward = self.forward.clone();
        let mut flits = Vec::new();
        flits.resize_with(forward.places(), Flits::default);
        OnLinks {
            flits,
            changes: vec![Changes::default(); back.places()],
            forward,
            back,
            now: [0; 2],
        }
    }
}

impl OnLinks {
    /// Whether readiness comes back through registers.
    #[inline(always)]
    pub fn have_registers(&self) -> bool {
        !self.changes.is_empty()
    }

    /// The most registers on a way back.
    pub fn registers(&self) -> usize {
        self.back.most()
    }

    /// Takes everything off them.
    pub fn clear(&mut self) {
        self.flits.iter_mut().for_each(Flits::clear);
        self.changes.fill(Changes::default());
    }

    /// Whether nothing is on them that something else waits for.
    pub fn are_empty(&self) -> bool {
        self.flits.iter().all(Flits::is_empty) && self.changes.iter().all(Changes::is_empty)
    }

    /// Takes in the flits that leave in this cycle, and puts those that arrive in their place.
    #[inline]
    pub fn carry<const WIDE: bool>(&mut self, flits: &mut Flits) {
        let places = self.flits.len();
        if places == 0 {
            return;
        }
        self.now[0] = (self.now[0] + 1) % places;
        let now = self.now[0];
        if let Delays::Own(own, _) = &self.forward {
            for (to, flit) in flits.iter::<WIDE>() {
                let cycles = usize::from(own[to as usize]);
                self.flits[(now + cycles) % places].push::<WIDE>(to, flit);
            }
            flits.clear();
        }
        mem::swap(&mut self.flits[now], flits);
    }

    /// Takes in the changes of this cycle, and puts those that are seen from the next one on in their
    /// place. There are registers.
    #[inline]
    pub fn carry_back(&mut self, changes: &mut Changes) {
        let places = self.changes.len();
        self.now[1] = (self.now[1] + 1) % places;
        let now = self.now[1];
        if let Delays::Own(own, _) = &self.back {
            let place = |output: u32| (now + usize::from(own[output as usize])) % places;
            for output in changes.room.drain(..) {
                self.changes[place(output)].room.push(output);
            }
            for output in changes.full.drain(..) {
                self.changes[place(output)].full.push(output);
            }
        }
        mem::swap(&mut self.changes[now], changes);
    }
}

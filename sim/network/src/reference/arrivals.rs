//! What arrives in a clock cycle: what left its queue, and what the terminals sent.

use super::Reference;
use super::flit::Flit;
use super::hops::Hops;
use super::layout::Layout;
use super::leaving::Flits;
use super::part::Part;
use std::hint::black_box;
use std::ops::Range;

/// Flits that arrive one after the other.
const BATCH: usize = 64;

impl Part {
    /// Whether nothing leaves, and nothing is under way.
    pub fn rests(&self) -> bool {
        self.leaving.is_empty() && self.under_way.is_empty()
    }

    /// The (output, VC)s whose queue at the channel's end has room again are ready.
    fn open(&mut self) {
        for output in self.leaving.ready.drain(..) {
            self.ready.insert(output as usize);
        }
    }

    /// What left over channels, or with output registers what left a cycle ago, enters the queues at their ends.
    fn arrive_all<const ADAPTIVE: bool, const WIDE: bool>(
        &mut self,
        layout: &Layout,
        hops: &mut Hops,
        cycle: u64,
        held_back: bool,
    ) {
        let mut flits = std::mem::take(self.leaving.hops_mut());
        if held_back {
            std::mem::swap(&mut self.under_way, &mut flits);
        }
        if layout.is_large {
            self.arrive_ahead::<ADAPTIVE, WIDE>(layout, hops, &mut flits, cycle);
        } else {
            for index in 0..flits.len() {
                let (to, flit) = flits.get::<WIDE>(index);
                let flit = hops.arrive::<WIDE>(layout, to, flit);
                self.arrive::<ADAPTIVE, WIDE>(layout, to, flit, cycle);
            }
        }
        flits.clear();
        *self.leaving.hops_mut() = flits;
    }

    /// Flits arrive at the ends of their channels, with what they will change read ahead.
    fn arrive_ahead<const ADAPTIVE: bool, const WIDE: bool>(
        &mut self,
        layout: &Layout,
        hops: &mut Hops,
        flits: &mut Flits,
        cycle: u64,
    ) {
        for first in (0..flits.len()).step_by(BATCH) {
            let batch = first..flits.len().min(first + BATCH);
            for index in batch.clone() {
                let (to, flit) = flits.get::<WIDE>(index);
                flits.set::<WIDE>(index, hops.arrive::<WIDE>(layout, to, flit));
            }
            black_box(self.touch(layout, flits, batch.clone()));
            for index in batch {
                let (to, flit) = flits.get::<WIDE>(index);
                self.arrive::<ADAPTIVE, WIDE>(layout, to, flit, cycle);
            }
        }
    }

    /// Reads what the arrival of these flits will change. In so short a loop many reads wait for
    /// memory at once; in the arrivals themselves each would wait for the one before.
    fn touch(&self, layout: &Layout, flits: &Flits, batch: Range<usize>) -> u64 {
        let touched = batch.map(|index| {
            let (to, flit) = flits.get::<false>(index);
            let output = layout.fields.sibling(to as usize, usize::from(flit.wanted()) % 64);
            let requests = self.outputs.get(output).map_or(0, |output| output.requests);
            requests ^ u64::from(self.queues.count(to as usize))
        });
        touched.fold(0, |all, one| all ^ one)
    }

    /// A flit that has been decided upon enters the queue at the end of its channel.
    #[inline(always)]
    fn arrive<const ADAPTIVE: bool, const WIDE: bool>(
        &mut self,
        layout: &Layout,
        queue: u32,
        flit: Flit,
        cycle: u64,
    ) {
        let (full, upstream) = self.push::<ADAPTIVE, WIDE>(layout, queue as usize, flit, cycle);
        if full {
            self.ready.remove(upstream as usize);
        }
    }
}

impl Reference {
    /// Puts what left where it goes, and what came of it into the state; then what was accepted.
    pub(super) fn arrive_all<const ADAPTIVE: bool, const WIDE: bool>(&mut self) {
        self.progressed = !(self.parts.iter().all(Part::rests)
            && self.from_stage.is_empty()
            && self.offered.is_empty()
            && self.deliveries.is_empty());
        if !self.crossings.is_empty() {
            self.cross();
        }
        self.eject::<WIDE>();
        let held_back = self.pipeline.registers_output();
        for part in self.parts.iter_mut() {
            self.flit_hops += part.leaving.hops().len() as u64;
            part.request_heads::<ADAPTIVE>(&self.layout);
            part.open();
            part.arrive_all::<ADAPTIVE, WIDE>(&self.layout, &mut self.hops, self.cycle, held_back);
        }
        self.accept::<ADAPTIVE, WIDE>();
    }

    /// Counts what leaves.
    fn cross(&mut self) {
        for part in self.parts.iter() {
            for queue in part.leaving.hops().ends() {
                let (end, queue) = self.parts.of(queue as usize);
                self.crossings[end.queues.upstream(queue) as usize] += 1;
            }
            let ejects = part.leaving.ejected().ends();
            for eject in ejects.filter_map(|terminal| self.layout.eject(terminal)) {
                self.crossings[eject] += 1;
            }
        }
    }

    /// What leaves for terminals.
    fn eject<const WIDE: bool>(&mut self) {
        let held_back = self.pipeline.registers_output();
        for part in self.parts.iter_mut() {
            let ejected = part.leaving.ejected_mut();
            for index in 0..ejected.len() {
                let (terminal, flit) = ejected.get::<WIDE>(index);
                if held_back {
                    self.ejecting[terminal as usize] = flit;
                    self.standing.insert(terminal);
                } else {
                    let delivery = self.terminals[terminal as usize].take(terminal, flit);
                    self.deliveries.push(delivery);
                }
            }
            ejected.clear();
        }
    }

    /// A flit enters an injection queue.
    #[inline(always)]
    fn enter<const ADAPTIVE: bool, const WIDE: bool>(&mut self, queue: usize, flit: Flit) {
        let (part, queue) = self.parts.of_mut(queue);
        part.push::<ADAPTIVE, WIDE>(&self.layout, queue, flit, self.cycle);
    }

    /// Stages into queues, then accepted beats into stages or queues.
    fn accept<const ADAPTIVE: bool, const WIDE: bool>(&mut self) {
        for i in 0..self.from_stage.len() {
            let terminal = self.from_stage[i];
            if let Some(queue) = self.layout.inject(terminal) {
                self.enter::<ADAPTIVE, WIDE>(queue, self.stages[terminal as usize]);
            }
            self.staged.remove(terminal);
        }
        self.offered.clear();
        self.flits += self.accepted.len() as u64;
        let mut accepted = std::mem::take(&mut self.accepted);
        let entered = if self.registered { self.from_stage.len() } else { accepted.len() };
        self.held_any |= entered > 0;
        for (place, flit) in accepted.drain(..) {
            if self.registered {
                self.stages[place as usize] = flit;
                self.staged.insert(place);
            } else {
                self.enter::<ADAPTIVE, WIDE>(place as usize, flit);
            }
        }
        self.accepted = accepted;
    }
}

//! What arrives in a clock cycle: what left its queue, and what the terminals sent.

use super::Reference;
use super::flit::{Delivery, Flit, FlitRef};
use super::layout::NONE;
use super::leaving::Flits;
use std::hint::black_box;
use std::ops::Range;

/// Flits that arrive one after the other.
const BATCH: usize = 64;

impl Reference {
    /// Puts what left where it goes, and what came of it into the state; then what was accepted.
    pub(super) fn arrive_all<const ADAPTIVE: bool, const WIDE: bool>(&mut self) {
        self.progressed = !(self.leaving.is_empty()
            && self.from_stage.is_empty()
            && self.offered.is_empty()
            && self.under_way.is_empty()
            && self.deliveries.is_empty());
        let mut heads = std::mem::take(&mut self.leaving.heads);
        for (queue, wants) in heads.drain(..) {
            if !ADAPTIVE || wants != NONE {
                self.request(queue as usize, wants);
            }
        }
        self.leaving.heads = heads;
        for output in self.leaving.ready.drain(..) {
            self.ready.insert(output as usize);
        }
        if !self.crossings.is_empty() {
            self.cross();
        }
        let held_back = self.pipeline.registers_output();
        let mut ejected = std::mem::take(self.leaving.ejected());
        for index in 0..ejected.len() {
            let (terminal, flit) = ejected.get::<WIDE>(index);
            if held_back {
                self.ejecting[terminal as usize] = flit;
                self.standing.insert(terminal);
            } else {
                self.deliver(terminal, flit);
            }
        }
        ejected.clear();
        *self.leaving.ejected() = ejected;
        let mut flits = std::mem::take(self.leaving.hops());
        self.flit_hops += flits.len() as u64;
        if held_back {
            // Those arrive that left a cycle ago.
            std::mem::swap(&mut self.under_way, &mut flits);
        }
        if self.is_large {
            self.arrive_ahead::<ADAPTIVE, WIDE>(&mut flits);
        } else {
            for index in 0..flits.len() {
                let (to, flit) = flits.get::<WIDE>(index);
                let flit = self.hops.arrive::<WIDE>(&self.layout, to, flit);
                self.arrive::<ADAPTIVE, WIDE>(to, flit);
            }
        }
        flits.clear();
        *self.leaving.hops() = flits;
        self.accept::<ADAPTIVE, WIDE>();
    }

    /// Counts what leaves.
    fn cross(&mut self) {
        for queue in self.leaving.hops().ends() {
            self.crossings[self.queues.upstream(queue as usize) as usize] += 1;
        }
        let ejects = self.leaving.ejected().ends();
        for eject in ejects.filter_map(|terminal| self.layout.eject(terminal)) {
            self.crossings[eject] += 1;
        }
    }

    /// Flits arrive at the ends of their channels, with what they will change read ahead.
    fn arrive_ahead<const ADAPTIVE: bool, const WIDE: bool>(&mut self, flits: &mut Flits) {
        for first in (0..flits.len()).step_by(BATCH) {
            let batch = first..flits.len().min(first + BATCH);
            for index in batch.clone() {
                let (to, flit) = flits.get::<WIDE>(index);
                flits.set::<WIDE>(index, self.hops.arrive::<WIDE>(&self.layout, to, flit));
            }
            black_box(self.touch(flits, batch.clone()));
            for index in batch {
                let (to, flit) = flits.get::<WIDE>(index);
                self.arrive::<ADAPTIVE, WIDE>(to, flit);
            }
        }
    }

    /// Reads what the arrival of these flits will change. In so short a loop many reads wait for
    /// memory at once; in the arrivals themselves each would wait for the one before.
    fn touch(&self, flits: &Flits, batch: Range<usize>) -> u64 {
        let touched = batch.map(|index| {
            let (to, flit) = flits.get::<false>(index);
            let output = self.layout.fields.sibling(to as usize, usize::from(flit.wanted()) % 64);
            let requests = self.outputs.get(output).map_or(0, |output| output.requests);
            requests ^ u64::from(self.queues.count(to as usize))
        });
        touched.fold(0, |all, one| all ^ one)
    }

    /// A flit that has been decided upon enters the queue at the end of its channel.
    #[inline(always)]
    fn arrive<const ADAPTIVE: bool, const WIDE: bool>(&mut self, queue: u32, flit: Flit) {
        let (full, upstream) = self.push::<ADAPTIVE, WIDE>(queue as usize, flit);
        if full {
            self.ready.remove(upstream as usize);
        }
    }

    pub(super) fn deliver(&mut self, terminal: u32, flit: Flit) {
        let taken = &mut self.terminals[terminal as usize].taken;
        let beat = *taken;
        *taken = if flit.last() { 0 } else { beat.wrapping_add(1) };
        self.flits -= 1;
        let flit = FlitRef { packet: flit.packet(), beat, last: flit.last() };
        self.deliveries.push(Delivery { terminal, flit });
    }

    /// The head of a queue wants an (output, VC).
    #[inline(always)]
    fn request(&mut self, queue: usize, wants: u8) {
        let fields = self.layout.fields;
        let output = fields.sibling(queue, usize::from(wants));
        self.outputs[output].requests |= 1 << fields.index(queue);
        self.wanted.insert(output);
    }

    /// Appends a flit to a queue; whether the queue is not ready from now on, and what fills it.
    #[inline(always)]
    fn push<const ADAPTIVE: bool, const WIDE: bool>(
        &mut self,
        at: usize,
        flit: Flit,
    ) -> (bool, u32) {
        let (count, upstream) = self.queues.push::<WIDE>(at, flit);
        if count > 1 {
            self.largest_queue = self.largest_queue.max(count);
        } else if !ADAPTIVE || flit.wants() != NONE {
            self.request(at, flit.wanted());
        }
        let full = match &mut self.adaptive {
            Some(adaptive) if ADAPTIVE => {
                self.occupied.insert(self.layout.fields.switch(at) as u32);
                let fill = (count, self.full);
                adaptive.pushed::<WIDE>(&self.layout, at, flit, fill, self.cycle)
            }
            _ => count >= self.full,
        };
        (full, upstream)
    }

    /// Stages into queues, then accepted beats into stages or queues.
    fn accept<const ADAPTIVE: bool, const WIDE: bool>(&mut self) {
        for i in 0..self.from_stage.len() {
            let terminal = self.from_stage[i];
            if let Some(queue) = self.layout.inject(terminal) {
                self.push::<ADAPTIVE, WIDE>(queue, self.stages[terminal as usize]);
            }
            self.staged.remove(terminal);
        }
        self.offered.clear();
        self.flits += self.accepted.len() as u64;
        let mut accepted = std::mem::take(&mut self.accepted);
        let entered = if self.registered { self.from_stage.len() } else { accepted.len() };
        self.largest_queue = self.largest_queue.max(entered.min(1) as u16);
        for (place, flit) in accepted.drain(..) {
            if self.registered {
                self.stages[place as usize] = flit;
                self.staged.insert(place);
            } else {
                self.push::<ADAPTIVE, WIDE>(place as usize, flit);
            }
        }
        self.accepted = accepted;
    }
}

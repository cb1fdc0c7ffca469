//! One clock cycle: every flit that can leaves its queue, by the state at the start; then all arrive.

use super::arbiter::first_after;
use super::flit::{Delivery, Flit, FlitRef};
use super::layout::{NO_LINK, NONE};
use super::queues::Popped;
use super::{Adaptive, Reference};
use crate::terminals::{Bits, TerminalSet};
use std::hint::black_box;

/// Flits that arrive one after the other.
const BATCH: usize = 64;

impl Reference {
    /// Arbitrates every (output, VC) that is wanted, and takes the flits that leave out of their
    /// queues.
    pub(super) fn decide<const REGISTERED: bool>(&mut self, sinks: &TerminalSet) {
        let closed = (!sinks.is_all()).then_some(sinks);
        for at in 0..self.busy.word_count() {
            for bit in Bits(self.busy.word(at)) {
                let word = at << 6 | bit as usize;
                if self.wanted.word(word) == 0 {
                    self.busy.remove(word as u32);
                } else if REGISTERED || self.layout.shares_ports {
                    self.decide_shared::<REGISTERED>(word, closed);
                } else {
                    self.decide_alone(word, closed);
                }
            }
        }
    }

    /// The (output, VC)s of a word whose flits have a place to go to: the queue at the channel's end
    /// is ready, or the sink. `closed`: the sinks that are ready, where any is not.
    #[inline(always)]
    fn ready(&self, word: usize, closed: Option<&TerminalSet>) -> u64 {
        let mut ready = self.ready.word(word);
        if let Some(sinks) = closed {
            for bit in Bits(self.wanted.word(word) & self.layout.ejecting.word(word)) {
                let terminal = self.outputs[word * 64 + bit as usize].downstream;
                ready &= !(u64::from(!sinks.contains(terminal)) << bit);
            }
        }
        ready
    }

    /// The (output, VC)s of a word, where each is a port of its own.
    #[inline(always)]
    fn decide_alone(&mut self, word: usize, closed: Option<&TerminalSet>) {
        let (ready, ejects) = (self.ready(word, closed), self.layout.ejecting.word(word));
        for bit in Bits(self.wanted.word(word)) {
            let at = word * 64 + bit as usize;
            let (queue, granted) = self.outputs[at].hold();
            // One branch for both.
            if granted & (ready >> bit & 1 == 1) {
                let queue = self.layout.fields.sibling(at, usize::from(queue));
                self.leave::<true>(None, queue, at, ejects >> bit & 1 == 1);
            }
        }
    }

    /// The (output, VC)s of a word, where ports have several VCs or grants are registered. Every VC
    /// arbitrates; of those of a port that could send, one does, in turn.
    #[inline(always)]
    fn decide_shared<const REGISTERED: bool>(&mut self, word: usize, closed: Option<&TerminalSet>) {
        let (wanted, fields) = (self.wanted.word(word), self.layout.fields);
        let (ready, ejects) = (self.ready(word, closed), self.layout.ejecting.word(word));
        let mut candidates = 0u64;
        for bit in Bits(wanted) {
            let output = &mut self.outputs[word * 64 + bit as usize];
            let granted = if REGISTERED { output.holds() } else { output.hold().1 };
            candidates |= u64::from(granted) << bit;
        }
        candidates &= ready;
        let mut ending = 0u64;
        while candidates != 0 {
            let at = word * 64 + candidates.trailing_zeros() as usize;
            let (switch, index) = (fields.switch(at), fields.index(at));
            let (first, shift) = (at - index, (at - index) % 64);
            let port = self.layout.class(switch).port_mask[index];
            let index = self.take_turns(first, port, candidates >> shift & port);
            candidates &= !(port << shift);
            let queue = self.outputs[first + index].arbiter.owner();
            let queue = fields.sibling(first, usize::from(queue));
            let bit = shift + index;
            let ejects = ejects >> bit & 1 == 1;
            let last = match REGISTERED {
                true => self.leave::<false>(None, queue, first + index, ejects),
                false => self.leave::<true>(None, queue, first + index, ejects),
            };
            ending |= u64::from(last) << bit;
        }
        if REGISTERED {
            // The grants of the next cycle.
            for bit in Bits(wanted) {
                self.outputs[word * 64 + bit as usize].choose(ending >> bit & 1 == 1);
            }
        }
    }

    /// Of the VCs of a port that can send, the next one in turn. `first`: the switch's first number.
    #[inline]
    fn take_turns(&mut self, first: usize, port: u64, candidates: u64) -> usize {
        // A port with one VC as well: which ones have several is as good as random.
        let last = &mut self.outputs[first + port.trailing_zeros() as usize].sent_last;
        *last = first_after(candidates, u32::from(*last)) as u8;
        usize::from(*last)
    }

    /// [`Reference::decide`] where packets have a choice.
    pub(super) fn decide_adaptive(&mut self, sinks: &TerminalSet) {
        let Some(mut adaptive) = self.adaptive.take() else { return };
        let fields = self.layout.fields;
        for at in 0..self.occupied.word_count() {
            for bit in Bits(self.occupied.word(at)) {
                let node = at << 6 | bit as usize;
                if !adaptive.is_occupied(node) {
                    self.occupied.remove(node as u32);
                    continue;
                }
                adaptive.allocate(&self.layout, node, self.ready.of(node));
                self.share_links(&mut adaptive, node);
                for eject in Bits(self.layout.class(node).eject_mask) {
                    let at = fields.at(node, eject as usize);
                    let (queue, granted) = self.outputs[at].hold();
                    if granted && sinks.contains(self.outputs[at].downstream) {
                        let queue = fields.sibling(at, usize::from(queue));
                        self.leave::<true>(Some(&mut adaptive), queue, at, true);
                    }
                }
            }
        }
        self.adaptive = Some(adaptive);
    }

    /// Of the VCs of a port that can send, one does, in turn.
    fn share_links(&mut self, adaptive: &mut Adaptive, node: usize) {
        let first = self.layout.fields.at(node, 0);
        let ready = self.ready.of(node);
        let (mut by, mut can) = ([0; 64], 0u64);
        for (lane, queue, present) in adaptive.held(&self.layout, node) {
            by[usize::from(lane)] = queue;
            can |= u64::from(present) << lane & ready;
        }
        while can != 0 {
            let port = self.layout.class(node).port_mask[can.trailing_zeros() as usize];
            let vc = self.take_turns(first, port, can & port);
            self.leave::<true>(Some(adaptive), first + usize::from(by[vc]), first + vc, false);
            can &= !port;
        }
    }

    /// The head of a queue leaves by an (output, VC) of its switch; whether it is its packet's last
    /// flit, which `RELEASES` the output for others.
    #[inline(always)]
    fn leave<const RELEASES: bool>(
        &mut self,
        adaptive: Option<&mut Adaptive>,
        at: usize,
        by: usize,
        ejects: bool,
    ) -> bool {
        let Popped { mut flit, next, left, upstream } = self.queues.pop(at);
        let output = &mut self.outputs[by];
        if RELEASES {
            output.arbiter.release_if(flit.last());
        }
        output.requests &= !(1 << self.layout.fields.index(at));
        if output.requests == 0 {
            self.wanted.remove(by);
        }
        let to = output.downstream;
        if let Some(crossings) = self.crossings.get_mut(by) {
            *crossings += 1;
        }
        if let Some(next) = next {
            self.leaving.heads.push((at as u32, next.wants()));
        }
        let has_room = match adaptive {
            None => left + 1 == self.full,
            Some(adaptive) => {
                let place = (self.layout.fields.switch(at), self.layout.fields.index(at));
                flit = adaptive.popped(&self.layout, place, flit, next, self.cycle);
                adaptive.is_ready(&self.layout, place, (left, self.full))
            }
        };
        if has_room && upstream != NO_LINK {
            self.leaving.ready.push(upstream);
        }
        self.leaving.flit(to, flit, ejects);
        flit.last()
    }

    /// What stands in the output registers moves on: into queues (in [`Reference::apply`]) or
    /// to the sinks that are ready. Returns the terminals whose register has room.
    pub(super) fn empty_output_registers(&mut self, m_tready: &TerminalSet) -> TerminalSet {
        let taken: Vec<u32> = self.standing.iter().filter(|&t| m_tready.contains(t)).collect();
        for terminal in taken {
            self.standing.remove(terminal);
            let flit = self.ejecting[terminal as usize];
            self.deliver(terminal, flit);
        }
        let mut room = TerminalSet::all(self.layout.terminals);
        self.standing.iter().for_each(|terminal| room.remove(terminal));
        room
    }

    /// Lists the full stages whose injection queue is ready; before anything moves.
    pub(super) fn find_stage_moves(&mut self) {
        self.from_stage.clear();
        if self.registered {
            for terminal in self.staged.iter() {
                if self.inject_ready(terminal) {
                    self.from_stage.push(terminal);
                }
            }
        }
    }

    /// Puts what left where it goes, and what came of it into the state.
    pub(super) fn apply(&mut self) {
        let mut leaving = std::mem::take(&mut self.leaving);
        self.progressed = !(leaving.is_empty()
            && self.from_stage.is_empty()
            && self.offered.is_empty()
            && self.under_way.is_empty()
            && self.deliveries.is_empty());
        for (queue, wants) in leaving.heads.drain(..) {
            self.request(queue as usize, wants);
        }
        for output in leaving.ready.drain(..) {
            self.ready.insert(output as usize);
        }
        let held_back = self.pipeline.registers_output();
        for (terminal, flit) in leaving.ejected().drain(..) {
            if held_back {
                self.ejecting[terminal as usize] = flit;
                self.standing.insert(terminal);
            } else {
                self.deliver(terminal, flit);
            }
        }
        self.flit_hops += leaving.hops().len() as u64;
        if held_back {
            // Those arrive that left a cycle ago.
            std::mem::swap(&mut self.under_way, leaving.hops());
        }
        for batch in leaving.hops().chunks_mut(BATCH) {
            for (to, flit) in batch.iter_mut() {
                *flit = flit.going(self.hops.arrive(&self.layout, *to as usize, flit.header));
            }
            if self.is_large {
                black_box(self.touch(batch));
            }
            match self.adaptive.is_some() {
                false => batch.iter().for_each(|&(to, flit)| self.arrive::<false>(to, flit)),
                true => batch.iter().for_each(|&(to, flit)| self.arrive::<true>(to, flit)),
            }
        }
        leaving.hops().clear();
        self.leaving = leaving;
    }

    /// Reads what the arrival of these flits will change. In so short a loop many reads wait for
    /// memory at once; in the arrivals themselves each would wait for the one before.
    fn touch(&self, batch: &[(u32, Flit)]) -> u64 {
        let touched = batch.iter().map(|&(to, flit)| {
            let output = self.layout.fields.sibling(to as usize, usize::from(flit.wants()) % 64);
            let requests = self.outputs.get(output).map_or(0, |output| output.requests);
            requests ^ u64::from(self.queues.count(to as usize))
        });
        touched.fold(0, |all, one| all ^ one)
    }

    /// A flit that has been decided upon enters the queue at the end of its channel.
    #[inline(always)]
    fn arrive<const ADAPTIVE: bool>(&mut self, queue: u32, flit: Flit) {
        let (full, upstream) = self.push::<ADAPTIVE>(queue as usize, flit);
        if full {
            self.ready.remove(upstream as usize);
        }
    }

    fn deliver(&mut self, terminal: u32, flit: Flit) {
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
        if wants == NONE {
            return;
        }
        let fields = self.layout.fields;
        let output = fields.sibling(queue, usize::from(wants));
        self.outputs[output].requests |= 1 << fields.index(queue);
        self.wanted.insert(output);
        self.busy.insert(output as u32 / 64);
    }

    /// Appends a flit to a queue; whether the queue is not ready from now on, and what fills it.
    #[inline(always)]
    fn push<const ADAPTIVE: bool>(&mut self, at: usize, flit: Flit) -> (bool, u32) {
        let (count, upstream) = self.queues.push(at, flit);
        self.largest_queue = self.largest_queue.max(count);
        if count == 1 {
            self.request(at, flit.wants());
        }
        let full = match &mut self.adaptive {
            Some(adaptive) if ADAPTIVE => {
                let place = (self.layout.fields.switch(at), self.layout.fields.index(at));
                self.occupied.insert(place.0 as u32);
                let fill = (count, self.full);
                adaptive.pushed(&self.layout, place, flit, fill, self.cycle)
            }
            _ => count >= self.full,
        };
        (full, upstream)
    }

    /// Stages into queues, then accepted beats into stages or queues.
    pub(super) fn accept(&mut self) {
        for i in 0..self.from_stage.len() {
            let terminal = self.from_stage[i];
            self.inject(terminal, self.stages[terminal as usize]);
            self.staged.remove(terminal);
        }
        self.offered.clear();
        self.flits += self.accepted.len() as u64;
        let accepted = std::mem::take(&mut self.accepted);
        for &(terminal, flit) in &accepted {
            if self.registered {
                self.stages[terminal as usize] = flit;
                self.staged.insert(terminal);
            } else {
                self.inject(terminal, flit);
            }
        }
        self.accepted = accepted;
        self.accepted.clear();
    }

    fn inject(&mut self, terminal: u32, flit: Flit) {
        if let Some(at) = self.layout.inject(terminal) {
            match self.adaptive.is_some() {
                false => self.push::<false>(at, flit),
                true => self.push::<true>(at, flit),
            };
        }
    }
}

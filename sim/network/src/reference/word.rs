//! The switches of one word of (output, VC)s: which flits leave them in a cycle.

use super::adaptive::Adaptive;
use super::arbiter::{Arbiter, OutputVc, first_after};
use super::fields::{Fields, WORD};
use super::layout::Layout;
use super::leaving::Leaving;
use super::queues::{Popped, QueueWord};
use crate::terminals::{Bits, TerminalSet};

/// State that the flits of a word read and change when they leave. Places are within the word.
pub(super) struct Word<'a> {
    /// The number of the first (output, VC), and of the first queue.
    pub first: usize,
    pub queues: QueueWord<'a>,
    pub outputs: &'a mut [OutputVc; WORD],
    /// The (output, VC)s that some head wants.
    pub wanted: u64,
    /// (Output, VC)s of the word that nothing wants any more.
    pub idle: u64,
    pub leaving: &'a mut Leaving,
    pub fields: Fields,
    /// Flits from which on a queue is not ready.
    pub full: u16,
    /// Whether packets ask for an output while the ones before them leave.
    pub asks_ahead: bool,
    /// (Output, VC)s that packets ask for behind those that leave.
    pub asked: u64,
    /// The (output, VC)s whose flits have a place to go to.
    pub ready: u64,
    /// The (output, VC)s of eject ports.
    pub ejects: u64,
}

/// State that leaving also changes, where packets have a choice.
pub(super) struct Choice<'a> {
    pub adaptive: &'a mut Adaptive,
    pub layout: &'a Layout,
    pub cycle: u64,
}

impl Word<'_> {
    /// Only these sinks are ready.
    pub fn close(&mut self, sinks: &TerminalSet) {
        for bit in Bits(self.wanted & self.ejects) {
            let terminal = self.outputs[bit as usize % WORD].downstream;
            self.ready &= !(u64::from(!sinks.contains(terminal)) << bit);
        }
    }

    /// Decides for a word in which each (output, VC) is a port of its own: every one arbitrates.
    #[inline(always)]
    pub fn decide_alone<const WIDE: bool>(&mut self) {
        for bit in Bits(self.wanted) {
            let by = bit as usize % WORD;
            let (queue, granted) = self.outputs[by].grant();
            // One branch for both.
            if granted & (self.ready >> by & 1 == 1) {
                let queue = self.fields.sibling(by, usize::from(queue));
                self.leave::<true, WIDE>(None, queue, by);
            } else if granted {
                self.outputs[by].arbiter = Arbiter::held_for(queue);
            }
        }
    }

    /// Decides for a word in which ports have several VCs, or grants are registered: every VC
    /// arbitrates; of those of a port that could send, one does, in turn.
    #[inline(always)]
    pub fn decide_shared<const REGISTERED: bool, const WIDE: bool>(&mut self, layout: &Layout) {
        let wanted = self.wanted;
        let mut candidates = 0u64;
        for bit in Bits(wanted) {
            let by = bit as usize % WORD;
            if REGISTERED {
                candidates |= u64::from(self.outputs[by].holds()) << by;
                continue;
            }
            let (queue, granted) = self.outputs[by].grant();
            let port = layout.port(self.first + by);
            // One branch for all.
            if granted & (self.ready >> by & 1 == 1) & (wanted & port == 1 << by) {
                // Nobody to take turns with.
                let turns = layout.turns(self.first, port, 1 << by);
                self.outputs[turns.trailing_zeros() as usize % WORD].sent_last = by as u8;
                let queue = self.fields.sibling(by, usize::from(queue));
                self.leave::<true, WIDE>(None, queue, by);
            } else if granted {
                self.outputs[by].arbiter = Arbiter::held_for(queue);
                candidates |= 1 << by;
            }
        }
        candidates &= self.ready;
        let mut ending = 0u64;
        while candidates != 0 {
            let by = candidates.trailing_zeros() as usize % WORD;
            let port = layout.port(self.first + by);
            let by = self.take_turns(layout.turns(self.first, port, candidates), candidates);
            candidates &= !port;
            let queue = self.outputs[by].arbiter.owner();
            let queue = self.fields.sibling(by, usize::from(queue));
            let last = match REGISTERED {
                true => self.leave::<false, WIDE>(None, queue, by),
                false => self.leave::<true, WIDE>(None, queue, by),
            };
            ending |= u64::from(last) << by;
        }
        if REGISTERED {
            // The grants of the next cycle.
            for bit in Bits(wanted | self.asked) {
                let output = &mut self.outputs[bit as usize % WORD];
                let ends = ending >> bit & 1 == 1;
                if self.asks_ahead { output.choose_ahead(ends) } else { output.choose(ends) }
            }
        }
    }

    /// Next VC in turn, of those that take turns and can send.
    #[inline(always)]
    pub fn take_turns(&mut self, turns: u64, candidates: u64) -> usize {
        // With registered grants, and where packets have a choice, of a port with one VC as well: which ones have
        // several is as good as random.
        let last = &mut self.outputs[turns.trailing_zeros() as usize % WORD].sent_last;
        *last = first_after(candidates & turns, u32::from(*last)) as u8;
        usize::from(*last) % WORD
    }

    /// The head of a queue leaves by an (output, VC) of its switch; whether it is its packet's last
    /// flit, which `RELEASES` the output for others.
    #[inline(always)]
    pub fn leave<const RELEASES: bool, const WIDE: bool>(
        &mut self,
        choice: Option<&mut Choice<'_>>,
        queue: usize,
        by: usize,
    ) -> bool {
        let popped = self.queues.pop::<WIDE>(queue, &mut self.leaving.heads);
        let Popped { mut flit, next, left } = popped;
        let output = &mut self.outputs[by % WORD];
        if RELEASES {
            output.arbiter = Arbiter::left(self.fields.index(queue) as u8, flit.last());
        }
        output.requests &= !(1 << self.fields.index(queue));
        self.idle |= u64::from(output.requests == 0) << by;
        let to = output.downstream;
        if let Some(next) = next.filter(|_| !RELEASES && self.asks_ahead) {
            let wanted = self.fields.sibling(queue, usize::from(next.wanted()));
            self.outputs[wanted % WORD].requests |= 1 << self.fields.index(queue);
            self.asked |= 1 << wanted;
        }
        let at = self.first + queue;
        match choice {
            None if left + 1 == self.full => {
                self.leaving.was_full(self.queues.upstream(queue));
            }
            None => {}
            Some(Choice { adaptive, layout, cycle }) => {
                flit = adaptive.popped::<WIDE>(layout, at, flit, next, *cycle);
                if adaptive.is_ready(layout, at, (left, self.full)) {
                    self.leaving.ready_to(self.queues.upstream(queue));
                }
            }
        }
        self.leaving.flit::<WIDE>(to, flit, self.ejects >> by & 1 == 1);
        flit.last()
    }
}

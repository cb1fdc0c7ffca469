//! Departures of a clock cycle: every flit that can leaves its queue, by the state at the start.

use super::Reference;
use super::adaptive::Adaptive;
use super::fields::WORD;
use super::layout::Layout;
use super::part::NodeRange;
use super::word::{Choice, Word};
use crate::terminals::{Bits, TerminalSet};
use std::hint::black_box;
use std::mem;
use turnpike_fabric::plan::Pipeline;

/// State of the whole fabric that its switches see in a cycle.
#[derive(Clone, Copy)]
pub(super) struct Clocked<'a> {
    pub layout: &'a Layout,
    pub cycle: u64,
    pub pipeline: Pipeline,
    /// The terminals that take a flit.
    pub sinks: &'a TerminalSet,
}

impl NodeRange {
    /// Decides what leaves, into [`Part::leaving`].
    #[inline]
    pub fn decide<const WIDE: bool>(&mut self, clocked: Clocked<'_>) {
        match clocked.pipeline.registers_grant() {
            _ if self.adaptive.is_some() => self.decide_adaptive::<WIDE>(clocked),
            false => self.decide_all::<false, WIDE>(clocked),
            true => self.decide_all::<true, WIDE>(clocked),
        }
    }

    /// Arbitrates every (output, VC) that is wanted, and takes the flits that leave out of their
    /// queues.
    fn decide_all<const REGISTERED: bool, const WIDE: bool>(&mut self, clocked: Clocked<'_>) {
        let Clocked { layout, sinks, .. } = clocked;
        let closed = (!sinks.is_all()).then_some(sinks);
        for group in 0..self.wanted.groups() {
            let words = self.wanted.busy(group);
            if layout.is_large {
                black_box(self.touch_leaving::<REGISTERED>(layout, words.clone()));
            }
            for word in words {
                if self.wanted.word(word) == 0 {
                    self.wanted.rest(word);
                } else {
                    self.decide_word::<REGISTERED, WIDE>(layout, word, closed);
                }
            }
        }
    }

    /// Reads what the flits that leave these words will change: see [`Part::touch`].
    fn touch_leaving<const REGISTERED: bool>(
        &mut self,
        layout: &Layout,
        words: impl Iterator<Item = usize>,
    ) -> u64 {
        let mut ahead = mem::take(&mut self.ahead);
        ahead.clear();
        for word in words {
            let wanted = Bits(self.wanted.word(word));
            ahead.extend(wanted.map(|bit| (word * WORD) as u32 + bit));
        }
        let mut all = ahead.iter().fold(0, |all, &at| all ^ self.outputs[at as usize].requests);
        for &at in &ahead {
            let at = at as usize;
            let queue = self.outputs[at].present(REGISTERED).unwrap_or(0);
            all ^= u64::from(self.queues.count(layout.fields.sibling(at, usize::from(queue))));
        }
        self.ahead = ahead;
        all
    }

    /// A word, with the (output, VC)s of `ready`.
    #[inline(always)]
    fn word(&mut self, layout: &Layout, number: usize, ready: u64) -> Word<'_> {
        let first = self.first + number * WORD;
        Word {
            first,
            queues: self.queues.word(number),
            outputs: &mut self.outputs.as_chunks_mut().0[number],
            wanted: self.wanted.word(number),
            idle: 0,
            leaving: &mut self.leaving,
            fields: layout.fields,
            full: self.full,
            asks_ahead: self.asks_ahead,
            asked: 0,
            ready,
            ejects: layout.ejecting.word(first / WORD),
        }
    }

    /// The (output, VC)s of a word. `closed`: the sinks that are ready, where any is not.
    #[inline(always)]
    fn decide_word<const REGISTERED: bool, const WIDE: bool>(
        &mut self,
        layout: &Layout,
        number: usize,
        closed: Option<&TerminalSet>,
    ) {
        let mut word = self.word(layout, number, self.ready.word(number));
        if let Some(sinks) = closed {
            word.close(sinks);
        }
        if REGISTERED || layout.shares_ports {
            word.decide_shared::<REGISTERED, WIDE>(layout);
        } else {
            word.decide_alone::<WIDE>();
        }
        let idle = word.idle;
        self.wanted.remove(number, idle);
    }

    /// [`Part::decide_all`] where packets have a choice.
    fn decide_adaptive<const WIDE: bool>(&mut self, clocked: Clocked<'_>) {
        let Some(mut adaptive) = self.adaptive.take() else { return };
        for at in 0..self.occupied.word_count() {
            for bit in Bits(self.occupied.word(at)) {
                let node = at << 6 | bit as usize;
                if adaptive.is_occupied(node) {
                    self.decide_at::<WIDE>(&mut adaptive, node, clocked);
                } else {
                    self.occupied.remove(node as u32);
                }
            }
        }
        self.adaptive = Some(adaptive);
    }

    /// One switch where packets have a choice.
    fn decide_at<const WIDE: bool>(
        &mut self,
        adaptive: &mut Adaptive,
        node: usize,
        clocked: Clocked<'_>,
    ) {
        let Clocked { layout, cycle, sinks, .. } = clocked;
        let ready = self.ready.of(node);
        adaptive.allocate(layout, node, ready);
        let at = layout.fields.at(node, 0);
        let (number, first) = (at / WORD, at % WORD);
        let mut word = self.word(layout, number, ready);
        let class = layout.class(node);
        // Of the VCs of a port that can send, one does, in turn.
        let (mut by, mut can) = ([0; WORD], 0u64);
        for (lane, queue, present) in adaptive.held(layout, node) {
            by[usize::from(lane) % WORD] = queue;
            can |= u64::from(present) << lane & ready;
        }
        let mut choice = Choice { adaptive, layout, cycle };
        while can != 0 {
            let port = class.port_mask[can.trailing_zeros() as usize];
            let turns = layout.turns(word.first, port << first, can << first);
            let vc = word.take_turns(turns, can << first);
            let queue = first + usize::from(by[vc - first]);
            word.leave::<true, WIDE>(Some(&mut choice), queue, vc);
            can &= !port;
        }
        for eject in Bits(class.eject_mask) {
            let eject = first + eject as usize;
            let output = &mut word.outputs[eject % WORD];
            let (queue, granted) = output.hold();
            if granted && sinks.contains(output.downstream) {
                let queue = first + usize::from(queue);
                word.leave::<true, WIDE>(Some(&mut choice), queue, eject);
            }
        }
        let idle = word.idle;
        self.wanted.remove(number, idle);
    }
}

impl Reference {
    /// Moves flits on from the output registers: into queues (in [`Reference::arrive_all`]) or to
    /// the sinks that are ready. Returns the terminals whose register has room.
    pub(super) fn empty_output_registers(&mut self, m_tready: &TerminalSet) -> TerminalSet {
        let taken: Vec<u32> = self.standing.iter().filter(|&t| m_tready.contains(t)).collect();
        for terminal in taken {
            self.standing.remove(terminal);
            let flit = self.ejecting[terminal as usize];
            self.deliveries.push(self.terminals[terminal as usize].take(terminal, flit));
        }
        let mut room = TerminalSet::all(self.layout.terminals);
        self.standing.iter().for_each(|terminal| room.remove(terminal));
        room
    }

    /// The flits in register stages whose injection queue is ready leave them for it: before anything else moves.
    pub(super) fn leave_stages(&mut self) {
        for at in 0..self.staged.word_count() {
            for bit in Bits(self.staged.word(at)) {
                let terminal = (at as u32) << 6 | bit;
                let queue = self.layout.inject(terminal).filter(|&queue| self.has_room(queue));
                if let Some(queue) = queue {
                    self.entering.push((queue as u32, self.stages[terminal as usize]));
                    self.staged.remove(terminal);
                }
            }
        }
    }
}

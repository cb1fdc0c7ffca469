//! One clock cycle: decide every move from the state at the start, then make them all.

use super::adaptive::Adaptive;
use super::arbiter::{OutputVc, first_after};
use super::flit::{Delivery, Flit, FlitRef};
use super::layout::{NO_LINK, NONE, Place};
use super::{Move, Queue, Reference};
use crate::terminals::{Bits, TerminalSet};

impl Reference {
    /// Arbitrates every (output, VC) that is wanted and lists the flits that leave.
    pub(super) fn decide<const REGISTERED: bool>(&mut self, sinks: &TerminalSet) {
        self.moves.clear();
        for word in 0..self.busy.word_count() {
            for bit in Bits(self.busy.word(word)) {
                let node = (word as u32) << 6 | bit;
                if self.switches[node as usize].wanted == 0 {
                    self.busy.remove(node);
                    continue;
                }
                let before = self.moves.len();
                self.decide_node::<REGISTERED>(node, sinks);
                if REGISTERED {
                    self.choose_node(node, before);
                }
            }
        }
    }

    #[inline]
    fn decide_node<const REGISTERED: bool>(&mut self, node: u32, sinks: &TerminalSet) {
        let at = node as usize;
        let class = self.layout.class(at);
        let stride = self.layout.output_stride;
        let outputs = &mut self.outputs[at * stride..][..stride];
        let super::Switch { mut wanted, mut ready } = self.switches[at];
        for eject in Bits(class.eject_mask) {
            if !sinks.contains(outputs[eject as usize].downstream) {
                ready &= !(1 << eject);
            }
        }
        let arbitrate = |output: &mut OutputVc| match REGISTERED {
            false => output.hold(),
            true => output.present(true),
        };
        while wanted != 0 {
            let first = wanted.trailing_zeros();
            let port = class.port_mask[first as usize];
            let members = wanted & port;
            wanted &= !port;
            if port & (port - 1) == 0 {
                if let Some(queue) = arbitrate(&mut outputs[first as usize])
                    && ready >> first & 1 == 1
                {
                    self.moves.push(Move { node, queue, output_vc: first as u8 });
                }
                continue;
            }
            // Every VC arbitrates; those that could send take turns.
            let mut granted = [0; 64];
            let mut candidates = 0u64;
            for vc in Bits(members) {
                if let Some(queue) = arbitrate(&mut outputs[vc as usize]) {
                    granted[vc as usize] = queue;
                    candidates |= 1 << vc & ready;
                }
            }
            if candidates != 0 {
                let last = &mut outputs[port.trailing_zeros() as usize].sent_last;
                let vc = first_after(candidates, u32::from(*last));
                *last = vc as u8;
                let queue = granted[vc as usize];
                self.moves.push(Move { node, queue, output_vc: vc as u8 });
            }
        }
    }

    /// [`Reference::decide`] where packets have a choice.
    pub(super) fn decide_adaptive(&mut self, sinks: &TerminalSet) {
        self.moves.clear();
        let Some(mut adaptive) = self.adaptive.take() else { return };
        for word in 0..self.busy.word_count() {
            for bit in Bits(self.busy.word(word)) {
                let node = (word as u32) << 6 | bit;
                if !adaptive.is_occupied(node as usize) {
                    self.busy.remove(node);
                    continue;
                }
                adaptive.allocate(&self.layout, node as usize, self.switches[node as usize].ready);
                self.share_links(&adaptive, node);
                let ejects = self.layout.class(node as usize).eject_mask;
                let base = node as usize * self.layout.output_stride;
                for eject in Bits(ejects) {
                    let output = &mut self.outputs[base + eject as usize];
                    if let Some(queue) = output.hold()
                        && sinks.contains(output.downstream)
                    {
                        self.moves.push(Move { node, queue, output_vc: eject as u8 });
                    }
                }
            }
        }
        self.adaptive = Some(adaptive);
    }

    /// Of the VCs of a port that can send, one does, in turn.
    fn share_links(&mut self, adaptive: &Adaptive, node: u32) {
        let at = node as usize;
        let ready = self.switches[at].ready;
        let (mut by, mut can) = ([0; 64], 0u64);
        for (lane, queue, present) in adaptive.held(&self.layout, at) {
            by[usize::from(lane)] = queue;
            can |= u64::from(present) << lane & ready;
        }
        let class = self.layout.class(at);
        while can != 0 {
            let port = class.port_mask[can.trailing_zeros() as usize];
            let first = at * self.layout.output_stride + port.trailing_zeros() as usize;
            let last = &mut self.outputs[first].sent_last;
            let vc = first_after(can & port, u32::from(*last));
            *last = vc as u8;
            self.moves.push(Move { node, queue: by[vc as usize], output_vc: vc as u8 });
            can &= !port;
        }
    }

    /// The grants of the next cycle, after the moves of this one from `first_move` on.
    fn choose_node(&mut self, node: u32, first_move: usize) {
        let at = node as usize;
        let ending = self.moves[first_move..].iter().filter(|mv| {
            let queue = at * self.layout.queue_stride + usize::from(mv.queue);
            self.rings[queue * self.depth + usize::from(self.queues[queue].head)].last
        });
        let ending = ending.fold(0u64, |mask, mv| mask | 1 << mv.output_vc);
        let outputs = &mut self.outputs[at * self.layout.output_stride..];
        for output_vc in Bits(self.switches[at].wanted) {
            outputs[output_vc as usize].choose(ending >> output_vc & 1 == 1);
        }
    }

    /// What stands in the output registers moves on: into queues (in [`Reference::apply`]) or
    /// to the sinks that are ready. Returns the terminals whose register has room.
    pub(super) fn empty_output_registers(&mut self, m_tready: &TerminalSet) -> TerminalSet {
        let taken: Vec<u32> = self.standing.iter().filter(|&t| m_tready.contains(t)).collect();
        for terminal in taken {
            self.standing.remove(terminal);
            let flit = self.ejecting[terminal as usize];
            self.deliver(terminal, &flit);
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

    /// Makes the moves.
    pub(super) fn apply(&mut self) {
        self.progressed = !(self.moves.is_empty()
            && self.from_stage.is_empty()
            && self.offered.is_empty()
            && self.under_way.is_empty()
            && self.deliveries.is_empty());
        // Before new ones set out: these left a cycle ago.
        let mut arriving = std::mem::take(&mut self.under_way);
        for (to, flit) in arriving.drain(..) {
            self.arrive(to, flit);
        }
        self.under_way = arriving;
        let moves = std::mem::take(&mut self.moves);
        for mv in &moves {
            let flit = self.pop(mv);
            let node = mv.node as usize;
            let output = node * self.layout.output_stride + usize::from(mv.output_vc);
            let output = &mut self.outputs[output];
            if flit.last && !self.pipeline.registers_grant() {
                output.arbiter.release();
            }
            let link = output.downstream;
            let held_back = self.pipeline.registers_output();
            if self.layout.class(node).eject_mask >> mv.output_vc & 1 == 1 {
                match held_back {
                    false => self.deliver(link, &flit),
                    true => {
                        self.ejecting[link as usize] = flit;
                        self.standing.insert(link);
                    }
                }
                continue;
            }
            self.flit_hops += 1;
            match held_back {
                false => self.arrive(Place(link), flit),
                true => self.under_way.push((Place(link), flit)),
            }
        }
        self.moves = moves;
    }

    /// A flit enters the queue at the end of its channel.
    #[inline]
    fn arrive(&mut self, to: Place, flit: Flit) {
        let (node, queue) = (to.node(), to.index());
        let decision = self.hops.arrive(&self.layout, node, queue, flit.header);
        let (header, wants) = (decision.header, decision.wants);
        if self.push(node, queue, Flit { header, wants, ..flit }) {
            let upstream = self.queues[node * self.layout.queue_stride + queue].upstream;
            self.switches[Place(upstream).node()].ready &= !(1 << Place(upstream).index());
        }
    }

    fn deliver(&mut self, terminal: u32, flit: &Flit) {
        let taken = &mut self.terminals[terminal as usize].taken;
        let beat = *taken;
        *taken = if flit.last { 0 } else { beat.wrapping_add(1) };
        self.flits -= 1;
        let flit = FlitRef { packet: flit.packet, beat, last: flit.last };
        self.deliveries.push(Delivery { terminal, flit });
    }

    /// Takes the head of a queue out; the flit behind it makes its request.
    #[inline]
    fn pop(&mut self, mv: &Move) -> Flit {
        let node = mv.node as usize;
        let at = node * self.layout.queue_stride + usize::from(mv.queue);
        let queue = &mut self.queues[at];
        let ring = &self.rings[at * self.depth..][..self.depth];
        let flit = ring[usize::from(queue.head)];
        let was_full = usize::from(queue.count) == self.full;
        queue.head = if usize::from(queue.head) + 1 == self.depth { 0 } else { queue.head + 1 };
        queue.count -= 1;
        let upstream = queue.upstream;
        let next = (queue.count != 0).then(|| ring[usize::from(queue.head)].wants);
        if next != Some(mv.output_vc) {
            let output = node * self.layout.output_stride + usize::from(mv.output_vc);
            let output = &mut self.outputs[output];
            output.requests &= !(1 << mv.queue);
            if output.requests == 0 {
                self.switches[node].wanted &= !(1 << mv.output_vc);
            }
            if let Some(wants) = next {
                self.request(node, mv.queue, wants);
            }
        }
        if self.adaptive.is_some() {
            return self.popped(mv, flit);
        }
        if was_full && upstream != NO_LINK {
            self.switches[Place(upstream).node()].ready |= 1 << Place(upstream).index();
        }
        flit
    }

    /// What a pop changes where packets have a choice.
    fn popped(&mut self, mv: &Move, flit: Flit) -> Flit {
        let (node, queue) = (mv.node as usize, usize::from(mv.queue));
        let at = node * self.layout.queue_stride + queue;
        let Queue { upstream, head, count } = self.queues[at];
        let head = (count != 0).then(|| self.rings[at * self.depth + usize::from(head)]);
        let Some(adaptive) = &mut self.adaptive else { return flit };
        let header = adaptive.popped(&self.layout, (node, queue), &flit, head.as_ref(), self.cycle);
        let fill = (usize::from(count), self.full);
        if upstream != NO_LINK && adaptive.is_ready(&self.layout, (node, queue), fill) {
            self.switches[Place(upstream).node()].ready |= 1 << Place(upstream).index();
        }
        Flit { header, ..flit }
    }

    #[inline]
    fn request(&mut self, node: usize, queue: u8, wants: u8) {
        if wants == NONE {
            return;
        }
        let output = node * self.layout.output_stride + usize::from(wants);
        self.outputs[output].requests |= 1 << queue;
        self.switches[node].wanted |= 1 << wants;
    }

    /// Appends a flit to a queue; whether the queue is not ready from now on.
    #[inline]
    fn push(&mut self, node: usize, queue: usize, flit: Flit) -> bool {
        let at = node * self.layout.queue_stride + queue;
        let ring = &mut self.queues[at];
        let place = usize::from(ring.head) + usize::from(ring.count);
        let place = if place >= self.depth { place - self.depth } else { place };
        self.rings[at * self.depth + place] = flit;
        let was_empty = ring.count == 0;
        ring.count += 1;
        let count = ring.count;
        self.largest_queue = self.largest_queue.max(count);
        if was_empty {
            self.request(node, queue as u8, flit.wants);
            self.busy.insert(node as u32);
        }
        match &mut self.adaptive {
            None => usize::from(count) >= self.full,
            Some(adaptive) => {
                let fill = (usize::from(count), self.full);
                adaptive.pushed(&self.layout, (node, queue), &flit, fill, self.cycle)
            }
        }
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
            self.push(at.node(), at.index(), flit);
        }
    }
}

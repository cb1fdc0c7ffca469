//! The terminals' side: what they may send and see in a cycle.

use super::Reference;
use super::flit::{Beat, Decision, Delivery, Flit, FlitRef};
use turnpike_network::routing::Draw;
use turnpike_network::topology::Terminal;

/// A terminal between the beats of its packets.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TerminalState {
    /// The packet whose first beat was accepted, and the last one not yet: where it goes, or `None`
    /// inside where no terminal has its address, and it is consumed and never queued.
    open: Option<Option<Decision>>,
    /// Beats of the packet that is being taken at the output.
    pub taken: u32,
}

impl TerminalState {
    /// Takes a flit.
    #[inline(always)]
    pub fn take(&mut self, terminal: u32, flit: Flit) -> Delivery {
        let beat = self.taken;
        self.taken = if flit.last() { 0 } else { beat.wrapping_add(1) };
        Delivery { terminal, flit: FlitRef { packet: flit.packet(), beat, last: flit.last() } }
    }
}

impl Reference {
    /// `s_tready` of a terminal in this cycle; false for one that does not exist.
    #[inline]
    pub fn s_ready(&self, terminal: u32) -> bool {
        self.layout.inject(terminal).is_some_and(|queue| self.is_ready(terminal, queue))
    }

    /// Whether a terminal with this injection queue takes a beat.
    #[inline(always)]
    fn is_ready(&self, terminal: u32, queue: usize) -> bool {
        let empty_stage = self.registered && !self.staged.contains(terminal);
        empty_stage || self.has_room(queue)
    }

    #[inline(always)]
    pub(super) fn has_room(&self, queue: usize) -> bool {
        let (part, queue) = self.parts.of(queue);
        part.queues.count(queue) < part.full
    }

    /// Flit at a terminal's output in this cycle; `None` while `m_tvalid` is low.
    pub fn m_flit(&self, terminal: u32) -> Option<FlitRef> {
        let index = terminal as usize;
        let flit = match self.pipeline.registers_output() {
            true => self.standing.contains(terminal).then(|| self.ejecting[index])?,
            false => {
                let (part, eject) = self.parts.of(self.layout.eject(terminal)?);
                let queue = part.outputs[eject].present(self.pipeline.registers_grant())?;
                part.queues.front(self.layout.fields.sibling(eject, usize::from(queue)))
            }
        };
        let beat = self.terminals[index].taken;
        Some(FlitRef { packet: flit.packet(), beat, last: flit.last() })
    }

    /// Offers a beat to a terminal in this cycle (`s_tvalid`), at most once per cycle and
    /// terminal. Whether it is taken: [`Reference::s_ready`].
    ///
    /// A packet to an address without a terminal is consumed and never enters the fabric: see
    /// [`Reference::misaddressed`].
    pub fn offer(&mut self, terminal: u32, beat: Beat) -> bool {
        self.offer_by(terminal, || beat)
    }

    /// Offers a beat that is asked for only where it is taken. Returns whether it is.
    #[inline(always)]
    pub fn offer_by(&mut self, terminal: u32, beat: impl FnOnce() -> Beat) -> bool {
        let Some(queue) = self.layout.inject(terminal) else { return false };
        if !self.is_ready(terminal, queue) || !self.offered.insert(terminal) {
            return false;
        }
        let beat = beat();
        let open = self.terminals[terminal as usize].open;
        let decision = match open {
            Some(decision) => decision,
            None => self.begin(Terminal(terminal), queue, beat.destination),
        };
        if open.is_some() || !beat.last {
            self.terminals[terminal as usize].open = (!beat.last).then_some(decision);
        }
        if let Some(decision) = decision {
            let place = if self.registered { terminal } else { queue as u32 };
            self.accepted.push((place, Flit::new(beat.packet, beat.last, decision)));
        }
        true
    }

    /// Decision on a packet that begins; `None` where no terminal has its address, or there is no flow to it.
    #[inline(always)]
    fn begin(&mut self, source: Terminal, queue: usize, destination: Terminal) -> Option<Decision> {
        let known = self.hops.injected(&self.layout, source, destination);
        known.or_else(|| self.begin_anew(source, queue, destination))
    }

    /// Decision on a packet that begins, where it is not remembered.
    fn begin_anew(
        &mut self,
        source: Terminal,
        queue: usize,
        destination: Terminal,
    ) -> Option<Decision> {
        let draw = match &self.generators[..] {
            [] => Draw::NONE,
            _ => self.draw(source.0 as usize),
        };
        if !self.layout.sends_to(source, destination) {
            self.misaddressed += 1;
            return None;
        }
        Some(self.hops.inject(&self.layout, (source, queue), destination, draw))
    }

    /// Draw of a terminal for the packet that begins.
    fn draw(&mut self, terminal: usize) -> Draw {
        let Some(generator) = self.generators.get_mut(terminal) else { return Draw::NONE };
        let draw = generator.draw();
        generator.step();
        draw
    }
}

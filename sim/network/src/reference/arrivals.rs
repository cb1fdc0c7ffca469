//! Arrivals of a clock cycle: flits that left their queues, and flits that the terminals sent.

use super::Reference;
use super::hops::Hops;
use super::layout::Layout;
use super::part::NodeRange;
use std::mem;

impl NodeRange {
    /// Whether nothing leaves, and nothing is under way.
    pub fn rests(&self) -> bool {
        self.leaving.is_empty() && self.on_links.are_empty()
    }

    /// Enters flits that left over channels, as many cycles ago as there are registers on the way, into
    /// the queues at the channels' ends, and what came of it. The part has all switches.
    fn arrive_all<const ADAPTIVE: bool, const WIDE: bool>(
        &mut self,
        layout: &Layout,
        hops: &Hops,
        cycle: u64,
    ) {
        if !self.leaving.heads.is_empty() {
            self.request_heads::<ADAPTIVE>(layout);
        }
        let mut room = mem::take(&mut self.leaving.ready);
        self.have_room(room.drain(..));
        self.leaving.ready = room;
        let mut flits = mem::take(self.leaving.hops_mut());
        self.on_links.carry::<WIDE>(&mut flits);
        for (to, flit) in flits.iter::<WIDE>() {
            let flit = hops.arrive::<WIDE>(layout, to, flit);
            let (is_full, upstream) = self.push::<ADAPTIVE, WIDE>(layout, to as usize, flit, cycle);
            if is_full {
                self.is_full(upstream);
            }
        }
        self.see_changes();
        flits.clear();
        *self.leaving.hops_mut() = flits;
    }
}

impl Reference {
    /// Puts what left where it goes, and what came of it into the state; then what was accepted.
    pub(super) fn arrive_all<const ADAPTIVE: bool, const WIDE: bool>(&mut self) {
        self.progressed = !(self.parts.iter().all(NodeRange::rests)
            && self.entering.is_empty()
            && self.offered.is_empty()
            && self.deliveries.is_empty());
        if !self.crossings.is_empty() {
            self.cross();
        }
        self.flit_hops += self.parts.iter().map(|p| p.leaving.hops().len() as u64).sum::<u64>();
        self.eject::<WIDE>();
        self.accept();
        let mut entering = mem::take(&mut self.entering);
        self.held_any |= !entering.is_empty();
        if self.layout.is_large {
            self.exchange::<ADAPTIVE, WIDE>(&mut entering);
        } else {
            let (layout, hops, cycle) = (&self.layout, &self.hops, self.cycle);
            let part = self.parts.whole();
            part.arrive_all::<ADAPTIVE, WIDE>(layout, hops, cycle);
            for &(queue, flit) in &entering {
                part.push::<ADAPTIVE, WIDE>(layout, queue as usize, flit, cycle);
            }
        }
        entering.clear();
        self.entering = entering;
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

    /// Passes flits on that leave for terminals.
    fn eject<const WIDE: bool>(&mut self) {
        let held_back = self.pipeline.registers_output();
        for part in self.parts.iter_mut() {
            let ejected = part.leaving.ejected_mut();
            if held_back {
                for (terminal, flit) in ejected.iter::<WIDE>() {
                    self.ejecting[terminal as usize] = flit;
                    self.standing.insert(terminal);
                }
            } else {
                let terminals = &mut self.terminals;
                let deliveries = ejected
                    .iter::<WIDE>()
                    .map(|(terminal, flit)| terminals[terminal as usize].take(terminal, flit));
                self.deliveries.extend(deliveries);
            }
            ejected.clear();
        }
    }

    /// Takes in what was accepted: into the stages, where there are any, or to enter the injection queues.
    fn accept(&mut self) {
        self.offered.clear();
        self.flits += self.accepted.len() as u64;
        if self.registered {
            for (terminal, flit) in self.accepted.drain(..) {
                self.stages[terminal as usize] = flit;
                self.staged.insert(terminal);
            }
        } else {
            mem::swap(&mut self.entering, &mut self.accepted);
        }
    }
}

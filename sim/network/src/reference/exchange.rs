//! The parts of a large network, which several threads clock: each part sends the others what goes to them, and
//! then takes in what it was sent. What comes of it is the same, whatever the number of threads.

use super::Reference;
use super::flit::Flit;
use super::hops::Hops;
use super::layout::{Layout, NO_LINK};
use super::leaving::Flits;
use super::part::{NodeRange, Shares};
use std::hint::black_box;
use std::mem;

/// Flits that arrive one after the other.
const BATCH: usize = 64;

/// Messages from one part to another in a cycle. Places are those within the part that gets them.
#[derive(Default, Debug)]
pub(super) struct Mail {
    /// Flits that have been decided upon, with the queue.
    flits: Flits,
    /// (Output, VC)s whose queue at the channel's end has room again.
    ready: Vec<u32>,
}

impl Reference {
    /// Moves flits that left to their queues, and the flits of `entering` into their injection
    /// queues.
    pub(super) fn exchange<const ADAPTIVE: bool, const WIDE: bool>(
        &mut self,
        entering: &mut [(u32, Flit)],
    ) {
        let is_shared_out = self.parts.are_shared_out(self.flits);
        let (layout, hops, cycle) = (&self.layout, &self.hops, self.cycle);
        let shares = self.parts.shares();
        if !entering.is_sorted_by_key(|entering| entering.0) {
            entering.sort_unstable_by_key(|entering| entering.0);
        }
        self.parts.run(is_shared_out, |part| {
            part.request_heads::<ADAPTIVE>(layout);
            part.send::<WIDE>(layout, hops, shares);
        });
        let mut mail: Vec<_> = self.parts.iter_mut().map(|p| mem::take(&mut p.mail)).collect();
        self.parts.run(is_shared_out, |part| {
            let number = shares.part(part.first);
            for mail in mail.iter().filter_map(|mail| mail.get(number)) {
                part.have_room(mail.ready.iter().copied());
                let flit = |index| mail.flits.get::<WIDE>(index);
                part.arrive_ahead::<ADAPTIVE, WIDE>(layout, cycle, mail.flits.len(), flit);
            }
            let first = entering.partition_point(|entering| (entering.0 as usize) < part.first);
            let end = part.first + part.outputs.len();
            let count = entering[first..].partition_point(|entering| (entering.0 as usize) < end);
            let flit = |index: usize| {
                let (queue, flit) = entering[first + index];
                (shares.within(queue as usize) as u32, flit)
            };
            part.arrive_ahead::<ADAPTIVE, WIDE>(layout, cycle, count, flit);
        });
        mail.iter_mut().flatten().for_each(Mail::clear);
        for (part, mail) in self.parts.iter_mut().zip(mail) {
            part.mail = mail;
        }
        let mut filled: Vec<_> = self.parts.iter_mut().map(|p| mem::take(&mut p.filled)).collect();
        for output in filled.iter_mut().flat_map(|filled| filled.drain(..)) {
            let (part, output) = self.parts.of_mut(output as usize);
            part.is_full(output as u32);
        }
        self.parts.iter_mut().for_each(NodeRange::see_changes);
        self.parts.iter_mut().zip(filled).for_each(|(part, filled)| part.filled = filled);
    }
}

impl Mail {
    fn clear(&mut self) {
        self.flits.clear();
        self.ready.clear();
    }
}

impl NodeRange {
    /// Decides upon the flits that left, as many cycles ago as there are registers on the way, and puts them with what else
    /// came of it into the mail.
    fn send<const WIDE: bool>(&mut self, layout: &Layout, hops: &Hops, shares: Shares) {
        for output in self.leaving.ready.drain(..) {
            let output = output as usize;
            self.mail[shares.part(output)].ready.push(shares.within(output) as u32);
        }
        self.on_links.carry::<WIDE>(self.leaving.hops_mut());
        let flits = self.leaving.hops_mut();
        for (to, flit) in flits.iter::<WIDE>() {
            let flit = hops.arrive::<WIDE>(layout, to, flit);
            let (part, queue) = (shares.part(to as usize), shares.within(to as usize));
            self.mail[part].flits.push::<WIDE>(queue as u32, flit);
        }
        flits.clear();
    }

    /// Enters so many flits that have been decided upon into the queues of this part, with what
    /// they will change read ahead.
    fn arrive_ahead<const ADAPTIVE: bool, const WIDE: bool>(
        &mut self,
        layout: &Layout,
        cycle: u64,
        count: usize,
        flit: impl Fn(usize) -> (u32, Flit),
    ) {
        for first in (0..count).step_by(BATCH) {
            let batch = first..count.min(first + BATCH);
            black_box(self.touch(layout, batch.clone().map(&flit)));
            for (queue, flit) in batch.map(&flit) {
                let (is_full, upstream) =
                    self.push::<ADAPTIVE, WIDE>(layout, queue as usize, flit, cycle);
                if is_full && upstream != NO_LINK {
                    self.filled.push(upstream);
                }
            }
        }
    }

    /// Reads what the arrival of these flits will change. In so short a loop many reads wait for
    /// memory at once; in the arrivals themselves each would wait for the one before.
    fn touch(&self, layout: &Layout, flits: impl Iterator<Item = (u32, Flit)>) -> u64 {
        let touched = flits.map(|(to, flit)| {
            let output = layout.fields.sibling(to as usize, usize::from(flit.wanted()) % 64);
            let requests = self.outputs.get(output).map_or(0, |output| output.requests);
            requests ^ u64::from(self.queues.count(to as usize))
        });
        touched.fold(0, |all, one| all ^ one)
    }
}

#[cfg(test)]
mod tests;

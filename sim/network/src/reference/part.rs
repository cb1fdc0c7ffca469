//! Parts of a fabric: switches one after the other, with all that they hold.

use super::adaptive::{Adaptive, Allocator};
use super::arbiter::{Arbiter, OutputVc};
use super::exchange::Mail;
use super::fields::{BusySet, OutputSet, WORD};
use super::flit::Flit;
use super::layout::{Layout, Links, NONE};
use super::leaving::Leaving;
use super::on_links::{Changes, LinkDelays, OnLinks};
use super::queues::Queues;
use crate::terminals::TerminalSet;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::iter;
use std::ops::Range;
use turnpike_fabric::plan::FabricPlan;

/// Most parts of a fabric: more than the cores that most machines have, so that those who are done first find
/// another.
const MOST_PARTS: usize = 16;

/// Division of the numbers of queues and (output, VC)s among parts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shares {
    /// The bits of a number that say which one of its part it is.
    bits: u32,
}

impl Shares {
    /// One part.
    const ONE: Self = Self { bits: usize::BITS - 1 };

    /// Division of so many numbers, with at least so many in each part but the last.
    fn of(all: usize, least: usize) -> Self {
        let each = all.div_ceil(MOST_PARTS).max(least).max(WORD);
        Self { bits: each.next_power_of_two().ilog2() }
    }

    /// The part of a number.
    #[inline(always)]
    pub fn part(self, at: usize) -> usize {
        at >> self.bits
    }

    /// Index of a number within its part.
    #[inline(always)]
    pub fn within(self, at: usize) -> usize {
        at & ((1 << self.bits) - 1)
    }

    /// The numbers of each part, of so many in all.
    fn ranges(self, all: usize) -> impl Iterator<Item = Range<usize>> {
        let each = 1 << self.bits;
        (0..all).step_by(each).map(move |first| first..all.min(first + each))
    }
}

/// All switches of a fabric.
#[derive(Debug)]
pub(super) struct Parts {
    /// The first part, beside the others: a small network has no other, and finds it without looking.
    first: NodeRange,
    others: Vec<NodeRange>,
    shares: Shares,
    /// Flits inside from which on several threads clock them, where there are several.
    pub many_flits: u64,
}

impl Parts {
    /// One part, or several where the network is large and packets have no choice: these are made by all cores. In the
    /// state after a reset.
    pub fn new(plan: &FabricPlan, layout: &Layout, allocator: Allocator, links: &Links) -> Self {
        let all = links.upstream.len();
        let is_adaptive = plan.relation().choices().is_some();
        let shares = match layout.is_large && !is_adaptive {
            true => Shares::of(all, layout.fields.at(layout.least_part, 0)),
            false => Shares::ONE,
        };
        let delays = LinkDelays::new(plan, links, |output| layout.delay(plan, output));
        let part = |numbers| NodeRange::new(plan, layout, allocator, links, &delays, numbers);
        let first = part(shares.ranges(all).next().unwrap_or(0..0));
        let others: Vec<_> = shares.ranges(all).skip(1).collect();
        // Rayon wakes its threads for nothing, too.
        let others = match others.is_empty() {
            true => Vec::new(),
            false => others.into_par_iter().map(part).collect(),
        };
        let mut parts = Self { first, others, shares, many_flits: u64::MAX };
        if layout.is_large {
            let count = parts.iter().count();
            parts.iter_mut().for_each(|part| part.mail.resize_with(count, Mail::default));
        }
        parts
    }

    /// The part of a queue or (output, VC), and its number there.
    #[inline(always)]
    pub fn of(&self, at: usize) -> (&NodeRange, usize) {
        match at < self.first.outputs.len() {
            true => (&self.first, at),
            false => (&self.others[self.shares.part(at) - 1], self.shares.within(at)),
        }
    }

    /// Part of a number, to be changed, and the index within it.
    #[inline(always)]
    pub fn of_mut(&mut self, at: usize) -> (&mut NodeRange, usize) {
        match at < self.first.outputs.len() {
            true => (&mut self.first, at),
            false => (&mut self.others[self.shares.part(at) - 1], self.shares.within(at)),
        }
    }

    pub fn shares(&self) -> Shares {
        self.shares
    }

    /// Whether several threads clock them, while there are so many flits inside.
    #[inline]
    pub fn are_shared_out(&self, flits: u64) -> bool {
        !self.others.is_empty() && flits >= self.many_flits
    }

    /// Runs `work` on every part, by several threads where `is_shared_out`.
    #[inline(always)]
    pub fn run(&mut self, is_shared_out: bool, work: impl Fn(&mut NodeRange) + Sync) {
        match is_shared_out {
            true => rayon::iter::once(&mut self.first).chain(&mut self.others).for_each(&work),
            false => self.iter_mut().for_each(work),
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &NodeRange> {
        iter::once(&self.first).chain(&self.others)
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut NodeRange> {
        iter::once(&mut self.first).chain(&mut self.others)
    }

    /// The only part of a small network.
    pub fn whole(&mut self) -> &mut NodeRange {
        debug_assert!(self.others.is_empty());
        &mut self.first
    }

    /// The state of adaptive switches; `None` where the relation is deterministic.
    pub fn adaptive(&self) -> Option<&Adaptive> {
        self.first.adaptive.as_deref()
    }

    /// State of the adaptive switches, to be changed.
    pub fn adaptive_mut(&mut self) -> Option<&mut Adaptive> {
        self.first.adaptive.as_deref_mut()
    }
}

/// Switches one after the other. Their queues and (output, VC)s are numbered from the first one on, but for what
/// channels join: those have their numbers in the whole fabric.
#[derive(Debug)]
pub(super) struct NodeRange {
    /// The number of its first queue and (output, VC) in the fabric.
    pub first: usize,
    pub queues: Queues,
    pub outputs: Vec<OutputVc>,
    /// The (output, VC)s that some head wants.
    pub wanted: BusySet,
    /// The (output, VC)s whose queue at the channel's end is ready.
    pub ready: OutputSet,
    /// The state of adaptive switches; `None` where the relation is deterministic. There is one part then.
    pub adaptive: Option<Box<Adaptive>>,
    /// The nodes that have flits, where the relation is adaptive; one that has none stays until it is
    /// next visited.
    pub occupied: TerminalSet,
    /// Flits that leave in this cycle: its heads are queues of this part.
    pub leaving: Leaving,
    /// Flits in the output registers of channels, and what is on the links.
    pub on_links: OnLinks,
    /// Changes of readiness in this cycle, where links have registers.
    pub changes: Changes,
    /// Flits from which on a queue is not ready.
    pub full: u16,
    /// Whether packets ask for an output while the ones before them leave.
    pub asks_ahead: bool,
    pub largest_queue: u16,
    /// Messages to each part in this cycle; empty in small networks.
    pub mail: Vec<Mail>,
    /// (Output, VC)s of any part whose queue at the channel's end this cycle has filled.
    pub filled: Vec<u32>,
    /// (Output, VC)s whose memory is read ahead.
    pub ahead: Vec<u32>,
}

impl NodeRange {
    /// The switches that have these numbers, in the state after a reset.
    pub fn new(
        plan: &FabricPlan,
        layout: &Layout,
        allocator: Allocator,
        links: &Links,
        delays: &LinkDelays,
        numbers: Range<usize>,
    ) -> Self {
        // A queue at the end of a link has room for what is on it, and says so as the others do. With a
        // flit in front, it is full when there are `depth` behind that.
        let asks_ahead = plan.parameters.pipeline.asks_ahead();
        let depth = plan.parameters.depth as u16 + u16::from(asks_ahead);
        let most = plan.most_held() as u16;
        let output = |&downstream: &u32| {
            let arbiter = Arbiter::new(0);
            OutputVc {
                requests: 0,
                downstream,
                arbiter,
                sent_last: 0,
                search_after: 0,
                comes_up: false,
            }
        };
        let nodes = layout.fields.switch(numbers.len());
        let adaptive = Adaptive::new(plan, layout, allocator).map(Box::new);
        let mut part = Self {
            first: numbers.start,
            queues: Queues::new(&links.upstream[numbers.clone()], most, layout.header_bits),
            outputs: links.downstream[numbers.clone()].iter().map(output).collect(),
            wanted: BusySet::none(layout.fields, nodes),
            ready: OutputSet::none(layout.fields, nodes),
            occupied: TerminalSet::none(if adaptive.is_some() { nodes as u32 } else { 0 }),
            adaptive,
            leaving: Leaving::default(),
            on_links: delays.none(numbers),
            changes: Changes::default(),
            full: depth - plan.parameters.pipeline.in_flight() as u16,
            asks_ahead,
            largest_queue: 0,
            mail: Vec::new(),
            filled: Vec::new(),
            ahead: Vec::new(),
        };
        part.clear(layout);
        part
    }

    /// The state after a reset.
    pub fn clear(&mut self, layout: &Layout) {
        self.queues.clear();
        for (at, output) in self.outputs.iter_mut().enumerate() {
            let (node, index) =
                (layout.fields.switch(self.first + at), layout.fields.index(self.first + at));
            // The last word may have room for more switches than there are.
            let class = (node < layout.nodes).then(|| layout.class(node));
            let source = class.and_then(|class| Some((class, *class.last_source.get(index)?)));
            let Some((class, source)) = source else { continue };
            let base = at - index;
            output.requests = 0;
            output.arbiter = Arbiter::new(source);
            output.search_after = source;
            output.comes_up = false;
            let turns = class.first_level(1 << index);
            output.sent_last = (base % WORD) as u8 + turns.ilog2() as u8;
        }
        self.wanted.clear();
        self.ready.fill(true);
        self.occupied.clear();
        self.leaving.clear();
        self.on_links.clear();
        self.adaptive.iter_mut().for_each(|adaptive| adaptive.clear(layout));
    }

    /// The queues that these (output, VC)s fill have room again.
    #[inline(always)]
    pub fn have_room(&mut self, outputs: impl Iterator<Item = u32>) {
        match self.on_links.have_registers() {
            false => self.ready.extend(outputs),
            true => self.changes.room.extend(outputs),
        }
    }

    /// The queue that this (output, VC) fills is full; after [`NodeRange::have_room`].
    #[inline(always)]
    pub fn is_full(&mut self, output: u32) {
        match self.on_links.have_registers() {
            false => self.ready.remove(output as usize),
            true => self.changes.full.push(output),
        }
    }

    /// The changes of this cycle go on their way back over the links; those that arrive are seen
    /// from the next cycle on.
    #[inline(always)]
    pub fn see_changes(&mut self) {
        if self.on_links.have_registers() {
            self.on_links.carry_back(&mut self.changes);
            self.ready.extend(self.changes.room.drain(..));
            self.changes.full.drain(..).for_each(|output| self.ready.remove(output as usize));
        }
    }

    /// The head of a queue wants an (output, VC).
    #[inline(always)]
    fn request(&mut self, layout: &Layout, queue: usize, wants: u8) {
        let output = layout.fields.sibling(queue, usize::from(wants));
        self.outputs[output].requests |= 1 << layout.fields.index(queue);
        self.wanted.insert(output);
    }

    /// Requests the (output, VC)s of the flits that came to the heads of the queues that others
    /// left.
    pub fn request_heads<const ADAPTIVE: bool>(&mut self, layout: &Layout) {
        let mut heads = std::mem::take(&mut self.leaving.heads);
        for (queue, wants) in heads.drain(..) {
            if !ADAPTIVE || wants != NONE {
                self.request(layout, queue as usize, wants);
            }
        }
        self.leaving.heads = heads;
    }

    /// Appends a flit to a queue; whether the queue is not ready from now on, and what fills it.
    #[inline(always)]
    pub fn push<const ADAPTIVE: bool, const WIDE: bool>(
        &mut self,
        layout: &Layout,
        at: usize,
        flit: Flit,
        cycle: u64,
    ) -> (bool, u32) {
        let (count, upstream) = self.queues.push::<WIDE>(at, flit);
        if count > 1 {
            self.largest_queue = self.largest_queue.max(count);
        } else if !ADAPTIVE || flit.wants() != NONE {
            self.request(layout, at, flit.wanted());
            if self.asks_ahead {
                let output = layout.fields.sibling(at, usize::from(flit.wanted()));
                self.outputs[output].came(layout.fields.index(at) as u8);
            }
        }
        let full = match &mut self.adaptive {
            Some(adaptive) if ADAPTIVE => {
                self.occupied.insert(layout.fields.switch(at) as u32);
                adaptive.pushed::<WIDE>(layout, at, flit, (count, self.full), cycle)
            }
            _ => count >= self.full,
        };
        (full, upstream)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_is_in_its_part() {
        for all in [64, 128, 1 << 10, (1 << 10) + 64, 1 << 20, 5 << 18] {
            let shares = Shares::of(all, 1);
            let ranges: Vec<_> = shares.ranges(all).collect();
            assert!(
                ranges.len() <= MOST_PARTS && ranges.iter().all(|range| range.start % WORD == 0)
            );
            assert!(all < 1 << 10 || ranges.len() > MOST_PARTS / 2);
            let mut next = 0;
            for (part, range) in ranges.into_iter().enumerate() {
                for (within, at) in range.enumerate() {
                    assert_eq!((shares.part(at), shares.within(at), at), (part, within, next));
                    next += 1;
                }
            }
            assert_eq!(next, all);
            assert_eq!(Shares::of(all, all / 2).ranges(all).count(), 2.min(all / WORD));
            assert!(Shares::ONE.ranges(all).eq(iter::once(0..all)));
            assert_eq!((Shares::ONE.part(all), Shares::ONE.within(all)), (0, all));
        }
    }
}

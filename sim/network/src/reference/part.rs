//! Parts of a fabric: switches one after the other, with all that they hold.

use super::adaptive::{Adaptive, Allocator};
use super::arbiter::{Arbiter, OutputVc};
use super::fields::{BusySet, OutputSet, WORD};
use super::flit::Flit;
use super::layout::{Layout, Links, NONE};
use super::leaving::{Flits, Leaving};
use super::queues::Queues;
use crate::terminals::TerminalSet;
use std::iter;
use std::ops::Range;
use turnpike_fabric::plan::FabricPlan;

/// All switches of a fabric.
#[derive(Debug)]
pub(super) struct Parts {
    /// The first part, beside the others: a small network has no other, and finds it without looking.
    first: Part,
    others: Vec<Part>,
    /// Numbers in each part but the last.
    each: usize,
}

impl Parts {
    /// Parts of so many numbers each; one for all of them where the relation is adaptive.
    pub fn new(
        plan: &FabricPlan,
        layout: &Layout,
        allocator: Allocator,
        links: &Links,
        each: usize,
    ) -> Self {
        let all = links.upstream.len();
        let part = |first| {
            Part::new(plan, layout, allocator, links, first..all.min(first.saturating_add(each)))
        };
        let others = (each..all).step_by(each).map(part).collect();
        Self { first: part(0), others, each }
    }

    /// The part of a queue or (output, VC), and its number there.
    #[inline(always)]
    pub fn of(&self, at: usize) -> (&Part, usize) {
        match at < self.each {
            true => (&self.first, at),
            false => (&self.others[at / self.each - 1], at % self.each),
        }
    }

    /// The same.
    #[inline(always)]
    pub fn of_mut(&mut self, at: usize) -> (&mut Part, usize) {
        match at < self.each {
            true => (&mut self.first, at),
            false => (&mut self.others[at / self.each - 1], at % self.each),
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &Part> {
        iter::once(&self.first).chain(&self.others)
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Part> {
        iter::once(&mut self.first).chain(&mut self.others)
    }

    /// The state of adaptive switches; `None` where the relation is deterministic.
    pub fn adaptive(&self) -> Option<&Adaptive> {
        self.first.adaptive.as_deref()
    }

    /// The same.
    pub fn adaptive_mut(&mut self) -> Option<&mut Adaptive> {
        self.first.adaptive.as_deref_mut()
    }
}

/// Switches one after the other. Their queues and (output, VC)s are numbered from the first one on, but for what
/// channels join: those have their numbers in the whole fabric.
#[derive(Debug)]
pub(super) struct Part {
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
    pub leaving: Leaving,
    /// Flits in the output registers of channels, with the queue that they go to.
    pub under_way: Flits,
    /// Flits from which on a queue is not ready.
    pub full: u16,
    pub largest_queue: u16,
}

impl Part {
    /// The switches that have these numbers.
    pub fn new(
        plan: &FabricPlan,
        layout: &Layout,
        allocator: Allocator,
        links: &Links,
        numbers: Range<usize>,
    ) -> Self {
        let depth = plan.parameters.depth as u16;
        let output = |&downstream: &u32| {
            let arbiter = Arbiter::new(0);
            OutputVc { requests: 0, downstream, arbiter, sent_last: 0, search_after: 0 }
        };
        let nodes = layout.fields.switch(numbers.len());
        let adaptive = Adaptive::new(plan, layout, allocator).map(Box::new);
        Self {
            first: numbers.start,
            queues: Queues::new(&links.upstream[numbers.clone()], depth, layout.header_bits),
            outputs: links.downstream[numbers].iter().map(output).collect(),
            wanted: BusySet::none(layout.fields, nodes),
            ready: OutputSet::none(layout.fields, nodes),
            occupied: TerminalSet::none(if adaptive.is_some() { nodes as u32 } else { 0 }),
            adaptive,
            leaving: Leaving::default(),
            under_way: Flits::default(),
            full: depth - plan.parameters.pipeline.in_flight() as u16,
            largest_queue: 0,
        }
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
            output.sent_last = (base % WORD) as u8 + class.port_mask[index].ilog2() as u8;
        }
        self.wanted.clear();
        self.ready.fill(true);
        self.occupied.clear();
        self.leaving.clear();
        self.under_way.clear();
        self.adaptive.iter_mut().for_each(|adaptive| adaptive.clear(layout));
    }

    /// The head of a queue wants an (output, VC).
    #[inline(always)]
    fn request(&mut self, layout: &Layout, queue: usize, wants: u8) {
        let output = layout.fields.sibling(queue, usize::from(wants));
        self.outputs[output].requests |= 1 << layout.fields.index(queue);
        self.wanted.insert(output);
    }

    /// What came to the heads of the queues that others left asks for its (output, VC)s.
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

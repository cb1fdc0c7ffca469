//! Flits that leave their queues in a cycle. All of it is decided from the state at the start of
//! the cycle, so that others see what came of it only when all have decided.

use super::flit::Flit;
use super::layout::NO_LINK;
use turnpike_network::routing::Header;

/// The flits that leave in a cycle, and what their leaving changes.
#[derive(Default, Debug)]
pub(super) struct Leaving {
    /// Flits that go over channels, with the queue at the end; flits that go to terminals.
    flits: [Flits; 2],
    /// Queues with another flit at the head, and what it wants.
    pub heads: Vec<(u32, u8)>,
    /// (Output, VC)s whose queue at the channel's end has room again.
    pub ready: Vec<u32>,
}

/// Flits with where they go, as words.
#[derive(Default, Debug)]
pub(super) struct Flits {
    words: Vec<(u32, u64)>,
    /// Second words of the flits; empty where headers are narrow.
    wides: Vec<Header>,
}

impl Leaving {
    pub fn clear(&mut self) {
        self.flits.iter_mut().for_each(Flits::clear);
        self.heads.clear();
        self.ready.clear();
    }

    /// A flit goes to what is at the end of its output: a terminal, if it `ejects`.
    #[inline(always)]
    pub fn flit<const WIDE: bool>(&mut self, to: u32, flit: Flit, ejects: bool) {
        // An index and not a branch: which it is, is as good as random.
        self.flits[usize::from(ejects)].push::<WIDE>(to, flit);
    }

    /// A queue has room again, which this (output, VC) fills, if any does.
    #[inline]
    pub fn ready_to(&mut self, upstream: u32) {
        if upstream != NO_LINK {
            self.ready.push(upstream);
        }
    }

    /// Notes that a queue that was full has room. Out of line, for below saturation it is rare.
    #[cold]
    #[inline(never)]
    pub fn was_full(&mut self, upstream: u32) {
        self.ready_to(upstream);
    }

    /// Flits that go over channels.
    pub fn hops(&self) -> &Flits {
        &self.flits[0]
    }

    /// Flits that go over channels, to be changed.
    pub fn hops_mut(&mut self) -> &mut Flits {
        &mut self.flits[0]
    }

    /// Flits that go to terminals.
    pub fn ejected(&self) -> &Flits {
        &self.flits[1]
    }

    /// Flits that go to terminals, to be changed.
    pub fn ejected_mut(&mut self) -> &mut Flits {
        &mut self.flits[1]
    }

    /// Whether no flit leaves.
    pub fn is_empty(&self) -> bool {
        self.flits.iter().all(|flits| flits.words.is_empty())
    }
}

impl Flits {
    #[inline(always)]
    pub fn push<const WIDE: bool>(&mut self, to: u32, flit: Flit) {
        let (word, wide) = flit.words();
        self.words.push((to, word));
        if WIDE {
            self.wides.push(wide);
        }
    }

    pub fn clear(&mut self) {
        self.words.clear();
        self.wides.clear();
    }

    pub fn len(&self) -> usize {
        self.words.len()
    }

    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Target of each flit.
    pub fn ends(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().map(|&(to, _)| to)
    }

    /// Target of each flit, and the flit.
    #[inline(always)]
    pub fn iter<const WIDE: bool>(&self) -> impl ExactSizeIterator<Item = (u32, Flit)> + '_ {
        let flit = |(index, &(to, word))| {
            (to, Flit::from_words(word, if WIDE { self.wides[index] } else { 0 }))
        };
        self.words.iter().enumerate().map(flit)
    }

    /// Target of one flit, and the flit.
    #[inline(always)]
    pub fn get<const WIDE: bool>(&self, index: usize) -> (u32, Flit) {
        let (to, word) = self.words[index];
        (to, Flit::from_words(word, if WIDE { self.wides[index] } else { 0 }))
    }
}

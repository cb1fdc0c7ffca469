//! What leaves its queue in a cycle. All of it is decided from the state at the start of the cycle,
//! so that others see what came of it only when all have decided.

use super::flit::Flit;

/// The flits that leave in a cycle, and what their leaving changes.
#[derive(Default, Debug)]
pub(super) struct Leaving {
    /// Flits that go over channels, with the queue at the end; flits that go to terminals.
    flits: [Vec<(u32, Flit)>; 2],
    /// Queues with another flit at the head, and what it wants.
    pub heads: Vec<(u32, u8)>,
    /// (Output, VC)s whose queue at the channel's end has room again.
    pub ready: Vec<u32>,
}

impl Leaving {
    pub fn clear(&mut self) {
        self.flits.iter_mut().for_each(Vec::clear);
        self.heads.clear();
        self.ready.clear();
    }

    /// A flit goes to what is at the end of its output: a terminal, if it `ejects`.
    #[inline]
    pub fn flit(&mut self, to: u32, flit: Flit, ejects: bool) {
        // An index and not a branch: which it is, is as good as random.
        self.flits[usize::from(ejects)].push((to, flit));
    }

    pub fn hops(&mut self) -> &mut Vec<(u32, Flit)> {
        &mut self.flits[0]
    }

    pub fn ejected(&mut self) -> &mut Vec<(u32, Flit)> {
        &mut self.flits[1]
    }

    /// Whether no flit leaves.
    pub fn is_empty(&self) -> bool {
        self.flits.iter().all(Vec::is_empty)
    }
}

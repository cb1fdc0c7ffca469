//! Readiness of a queue in the cycles before, for a sender that acts on it as many cycles later.

use std::collections::VecDeque;

/// `ready` of a queue in the cycles before, the last one first, as far back as words may be on the way to
/// it.
#[derive(Clone, Debug)]
pub(super) struct ReadyBefore(VecDeque<bool>);

impl ReadyBefore {
    /// History after a reset, of a queue that so many words may be on the way to; of none, whose sender
    /// looks at once.
    pub fn new(in_flight: u32) -> Self {
        Self(vec![false; in_flight as usize].into())
    }

    /// Whether the sender acts on what was, and not on what is.
    pub fn counts(&self) -> bool {
        !self.0.is_empty()
    }

    /// Whether the sender may send now, as far as it goes by what was.
    pub fn lets_send(&self) -> bool {
        self.0.back() != Some(&false)
    }

    /// Ends a cycle in which the queue was ready or not.
    pub fn note(&mut self, ready: bool) {
        self.0.push_front(ready);
        self.0.pop_back();
    }

    /// Forgets all, as a reset does.
    pub fn clear(&mut self) {
        self.0.iter_mut().for_each(|was| *was = false);
    }
}

//! An (output, VC) and its arbiter: who is granted.

const LOCKED: u8 = 0x80;

/// The last queue of a switch.
const LAST: u32 = u64::BITS - 1;

/// An arbiter: the queue granted last, and whether a packet of it is under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arbiter(u8);

/// An (output, VC): 16 bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutputVc {
    /// The queues whose head wants it.
    pub requests: u64,
    /// The queue at the channel's end, or `NO_LINK`; of an eject port, the terminal.
    pub downstream: u32,
    pub arbiter: Arbiter,
    /// At the first (output, VC) of those that take turns: the one that sent last, by its place in the word.
    pub sent_last: u8,
    /// With a registered grant: the queue behind which the search starts.
    pub search_after: u8,
    /// Whether the flit that is granted has come to an empty queue, and stands in its front register
    /// from the next cycle on: where packets ask ahead.
    pub comes_up: bool,
}

/// The first one of `mask` cyclically after bit `last`; 64 where there is none.
#[inline]
pub(super) fn first_after(mask: u64, last: u32) -> u32 {
    // Two shifts, for `last` may be 63.
    let above = mask & (u64::MAX << last << 1);
    (if above == 0 { mask } else { above }).trailing_zeros()
}

impl Arbiter {
    pub fn new(owner: u8) -> Self {
        Self(owner)
    }

    /// The queue granted last.
    #[inline]
    pub fn owner(self) -> u8 {
        self.0 & !LOCKED
    }

    /// The queue that is held for, with a registered grant.
    #[inline]
    fn held(self) -> Option<u8> {
        (self.0 & LOCKED != 0).then_some(self.owner())
    }

    /// Held for a packet of a queue.
    #[inline]
    pub fn held_for(queue: u8) -> Self {
        Self(queue | LOCKED)
    }

    /// Held for a packet of a queue of which a flit has left, but where that was its `last`.
    #[inline(always)]
    pub fn left(queue: u8, last: bool) -> Self {
        Self(queue | u8::from(!last) << 7)
    }
}

impl OutputVc {
    /// The requests of those that may be granted: while a packet is under way, of its queue alone.
    #[inline]
    fn eligible(&self) -> u64 {
        let owner = u64::from(self.arbiter.0 & LOCKED != 0) << self.arbiter.owner();
        // Masks, not branches: which source asks is as good as random.
        self.requests & if owner == 0 { u64::MAX } else { owner }
    }

    /// The queue that is granted and has a flit.
    #[inline]
    pub fn present(&self, registered: bool) -> Option<u8> {
        match registered {
            false => {
                let requests = self.eligible();
                let last = u32::from(self.arbiter.owner());
                (requests != 0).then(|| first_after(requests, last) as u8)
            }
            true => self.holds().then(|| self.arbiter.owner()),
        }
    }

    /// With a registered grant: whether a queue is granted and has a flit that can leave.
    #[inline]
    pub fn holds(&self) -> bool {
        let has_flit = self.arbiter.held().is_some_and(|queue| self.requests >> queue & 1 == 1);
        has_flit & !self.comes_up
    }

    /// Notes that a flit has come to a queue that was empty, where packets ask ahead.
    #[inline]
    pub fn came(&mut self, queue: u8) {
        self.comes_up |= self.arbiter.held() == Some(queue);
    }

    /// Queue that is granted of those that request, and whether there is one.
    #[inline(always)]
    pub fn grant(&self) -> (u8, bool) {
        let requests = self.eligible();
        let queue = first_after(requests, u32::from(self.arbiter.owner())) as u8 & !LOCKED;
        (queue, requests != 0)
    }

    /// Grants as [`Self::grant`] does, and holds the choice until the packet has
    /// [left](Arbiter::left).
    #[inline]
    pub fn hold(&mut self) -> (u8, bool) {
        let (queue, granted) = self.grant();
        self.arbiter = if granted { Arbiter::held_for(queue) } else { self.arbiter };
        (queue, granted)
    }

    /// The choice for the next cycle where packets ask ahead, if the packet granted now ends or there is
    /// none: among the queues whose first packet has no grant then.
    #[inline]
    pub fn choose_ahead(&mut self, ends: bool) {
        self.comes_up = false;
        let held = self.arbiter.held();
        if held.is_none() || ends {
            // Behind the queue that is granted, or from the first one up.
            let after = held.map_or(LAST, u32::from);
            self.arbiter.0 = match self.requests {
                0 => self.arbiter.owner(),
                requests => first_after(requests, after) as u8 | LOCKED,
            };
        }
    }

    /// With a registered grant: the choice for the next cycle, where the packet granted now
    /// ends or there is none.
    #[inline]
    pub fn choose(&mut self, ends: bool) {
        let held = self.arbiter.held();
        if held.is_none() || ends {
            // Who is granted shows the packet that leaves.
            let others = self.requests & !held.map_or(0, |queue| 1 << queue);
            self.arbiter.0 = match others {
                0 => self.arbiter.owner(),
                _ => first_after(others, u32::from(self.search_after)) as u8 | LOCKED,
            };
        }
        self.search_after = held.unwrap_or(self.search_after);
    }
}

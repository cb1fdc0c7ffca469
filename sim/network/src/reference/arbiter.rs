//! An (output, VC) and its arbiter: who is granted.

const LOCKED: u8 = 0x80;

/// An arbiter: the queue granted last, and whether a packet of it is under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arbiter(u8);

/// An (output, VC): 16 bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutputVc {
    /// The queues whose head wants it.
    pub requests: u64,
    /// The [`Place`](super::layout::Place) of the queue at the channel's end, or `NO_LINK`.
    pub downstream: u32,
    pub arbiter: Arbiter,
    /// At the first (output, VC) of a port: the one that sent last.
    pub sent_last: u8,
    /// With a registered grant: the queue behind which the search starts.
    pub search_after: u8,
}

/// The first one of `mask` cyclically after bit `last`; `mask` is not 0.
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

    #[inline]
    fn owner(self) -> u8 {
        self.0 & !LOCKED
    }

    /// The queue that is held for, with a registered grant.
    #[inline]
    fn held(self) -> Option<u8> {
        (self.0 & LOCKED != 0).then_some(self.owner())
    }

    /// A packet's last flit has left.
    #[inline]
    pub fn release(&mut self) {
        self.0 &= !LOCKED;
    }
}

impl OutputVc {
    /// The queue granted, of those that request.
    #[inline]
    pub fn grant(&self) -> Option<u8> {
        let owner = u32::from(self.arbiter.owner());
        // Masks, not branches: which source asks is as good as random.
        let eligible = if self.arbiter.0 & LOCKED != 0 { 1 << owner } else { u64::MAX };
        let requests = self.requests & eligible;
        (requests != 0).then(|| first_after(requests, owner) as u8)
    }

    /// The queue that is granted and has a flit.
    #[inline]
    pub fn present(&self, registered: bool) -> Option<u8> {
        match registered {
            false => self.grant(),
            true => self.arbiter.held().filter(|&queue| self.requests >> queue & 1 == 1),
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

    /// [`OutputVc::grant`], and the choice is held until [`Arbiter::release`].
    #[inline]
    pub fn hold(&mut self) -> Option<u8> {
        let granted = self.grant();
        if let Some(queue) = granted {
            self.arbiter.0 = queue | LOCKED;
        }
        granted
    }
}

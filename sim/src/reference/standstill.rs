//! When nothing inside will move again.

use super::Reference;

/// Watches for the end of all movement. See [`Reference::progressed`].
#[derive(Clone, Copy, Default, Debug)]
pub struct Standstill {
    /// Cycles in a row in which nothing moved.
    cycles: u32,
}

impl Standstill {
    /// Called after every cycle: whether the flits inside wait for each other for ever.
    pub fn after_cycle(&mut self, reference: &Reference) -> bool {
        let stands = !reference.progressed() && reference.flits() > 0;
        self.cycles = if stands { self.cycles + 1 } else { 0 };
        self.cycles >= 2
    }
}

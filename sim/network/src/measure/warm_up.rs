//! End of the warm-up.

use crate::statistics::Mser5;

/// Most windows that a warm-up lasts.
const MOST_WINDOWS: u64 = 20;

/// A warm-up whose length is to be found: by MSER-5, on what is in the system (the network and
/// its sources) in each cycle. It is tried at the end of each window.
#[derive(Debug)]
pub(super) struct Pilot {
    window: u64,
    cycles: u64,
    mser: Mser5,
    found: bool,
}

impl Pilot {
    pub fn new(nodes: u32) -> Self {
        let window = ((1 << 19) / u64::from(nodes.max(1))).clamp(100, 500);
        Self { window, cycles: 0, mser: Mser5::default(), found: false }
    }

    /// Most cycles that it takes.
    pub fn limit(&self) -> u64 {
        self.window * MOST_WINDOWS
    }

    /// Takes in the flits in the system after one more cycle.
    pub fn sample(&mut self, flits: u64) {
        self.mser.sample(flits as f64);
        self.cycles += 1;
        if self.cycles.is_multiple_of(self.window) {
            self.found = self.mser.cut().is_some();
        }
    }

    /// Whether MSER-5 finds an end of the warm-up in the first half of the cycles so far. All
    /// of them are left out of the measurement.
    pub fn is_found(&self) -> bool {
        self.found
    }

    pub fn is_over(&self) -> bool {
        self.found || self.cycles >= self.limit()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rise_to_a_level_ends() {
        let mut pilot = Pilot::new(4096);
        assert_eq!(pilot.window, 128);
        // Rises for 100 cycles: the first window is not enough, and the second is.
        while !pilot.is_over() {
            pilot.sample(pilot.cycles.min(100) * 10);
        }
        assert!(pilot.is_found());
        assert_eq!(pilot.cycles, 256);
    }

    #[test]
    fn growth_ends_at_the_limit() {
        let mut pilot = Pilot::new(16);
        while !pilot.is_over() {
            pilot.sample(3 * pilot.cycles);
        }
        assert!(!pilot.is_found());
        assert_eq!(pilot.cycles, pilot.limit());
    }
}

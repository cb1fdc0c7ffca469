//! When the warm-up is over.

/// Most windows that a warm-up lasts.
const MOST_WINDOWS: u64 = 20;

/// Compares the mean number of flits in the network over windows of cycles.
#[derive(Debug)]
pub(super) struct Steady {
    window: u64,
    cycles: u64,
    sum: u64,
    /// Mean of the window before.
    before: Option<f64>,
    /// Windows in a row that were like the one before.
    alike: u32,
}

impl Steady {
    pub fn new(nodes: u32) -> Self {
        let window = ((1 << 19) / u64::from(nodes.max(1))).clamp(100, 500);
        Self { window, cycles: 0, sum: 0, before: None, alike: 0 }
    }

    /// Most cycles that it takes.
    pub fn limit(&self) -> u64 {
        self.window * MOST_WINDOWS
    }

    /// Takes in the flits in the network after one more cycle.
    pub fn sample(&mut self, flits: u64) {
        self.sum += flits;
        self.cycles += 1;
        if !self.cycles.is_multiple_of(self.window) {
            return;
        }
        let mean = self.sum as f64 / self.window as f64;
        let like =
            |before: f64| (mean - before).abs() <= (0.05 * mean.max(before)).max(1.0);
        self.alike = if self.before.is_some_and(like) { self.alike + 1 } else { 0 };
        self.before = Some(mean);
        self.sum = 0;
    }

    pub fn is_steady(&self) -> bool {
        self.alike >= 2
    }

    pub fn is_over(&self) -> bool {
        self.is_steady() || self.cycles >= self.limit()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_windows_alike_are_steady() {
        let mut steady = Steady::new(4096);
        (0..300).for_each(|_| steady.sample(1000));
        assert!(!Steady::new(16).is_steady() && !steady.is_steady() || steady.cycles == 384);
        (300..384).for_each(|_| steady.sample(1000));
        assert!(steady.is_over() && steady.is_steady());
    }

    #[test]
    fn growth_ends_at_the_limit() {
        let mut steady = Steady::new(16);
        let mut flits = 100;
        while !steady.is_over() {
            steady.sample(flits / 100);
            flits += flits / 100;
        }
        assert!(!steady.is_steady());
        assert_eq!(steady.cycles, steady.limit());
    }
}

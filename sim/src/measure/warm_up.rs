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
        let like = |before: f64| (mean - before).abs() <= (0.05 * mean.max(before)).max(1.0);
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
        assert_eq!(steady.window, 128);
        (0..2 * 128).for_each(|_| steady.sample(1000));
        assert!(!steady.is_steady());
        (0..128).for_each(|_| steady.sample(1040));
        assert!(steady.is_over() && steady.is_steady());
    }

    #[test]
    fn growth_ends_at_the_limit() {
        let mut steady = Steady::new(16);
        // A tenth more in each window.
        while !steady.is_over() {
            steady.sample((1000.0 * 1.1f64.powi((steady.cycles / steady.window) as i32)) as u64);
        }
        assert!(!steady.is_steady());
        assert_eq!(steady.cycles, steady.limit());
    }
}

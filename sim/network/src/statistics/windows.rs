//! Sums over windows of time, in bounded memory.

/// Most windows; where there would be more, each two become one.
const MOST: usize = 4096;

/// `K` sums for each window of a run. Windows have equal lengths, a power of two: one unit of
/// time at first, twice as long whenever there would be more than 4,096 of them. So there are at
/// least 2,048 once a run is that long.
#[derive(Clone, Debug)]
pub struct Windows<const K: usize> {
    sums: Vec<[f64; K]>,
    /// The length is 2 to this.
    shift: u32,
}

impl<const K: usize> Default for Windows<K> {
    fn default() -> Self {
        Self { sums: Vec::with_capacity(MOST), shift: 0 }
    }
}

impl<const K: usize> Windows<K> {
    /// The sums of the window that holds `time`, to be added to. Sums of whole numbers are exact
    /// below 2^53.
    #[inline]
    pub fn at(&mut self, time: u64) -> &mut [f64; K] {
        if time >> self.shift >= self.sums.len() as u64 {
            self.reach(time);
        }
        &mut self.sums[(time >> self.shift) as usize]
    }

    /// Adds windows up to the one that holds `time`.
    #[cold]
    fn reach(&mut self, time: u64) {
        while time >> self.shift >= MOST as u64 {
            self.double();
        }
        let count = (time >> self.shift) as usize + 1;
        self.sums.resize(self.sums.len().max(count), [0.0; K]);
    }

    /// Windows of twice the length.
    fn double(&mut self) {
        self.shift += 1;
        let sum = |two: &[[f64; K]]| std::array::from_fn(|k| two.iter().map(|w| w[k]).sum());
        self.sums = self.sums.chunks(2).map(sum).collect();
    }

    /// The windows in the order of time. The last one may not be over.
    pub fn sums(&self) -> &[[f64; K]] {
        &self.sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_stay_and_windows_are_bounded() {
        let mut windows = Windows::<2>::default();
        for time in 0..100_000u64 {
            let sums = windows.at(time);
            sums[0] += 1.0;
            sums[1] += time as f64;
        }
        // Late additions to an early window.
        windows.at(3)[0] += 5.0;
        assert_eq!(windows.shift, 5);
        assert_eq!(windows.sums().len(), 3125);
        assert_eq!(windows.sums()[0], [37.0, 496.0]);
        assert!(windows.sums()[1..].iter().all(|w| w[0] == 32.0));
        let total: f64 = windows.sums().iter().map(|w| w[1]).sum();
        assert_eq!(total, 99_999.0 * 100_000.0 / 2.0);
    }

    #[test]
    fn a_gap_is_empty_windows() {
        let mut windows = Windows::<1>::default();
        windows.at(1_000_000)[0] += 1.0;
        let sums = windows.sums();
        assert!((2048..=4096).contains(&sums.len()));
        assert_eq!(sums.iter().map(|w| w[0]).sum::<f64>(), 1.0);
    }
}

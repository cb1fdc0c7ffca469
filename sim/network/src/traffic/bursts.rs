//! Bursts of sources: each is *on* or *off*, and goes from one to the other by a Markov process of
//! two states (Dally and Towles, Principles and Practices of Interconnection Networks, 24.2). It
//! offers a flit in each cycle while it is on, and nothing while it is off.

use super::random::{Random, threshold};

/// The states of all sources.
#[derive(Clone, Debug)]
pub(super) struct Bursts {
    is_on: Vec<bool>,
    /// The chance to begin a burst, out of 2^32.
    begin: u64,
    /// The chance to end one.
    end: u64,
}

impl Bursts {
    /// Bursts of so many sources that offer `load` on the average, 0 to 1, in bursts of `cycles` in
    /// the mean, at least 1. Where the time between two bursts would be shorter than a cycle bursts
    /// are longer. Each source begins in a state drawn as often as it is in it.
    pub fn new(sources: usize, load: f64, cycles: f64, random: &mut Random) -> Self {
        let (mut begin, mut end) = (load / (1.0 - load) / cycles, 1.0 / cycles);
        if begin.is_nan() || begin > 1.0 {
            (begin, end) = (1.0, (1.0 - load) / load);
        }
        let on = threshold(load);
        let is_on = (0..sources).map(|_| random.chance(on)).collect();
        Self { is_on, begin: threshold(begin), end: threshold(end) }
    }

    /// Whether a source is on in this cycle. Asked once for each cycle.
    pub fn is_on(&mut self, source: usize, random: &mut Random) -> bool {
        let is_on = self.is_on[source];
        let changes = random.chance(if is_on { self.end } else { self.begin });
        self.is_on[source] = is_on != changes;
        is_on
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Share of the cycles that a source is on, and mean length of its bursts.
    fn measure(load: f64, cycles: f64) -> (f64, f64) {
        const SOURCES: usize = 16;
        const CYCLES: usize = 100_000;
        let mut random = Random::new(1);
        let mut bursts = Bursts::new(SOURCES, load, cycles, &mut random);
        let (mut on, mut begun, mut before) = (0u32, 0u32, [false; SOURCES]);
        for _ in 0..CYCLES {
            for (source, before) in before.iter_mut().enumerate() {
                let now = bursts.is_on(source, &mut random);
                on += u32::from(now);
                begun += u32::from(now && !*before);
                *before = now;
            }
        }
        (f64::from(on) / (SOURCES * CYCLES) as f64, f64::from(on) / f64::from(begun.max(1)))
    }

    #[test]
    fn load_and_length_are_as_asked_for() {
        for (load, cycles) in [(0.1, 1.0), (0.3, 10.0), (0.5, 4.0), (0.05, 50.0), (0.8, 20.0)] {
            let (share, length) = measure(load, cycles);
            assert!((share - load).abs() < 0.02 * load.max(0.25), "{load} {cycles}: {share}");
            assert!((length / cycles - 1.0).abs() < 0.05, "{load} {cycles}: {length}");
        }
    }

    /// A load that leaves less than a cycle between bursts: it is kept, and bursts are longer.
    #[test]
    fn the_load_is_kept_where_bursts_would_meet() {
        let (share, length) = measure(0.95, 4.0);
        assert!(
            (share - 0.95).abs() < 0.01 && (length / 19.0 - 1.0).abs() < 0.05,
            "{share} {length}"
        );
        assert_eq!(measure(1.0, 10.0).0, 1.0);
        assert_eq!(measure(0.0, 10.0).0, 0.0);
    }
}

//! Figures over runs of a workload on busses.

use super::workload::BusRun;
use crate::statistics::quantile::student;
use schemars::JsonSchema;
use serde::Serialize;

/// A figure over runs.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Figure {
    /// Mean value over the runs.
    pub mean: f64,
    /// Half the width of its 95 % interval (Student's, runs being independent); `null` of one run.
    pub half_width: Option<f64>,
    /// Largest value over the runs.
    pub largest: f64,
}

/// Over runs.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Summary {
    /// Number of runs.
    pub runs: usize,
    /// Number of runs that were given up; they count in no figure of slots.
    pub given_up: usize,
    /// Slots for data until the last word is at its sink.
    pub slots: Option<Figure>,
    /// Share of the words sent in the first slot that their receivers took; of runs in which there
    /// are any.
    pub first_slot: Option<Figure>,
    /// Number of times that a word was sent over a bus, the mean over the words of a run; each bus
    /// of its route counts.
    pub tries: Option<Figure>,
}

impl Figure {
    /// Figure of these values; `None` where there are none.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let values: Vec<f64> = values.into_iter().collect();
        let count = values.len() as f64;
        let largest = values.iter().copied().reduce(f64::max)?;
        let mean = values.iter().sum::<f64>() / count;
        let half_width = (values.len() > 1).then(|| {
            let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
            let deviation = (squares / (count - 1.0)).sqrt();
            student(0.975, values.len() - 1) * deviation / count.sqrt()
        });
        Some(Self { mean, half_width, largest })
    }
}

impl Summary {
    /// Summary of these runs.
    pub fn of(runs: &[BusRun]) -> Self {
        let share = |part: u64, of: u64| (of > 0).then(|| part as f64 / of as f64);
        Self {
            runs: runs.len(),
            given_up: runs.iter().filter(|run| run.slots.is_none()).count(),
            slots: Figure::of(runs.iter().filter_map(|run| run.slots.map(|slots| slots as f64))),
            first_slot: Figure::of(
                runs.iter()
                    .filter_map(|run| share(run.delivered_in_first_slot, run.sent_in_first_slot)),
            ),
            tries: Figure::of(runs.iter().filter_map(|run| share(run.sent, run.words))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_by_hand() {
        let figure = Figure::of([1.0, 2.0, 3.0, 6.0]).unwrap();
        // Deviation sqrt(14 / 3), t(3) at 97.5 % 3.182.
        assert_eq!((figure.mean, figure.largest), (3.0, 6.0));
        assert!((figure.half_width.unwrap() - 3.437).abs() < 0.001, "{figure:?}");
        assert_eq!(Figure::of([4.0]).unwrap().half_width, None);
        assert_eq!(Figure::of([]), None);
    }
}

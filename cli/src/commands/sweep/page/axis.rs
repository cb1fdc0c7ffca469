//! An axis: what part of the picture its figures take, and where its ticks stand.

/// Number of ticks of an axis, at most.
const MOST_TICKS: f64 = 8.0;

/// A range of figures from 0 over a range of pixels.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    /// The largest figure, at a tick.
    most: f64,
    step: f64,
    from: f64,
    to: f64,
}

impl Axis {
    /// From 0 at the pixel `from` to `most` or a little more at `to`.
    pub fn new(most: f64, from: f64, to: f64) -> Self {
        let most = if most > 0.0 { most } else { 1.0 };
        let step = step(most / MOST_TICKS);
        // A hair less, so that rounding makes no further tick.
        let steps = (most / step - 1e-9).ceil().max(1.0);
        Self { most: steps * step, step, from, to }
    }

    /// Position of a figure; at an end where it is beyond.
    pub fn at(&self, figure: f64) -> f64 {
        let share = (figure / self.most).clamp(0.0, 1.0);
        self.from + share * (self.to - self.from)
    }

    /// The figures of the ticks, with their labels.
    pub fn ticks(&self) -> impl Iterator<Item = (f64, String)> + use<> {
        let (step, count) = (self.step, (self.most / self.step).round() as u32);
        let digits = (-step.log10()).ceil().max(0.0) as usize;
        (0..=count).map(move |tick| {
            let figure = f64::from(tick) * step;
            (figure, format!("{figure:.digits$}"))
        })
    }
}

/// The least of 1, 2 and 5 times a power of ten that is no less.
fn step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    let times = [1.0, 2.0, 5.0].into_iter().find(|times| times * power >= least * (1.0 - 1e-9));
    times.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(most: f64) -> String {
        let axis = Axis::new(most, 0.0, 100.0);
        axis.ticks().map(|(_, label)| label).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(labels(0.8), "0.0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8");
        assert_eq!(labels(1.0), "0.0 0.2 0.4 0.6 0.8 1.0");
        assert_eq!(labels(0.04), "0.000 0.005 0.010 0.015 0.020 0.025 0.030 0.035 0.040");
        assert_eq!(labels(293.0), "0 50 100 150 200 250 300");
        assert_eq!(labels(7.2), "0 1 2 3 4 5 6 7 8");
        assert_eq!(labels(0.0), labels(1.0));
    }

    #[test]
    fn figures_stand_between_the_ends() {
        let axis = Axis::new(7.5, 200.0, 40.0);
        assert_eq!((axis.at(0.0), axis.at(8.0), axis.at(4.0)), (200.0, 40.0, 120.0));
        assert_eq!((axis.at(-3.0), axis.at(1e9)), (200.0, 40.0));
    }
}

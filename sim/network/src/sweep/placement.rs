//! Loads at which a curve is worth a point: few where it is flat, many where it bends.
//!
//! The time that packets wait in a queue grows as ρ / (1 − ρ) with ρ, the load as a share of the one
//! at which it saturates (Dally and Towles, 23.2). So distances from saturation that shrink by the same
//! factor make waiting times that grow by about that factor, and points stand as densely on the steep
//! part of the curve as on the flat one.

/// The distance of the first point from saturation, as a share of the load there.
const FARTHEST: f64 = 0.9;
/// Distance of the points beside the saturation load: twice of what bisection leaves open.
const NEAREST: f64 = 0.02;
/// Distance of the last point beyond the saturation load.
const BEYOND: f64 = 0.5;

/// Loads around `saturation`, which is above 0 and at most 1, in flits per terminal and cycle: ascending,
/// each once, rounded to four digits. Three of four lie below it, at 0.1 of it to 0.98, the others beyond,
/// at 1.02 to 1.5. On either side the distance from it has the same ratio from each to the next. 1 stands,
/// once, for all above it.
pub fn around(saturation: f64, points: u32) -> Vec<f64> {
    let beyond = points / 4;
    let below = distances(FARTHEST, NEAREST, points - beyond).map(|gap| 1.0 - gap);
    let shares = below.chain(distances(NEAREST, BEYOND, beyond).map(|gap| 1.0 + gap));
    let mut loads: Vec<f64> =
        shares.map(|share| four_digits((saturation * share).min(1.0))).collect();
    loads.dedup();
    loads
}

/// Loads in so many even steps up to 1: of a network that deadlocks somewhere below.
pub fn even(points: u32) -> Vec<f64> {
    (1..=points).map(|at| four_digits(f64::from(at) / f64::from(points))).collect()
}

/// Geometric sequence: so many numbers from one to another, of the same ratio from each to the
/// next.
fn distances(first: f64, last: f64, count: u32) -> impl Iterator<Item = f64> {
    let steps = f64::from(count.saturating_sub(1).max(1));
    (0..count).map(move |at| first * (last / first).powf(f64::from(at) / steps))
}

/// The nearest number of four decimal digits.
fn four_digits(load: f64) -> f64 {
    format!("{load:.3e}").parse().unwrap_or(load)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn dense_near_saturation() {
        let loads = around(0.4, 8);
        assert_eq!(loads, [0.04, 0.2319, 0.3215, 0.3633, 0.3829, 0.392, 0.408, 0.6]);
        // In a queue each point below waits about as many times longer than the one before it.
        let wait = |load: f64| 1.0 / (1.0 - load / 0.4);
        let ratio = |pair: &[f64]| wait(pair[1]) / wait(pair[0]);
        let ratios: Vec<f64> = loads[..6].windows(2).map(ratio).collect();
        assert!(ratios.iter().all(|ratio| (ratio / ratios[0] - 1.0).abs() < 0.01), "{ratios:?}");
    }

    #[test]
    fn even_steps_end_at_one() {
        assert_eq!(even(8), [0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0]);
    }

    #[test]
    fn none_above_one() {
        assert_eq!(around(1.0, 8), [0.1, 0.5797, 0.8037, 0.9083, 0.9572, 0.98, 1.0]);
        let loads = around(0.8, 16);
        assert_eq!((loads[15], loads.len()), (1.0, 16));
    }

    proptest! {
        #[test]
        fn ascending_on_both_sides(saturation in 1e-6..=1.0f64, points in 8..=64u32) {
            let loads = around(saturation, points);
            prop_assert!(loads.windows(2).all(|pair| pair[0] < pair[1]), "{loads:?}");
            prop_assert!(loads[0] > 0.0 && loads[loads.len() - 1] <= 1.0);
            prop_assert!(loads.len() <= points as usize);
            let below = loads.iter().filter(|&&load| load < saturation).count() as u32;
            prop_assert_eq!(below, points - points / 4, "{:?}", loads);
            prop_assert!(saturation == 1.0 || loads[loads.len() - 1] > saturation * 0.999);
        }
    }
}

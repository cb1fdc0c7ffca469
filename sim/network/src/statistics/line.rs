//! A straight line through points, by least squares.

/// y = slope · x + intercept.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Line {
    /// Growth of y with x.
    pub slope: f64,
    /// y where x is 0.
    pub intercept: f64,
    /// The root of the mean square of what points lie off the line.
    pub residual: f64,
}

impl Line {
    /// The line of least squares; `None` for points of fewer than two different x.
    pub fn through(points: &[(f64, f64)]) -> Option<Self> {
        let n = points.len() as f64;
        let mean = |of: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
        let (x, y) = (mean(&|p| p.0), mean(&|p| p.1));
        let spread = mean(&|p| (p.0 - x).powi(2));
        if points.is_empty() || spread <= 0.0 {
            return None;
        }
        let slope = mean(&|p| (p.0 - x) * (p.1 - y)) / spread;
        let intercept = y - slope * x;
        let residual = mean(&|p| (p.1 - slope * p.0 - intercept).powi(2)).sqrt();
        Some(Self { slope, intercept, residual })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_on_a_line_are_on_it() {
        let points: Vec<(f64, f64)> =
            (1..9).map(|x| (x.into(), 1.5 * f64::from(x) + 7.0)).collect();
        let line = Line::through(&points).unwrap();
        assert!((line.slope - 1.5).abs() < 1e-12 && (line.intercept - 7.0).abs() < 1e-12);
        assert!(line.residual < 1e-12);
    }

    /// By hand: means 2 and 3, slope (1 + 0 + 2) / 2, residuals 1/6, -1/3, 1/6 times 1.5.
    #[test]
    fn others_are_as_near_as_can_be() {
        let line = Line::through(&[(1.0, 2.0), (2.0, 2.0), (3.0, 5.0)]).unwrap();
        assert!((line.slope - 1.5).abs() < 1e-12 && line.intercept.abs() < 1e-12);
        assert!((line.residual - 0.5f64.sqrt()).abs() < 1e-12);
        for few in [vec![], vec![(1.0, 2.0)], vec![(1.0, 2.0), (1.0, 3.0)]] {
            assert_eq!(Line::through(&few), None);
        }
    }
}

//! Tables 5-3 and 5-4, and the bound n/2 + 0.399 √n on the average distance.

use super::exact::{expected, float, places, ratio};
use super::{Cell, Table, printed};
use num_rational::BigRational;

/// The memo's C, in thousandths.
const C_THOUSANDTHS: u32 = 399;
/// The largest n that the memo claims the bound for.
const LAST: u32 = 140;

/// E(n) − n/2, exactly.
fn excess(n: u32) -> BigRational {
    expected(n) - ratio(n, 2)
}

/// The C with which the bound would be met exactly. The excess is exact, so only the root and
/// the quotient are rounded: off by some 1e-16.
fn constant(n: u32) -> f64 {
    float(&excess(n)) / f64::from(n).sqrt()
}

/// bd(n) − E(n): n/2 cancels.
fn gap(n: u32) -> f64 {
    f64::from(C_THOUSANDTHS) / 1000.0 * f64::from(n).sqrt() - float(&excess(n))
}

/// Whether E(n) < n/2 + 0.399 √n, decided in whole numbers, by squares.
fn holds(n: u32) -> bool {
    let excess = excess(n);
    &excess * &excess < ratio(C_THOUSANDTHS * C_THOUSANDTHS * n, 1_000_000)
}

fn rounded(value: f64, memo: &str) -> Cell {
    Cell::against(format!("{value:.0$}", places(memo)), memo)
}

/// Table 5-3.
pub fn table_5_3() -> Table {
    let row = |row: &printed::Expected| vec![Cell::plain(row.n), rounded(constant(row.n), row.c)];
    Table {
        id: "5-3",
        title: "Table to determine C",
        note: "E(n) exactly, the square root to 16 digits. C grows towards 1/sqrt(2 pi) = 0.39894 \
               and stays below it.",
        keys: 1,
        columns: vec!["n", "(E(n) - n/2) / sqrt(n)"],
        rows: printed::EXPECTED.iter().map(row).collect(),
    }
}

/// Table 5-4.
pub fn table_5_4() -> Table {
    let row = |row: &printed::Expected| {
        let percent = 100.0 * gap(row.n) / float(&expected(row.n));
        vec![Cell::plain(row.n), rounded(gap(row.n), row.gap), rounded(percent, row.error)]
    };
    Table {
        id: "5-4",
        title: "Table to check out C",
        note: "bd(n) = n/2 + 0.399 sqrt(n); the error is in percent of E(n).",
        keys: 1,
        columns: vec!["n", "bd(n) - E(n)", "% error"],
        rows: printed::EXPECTED.iter().map(row).collect(),
    }
}

/// The bound for all even n that the memo claims it for.
pub fn table() -> Table {
    let all = (2..=LAST).step_by(2);
    let below = all.clone().filter(|&n| holds(n)).count();
    let least = all.clone().map(gap).fold(f64::INFINITY, f64::min);
    Table {
        id: "5.1, bound",
        title: "E(n) < n/2 + 0.399 sqrt(n) for every even n from 2 to 140",
        note: "Decided in whole numbers, by squares.",
        keys: 1,
        columns: vec!["even n", "below the bound", "least gap"],
        rows: vec![vec![
            Cell::plain(format!("2 to {LAST}")),
            Cell::against(below, all.count()),
            Cell::plain(format!("{least:.5}")),
        ]],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// C(n, n/2) / 2^n lies between √(2/(π(n+1))) and √(2/(πn)), so the memo's 0.399 does for
    /// every n, and no C below 1/√(2π) would.
    #[test]
    fn the_constant_grows_towards_the_root_of_two_pi() {
        let limit = (2.0 * std::f64::consts::PI).sqrt().recip();
        let mut last = 0.0;
        for n in (2..=400).step_by(2) {
            let c = constant(n);
            let lower = limit * (f64::from(n) / f64::from(n + 1)).sqrt();
            assert!(last < c && lower < c && c < limit && holds(n), "n = {n}");
            last = c;
        }
    }

    /// The difference of two large figures loses nothing: the same by squares.
    #[test]
    fn gaps_are_those_of_the_squares() {
        for n in (2..=LAST).step_by(2) {
            let e = excess(n);
            let squares = ratio(C_THOUSANDTHS * C_THOUSANDTHS * n, 1_000_000) - &e * &e;
            let sum = gap(n) + 2.0 * float(&e);
            assert!((gap(n) - float(&squares) / sum).abs() < 1e-13);
        }
    }
}

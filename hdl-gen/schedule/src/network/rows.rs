//! Networks on rows.
//!
//! A row is a number of `dim` digits, and digit 0 is the least significant. A stage of digit b
//! joins, by one switch, the rows that differ only in digit b. The switch's index is the row's
//! number with digit b removed: the digits above move down by one place. Input p and output p of
//! the switch are those of the row whose digit b is p. Row x leads to row x of the next stage;
//! source t enters at row t and sink t leaves at row t.

use super::{MOST_PORTS, MOST_STAGES, MOST_TERMINALS, NetworkError, Place};

/// A network on rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rows {
    radix: u32,
    dim: u32,
    digits: Vec<u32>,
    reduced: bool,
}

impl Rows {
    /// The network of one stage for each of `digits`.
    ///
    /// # Errors
    /// [`NetworkError`] for a radix, dimension, digit or number of stages out of range.
    pub fn new(radix: u32, dim: u32, digits: Vec<u32>) -> Result<Self, NetworkError> {
        check(radix, dim)?;
        if !(1..=MOST_STAGES).contains(&digits.len()) {
            return Err(NetworkError::Stages(digits.len()));
        }
        if let Some(stage) = digits.iter().position(|&digit| digit >= dim) {
            return Err(NetworkError::Digit { stage, digit: digits[stage], dim });
        }
        Ok(Self { radix, dim, digits, reduced: false })
    }

    pub(super) fn butterfly(radix: u32, dim: u32) -> Result<Self, NetworkError> {
        check(radix, dim)?;
        Self::new(radix, dim, (0..dim).rev().collect())
    }

    pub(super) fn double_butterfly(radix: u32, dim: u32) -> Result<Self, NetworkError> {
        check(radix, dim)?;
        Self::new(radix, dim, (0..dim).rev().chain((0..dim).rev()).collect())
    }

    pub(super) fn benes(dim: u32) -> Result<Self, NetworkError> {
        check(2, dim)?;
        Self::new(2, dim, benes_digits(dim).collect())
    }

    pub(super) fn reduced_benes(dim: u32) -> Result<Self, NetworkError> {
        Ok(Self { reduced: true, ..Self::benes(dim)? })
    }

    /// Inputs of each switch, and values of each digit.
    pub fn radix(&self) -> u32 {
        self.radix
    }

    /// Digits of a row's number.
    pub fn dim(&self) -> u32 {
        self.dim
    }

    /// The digit of each stage.
    pub fn digits(&self) -> &[u32] {
        &self.digits
    }

    /// Number of rows.
    pub fn terminals(&self) -> u32 {
        self.radix.pow(self.dim)
    }

    /// Whether this is a Beneš network, reduced or not.
    pub fn is_benes(&self) -> bool {
        self.radix == 2 && benes_digits(self.dim).eq(self.digits.iter().copied())
    }

    /// Whether switches that no permutation needs are replaced by wires.
    pub fn is_reduced(&self) -> bool {
        self.reduced
    }

    /// Whether a switch is replaced by wires.
    ///
    /// The stages k and 2 dim - 2 - k are the first and the last of 2^k networks of 2^(dim - k)
    /// rows, nested in one another as the looping algorithm takes them. In the last stage of each
    /// it is the first switch. The stage of digit 0, in the middle, keeps all of its switches.
    pub fn is_wire(&self, stage: u32, switch: u32) -> bool {
        if !self.reduced || !(self.dim..2 * self.dim - 1).contains(&stage) {
            return false;
        }
        let each = 1 << (stage + 1 - self.dim);
        switch < self.terminals() / 2 && switch.is_multiple_of(each)
    }

    /// Place of a row in a stage: the switch, and the input and output of it. `None` where there is
    /// no such stage or row.
    pub fn place(&self, stage: u32, row: u32) -> Option<Place> {
        let digit = *self.digits.get(stage as usize)?;
        (row < self.terminals()).then(|| self.place_at(digit, row))
    }

    /// Place of a row as [`Rows::place`] gives it, in a stage of a digit that there is.
    pub(crate) fn place_at(&self, digit: u32, row: u32) -> Place {
        let low = self.radix.pow(digit);
        let above = row / low / self.radix;
        Place { switch: above * low + row % low, port: row / low % self.radix }
    }

    /// The inverse of [`Rows::place`]; `None` where there is no such stage, switch or port.
    pub fn row(&self, stage: u32, place: Place) -> Option<u32> {
        let low = self.radix.pow(*self.digits.get(stage as usize)?);
        let Place { switch, port } = place;
        let exists = switch < self.terminals() / self.radix && port < self.radix;
        exists.then(|| (switch / low * self.radix + port) * low + switch % low)
    }
}

fn benes_digits(dim: u32) -> impl Iterator<Item = u32> {
    (0..dim).rev().chain(1..dim)
}

fn check(radix: u32, dim: u32) -> Result<(), NetworkError> {
    if !(2..=MOST_PORTS).contains(&radix) {
        return Err(NetworkError::Radix(radix));
    }
    match radix.checked_pow(dim) {
        Some(2..=MOST_TERMINALS) => Ok(()),
        _ => Err(NetworkError::Dim { dim, radix, most: MOST_TERMINALS.ilog(radix) }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_switch_is_the_row_without_its_digit() {
        let rows = Rows::butterfly(3, 3).unwrap();
        // Row 2 * 9 + 1 * 3 + 0 has the digits 2, 1, 0, the most significant first.
        assert_eq!(rows.place(0, 21), Some(Place { switch: 3, port: 2 }));
        assert_eq!(rows.place(1, 21), Some(Place { switch: 6, port: 1 }));
        assert_eq!(rows.place(2, 21), Some(Place { switch: 7, port: 0 }));
        assert_eq!((rows.place(3, 0), rows.place(0, 27)), (None, None));
        for (stage, row) in (0..3).flat_map(|s| (0..27).map(move |row| (s, row))) {
            assert_eq!(rows.row(stage, rows.place(stage, row).unwrap()), Some(row));
        }
        assert_eq!(rows.row(0, Place { switch: 9, port: 0 }), None);
        assert_eq!(rows.row(0, Place { switch: 0, port: 3 }), None);
    }

    #[test]
    fn sizes_out_of_range_are_refused() {
        for radix in [0, 1, 65_536, u32::MAX] {
            assert_eq!(Rows::butterfly(radix, 1), Err(NetworkError::Radix(radix)));
        }
        for (radix, dim, most) in [(2, 0, 16), (2, 17, 16), (2, u32::MAX, 16), (3, 11, 10)] {
            let error = NetworkError::Dim { dim, radix, most };
            assert_eq!(Rows::double_butterfly(radix, dim), Err(error.clone()));
            assert_eq!(Rows::new(radix, dim, vec![0]), Err(error));
        }
        assert!(Rows::benes(16).is_ok() && Rows::benes(17).is_err());
        assert_eq!(Rows::new(2, 3, vec![]), Err(NetworkError::Stages(0)));
        assert_eq!(Rows::new(2, 3, vec![0; 65]), Err(NetworkError::Stages(65)));
        let text = Rows::new(2, 3, vec![2, 3]).unwrap_err().to_string();
        assert_eq!(text, "stage 1 has digit 3, but the digits are 0 to 2");
    }

    #[test]
    fn a_reduced_network_has_n_log_n_less_n_and_one_switches() {
        for dim in 1..=16 {
            let network = super::super::Network::reduced_benes(dim).unwrap();
            let all: u32 = (0..network.stages()).map(|s| network.switches(s)).sum();
            let terminals = network.terminals();
            let left = all - network.removed().len() as u32;
            assert_eq!(left, terminals * dim - terminals + 1);
            assert!(!network.is_wire(network.stages(), 0));
            assert!(super::super::Network::benes(dim).unwrap().removed().is_empty());
        }
    }
}

//! Failure of a testbench: the circuit is not as its model.

use std::fmt;

/// A difference between circuit and model.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct Failure {
    /// The cycle, counted from 0 at the end of the reset.
    pub cycle: u64,
    /// Place of the difference: a terminal (`terminal 3`), or nothing.
    pub place: String,
    /// The signal at fault.
    pub signal: String,
    /// Value in the model.
    pub expected: String,
    /// Value in the circuit.
    pub found: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cycle, place, signal, expected, found } = self;
        let between = if place.is_empty() { "" } else { ": " };
        write!(f, "cycle {cycle}: {place}{between}{signal} is {found}, not {expected}")
    }
}

/// Holds a bit against its model.
pub(super) fn bit(
    cycle: u64,
    signal: impl Into<String>,
    expected: bool,
    found: bool,
) -> Result<(), Failure> {
    words(cycle, signal, &[expected.into()], std::iter::once(found.into()))
}

/// Holds bits, in words of 64 with the lowest first, against their model.
pub(super) fn words(
    cycle: u64,
    signal: impl Into<String>,
    expected: &[u64],
    found: impl Iterator<Item = u64> + Clone,
) -> Result<(), Failure> {
    if found.clone().eq(expected.iter().copied()) {
        return Ok(());
    }
    let found: Vec<u64> = found.collect();
    let (place, signal) = (String::new(), signal.into());
    Err(Failure { cycle, place, signal, expected: hex(expected), found: hex(&found) })
}

/// Words, the lowest first, as one hexadecimal number.
pub(super) fn hex(words: &[u64]) -> String {
    let Some((top, rest)) = words.split_last() else { return "nothing".to_owned() };
    let rest: String = rest.iter().rev().map(|w| format!("{w:016x}")).collect();
    format!("0x{top:x}{rest}")
}

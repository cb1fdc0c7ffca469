//! Numbers of a user, and the ranges in which they may be.

/// A number outside its range.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{field} {value} is out of range; use {low} to {high}")]
pub struct OutOfRange {
    /// Name of the number, such as the field of a plan's parameters.
    pub field: &'static str,
    /// Value that was given.
    pub value: u32,
    /// The least value.
    pub low: u32,
    /// The largest value.
    pub high: u32,
}

/// Checks that a number is in its range, from `low` to `high`.
///
/// # Errors
/// [`OutOfRange`] where it is not.
pub fn check(field: &'static str, value: u32, low: u32, high: u32) -> Result<(), OutOfRange> {
    match (low..=high).contains(&value) {
        true => Ok(()),
        false => Err(OutOfRange { field, value, low, high }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_are_in_the_range() {
        assert_eq!([2, 3, 4].map(|value| check("depth", value, 2, 4)), [Ok(()); 3]);
        for value in [1, 5] {
            let error = check("depth", value, 2, 4).unwrap_err().to_string();
            assert_eq!(error, format!("depth {value} is out of range; use 2 to 4"));
        }
    }
}

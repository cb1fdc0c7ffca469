//! The sides of a mesh or a torus.

use std::fmt;
use std::str::FromStr;
use turnpike_base::numbers::{digits, sides_in_words};

/// Most dimensions of a mesh or a torus.
pub const MOST_SIDES: usize = 6;
/// Least and largest side of a mesh or a torus.
pub const SIDES: (u32, u32) = (2, 1024);

/// The sides of a mesh or a torus, X first: 1 to [`MOST_SIDES`] of them, each in [`SIDES`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Shape {
    sides: [u32; MOST_SIDES],
    dimensions: u8,
}

/// No shape, and what would be one.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "'{0}' is no shape: give 1 to {MOST_SIDES} sides of {low} to {high} with an x between, such \
     as 4x4", low = SIDES.0, high = SIDES.1
)]
pub struct ShapeError(pub String);

impl Shape {
    /// The shape of these sides, X first.
    ///
    /// # Errors
    /// [`ShapeError`] for too many or too few, or one out of range.
    pub fn new(sides: &[u32]) -> Result<Self, ShapeError> {
        let (low, high) = SIDES;
        let fits = (1..=MOST_SIDES).contains(&sides.len())
            && sides.iter().all(|side| (low..=high).contains(side));
        if !fits {
            return Err(ShapeError(sides_in_words(sides)));
        }
        let mut all = [0; MOST_SIDES];
        all[..sides.len()].copy_from_slice(sides);
        Ok(Self { sides: all, dimensions: sides.len() as u8 })
    }

    /// The sides, X first.
    pub fn sides(&self) -> &[u32] {
        &self.sides[..usize::from(self.dimensions)]
    }

    /// Number of nodes. At most 2^60, so that it never overflows.
    pub fn nodes(&self) -> u64 {
        self.sides().iter().map(|&side| u64::from(side)).product()
    }
}

impl FromStr for Shape {
    type Err = ShapeError;

    fn from_str(text: &str) -> Result<Self, ShapeError> {
        let wrong = || ShapeError(text.to_owned());
        let side = |word: &str| digits(word).ok_or_else(wrong);
        let sides: Vec<u32> = text.split('x').map(side).collect::<Result<_, _>>()?;
        Self::new(&sides).map_err(|_| wrong())
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&sides_in_words(self.sides()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_read_and_written() {
        for text in ["2", "4x4", "3x1024", "2x2x2x2x2x2"] {
            assert_eq!(text.parse::<Shape>().unwrap().to_string(), text);
        }
        assert_eq!("1024x1024x1024x1024x1024x1024".parse::<Shape>().unwrap().nodes(), 1 << 60);
        for text in ["", "x", "4x", "4x1", "0x4", "4x1025", "+4x4", "4X4", "4x4x4x4x4x4x4", "-1"] {
            let error = text.parse::<Shape>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("'{text}' is no shape: give 1 to 6 sides")));
        }
    }
}

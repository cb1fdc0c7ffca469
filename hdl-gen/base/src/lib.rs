//! Foundations that every crate uses: bits, identifiers, random numbers, folders that appear whole.

pub mod bits;
pub mod delivery;
pub mod hash;
pub mod names;
pub mod nearest;
pub mod numbers;
pub mod permutations;
pub mod random;
pub mod range;
pub mod staging;
pub mod standard_error;

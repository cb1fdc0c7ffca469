//! Counts that are means over what packets draw.

use num_rational::Ratio;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;

/// A count, exact: a whole number where a relation draws nothing, and its mean over all draws where
/// it does. In JSON a whole number where it is one, else the nearest binary fraction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash, Debug)]
pub struct Expected(Ratio<u64>);

impl Expected {
    /// Mean of a sum over all of `draws` draws, 1 or more.
    pub fn over(sum: u64, draws: u64) -> Self {
        Self(Ratio::new(sum, draws))
    }

    /// The nearest number that is not exact.
    pub fn to_f64(self) -> f64 {
        *self.0.numer() as f64 / *self.0.denom() as f64
    }

    /// The exact fraction, in lowest terms.
    pub fn ratio(self) -> Ratio<u64> {
        self.0
    }

    /// The least whole number that is no less.
    pub fn rounded_up(self) -> u64 {
        self.0.ceil().to_integer()
    }

    /// Whether it is nothing.
    pub fn is_zero(self) -> bool {
        *self.0.numer() == 0
    }
}

impl From<u64> for Expected {
    fn from(count: u64) -> Self {
        Self(count.into())
    }
}

impl PartialEq<u64> for Expected {
    fn eq(&self, other: &u64) -> bool {
        self.0 == Ratio::from(*other)
    }
}

/// `3`, or `3/2`.
impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Expected {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.is_integer() {
            true => serializer.serialize_u64(self.0.to_integer()),
            false => serializer.serialize_f64(self.to_f64()),
        }
    }
}

impl JsonSchema for Expected {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "Expected".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "minimum": 0 })
    }
}

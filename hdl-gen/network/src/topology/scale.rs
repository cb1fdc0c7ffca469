//! Scale of a network, as reports say it: its size and its concentration.

use super::{Size, Value};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// The size of a network, with the terminals at each switch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scale {
    /// The topology's size.
    pub size: Size,
    /// Terminals at each switch that has one ([`super::concentrated`]), 1 or more.
    pub concentration: u32,
}

impl Scale {
    /// Scale in words: `shape 4x4`, `shape 4x4, 4 terminals at a switch`.
    pub fn words(self) -> String {
        match self.concentration {
            1 => self.size.words(),
            several => format!("{}, {several} terminals at a switch", self.size.words()),
        }
    }

    /// Name of the size as a column of a report, and its value there: `4x4`, `4x4_c4`.
    pub fn figure(self) -> (String, String) {
        let (name, value) = self.size.figure();
        match self.concentration {
            1 => (name, value),
            several => (name, format!("{value}_c{several}")),
        }
    }
}

/// To be flattened into a report: `"dimension": 4` or `"shape": "4x4"` and so on, and `"concentration": 4` where it is
/// not 1.
impl Serialize for Scale {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (parameter, value) in self.size.values() {
            match value {
                Value::Number(number) => map.serialize_entry(parameter.field, &number)?,
                text => map.serialize_entry(parameter.field, &text.to_string())?,
            }
        }
        if self.concentration > 1 {
            map.serialize_entry("concentration", &self.concentration)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn concentration_is_said_where_there_is_any() {
        let scale = |concentration| Scale { size: Size::of_nodes(3), concentration };
        assert_eq!([1, 2].map(|c| scale(c).words()), ["size 3", "size 3, 2 terminals at a switch"]);
        assert_eq!([1, 2].map(|c| scale(c).figure().1), ["3", "3_c2"]);
    }
}

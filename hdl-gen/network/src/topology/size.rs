//! The size of a network: the values of the parameters that its topology takes.

use super::parameter::{CLOS, DIM, MOST_PARAMETERS, NODES, Parameter, SIDES, Value};
use super::{Clos, Shape};
use std::fmt;

/// The size of a network: a value for each parameter that its topology takes, in the order of the
/// options.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Size {
    values: [Option<(&'static Parameter, Value)>; MOST_PARAMETERS],
}

impl From<u32> for Size {
    fn from(dimension: u32) -> Self {
        Self::of_dim(dimension)
    }
}

impl From<Shape> for Size {
    fn from(shape: Shape) -> Self {
        Self::new([(&SIDES, Value::Sides(shape))])
    }
}

impl From<Clos> for Size {
    fn from(clos: Clos) -> Self {
        Self::new([(&CLOS, Value::Clos(clos))])
    }
}

impl Size {
    /// The size with these values, at most [`MOST_PARAMETERS`] of them.
    pub(super) fn new(given: impl IntoIterator<Item = (&'static Parameter, Value)>) -> Self {
        let mut values = [None; MOST_PARAMETERS];
        for (at, value) in given.into_iter().enumerate() {
            values[at] = Some(value);
        }
        Self { values }
    }

    /// The size of these numbers, in the order of the topology's options.
    pub fn of<const N: usize>(numbers: [(&'static Parameter, u32); N]) -> Self {
        const { assert!(N <= MOST_PARAMETERS, "a topology has fewer parameters") };
        Self::new(numbers.map(|(parameter, number)| (parameter, Value::Number(number))))
    }

    /// The size of a dimension alone.
    pub fn of_dim(dimension: u32) -> Self {
        Self::of([(&DIM, dimension)])
    }

    /// The size of a number of nodes alone.
    pub fn of_nodes(nodes: u32) -> Self {
        Self::of([(&NODES, nodes)])
    }

    /// The parameters, each with its value.
    pub fn values(&self) -> impl Iterator<Item = (&'static Parameter, Value)> + use<> {
        self.values.into_iter().flatten()
    }

    /// The number of a parameter; `None` where the size has none.
    pub fn number(&self, parameter: &Parameter) -> Option<u32> {
        self.values().find_map(|(own, value)| match value {
            Value::Number(number) if own.key == parameter.key => Some(number),
            _ => None,
        })
    }

    /// The number of a parameter that the size has.
    ///
    /// # Panics
    /// For a size without it, which [`super::TopologyKind::build`] refuses.
    pub fn expect(&self, parameter: &Parameter) -> u32 {
        self.number(parameter).unwrap_or_else(|| panic!("{self} says no {}", parameter.key))
    }

    /// The dimension, of a size that is one alone.
    pub fn only_dim(&self) -> Option<u32> {
        self.number(&DIM).filter(|_| self.values().count() == 1)
    }

    /// The dimension of a topology that takes one.
    ///
    /// # Panics
    /// As [`Size::expect`].
    pub fn dim(&self) -> u32 {
        self.expect(&DIM)
    }

    /// The sides of a grid, of a size that says them.
    pub fn shape(&self) -> Option<Shape> {
        self.values().find_map(|(_, value)| match value {
            Value::Sides(shape) => Some(shape),
            _ => None,
        })
    }

    /// The three numbers of a Clos network, of a size that says them.
    pub fn clos(&self) -> Option<Clos> {
        self.values().find_map(|(_, value)| match value {
            Value::Clos(clos) => Some(clos),
            _ => None,
        })
    }

    /// The values that are not those that go without saying.
    fn said(&self) -> impl Iterator<Item = (&'static Parameter, Value)> + use<> {
        self.values()
            .filter(|(parameter, value)| parameter.default.map(Value::Number) != Some(*value))
    }

    /// Size as part of a module's name.
    pub fn identifier(&self) -> String {
        let word = |(parameter, value): (&Parameter, Value)| match (parameter.default, value) {
            (Some(_), value) => format!("{}{value}", parameter.key),
            (None, Value::Clos(clos)) => clos.to_string().replace(',', "_"),
            (None, value) => value.to_string(),
        };
        self.said().map(word).collect::<Vec<_>>().join("_")
    }

    /// Name of the size as a column or a key of a report, and its value there.
    pub fn figure(&self) -> (String, String) {
        let (names, values): (Vec<_>, Vec<_>) =
            self.said().map(|(parameter, value)| (parameter.field, value.to_string())).unzip();
        (names.join("_"), values.join("_"))
    }

    /// The lines of a file that say it: a key and its value each, those first that may be left out on
    /// the command line.
    pub fn keys(&self) -> Vec<(&'static str, String)> {
        let mut values: Vec<_> = self.values().collect();
        values.sort_by_key(|(parameter, _)| parameter.default.is_none());
        values.into_iter().map(|(parameter, value)| (parameter.key, value.to_string())).collect()
    }

    /// Size in words: `dimension 4`, `shape 4x4`.
    pub fn words(&self) -> String {
        let word = |(parameter, value): (&Parameter, Value)| {
            parameter.words.replace("{}", &value.to_string())
        };
        self.said().map(word).collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Debug for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Size({self})")
    }
}

/// Canonical form of the size: the words of a command that makes a fabric.
impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word =
            |(parameter, value): (&Parameter, Value)| format!("--{} {value}", parameter.option);
        f.write_str(&self.said().map(word).collect::<Vec<_>>().join(" "))
    }
}

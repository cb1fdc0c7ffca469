//! Parameters of which sizes are made: a name for files, reports and options each, and words.

use super::{Clos, Shape};
use std::fmt;
use turnpike_base::numbers::digits;

/// Most parameters of a topology.
pub const MOST_PARAMETERS: usize = 4;

/// Parameter of a size. A topology whose size has another gives one of its own, in its file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Parameter {
    /// Key in the files of relations, and name in messages.
    pub key: &'static str,
    /// Name of the figure in reports.
    pub field: &'static str,
    /// Option, without its dashes.
    pub option: &'static str,
    /// Size in words, `{}` standing for the value.
    pub words: &'static str,
    /// Placeholder of the value in `--help`.
    pub placeholder: &'static str,
    /// Meaning in `--help`.
    pub help: &'static str,
    /// Value where none is said; sizes with it do not say it in their words. `None` where one must be.
    pub default: Option<u32>,
    /// Values that it takes.
    pub sort: Sort,
}

/// Values of a parameter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    /// A whole number.
    Number,
    /// Sides of a grid.
    Sides,
    /// The three numbers of a Clos network.
    Clos,
}

/// Value of a parameter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// A whole number.
    Number(u32),
    /// Sides of a grid.
    Sides(Shape),
    /// The three numbers of a Clos network.
    Clos(Clos),
}

impl Sort {
    /// The value of this text, in range or not; `None` where it is none.
    pub fn parse(self, text: &str) -> Option<Value> {
        match self {
            Self::Number => digits(text).map(Value::Number),
            Self::Sides => text.parse().ok().map(Value::Sides),
            Self::Clos => text.parse().ok().map(Value::Clos),
        }
    }
}

impl Value {
    /// Sort of the value.
    pub fn sort(self) -> Sort {
        match self {
            Self::Number(_) => Sort::Number,
            Self::Sides(_) => Sort::Sides,
            Self::Clos(_) => Sort::Clos,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Sides(shape) => shape.fmt(f),
            Self::Clos(clos) => clos.fmt(f),
        }
    }
}

/// Dimension of a cube, letters of a word, digits of a row.
pub const DIM: Parameter = Parameter {
    key: "dimension",
    field: "dimension",
    option: "dim",
    words: "dimension {}",
    placeholder: "K",
    help: "The dimension (cubes and networks made of cubes), the letters of a word (de-bruijn, kautz) \
           or the digits of a row (butterfly, benes, double-butterfly)",
    default: None,
    sort: Sort::Number,
};
/// Sides of a grid.
pub const SIDES: Parameter = Parameter {
    key: "shape",
    field: "shape",
    option: "shape",
    words: "shape {}",
    placeholder: "SIDES|M,N,R",
    help: "The sides, X first, such as 4x4 (mesh, torus); or middle switches, terminals of a first \
           switch and first switches, such as 3,2,4 (clos)",
    default: None,
    sort: Sort::Sides,
};
/// Three numbers of a Clos network.
pub const CLOS: Parameter = Parameter { sort: Sort::Clos, ..SIDES };
/// Terminals of a router. Reports count all terminals under `terminals`.
pub const TERMINALS: Parameter = Parameter {
    key: "terminals",
    field: "terminals_per_router",
    option: "terminals",
    words: "{} terminals at a router",
    placeholder: "P",
    help: "Terminals of a router (dragonfly, slim-fly, random-regular)",
    ..DIM
};
/// Number of nodes.
pub const NODES: Parameter = Parameter {
    key: "nodes",
    field: "size",
    option: "nodes",
    words: "size {}",
    placeholder: "N",
    help: "The number of nodes (rings, full, star, random-regular)",
    ..DIM
};
/// Channels down from a switch, kinds of letters.
pub const ARITY: Parameter = Parameter {
    key: "arity",
    field: "arity",
    option: "arity",
    words: "arity {}",
    placeholder: "K",
    help: "Channels down from a switch (trees), or letters of the alphabet (de-bruijn, kautz)",
    ..DIM
};
/// Levels of switches.
pub const LEVELS: Parameter = Parameter {
    key: "levels",
    field: "levels",
    option: "levels",
    words: "{} levels",
    placeholder: "L",
    help: "Levels of switches (trees)",
    ..DIM
};
/// Inputs and outputs of a switch.
pub const RADIX: Parameter = Parameter {
    key: "radix",
    field: "radix",
    option: "radix",
    words: "radix {}",
    placeholder: "R",
    help: "Inputs and outputs of a switch (butterfly; default: 2)",
    default: Some(2),
    ..DIM
};

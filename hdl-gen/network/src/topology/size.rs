//! The size of a network: the options that stand after its topology's name.

use super::{Clos, Shape};
use std::fmt;
use turnpike_base::numbers::digits;

/// The size of a network.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Size {
    /// `--dim K`.
    Dim(u32),
    /// `--shape 4x4`.
    Shape(Shape),
    /// `--nodes N`.
    Nodes(u32),
    /// `--arity D --dim K`: words of K letters, of D kinds.
    Words {
        /// Kinds of letters.
        arity: u32,
        /// Letters.
        length: u32,
    },
    /// `--arity K --levels L`.
    Tree {
        /// Channels down from a switch.
        arity: u32,
        /// Levels of switches.
        levels: u32,
    },
    /// `--dim N --radix R`; the radix is 2 where it is left out.
    Stages {
        /// Inputs and outputs of a switch.
        radix: u32,
        /// Digits of a row: the stages of a butterfly.
        stages: u32,
    },
    /// `--shape M,N,R`.
    Clos(Clos),
}

impl From<u32> for Size {
    fn from(dimension: u32) -> Self {
        Self::Dim(dimension)
    }
}

impl From<Shape> for Size {
    fn from(shape: Shape) -> Self {
        Self::Shape(shape)
    }
}

impl Size {
    /// The dimension of a topology that takes one.
    ///
    /// # Panics
    /// For a size of another sort, which [`super::TopologyKind::build`] refuses.
    pub fn dim(self) -> u32 {
        match self {
            Self::Dim(dimension) => dimension,
            other => panic!("{other} is no dimension"),
        }
    }

    /// The number of nodes of a topology that takes one.
    ///
    /// # Panics
    /// As [`Size::dim`].
    pub fn count(self) -> u32 {
        match self {
            Self::Nodes(nodes) => nodes,
            other => panic!("{other} is no number of nodes"),
        }
    }

    /// Size as part of a module's name.
    pub fn identifier(self) -> String {
        match self {
            Self::Dim(n) | Self::Nodes(n) => n.to_string(),
            Self::Shape(shape) => shape.to_string(),
            Self::Words { arity, length } => format!("{arity}_{length}"),
            Self::Tree { arity, levels } => format!("{arity}_{levels}"),
            Self::Stages { radix: 2, stages } => stages.to_string(),
            Self::Stages { radix, stages } => format!("{stages}_radix{radix}"),
            Self::Clos(Clos { middle, inputs, outer }) => format!("{middle}_{inputs}_{outer}"),
        }
    }

    /// Name of the size as a column or a key of a report, and its value there.
    pub fn figure(self) -> (&'static str, String) {
        match self {
            Self::Dim(k) => ("dimension", k.to_string()),
            Self::Shape(shape) => ("shape", shape.to_string()),
            Self::Nodes(n) => ("size", n.to_string()),
            Self::Words { arity, length } => ("arity_dimension", format!("{arity}_{length}")),
            Self::Tree { arity, levels } => ("arity_levels", format!("{arity}_{levels}")),
            Self::Stages { radix: 2, stages } => ("dimension", stages.to_string()),
            Self::Stages { radix, stages } => ("dimension_radix", format!("{stages}_{radix}")),
            Self::Clos(clos) => ("shape", clos.to_string()),
        }
    }

    /// The lines of a file that say it: a key and its value each.
    pub fn keys(self) -> Vec<(&'static str, String)> {
        match self {
            Self::Dim(k) => vec![("dimension", k.to_string())],
            Self::Shape(shape) => vec![("shape", shape.to_string())],
            Self::Nodes(n) => vec![("nodes", n.to_string())],
            Self::Words { arity, length } => {
                vec![("arity", arity.to_string()), ("dimension", length.to_string())]
            }
            Self::Tree { arity, levels } => {
                vec![("arity", arity.to_string()), ("levels", levels.to_string())]
            }
            Self::Stages { radix, stages } => {
                vec![("radix", radix.to_string()), ("dimension", stages.to_string())]
            }
            Self::Clos(clos) => vec![("shape", clos.to_string())],
        }
    }

    /// Size in words: `dimension 4`, `shape 4x4`.
    pub fn words(self) -> String {
        match self {
            Self::Dim(k) => format!("dimension {k}"),
            Self::Shape(shape) => format!("shape {shape}"),
            Self::Nodes(n) => format!("size {n}"),
            Self::Words { arity, length } => format!("arity {arity}, dimension {length}"),
            Self::Tree { arity, levels } => format!("arity {arity}, {levels} levels"),
            Self::Stages { radix: 2, stages } => format!("dimension {stages}"),
            Self::Stages { radix, stages } => format!("dimension {stages}, radix {radix}"),
            Self::Clos(clos) => format!("shape {clos}"),
        }
    }
}

/// Canonical form of the size: the words of a command that makes a fabric.
impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dim(k) => write!(f, "--dim {k}"),
            Self::Shape(shape) => write!(f, "--shape {shape}"),
            Self::Nodes(n) => write!(f, "--nodes {n}"),
            Self::Words { arity, length } => write!(f, "--arity {arity} --dim {length}"),
            Self::Tree { arity, levels } => write!(f, "--arity {arity} --levels {levels}"),
            Self::Stages { radix: 2, stages } => write!(f, "--dim {stages}"),
            Self::Stages { radix, stages } => write!(f, "--dim {stages} --radix {radix}"),
            Self::Clos(clos) => write!(f, "--shape {clos}"),
        }
    }
}

/// The sizes that a topology takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sizes {
    /// `--dim`.
    Dim {
        /// The least dimension.
        least: u32,
        /// The largest dimension for analysis and simulation.
        most: u32,
        /// The largest dimension for RTL.
        rtl: u32,
    },
    /// `--shape`.
    Shape {
        /// The most nodes, for the figures of an analysis and for a route at a time.
        nodes: u32,
        /// The most nodes for all else.
        routed: u32,
    },
    /// `--nodes`.
    Nodes {
        /// The fewest.
        least: u32,
        /// The most.
        most: u32,
    },
    /// `--arity` and `--dim`.
    Words {
        /// The least and the largest arity.
        arity: (u32, u32),
        /// The fewest and the most letters.
        length: (u32, u32),
        /// The most nodes.
        nodes: u32,
    },
    /// `--arity` and `--levels`.
    Tree {
        /// The least and the largest arity.
        arity: (u32, u32),
        /// The fewest and the most levels.
        levels: (u32, u32),
        /// The most terminals.
        terminals: u32,
    },
    /// `--dim`, and `--radix` where there is more than one.
    Stages {
        /// The least and the largest radix.
        radix: (u32, u32),
        /// The fewest and the most digits of a row.
        stages: (u32, u32),
        /// The most terminals, for a route at a time.
        terminals: u32,
        /// The most terminals of which all routes are walked.
        analysed: u32,
    },
    /// `--shape M,N,R`.
    Clos,
}

impl Sizes {
    /// The keys of the lines that say a size of this sort ([`Size::keys`]).
    pub fn keys(self) -> &'static [&'static str] {
        match self {
            Self::Dim { .. } => &["dimension"],
            Self::Shape { .. } => &["shape"],
            Self::Nodes { .. } => &["nodes"],
            Self::Words { .. } => &["arity", "dimension"],
            Self::Tree { .. } => &["arity", "levels"],
            Self::Stages { .. } => &["radix", "dimension"],
            Self::Clos => &["shape"],
        }
    }

    /// The size that the values of [`Sizes::keys`] say, in range or not.
    ///
    /// # Errors
    /// The place of the value that is no number, or no shape.
    pub fn of_keys(self, values: &[&str]) -> Result<Size, usize> {
        let number = |at: usize| digits(values[at]).ok_or(at);
        Ok(match self {
            Self::Dim { .. } => Size::Dim(number(0)?),
            Self::Shape { .. } => Size::Shape(values[0].parse().map_err(|_| 0usize)?),
            Self::Nodes { .. } => Size::Nodes(number(0)?),
            Self::Words { .. } => Size::Words { arity: number(0)?, length: number(1)? },
            Self::Tree { .. } => Size::Tree { arity: number(0)?, levels: number(1)? },
            Self::Stages { .. } => Size::Stages { radix: number(0)?, stages: number(1)? },
            Self::Clos => Size::Clos(values[0].parse().map_err(|_| 0usize)?),
        })
    }

    /// Whether a size is of this sort, in range or not.
    pub fn takes(self, size: Size) -> bool {
        matches!(
            (self, size),
            (Self::Dim { .. }, Size::Dim(_))
                | (Self::Shape { .. }, Size::Shape(_))
                | (Self::Nodes { .. }, Size::Nodes(_))
                | (Self::Words { .. }, Size::Words { .. })
                | (Self::Tree { .. }, Size::Tree { .. })
                | (Self::Stages { .. }, Size::Stages { .. })
                | (Self::Clos, Size::Clos(_))
        )
    }

    /// The largest sizes that are routed, or some that are nearly as large where they go by several
    /// numbers.
    pub fn large(self) -> Vec<Size> {
        match self {
            Self::Dim { most, .. } => vec![Size::Dim(most)],
            Self::Shape { routed, .. } => ["64x64", "16x16x16", "4x4x4x4x4x4"]
                .map(|text| text.parse::<Shape>().expect("a shape"))
                .into_iter()
                .inspect(|shape| assert_eq!(shape.nodes(), routed.into()))
                .map(Size::Shape)
                .collect(),
            Self::Nodes { most, .. } => vec![Size::Nodes(most)],
            Self::Words { nodes, .. } => [(2, 9), (4, 4), (8, 3)]
                .map(|(arity, length): (u32, u32)| {
                    assert!(arity.pow(length) <= nodes);
                    Size::Words { arity, length }
                })
                .to_vec(),
            Self::Tree { terminals, .. } => [(2, 12), (4, 6), (16, 3)]
                .map(|(arity, levels): (u32, u32)| {
                    assert_eq!(arity.pow(levels), terminals);
                    Size::Tree { arity, levels }
                })
                .to_vec(),
            Self::Stages { radix, analysed, .. } => [(2, 12), (4, 6), (16, 3)]
                .into_iter()
                .filter(|&(r, _)| (radix.0..=radix.1).contains(&r))
                .map(|(radix, length): (u32, u32)| {
                    assert_eq!(radix.pow(length), analysed);
                    Size::Stages { radix, stages: length }
                })
                .collect(),
            Self::Clos => ["63,32,32", "1,32,32"].map(clos).to_vec(),
        }
    }

    /// A few small sizes of this sort, ascending: what the tests of every crate go over.
    pub fn small(self) -> Vec<Size> {
        let shape = |text: &str| Size::Shape(text.parse().expect("a shape"));
        match self {
            Self::Dim { least, most, .. } => (least..=most.min(least + 3)).map(Size::Dim).collect(),
            Self::Shape { .. } => ["2", "3", "2x3", "4x3", "2x3x2"].map(shape).to_vec(),
            Self::Nodes { least, most } => (least..=most.min(least + 3)).map(Size::Nodes).collect(),
            Self::Words { .. } => [(2, 1), (2, 2), (3, 2), (2, 3)]
                .map(|(arity, length)| Size::Words { arity, length })
                .to_vec(),
            Self::Tree { .. } => [(2, 2), (2, 3), (3, 2)]
                .map(|(arity, levels)| Size::Tree { arity, levels })
                .to_vec(),
            Self::Stages { radix, .. } => [(2, 1), (2, 2), (3, 2), (2, 3)]
                .into_iter()
                .filter(|&(r, _)| (radix.0..=radix.1).contains(&r))
                .map(|(radix, stages)| Size::Stages { radix, stages })
                .collect(),
            Self::Clos => ["2,2,2", "3,2,3", "2,3,2", "1,1,2"].map(clos).to_vec(),
        }
    }
}

/// The size of a Clos network of this text.
fn clos(text: &str) -> Size {
    Size::Clos(text.parse().expect("a size"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn sizes_are_read_back_from_their_lines() {
        for kind in crate::topology::TOPOLOGIES {
            for size in kind.sizes.small() {
                let lines = size.keys();
                let (keys, values): (Vec<_>, Vec<_>) =
                    lines.iter().map(|(key, value)| (*key, value.as_str())).unzip();
                assert_eq!(keys, kind.sizes.keys());
                assert_eq!(kind.sizes.of_keys(&values), Ok(size));
                let last = values.len() - 1;
                let mut wrong = values.clone();
                wrong[last] = "+2";
                assert_eq!(kind.sizes.of_keys(&wrong), Err(last));
            }
        }
    }
}

//! The size of a network, by the options that its topology takes.

use super::{TopologyFileOptions, values};
use crate::words;
use anyhow::bail;
use clap::Args;
use std::fmt;
use std::str::FromStr;
use turnpike_network::topology::{self, Clos, Shape, Size, Sizes};

/// The options of which each topology takes its own.
#[derive(Args, Clone, Debug, Default)]
pub struct NetworkSize {
    /// The dimension (cubes and networks made of cubes), the letters of a word (de-bruijn, kautz) or
    /// the digits of a row (butterfly, benes, double-butterfly)
    #[arg(long, value_name = "K", allow_hyphen_values = true, value_parser = values::whole)]
    pub dim: Option<u32>,
    /// The sides, X first, such as 4x4 (mesh, torus); or middle switches, terminals of a first
    /// switch and first switches, such as 3,2,4 (clos)
    #[arg(long, value_name = "SIDES|M,N,R", allow_hyphen_values = true)]
    pub shape: Option<ShapeOption>,
    /// The number of nodes (rings, full, star)
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = values::whole)]
    pub nodes: Option<u32>,
    /// Channels down from a switch (trees), or letters of the alphabet (de-bruijn, kautz)
    #[arg(long, value_name = "K", allow_hyphen_values = true, value_parser = values::whole)]
    pub arity: Option<u32>,
    /// Levels of switches (trees)
    #[arg(long, value_name = "L", allow_hyphen_values = true, value_parser = values::whole)]
    pub levels: Option<u32>,
    /// Inputs and outputs of a switch (butterfly; default: 2)
    #[arg(long, value_name = "R", allow_hyphen_values = true, value_parser = values::whole)]
    pub radix: Option<u32>,
    /// Terminals at each switch that has one: 1, 2, 4, 8 or 16 (default: 1)
    #[arg(long, value_name = "C", allow_hyphen_values = true, value_parser = values::whole)]
    pub concentration: Option<u32>,
    /// Format of the topology's file, where it is one.
    #[command(flatten)]
    pub file: TopologyFileOptions,
}

/// The value of `--shape`.
#[derive(Clone, Copy, Debug)]
pub enum ShapeOption {
    /// Sides, with an x between.
    Sides(Shape),
    /// Numbers with a comma between: M,N,R of a Clos network, or sides, as a list of a
    /// configuration has them. One of them at least.
    List {
        /// Numbers as sides, where they are such.
        sides: Option<Shape>,
        /// Numbers as M,N,R, where they are such.
        clos: Option<Clos>,
    },
}

impl FromStr for ShapeOption {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        if !text.contains(',') {
            return Ok(Self::Sides(text.parse()?));
        }
        let sides: Option<Shape> = text.replace(',', "x").parse().ok();
        let clos = text.parse::<Clos>();
        match (sides, clos) {
            (None, Err(error)) => Err(error.into()),
            (sides, clos) => Ok(Self::List { sides, clos: clos.ok() }),
        }
    }
}

impl ShapeOption {
    /// The sides, where it says any.
    pub fn sides(self) -> Option<Shape> {
        match self {
            Self::Sides(sides) => Some(sides),
            Self::List { sides, .. } => sides,
        }
    }

    /// M,N,R of a Clos network, where it says them.
    pub fn clos(self) -> Option<Clos> {
        match self {
            Self::Sides(_) => None,
            Self::List { clos, .. } => clos,
        }
    }
}

/// Words on the command line.
impl fmt::Display for ShapeOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.clos(), self.sides()) {
            (Some(clos), _) => clos.fmt(f),
            (None, Some(sides)) => sides.fmt(f),
            (None, None) => Ok(()),
        }
    }
}

impl NetworkSize {
    /// The options that were given of those that a topology takes and others do not.
    pub fn given(&self) -> impl Iterator<Item = &'static str> {
        let Self { dim, shape, nodes, arity, levels, radix, concentration: _, file: _ } = self;
        let all = [
            ("--dim", dim.is_some()),
            ("--shape", shape.is_some()),
            ("--nodes", nodes.is_some()),
            ("--arity", arity.is_some()),
            ("--levels", levels.is_some()),
            ("--radix", radix.is_some()),
        ];
        all.into_iter().filter(|(_, given)| *given).map(|(option, _)| option)
    }

    /// The size, of the topology of this name.
    ///
    /// # Errors
    /// An unknown topology; an option that it takes and was not given, or one that it does not.
    pub fn size(&self, topology: &str) -> anyhow::Result<Size> {
        let kind = topology::find(topology)?;
        let (name, options) = (kind.name, words::size::options(kind.sizes));
        let Self { dim, shape, nodes, arity, levels, radix, concentration: _, file } = self;
        let takes = |option: &str| options.split([' ', '[']).any(|word| word == option);
        if let Some(option) = self.given().find(|option| !takes(option)) {
            bail!("{name} takes {options}; leave {option} out");
        }
        file.refuse(name)?;
        let size = match kind.sizes {
            Sizes::Dim { .. } => dim.map(Size::Dim),
            Sizes::Shape { .. } => shape.and_then(ShapeOption::sides).map(Size::Shape),
            Sizes::Clos => match shape {
                // Three numbers in a row that are no Clos network: which of them is wrong.
                Some(ShapeOption::List { sides: Some(list), clos: None }) => {
                    Some(Size::Clos(list.to_string().replace('x', ",").parse()?))
                }
                shape => shape.and_then(ShapeOption::clos).map(Size::Clos),
            },
            Sizes::Stages { .. } => {
                dim.map(|stages| Size::Stages { radix: radix.unwrap_or(2), stages })
            }
            Sizes::Nodes { .. } => nodes.map(Size::Nodes),
            Sizes::Words { .. } => {
                arity.zip(*dim).map(|(arity, length)| Size::Words { arity, length })
            }
            Sizes::Tree { .. } => {
                arity.zip(*levels).map(|(arity, levels)| Size::Tree { arity, levels })
            }
        };
        match size {
            Some(size) => Ok(size),
            None => match shape {
                Some(shape) => bail!("{name} takes {options}, not --shape {shape}"),
                None => bail!("the size is missing: {name} takes {options}"),
            },
        }
    }
}

//! The size of a network, by the options that its topology takes.

use super::values;
use crate::words;
use anyhow::bail;
use clap::Args;
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
}

/// The value of `--shape`.
#[derive(Clone, Copy, Debug)]
pub enum ShapeOption {
    /// Sides, with an x between.
    Sides(Shape),
    /// M,N,R of a Clos network.
    Clos(Clos),
}

impl FromStr for ShapeOption {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        Ok(match text.contains(',') {
            true => Self::Clos(text.parse()?),
            false => Self::Sides(text.parse()?),
        })
    }
}

impl NetworkSize {
    /// The options that were given of those that a topology takes and others do not.
    pub fn given(&self) -> impl Iterator<Item = &'static str> {
        let Self { dim, shape, nodes, arity, levels, radix, concentration: _ } = self;
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
        let Self { dim, shape, nodes, arity, levels, radix, concentration: _ } = self;
        let takes = |option: &str| options.split([' ', '[']).any(|word| word == option);
        if let Some(option) = self.given().find(|option| !takes(option)) {
            bail!("{name} takes {options}; leave {option} out");
        }
        let size = match kind.sizes {
            Sizes::Dim { .. } => dim.map(Size::Dim),
            Sizes::Shape { .. } => match shape {
                Some(ShapeOption::Clos(clos)) => {
                    bail!("{name} takes {options}, not --shape {clos}")
                }
                Some(ShapeOption::Sides(shape)) => Some(Size::Shape(*shape)),
                None => None,
            },
            Sizes::Clos => match shape {
                Some(ShapeOption::Sides(shape)) => {
                    bail!("{name} takes {options}, not --shape {shape}")
                }
                Some(ShapeOption::Clos(clos)) => Some(Size::Clos(*clos)),
                None => None,
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
            None => bail!("the size is missing: {name} takes {options}"),
        }
    }
}

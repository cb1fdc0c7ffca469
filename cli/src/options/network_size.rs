//! The size of a network, by the options that its topology takes.

use super::values;
use crate::words;
use anyhow::bail;
use clap::Args;
use turnpike_network::topology::{self, Shape, Size, Sizes};

/// The options of which each topology takes its own.
#[derive(Args, Clone, Debug, Default)]
pub struct NetworkSize {
    /// The dimension (cubes and networks made of cubes), or the letters of a word (de-bruijn, kautz)
    #[arg(long, value_name = "K", allow_hyphen_values = true, value_parser = values::whole)]
    pub dim: Option<u32>,
    /// The sides, X first, such as 4x4 (mesh, torus)
    #[arg(long, value_name = "SIDES", allow_hyphen_values = true)]
    pub shape: Option<Shape>,
    /// The number of nodes (rings, full, star)
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = values::whole)]
    pub nodes: Option<u32>,
    /// Channels down from a switch (trees), or letters of the alphabet (de-bruijn, kautz)
    #[arg(long, value_name = "K", allow_hyphen_values = true, value_parser = values::whole)]
    pub arity: Option<u32>,
    /// Levels of switches (trees)
    #[arg(long, value_name = "L", allow_hyphen_values = true, value_parser = values::whole)]
    pub levels: Option<u32>,
    /// Terminals at each switch that has one: 1, 2, 4, 8 or 16 (default: 1)
    #[arg(long, value_name = "C", allow_hyphen_values = true, value_parser = values::whole)]
    pub concentration: Option<u32>,
}

impl NetworkSize {
    /// The options that were given of those that a topology takes and others do not.
    pub fn given(&self) -> impl Iterator<Item = &'static str> {
        let Self { dim, shape, nodes, arity, levels, concentration: _ } = self;
        let all = [
            ("--dim", dim.is_some()),
            ("--shape", shape.is_some()),
            ("--nodes", nodes.is_some()),
            ("--arity", arity.is_some()),
            ("--levels", levels.is_some()),
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
        let Self { dim, shape, nodes, arity, levels, concentration: _ } = self;
        let takes = |option: &str| options.split(' ').any(|word| word == option);
        if let Some(option) = self.given().find(|option| !takes(option)) {
            bail!("{name} takes {options}; leave {option} out");
        }
        let size = match kind.sizes {
            Sizes::Dim { .. } => dim.map(Size::Dim),
            Sizes::Shape { .. } => shape.map(Size::Shape),
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

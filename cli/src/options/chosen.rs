//! The topology of a command line: one that Turnpike has, or a file.

use super::NetworkSize;
use crate::{busses, input};
use anyhow::bail;
use std::fmt;
use std::path::{Path, is_separator};
use std::sync::Arc;
use turnpike_analysis::network::{Wanted, Which};
use turnpike_network::description::{self, Description, Format};
use turnpike_network::topology::{self, Size};

/// A topology that was chosen.
#[derive(Debug)]
pub struct Chosen {
    /// Which.
    pub topology: ChosenTopology,
    /// Terminals at each switch that has one.
    concentration: u32,
}

/// One that Turnpike has, or one from a file.
#[derive(Debug)]
pub enum ChosenTopology {
    /// One that Turnpike has.
    Named(&'static str, Size),
    /// One from a file.
    File(String, Arc<Description>),
}

impl Chosen {
    /// What this argument and these options choose.
    ///
    /// # Errors
    /// As [`NetworkSize::size`]; a file that cannot be read, or that describes no network.
    pub fn new(argument: &str, size: &NetworkSize) -> anyhow::Result<Self> {
        busses::refuse_name(argument)?;
        let concentration = size.concentration.unwrap_or(1);
        Ok(Self { topology: ChosenTopology::new(argument, size)?, concentration })
    }

    /// For the library.
    pub fn wanted(&self) -> Wanted<'_> {
        Wanted { concentration: self.concentration, ..Wanted::of(self.topology.which()) }
    }
}

impl ChosenTopology {
    fn new(argument: &str, size: &NetworkSize) -> anyhow::Result<Self> {
        let Some(path) = path(argument) else {
            let named = topology::find(argument)?;
            return Ok(Self::Named(named.name, size.size(argument)?));
        };
        if let Some(option) = size.given().next() {
            bail!("{argument} is a file, which says the size; leave {option} out");
        }
        Ok(Self::File(argument.to_owned(), Arc::new(read(path)?)))
    }

    fn which(&self) -> Which<'_> {
        match self {
            Self::Named(name, size) => Which::Named(name, *size),
            Self::File(_, description) => Which::Described(description),
        }
    }
}

/// As on the command line.
impl fmt::Display for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.topology {
            ChosenTopology::Named(name, size) => write!(f, "{name} {size}")?,
            ChosenTopology::File(file, _) => f.write_str(file)?,
        }
        match self.concentration {
            1 => Ok(()),
            several => write!(f, " --concentration {several}"),
        }
    }
}

/// The file that a topology's argument names: one with a path separator, or a known ending.
fn path(argument: &str) -> Option<&Path> {
    let is_file = argument.contains(is_separator) || Format::of_file(argument).is_some();
    is_file.then_some(Path::new(argument))
}

fn read(path: &Path) -> anyhow::Result<Description> {
    let bytes = input::bytes(path, "topology", input::MOST_TOPOLOGY)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    description::read(&name, &bytes).map_err(|error| input::fault(path, error.line, error.fault))
}

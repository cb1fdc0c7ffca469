//! The topology of a command line: one that Turnpike has, or a file.

use super::NetworkSize;
use super::file::{self, TopologyFile};
use crate::{busses, words};
use anyhow::{anyhow, bail};
use std::fmt;
use std::path::Path;
use turnpike_analysis::network::{NetworkError, Wanted, Which};
use turnpike_network::routing::RoutingError;
use turnpike_network::topology::{self, Size};

/// A topology that was chosen.
#[derive(Debug)]
pub struct Chosen {
    /// Topology without concentration.
    pub topology: ChosenTopology,
    /// Terminals at each switch that has one.
    concentration: u32,
}

/// Topology of Turnpike's own, or one from a file.
#[derive(Debug)]
pub enum ChosenTopology {
    /// A topology that Turnpike has.
    Named(&'static str, Size),
    File(TopologyFile),
}

impl Chosen {
    /// Topology that this argument and these options choose.
    ///
    /// # Errors
    /// As [`NetworkSize::size`]; a file that cannot be read, or that describes no network.
    pub fn new(argument: &str, size: &NetworkSize) -> anyhow::Result<Self> {
        busses::refuse_name(argument)?;
        let concentration = size.concentration.unwrap_or(1);
        Ok(Self { topology: ChosenTopology::new(argument, size)?, concentration })
    }

    /// Request to the library.
    pub fn wanted(&self) -> Wanted<'_> {
        Wanted { concentration: self.concentration, ..Wanted::of(self.topology.which()) }
    }

    /// Error of its network, with what the file may have meant where a path is missing.
    pub fn explained(&self, error: NetworkError) -> anyhow::Error {
        let is_apart = match &error {
            NetworkError::Routing(RoutingError::Disconnected { without, .. }) => without.is_empty(),
            _ => false,
        };
        match &self.topology {
            ChosenTopology::File(file) if is_apart => match file.remedy() {
                Some(remedy) => anyhow!("{}; {remedy}", words::of(&error)),
                None => error.into(),
            },
            _ => error.into(),
        }
    }
}

impl ChosenTopology {
    fn new(argument: &str, size: &NetworkSize) -> anyhow::Result<Self> {
        if size.file.path(argument).is_none() {
            let named = topology::find(argument);
            if named.is_err() && Path::new(argument).is_file() {
                return Err(file::no_format(argument));
            }
            return Ok(Self::Named(named?.name, size.size(argument)?));
        }
        if let Some(parameter) = size.values.given().next() {
            bail!("{argument} is a file, which says the size; leave --{} out", parameter.option);
        }
        Ok(Self::File(size.file.read(argument)?))
    }

    fn which(&self) -> Which<'_> {
        match self {
            Self::Named(name, size) => Which::Named(name, *size),
            Self::File(file) => Which::Described(&file.description),
        }
    }
}

/// Words on the command line.
impl fmt::Display for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.topology {
            ChosenTopology::Named(name, size) => write!(f, "{name} {size}")?,
            ChosenTopology::File(file) => write!(f, "{file}")?,
        }
        match self.concentration {
            1 => Ok(()),
            several => write!(f, " --concentration {several}"),
        }
    }
}

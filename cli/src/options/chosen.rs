//! The topology of a command line: one that Turnpike has, or a file.

use super::NetworkSize;
use super::file::{self, TopologyFile};
use crate::{busses, input, places_file, words};
use anyhow::{anyhow, bail};
use std::fmt;
use std::path::{Path, PathBuf};
use turnpike_analysis::network::{NetworkError, Wanted, Which};
use turnpike_network::places::{PlaceList, PlacesError};
use turnpike_network::routing::RoutingError;
use turnpike_network::topology::{self, Size, Topology};

/// A topology that was chosen.
#[derive(Debug)]
pub struct Chosen {
    /// Topology without concentration.
    pub topology: ChosenTopology,
    /// Terminals at each switch that has one.
    concentration: u32,
    /// Terminals by names of the user's own, and their file.
    places: Option<(PathBuf, PlaceList)>,
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
        let chosen = Self::of(ChosenTopology::new(argument, size)?);
        Ok(chosen.concentrated(size.concentration.unwrap_or(1)))
    }

    /// A topology with a terminal at each switch that has one.
    pub fn of(topology: ChosenTopology) -> Self {
        Self { topology, concentration: 1, places: None }
    }

    /// The topology with terminals by names of a file's, and of each switch as many as these need where
    /// `concentration` is not said.
    ///
    /// # Errors
    /// A file that cannot be read, or that says no terminals.
    pub fn with_places(
        mut self,
        path: Option<&Path>,
        concentration: Option<u32>,
    ) -> anyhow::Result<Self> {
        let Some(path) = path else { return Ok(self) };
        let list = places_file::read(path)?;
        if concentration.is_none() {
            self.concentration = list.concentration(&*self.topology.which().build()?);
        }
        self.places = Some((path.to_owned(), list));
        Ok(self)
    }

    /// The topology with so many terminals at each switch that has one.
    #[must_use]
    pub fn concentrated(self, concentration: u32) -> Self {
        Self { concentration, ..self }
    }

    /// Puts these terminals on the topology, which `path` says, or is to say.
    pub fn place(&mut self, path: &Path, list: PlaceList) {
        self.places = Some((path.to_owned(), list));
    }

    /// Terminals at each switch that has one.
    pub fn concentration(&self) -> u32 {
        self.concentration
    }

    /// The topology before nodes failed.
    ///
    /// # Errors
    /// A topology that cannot be built, terminals or flows that it does not have.
    pub fn intact(&self) -> anyhow::Result<Box<dyn Topology>> {
        self.wanted().intact().map_err(|error| self.explained(error))
    }

    /// Request to the library.
    pub fn wanted(&self) -> Wanted<'_> {
        Wanted {
            concentration: self.concentration,
            places: self.places.as_ref().map(|(_, list)| list),
            ..Wanted::of(self.topology.which())
        }
    }

    /// Error of its network, with what the file may have meant where a path is missing.
    pub fn explained(&self, error: NetworkError) -> anyhow::Error {
        let error = match (error, &self.places) {
            (NetworkError::Places(PlacesError { line, error }), Some((path, _))) => {
                return input::fault(path, line, error);
            }
            (error, _) => error,
        };
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

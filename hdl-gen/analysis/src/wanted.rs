//! What network is wanted.

use crate::error::NetworkError;
use turnpike_network::description::Description;
use turnpike_network::routing::{self, Relation, RoutingError, shortest, up_down};
use turnpike_network::topology::wired::Wired;
use turnpike_network::topology::{self, Size, Topology};

/// A topology that is wanted.
#[derive(Clone, Copy, Debug)]
pub enum Which<'a> {
    /// One that Turnpike has, of a size.
    Named(&'a str, Size),
    /// One of a user's own.
    Described(&'a Description),
}

impl<'a> Which<'a> {
    /// The description of one of a user's own.
    pub fn description(self) -> Option<&'a Description> {
        match self {
            Self::Named(..) => None,
            Self::Described(description) => Some(description),
        }
    }

    /// The topology.
    ///
    /// # Errors
    /// An unknown name, a size that it does not take, a description that makes no network.
    pub fn build(self) -> Result<Box<dyn Topology>, NetworkError> {
        match self {
            Self::Named(name, size) => Ok(topology::find(name)?.build(size)?),
            Self::Described(description) => Ok(Box::new(Wired::new(description)?)),
        }
    }

    /// The relation that it has where none is named: of one of a user's own [`up_down`] where
    /// all links go both ways, and [`shortest`] otherwise.
    ///
    /// # Errors
    /// Those of the relation.
    pub(crate) fn default_relation(
        self,
        topology: &dyn Topology,
        seed: Option<u64>,
    ) -> Result<Box<dyn Relation>, NetworkError> {
        let build = |name| routing::build_with(name, topology, seed);
        Ok(match self {
            Self::Named(name, _) => build(topology::find(name)?.default_routing)?,
            Self::Described(_) => match build(up_down::KIND.name) {
                Err(RoutingError::OneWay { .. }) => build(shortest::KIND.name)?,
                built => built?,
            },
        })
    }

    /// A relation that goes around failed nodes, for messages.
    pub(crate) fn oblivious(self) -> &'static str {
        match self {
            Self::Named(name, _) => topology::find(name).map_or("", |kind| kind.default_routing),
            Self::Described(_) => shortest::KIND.name,
        }
    }
}

/// A network that is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The topology.
    pub topology: Which<'a>,
    /// The relation; the topology's default where `None`.
    pub routing: Option<&'a str>,
    /// The seed of a relation that draws its routes.
    pub route_seed: Option<u64>,
    /// Most virtual channels; as many as a dateline takes against deadlock where `None`.
    pub vcs: Option<u8>,
    /// Labels of the nodes that failed: routes avoid them ([`routing::avoiding`]).
    pub failed: &'a [String],
}

impl<'a> Wanted<'a> {
    /// A topology, with its default relation.
    pub fn new(topology: &'a str, size: impl Into<Size>) -> Self {
        Self::of(Which::Named(topology, size.into()))
    }

    /// The same of a user's own.
    pub fn described(description: &'a Description) -> Self {
        Self::of(Which::Described(description))
    }

    /// A topology, with its default relation.
    pub fn of(topology: Which<'a>) -> Self {
        Self { topology, routing: None, route_seed: None, vcs: None, failed: &[] }
    }
}

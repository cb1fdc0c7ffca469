//! Request for a network.

mod by_class;
mod limits;

pub(crate) use limits::can_be_walked;

use crate::error::NetworkError;
use crate::network::Network;
use turnpike_network::description::Description;
use turnpike_network::flows::{FlowList, Flows};
use turnpike_network::places::PlaceList;
use turnpike_network::routing::avoiding::avoiding;
use turnpike_network::routing::concentrating::concentrated;
use turnpike_network::routing::given::{self, Given, On};
use turnpike_network::routing::several_vcs::VcAllocation;
use turnpike_network::routing::{
    self, Build, Intermediate, Relation, RoutingError, dimension_order, shortest, up_down,
};
use turnpike_network::topology::concentrated::Concentrated;
use turnpike_network::topology::failed::Failed;
use turnpike_network::topology::placed::Placed;
use turnpike_network::topology::wired::Wired;
use turnpike_network::topology::with_flows::WithFlows;
use turnpike_network::topology::{self, Size, Topology, TopologyError};

/// Grids of up to so many nodes are not routed row by row: the routes of every pair take no time.
const MOST_WHOLE: u32 = 1 << 8;

/// A topology that is wanted.
#[derive(Clone, Copy, Debug)]
pub enum Which<'a> {
    /// A topology that Turnpike has, by name and size.
    Named(&'a str, Size),
    /// A topology of a user's own.
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
    ) -> Result<Relation, NetworkError> {
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

/// A topology, and a relation on it.
type Routed = (Box<dyn Topology>, Relation);

/// A network that is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    pub topology: Which<'a>,
    /// Terminals at each switch that has one ([`topology::concentrated`]).
    pub concentration: u32,
    /// The relation; the topology's default where `None`.
    pub routing: Option<&'a str>,
    /// A relation that a user gives, of this topology, in place of `routing`.
    pub given: Option<&'a Given>,
    /// The relations of the phases of a relation that has two; its own choice where `None`.
    pub phases: Option<[&'a str; 2]>,
    /// The terminals that such a relation's packets go to first; any where `None`.
    pub intermediate: Option<&'a Intermediate>,
    /// The seed of a relation that draws its routes.
    pub route_seed: Option<u64>,
    /// Virtual channels, as far as they go into the resource classes of the relation
    /// ([`routing::several_vcs`]): no more are built. As many as it takes against deadlock where `None`.
    pub vcs: Option<u8>,
    /// Virtual channels of a class that packets take, where there are several.
    pub vc_allocation: VcAllocation,
    /// Terminals by names of a user's own; those of the topology where `None`. They send to each other where
    /// there are no flows.
    pub places: Option<&'a PlaceList>,
    /// Flows that the network is for; from all terminals to all where `None`.
    pub flows: Option<&'a FlowList>,
    /// Whether each message class of the flows has a network of its own beside the others.
    pub separate: bool,
    /// Labels of the nodes that failed: routes avoid them ([`routing::avoiding`]).
    pub failed: &'a [String],
    /// Whether large grids may be routed row by row ([`routing::rows`]), those of which not all routes
    /// can be walked among them: for analysis, or for a route at a time.
    pub by_rows: bool,
    /// Whether the network is to be run alone: then no proof is asked for, and a large one may be planned from
    /// its route logic ([`Network::is_unchecked`](super::network::Network::is_unchecked)).
    pub to_run: bool,
}

impl<'a> Wanted<'a> {
    /// A topology, with its default relation.
    pub fn new(topology: &'a str, size: impl Into<Size>) -> Self {
        Self::of(Which::Named(topology, size.into()))
    }

    /// Request for a topology of a user's own.
    pub fn described(description: &'a Description) -> Self {
        Self::of(Which::Described(description))
    }

    /// A topology, with its default relation.
    pub fn of(topology: Which<'a>) -> Self {
        let (routing, given, route_seed, vcs) = (None, None, None, None);
        let (phases, intermediate, places) = (None, None, None);
        let (concentration, flows, failed) = (1, None, &[][..]);
        let (separate, by_rows, to_run) = (false, false, false);
        Self {
            topology,
            concentration,
            routing,
            given,
            phases,
            intermediate,
            route_seed,
            vcs,
            vc_allocation: VcAllocation::default(),
            places,
            flows,
            separate,
            failed,
            by_rows,
            to_run,
        }
    }

    /// The network of a relation that a user gives.
    pub fn given(given: &'a Given) -> Self {
        let topology = match &given.on {
            On::Named(name, size) => Which::Named(name, *size),
            On::Described(description) => Which::Described(description),
        };
        Self { given: Some(given), ..Self::of(topology) }
    }

    /// The topology before nodes failed.
    ///
    /// # Errors
    /// As [`Which::build`]; a number of terminals that cannot be, flows that it does not have.
    pub fn intact(&self) -> Result<Box<dyn Topology>, NetworkError> {
        let whole = self.whole()?;
        let flows = self.flows_on(&*whole)?;
        Ok(for_flows(whole, flows))
    }

    /// The flows, on the topology for all pairs; `None` where it is for all of them.
    fn flows_on(&self, whole: &dyn Topology) -> Result<Option<Flows>, NetworkError> {
        let all = FlowList::all();
        let list = self.flows.or(self.places.map(|_| &all));
        let flows = list.map(|list| list.on(whole)).transpose()?;
        match self.separate {
            false => Ok(flows),
            true => match flows.filter(|flows| !flows.classes().is_empty()) {
                None => Err(NetworkError::NothingSeparate),
                Some(flows) => Ok(Some(flows.separated(whole)?)),
            },
        }
    }

    /// The topology for all pairs, before nodes failed.
    fn whole(&self) -> Result<Box<dyn Topology>, NetworkError> {
        let plain = self.topology.build()?;
        let whole: Box<dyn Topology> = match self.concentration {
            1 => plain,
            several => Box::new(Concentrated::new(plain, several)?),
        };
        let Some(list) = self.places else { return Ok(whole) };
        let places = list.on(&*whole)?;
        Ok(Box::new(Placed::new(whole, places)))
    }

    /// The nodes that failed.
    fn failed(&self) -> Result<&'a [String], NetworkError> {
        let Some(given) = self.given.filter(|given| !given.failed.is_empty()) else {
            return Ok(self.failed);
        };
        let topology = self.topology.build()?;
        for label in self.failed {
            topology.node(label)?;
            if !given.failed.contains(label) {
                let (name, other) = (given.name.clone(), label.clone());
                let own = given.failed.join(", ");
                return Err(NetworkError::GivenFailed { name, own, other });
            }
        }
        Ok(&given.failed)
    }

    /// The topology without the nodes that failed, and the relation on it as it is defined: without
    /// the virtual channels that a dateline adds, and without any check.
    ///
    /// # Errors
    /// As [`super::network::Network::wanted`], but for those of the analysis.
    pub fn build(&self) -> Result<Routed, NetworkError> {
        let failed = self.failed()?;
        match self.flows_on(&*self.whole()?)? {
            Some(flows) if !flows.classes().is_empty() => self.by_class(failed, flows),
            flows => self.routed(failed, flows),
        }
    }

    /// The topology without the nodes that failed, for these flows, which have no classes, and the
    /// relation on it.
    fn routed(&self, failed: &[String], flows: Option<Flows>) -> Result<Routed, NetworkError> {
        if self.concentration == 1 {
            return self.plain(failed, flows);
        }
        // Before the routes, which may take long.
        let places = flows.as_ref().map(|flows| flows.between_places(self.concentration));
        let topology = left(for_flows(self.whole()?, flows), failed)?;
        let (plain, relation) = self.plain(failed, places)?;
        Ok((topology, concentrated(relation, &*plain, self.concentration)?))
    }

    /// The relation of this name made of rows, where that is faster than the whole, or the whole is
    /// too large for it.
    fn routed_by_rows(
        &self,
        routing: &str,
        topology: &dyn Topology,
        whole: &Result<Relation, RoutingError>,
    ) -> Option<Relation> {
        let fits = match whole {
            Ok(_) => topology.nodes() > MOST_WHOLE,
            Err(error) => matches!(error, RoutingError::Nodes { .. }),
        };
        let plain = self.by_rows && self.concentration == 1 && self.failed.is_empty();
        let plain = plain && self.flows.is_none() && self.places.is_none();
        let is_it = plain && fits && routing == dimension_order::KIND.name;
        if is_it { dimension_order::by_rows(topology) } else { None }
    }

    /// Whether the relation of this name is one of two phases.
    fn is_in_phases(&self, routing: &str, topology: &dyn Topology) -> Result<bool, NetworkError> {
        let kind = routing::kind(routing, topology)?;
        let phases = matches!(kind.build, Build::Phases { .. });
        match (self.phases.is_some() || self.intermediate.is_some(), phases) {
            (true, false) => Err(NetworkError::NoPhases(routing.to_owned())),
            _ => Ok(phases),
        }
    }

    /// The relation of this name over those of its phases, each with as many virtual channels as it
    /// takes against deadlock.
    fn in_phases(&self, routing: &str, topology: &dyn Topology) -> Result<Relation, NetworkError> {
        // It draws for each packet, and has no use for a seed of routes.
        if let Some(seed) = self.route_seed {
            return Ok(routing::build_with(routing, topology, Some(seed))?);
        }
        let kind = routing::kind(routing, topology)?;
        let Build::Phases { default, of } = kind.build else {
            return Ok(routing::build(routing, topology)?);
        };
        // Nobody asked for the relation that is too small, where phases have that of the topology.
        let named = |error| match error {
            RoutingError::Nodes { most, nodes, .. } if self.phases.is_none() => {
                RoutingError::Nodes { name: kind.name, most, nodes }
            }
            other => other,
        };
        let names = self.phases.unwrap_or([default(topology); 2]);
        let phase = |name| -> Result<Relation, NetworkError> {
            let relation = routing::build(name, topology).map_err(named)?;
            if !relation.keeps_order() {
                return Ok(relation);
            }
            let topology = self.topology.build()?;
            let network = match self.to_run {
                true => Network::to_run(topology, relation, None)?,
                false => Network::of(topology, relation, None)?,
            };
            Ok(network.relation().clone())
        };
        let [first, second] = names;
        let first_phase = phase(first)?;
        let second_phase = if second == first { first_phase.clone() } else { phase(second)? };
        let intermediate = self.intermediate.unwrap_or(&Intermediate::All);
        Ok(of(topology, [first_phase, second_phase], intermediate)?)
    }

    /// The relation, on a topology of one terminal in each place that has not failed.
    fn relation(&self, intact: &dyn Topology) -> Result<Relation, NetworkError> {
        Ok(match (self.given, self.routing) {
            (Some(given), _) => given::relation(given, intact)?,
            (None, Some(routing)) if self.is_in_phases(routing, intact)? => {
                self.may_be_large(routing, intact)?;
                // The way to a terminal between is for no flow.
                self.in_phases(routing, &*self.topology.build()?)?
            }
            (None, Some(routing)) => {
                let built = routing::build_with(routing, intact, self.route_seed);
                let built = self.may_be_large(routing, intact).and(built);
                match self.routed_by_rows(routing, intact, &built) {
                    Some(relation) => relation,
                    None => built?,
                }
            }
            (None, None) => match self.topology {
                Which::Named(name, _) => {
                    let routing = Some(topology::find(name)?.default_routing);
                    return Wanted { routing, ..*self }.relation(intact);
                }
                _ => {
                    let relation = self.topology.default_relation(intact, self.route_seed)?;
                    if self.phases.is_some() || self.intermediate.is_some() {
                        return Err(NetworkError::NoPhases(relation.name().to_owned()));
                    }
                    relation
                }
            },
        })
    }

    /// The network with one terminal in each place, for flows between these.
    fn plain(&self, failed: &[String], flows: Option<Flows>) -> Result<Routed, NetworkError> {
        let places = if self.concentration == 1 { self.whole()? } else { self.topology.build()? };
        let intact = for_flows(places, flows);
        if let Some(given) = self.given.filter(|given| !given.failed.is_empty()) {
            let topology = Box::new(Failed::new(intact, &given.failed)?);
            let relation = given::relation(given, &*topology)?;
            return Ok((topology, relation));
        }
        let relation = self.relation(&*intact)?;
        match failed {
            [] => Ok((intact, relation)),
            _ if !relation.keeps_order() => {
                let (routing, instead) = (relation.name().to_owned(), self.topology.oblivious());
                Err(NetworkError::NotAround { routing, instead })
            }
            failed => {
                // A switch that is left alone may have several terminals.
                let left = match self.concentration {
                    1 => Failed::new(intact, failed)?,
                    _ => Failed::with_any_left(intact, failed)?,
                };
                let relation = avoiding(&left, &relation)?;
                Ok((Box::new(left), relation))
            }
        }
    }
}

/// A topology for the flows alone, where there are any.
fn for_flows(topology: Box<dyn Topology>, flows: Option<Flows>) -> Box<dyn Topology> {
    match flows {
        None => topology,
        Some(flows) => Box::new(WithFlows::new(topology, flows)),
    }
}

/// A topology without the nodes that failed.
fn left(intact: Box<dyn Topology>, failed: &[String]) -> Result<Box<dyn Topology>, TopologyError> {
    Ok(match failed {
        [] => intact,
        failed => Box::new(Failed::new(intact, failed)?),
    })
}

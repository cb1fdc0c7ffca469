//! Options of a network: its topology, relation, terminals, flows and failed nodes.

use super::values::{self, Phases};
use super::{Chosen, NetworkSize, VcAllocationName};
use crate::ends_file;
use crate::flows_file;
use crate::input;
use crate::progress::Progress;
use crate::relation_file;
use anyhow::bail;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use turnpike_analysis::network::{Network, NetworkError, Wanted};
use turnpike_ends::Ends;
use turnpike_network::flows::{FlowError, FlowsError};
use turnpike_network::routing::{Intermediate, Relation, RoutingError};
use turnpike_network::topology::failed::Failed;
use turnpike_network::topology::{Topology, TopologyError};

/// A topology with its terminals and their flows.
#[derive(Args, Clone, Debug)]
pub struct UnroutedOptions {
    /// The topology (see `turnpike list`), or a file that describes one: .topology, .anynet,
    /// .graphml, .dot or .gv (others with --as)
    #[arg(value_name = "TOPOLOGY|FILE")]
    pub topology: String,
    /// Size of the network.
    #[command(flatten)]
    pub size: NetworkSize,
    /// The terminals by names of your own, a CSV file with the columns name and at: the switch where it is,
    /// or the terminal of the network that it is. There are no others. Default: those of the topology
    #[arg(long, value_name = "FILE")]
    pub places: Option<PathBuf>,
    /// The flows that the network is for, a CSV file with the columns source and destination, and if
    /// wanted bandwidth (flits per cycle), packet (flits) and latency (cycles); names may be patterns
    /// such as cpu*. Nothing is built that they do not use. Default: from all to all
    #[arg(long, value_name = "FILE")]
    pub flows: Option<PathBuf>,
    /// The terminals that are memory-mapped, a CSV file with the columns name, protocol (axi4, axi4-lite, apb,
    /// wishbone or wishbone-pipelined), role (manager or subordinate), and if wanted data-width, id-width, outstanding, burst, range and reach. Flows follow:
    /// from each manager to each subordinate that it reaches, and back
    #[arg(long, value_name = "FILE")]
    pub ends: Option<PathBuf>,
    /// A failed node, by its label. Routes avoid it. May be given several times
    #[arg(long, value_name = "NODE")]
    pub failed: Vec<String>,
}

/// A topology with a routing relation.
#[derive(Args, Clone, Debug)]
pub struct NetworkOptions {
    /// The network without its relation.
    #[command(flatten)]
    pub unrouted: UnroutedOptions,
    /// The routing relation: a name (see `turnpike list`), or a file that gives one (a path, or
    /// a name that ends in .relation). Default: that of the topology
    #[arg(long, value_name = "NAME|FILE")]
    pub routing: Option<String>,
    /// The relations of the two phases of a relation that has them (two-phase, romm), with a comma
    /// between them, or one for both. Default: that of the network
    #[arg(long, value_name = "FIRST,SECOND", value_parser = values::phases)]
    pub phases: Option<Phases>,
    /// The terminals that packets of two phases (two-phase) go to first: such as 0,3,8-11, or on
    /// hypercubes bits:4-7, those that differ from the source in these bits of the address alone.
    /// Default: all
    #[arg(long, value_name = "TERMINALS|bits:BITS")]
    pub intermediate: Option<Intermediate>,
    /// Seed of a relation that draws its routes (random-static). Default: 1
    #[arg(long, value_name = "SEED", allow_hyphen_values = true, value_parser = values::long)]
    pub route_seed: Option<u64>,
    /// Networks of message classes: one that they share, on virtual channels of their own, or a separate one
    /// for each, beside the others
    #[arg(long, value_enum, value_name = "NETWORKS", default_value = "shared")]
    pub classes: ClassNetworks,
    /// Virtual channels of each channel, as many for each class of them that is needed against deadlock or for a
    /// message class; packets take any of a class that is free. Default: one for each class
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = values::vcs)]
    pub vcs: Option<u8>,
    /// Virtual channels that packets take, where a class has several: any that is free at each hop, or the one of
    /// the same place as at the hop before, which takes smaller arbiters. Default: any
    #[arg(long, value_enum, value_name = "VCS")]
    pub vc_allocation: Option<VcAllocationName>,
}

/// Networks of message classes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum ClassNetworks {
    /// Network that all classes share.
    #[default]
    Shared,
    /// Network for each class.
    Separate,
}

impl UnroutedOptions {
    /// A topology without the nodes that failed.
    ///
    /// # Errors
    /// A node that the topology does not have.
    pub fn left(&self, intact: Box<dyn Topology>) -> Result<Box<dyn Topology>, TopologyError> {
        Ok(match &self.failed[..] {
            [] => intact,
            failed => Box::new(Failed::new(intact, failed)?),
        })
    }
}

/// Use that a network is to be put to, which says how much of it must be known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// To be built: all turns, and the certificate with its check.
    Build,
    /// To be looked at: a large one may be analysed [by its rows](Wanted::by_rows).
    Figures,
    /// To be run on the reference router: a large one may be planned [from its route logic](Wanted::to_run).
    Run,
}

impl NetworkOptions {
    /// Options of a network with its default relation.
    pub fn of(unrouted: UnroutedOptions) -> Self {
        Self {
            unrouted,
            routing: None,
            phases: None,
            intermediate: None,
            route_seed: None,
            classes: ClassNetworks::Shared,
            vcs: None,
            vc_allocation: None,
        }
    }

    /// The memory-mapped ends of its terminals, where they have some.
    ///
    /// # Errors
    /// A file that cannot be read, or a line of it that is no end.
    pub fn ends(&self) -> anyhow::Result<Option<Ends>> {
        self.unrouted.ends.as_deref().map(ends_file::read).transpose()
    }

    /// The topology, its file read.
    ///
    /// # Errors
    /// As [`NetworkSize::size`]; a file that cannot be read, or that describes no network.
    pub fn chosen(&self) -> anyhow::Result<Chosen> {
        let UnroutedOptions { topology, size, places, .. } = &self.unrouted;
        Chosen::new(topology, size)?.with_places(places.as_deref(), size.concentration)
    }

    /// Builds and analyses the network.
    ///
    /// # Errors
    /// Unknown names, a dimension out of range, a relation file that cannot be used.
    pub fn network(&self) -> anyhow::Result<Network> {
        let network = self.network_of(&self.chosen()?, Purpose::Build)?;
        self.look_at_vcs(&network)?;
        Ok(network)
    }

    /// Network on a topology that was chosen before: its file is read once.
    pub(super) fn network_of(&self, chosen: &Chosen, purpose: Purpose) -> anyhow::Result<Network> {
        let (by_rows, to_run) = (purpose == Purpose::Figures, purpose == Purpose::Run);
        self.wanted_of(chosen, |wanted| Network::wanted(&Wanted { by_rows, to_run, ..*wanted }))
    }

    /// Result of `then` on the network that these options want.
    ///
    /// # Errors
    /// As [`NetworkOptions::network`]; those of `then`.
    pub fn wanted_of<T>(
        &self,
        chosen: &Chosen,
        then: impl FnOnce(&Wanted) -> Result<T, NetworkError>,
    ) -> anyhow::Result<T> {
        let _progress = Progress::spinner(format!("routing {chosen}"));
        let ends = self.ends()?;
        let flows = match &ends {
            Some(ends) => Some(ends.flows()?),
            None => self.unrouted.flows.as_deref().map(flows_file::read).transpose()?,
        };
        let flows = flows.as_ref();
        let separate = self.classes == ClassNetworks::Separate;
        let of_end = |error: &FlowError| match (&ends, error) {
            (Some(ends), FlowError::Terminal { name, .. }) => ends.line_of(name),
            _ => None,
        };
        let flaw = |error: NetworkError| match (
            error,
            self.unrouted.ends.as_ref().or(self.unrouted.flows.as_ref()),
        ) {
            (NetworkError::Flows(FlowsError { line, error }), Some(path)) => {
                let line = of_end(&error).or(line);
                input::fault(path, line, error)
            }
            (error, _) => chosen.explained(error),
        };
        if let Some(path) = self.routing.as_deref().and_then(relation_file::path) {
            let given = relation_file::read_for(path, std::slice::from_ref(chosen))?;
            if self.phases.is_some() || self.intermediate.is_some() {
                return Err(NetworkError::NoPhases(given.name).into());
            }
            if self.route_seed.is_some() {
                let topology = chosen.wanted().topology.build()?;
                return Err(RoutingError::seed(&given.name, &*topology).into());
            }
            let (vcs, vc_allocation) = (self.vcs, self.vc_allocation());
            let failed = &self.unrouted.failed[..];
            let wanted = Wanted {
                given: Some(&given),
                vcs,
                vc_allocation,
                flows,
                separate,
                failed,
                ..chosen.wanted()
            };
            return then(&wanted).map_err(|error| match error {
                error @ NetworkError::Flows(_) => flaw(error),
                error => anyhow::Error::from(error).context(path.display().to_string()),
            });
        }
        let made = then(&Wanted {
            routing: self.routing.as_deref(),
            phases: self.phases.as_ref().map(Phases::names),
            intermediate: self.intermediate.as_ref(),
            route_seed: self.route_seed,
            vcs: self.vcs,
            vc_allocation: self.vc_allocation(),
            flows,
            separate,
            failed: &self.unrouted.failed,
            ..chosen.wanted()
        });
        made.map_err(flaw)
    }

    /// The topology and the relation as it is defined, which must have one route for each pair, or of one
    /// that draws for each packet one for each draw. `what` needs that, for messages.
    ///
    /// # Errors
    /// As [`NetworkOptions::network`]; a relation whose packets choose.
    pub fn route_for_each_draw(&self, what: &str) -> anyhow::Result<Routed> {
        self.oblivious(what, "one route per pair, or one per pair and draw")
    }

    /// A relation whose packets do not choose; one of these routes is what `what` needs.
    fn oblivious(&self, what: &str, routes: &str) -> anyhow::Result<Routed> {
        let (topology, relation) = self.wanted_of(&self.chosen()?, |wanted| wanted.build())?;
        check_no_choice(&relation, what, routes)?;
        Ok((topology, relation))
    }

    /// Network and relation with one route for each pair, whatever is drawn.
    ///
    /// # Errors
    /// As [`NetworkOptions::route_for_each_draw`]; a relation that draws for each packet.
    pub fn one_route_each(&self, what: &str) -> anyhow::Result<Routed> {
        let (topology, relation) = self.oblivious(what, ONE_ROUTE)?;
        check_one_route(&relation, what)?;
        Ok((topology, relation))
    }
}

const ONE_ROUTE: &str = "one route per pair";

fn check_no_choice(relation: &Relation, what: &str, routes: &str) -> anyhow::Result<()> {
    if relation.chooses_ports() {
        bail!(
            "packets choose their way under '{}'; {what} needs a relation with {routes}",
            relation.name()
        );
    }
    Ok(())
}

/// Refuses a relation that has more than one route for a pair, which `what` needs.
///
/// # Errors
/// A relation whose packets choose or draw their way.
pub fn check_one_route(relation: &Relation, what: &str) -> anyhow::Result<()> {
    check_no_choice(relation, what, ONE_ROUTE)?;
    if relation.is_randomised() {
        bail!(
            "each packet draws its way under '{}'; {what} needs a relation with {ONE_ROUTE}",
            relation.name()
        );
    }
    Ok(())
}

/// A topology, and a relation on it.
pub type Routed = (Box<dyn Topology>, Relation);

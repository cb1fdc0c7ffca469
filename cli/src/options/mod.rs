//! Options that several commands share.

pub mod acts;
mod chosen;
pub mod classes;
mod file;
pub mod groups;
pub mod loads;
mod network_size;
pub mod traffic;
pub mod values;

pub use chosen::{Chosen, ChosenTopology};
pub use file::TopologyFileOptions;
pub use loads::Points;
pub use network_size::{NetworkSize, ShapeOption, SizeValues, SizeValuesBesideDim};
pub use traffic::{AllocatorName, RunOptions, TrafficOptions};
pub use values::Phases;

use crate::flows_file;
use crate::input;
use crate::progress::Progress;
use crate::relation_file;
use crate::usage::note;
use anyhow::bail;
use clap::{ArgAction, Args, ValueEnum};
use std::path::PathBuf;
use std::sync::Arc;
use turnpike_analysis::network::{Network, NetworkError, Wanted};
use turnpike_fabric::plan::{
    FabricPlan, MuxStyle, Parameters, Pipeline, PortStyle, QueueStyle, ResetStyle, check_rtl,
};
use turnpike_network::flows::FlowsError;
use turnpike_network::routing::{
    DEFAULT_SEED, Intermediate, Relation, RoutingError, dimension_order,
};
use turnpike_network::topology::{Structure, Topology};

/// A topology with a routing relation.
#[derive(Args, Clone, Debug)]
pub struct NetworkOptions {
    /// The topology (see `turnpike list`), or a file that describes one: .topology, .anynet,
    /// .graphml, .dot or .gv (others with --as)
    #[arg(value_name = "TOPOLOGY|FILE")]
    pub topology: String,
    /// Size of the network.
    #[command(flatten)]
    pub size: NetworkSize,
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
    /// The terminals by names of your own, a CSV file with the columns name and at: the switch where it is,
    /// or the terminal of the network that it is. There are no others. Default: those of the topology
    #[arg(long, value_name = "FILE")]
    pub places: Option<PathBuf>,
    /// The flows that the network is for, a CSV file with the columns source and destination, and if
    /// wanted bandwidth (flits per cycle), packet (flits) and latency (cycles); names may be patterns
    /// such as cpu*. Nothing is built that they do not use. Default: from all to all
    #[arg(long, value_name = "FILE")]
    pub flows: Option<PathBuf>,
    /// Networks of message classes: one that they share, on virtual channels of their own, or a separate one
    /// for each, beside the others
    #[arg(long, value_enum, value_name = "NETWORKS", default_value = "shared")]
    pub classes: ClassNetworks,
    /// A failed node, by its label. Routes avoid it. May be given several times
    #[arg(long, value_name = "NODE")]
    pub failed: Vec<String>,
    /// The most virtual channels; fewer are built where fewer do. Default: as many as a dateline needs against deadlock
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = values::vcs)]
    pub vcs: Option<u8>,
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

impl NetworkOptions {
    /// The topology, its file read.
    ///
    /// # Errors
    /// As [`NetworkSize::size`]; a file that cannot be read, or that describes no network.
    pub fn chosen(&self) -> anyhow::Result<Chosen> {
        let chosen = Chosen::new(&self.topology, &self.size)?;
        chosen.with_places(self.places.as_deref(), self.size.concentration)
    }

    /// Builds and analyses the network.
    ///
    /// # Errors
    /// Unknown names, a dimension out of range, a relation file that cannot be used.
    pub fn network(&self) -> anyhow::Result<Network> {
        let network = self.network_of(&self.chosen()?, false)?;
        self.note_bound(&network);
        Ok(network)
    }

    /// Network on a topology that was chosen before: its file is read once. It may be one that is
    /// analysed [by its rows](Wanted::by_rows).
    fn network_of(&self, chosen: &Chosen, by_rows: bool) -> anyhow::Result<Network> {
        let wanted = |wanted: &Wanted| Network::wanted(&Wanted { by_rows, ..*wanted });
        self.wanted_of(chosen, wanted)
    }

    /// Says that there are fewer virtual channels than there might be: once nothing else is wrong.
    fn note_bound(&self, network: &Network) {
        let (name, needed) = (network.relation().name(), network.relation().vcs());
        if let Some(most) = self.vcs.filter(|&most| most > needed) {
            note(format_args!("--vcs {most} is a bound; routing '{name}' takes {needed} here"));
        }
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
        let flows = self.flows.as_deref().map(flows_file::read).transpose()?;
        let flows = flows.as_ref();
        let separate = self.classes == ClassNetworks::Separate;
        let flaw = |error: NetworkError| match (error, &self.flows) {
            (NetworkError::Flows(FlowsError { line, error }), Some(path)) => {
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
            let (vcs, failed) = (self.vcs, &self.failed[..]);
            let wanted =
                Wanted { given: Some(&given), vcs, flows, separate, failed, ..chosen.wanted() };
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
            flows,
            separate,
            failed: &self.failed,
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
        if relation.choices().is_some() {
            bail!(
                "packets choose their way under '{}'; {what} needs a relation with {routes}",
                relation.name()
            );
        }
        Ok((topology, relation))
    }

    /// Network and relation with one route for each pair, whatever is drawn.
    ///
    /// # Errors
    /// As [`NetworkOptions::route_for_each_draw`]; a relation that draws for each packet.
    pub fn one_route_each(&self, what: &str) -> anyhow::Result<Routed> {
        let (topology, relation) = self.oblivious(what, "one route per pair")?;
        if relation.is_randomised() {
            bail!(
                "each packet draws its way under '{}'; {what} needs a relation with one route per pair",
                relation.name()
            );
        }
        Ok((topology, relation))
    }
}

/// A topology, and a relation on it.
pub type Routed = (Box<dyn Topology>, Relation);

/// The size of flits and queues.
#[derive(Args, Clone, Copy, Debug)]
pub struct SizeOptions {
    /// Bits of tdata, 1 to 1024
    #[arg(long, value_name = "BITS", allow_hyphen_values = true, default_value = "32",
          value_parser = values::whole)]
    pub width: u32,
    /// Flits that a queue holds, 2 to 1024
    #[arg(long, value_name = "FLITS", allow_hyphen_values = true, default_value = "4",
          value_parser = values::whole)]
    pub depth: u32,
}

impl SizeOptions {
    /// Parameters of a plan, without optional fields.
    pub fn parameters(&self) -> Parameters {
        Parameters { width: self.width, depth: self.depth, ..Parameters::default() }
    }
}

/// Styles of the switches; routes and turns stay the same.
#[derive(Args, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BuildOptions {
    /// Registers in a switch: 0 none, 1 the grant, 2 the grant and the output; each adds a
    /// cycle per hop and raises the clock
    #[arg(long, value_name = "N", allow_hyphen_values = true, default_value = "0",
          value_parser = values::OneOf(Pipeline::ALL), hide_possible_values = true)]
    pub pipeline: Pipeline,
    /// Storage of the queues: ram (LUT-RAM or block RAM), registers (fewest LUTs on iCE40) or shift
    /// (fewest cells on iCE40)
    #[arg(long, value_name = "STYLE", default_value = "ram",
          value_parser = values::OneOf(QueueStyle::ALL), hide_possible_values = true)]
    pub queue: QueueStyle,
    /// Structure of the multiplexers: one-hot (any device) or lut4 (iCE40, ECP5)
    #[arg(long, value_name = "STYLE", default_value = "one-hot",
          value_parser = values::OneOf(MuxStyle::ALL), hide_possible_values = true)]
    pub mux: MuxStyle,
}

impl BuildOptions {
    /// `parameters`, built this way.
    pub fn apply(&self, parameters: Parameters) -> Parameters {
        let Self { pipeline, queue, mux } = *self;
        Parameters { pipeline, queue, mux, ..parameters }
    }
}

impl std::fmt::Display for BuildOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { pipeline, queue, mux } = self;
        write!(f, "pipeline {pipeline}, queue {queue}, mux {mux}")
    }
}

/// A fabric: a network and the parameters of its switches.
#[derive(Args, Clone, Debug)]
pub struct FabricOptions {
    /// The network.
    #[command(flatten)]
    pub network: NetworkOptions,
    /// Flits and queues.
    #[command(flatten)]
    pub size: SizeOptions,
    /// Carry the source's address to the sink (tid)
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = false,
          default_missing_value = "true", action = ArgAction::Set, value_name = "BOOL", hide_possible_values = true)]
    pub source_id: bool,
    /// Bits of tuser, 0 to 1024; 0 for none
    #[arg(long, value_name = "BITS", allow_hyphen_values = true, default_value = "0",
          value_parser = values::whole)]
    pub user_width: u32,
    /// Carry tkeep, a bit per byte of tdata
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = false,
          default_missing_value = "true", action = ArgAction::Set, value_name = "BOOL", hide_possible_values = true)]
    pub keep: bool,
    /// Styles of the switches.
    #[command(flatten)]
    pub build: BuildOptions,
    /// Ports of the top module: flat (a vector per signal, a slice per terminal) or named (a
    /// stream for each terminal, named after it)
    #[arg(long, value_name = "STYLE", default_value = "flat",
          value_parser = values::OneOf(PortStyle::ALL), hide_possible_values = true)]
    pub ports: PortStyle,
    /// Reset of the top module: high (rst) or low (aresetn)
    #[arg(long, value_name = "LEVEL", default_value = "high",
          value_parser = values::OneOf(ResetStyle::ALL), hide_possible_values = true)]
    pub reset: ResetStyle,
    /// Seed of what packets draw, of a relation that draws for each. Default: 1
    #[arg(long, value_name = "SEED", allow_hyphen_values = true, value_parser = values::long)]
    pub draw_seed: Option<u64>,
}

/// Routes at most of a network from all to all that is worked out beside one for flows: no more than some
/// seconds' work.
const MOST_BESIDE: u64 = 1 << 19;
/// Routes that count for a pair whose packets choose.
const CHOICES: u64 = 1 << 4;

impl FabricOptions {
    /// The parameters of the switches.
    pub fn parameters(&self) -> Parameters {
        self.build.apply(Parameters {
            source_id: self.source_id,
            user_width: self.user_width,
            keep: self.keep,
            ports: self.ports,
            reset: self.reset,
            draw_seed: self.draw_seed.unwrap_or(DEFAULT_SEED),
            ..self.size.parameters()
        })
    }

    /// Plans the fabric, under its default name where `name` is `None`.
    ///
    /// # Errors
    /// Unknown names, numbers out of range.
    pub fn plan(&self, name: Option<&str>) -> anyhow::Result<FabricPlan> {
        self.plan_if(name, |_| Ok(()))
    }

    /// Plan of the fabric, where `check` allows the topology.
    ///
    /// # Errors
    /// As [`FabricOptions::plan`]; what `check` says.
    pub fn plan_if(
        &self,
        name: Option<&str>,
        check: impl FnOnce(&dyn Topology) -> anyhow::Result<()>,
    ) -> anyhow::Result<FabricPlan> {
        self.planned(name, false, check)
    }

    /// Plan for figures alone, which may be of a grid too large to be built. of grids too large for
    /// anything else, too.
    ///
    /// # Errors
    /// As [`FabricOptions::plan_if`].
    pub fn figures_plan_if(
        &self,
        check: impl FnOnce(&dyn Topology) -> anyhow::Result<()>,
    ) -> anyhow::Result<FabricPlan> {
        self.planned(None, true, check)
    }

    /// The fabric of `plan`, which is for flows, from all to all; `None` where there are no flows, no such
    /// network, or so many routes that they cost more than the answer is worth.
    pub fn for_all_pairs(&self, plan: &FabricPlan) -> Option<FabricPlan> {
        self.network.flows.as_ref().or(self.network.places.as_ref())?;
        let mut all = self.clone();
        all.network.size.concentration = Some(self.network.chosen().ok()?.concentration());
        (all.network.flows, all.network.places) = (None, None);
        all.network.classes = ClassNetworks::Shared;
        let topology = all.network.chosen().ok()?.wanted().intact().ok()?;
        let relation = plan.relation();
        // Some of the routes tell of all: those of rows, or of nodes that stand for others.
        let by_rows = relation.name() == dimension_order::KIND.name
            && topology.concentration() == 1
            && matches!(topology.structure(), Structure::Grid(_));
        let few = plan.topology().failed_nodes().is_empty()
            && (by_rows || !topology.generators().is_empty());
        let pairs = topology.sources().count() as u64 * topology.sinks().count() as u64;
        let choices = if plan.chooses() { CHOICES } else { 1 };
        let routes = pairs * u64::from(relation.draw_count()) * choices;
        if !few && routes > MOST_BESIDE {
            let (terminals, name) = (topology.terminals(), relation.name());
            note(format_args!(
                "the network from all to all is not set beside that of the flows: under '{name}' \
                 {terminals} terminals have too many routes"
            ));
            return None;
        }
        all.planned(None, true, |_| Ok(())).ok()
    }

    fn planned(
        &self,
        name: Option<&str>,
        by_rows: bool,
        check: impl FnOnce(&dyn Topology) -> anyhow::Result<()>,
    ) -> anyhow::Result<FabricPlan> {
        // Before the network, which may take long.
        let chosen = self.network.chosen()?;
        self.parameters().check()?;
        check(&*chosen.intact()?)?;
        let network = self.network.network_of(&chosen, by_rows)?;
        if self.draw_seed.is_some() && !network.relation().is_randomised() {
            bail!("routing '{}' draws nothing; leave --draw-seed out", network.relation().name());
        }
        let plan = FabricPlan::new(Arc::new(network), self.parameters(), name)?;
        self.network.note_bound(plan.network());
        Ok(plan)
    }

    /// Plan of a fabric that is to become RTL.
    ///
    /// # Errors
    /// As [`FabricOptions::plan`]; a size beyond RTL.
    pub fn rtl_plan(&self, name: Option<&str>) -> anyhow::Result<FabricPlan> {
        self.rtl_plan_if(name, |_| Ok(()))
    }

    /// Plan of a fabric that is to become RTL, where `check` allows the topology.
    ///
    /// # Errors
    /// As [`FabricOptions::rtl_plan`]; what `check` says.
    pub fn rtl_plan_if(
        &self,
        name: Option<&str>,
        check: impl FnOnce(&dyn Topology) -> anyhow::Result<()>,
    ) -> anyhow::Result<FabricPlan> {
        self.plan_if(name, |topology| {
            check_rtl(topology, &self.parameters())?;
            check(topology)
        })
    }
}

//! Options that several commands share.

pub mod acts;
mod chosen;
pub mod classes;
mod file;
pub mod goal;
pub mod groups;
pub mod loads;
mod network;
mod network_size;
mod terminals;
pub mod traffic;
pub mod values;
mod virtual_channels;

pub use chosen::{Chosen, ChosenTopology};
pub use file::{TopologyFile, TopologyFileOptions};
pub use loads::Points;
pub use network::{
    ClassNetworks, NetworkOptions, Purpose, Routed, UnroutedOptions, check_one_route,
};
pub use network_size::{NetworkSize, ShapeOption, SizeValues, SizeValuesBesideDim};
pub use terminals::TerminalOptions;
pub use traffic::{AllocatorName, RunOptions, TrafficOptions};
pub use values::Phases;
pub use virtual_channels::VcAllocationName;

use crate::usage::{note, note_at_the_end};
use anyhow::bail;
use clap::{ArgAction, Args};
use goal::Goal;
use std::sync::Arc;
use turnpike_fabric::plan::{
    FabricPlan, MuxStyle, Parameters, Pipeline, PlanError, PortStyle, QueueStyle, ResetStyle,
    TerminalWishes, check_rtl,
};
use turnpike_network::routing::{DEFAULT_SEED, dimension_order};
use turnpike_network::topology::{Structure, Topology};

/// The size of flits and queues.
#[derive(Args, Clone, Copy, Debug)]
pub struct SizeOptions {
    /// Bits of tdata, 1 to 1024
    #[arg(long, value_name = "BITS", allow_hyphen_values = true, default_value = "32",
          value_parser = values::whole)]
    pub width: u32,
    /// Flits that a queue holds, 2 to 1024; 3 at least with --pipeline 2 and 2-ahead, 8 at most with --queue registers
    /// or shift
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
    /// cycle per hop and raises the clock. With 1-ahead and 2-ahead the flit that leaves next is in a
    /// register too, and packets follow one another without a gap. Default: 0
    #[arg(long, value_name = "N", allow_hyphen_values = true,
          value_parser = values::OneOf(Pipeline::ALL), hide_possible_values = true)]
    pub pipeline: Option<Pipeline>,
    /// Registers on each channel between switches, forward and back, 0 to 64: each adds a cycle per
    /// hop, and its queue holds two flits more. Default: 0
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = values::whole)]
    pub link_registers: Option<u32>,
    /// Storage of the queues: ram (LUT-RAM or block RAM), registers (fewest LUTs on iCE40) or shift
    /// (fewest cells on iCE40)
    #[arg(long, value_name = "STYLE", default_value = "ram",
          value_parser = values::OneOf(QueueStyle::ALL), hide_possible_values = true)]
    pub queue: QueueStyle,
    /// Structure of the multiplexers: one-hot (any device) or lut4 (iCE40, ECP5). Default: one-hot
    #[arg(long, value_name = "STYLE", value_parser = values::OneOf(MuxStyle::ALL),
          hide_possible_values = true)]
    pub mux: Option<MuxStyle>,
}

impl BuildOptions {
    /// `parameters`, built this way.
    pub fn apply(&self, parameters: Parameters) -> Parameters {
        let Self { pipeline, link_registers, queue, mux } = *self;
        Parameters {
            pipeline: pipeline.unwrap_or_default(),
            link_registers: link_registers.unwrap_or_default(),
            queue,
            mux: mux.unwrap_or_default(),
            ..parameters
        }
    }
}

impl std::fmt::Display for BuildOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let built = self.apply(Parameters::default());
        let Parameters { pipeline, link_registers, queue, mux, .. } = built;
        write!(f, "pipeline {pipeline}, ")?;
        if link_registers > 0 {
            write!(f, "link registers {link_registers}, ")?;
        }
        write!(f, "queue {queue}, mux {mux}")
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
    /// Terminals that are not as the network is.
    #[command(flatten)]
    pub terminals: TerminalOptions,
    /// Goal that --link-registers, --pipeline and --mux are set for, where they are not given: clock, area,
    /// latency or throughput, by the table in docs/hardware.md (iCE40, ECP5)
    #[arg(long = "for", value_name = "GOAL", value_enum, hide_possible_values = true)]
    pub goal: Option<Goal>,
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
        self.parameters_of(&self.build)
    }

    fn parameters_of(&self, build: &BuildOptions) -> Parameters {
        build.apply(Parameters {
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
        self.planned(name, Purpose::Build, check)
    }

    /// Plan of a fabric that is to be run on the reference router alone: a large one is planned without a
    /// walk of its routes, and without the check of its certificate.
    ///
    /// # Errors
    /// As [`FabricOptions::plan`].
    pub fn plan_to_run(&self) -> anyhow::Result<FabricPlan> {
        self.planned(None, Purpose::Run, |_| Ok(()))
    }

    /// Plan for figures alone, which may be of a grid too large to be built.
    ///
    /// # Errors
    /// As [`FabricOptions::plan_if`].
    pub fn figures_plan_if(
        &self,
        check: impl FnOnce(&dyn Topology) -> anyhow::Result<()>,
    ) -> anyhow::Result<FabricPlan> {
        self.planned(None, Purpose::Figures, check)
    }

    /// The fabric of `plan`, which is for flows, from all to all; `None` where there are no flows, no such
    /// network, or so many routes that they cost more than the answer is worth.
    pub fn for_all_pairs(&self, plan: &FabricPlan) -> Option<FabricPlan> {
        let UnroutedOptions { flows, ends, places, .. } = &self.network.unrouted;
        flows.as_ref().or(ends.as_ref()).or(places.as_ref())?;
        let mut all = self.clone();
        let unrouted = &mut all.network.unrouted;
        unrouted.size.concentration = Some(self.network.chosen().ok()?.concentration());
        (unrouted.flows, unrouted.places, unrouted.ends) = (None, None, None);
        all.network.classes = ClassNetworks::Shared;
        // As many in a class as the network for the flows has.
        let several = plan.relation().vc_allocation().is_some();
        all.network.vcs = all.network.vcs.and(several.then(|| plan.relation().vcs()));
        all.network.vc_allocation = all.network.vc_allocation.filter(|_| several);
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
        all.planned(None, Purpose::Figures, |_| Ok(())).ok()
    }

    fn planned(
        &self,
        name: Option<&str>,
        purpose: Purpose,
        check: impl FnOnce(&dyn Topology) -> anyhow::Result<()>,
    ) -> anyhow::Result<FabricPlan> {
        // Before the network, which may take long.
        let chosen = self.network.chosen()?;
        self.parameters().check()?;
        let intact = chosen.intact()?;
        let ends = self.network.ends()?.map(Arc::new);
        let wishes = TerminalWishes { ends, ..self.terminals.wishes() };
        // Shapers are of flows, which the network will have and its topology alone has not.
        let early = TerminalWishes { shaper: None, ..wishes.clone() };
        FabricPlan::check_wishes(&*intact, &self.parameters(), &early).map_err(PlanError::from)?;
        check(&*intact)?;
        let network = self.network.network_of(&chosen, purpose)?;
        if self.draw_seed.is_some() && !network.relation().is_randomised() {
            bail!("routing '{}' draws nothing; leave --draw-seed out", network.relation().name());
        }
        let mut parameters = self.parameters();
        if let Some(goal) = self.goal {
            let takes = |build: &BuildOptions| {
                FabricPlan::check(&network, &self.parameters_of(build)).is_ok()
            };
            let (build, said) = goal.beside(self.build, takes);
            parameters = self.parameters_of(&build);
            note_at_the_end(said);
        }
        let plan = FabricPlan::with_interfaces(Arc::new(network), parameters, &wishes, name)?;
        self.network.look_at_vcs(plan.network())?;
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

//! The fabric plan: the one description that everything downstream reads. RTL, emission and
//! the reference router all start here.

mod baseline;
pub mod expected;
mod injector;
mod style;
mod switch;

pub use baseline::full_crossbar_no_uturn;
pub use injector::InjectorPlan;
pub use style::{MuxStyle, Pipeline, QueueStyle, UnknownStyle};
pub use switch::{
    InputPlan, OutputPlan, OutputVcPlan, QueuePlan, SourcePlan, SwitchPlan, full_crossbar_switch,
};

use crate::network::Network;
use crate::routing::{Header, Hop, Output, Vc};
use crate::topology::{Node, Topology};
use crate::{names, topology};
use std::sync::Arc;

/// Vectors wider than this are beyond what IEEE 1364-2005 (section 4.3.1) asks of tools.
pub const MAX_VECTOR_BITS: u64 = 65_536;

/// What a user sets besides topology and routing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameters {
    /// `tdata` width in bits, 1 to 1024.
    pub width: u32,
    /// Flits that a queue holds, 2 to 1024.
    pub depth: u32,
    /// Whether `tid` carries the source's address to the sink.
    pub source_id: bool,
    /// `tuser` width in bits, 0 (no `tuser`) to 1024.
    pub user_width: u32,
    /// Whether there is a `tkeep` (a bit per byte of `tdata`).
    pub keep: bool,
    /// Registers on the way through a switch.
    pub pipeline: Pipeline,
    /// What the queues are made of.
    pub queue: QueueStyle,
    /// What the crossbar's multiplexers are made of.
    pub mux: MuxStyle,
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            width: 32,
            depth: 4,
            source_id: false,
            user_width: 0,
            keep: false,
            pipeline: Pipeline::default(),
            queue: QueueStyle::default(),
            mux: MuxStyle::default(),
        }
    }
}

/// Why there is no such plan.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum PlanError {
    /// A number outside its range.
    #[error("{option} {value} is out of range; use {low} to {high}")]
    Range {
        /// The option on the command line.
        option: &'static str,
        /// What was given.
        value: u32,
        /// The least value.
        low: u32,
        /// The largest value.
        high: u32,
    },
    /// A depth that the pipeline or the queues do not go with.
    #[error(
        "--depth {depth} is out of range with --pipeline {pipeline} --queue {queue}; \
             use {low} to {high}"
    )]
    Depth {
        /// The depth asked for.
        depth: u32,
        /// The pipeline asked for.
        pipeline: Pipeline,
        /// The queues asked for.
        queue: QueueStyle,
        /// The least depth with them.
        low: u32,
        /// The largest depth with them.
        high: u32,
    },
    /// An adaptive relation and a pipeline.
    #[error(
        "routing '{relation}' chooses among channels in the cycle in which they are free: \
             --pipeline {pipeline} does not go with it; use --pipeline 0"
    )]
    AdaptivePipeline {
        /// The relation.
        relation: &'static str,
        /// The pipeline asked for.
        pipeline: Pipeline,
    },
    /// `--keep` where `tdata` is not whole bytes.
    #[error("--keep needs whole bytes, but --width is {0}; use a multiple of 8")]
    Keep(u32),
    /// The fabric's name.
    #[error(transparent)]
    Name(#[from] names::NameError),
    /// Too large for RTL.
    #[error(
        "{topology}: RTL is limited to dimension {limit}, not {dimension} \
             (analysis and simulation go further)"
    )]
    RtlDimension {
        /// The topology.
        topology: &'static str,
        /// The dimension asked for.
        dimension: u32,
        /// The largest with RTL.
        limit: u32,
    },
    /// A terminal vector wider than tools must take.
    #[error(
        "{port} would be {bits} bits wide, more than the {MAX_VECTOR_BITS} that every \
             Verilog tool takes (IEEE 1364-2005, 4.3.1); use {remedy}"
    )]
    Vector {
        /// The flattened port.
        port: &'static str,
        /// Its width.
        bits: u64,
        /// What would fit.
        remedy: String,
    },
    /// An injector and the relation disagree: a bug in the relation's file.
    #[error(
        "internal error: routing '{relation}': the injector gives the packet from {from} to {to} \
             the header {hardware:#b}, the relation {wanted:#b}"
    )]
    Header {
        /// The relation.
        relation: &'static str,
        /// Source label.
        from: String,
        /// Destination label.
        to: String,
        /// What the hardware would do.
        hardware: Header,
        /// What the relation does.
        wanted: Header,
    },
    /// The formula and the relation disagree: a bug in the relation's file.
    #[error(
        "internal error: routing '{relation}': the route logic of {queue} for header \
             {header:#b} says {logic:?} with {carried:#b}, the relation says {hop:?}"
    )]
    Logic {
        /// The relation.
        relation: &'static str,
        /// The queue.
        queue: String,
        /// The header.
        header: Header,
        /// What the hardware would do.
        logic: (Output, Vc),
        /// What it would send on.
        carried: Header,
        /// What the relation does.
        hop: Hop,
    },
}

impl Parameters {
    /// Checks every range.
    ///
    /// # Errors
    /// [`PlanError`] names the option and the range.
    pub fn check(&self) -> Result<(), PlanError> {
        let range = |option, value, low, high| match (low..=high).contains(&value) {
            true => Ok(()),
            false => Err(PlanError::Range { option, value, low, high }),
        };
        range("--width", self.width, 1, 1024)?;
        range("--depth", self.depth, 2, 1024)?;
        let (low, high) = (self.pipeline.least_depth(), self.queue.most_depth());
        if !(low..=high).contains(&self.depth) {
            let (depth, pipeline, queue) = (self.depth, self.pipeline, self.queue);
            return Err(PlanError::Depth { depth, pipeline, queue, low, high });
        }
        range("--user-width", self.user_width, 0, 1024)?;
        if self.keep && !self.width.is_multiple_of(8) {
            return Err(PlanError::Keep(self.width));
        }
        Ok(())
    }

    /// Every way to build switches of this size, these parameters' own among them: same
    /// routes, another timing or make.
    pub fn builds(&self) -> Vec<Self> {
        let mut builds = Vec::new();
        for &pipeline in Pipeline::ALL {
            for &queue in QueueStyle::ALL {
                for &mux in MuxStyle::ALL {
                    builds.push(Self { pipeline, queue, mux, ..*self });
                }
            }
        }
        builds.retain(|parameters| parameters.check().is_ok());
        builds
    }

    /// Width of `tkeep`; 0 where there is none.
    pub fn keep_width(&self) -> u32 {
        if self.keep { self.width / 8 } else { 0 }
    }
}

/// A field of a flit, from bit 0 upward in the order of [`FabricPlan::flit_fields`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlitField {
    /// `data`, `keep`, `user`, `id` or `last`: the AXI4-Stream signal without its `t`.
    pub name: &'static str,
    /// Bits.
    pub width: u32,
}

/// The fabric plan.
#[derive(Clone, Debug)]
pub struct FabricPlan {
    /// Module name of the whole fabric; prefix of every other module and file.
    pub name: String,
    /// Topology, relation, turns, certificate.
    pub network: Arc<Network>,
    /// The user's parameters.
    pub parameters: Parameters,
    /// Switch classes, by [`crate::turns::Turns::class_of`].
    pub switches: Vec<SwitchPlan>,
    /// The classes of injectors.
    pub injectors: Vec<InjectorPlan>,
    /// The class of each site's injector.
    injector_of_site: Vec<Option<usize>>,
}

impl FabricPlan {
    /// Plans the fabric. Does not bound the size: see [`FabricPlan::check_rtl`].
    ///
    /// # Errors
    /// [`PlanError`] for parameters out of range, a bad name, or route logic that disagrees
    /// with its relation.
    pub fn new(
        network: Arc<Network>,
        parameters: Parameters,
        name: Option<&str>,
    ) -> Result<Self, PlanError> {
        parameters.check()?;
        if network.relation().adaptive().is_some() && parameters.pipeline != Pipeline::None {
            let (relation, pipeline) = (network.relation().name(), parameters.pipeline);
            return Err(PlanError::AdaptivePipeline { relation, pipeline });
        }
        let default_name = format!(
            "{}_{}_{}",
            network.topology().name().replace('-', "_"),
            network.topology().dimension(),
            network.relation().name().replace('-', "_")
        );
        let topology = network.topology();
        let failed = topology.failed_nodes().into_iter().map(|node| topology.label(node));
        let without = failed.map(|label| format!("_without_{label}"));
        let default_name = default_name + &without.collect::<String>();
        let name = name.map_or(default_name, str::to_owned);
        names::check_identifier(&name)?;
        let classes = &network.turns().classes;
        let switches: Vec<SwitchPlan> = classes
            .iter()
            .enumerate()
            .map(|(i, class)| {
                let suffix = if classes.len() == 1 { String::new() } else { format!("_{i}") };
                switch::plan_switch(&network, class, format!("{name}_switch{suffix}"))
            })
            .collect::<Result<_, _>>()?;
        let (injectors, injector_of_site) = injector::plan_injectors(&network, &switches, &name)?;
        Ok(Self { name, network, parameters, switches, injectors, injector_of_site })
    }

    /// The configuration in its canonical form: the words after `turnpike generate` that make
    /// this fabric, without paths and output options.
    pub fn canonical(&self) -> String {
        let (topology, relation, p) = (self.topology(), self.network.relation(), &self.parameters);
        let mut words = format!(
            "{} --dim {} --routing {}",
            topology.name(),
            topology.dimension(),
            relation.name()
        );
        for node in topology.failed_nodes() {
            words += &format!(" --failed {}", topology.label(node));
        }
        if self.network.certificate().is_none() {
            words += &format!(" --vcs {} --allow-deadlock", relation.vcs());
        }
        words += &format!(" --width {} --depth {}", p.width, p.depth);
        if p.source_id {
            words += " --source-id";
        }
        if p.user_width > 0 {
            words += &format!(" --user-width {}", p.user_width);
        }
        if p.keep {
            words += " --keep";
        }
        if p.pipeline != Pipeline::default() {
            words += &format!(" --pipeline {}", p.pipeline);
        }
        if p.queue != QueueStyle::default() {
            words += &format!(" --queue {}", p.queue);
        }
        if p.mux != MuxStyle::default() {
            words += &format!(" --mux {}", p.mux);
        }
        words + &format!(" --name {}", self.name)
    }

    /// The topology.
    pub fn topology(&self) -> &dyn Topology {
        self.network.topology()
    }

    /// The switch class of a node.
    pub fn switch_of(&self, node: Node) -> &SwitchPlan {
        &self.switches[self.network.turns().class_of(node)]
    }

    /// The switch classes that are built: not that of nodes that failed.
    pub fn built_switches(&self) -> impl Iterator<Item = &SwitchPlan> {
        self.switches.iter().filter(|switch| !switch.queues.is_empty())
    }

    /// The injector of a node, as an index into [`FabricPlan::injectors`]; `None` where the node
    /// has no terminal.
    pub fn injector_of(&self, node: Node) -> Option<usize> {
        let topology = self.topology();
        let live = topology.is_terminal(node);
        let site = self.network.symmetry().index(topology, node);
        self.injector_of_site[site].filter(|_| live)
    }

    /// Whether there are addresses that no terminal has: packets to them are refused.
    pub fn has_unknown_addresses(&self) -> bool {
        let topology = self.topology();
        (topology.terminal_nodes().count() as u64) < 1 << topology.address_bits()
    }

    /// Whether a register stands between the terminals and the tables of the injectors.
    pub fn registers_injection(&self) -> bool {
        self.injectors.iter().any(|injector| injector.injection.registered)
    }

    /// The fields of a flit from bit 0 upward; fields of width 0 are left out.
    pub fn flit_fields(&self) -> Vec<FlitField> {
        let p = &self.parameters;
        let id = if p.source_id { self.topology().address_bits() } else { 0 };
        [
            ("data", p.width),
            ("keep", p.keep_width()),
            ("user", p.user_width),
            ("id", id),
            ("last", 1),
        ]
        .into_iter()
        .filter(|&(_, width)| width > 0)
        .map(|(name, width)| FlitField { name, width })
        .collect()
    }

    /// Width of a flit on a channel, without the header.
    pub fn flit_width(&self) -> u32 {
        self.flit_fields().iter().map(|f| f.width).sum()
    }

    /// Cycles from the acceptance of a flit at a terminal to its being at the head of an empty
    /// injection queue.
    pub fn injection_cycles(&self) -> u32 {
        1 + u32::from(self.registers_injection())
    }

    /// Cycles from the head of one queue to the head of the next, for a packet's first flit
    /// that meets no other.
    pub fn hop_cycles(&self) -> u32 {
        1 + self.parameters.pipeline.registers()
    }

    /// Cycles from the head of the last queue to `m_axis_tvalid`, for a packet's first flit
    /// that meets no other.
    pub fn ejection_cycles(&self) -> u32 {
        self.parameters.pipeline.registers()
    }

    /// Cycles from the acceptance of a flit to `m_axis_tvalid`, over `hops` channels of an
    /// empty network.
    pub fn zero_load_latency(&self, hops: u32) -> u32 {
        self.injection_cycles() + hops * self.hop_cycles() + self.ejection_cycles()
    }

    /// The largest dimension with RTL, and the widest vectors.
    ///
    /// # Errors
    /// [`PlanError`] names the limit and what would fit.
    pub fn check_rtl(&self) -> Result<(), PlanError> {
        let topology = self.topology();
        let limit = topology::find(topology.name()).map_or(u32::MAX, |kind| kind.rtl_limit);
        if topology.dimension() > limit {
            return Err(PlanError::RtlDimension {
                topology: topology.name(),
                dimension: topology.dimension(),
                limit,
            });
        }
        let nodes = u64::from(topology.terminals());
        for (port, width, option) in [
            ("s_axis_tdata", self.parameters.width, "--width"),
            ("s_axis_tuser", self.parameters.user_width, "--user-width"),
        ] {
            let bits = nodes * u64::from(width);
            if bits > MAX_VECTOR_BITS {
                let fits = MAX_VECTOR_BITS / nodes;
                let remedy = format!("{option} {fits} or less, or fewer terminals");
                return Err(PlanError::Vector { port, bits, remedy });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(routing: &str, k: u32) -> FabricPlan {
        let network = Network::new("hypercube", k, Some(routing), None).unwrap();
        FabricPlan::new(Arc::new(network), Parameters::default(), None).unwrap()
    }

    #[test]
    fn queues_and_headers_of_ecube_shrink_with_the_dimension() {
        let plan = plan("ecube", 4);
        let headers: Vec<_> = plan.switches[0].queues.iter().map(|q| q.header.clone()).collect();
        assert_eq!(
            headers,
            [vec![0, 1, 2, 3], vec![1, 2, 3], vec![2, 3], vec![3], vec![]],
            "dim<i> carries only the bits above i"
        );
    }

    #[test]
    fn rotation_builds_only_the_queues_in_use() {
        for k in 3..=10 {
            let plan = plan("rotation", k);
            let network = plan.switches[0].queues.len() - 1;
            assert_eq!(network as u32, 2 * (k - 1), "k={k}");
        }
    }

    #[test]
    fn parameters_out_of_range_are_named() {
        let network = Arc::new(Network::new("hypercube", 2, None, None).unwrap());
        let base = Parameters::default();
        for (parameters, text) in [
            (Parameters { width: 0, ..Parameters::default() }, "--width 0"),
            (Parameters { width: 1025, ..Parameters::default() }, "--width 1025"),
            (Parameters { depth: 1, ..Parameters::default() }, "--depth 1"),
            (Parameters { depth: 9, queue: QueueStyle::Shift, ..Parameters::default() }, "2 to 8"),
            (Parameters { depth: 2, pipeline: Pipeline::Output, ..base }, "3 to 1024"),
            (Parameters { width: 12, keep: true, ..Parameters::default() }, "multiple of 8"),
        ] {
            let error = FabricPlan::new(network.clone(), parameters, None).unwrap_err();
            assert!(error.to_string().contains(text), "{error}");
        }
    }
}

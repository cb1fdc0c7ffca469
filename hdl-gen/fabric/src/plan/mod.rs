//! The fabric plan: the one description that everything downstream reads. RTL, emission and
//! the reference router all start here.

mod addresses;
mod baseline;
mod canonical;
pub mod counters;
pub mod draw;
mod end_names;
mod ends;
mod error;
pub mod expected;
mod graph;
mod injector;
mod interface;
mod interface_error;
mod interface_step;
mod latency;
mod limits;
mod logic;
mod name;
mod parameters;
mod ports;
mod shaper;
mod style;
mod switch;
mod terminal_wish;

pub use addresses::AddressPair;
pub use baseline::full_crossbar_no_uturn;
pub use end_names::port_names;
pub use ends::EndStreams;
pub use error::{PlanError, beside, shallower};
pub use injector::InjectorPlan;
pub use interface::{MOST_BETWEEN, MOST_TERMINAL_CLOCKS};
pub use interface_error::{InterfaceError, Wish};
pub use interface_step::{Conversion, InterfaceStep};
pub use limits::{MAX_VECTOR_BITS, check_rtl};
pub(crate) use name::of_class;
pub use parameters::{Parameters, QueueSize};
pub(crate) use ports::port_of;
pub use ports::{PortBits, Side, Signal, TerminalPort};
pub use shaper::{
    MOST_ROOM, MOST_SHAPED, MOST_SHAPED_FLOWS, RELEASE_CYCLES, ShapedFlow, ShaperPlan,
};
pub use style::{Granting, MuxStyle, Pipeline, PortStyle, QueueStyle, ResetStyle, UnknownStyle};
pub use switch::{
    InputPlan, OutputPlan, OutputVcPlan, QueuePlan, SourcePlan, SwitchPlan, full_crossbar_switch,
};
pub use terminal_wish::{
    NoTerminalAddress, NoTerminalClock, NoTerminalWidth, TerminalAddress, TerminalClock,
    TerminalWidth, TerminalWishes,
};

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use turnpike_analysis::network::Network;
use turnpike_base::names;
use turnpike_network::routing::walk::{RouteError, walk};
use turnpike_network::topology::{Node, Port, Terminal};

/// Name of the file of the flows in the folder of a fabric that is for them.
pub const FLOWS_FILE: &str = "flows.csv";
/// Name of the file of the ends in the folder of a fabric that has some.
pub const ENDS_FILE: &str = "ends.csv";
/// Name of the file of the terminals in the folder of a fabric whose terminals a user named.
pub const PLACES_FILE: &str = "places.csv";

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
    network: Arc<Network>,
    /// The user's parameters.
    pub parameters: Parameters,
    /// Switch classes, by [`turnpike_analysis::turns::Turns::class_of`].
    pub switches: Vec<SwitchPlan>,
    /// The classes of injectors.
    pub injectors: Vec<InjectorPlan>,
    /// The class of the injector of each terminal that stands for others.
    injector_of: BTreeMap<Terminal, usize>,
    /// The terminals of the slices of the `s_axis` ports.
    sources: Vec<Terminal>,
    /// The terminals of the slices of the `m_axis` ports.
    sinks: Vec<Terminal>,
    /// Widths and clocks of terminals that are not the network's.
    interfaces: interface::Interfaces,
    /// The names of the terminals in those of ports, once they are asked for.
    terminal_names: OnceLock<Arc<[String]>>,
    /// The configuration in its canonical form.
    configuration: String,
}

impl FabricPlan {
    /// Plans the fabric. Does not bound the size: see [`FabricPlan::check_rtl`]. Of a network that is to be
    /// run alone ([`Network::is_unchecked`]) the route logic is taken at its word.
    ///
    /// # Errors
    /// [`PlanError`] for parameters out of range, a bad name, or route logic that disagrees
    /// with its relation.
    pub fn new(
        network: Arc<Network>,
        parameters: Parameters,
        name: Option<&str>,
    ) -> Result<Self, PlanError> {
        Self::with_interfaces(network, parameters, &TerminalWishes::default(), name)
    }

    /// Plans the fabric, with terminals of widths and clocks of their own.
    ///
    /// # Errors
    /// As [`FabricPlan::new`]; [`PlanError::Interface`] for what terminals cannot have.
    pub fn with_interfaces(
        network: Arc<Network>,
        parameters: Parameters,
        wishes: &TerminalWishes,
        name: Option<&str>,
    ) -> Result<Self, PlanError> {
        let parameters = match &wishes.ends {
            Some(ends) => Parameters { width: ends.word(), ports: PortStyle::Named, ..parameters },
            None => parameters,
        };
        Self::check(&network, &parameters)?;
        let interfaces = interface::Interfaces::new(network.topology(), &parameters, wishes)?;
        let wishes = interfaces.words(network.topology());
        let default_name = || name::default_name(&network, &parameters, &wishes);
        let name = name.map_or_else(default_name, str::to_owned);
        names::check_fabric_name(&name)?;
        let classes = &network.turns().classes;
        let switches: Vec<SwitchPlan> = classes
            .iter()
            .enumerate()
            .map(|(i, class)| {
                let name = name::of_class(&name, "switch", i, classes.len());
                switch::plan_switch(&network, class, name)
            })
            .collect();
        if !network.is_unchecked() {
            logic::check(&network, &switches)?;
        }
        let (injectors, injector_of) = injector::plan_injectors(&network, &switches, &name)?;
        let intact = network.topology().intact().unwrap_or(network.topology());
        let (sources, sinks) = (intact.sources().collect(), intact.sinks().collect());
        let terminal_names = OnceLock::new();
        let mut plan = Self {
            name,
            network,
            parameters,
            switches,
            injectors,
            injector_of,
            sources,
            sinks,
            interfaces,
            terminal_names,
            configuration: String::new(),
        };
        plan.check_clock_names()?;
        plan.check_ends()?;
        plan.configuration = plan.words();
        Ok(plan)
    }

    /// Whether the parameters are in range, and go with each other and with the network's relation.
    ///
    /// # Errors
    /// [`PlanError`] names the option and what it does not go with.
    pub fn check(network: &Network, parameters: &Parameters) -> Result<(), PlanError> {
        parameters.check()?;
        let (relation, own) = (network.relation(), network.topology().most_delay());
        let Parameters { pipeline, link_registers, depth, queue, .. } = *parameters;
        if relation.choices().is_some() {
            let of_vcs = !relation.chooses_ports();
            // A queue of one packet would have to know what is on the way to it.
            let on_links = if relation.has_escape() { link_registers } else { 0 };
            let adds = [
                ("pipeline", pipeline.registers(), pipeline.to_string()),
                ("link_registers", on_links, on_links.to_string()),
            ];
            let relation_name = || relation.name().to_owned();
            let added = adds.into_iter().find(|&(_, registers, _)| registers > 0);
            if let Some((field, _, value)) = added {
                let relation = relation_name();
                return Err(PlanError::Adaptive { relation, field, value, of_vcs });
            }
            if own > 0 && relation.has_escape() {
                return Err(PlanError::AdaptiveDelay { relation: relation_name(), delay: own });
            }
        }
        if let Some(on_a_link) = parameters.too_deep(link_registers + own) {
            let high = queue.most_depth();
            let on_the_way = 2 * (link_registers + own);
            let most_depth =
                high.checked_sub(on_the_way).filter(|&most| pipeline.least_depth() <= most);
            return Err(PlanError::Delay {
                delay: own,
                link_registers,
                depth,
                queue,
                on_a_link,
                high,
                most_depth,
            });
        }
        Ok(())
    }

    /// The terminals that have a slice of the `s_axis` ports, in the order of the slices: those
    /// that send packets, and those that did before they failed. Ascending.
    pub fn sources(&self) -> &[Terminal] {
        &self.sources
    }

    /// The terminals that have a slice of the `m_axis` ports, in the order of the slices: those
    /// that take packets, and those that did before they failed. Ascending.
    pub fn sinks(&self) -> &[Terminal] {
        &self.sinks
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

    /// Registers on a channel, forward and back: those of the parameters and the network's own.
    pub fn link_registers(&self, from: Node, output: Port) -> u32 {
        self.parameters.link_registers + self.topology().delay(from, output)
    }

    /// The most registers on any channel.
    pub fn most_link_registers(&self) -> u32 {
        self.parameters.link_registers + self.topology().most_delay()
    }

    /// Size of a queue of a switch: room for what is on the longest link to it.
    pub fn queue_size(&self, switch: &SwitchPlan, queue: &QueuePlan) -> QueueSize {
        let input = &switch.inputs[queue.input];
        self.parameters.queue_size(match input.input.is_inject() {
            true => 0,
            false => self.parameters.link_registers + input.delay,
        })
    }

    /// Flits that the largest queue holds.
    pub fn most_depth(&self) -> u32 {
        self.parameters.queue_size(self.most_link_registers()).depth
    }

    /// Flits that the largest queue holds, with the one in front of it where packets ask ahead.
    pub fn most_held(&self) -> u32 {
        self.most_depth() + u32::from(self.parameters.pipeline.asks_ahead())
    }

    /// Bits that a queue holds: (flit and header) x depth.
    pub fn queue_bits(&self, switch: &SwitchPlan, queue: &QueuePlan) -> u64 {
        u64::from(self.queue_size(switch, queue).depth)
            * (u64::from(self.flit_width()) + queue.header.len() as u64)
    }

    /// Whether some packet crosses a channel in both its phases: its beats then take turns there.
    ///
    /// # Errors
    /// A route that does not arrive.
    pub fn crosses_itself(&self) -> Result<bool, RouteError> {
        let (topology, relation) = (self.topology(), self.relation());
        if relation.phases().is_none() {
            return Ok(false);
        }
        let sources = self.network.symmetry().sources(topology);
        let pairs =
            sources.iter().flat_map(|&from| topology.destinations(from).map(move |to| (from, to)));
        for ((from, to), draw) in relation.with_each_route(pairs) {
            let mut crossed = Vec::new();
            walk(topology, relation, from, to, draw, |step| {
                if !step.hop.output.is_eject() {
                    crossed.push((step.node, step.hop.output));
                }
            })?;
            let channels = crossed.len();
            crossed.sort_unstable();
            crossed.dedup();
            if crossed.len() < channels {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Checks a planned fabric as [`check_rtl`] does.
    ///
    /// # Errors
    /// Those of [`check_rtl`].
    pub fn check_rtl(&self) -> Result<(), PlanError> {
        let topology = self.topology();
        check_rtl(topology.intact().unwrap_or(topology), &self.parameters)
    }
}

#[cfg(test)]
mod tests;

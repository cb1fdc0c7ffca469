//! Fields of the manifest of a switched fabric.

use super::certificate::{Certificate, WaitingChannel, cycle_of};
use super::switch::Switch;
use super::{Fields, Latency, Terminal};
use crate::given::{ListFile, RelationFile, TopologyFile};
use serde::Serialize;
use std::collections::BTreeMap;
use turnpike_analysis::deadlock::DeadlockVerdict;
use turnpike_base::bits::low_bits;
use turnpike_fabric::plan::draw::STATE_BITS;
use turnpike_fabric::plan::{FabricPlan, PortStyle};
use turnpike_fabric::rtl::fabric::switch_instances;
use turnpike_netlist::Module;
use turnpike_network::flows::{Flows, MessageClass};
use turnpike_network::routing::Input;
use turnpike_network::routing::choice::ADAPTIVE_VC;
use turnpike_network::routing::several_vcs::VcAllocation;
use turnpike_network::topology::{self, Node, Scale};

/// Topology and relation.
#[derive(Serialize)]
pub struct Network<'a> {
    #[serde(flatten)]
    size: Scale,
    routing: &'a str,
    /// The seed that the routes were drawn from, where they were.
    #[serde(skip_serializing_if = "Option::is_none")]
    route_seed: Option<u64>,
    /// The file of the folder that gives the topology, where it is not one of Turnpike's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    topology_file: Option<TopologyFile>,
    /// The file of the folder that gives the relation, where it is not one of Turnpike's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    relation: Option<RelationFile>,
    /// The file of the folder that gives the flows, where the network is for some pairs of terminals
    /// alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    flows: Option<ListFile>,
    /// The file of the folder that names the terminals and their switches, where a user did.
    #[serde(skip_serializing_if = "Option::is_none")]
    places: Option<ListFile>,
    /// Message classes, where there are several: each terminal has a stream for each of its own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    classes: Vec<Class<'a>>,
    /// Whether each message class has a network of its own beside the others.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    separate_classes: bool,
    /// Labels of the nodes that failed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failed: Vec<String>,
    /// Nodes of the topology, with those that have no switch.
    nodes: u32,
    /// Channels of the topology between nodes that did not fail, with those that are not built.
    channels: u64,
}

/// A message class.
#[derive(Serialize)]
struct Class<'a> {
    name: &'a str,
    /// Classes that it comes after: a terminal that takes a message of one of these may be waiting until
    /// it has sent one of this class.
    after: Vec<&'a str>,
    /// Priority on links: a flit of a class of a higher one goes first. Absent where no class has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    priority: Option<u8>,
    /// Adaptive virtual channel of the class, where packets choose among ports; the first of several
    /// (`vc_allocation`).
    #[serde(skip_serializing_if = "Option::is_none")]
    adaptive_virtual_channel: Option<u8>,
}

/// The message classes of a network for flows.
fn classes<'a>(plan: &'a FabricPlan) -> Vec<Class<'a>> {
    let flows = plan.topology().flows();
    let all: &'a [MessageClass] = flows.map_or(&[], |flows| flows.classes());
    let have_priorities = flows.is_some_and(Flows::have_priorities);
    let class = |(at, class): (usize, &'a MessageClass)| Class {
        name: &class.name,
        after: class.after.iter().map(|&other| all[other].name.as_str()).collect(),
        priority: have_priorities.then_some(class.priority),
        adaptive_virtual_channel: adaptive(plan, at as u8),
    };
    all.iter().enumerate().map(class).collect()
}

/// The adaptive virtual channel of a message class; of all packets where there are no classes and
/// `class` is 0.
fn adaptive(plan: &FabricPlan, class: u8) -> Option<u8> {
    let choices = plan.relation().choices().filter(|choices| choices.are_of_ports())?;
    choices.adaptive_vc(Input::Inject(topology::Local(class)), ADAPTIVE_VC).map(|vc| vc.0)
}

/// Flits, and the condition under which they arrive.
#[derive(Serialize)]
pub struct Transport<'a> {
    /// Fields of a flit from bit 0 up.
    flit: Vec<Field>,
    virtual_channels: u8,
    /// Virtual channels that packets take, where several are alike: `any`, or `kept` for the one of the same place
    /// from hop to hop. Packets of one pair may then overtake each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    vc_allocation: Option<&'static str>,
    /// The adaptive virtual channel, where packets choose among ports and have no message class, the first of
    /// several. Those that the certificate has numbers of are escape channels, unless it has numbers of all: then
    /// there are none. Packets of one pair may then overtake each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    adaptive_virtual_channel: Option<u8>,
    /// Draws of each packet, where packets draw their way. Packets of one pair may then overtake
    /// each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    draws: Option<Draws<'a>>,
    deadlock_free: bool,
    /// Condition under which the certificate holds packets free of deadlock.
    #[serde(skip_serializing_if = "Option::is_none")]
    deadlock_free_condition: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate: Option<Certificate>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cycle: Option<Vec<WaitingChannel>>,
}

/// Switches by class, and their places.
#[derive(Serialize)]
pub struct Hardware {
    switches: Vec<Switch>,
    /// One per node, in order of address: its label and switch module.
    instances: Vec<Instance>,
}

/// Draws of a source for each packet ([`turnpike_fabric::plan::draw`]).
#[derive(Serialize)]
struct Draws<'a> {
    /// The relations of the two phases, where there are two.
    #[serde(skip_serializing_if = "Option::is_none")]
    phases: Option<&'a [String; 2]>,
    /// The terminals that packets of two phases go to first, where not all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    intermediate: Option<String>,
    /// Number of draws, of equal odds.
    count: u32,
    /// The seed of the generators.
    seed: u64,
    /// Bits of the state of each terminal's generator.
    state_bits: u32,
    /// Packets after which a generator begins again.
    period_packets: u64,
}

impl<'a> Draws<'a> {
    fn of(plan: &'a FabricPlan) -> Option<Self> {
        let relation = plan.relation();
        relation.is_randomised().then(|| Self {
            phases: relation.phases(),
            intermediate: relation.intermediate().map(ToString::to_string),
            count: relation.draw_count(),
            seed: plan.parameters.draw_seed,
            state_bits: STATE_BITS,
            period_packets: low_bits(STATE_BITS),
        })
    }
}

/// Parameters of the switches.
#[derive(Serialize)]
pub struct Parameters {
    width: u32,
    depth: u32,
    source_id: bool,
    user_width: u32,
    keep: bool,
    /// 0: none; 1: the grant is a register; 2: the grant and the output.
    pipeline: u32,
    /// Whether a packet asks for its output while the one before it in its queue leaves.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    asks_ahead: bool,
    link_registers: u32,
    /// `ram`, `registers` or `shift`.
    queue: &'static str,
    /// `one-hot` or `lut4`.
    mux: &'static str,
    /// `flat` or `named`.
    ports: &'static str,
    /// `high` or `low`.
    reset: &'static str,
}

#[derive(Serialize)]
struct Field {
    name: &'static str,
    width: u32,
}

#[derive(Serialize)]
struct Instance {
    label: String,
    switch: String,
    /// The instance of the switch, where it is not `n<label>_switch`.
    #[serde(skip_serializing_if = "Option::is_none")]
    instance: Option<String>,
}

/// The nodes with a switch, in order, and its instance in the module of the whole network.
fn instances(plan: &FabricPlan, top: &Module) -> Vec<Instance> {
    let instance = |(node, placed): (Node, &turnpike_netlist::Instance)| {
        let label = plan.topology().label(node);
        let plain = placed.name == format!("n{label}_switch");
        let instance = (!plain).then(|| placed.name.clone());
        Instance { label, switch: placed.module.name.clone(), instance }
    };
    switch_instances(plan, top).into_iter().map(instance).collect()
}

/// The terminals whose ports are not called by their labels.
fn port_names(plan: &FabricPlan) -> BTreeMap<String, String> {
    if plan.parameters.ports == PortStyle::Flat {
        return BTreeMap::new();
    }
    let terminals = (0..plan.topology().terminals()).map(topology::Terminal);
    let terminals = terminals.filter(|&terminal| plan.topology().has_number(terminal));
    let named = terminals.map(|terminal| {
        (plan.topology().terminal_label(terminal), plan.terminal_name(terminal).to_owned())
    });
    named.filter(|(label, name)| label != name).collect()
}

/// Fields of the network of a fabric.
pub(crate) fn network_fields(plan: &FabricPlan) -> Network<'_> {
    let (topology, network) = (plan.topology(), plan.network());
    Network {
        size: topology.scale(),
        routing: network.relation().name(),
        route_seed: network.relation().route_seed(),
        topology_file: network.description().map(|given| TopologyFile::of(given, topology)),
        relation: network.given_relation().map(RelationFile::of),
        flows: ListFile::of_flows(topology).filter(|_| plan.ends().is_none()),
        places: ListFile::of_places(topology),
        classes: classes(plan),
        separate_classes: topology.flows().is_some_and(Flows::are_separate),
        failed: topology.failed_nodes().into_iter().map(|n| topology.label(n)).collect(),
        nodes: topology.nodes(),
        channels: topology.channels(),
    }
}

/// Fields of the terminals of a fabric, whose ports are of this protocol.
pub(crate) fn terminal_fields(plan: &FabricPlan, protocol: &'static str) -> Terminal {
    let topology = plan.topology();
    let both = [plan.sources(), plan.sinks()]
        .iter()
        .all(|slices| slices.len() as u32 == plan.topology().terminals());
    let slices = |slices: &[topology::Terminal]| {
        (!both || plan.has_addresses())
            .then(|| slices.iter().map(|&terminal| plan.address(terminal)).collect())
    };
    let classes_of = |slices: &[topology::Terminal]| -> Vec<String> {
        let Some(flows) = topology.flows().filter(|flows| !flows.classes().is_empty()) else {
            return Vec::new();
        };
        let class = |&terminal: &_| flows.classes()[flows.class_of(terminal)].name.clone();
        slices.iter().map(class).collect()
    };
    Terminal {
        count: topology.terminals(),
        address_bits: plan.address_bits(),
        protocol,
        s_axis: slices(plan.sources()),
        m_axis: slices(plan.sinks()),
        s_axis_classes: classes_of(plan.sources()),
        m_axis_classes: classes_of(plan.sinks()),
        port_names: port_names(plan),
        ..Terminal::default()
    }
}

/// Fields of the manifest of a fabric with this top module.
pub(crate) fn fields<'a>(
    plan: &'a FabricPlan,
    top: &Module,
) -> Fields<Network<'a>, Parameters, Transport<'a>, Hardware> {
    let topology = plan.topology();
    let network = plan.network();
    let p = plan.parameters;
    let own = network_fields(plan);
    let in_one_class = own.classes.is_empty();
    // Each end has its own, which `ends` gives.
    let protocol = if plan.ends().is_some() { "memory-mapped" } else { "AXI4-Stream" };
    Fields {
        kind: "switched",
        topology: topology.title(),
        network: own,
        parameters: Parameters {
            width: p.width,
            depth: p.depth,
            source_id: p.source_id,
            user_width: p.user_width,
            keep: p.keep,
            pipeline: p.pipeline.registers(),
            asks_ahead: p.pipeline.asks_ahead(),
            link_registers: p.link_registers,
            queue: p.queue.word(),
            mux: p.mux.word(),
            ports: p.ports.word(),
            reset: p.reset.word(),
        },
        terminal: terminal_fields(plan, protocol),
        transport: Transport {
            flit: plan
                .flit_fields()
                .into_iter()
                .map(|f| Field { name: f.name, width: f.width })
                .collect(),
            virtual_channels: network.relation().vcs(),
            vc_allocation: plan.relation().vc_allocation().map(VcAllocation::name),
            adaptive_virtual_channel: adaptive(plan, 0).filter(|_| in_one_class),
            draws: Draws::of(plan),
            deadlock_free: plan.is_deadlock_free(),
            deadlock_free_condition: plan.deadlock_free_condition(),
            certificate: network.certificate().map(|c| Certificate::of(topology, c)),
            cycle: match network.verdict() {
                DeadlockVerdict::Free(_) => None,
                DeadlockVerdict::Cyclic(cycle) => Some(cycle_of(topology, cycle)),
            },
        },
        latency: Latency {
            injection_cycles: Some(plan.injection_cycles()),
            hop_cycles: Some(plan.hop_cycles()),
            ejection_cycles: Some(plan.ejection_cycles()),
            zero_load_self_cycles: Some(plan.zero_load_latency(0)),
            zero_load_longest_cycles: plan.longest_latency().ok(),
            ..Latency::default()
        },
        hardware: Hardware {
            switches: plan.built_switches().map(|s| Switch::of(plan, s)).collect(),
            instances: instances(plan, top),
        },
        delivery: None,
        rules: Vec::new(),
    }
}

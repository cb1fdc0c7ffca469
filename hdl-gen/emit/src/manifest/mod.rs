//! The manifest: all that the plan says, as JSON for other programs.

mod certificate;
mod switch;

use self::certificate::{Certificate, WaitingChannel, cycle_of};
use self::switch::Switch;
use super::VERSION;
use super::formal::{Proof, Task};
use super::given::{RelationFile, TopologyFile};
use serde::Serialize;
use std::collections::BTreeMap;
use turnpike_analysis::deadlock::DeadlockVerdict;
use turnpike_base::bits::low_bits;
use turnpike_fabric::board::Board;
use turnpike_fabric::plan::draw::STATE_BITS;
use turnpike_fabric::plan::{FabricPlan, PortStyle};
use turnpike_fabric::rtl::fabric::switch_instances;
use turnpike_netlist::Module;
use turnpike_network::routing::choice::ADAPTIVE_VC;
use turnpike_network::topology::{self, Node, Scale};

/// Raised when a field changes its meaning or goes away.
pub const SCHEMA_VERSION: u32 = 1;

#[derive(Serialize)]
struct Manifest<'a> {
    schema_version: u32,
    generator: String,
    digest: &'a str,
    name: &'a str,
    configuration: String,
    topology: String,
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
    /// Labels of the nodes that failed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failed: Vec<String>,
    nodes: u32,
    channels: u64,
    files: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    selftest: Option<Selftest<'a>>,
    /// SymbiYosys files and their tasks.
    proofs: Vec<ProofFile<'a>>,
    parameters: Parameters,
    /// Ports of the top module: (name, bits).
    terminal: Terminal,
    /// Fields of a flit from bit 0 up.
    flit: Vec<Field>,
    virtual_channels: u8,
    /// The adaptive virtual channel, where packets have a choice; the others are escape channels,
    /// which the certificate is of, or else it is of every route. Packets of one pair may then
    /// overtake each other.
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
    latency: Latency,
    switches: Vec<Switch>,
    /// One per node, in order of address: its label and switch module.
    instances: Vec<Instance>,
}

/// The self-test of the folder.
#[derive(Serialize)]
pub struct Selftest<'a> {
    board: &'static str,
    device: &'static str,
    clock_mhz: u32,
    top: String,
    /// Verilog beside the fabric's.
    files: &'a [String],
    constraints: String,
}

impl<'a> Selftest<'a> {
    /// Entry of the self-test of fabric `name` on `board`, with its Verilog files.
    pub fn new(name: &str, board: &Board, files: &'a [String]) -> Self {
        Self {
            board: board.name,
            device: board.device,
            clock_mhz: board.clock_mhz,
            top: format!("{name}_selftest"),
            files,
            constraints: format!("{name}_selftest.{}", board.constraints_ending()),
        }
    }
}

#[derive(Serialize)]
pub(crate) struct ProofFile<'a> {
    file: &'a str,
    tasks: Vec<ProofTask<'a>>,
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

#[derive(Serialize)]
struct ProofTask<'a> {
    name: &'a str,
    module: &'a str,
    properties: &'a str,
    engine: &'a str,
    /// Depth of the task in cycles; left out where it has no bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    cycles: Option<u32>,
}

#[derive(Serialize)]
struct Parameters {
    width: u32,
    depth: u32,
    source_id: bool,
    user_width: u32,
    keep: bool,
    /// 0: none; 1: the grant is a register; 2: the grant and the output.
    pipeline: u32,
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
struct Terminal {
    count: u32,
    address_bits: u32,
    protocol: &'static str,
    /// The addresses of the slices of the `s_axis` and of the `m_axis` ports, where not every
    /// address has both.
    #[serde(skip_serializing_if = "Option::is_none")]
    s_axis: Option<Vec<u32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    m_axis: Option<Vec<u32>>,
    /// Names of terminals in the names of their ports, by label, where each terminal has ports of
    /// its own: those that differ from the label.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    port_names: BTreeMap<String, String>,
}

#[derive(Serialize)]
struct Field {
    name: &'static str,
    width: u32,
}

/// All in clock cycles.
#[derive(Serialize)]
struct Latency {
    /// From acceptance at a terminal to the head of the injection queue.
    injection_cycles: u32,
    /// From the head of one queue to the head of the next, for a packet's first flit.
    hop_cycles: u32,
    /// From the head of the last queue to `m_axis_tvalid`, for a packet's first flit.
    ejection_cycles: u32,
    /// From acceptance to `m_axis_tvalid` over no channel (a packet to oneself).
    zero_load_self_cycles: u32,
    /// Zero-load latency over the longest route.
    zero_load_longest_cycles: u32,
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
    let named = terminals.map(|terminal| {
        (plan.topology().terminal_label(terminal), plan.terminal_name(terminal).to_owned())
    });
    named.filter(|(label, name)| label != name).collect()
}

/// The manifest of a fabric with this top module as JSON text.
///
/// # Errors
/// [`serde_json::Error`] never, unless a type here is wrong.
pub fn render(
    plan: &FabricPlan,
    top: &Module,
    configuration: &str,
    files: &[String],
    selftest: Option<Selftest<'_>>,
    proofs: &[Proof],
    digest: &str,
) -> Result<String, serde_json::Error> {
    let topology = plan.topology();
    let network = plan.network();
    let both = [plan.sources(), plan.sinks()]
        .iter()
        .all(|slices| slices.len() as u32 == plan.topology().terminals());
    let slices = |slices: &[topology::Terminal]| {
        (!both).then(|| slices.iter().map(|terminal| terminal.0).collect())
    };
    let p = plan.parameters;
    let longest = network.longest_route();
    let manifest = Manifest {
        schema_version: SCHEMA_VERSION,
        generator: format!("turnpike {VERSION}"),
        digest,
        name: &plan.name,
        configuration: configuration.to_owned(),
        topology: topology.title(),
        size: topology.scale(),
        routing: network.relation().name(),
        route_seed: network.relation().route_seed(),
        topology_file: network.description().map(|given| TopologyFile::of(given, topology)),
        relation: network.given_relation().map(RelationFile::of),
        failed: topology.failed_nodes().into_iter().map(|n| topology.label(n)).collect(),
        nodes: topology.nodes(),
        channels: topology.channels(),
        files,
        selftest,
        proofs: proofs.iter().map(proof).collect(),
        parameters: Parameters {
            width: p.width,
            depth: p.depth,
            source_id: p.source_id,
            user_width: p.user_width,
            keep: p.keep,
            pipeline: p.pipeline.registers(),
            queue: p.queue.word(),
            mux: p.mux.word(),
            ports: p.ports.word(),
            reset: p.reset.word(),
        },
        terminal: Terminal {
            count: topology.terminals(),
            address_bits: topology.address_bits(),
            protocol: "AXI4-Stream",
            s_axis: slices(plan.sources()),
            m_axis: slices(plan.sinks()),
            port_names: port_names(plan),
        },
        flit: plan
            .flit_fields()
            .into_iter()
            .map(|f| Field { name: f.name, width: f.width })
            .collect(),
        virtual_channels: network.relation().vcs(),
        adaptive_virtual_channel: network.relation().choices().map(|_| ADAPTIVE_VC.0),
        draws: Draws::of(plan),
        deadlock_free: plan.is_deadlock_free(),
        deadlock_free_condition: plan.deadlock_free_condition(),
        certificate: network.certificate().map(|c| Certificate::of(topology, c)),
        cycle: match network.verdict() {
            DeadlockVerdict::Free(_) => None,
            DeadlockVerdict::Cyclic(cycle) => Some(cycle_of(topology, cycle)),
        },
        latency: Latency {
            injection_cycles: plan.injection_cycles(),
            hop_cycles: plan.hop_cycles(),
            ejection_cycles: plan.ejection_cycles(),
            zero_load_self_cycles: plan.zero_load_latency(0),
            zero_load_longest_cycles: plan.zero_load_latency(longest),
        },
        switches: plan.built_switches().map(|s| Switch::of(plan, s)).collect(),
        instances: instances(plan, top),
    };
    Ok(serde_json::to_string_pretty(&manifest)? + "\n")
}

/// A proof, for manifests.
pub(crate) fn proof(proof: &Proof) -> ProofFile<'_> {
    fn task(task: &Task) -> ProofTask<'_> {
        let Task { name, module, properties, kind, .. } = task;
        ProofTask { name, module, properties, engine: kind.engine(), cycles: kind.cycles() }
    }
    ProofFile { file: &proof.path, tasks: proof.tasks.iter().map(task).collect() }
}

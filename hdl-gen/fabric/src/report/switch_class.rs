//! The figures of one class of switches.

use crate::plan::{FabricPlan, SwitchPlan};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet};
use turnpike_analysis::properties::LabelledRoute;
use turnpike_analysis::turns::{SwitchTurns, Turn, Witness};
use turnpike_network::routing::{Input, Output};
use turnpike_network::topology::{Node, Port};

/// A class of identical switches. Its figures are defined as those of
/// [`super::Analysis`] are.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct SwitchClass {
    /// The Verilog module.
    pub name: String,
    /// Number of nodes with a switch of this class.
    pub nodes: u32,
    /// The first of them.
    pub first_node: String,
    /// Crosspoints between network ports.
    pub crosspoints: u32,
    /// Crosspoints from `inject` or to `eject`.
    pub terminal_crosspoints: u32,
    /// Largest of `fan_in`.
    pub max_fan_in: u32,
    /// Largest of `fan_out`.
    pub max_fan_out: u32,
    /// Crosspoints of each network output port, in the order of the ports.
    #[serde(serialize_with = "as_map")]
    #[schemars(with = "BTreeMap<String, u32>")]
    pub fan_in: Vec<(String, u32)>,
    /// Crosspoints of each network input port, in the order of the ports.
    #[serde(serialize_with = "as_map")]
    #[schemars(with = "BTreeMap<String, u32>")]
    pub fan_out: Vec<(String, u32)>,
    /// Data inputs of the multiplexers.
    pub multiplexer_inputs: u32,
    /// Multiplexer inputs of the full crossbar without U-turns.
    pub full_multiplexer_inputs_no_uturn: u32,
    /// Queues that channels fill.
    pub queues: u32,
    /// Bits that they hold.
    pub queue_bits: u64,
    /// Queues that the terminal fills.
    pub injection_queues: u32,
    /// Bits that they hold.
    pub injection_queue_bits: u64,
    /// Every turn, with a route that takes it.
    pub turns: Vec<LabelledTurn>,
}

/// A turn and a route that takes it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct LabelledTurn {
    /// The input port, or an inject port.
    pub input: String,
    /// Virtual channel of the input.
    pub input_vc: u8,
    /// The output port, or an eject port.
    pub output: String,
    /// Virtual channel of the output.
    pub output_vc: u8,
    /// The switch of this class at which the route takes the turn.
    pub at: String,
    /// The route.
    pub route: LabelledRoute,
}

/// Port names as keys, kept in order (`dim2` before `dim10`).
fn as_map<S: Serializer>(counts: &[(String, u32)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(counts.iter().map(|(port, count)| (port, count)))
}

/// Every class of the fabric, in the order of the plan.
pub(super) fn classes(plan: &FabricPlan) -> Vec<SwitchClass> {
    let turns = plan.network().turns();
    let mut members = vec![(0, None); turns.classes.len()];
    for node in plan.topology().all_nodes() {
        let (nodes, first) = &mut members[turns.class_of(node)];
        *nodes += 1;
        first.get_or_insert(node);
    }
    let classes = turns.classes.iter().zip(&plan.switches).zip(members);
    classes
        .map(|((turns, switch), (nodes, first))| {
            class(plan, turns, switch, nodes, first.expect("a class has a member"))
        })
        .collect()
}

fn class(
    plan: &FabricPlan,
    turns: &SwitchTurns,
    switch: &SwitchPlan,
    nodes: u32,
    first: Node,
) -> SwitchClass {
    let topology = plan.topology();
    let by_name = |counts: BTreeMap<Port, u32>| -> Vec<(String, u32)> {
        let ports = (0..topology.ports()).map(Port);
        ports.map(|p| (topology.port_name(p), counts.get(&p).copied().unwrap_or(0))).collect()
    };
    let (fan_in, fan_out) = (turns.fan_in(), turns.fan_out());
    let is_injection = |input: usize| switch.inputs[input].input.is_inject();
    let (mut queues, mut injection_queues) = ((0, 0), (0, 0));
    for queue in &switch.queues {
        let (count, bits) =
            if is_injection(queue.input) { &mut injection_queues } else { &mut queues };
        *count += 1;
        *bits += plan.queue_bits(switch, queue);
    }
    SwitchClass {
        name: switch.name.clone(),
        nodes,
        first_node: topology.label(first),
        crosspoints: turns.crosspoints().len() as u32,
        terminal_crosspoints: turns.terminal_crosspoints().len() as u32,
        max_fan_in: fan_in.values().copied().max().unwrap_or(0),
        max_fan_out: fan_out.values().copied().max().unwrap_or(0),
        fan_in: by_name(fan_in),
        fan_out: by_name(fan_out),
        multiplexer_inputs: multiplexer_inputs(switch),
        full_multiplexer_inputs_no_uturn: full_multiplexer_inputs(plan, switch, turns.site),
        queues: queues.0,
        queue_bits: queues.1,
        injection_queues: injection_queues.0,
        injection_queue_bits: injection_queues.1,
        turns: turns.turns.iter().map(|(turn, witness)| label(plan, turn, witness)).collect(),
    }
}

/// A multiplexer of one input is a wire.
fn unless_a_wire(inputs: usize) -> u32 {
    if inputs > 1 { inputs as u32 } else { 0 }
}

/// Data inputs of the multiplexers of a switch.
pub(super) fn multiplexer_inputs(switch: &SwitchPlan) -> u32 {
    (0..switch.outputs.len())
        .map(|output| {
            let vcs = switch.output_vcs.iter().filter(|vc| vc.output == output);
            let queues = vcs.flat_map(|vc| vc.sources.iter().map(|source| source.queue));
            unless_a_wire(queues.collect::<BTreeSet<_>>().len())
        })
        .sum()
}

fn full_multiplexer_inputs(plan: &FabricPlan, switch: &SwitchPlan, site: Node) -> u32 {
    let (topology, entering) = (plan.topology(), plan.network().entering());
    let feeds = |input: Input, output: Output| match (input, output) {
        (Input::Network(i), Output::Network(o)) => !entering.is_u_turn(topology, site, i, o),
        _ => true,
    };
    let of_output = |output: Output| {
        let queues = switch.queues.iter();
        queues.filter(|q| feeds(switch.inputs[q.input].input, output)).count()
    };
    switch.outputs.iter().map(|output| unless_a_wire(of_output(output.output))).sum()
}

fn label(plan: &FabricPlan, turn: &Turn, witness: &Witness) -> LabelledTurn {
    let topology = plan.topology();
    LabelledTurn {
        input: turn.input.name(topology, witness.at),
        input_vc: turn.input_vc.0,
        output: turn.output.name(topology, witness.at),
        output_vc: turn.output_vc.0,
        at: topology.label(witness.at),
        route: LabelledRoute::of(plan.network(), witness.source, witness.destination, witness.draw),
    }
}

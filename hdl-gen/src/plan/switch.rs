//! The plan of one class of switches: ports, queues, route logic and arbiters.

use super::PlanError;
use crate::network::Network;
use crate::routing::{Header, Input, Output, Select, Vc};
use crate::topology::{Port, Topology};
use crate::turns::{SwitchTurns, Turn};
use std::collections::{BTreeMap, BTreeSet};

/// An input port of a switch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputPlan {
    /// Which one.
    pub input: Input,
    /// Its name: `inject` or the topology's.
    pub name: String,
    /// Header bits on its wires, ascending.
    pub header: Vec<u32>,
    /// Virtual channels in use, ascending.
    pub vcs: Vec<Vc>,
}

/// An output port of a switch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutputPlan {
    /// Which one.
    pub output: Output,
    /// Its name: `eject` or the topology's.
    pub name: String,
    /// Header bits on its wires, ascending.
    pub header: Vec<u32>,
    /// Virtual channels in use, ascending.
    pub vcs: Vec<Vc>,
}

/// A queue of a switch: one (input port, VC) that some route uses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueuePlan {
    /// Index into [`SwitchPlan::inputs`].
    pub input: usize,
    /// The virtual channel.
    pub vc: Vc,
    /// `inject`, `dim2`, or `dim2_vc0` where the port has several VCs in the fabric.
    pub name: String,
    /// Header bits stored, ascending: those that are ever set.
    pub header: Vec<u32>,
    /// The route logic on the head flit, over the turns of this queue alone.
    pub select: Select,
}

/// A queue that feeds an (output port, VC).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SourcePlan {
    /// Index into [`SwitchPlan::queues`].
    pub queue: usize,
    /// Header bits that go on; the others are cleared.
    pub keeps: Header,
}

/// One (output port, VC): an arbiter over its sources.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutputVcPlan {
    /// Index into [`SwitchPlan::outputs`].
    pub output: usize,
    /// The virtual channel.
    pub vc: Vc,
    /// `eject`, `dim2`, or `dim2_vc0`.
    pub name: String,
    /// The queues that feed it, in the order of the round robin.
    pub sources: Vec<SourcePlan>,
}

/// A class of identical switches: one Verilog module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SwitchPlan {
    /// Module name.
    pub name: String,
    /// Input ports, `inject` first.
    pub inputs: Vec<InputPlan>,
    /// Output ports, `eject` last.
    pub outputs: Vec<OutputPlan>,
    /// Queues, in the order of the ports and VCs.
    pub queues: Vec<QueuePlan>,
    /// (Output port, VC)s, in the order of the ports and VCs.
    pub output_vcs: Vec<OutputVcPlan>,
    /// The turns that are built.
    pub turns: Vec<Turn>,
}

/// Plans the switches of a class.
///
/// # Errors
/// [`PlanError::Logic`] where the route logic disagrees with the relation.
pub(super) fn plan_switch(
    network: &Network,
    class: &SwitchTurns,
    name: String,
) -> Result<SwitchPlan, PlanError> {
    let relation = network.relation();
    let reduced = |input: Input, vc: Vc| {
        let mask = class.header_masks.get(&(input, vc)).copied().unwrap_or(0);
        let taken: BTreeSet<Output> = class
            .turns
            .keys()
            .filter(|t| (t.input, t.input_vc) == (input, vc))
            .map(|t| t.output)
            .collect();
        match relation.select(input) {
            Select::FirstSet { order, one_hot } => Select::FirstSet {
                order: order
                    .into_iter()
                    .filter(|&(bit, p)| mask >> bit & 1 == 1 && taken.contains(&Output::Network(p)))
                    .collect(),
                one_hot,
            },
            table @ Select::Table { .. } => table,
        }
    };
    let turns: Vec<Turn> = class.turns.keys().copied().collect();
    let needed = needed_bits(network, reduced);
    let masks =
        class.header_masks.iter().map(|(queue, mask)| (*queue, mask & needed[queue])).collect();
    let plan = lay_out(network, &turns, &masks, reduced, name);
    check_logic(network, class, &plan)?;
    Ok(plan)
}

/// Per queue, the header bits that some switch from there on looks at: the others need not be
/// carried. The least fixed point over all turns of the network.
fn needed_bits(
    network: &Network,
    select: impl Fn(Input, Vc) -> Select,
) -> BTreeMap<(Input, Vc), Header> {
    let classes = &network.turns().classes;
    let own = |(input, vc)| match select(input, vc) {
        Select::FirstSet { order, .. } => order.iter().fold(0, |mask, (bit, _)| mask | 1 << bit),
        Select::Table { bits, .. } => crate::routing::low_bits(bits),
    };
    let mut needed: BTreeMap<(Input, Vc), Header> =
        classes.iter().flat_map(|c| c.queues()).map(|q| (q, own(q))).collect();
    let turns: BTreeSet<Turn> = classes.iter().flat_map(|c| c.turns.keys().copied()).collect();
    loop {
        let before = needed.clone();
        for turn in &turns {
            let Output::Network(port) = turn.output else { continue };
            let Some(end) = channel_end(network.topology(), port) else { continue };
            let ahead = before[&(end, turn.output_vc)];
            let keeps = network.relation().keeps(turn.input, port);
            *needed.entry((turn.input, turn.input_vc)).or_default() |= ahead & keeps;
        }
        if needed == before {
            return needed;
        }
    }
}

/// The switch with a full crossbar and the relation's complete route logic, over the same
/// queues in the same order: what a depopulated switch must equal. Every queue feeds every
/// output port, U-turns included, on the VC that the turn leads to: nothing here is taken from
/// the turns that were found. `None` where the relation has no form that is a function of the
/// header alone.
pub fn full_crossbar_switch(
    network: &Network,
    class: &SwitchTurns,
    name: String,
) -> Option<SwitchPlan> {
    let (topology, relation) = (network.topology(), network.relation());
    let complete = relation.oblivious_select()?;
    let outputs = (0..topology.ports()).map(|p| Output::Network(Port(p))).chain([Output::Eject]);
    let outputs: Vec<Output> = outputs.collect();
    let mut turns = Vec::new();
    for (input, input_vc) in class.queues() {
        for &output in &outputs {
            let output_vc = relation.output_vc(input, input_vc, output);
            // A VC that the fabric does not have cannot be asked for in hardware.
            if output_vc.0 < relation.vcs() {
                turns.push(Turn { input, input_vc, output, output_vc });
            }
        }
    }
    Some(lay_out(network, &turns, &class.header_masks, |_, _| complete.clone(), name))
}

/// Ports, queues and (output, VC)s in their order: `inject` first, `eject` last.
pub(super) fn lay_out(
    network: &Network,
    turns: &[Turn],
    masks: &BTreeMap<(Input, Vc), Header>,
    select: impl Fn(Input, Vc) -> Select,
    name: String,
) -> SwitchPlan {
    let (topology, relation) = (network.topology(), network.relation());
    let several = relation.vcs() > 1;
    let vc_name = |port: &str, vc: Vc| match several {
        true => format!("{port}_vc{}", vc.0),
        false => port.to_owned(),
    };
    let mut inputs: Vec<InputPlan> = Vec::new();
    let mut queues = Vec::new();
    for (&(input, vc), &mask) in masks {
        if inputs.last().is_none_or(|i| i.input != input) {
            let name = match input {
                Input::Inject => "inject".to_owned(),
                Input::Network(port) => topology.port_name(port),
            };
            let all = masks.iter().filter(|((i, _), _)| *i == input).fold(0, |a, (_, m)| a | m);
            inputs.push(InputPlan { input, name, header: bits_of(all), vcs: Vec::new() });
        }
        let index = inputs.len() - 1;
        inputs[index].vcs.push(vc);
        let name = match input {
            Input::Inject => "inject".to_owned(),
            Input::Network(_) => vc_name(&inputs[index].name, vc),
        };
        let select = select(input, vc);
        queues.push(QueuePlan { input: index, vc, name, header: bits_of(mask), select });
    }
    let mut by_output: BTreeMap<(Output, Vc), Vec<SourcePlan>> = BTreeMap::new();
    for turn in turns {
        let queue = queues
            .iter()
            .position(|q: &QueuePlan| (inputs[q.input].input, q.vc) == (turn.input, turn.input_vc))
            .expect("a turn's input is a queue");
        let keeps = match turn.output {
            Output::Network(port) => relation.keeps(turn.input, port),
            Output::Eject => 0,
        };
        let sources = by_output.entry((turn.output, turn.output_vc)).or_default();
        sources.push(SourcePlan { queue, keeps });
    }
    let mut outputs: Vec<OutputPlan> = Vec::new();
    let mut output_vcs = Vec::new();
    for ((output, vc), mut sources) in by_output {
        sources.sort_by_key(|s| s.queue);
        if outputs.last().is_none_or(|o| o.output != output) {
            let name = match output {
                Output::Eject => "eject".to_owned(),
                Output::Network(port) => topology.port_name(port),
            };
            let header = match output {
                Output::Eject => Vec::new(),
                Output::Network(port) => channel_header(topology, masks, port),
            };
            outputs.push(OutputPlan { output, name, header, vcs: Vec::new() });
        }
        let index = outputs.len() - 1;
        outputs[index].vcs.push(vc);
        let name = match output {
            Output::Eject => "eject".to_owned(),
            Output::Network(_) => vc_name(&outputs[index].name, vc),
        };
        output_vcs.push(OutputVcPlan { output: index, vc, name, sources });
    }
    let mut turns = turns.to_vec();
    turns.sort_unstable();
    SwitchPlan { name, inputs, outputs, queues, output_vcs, turns }
}

/// Header bits on the wires of the channel that `output` drives: those of the queues at its
/// end. On every topology here a channel ends at an input of one name wherever it starts.
fn channel_header(
    topology: &dyn Topology,
    masks: &BTreeMap<(Input, Vc), Header>,
    output: Port,
) -> Vec<u32> {
    let input = channel_end(topology, output);
    bits_of(masks.iter().filter(|((i, _), _)| Some(*i) == input).fold(0, |a, (_, m)| a | m))
}

/// The input at which the channels of an output port end.
pub(super) fn channel_end(topology: &dyn Topology, output: Port) -> Option<Input> {
    let end = topology.all_nodes().find_map(|node| topology.channel(node, output));
    end.map(|(_, port)| Input::Network(port))
}

fn bits_of(mask: Header) -> Vec<u32> {
    (0..64).filter(|&bit| mask >> bit & 1 == 1).collect()
}

/// Holds the reduced route logic against the relation, for every header that reaches a switch
/// of this class.
fn check_logic(network: &Network, class: &SwitchTurns, plan: &SwitchPlan) -> Result<(), PlanError> {
    let by_queue: BTreeMap<(Input, Vc), &QueuePlan> =
        plan.queues.iter().map(|q| ((plan.inputs[q.input].input, q.vc), q)).collect();
    debug_assert_eq!(by_queue.len(), class.header_masks.len());
    let mut result = Ok(());
    let (topology, relation) = (network.topology(), network.relation());
    for source in network.sources() {
        for destination in topology.terminal_nodes() {
            // Routes were walked before: they arrive.
            let _ = crate::routing::walk::walk(topology, relation, source, destination, |step| {
                let here = network.turns().class_of(step.node);
                if !std::ptr::eq(&network.turns().classes[here], class) {
                    return;
                }
                let queue = by_queue[&(step.input, step.vc)];
                let logic = queue.select.output(step.header);
                if logic != step.hop.output && result.is_ok() {
                    result = Err(PlanError::Logic {
                        relation: relation.name(),
                        queue: queue.name.clone(),
                        header: step.header,
                        logic,
                        hop: step.hop.output,
                    });
                }
            });
        }
    }
    result
}

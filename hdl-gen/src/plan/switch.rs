//! The plan of one class of switches: ports, queues, route logic and arbiters.

use super::PlanError;
use crate::network::Network;
use crate::routing::{Carry, Header, Input, Output, Select, Vc, Way};
use crate::topology::Port;
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
    /// The route logic on the head flit, over the turns of this queue alone; every way names
    /// its VC.
    pub select: Select,
}

/// A queue that feeds an (output port, VC).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourcePlan {
    /// Index into [`SwitchPlan::queues`].
    pub queue: usize,
    /// What becomes of the header.
    pub carry: Carry,
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

/// Header bits by queue, those of all classes together: what the queues of an input store,
/// whatever switch it is at, and what the channels that end there carry.
pub(super) type HeaderMasks = BTreeMap<(Input, Vc), Header>;

/// Plans the switches of a class; `masks` as [`header_masks`] gives them.
///
/// # Errors
/// [`PlanError::Logic`] where the route logic disagrees with the relation.
pub(super) fn plan_switch(
    network: &Network,
    class: &SwitchTurns,
    masks: &HeaderMasks,
    name: String,
) -> Result<SwitchPlan, PlanError> {
    let turns: Vec<Turn> = class.turns.keys().copied().collect();
    let select = |input, vc| reduced(network, class, input, vc);
    let plan = lay_out(network, class, &turns, masks, select, name);
    check_logic(network, class, &plan)?;
    Ok(plan)
}

/// The route logic of a queue, over the header bits that are ever set in it and the outputs
/// that its packets take.
fn reduced(network: &Network, class: &SwitchTurns, input: Input, vc: Vc) -> Select {
    let mask = class.header_masks.get(&(input, vc)).copied().unwrap_or(0);
    let own = class.turns.keys().filter(|t| (t.input, t.input_vc) == (input, vc));
    let taken: BTreeSet<Output> = own.map(|t| t.output).collect();
    match network.relation().select(class.site, input) {
        Select::FirstRule { mut rules, one_hot } => {
            // Bits that are never set are 0 without a look.
            rules.iter_mut().for_each(|rule| rule.care &= mask);
            rules.retain(|rule| rule.value & !mask == 0 && taken.contains(&rule.way.output));
            Select::FirstRule { rules, one_hot }
        }
        table @ Select::Table { .. } => table,
    }
}

/// Per queue, the header bits that are ever set and that some switch from there on looks at:
/// the others need not be carried. The least fixed point over all turns of the network.
pub(super) fn header_masks(network: &Network) -> HeaderMasks {
    let (topology, relation) = (network.topology(), network.relation());
    let classes = &network.turns().classes;
    let mut needed = HeaderMasks::new();
    for class in classes {
        for (input, vc) in class.queues() {
            *needed.entry((input, vc)).or_default() |=
                reduced(network, class, input, vc).looks_at();
        }
    }
    let turns = classes.iter().flat_map(|class| {
        let network = class.turns.keys().filter_map(move |turn| match turn.output {
            Output::Network(port) => Some((*turn, port)),
            Output::Eject => None,
        });
        network
            .filter_map(move |(turn, port)| Some((turn, port, class.channel_end(topology, port)?)))
    });
    let turns: BTreeSet<(Turn, Port, Input)> = turns.collect();
    loop {
        let before = needed.clone();
        for (turn, port, end) in &turns {
            let ahead = before[&(*end, turn.output_vc)];
            let needs = relation.carry(turn.input, *port).needs(ahead);
            *needed.entry((turn.input, turn.input_vc)).or_default() |= needs;
        }
        if needed == before {
            break;
        }
    }
    let set = set_masks(network);
    needed.iter_mut().for_each(|(queue, mask)| *mask &= set[queue]);
    needed
}

/// Per queue, the header bits that are ever set in it, at any switch.
fn set_masks(network: &Network) -> HeaderMasks {
    let mut masks = HeaderMasks::new();
    for (queue, mask) in network.turns().classes.iter().flat_map(|class| &class.header_masks) {
        *masks.entry(*queue).or_default() |= mask;
    }
    masks
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
            let output_vc = relation.output_vc(class.site, input, input_vc, output);
            // A VC that the fabric does not have cannot be asked for in hardware.
            if output_vc.0 < relation.vcs() {
                turns.push(Turn { input, input_vc, output, output_vc });
            }
        }
    }
    Some(lay_out(network, class, &turns, &set_masks(network), |_, _| complete.clone(), name))
}

/// Ports, queues and (output, VC)s in their order: `inject` first, `eject` last. The queues are
/// those of the class; `masks` are those of the whole network.
pub(super) fn lay_out(
    network: &Network,
    class: &SwitchTurns,
    turns: &[Turn],
    masks: &HeaderMasks,
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
    for (input, vc) in class.queues() {
        let mask = masks[&(input, vc)];
        if inputs.last().is_none_or(|i| i.input != input) {
            let name = match input {
                Input::Inject => "inject".to_owned(),
                Input::Network(port) => topology.port_name(port),
            };
            let header = header_at(masks, Some(input));
            inputs.push(InputPlan { input, name, header, vcs: Vec::new() });
        }
        let index = inputs.len() - 1;
        inputs[index].vcs.push(vc);
        let name = match input {
            Input::Inject => "inject".to_owned(),
            Input::Network(_) => vc_name(&inputs[index].name, vc),
        };
        let by_turn = |way: &mut Way| {
            let by_turn = || relation.output_vc(class.site, input, vc, way.output);
            way.vc.get_or_insert_with(by_turn);
        };
        let mut select = select(input, vc);
        match &mut select {
            Select::FirstRule { rules, .. } => rules.iter_mut().for_each(|r| by_turn(&mut r.way)),
            Select::Table { ways, .. } => ways.iter_mut().for_each(by_turn),
        }
        queues.push(QueuePlan { input: index, vc, name, header: bits_of(mask), select });
    }
    let mut by_output: BTreeMap<(Output, Vc), Vec<SourcePlan>> = BTreeMap::new();
    for turn in turns {
        let queue = queues
            .iter()
            .position(|q: &QueuePlan| (inputs[q.input].input, q.vc) == (turn.input, turn.input_vc))
            .expect("a turn's input is a queue");
        let carry = match turn.output {
            Output::Network(port) => relation.carry(turn.input, port),
            Output::Eject => Carry::default(),
        };
        let sources = by_output.entry((turn.output, turn.output_vc)).or_default();
        sources.push(SourcePlan { queue, carry });
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
                Output::Network(port) => header_at(masks, class.channel_end(topology, port)),
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

/// Header bits on the wires of the channels that end at an input, whatever switch it is at.
fn header_at(masks: &HeaderMasks, end: Option<Input>) -> Vec<u32> {
    bits_of(masks.iter().filter(|((i, _), _)| Some(*i) == end).fold(0, |a, (_, m)| a | m))
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
                let way = queue.select.way(step.header);
                let logic = (way.output, way.vc.unwrap_or(Vc(0)));
                let carried = match step.hop.output {
                    Output::Network(port) => relation.carry(step.input, port).apply(step.header),
                    Output::Eject => step.hop.header,
                };
                let hop = step.hop;
                if (logic, carried) != ((hop.output, hop.vc), hop.header) && result.is_ok() {
                    result = Err(PlanError::Logic {
                        relation: relation.name(),
                        queue: queue.name.clone(),
                        header: step.header,
                        logic,
                        carried,
                        hop,
                    });
                }
            });
        }
    }
    result
}

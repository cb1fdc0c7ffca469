//! The plan of one class of switches: ports, queues, route logic and arbiters.

use super::end_names::EndNames;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use turnpike_analysis::live_bits;
use turnpike_analysis::network::Network;
use turnpike_analysis::turns::{SwitchTurns, Turn};
use turnpike_network::routing::choice::Choice;
use turnpike_network::routing::{
    Header, HeaderUpdate, Input, Output, RouteDecision, Select, Vc, bits_of,
};
use turnpike_network::topology::{Port, Topology, sinks_at};

/// An input port of a switch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputPlan {
    /// The port.
    pub input: Input,
    /// Name of the port, with which the names of its wires begin ([`super::port_names`]).
    pub name: String,
    /// Header bits on its wires, ascending.
    pub header: Vec<u32>,
    /// Virtual channels in use, ascending.
    pub vcs: Vec<Vc>,
    /// Registers that the network itself has on the channel that ends here, beside those of
    /// [`super::Parameters`]: the most of any switch of the class.
    pub delay: u32,
}

/// An output port of a switch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutputPlan {
    /// The port.
    pub output: Output,
    /// Name of the port, with which the names of its wires begin ([`super::port_names`]).
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
    /// Ports that the head may choose from: those that it can take on its adaptive VC, beside the
    /// route decision of `select`.
    pub choice: Option<Choice>,
    /// Whether it holds flits of one packet only: an adaptive queue that a channel fills, where
    /// there are escape channels.
    pub holds_one_packet: bool,
    /// Number of times that the head gives way to those of other queues before it competes as they
    /// do: [`GIVES_WAY`] at injection where packets choose ports without escape channels, and 0
    /// elsewhere.
    pub gives_way: u32,
}

/// See [`QueuePlan::gives_way`]. Without it packets come in faster than the network takes them to
/// where they go, and fill it: at loads beyond saturation meshes delivered 40 % less. One less
/// than a power of two, for a counter stops there.
pub const GIVES_WAY: u32 = 7;

/// A queue that feeds an (output port, VC).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourcePlan {
    /// Index into [`SwitchPlan::queues`].
    pub queue: usize,
    /// Update of the header.
    pub carry: HeaderUpdate,
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
    /// Priority on the link that it shares with others: [`turnpike_network::routing::Relation::priority`].
    pub priority: u8,
    /// The queues that feed it, in the order of the round robin.
    pub sources: Vec<SourcePlan>,
}

/// A class of identical switches: one Verilog module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SwitchPlan {
    /// Module name.
    pub name: String,
    /// Input ports, inject ports first.
    pub inputs: Vec<InputPlan>,
    /// Output ports, eject ports last.
    pub outputs: Vec<OutputPlan>,
    /// Queues, in the order of the ports and VCs.
    pub queues: Vec<QueuePlan>,
    /// (Output port, VC)s, in the order of the ports and VCs.
    pub output_vcs: Vec<OutputVcPlan>,
    /// The turns that are built.
    pub turns: Vec<Turn>,
}

impl SwitchPlan {
    /// The (output, VC)s of a port, as places in [`SwitchPlan::output_vcs`], by their priority: those that go
    /// first first, and those that take turns together.
    pub fn by_priority(&self, output: usize) -> Vec<Vec<usize>> {
        let mut levels: BTreeMap<Reverse<u8>, Vec<usize>> = BTreeMap::new();
        for (at, ov) in self.output_vcs.iter().enumerate().filter(|(_, ov)| ov.output == output) {
            levels.entry(Reverse(ov.priority)).or_default().push(at);
        }
        levels.into_values().collect()
    }
}

/// Plans the switches of a class.
pub(super) fn plan_switch(network: &Network, class: &SwitchTurns, name: String) -> SwitchPlan {
    let turns: Vec<Turn> = class.turns.keys().copied().collect();
    let select = |input, vc| live_bits::reduced(network.relation(), class, input, vc);
    let headers =
        Headers { stored: &class.stored, received: Some(&class.received), sent: &class.sent };
    let mut plan = lay_out(network, class, &turns, headers, select, name);
    choose(network, &mut plan, |input, vc| {
        live_bits::reduced_choice(network.relation(), class, input, vc)
    });
    plan
}

/// Gives the queues of a switch the choice of their packets.
fn choose(network: &Network, plan: &mut SwitchPlan, choice: impl Fn(Input, Vc) -> Option<Choice>) {
    for queue in &mut plan.queues {
        let input = plan.inputs[queue.input].input;
        queue.choice = choice(input, queue.vc);
        let waits_to_escape = queue.choice.is_some() && network.relation().has_escape();
        queue.holds_one_packet = waits_to_escape && !input.is_inject();
        let chooses = queue.choice.is_some() && network.relation().chooses_ports();
        let yields = chooses && !waits_to_escape && input.is_inject();
        queue.gives_way = if yields { GIVES_WAY } else { 0 };
    }
}

/// Header bits by queue.
pub(super) type Stored = BTreeMap<(Input, Vc), Header>;

/// The header bits of a switch.
#[derive(Clone, Copy)]
pub(super) struct Headers<'a> {
    /// Header bits that the queues store.
    pub stored: &'a Stored,
    /// Header bits that come to the inputs; those that the queues store where `None`.
    pub received: Option<&'a BTreeMap<Input, Header>>,
    /// Header bits that the channels carry.
    pub sent: &'a BTreeMap<Port, Header>,
}

/// Header bits that the channels of a class carry, where the queues at their ends store `stored`:
/// those of all classes together.
pub(super) fn sent_to(
    topology: &dyn Topology,
    class: &SwitchTurns,
    stored: &Stored,
) -> BTreeMap<Port, Header> {
    let ports = (0..topology.ports()).map(Port);
    let carries = |port| {
        let end = class.channel_end(topology, port)?;
        let there = stored.iter().filter(|((input, _), _)| *input == end);
        Some((port, there.fold(0, |all, (_, mask)| all | mask)))
    };
    ports.filter_map(carries).collect()
}

/// The switch with a full crossbar and the relation's complete route logic, over the same
/// queues in the same order: what a depopulated switch must equal. Every queue feeds every
/// output port, U-turns included, on the VC that the turn leads to: nothing here is taken from
/// the turns that were found. The logic is the relation's definition where that is a function
/// of the header alone, and otherwise what it says for the input, unreduced; so for packets that
/// choose.
pub fn full_crossbar_switch(network: &Network, class: &SwitchTurns, name: String) -> SwitchPlan {
    let (topology, relation) = (network.topology(), network.relation());
    let complete = relation.oblivious_select(class.site);
    let there = |port: &Port| topology.channel(class.site, *port).is_some();
    let ports = (0..topology.ports()).map(Port).filter(there);
    let locals = sinks_at(topology, class.site).filter_map(|sink| topology.sink(sink));
    let locals = locals.map(|(_, local)| local);
    let outputs: Vec<Output> =
        ports.map(Output::Network).chain(locals.map(Output::Eject)).collect();
    let select = |input, vc| {
        let select = complete.clone().unwrap_or_else(|| relation.select(class.site, input, vc));
        // No terminal takes packets at some switches of a network for flows.
        let concentrated = matches!(select, Select::Concentrated { .. });
        select.with_rules(|mut rules, one_hot| {
            rules.retain(|rule| {
                let leads =
                    |&output: &Output| live_bits::leads_to(rule.way.output, output, concentrated);
                outputs.iter().any(leads)
            });
            (rules, one_hot)
        })
    };
    let choice = |input, vc| {
        let mut choice = relation.choices_of(input, vc)?.choice(class.site, input, vc);
        // At an edge some ways have no channel.
        choice.ways.retain(|way| outputs.contains(&Output::Network(way.port)));
        Some(choice)
    };
    let mut turns = Vec::new();
    for (input, input_vc) in class.queues() {
        let select = select(input, input_vc);
        let choices = relation.choices_of(input, input_vc);
        for &output in &outputs {
            let mut vcs = select.named_vcs(output);
            if vcs.is_empty() {
                vcs.push(relation.output_vc(class.site, input, input_vc, output));
            }
            // A VC that the fabric does not have cannot be asked for in hardware.
            vcs.retain(|vc| vc.0 < relation.vcs());
            if let Some(choices) = choices.filter(|_| !output.is_eject()) {
                let adaptive = choices.adaptive_vc(input, input_vc);
                let adaptive = adaptive.filter(|_| choices.are_of_ports());
                let to = vcs.clone().into_iter().chain(adaptive);
                vcs.extend(to.flat_map(|to| choices.beside(input, input_vc, to)));
                vcs.sort_unstable();
                vcs.dedup();
            }
            let turn = |output_vc| Turn { input, input_vc, output, output_vc };
            turns.extend(vcs.into_iter().map(turn));
        }
    }
    let mut all = Stored::new();
    for (queue, mask) in network.turns().classes.iter().flat_map(|class| &class.header_masks) {
        *all.entry(*queue).or_default() |= mask;
    }
    let sent = sent_to(topology, class, &all);
    // Of the bits that are ever set, those that the logic or a channel reads.
    let read = |(&(input, vc), mask): (&(Input, Vc), &Header)| {
        let by_choice = choice(input, vc).map_or(0, |choice| choice.looks_at());
        let looks_at = select(input, vc).looks_at() | by_choice;
        let carried = sent.iter().flat_map(|(&port, &there)| {
            let carry = move |to| relation.carry(class.site, input, vc, (port, to));
            (0..relation.vcs()).map(move |to| carry(Vc(to)).needs(there))
        });
        ((input, vc), mask & carried.fold(looks_at, |all, bits| all | bits))
    };
    let stored: Stored = class.header_masks.iter().map(read).collect();
    let headers = Headers { stored: &stored, received: None, sent: &sent };
    let mut plan = lay_out(network, class, &turns, headers, select, name);
    choose(network, &mut plan, choice);
    plan
}

/// Ports, queues and (output, VC)s in their order: inject ports first, eject ports last.
pub(super) fn lay_out(
    network: &Network,
    class: &SwitchTurns,
    turns: &[Turn],
    headers: Headers<'_>,
    select: impl Fn(Input, Vc) -> Select,
    name: String,
) -> SwitchPlan {
    let (topology, relation) = (network.topology(), network.relation());
    let several = relation.vcs() > 1;
    let vc_name = |port: &str, vc: Vc| match several {
        true => format!("{port}_vc{}", vc.0),
        false => port.to_owned(),
    };
    let ends = EndNames::new(topology, class.site);
    let mut inputs: Vec<InputPlan> = Vec::new();
    let mut queues = Vec::new();
    for (&(input, vc), &mask) in headers.stored {
        if inputs.last().is_none_or(|i| i.input != input) {
            let name = ends.input(input);
            let own = headers.stored.iter().filter(|((i, _), _)| *i == input);
            let own = own.fold(0, |all, (_, mask)| all | mask);
            let received = headers.received.and_then(|received| received.get(&input));
            let header = bits_of(received.map_or(own, |received| received | own));
            let delay = class.delays.get(&input).copied().unwrap_or(0);
            inputs.push(InputPlan { input, name, header, vcs: Vec::new(), delay });
        }
        let index = inputs.len() - 1;
        inputs[index].vcs.push(vc);
        let name = match input {
            Input::Inject(_) => inputs[index].name.clone(),
            Input::Network(_) => vc_name(&inputs[index].name, vc),
        };
        let by_turn = |way: &mut RouteDecision| {
            let by_turn = relation.output_vc(class.site, input, vc, way.output);
            let mut built = turns
                .iter()
                .filter(|turn| (turn.input, turn.input_vc, turn.output) == (input, vc, way.output));
            // A baseline's turn may lead to another VC than the relation's rule.
            let first = built.clone().next();
            let there = built.any(|turn| turn.output_vc == by_turn);
            let vc = first.filter(|_| !there).map_or(by_turn, |turn| turn.output_vc);
            way.vc.get_or_insert(vc);
        };
        let mut select = select(input, vc);
        select.ways_mut().for_each(by_turn);
        let header = bits_of(mask);
        queues.push(QueuePlan {
            input: index,
            vc,
            name,
            header,
            select,
            choice: None,
            holds_one_packet: false,
            gives_way: 0,
        });
    }
    let mut by_output: BTreeMap<(Output, Vc), Vec<SourcePlan>> = BTreeMap::new();
    for turn in turns {
        let queue = queues
            .iter()
            .position(|q: &QueuePlan| (inputs[q.input].input, q.vc) == (turn.input, turn.input_vc))
            .expect("a turn's input is a queue");
        let carry = match turn.output {
            Output::Network(port) => {
                relation.carry(class.site, turn.input, turn.input_vc, (port, turn.output_vc))
            }
            Output::Eject(_) => HeaderUpdate::default(),
        };
        let sources = by_output.entry((turn.output, turn.output_vc)).or_default();
        sources.push(SourcePlan { queue, carry });
    }
    let mut outputs: Vec<OutputPlan> = Vec::new();
    let mut output_vcs = Vec::new();
    for ((output, vc), mut sources) in by_output {
        sources.sort_by_key(|s| s.queue);
        if outputs.last().is_none_or(|o| o.output != output) {
            let name = ends.output(output);
            let header = match output {
                Output::Eject(_) => Vec::new(),
                Output::Network(port) => bits_of(headers.sent.get(&port).copied().unwrap_or(0)),
            };
            outputs.push(OutputPlan { output, name, header, vcs: Vec::new() });
        }
        let index = outputs.len() - 1;
        outputs[index].vcs.push(vc);
        let name = match output {
            Output::Eject(_) => outputs[index].name.clone(),
            Output::Network(_) => vc_name(&outputs[index].name, vc),
        };
        let priority = if output.is_eject() { 0 } else { relation.priority(vc) };
        output_vcs.push(OutputVcPlan { output: index, vc, name, priority, sources });
    }
    let mut turns = turns.to_vec();
    turns.sort_unstable();
    SwitchPlan { name, inputs, outputs, queues, output_vcs, turns }
}

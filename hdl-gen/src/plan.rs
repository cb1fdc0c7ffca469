//! The fabric plan: the one description that everything downstream reads. RTL, emission and
//! the reference router all start here.

use crate::network::Network;
use crate::routing::{Header, Injection, Input, Output, Select, Vc};
use crate::topology::{Node, Port, Topology};
use crate::turns::{SwitchTurns, Turn};
use crate::{names, topology};
use std::collections::{BTreeMap, BTreeSet};
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
}

impl Default for Parameters {
    fn default() -> Self {
        Self { width: 32, depth: 4, source_id: false, user_width: 0, keep: false }
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
    /// The formula and the relation disagree: a bug in the relation's file.
    #[error(
        "internal error: routing '{relation}': the route logic of {queue} for header \
             {header:#b} says {logic:?}, the relation says {hop:?}"
    )]
    Logic {
        /// The relation.
        relation: &'static str,
        /// The queue.
        queue: String,
        /// The header.
        header: Header,
        /// What the hardware would do.
        logic: Output,
        /// What the relation does.
        hop: Output,
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
        range("--user-width", self.user_width, 0, 1024)?;
        if self.keep && !self.width.is_multiple_of(8) {
            return Err(PlanError::Keep(self.width));
        }
        Ok(())
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
    /// How a terminal makes headers.
    pub injection: Injection,
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
        let default_name = format!(
            "{}_{}_{}",
            network.topology().name().replace('-', "_"),
            network.topology().dimension(),
            network.relation().name().replace('-', "_")
        );
        let name = name.map_or(default_name, str::to_owned);
        names::check_identifier(&name)?;
        let classes = &network.turns().classes;
        let switches = classes
            .iter()
            .enumerate()
            .map(|(i, class)| {
                let suffix = if classes.len() == 1 { String::new() } else { format!("_{i}") };
                plan_switch(&network, class, format!("{name}_switch{suffix}"))
            })
            .collect::<Result<_, _>>()?;
        let injection = network.relation().injection();
        Ok(Self { name, network, parameters, switches, injection })
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

    /// Header bits that go into an injection queue, ascending: those that some switch needs.
    pub fn injected_header(&self) -> Vec<u32> {
        let inputs = self.switches.iter().flat_map(|s| &s.inputs);
        let inject = inputs.filter(|i| i.input == Input::Inject);
        let bits: BTreeSet<u32> = inject.flat_map(|i| i.header.iter().copied()).collect();
        bits.into_iter().collect()
    }

    /// Cycles from the acceptance of a flit at a terminal to its being at the head of an empty
    /// injection queue.
    pub fn injection_cycles(&self) -> u32 {
        1 + u32::from(self.injection.first_port.as_ref().is_some_and(|f| f.registered))
    }

    /// Cycles from the head of one queue to the head of the next.
    pub fn hop_cycles(&self) -> u32 {
        1
    }

    /// Cycles from the acceptance of a flit to `m_axis_tvalid`, over `hops` channels of an
    /// empty network.
    pub fn zero_load_latency(&self, hops: u32) -> u32 {
        self.injection_cycles() + hops * self.hop_cycles()
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
        let nodes = u64::from(topology.nodes());
        for (port, width, option) in [
            ("s_axis_tdata", self.parameters.width, "--width"),
            ("s_axis_tuser", self.parameters.user_width, "--user-width"),
        ] {
            let bits = nodes * u64::from(width);
            if bits > MAX_VECTOR_BITS {
                let fits = MAX_VECTOR_BITS / nodes;
                let remedy = format!("{option} {fits} or less, or fewer nodes");
                return Err(PlanError::Vector { port, bits, remedy });
            }
        }
        Ok(())
    }
}

fn plan_switch(
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
    let needed = needed_bits(network, &reduced);
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
/// queues in the same order: what a depopulated switch must equal. `None` where the relation
/// has no form that is a function of the header alone.
pub fn full_crossbar_switch(
    network: &Network,
    class: &SwitchTurns,
    name: String,
) -> Option<SwitchPlan> {
    let relation = network.relation();
    let complete = relation.oblivious_select()?;
    let queues: Vec<(Input, Vc)> = class.queues().collect();
    let outputs: BTreeSet<(Output, Vc)> =
        class.turns.keys().map(|t| (t.output, t.output_vc)).collect();
    let ports: BTreeSet<Output> = outputs.iter().map(|&(o, _)| o).collect();
    let mut turns = Vec::new();
    for &(input, input_vc) in &queues {
        for &output in &ports {
            let output_vc = relation.output_vc(input, input_vc, output);
            if outputs.contains(&(output, output_vc)) {
                turns.push(Turn { input, input_vc, output, output_vc });
            }
        }
    }
    Some(lay_out(network, &turns, &class.header_masks, |_, _| complete.clone(), name))
}

/// Ports, queues and (output, VC)s in their order: `inject` first, `eject` last.
fn lay_out(
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
fn channel_end(topology: &dyn Topology, output: Port) -> Option<Input> {
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
    let sources = if network.is_invariant() { 1 } else { topology.nodes() };
    for source in (0..sources).map(Node) {
        for destination in topology.all_nodes() {
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
        for (parameters, text) in [
            (Parameters { width: 0, ..Parameters::default() }, "--width 0"),
            (Parameters { width: 1025, ..Parameters::default() }, "--width 1025"),
            (Parameters { depth: 1, ..Parameters::default() }, "--depth 1"),
            (Parameters { width: 12, keep: true, ..Parameters::default() }, "multiple of 8"),
        ] {
            let error = FabricPlan::new(network.clone(), parameters, None).unwrap_err();
            assert!(error.to_string().contains(text), "{error}");
        }
    }
}

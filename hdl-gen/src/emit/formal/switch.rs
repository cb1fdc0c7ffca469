//! Proofs of the switches: any one packet is followed through, and what must become of it is
//! read from the routes of the relation.

use super::expected::{Ways, counting, expected};
use super::{
    Context, EmitError, Kind, Proofs, Task, bits_for, files_below, gather, literal, parts,
};
use crate::plan::SwitchPlan;
use crate::routing::{Header, Input, Output};
use crate::rtl::Module;
use crate::rtl::switch::port;
use askama::Template;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Cycles in which all is ready and nothing moves, after which a switch counts as stuck. The
/// slowest micro-architecture needs fewer.
const PATIENCE: u32 = 5;

/// Flits of one packet that a switch may hold beside its queue: output registers, with room.
const BESIDE_THE_QUEUE: u32 = 3;

/// Cycles that the switch is looked at with its real queues.
const BOUND: u32 = 7;

/// Switches with up to so many queues are shown for ever to go on, larger ones for
/// [`PROGRESS_BOUND`] cycles: beyond that the proof takes many minutes.
const PROVEN_QUEUES: usize = 5;

/// The same where outputs are registers.
const PROVEN_QUEUES_REGISTERED: usize = 3;

/// Cycles that a larger switch is shown to go on.
const PROGRESS_BOUND: u32 = 10;

/// Cycles within which everything that a switch can do is reached.
const REACH: u32 = 12;

struct InputPort {
    name: String,
    /// Header bits on its wires.
    header: u32,
    /// Whether it has several virtual channels.
    several: bool,
}

struct Queue {
    name: String,
    input: String,
    valid: String,
    ready: String,
    /// Header bits that count.
    header: u32,
    /// Those bits on the port's wires.
    header_wires: String,
    /// Whether it ends a channel, and is not the terminal's.
    channel: bool,
    /// Whether it takes in a packet only when it is empty.
    one_packet: bool,
    rows: Vec<Row>,
}

/// What becomes of a header.
struct Row {
    header: String,
    /// One, but where packets choose.
    ways: Vec<Way>,
}

/// A lane, and the header from there on; empty where packets choose and none of it counts.
struct Way {
    lane: String,
    next: String,
}

struct OutputPort {
    name: String,
    header: u32,
}

/// An (output port, VC).
struct Lane {
    name: String,
    output: String,
    /// Whether it starts a channel, and is not the terminal's.
    channel: bool,
    valid: String,
    ready: String,
    /// Header bits that count further on, as the switch gives them; empty where none does.
    header: String,
    /// The same bits as the relation gives them.
    wanted: String,
    /// That the followed packet must leave here, or may, and that it must not.
    here: String,
    elsewhere: String,
    /// Packets of others that leave here at most while one waits that may.
    patience: u32,
}

struct Turn {
    name: String,
    source: usize,
    lane: String,
}

#[derive(Template)]
#[template(path = "formal/switch.v.askama", escape = "none")]
struct SwitchFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    dut: &'a str,
    /// Bits of a flit without `last`.
    width: u32,
    /// Whether flits have room for a mark of later packets.
    order: bool,
    mark_top: u32,
    inputs: Vec<InputPort>,
    queues: Vec<Queue>,
    outputs: Vec<OutputPort>,
    lanes: Vec<Lane>,
    turns: Vec<Turn>,
    connections: Vec<String>,
    /// Whether packets choose their lane.
    chooses: bool,
    lane_bits: u32,
    source_bits: u32,
    /// Bits of the widest header that a queue stores.
    came_bits: u32,
    next_bits: u32,
    /// Bits to count packets that go first.
    passed_bits: u32,
    inside_bits: u32,
    most: u32,
    patience: u32,
    /// Whether a flit may be on the way when the queue at a channel's end says whether it has
    /// room.
    in_flight: bool,
    /// Whether it has a terminal that takes packets.
    ejects: bool,
}

impl SwitchFile<'_> {
    fn queues_of(&self, input: &InputPort) -> Vec<&Queue> {
        self.queues.iter().filter(|q| q.input == input.name).collect()
    }

    /// Every two queues of a port.
    fn pairs_of(&self, input: &InputPort) -> Vec<(&Queue, &Queue)> {
        let queues = self.queues_of(input);
        let pairs = queues
            .iter()
            .enumerate()
            .flat_map(|(at, &first)| queues[at + 1..].iter().map(move |&second| (first, second)));
        pairs.collect()
    }

    /// Whether what comes in at a port belongs to a later packet of the followed one's queue.
    fn later_of(&self, input: &InputPort) -> String {
        let names: Vec<_> =
            self.queues_of(input).iter().map(|q| format!("{}_later", q.name)).collect();
        if let [one] = &names[..] { one.clone() } else { format!("({})", names.join(" | ")) }
    }

    /// The data of a flit of another packet.
    fn other_flit(&self, input: &InputPort) -> String {
        let (name, top) = (&input.name, self.width - 1);
        match self.width.checked_sub(self.mark_top + 2) {
            None => format!("{name}_in_mark"),
            Some(_) => format!("{{{name}_in_other[{top}:{}], {name}_in_mark}}", self.mark_top + 1),
        }
    }

    /// The rest of a section's line.
    fn dashes(&self, name: &str) -> String {
        "-".repeat(78_usize.saturating_sub(name.len()))
    }
}

#[derive(Template)]
#[template(path = "formal/slot.v.askama", escape = "none")]
struct SlotFile<'a> {
    heading: Vec<String>,
    name: &'a str,
}

pub(super) fn switches(
    context: &Context<'_>,
    modules: &[Arc<Module>],
    proofs: &mut Proofs,
) -> Result<(), EmitError> {
    // By module, the file that stands for it in the proof.
    let mut slots = BTreeMap::new();
    for queue in parts::queue_modules(context, modules) {
        let about = [
            "Stands for a queue in the proof of the switch: one word. At its output it does all",
            "that a queue of any depth can do, whose order and data are proven apart.",
        ];
        let heading = context.head(&queue.name, &about);
        let text = SlotFile { heading, name: &queue.name }.render()?;
        let file = proofs.module(&format!("{}_slot", queue.name), text);
        slots.insert(format!("{}.v", queue.name), file);
    }
    let mut tasks = Vec::new();
    let several = context.plan.switches.len() > 1;
    for (class, switch) in context.plan.switches.iter().enumerate() {
        let Some(module) = modules.iter().find(|m| m.name == switch.name) else { continue };
        let name = format!("{}_formal", switch.name);
        let text = property_module(context, class, &name)?;
        let file = proofs.module(&name, text);
        let mut real = files_below(module);
        let mut short: Vec<String> =
            real.iter().map(|f| slots.get(f).unwrap_or(f).clone()).collect();
        real.push(file.clone());
        short.push(file);
        let suffix = if several { format!("_{class}") } else { String::new() };
        let most = match context.plan.parameters.pipeline.registers_output() {
            true => PROVEN_QUEUES_REGISTERED,
            false => PROVEN_QUEUES,
        };
        let progress = match switch.queues.len() <= most {
            true => Kind::Proof,
            false => Kind::Bounded(PROGRESS_BOUND),
        };
        let chooses = context.plan.network.relation().adaptive().is_some();
        let delivery = match chooses {
            false => {
                "delivered once where the relation says, uncorrupted, in order, not interleaved"
            }
            true => {
                "delivered once, by one way that the relation allows, uncorrupted, in order, not \
                 interleaved; an adaptive queue holds one packet"
            }
        };
        let wait = chooses.then_some((
            "wait",
            progress,
            "passed over by a bounded number of packets, wherever it may leave",
            Some("ONLY_WAIT"),
            &short,
        ));
        let tasks_of_all = [
            ("prove", Kind::Proof, delivery, Some("ONLY_DELIVERY"), &short),
            (
                "progress",
                progress,
                "does not get stuck while outputs are ready",
                Some("ONLY_PROGRESS"),
                &short,
            ),
            ("bounded", Kind::Bounded(BOUND), "both, with the queues as they are", None, &real),
            (
                "cover",
                Kind::Cover(REACH),
                "every turn, waiting, packets of several flits are reached",
                None,
                &real,
            ),
        ];
        for (name_of, kind, properties, define, files) in tasks_of_all.into_iter().chain(wait) {
            tasks.push(Task {
                name: format!("{name_of}{suffix}"),
                kind,
                module: switch.name.clone(),
                properties,
                define,
                top: name.clone(),
                files: files.clone(),
            });
        }
    }
    proofs.proof("switch", "The switches.", tasks);
    Ok(())
}

/// `{wire[2], wire[0]}`: the bits of a port's header, of which the wires carry `all`.
fn bits(wire: &str, all: &[u32], wanted: &[u32]) -> String {
    if all == wanted {
        return wire.to_owned();
    }
    let place =
        |bit: &u32| all.iter().position(|b| b == bit).expect("a stored bit is on the wires");
    let list: Vec<String> =
        wanted.iter().rev().map(|bit| format!("{wire}[{}]", place(bit))).collect();
    format!("{{{}}}", list.join(", "))
}

fn property_module(context: &Context<'_>, class: usize, name: &str) -> Result<String, EmitError> {
    let plan = context.plan;
    let switch = &plan.switches[class];
    let expected = expected(plan, class)?;
    let width = plan.flit_width() - 1;
    let order = width >= 2;
    // Whoever has taken a lane may have to let the other VCs of its link go first.
    let sharing = switch.outputs.iter().map(|o| o.vcs.len() as u32).max().unwrap_or(1) - 1;
    let widest = switch.outputs.iter().map(|o| o.header.len() as u32).max().unwrap_or(0).max(1);
    let chooses = plan.network.relation().adaptive().is_some();
    let lanes: Vec<Lane> = switch
        .output_vcs
        .iter()
        .enumerate()
        .map(|(index, lane)| {
            let output = &switch.outputs[lane.output];
            let mask = counting(plan, switch, lane);
            let counts: Vec<u32> =
                output.header.iter().copied().filter(|bit| mask >> bit & 1 == 1).collect();
            let some = !counts.is_empty();
            let wanted: Vec<u32> = (0..widest).collect();
            let at: Vec<u32> = (0..counts.len() as u32).collect();
            let constant = format!("TO_{}", lane.name.to_uppercase());
            let (wanted_next, here, elsewhere) = match chooses {
                false => (
                    "wanted_next".to_owned(),
                    format!("wanted == {constant}"),
                    format!("wanted != {constant}"),
                ),
                true => (
                    format!("to_{}_next", lane.name),
                    format!("wanted[{index}]"),
                    format!("~wanted[{index}]"),
                ),
            };
            Lane {
                name: lane.name.clone(),
                output: output.name.clone(),
                channel: output.output != Output::Eject,
                valid: port::output_vc(output, lane.vc, "valid"),
                ready: port::output_vc(output, lane.vc, "ready"),
                header: if some {
                    bits(&port::output(output, "header"), &output.header, &counts)
                } else {
                    String::new()
                },
                wanted: bits(&wanted_next, &wanted, &at),
                here,
                elsewhere,
                patience: (lane.sources.len() - 1) as u32
                    + if output.output == Output::Eject { 0 } else { sharing },
            }
        })
        .collect();
    let way = |(&lane, &next): (&usize, &Header)| {
        let output = &switch.outputs[switch.output_vcs[lane].output];
        let mask = counting(plan, switch, &switch.output_vcs[lane]);
        let counts: Vec<u32> =
            output.header.iter().copied().filter(|bit| mask >> bit & 1 == 1).collect();
        let next = match chooses && counts.is_empty() {
            true => String::new(),
            false => literal(widest, gather(next, &counts)),
        };
        Way { lane: lanes[lane].name.clone(), next }
    };
    let row = |queue: usize, (&header, ways): (&Header, &Ways)| Row {
        header: literal(switch.queues[queue].header.len() as u32, header),
        ways: ways.iter().map(way).collect(),
    };
    let queues = switch.queues.iter().enumerate().map(|(at, queue)| {
        let input = &switch.inputs[queue.input];
        Queue {
            name: queue.name.clone(),
            input: input.name.clone(),
            valid: port::input_vc(input, queue.vc, "valid"),
            ready: port::input_vc(input, queue.vc, "ready"),
            header: queue.header.len() as u32,
            header_wires: bits(&port::input(input, "header"), &input.header, &queue.header),
            channel: input.input != Input::Inject,
            one_packet: queue.holds_one_packet(switch),
            rows: expected[at].iter().map(|entry| row(at, entry)).collect(),
        }
    });
    let turns: BTreeSet<(usize, usize)> = expected
        .iter()
        .enumerate()
        .flat_map(|(queue, rows)| {
            rows.values().flat_map(Ways::keys).map(move |&lane| (queue, lane))
        })
        .collect();
    let turn = |&(source, lane): &(usize, usize)| Turn {
        name: format!("{}_to_{}", switch.queues[source].name, lanes[lane].name),
        source,
        lane: lanes[lane].name.clone(),
    };
    let most = plan.parameters.depth + BESIDE_THE_QUEUE;
    let about = [
        "Any one packet through the switch: it leaves once, at the output and with the header that",
        "the relation names, in order, uncorrupted, not interleaved, and does not get stuck.",
    ];
    let file = SwitchFile {
        heading: context.head(name, &about),
        name,
        dut: &switch.name,
        width,
        order,
        mark_top: u32::from(order),
        inputs: switch
            .inputs
            .iter()
            .map(|i| InputPort {
                name: i.name.clone(),
                header: i.header.len() as u32,
                several: i.vcs.len() > 1,
            })
            .collect(),
        queues: queues.collect(),
        outputs: switch
            .outputs
            .iter()
            .map(|o| OutputPort { name: o.name.clone(), header: o.header.len() as u32 })
            .collect(),
        turns: turns.iter().map(turn).collect(),
        connections: connections(switch),
        chooses,
        lane_bits: bits_for(lanes.len() as u32 - 1).max(1),
        source_bits: bits_for(switch.queues.len() as u32),
        came_bits: switch.queues.iter().map(|q| q.header.len() as u32).max().unwrap_or(0).max(1),
        next_bits: widest,
        passed_bits: bits_for(lanes.iter().map(|l| l.patience).max().unwrap_or(0) + 1),
        inside_bits: bits_for(most + 1),
        most,
        patience: PATIENCE,
        in_flight: plan.parameters.pipeline.in_flight() > 0,
        ejects: switch.outputs.iter().any(|o| o.output == Output::Eject),
        lanes,
    };
    Ok(file.render()?)
}

/// The ports of a switch, each of which has a net of its name in the property module.
fn connections(switch: &SwitchPlan) -> Vec<String> {
    let mut ports = Vec::new();
    for input in &switch.inputs {
        for &vc in &input.vcs {
            ports.extend(["valid", "ready"].map(|signal| port::input_vc(input, vc, signal)));
        }
        let signals =
            ["header", "flit"].into_iter().filter(|s| *s == "flit" || !input.header.is_empty());
        ports.extend(signals.map(|signal| port::input(input, signal)));
    }
    for output in &switch.outputs {
        for &vc in &output.vcs {
            ports.extend(["valid", "ready"].map(|signal| port::output_vc(output, vc, signal)));
        }
        let signals =
            ["header", "flit"].into_iter().filter(|s| *s == "flit" || !output.header.is_empty());
        ports.extend(signals.map(|signal| port::output(output, signal)));
    }
    ports
}

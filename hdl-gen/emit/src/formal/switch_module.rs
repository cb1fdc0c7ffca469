//! The property module of a switch: any one packet is followed through, and what must become of
//! it is read from the routes of the relation.

mod lanes;

use self::lanes::{Lane, bits, counts};
use super::names::PropertyNames;
use super::{Context, EmitError, literal};
use askama::Template;
use std::collections::BTreeSet;
use turnpike_base::bits::{bits_for, gather};
use turnpike_fabric::plan::expected::{Expected, Ways};
use turnpike_fabric::plan::{FabricPlan, QueuePlan, SwitchPlan};
use turnpike_fabric::rtl::switch::port;
use turnpike_network::routing::Header;

/// Cycles in which all is ready and nothing moves, after which a switch counts as stuck. The
/// slowest micro-architecture needs fewer.
const PATIENCE: u32 = 5;

/// Flits of one packet that a switch may hold beside its queue: output registers, with room.
const BESIDE_THE_QUEUE: u32 = 3;

struct InputPort {
    /// Prefix of the names of the port's wires.
    name: String,
    /// Prefix of the names of the property module's own nets.
    own: String,
    /// Header bits on its wires.
    header: u32,
    /// Whether it has several virtual channels.
    several: bool,
}

struct Queue {
    name: String,
    /// Name of the input port, with which the names of the port's own nets begin.
    input: String,
    comes_by: String,
    valid: String,
    ready: String,
    /// Header bits that count.
    header: u32,
    /// Header bits on the port's wires.
    header_wires: String,
    /// Whether it ends a channel, and is not the terminal's.
    channel: bool,
    /// Cycles up to which a flit may come after the queue was ready; 0 of the terminal's.
    in_flight: u32,
    /// Whether it takes in a packet only when it is empty.
    one_packet: bool,
    /// Number of times that the head gives way to those of other queues.
    gives_way: u32,
    rows: Vec<HeaderHops>,
}

/// Hops of a packet by its header.
struct HeaderHops {
    header: String,
    /// Hops that the packet may take: one, but where packets choose.
    ways: Vec<LaneHop>,
}

/// A lane, and the header from there on; empty where packets choose and none of it counts.
struct LaneHop {
    lane: String,
    next: String,
}

struct OutputPort {
    name: String,
    header: u32,
}

/// An eject port in a property module.
pub(super) struct Eject {
    /// Name of the port.
    pub port: String,
    /// Prefix of the names of its registers: nothing where it is the only one.
    pub prefix: String,
}

/// The eject ports of these names.
pub(super) fn ejects<'a>(names: impl Iterator<Item = &'a str>) -> Vec<Eject> {
    let names: Vec<&str> = names.collect();
    let prefix = |name: &str| if names.len() > 1 { format!("{name}_") } else { String::new() };
    names.iter().map(|&name| Eject { port: name.to_owned(), prefix: prefix(name) }).collect()
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
    /// Bits to count the cycles in which a packet that chooses goes away empty-handed.
    lost_bits: u32,
    /// Cycles that a packet with a channel waits for the other VCs of its link.
    sharing: u32,
    /// Number of times that an injected packet gives way.
    gives_way: u32,
    /// Bits to count cycles in which none goes.
    held_bits: u32,
    inside_bits: u32,
    most: u32,
    patience: u32,
    /// Flits that may be on the way when the queue at a channel's end says whether it has room.
    in_flight: u32,
    /// Whether outputs send out of a register.
    registers_output: bool,
    /// Whether a register stands behind each queue for the flit that leaves next.
    has_fronts: bool,
    /// Whether VCs of a link have unlike priorities.
    has_priorities: bool,
    /// Eject ports of the switch.
    ejects: Vec<Eject>,
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
        let (name, top) = (&input.own, self.width - 1);
        match self.width.checked_sub(self.mark_top + 2) {
            None => format!("{name}_in_mark"),
            Some(_) => format!("{{{name}_in_other[{top}:{}], {name}_in_mark}}", self.mark_top + 1),
        }
    }

    /// Dashes that fill the line of a section's name.
    fn dashes(&self, name: &str) -> String {
        "-".repeat(78_usize.saturating_sub(name.len()))
    }
}

/// The module for a class of switches, of which the relation says `expected`.
pub(super) fn property_module(
    context: &Context<'_, FabricPlan>,
    switch: &SwitchPlan,
    expected: &Expected,
    name: &str,
) -> Result<String, EmitError> {
    let plan = context.plan;
    let width = plan.flit_width() - 1;
    let order = width >= 2;
    // Whoever has taken a lane may have to let the other VCs of its link go first.
    let sharing = switch.outputs.iter().map(|o| o.vcs.len() as u32).max().unwrap_or(0);
    let sharing = sharing.saturating_sub(1);
    let widest = switch.outputs.iter().map(|o| o.header.len() as u32).max().unwrap_or(0).max(1);
    let chooses = plan.chooses();
    let connections = connections(switch);
    let ejects = ejects(switch.outputs.iter().filter(|o| o.output.is_eject()).map(|o| &*o.name));
    let mut names = PropertyNames::new(switch, &connections, &ejects);
    let lanes = lanes::lanes(plan, switch, &names.lanes, widest);
    let way = |(&lane, &next): (&usize, &Header)| {
        let counts = counts(plan, switch, &switch.output_vcs[lane]);
        let next = match chooses && counts.is_empty() {
            true => String::new(),
            false => literal(widest, gather(next, &counts)),
        };
        LaneHop { lane: lanes[lane].name.clone(), next }
    };
    let row = |queue: usize, (&header, ways): (&Header, &Ways)| HeaderHops {
        header: literal(switch.queues[queue].header.len() as u32, header),
        ways: ways.iter().map(way).collect(),
    };
    let queue = |(at, queue): (usize, &QueuePlan)| {
        let input = &switch.inputs[queue.input];
        Queue {
            name: names.queues[at].clone(),
            input: input.name.clone(),
            comes_by: names.inputs[queue.input].clone(),
            valid: port::input_vc(input, queue.vc, "valid"),
            ready: port::input_vc(input, queue.vc, "ready"),
            header: queue.header.len() as u32,
            header_wires: bits(&port::input(input, "header"), &input.header, &queue.header),
            channel: !input.input.is_inject(),
            in_flight: match input.input.is_inject() {
                true => 0,
                false => plan.queue_size(switch, queue).in_flight,
            },
            one_packet: queue.holds_one_packet,
            gives_way: queue.gives_way,
            rows: expected[at].iter().map(|entry| row(at, entry)).collect(),
        }
    };
    let queues: Vec<Queue> = switch.queues.iter().enumerate().map(queue).collect();
    let in_flight = queues.iter().map(|queue| queue.in_flight).max().unwrap_or(0);
    let turns: BTreeSet<(usize, usize)> = expected
        .iter()
        .enumerate()
        .flat_map(|(queue, rows)| {
            rows.values().flat_map(Ways::keys).map(move |&lane| (queue, lane))
        })
        .collect();
    let mut turn = |&(source, lane): &(usize, usize)| Turn {
        name: names.turn(source, lane),
        source,
        lane: lanes[lane].name.clone(),
    };
    let gives_way = switch.queues.iter().map(|queue| queue.gives_way).max().unwrap_or(0);
    // See `most_lost` in the module.
    let losses = |ways: &Ways| ways.keys().map(|&lane| lanes[lane].patience).sum::<u32>();
    let most_lost = expected.iter().flat_map(|rows| rows.values().map(losses)).max().unwrap_or(0);
    let most_lost = most_lost + gives_way + sharing;
    let most = plan.most_held() + BESIDE_THE_QUEUE;
    let about = [
        "Any one packet through the switch: it leaves once, at the output and with the header that",
        "the relation names, in order, uncorrupted, not interleaved, and does not get stuck.",
    ];
    let turns: Vec<Turn> = turns.iter().map(&mut turn).collect();
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
            .zip(&names.inputs)
            .map(|(i, own)| InputPort {
                name: i.name.clone(),
                own: own.clone(),
                header: i.header.len() as u32,
                several: i.vcs.len() > 1,
            })
            .collect(),
        queues,
        outputs: switch
            .outputs
            .iter()
            .map(|o| OutputPort { name: o.name.clone(), header: o.header.len() as u32 })
            .collect(),
        turns,
        connections,
        chooses,
        lane_bits: bits_for(lanes.len() as u32).max(1),
        source_bits: bits_for(switch.queues.len() as u32 + 1),
        came_bits: switch.queues.iter().map(|q| q.header.len() as u32).max().unwrap_or(0).max(1),
        next_bits: widest,
        passed_bits: bits_for(lanes.iter().map(|l| l.patience).max().unwrap_or(0) + 2),
        lost_bits: bits_for(most_lost + 2),
        sharing,
        gives_way,
        held_bits: bits_for(lanes.iter().map(|l| l.turns).max().unwrap_or(0) + 2),
        inside_bits: bits_for(most + 2),
        most,
        patience: PATIENCE,
        in_flight,
        registers_output: plan.parameters.pipeline.registers_output(),
        has_fronts: plan.parameters.pipeline.asks_ahead(),
        has_priorities: lanes.iter().any(|lane| !lane.above.is_empty()),
        ejects,
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

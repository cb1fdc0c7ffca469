//! The manifest of a bus fabric.

use crate::given::ListFile;
use crate::manifest::{Fields, Latency, NoFields, Terminal};
use serde::Serialize;
use turnpike_bus::{BusPlan, Funnels, Grid, Layout};

/// Busses, and when their senders send.
#[derive(Serialize)]
pub struct Hardware {
    protocol: Protocol,
    busses: Vec<Busses>,
    /// Pairs of a sender and a receiver on one bus.
    crosspoints: u64,
    /// Functions that the wires of a split&hash network realise.
    #[serde(skip_serializing_if = "Option::is_none")]
    functions: Option<Vec<Functions>>,
}

/// Sizes of words and queues, and the seed of what senders draw.
#[derive(Serialize)]
pub struct Parameters {
    width: u32,
    depth: u32,
    source_id: bool,
    /// `high` or `low`.
    reset: &'static str,
    /// Seed of the senders' draws.
    #[serde(skip_serializing_if = "Option::is_none")]
    draw_seed: Option<u64>,
}

#[derive(Serialize)]
struct Protocol {
    name: &'static str,
    /// With its numbers.
    options: String,
    source: &'static str,
    keeps_order: bool,
    /// Random bits that a sender draws at once.
    draw_bits: u32,
}

/// Busses of one sort.
#[derive(Serialize)]
#[serde(untagged)]
enum Busses {
    /// Busses of a dimension.
    Along {
        dimension: &'static str,
        count: u32,
        nodes: u32,
        /// Bits of a word on the bus, beside the receiver's coordinate.
        word_bits: u32,
    },
    /// Busses to a level.
    Level {
        level: u32,
        count: usize,
        /// The most senders of one.
        senders: u32,
        receivers: u32,
        /// Bits of a word on the bus, beside the receiver's part of the level.
        word_bits: u32,
    },
}

/// The functions of the funnels to a level.
#[derive(Serialize)]
struct Functions {
    level: u32,
    /// By group of the level above, by function: the place of each node.
    groups: Vec<Vec<Vec<u32>>>,
}

fn along(plan: &BusPlan, grid: &Grid) -> Vec<Busses> {
    let of = |dimension| Busses::Along {
        dimension: grid.name(dimension),
        count: grid.lines(dimension),
        nodes: grid.sides()[dimension],
        word_bits: plan.word_bits(dimension),
    };
    (0..grid.dimensions()).map(of).collect()
}

fn between_levels(plan: &BusPlan, funnels: &Funnels) -> Vec<Busses> {
    let to = |level| Busses::Level {
        level,
        count: funnels.busses(level).len(),
        senders: funnels.sizes(level).last().copied().unwrap_or(0),
        receivers: funnels.network().side(),
        word_bits: plan.word_bits(level as usize),
    };
    (0..funnels.network().levels()).rev().map(to).collect()
}

fn functions(funnels: &Funnels) -> Vec<Functions> {
    let levels = 1..funnels.network().levels();
    levels.map(|level| Functions { level, groups: funnels.functions(level).to_vec() }).collect()
}

/// Cycles of a slot: one for data, one for acknowledgements.
const SLOT_CYCLES: u32 = 2;

const RULES: [&str; 3] = [
    "A beat is a packet: there is no tlast.",
    "Slots for data and slots for acknowledgements take turns, a cycle each.",
    "A word arrives if its receiver gets no other in that slot and has room; its sender is told so in \
     the next slot, and else sends it again.",
];

const FUNCTIONS: &str = "The functions of the funnels to a level take turns, a slot each: a word goes \
                         to the place to which the function of the slot takes its node.";

/// Fields of the network.
#[derive(Serialize)]
pub struct Network {
    /// The file of the folder that gives the flows, where the bus is for some pairs of nodes alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    flows: Option<ListFile>,
}

pub(super) fn fields(plan: &BusPlan) -> Fields<Network, Parameters, NoFields, Hardware> {
    let flows = plan.flows();
    let slices = |ends: Vec<u32>| flows.map(|_| ends);
    let (grid, p) = (&plan.grid, plan.parameters);
    let kind = plan.protocol.kind();
    let order = match plan.keeps_order() {
        true => "Words of one source to one destination arrive in order.",
        false => "Words of one source to one destination may overtake each other.",
    };
    let (busses, functions) = match &plan.layout {
        Layout::Lines | Layout::OneBus(_) => (along(plan, grid), None),
        Layout::Leveled(funnels) => (between_levels(plan, funnels), Some(functions(funnels))),
    };
    let turns = functions.as_ref().map(|_| FUNCTIONS);
    Fields {
        kind: "bus",
        topology: plan.network(),
        network: Network { flows: flows.map(ListFile::of_bus) },
        parameters: Parameters {
            width: p.width,
            depth: p.depth,
            source_id: p.source_id,
            reset: if p.reset_low { "low" } else { "high" },
            draw_seed: (plan.protocol.draw_bits() > 0).then_some(p.draw_seed),
        },
        terminal: Terminal {
            count: plan.terminals(),
            address_bits: grid.address_bits(),
            addresses: Some((0..grid.nodes()).map(|node| grid.address(node)).collect()),
            protocol: "AXI4-Stream without tlast",
            s_axis: slices(plan.sources()),
            m_axis: slices(plan.sinks()),
            ..Terminal::default()
        },
        transport: NoFields {},
        latency: Latency { slot_cycles: Some(SLOT_CYCLES), ..Latency::default() },
        hardware: Hardware {
            protocol: Protocol {
                name: kind.name,
                options: plan.protocol.to_string(),
                source: kind.source,
                keeps_order: plan.keeps_order(),
                draw_bits: plan.protocol.draw_bits(),
            },
            busses,
            crosspoints: plan.extent.crosspoints,
            functions,
        },
        delivery: Some(plan.delivery()),
        rules: RULES.into_iter().chain(turns).chain([order]).collect(),
    }
}

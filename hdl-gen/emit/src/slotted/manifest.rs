//! The manifest of a slotted fabric.

use crate::manifest::switched::{Network, network_fields, terminal_fields};
use crate::manifest::{Fields, Latency, NoFields};
use crate::origin::Origin;
use serde::Serialize;
use turnpike_network::flows::Bandwidth;
use turnpike_slotted::switches::SlottedSwitch;
use turnpike_slotted::{SlottedFlow, SlottedPlan};

/// Sizes of words, and the ports.
#[derive(Serialize)]
pub struct Parameters {
    width: u32,
    user_width: u32,
    keep: bool,
    /// `flat` or `named`.
    ports: &'static str,
    /// `high` or `low`.
    reset: &'static str,
}

/// The time table, and what follows from it.
#[derive(Serialize)]
pub struct Hardware {
    /// Digest of the time table.
    schedule_sha256: String,
    /// Slots of a frame, a cycle each.
    slots: u32,
    /// Words of a frame.
    words: u32,
    /// Flows, each with its slots.
    time_table: Vec<Flow>,
    /// Switches by node, each with its slot table.
    switches: Vec<Switch>,
}

#[derive(Serialize)]
struct Flow {
    source: String,
    destination: String,
    /// Slots in which its words are taken from the source.
    slots: Vec<u32>,
    /// Words per cycle that it has.
    bandwidth: f64,
    /// Words per cycle that it asks for, where it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    asked_bandwidth: Option<f64>,
    /// Cycles from a word at `s_axis` in its slot to the same word at `m_axis`.
    cycles: u32,
    /// Words of a packet.
    packet: u32,
    /// The most cycles from the first word of such a packet at `s_axis`, in any slot, to its last word at
    /// `m_axis`, where the source offers nothing else between.
    most_cycles: u64,
    /// Cycles that it asks for, where it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    asked_cycles: Option<u32>,
}

#[derive(Serialize)]
struct Switch {
    node: String,
    outputs: Vec<Output>,
}

#[derive(Serialize)]
struct Output {
    name: String,
    /// By slot, the input that it takes; `null` in a slot in which it takes none.
    slots: Vec<Option<String>>,
}

const RULES: [&str; 5] = [
    "A word is taken in a slot of its flow: tready follows tdest. s_slot_valid and s_slot_dest say of which \
     flow a slot is, so that a source with several flows may offer the word that is taken at once.",
    "tdest is read with every word, and s_axis_error is raised for every word to an address without a flow, \
     which is taken and goes nowhere. A terminal without flows takes nothing.",
    "There is no m_axis_tready: a sink takes each word in the cycle in which it comes.",
    "Words of several sources take turns at a sink, word by word: m_axis_tid says from whom each is.",
    "Words of one source to one destination arrive in order.",
];

pub(super) fn fields(plan: &SlottedPlan) -> Fields<Network<'_>, Parameters, NoFields, Hardware> {
    let p = &plan.over().parameters;
    Fields {
        kind: "slotted",
        topology: plan.over().topology().title(),
        network: network_fields(plan.over()),
        parameters: Parameters {
            width: p.width,
            user_width: p.user_width,
            keep: p.keep,
            ports: p.ports.word(),
            reset: p.reset.word(),
        },
        terminal: terminal_fields(plan.over(), "AXI4-Stream without m_axis_tready"),
        transport: NoFields {},
        latency: Latency { slot_cycles: Some(1), ..Latency::default() },
        hardware: Hardware {
            schedule_sha256: Origin::of_slotted(plan)
                .schedule_sha256()
                .unwrap_or_default()
                .to_owned(),
            slots: plan.frame(),
            words: plan.words(),
            time_table: plan.flows().iter().map(|own| flow(plan, own)).collect(),
            switches: plan.switches().iter().map(|own| switch(plan, own)).collect(),
        },
        delivery: Some(plan.delivery()),
        rules: RULES.to_vec(),
    }
}

fn flow(plan: &SlottedPlan, own: &SlottedFlow) -> Flow {
    let topology = plan.over().topology();
    let asked = topology.flows().and_then(|all| all.between(own.source, own.destination));
    Flow {
        source: topology.terminal_label(own.source),
        destination: topology.terminal_label(own.destination),
        slots: own.starts.clone(),
        bandwidth: own.starts.len() as f64 / f64::from(plan.frame()),
        asked_bandwidth: asked.and_then(|flow| flow.bandwidth).map(Bandwidth::flits_per_cycle),
        cycles: own.cycles,
        packet: plan.packet_words(own),
        most_cycles: plan.most_cycles(own),
        asked_cycles: asked.and_then(|flow| flow.latency),
    }
}

fn switch(plan: &SlottedPlan, own: &SlottedSwitch) -> Switch {
    let input = |taken: &Option<usize>| {
        taken.map(|input| plan.input_name(own.node, own.inputs[input]).to_owned())
    };
    let outputs = own.outputs.iter().map(|output| Output {
        name: plan.output_name(own.node, output.output).to_owned(),
        slots: output.slots.iter().map(input).collect(),
    });
    Switch { node: plan.over().topology().label(own.node), outputs: outputs.collect() }
}

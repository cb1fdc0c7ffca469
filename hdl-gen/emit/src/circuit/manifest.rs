//! The manifest of a circuit fabric.

use crate::manifest::{Fields, Latency, NoFields, Terminal};
use crate::origin::Origin;
use serde::Serialize;
use turnpike_circuit::baked::Saved;
use turnpike_circuit::layout::FieldSetting;
use turnpike_circuit::plan::{CircuitPlan, Control};
use turnpike_circuit::rtl::registers::Address;

/// Words on their way.
#[derive(Serialize)]
pub struct Transport {
    /// Cycles with `enable` high from a word at its source to the same word at its sink.
    latency_cycles: u32,
}

/// Switches, and how they are set.
#[derive(Serialize)]
pub struct Hardware {
    /// Cycles for each word that a terminal sends, and what is left: a superstep of h words for
    /// each terminal takes g h + L cycles of a schedule of h slots.
    bsp: Bsp,
    stages: Vec<Stage>,
    /// Connections of each slot, where the schedule is fixed: source and sink.
    #[serde(skip_serializing_if = "Option::is_none")]
    schedule: Option<Vec<Vec<[u32; 2]>>>,
    /// Digest of the schedule.
    #[serde(skip_serializing_if = "Option::is_none")]
    schedule_sha256: Option<String>,
    /// Hardware that the schedule leaves of the switches, where it is fixed.
    #[serde(skip_serializing_if = "Option::is_none")]
    built: Option<Built>,
    #[serde(skip_serializing_if = "Option::is_none")]
    settings_memory: Option<Memory>,
}

/// Sizes, and the control of the switches.
#[derive(Serialize)]
pub struct Parameters {
    width: u32,
    stages_per_register: u32,
    /// `memory`, `baked` or `self-routing`.
    control: &'static str,
    slots: u32,
    /// `high` or `low`.
    reset: &'static str,
}

#[derive(Serialize)]
struct Bsp {
    g: u32,
    l: u32,
}

#[derive(Serialize)]
struct Stage {
    switches: u32,
    inputs: u32,
    outputs: u32,
    /// Whether registers follow.
    registers: bool,
    /// Switches that are but wires.
    wires: u32,
}

#[derive(Serialize)]
struct Built {
    crosspoints: u32,
    crosspoints_built: u32,
    outputs: u32,
    wires: u32,
    multiplexers: u32,
}

#[derive(Serialize)]
struct Memory {
    protocol: &'static str,
    address_bits: u32,
    registers: Vec<Register>,
    /// The byte address of word 0 of slot 0.
    first: u32,
    /// Bytes from a slot to the next.
    slot_bytes: u32,
    words: u32,
    bits: u32,
    fields: Vec<Field>,
}

#[derive(Serialize)]
struct Register {
    name: &'static str,
    address: u32,
    meaning: &'static str,
}

/// Bits of a word of settings.
#[derive(Serialize)]
struct Field {
    word: u32,
    low: u32,
    width: u32,
    /// `crossed`, `taken` or `open`.
    sets: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    stage: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    switch: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sink: Option<u32>,
}

pub(super) fn fields(plan: &CircuitPlan) -> Fields<NoFields, Parameters, Transport, Hardware> {
    let network = &plan.network;
    let p = plan.parameters;
    let baked = match &plan.control {
        Control::Baked(baked) => Some(baked),
        Control::Memory(_) | Control::SelfRouting => None,
    };
    let latency = plan.latency();
    Fields {
        kind: "circuit",
        topology: plan.words.clone(),
        network: NoFields {},
        parameters: Parameters {
            width: p.width,
            stages_per_register: p.stages_per_register,
            control: control(plan),
            slots: plan.slots(),
            reset: if p.reset_low { "low" } else { "high" },
        },
        terminal: Terminal {
            count: plan.terminals(),
            address_bits: plan.address_bits(),
            protocol: "AXI4-Stream without tready",
            ..Terminal::default()
        },
        transport: Transport { latency_cycles: latency },
        latency: Latency {
            zero_load_self_cycles: Some(latency),
            zero_load_longest_cycles: Some(latency),
            ..Latency::default()
        },
        hardware: Hardware {
            bsp: Bsp { g: 1, l: latency },
            stages: (0..network.stages())
                .map(|stage| Stage {
                    switches: network.switches(stage),
                    inputs: network.inputs(stage),
                    outputs: network.outputs(stage),
                    registers: plan.is_registered(stage),
                    wires: network.removed().iter().filter(|(at, _)| *at == stage).count() as u32,
                })
                .collect(),
            schedule: baked.map(|baked| {
                let pairs = |p: &turnpike_schedule::permutation::PartialPermutation| {
                    p.connections().map(|c| [c.source, c.sink]).collect()
                };
                baked.permutations().iter().map(pairs).collect()
            }),
            schedule_sha256: Origin::of_circuit(plan).schedule_sha256().map(str::to_owned),
            built: baked.map(|baked| {
                let Saved { crosspoints, built, outputs, wires, multiplexers } =
                    baked.saved(network);
                Built { crosspoints, crosspoints_built: built, outputs, wires, multiplexers }
            }),
            settings_memory: matches!(plan.control, Control::Memory(_)).then(|| memory(plan)),
        },
        delivery: Some(plan.delivery()),
        rules: rules(plan),
    }
}

fn control(plan: &CircuitPlan) -> &'static str {
    match plan.control {
        Control::Memory(_) => "memory",
        Control::Baked(_) => "baked",
        Control::SelfRouting => "self-routing",
    }
}

fn memory(plan: &CircuitPlan) -> Memory {
    let (layout, map) = (plan.layout(), plan.map());
    let register = |register: Address| Register {
        name: register.name(),
        address: register.bytes(),
        meaning: register.meaning(),
    };
    let field = |field: &turnpike_circuit::layout::Field| {
        let (sets, stage, switch, output, sink) = match field.of {
            FieldSetting::Crossed { stage, switch } => {
                ("crossed", Some(stage), Some(switch), None, None)
            }
            FieldSetting::Taken { stage, switch, output } => {
                ("taken", Some(stage), Some(switch), Some(output), None)
            }
            FieldSetting::Open { sink } => ("open", None, None, None, Some(sink)),
        };
        let (word, low, width) = (field.word, field.low, field.width);
        Field { word, low, width, sets, stage, switch, output, sink }
    };
    Memory {
        protocol: "AXI4-Lite",
        address_bits: map.address_bits(),
        registers: Address::ALL.map(register).into(),
        first: map.address(0, 0),
        slot_bytes: 4 << map.word_bits,
        words: map.words,
        bits: layout.bits(),
        fields: layout.fields().iter().map(field).collect(),
    }
}

fn rules(plan: &CircuitPlan) -> Vec<&'static str> {
    let mut rules = vec![
        "There is no back-pressure: a sink takes every word that comes.",
        "A cycle in which enable is low does not count: words, slots and outputs stay as they are.",
    ];
    rules.extend(match plan.control {
        Control::Memory(_) => &[
            "A word travels in the slot that s_slot shows while it is offered.",
            "A word of a source that the slot does not connect is dropped.",
            "While running is low, words that are offered are dropped.",
            "A swap takes place after the last slot; words on the way keep their slot.",
            "The bank that is written is the one that does not run; while a swap is pending, and \
             while words are on the way in that bank, writes to it are answered with SLVERR.",
        ][..],
        Control::Baked(_) => &[
            "A word travels in the slot that s_slot shows while it is offered.",
            "A word of a source that the slot does not connect is dropped.",
        ],
        Control::SelfRouting => &[
            "Where two words need one output of a switch, that of the higher input is dropped, and \
             conflict is high for a cycle.",
            "Whether a permutation passes a Benes network depends on all of its words: where a \
             source does not send, switches are set otherwise.",
        ],
    });
    rules
}

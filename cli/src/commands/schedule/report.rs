//! Report of `schedule`.

use super::ScheduleOptions;
use crate::circuits::slots::{Found, Slot};
use crate::format::{counted, counted_as};
use crate::network_fields::TopologyFields;
use crate::table::Table;
use crate::tabular::{Document, ReportKind};
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_network::topology::{Terminal, Topology};
use turnpike_schedule::count;
use turnpike_schedule::demand::Demand;
use turnpike_schedule::network::Network;

/// Settings are printed as text for networks of as many terminals, and as many slots.
const PRINTED: (u32, u32) = (32, 8);

/// The settings of a network.
#[derive(Serialize, JsonSchema)]
pub struct ScheduleReport {
    #[serde(flatten)]
    head: Head,
    /// The switches that are left out, each by stage and switch: their outputs are wires from the inputs
    /// of the same numbers.
    wires: Vec<[u32; 2]>,
    /// The settings: a list of slots, each of which is checked. None where it does not pass.
    slots: Vec<SlotFields>,
}

/// Fields that all slots have in common.
#[derive(Clone, Serialize, JsonSchema)]
struct Head {
    /// Version of these fields: 1.
    schema_version: u32,
    /// The topology.
    #[serde(flatten)]
    topology: TopologyFields,
    /// Whether the switches that no permutation needs are left out.
    reduced: bool,
    /// Method by which settings are found: `looping`, `edge colouring` of a Clos network's
    /// terminals by middle switches, `in turn` or `self-routing`.
    method: &'static str,
    /// Name of the pattern that is sent, or the file.
    pattern: String,
    /// Number of terminals.
    terminals: u32,
    /// Stages of switches.
    stages: u32,
    /// Switches that are built: those that are wires in a reduced network left out.
    switches: u32,
    /// Number of words in all.
    words: u32,
    /// Most words that a terminal sends or takes: as many slots are needed at least.
    h: u32,
    /// Number of slots, 0 where the pattern does not pass.
    slot_count: usize,
    /// Reason that the pattern does not pass, where it does not.
    blocked: Option<String>,
    /// Number of permutations of all terminals that pass by self-routing, where that is asked for
    /// and known: a decimal number, or a power.
    self_routing_permutations: Option<String>,
}

/// A slot.
#[derive(Serialize, JsonSchema)]
struct SlotFields {
    /// Index of the slot, from 0.
    slot: usize,
    /// Connections of the slot: source and sink.
    connections: Vec<[String; 2]>,
    /// By stage and switch the input that each output takes; `null` for an output that is idle.
    settings: Vec<Vec<Vec<Option<u16>>>>,
}

/// Report of `schedule` as lines: an output of a switch in a slot each.
#[derive(Serialize, JsonSchema)]
pub struct ScheduleLines {
    #[serde(flatten)]
    head: Head,
    /// The outputs that take an input; a line without any where it does not pass.
    rows: Vec<Line>,
}

impl Document for ScheduleReport {}

impl Document for ScheduleLines {
    const ROWS: Option<&'static str> = Some("rows");
}

/// Entry in the list of reports.
pub const REPORT: ReportKind =
    ReportKind::of::<ScheduleReport>("schedule", "settings of a multistage network (`schedule`)")
        .with_lines_of::<ScheduleLines>();

/// A setting.
#[derive(Default, Serialize, JsonSchema)]
struct Line {
    /// The slot.
    slot: Option<usize>,
    /// The stage.
    stage: Option<usize>,
    /// The switch of that stage.
    switch: Option<usize>,
    /// Output of the switch.
    output: Option<usize>,
    /// The input that the output takes.
    input: Option<u16>,
}

/// The report of what was found for a demand, of a pattern of this name.
pub fn of(
    options: &ScheduleOptions,
    topology: &dyn Topology,
    network: &Network,
    pattern: &str,
    demand: &Demand,
    found: Found,
) -> ScheduleReport {
    let (slots, blocked) = match found {
        Found::Slots(slots) => (slots, None),
        Found::Blocked(reason) => (Vec::new(), Some(reason)),
    };
    let clos = matches!(network, Network::Clos(_));
    let stages = 0..network.stages();
    let all: u32 = stages.map(|stage| network.switches(stage)).sum();
    let head = Head {
        schema_version: 1,
        topology: TopologyFields::of(topology),
        reduced: options.reduced,
        method: match options {
            ScheduleOptions { self_routing: true, .. } => "self-routing",
            ScheduleOptions { in_turn: true, .. } => "in turn",
            _ if clos => "edge colouring",
            _ => "looping",
        },
        pattern: pattern.to_owned(),
        terminals: network.terminals(),
        stages: network.stages(),
        switches: all - network.removed().len() as u32,
        words: demand.words(),
        h: demand.h(),
        slot_count: slots.len(),
        blocked,
        self_routing_permutations: options.self_routing.then(|| passing(network)).flatten(),
    };
    let label = |terminal| topology.terminal_label(Terminal(terminal));
    let slot = |(number, Slot { connections, settings }): (usize, Slot)| SlotFields {
        slot: number,
        connections: connections.iter().map(|c| [label(c.source), label(c.sink)]).collect(),
        settings: (0..settings.stages())
            .map(|stage| {
                let switch = |at| settings.switch(stage, at).collect();
                (0..settings.switches(stage)).map(switch).collect()
            })
            .collect(),
    };
    let wires = network.removed().into_iter().map(|(stage, switch)| [stage, switch]).collect();
    ScheduleReport { head, wires, slots: slots.into_iter().enumerate().map(slot).collect() }
}

/// Number of permutations that route themselves.
fn passing(network: &Network) -> Option<String> {
    let Network::Rows(rows) = network else { return None };
    if rows.is_benes() && rows.dim() > 1 {
        return count::nassimi_sahni(rows.dim()).map(|count| count.to_string());
    }
    let settable = count::butterfly(network)?;
    Some(settable.exact().map_or_else(|| settable.to_string(), |count| count.to_string()))
}

impl ScheduleReport {
    /// Report as lines.
    pub fn lines(&self) -> ScheduleLines {
        let mut rows = Vec::new();
        for SlotFields { slot, settings, .. } in &self.slots {
            for (stage, switches) in settings.iter().enumerate() {
                for (switch, outputs) in switches.iter().enumerate() {
                    for (output, input) in outputs.iter().enumerate() {
                        let line = |input| Line {
                            slot: Some(*slot),
                            stage: Some(stage),
                            switch: Some(switch),
                            output: Some(output),
                            input: Some(input),
                        };
                        rows.extend(input.map(line));
                    }
                }
            }
        }
        if rows.is_empty() {
            rows.push(Line::default());
        }
        ScheduleLines { head: self.head.clone(), rows }
    }

    /// Report as text.
    pub fn text(&self) -> String {
        let Head {
            topology: TopologyFields { topology, size_words, .. },
            pattern,
            method,
            terminals,
            stages,
            switches,
            ..
        } = &self.head;
        let Head { words, h, slot_count, .. } = self.head;
        let [terminals_text, stages, switches] = [
            counted(*terminals, "terminal"),
            counted(*stages, "stage"),
            counted_as(*switches, "switch", "switches"),
        ];
        let words = counted(words, "word");
        let mut text = format!(
            "{topology}, {size_words}: {pattern}, {words}, at most {h} from or to a terminal\n\
             {terminals_text}, {stages}, {switches}; method: {method}\n\n"
        );
        match &self.head.blocked {
            Some(reason) => text += &format!("it does not pass: {reason}\n"),
            None => {
                let slots = counted(slot_count as u64, "slot");
                text += &format!("{slots}; the settings of each are checked\n");
            }
        }
        if let Some(count) = &self.head.self_routing_permutations {
            text += &format!("{count} permutations of all terminals pass so\n");
        }
        let (most_terminals, most_slots) = PRINTED;
        if *terminals <= most_terminals && slot_count as u32 <= most_slots {
            text.extend(self.slots.iter().map(|slot| slot_text(slot, &self.wires)));
        } else if slot_count > 0 {
            text += "\n--format json or csv gives the settings\n";
        }
        text
    }
}

/// The switches of a slot as a table.
fn slot_text(slot: &SlotFields, wires: &[[u32; 2]]) -> String {
    let most = slot.settings.iter().map(Vec::len).max().unwrap_or(0);
    let stages = (0..slot.settings.len()).map(|stage| format!("stage {stage}"));
    let mut table = Table::new(std::iter::once("switch".to_owned()).chain(stages));
    for switch in 0..most {
        let cell = |(stage, switches): (usize, &Vec<Vec<Option<u16>>>)| {
            if wires.contains(&[stage as u32, switch as u32]) {
                return "-".to_owned();
            }
            // Where first switches have 2 outputs, so have last ones 2 inputs.
            let inputs = switches.get(switch).map_or(&[][..], |inputs| inputs);
            setting(inputs, inputs.len() == slot.settings[0][0].len() && inputs.len() == 2)
        };
        let cells = slot.settings.iter().enumerate().map(cell);
        table.push(std::iter::once(switch.to_string()).chain(cells).collect());
    }
    let wires = if wires.is_empty() { "" } else { ", - left out" };
    format!(
        "\nslot {} (= straight, x crossed{wires}; else the input of each output, . idle)\n{}",
        slot.slot,
        table.text()
    )
}

fn setting(inputs: &[Option<u16>], is_square: bool) -> String {
    match inputs {
        [Some(0), Some(1)] if is_square => "=".to_owned(),
        [Some(1), Some(0)] if is_square => "x".to_owned(),
        _ => {
            let word = |input: &Option<u16>| input.map_or(".".to_owned(), |i| i.to_string());
            inputs.iter().map(word).collect::<Vec<_>>().join(" ")
        }
    }
}

//! Report of `generate` on a slotted fabric.

use super::{Generated, WIDTH, Written};
use crate::format::{counted, wrap};
use crate::kinds::Identity;
use crate::tabular::ReportKind;
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_emit::File;
use turnpike_fabric::board::Board;
use turnpike_slotted::SlottedPlan;
use turnpike_slotted::switches::SlottedSwitch;

/// Figures of a slotted fabric that was written.
#[derive(Serialize, JsonSchema)]
pub struct SlottedFigures {
    /// Number of terminals.
    terminals: u32,
    /// Switches that some word passes.
    switches: usize,
    /// Crosspoints of these switches.
    crosspoints: usize,
    /// Slots of a frame, a cycle each.
    slots: u32,
    /// Words of a frame.
    words: u32,
    /// Number of flows.
    flows: usize,
    /// The fewest and the most cycles from a word at its source, in its slot, to the same word at its sink.
    cycles: [u32; 2],
    /// The most cycles from a packet's first word at its source, in any slot, to its last word at its sink, where
    /// the source offers nothing else between.
    most_cycles: u64,
    /// Source and destination of the flow whose packets may take that long.
    slowest: [String; 2],
    /// Words of a packet of that flow.
    slowest_packet: u32,
    /// Promise of the fabric on the delivery of words.
    delivery: String,
}

/// Entry in the list of reports.
pub const REPORT: ReportKind = ReportKind::of::<Written<Identity, SlottedFigures>>(
    "generate_slotted",
    "a slotted fabric that was written (`generate --kind slotted`)",
);

impl Generated for SlottedPlan {
    type Figures = SlottedFigures;

    fn figures(&self, _: &[File], _: Option<&Board>) -> SlottedFigures {
        let topology = self.over().topology();
        let cycles = self.flows().iter().map(|flow| flow.cycles);
        let slowest = self.flows().iter().max_by_key(|flow| self.most_cycles(flow));
        let label = |terminal| topology.terminal_label(terminal);
        SlottedFigures {
            terminals: topology.terminals(),
            switches: self.switches().len(),
            crosspoints: self.switches().iter().map(SlottedSwitch::crosspoints).sum(),
            slots: self.frame(),
            words: self.words(),
            flows: self.flows().len(),
            cycles: [cycles.clone().min().unwrap_or(0), cycles.max().unwrap_or(0)],
            most_cycles: slowest.map_or(0, |flow| self.most_cycles(flow)),
            slowest: slowest.map_or_else(Default::default, |flow| {
                [label(flow.source), label(flow.destination)]
            }),
            slowest_packet: slowest.map_or(1, |flow| self.packet_words(flow)),
            delivery: self.delivery(),
        }
    }

    fn text(&self, figures: &SlottedFigures) -> String {
        let SlottedFigures { switches, crosspoints, slots, words, flows, .. } = figures;
        let mut text = format!(
            "  {}, {switches} switches without queues, {crosspoints} crosspoints\n  a frame of {}: {} of {}\n",
            self.over().terminals_in_words(),
            counted(*slots, "slot"),
            counted(*words, "word"),
            counted(*flows as u64, "flow")
        );
        let cycles = match figures.cycles {
            [least, most] if least == most => counted(most, "cycle"),
            [least, most] => format!("{least} to {most} cycles"),
        };
        let [source, destination] = &figures.slowest;
        text += &format!(
            "latency: {cycles} from a word's slot to its sink\n  at most {} with the wait for \
             its slots: a packet of {} from {source} to {destination},\n  where its source offers nothing \
             else between\n",
            figures.most_cycles,
            counted(figures.slowest_packet, "word")
        );
        text + &wrap(&format!("delivery: {}", figures.delivery), WIDTH)
    }
}

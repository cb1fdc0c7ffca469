//! Report of `schedule` on a time table.

use super::Found;
use crate::network_fields::NetworkFields;
use crate::tabular::{Document, ReportKind};
use crate::time_tables;
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_analysis::pattern_routes::PatternRoutes;
use turnpike_network::routing::Relation;
use turnpike_network::topology::{Terminal, Topology};
use turnpike_schedule::time_table::{Flows, TimeTable};
use turnpike_search::time_table::{Short, WhyNone};

/// A time table.
#[derive(Serialize, JsonSchema)]
pub struct TimeTableReport {
    #[serde(flatten)]
    pub head: Head,
    /// The table: a list of the slots of the frame. None where there is no table.
    pub slots: Vec<SlotFields>,
    /// Flows that ask for more than their words come to in this frame.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub short_of: Vec<ShortFlow>,
    /// Labels of the terminals that send, in order.
    #[serde(skip)]
    pub sources: Vec<String>,
}

/// Fields that all slots have in common.
#[derive(Clone, Serialize, JsonSchema)]
pub struct Head {
    /// Version of these fields: 1.
    pub schema_version: u32,
    /// The network.
    #[serde(flatten)]
    pub network: NetworkFields,
    /// Name of the pattern that is sent, or the file.
    pub pattern: String,
    /// Pairs of a source and a destination.
    pub pairs: usize,
    /// Number of words in all.
    pub words: u32,
    /// Most channels of a route, `inject` and `eject` included.
    pub longest_route: usize,
    /// Words of the busiest channel, `inject` and `eject` included: as many slots are needed at least.
    pub bound: u32,
    /// The first channel with that many.
    pub busiest: ChannelFields,
    /// The slots that were asked for; `null` where as few as can be found were.
    pub asked: Option<u32>,
    /// Outcome of the search for a table.
    pub outcome: Outcome,
    /// Reason that there is no table of the slots that were asked for, where there is none.
    pub reason: Option<String>,
    /// Number of slots of the frame; 0 without a table.
    pub slot_count: u32,
    /// Number of slots above the bound; without a table, words of the busiest channel above the
    /// slots that were asked for, 0 where it does not exceed them.
    pub excess: u32,
    /// Whether it is known that no frame of fewer slots has a table: each of at least the bound was refuted.
    /// `null` without a table, or for one of the slots that were asked for above the bound.
    pub is_least: Option<bool>,
    /// Shorter frames, of at least the bound, that have no table.
    pub refuted: Vec<u32>,
    /// Shorter frames of which it is not decided whether they have a table.
    pub not_decided: Vec<u32>,
}

/// A flow that asks for more than its words come to.
#[derive(Serialize, JsonSchema)]
pub struct ShortFlow {
    /// Label of the source.
    pub source: String,
    /// Label of the destination.
    pub destination: String,
    /// Words in a frame.
    pub words: u32,
    /// Words per slot that the flow asks for.
    pub bandwidth: f64,
}

/// Outcome of the search for a table.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// A table.
    Table,
    /// No table has the slots that were asked for.
    None,
    /// A search that did not decide whether there is a table of the slots that were asked for.
    NotDecided,
}

/// A channel.
#[derive(Clone, Serialize, JsonSchema)]
pub struct ChannelFields {
    /// Label of the terminal or the switch that the channel leaves.
    pub from: String,
    /// Output port by which the channel leaves: of a terminal `inject`.
    pub output: String,
}

/// A slot.
#[derive(Serialize, JsonSchema)]
pub struct SlotFields {
    /// Index of the slot, from 0.
    pub slot: u32,
    /// The words that start in it, by source.
    pub words: Vec<WordFields>,
}

/// A word.
#[derive(Serialize, JsonSchema)]
pub struct WordFields {
    /// Label of the source.
    pub source: String,
    /// Label of the destination.
    pub destination: String,
    /// The slot in which it leaves the network: so many after its start as its route has channels, less
    /// one, around the frame.
    pub arrives: u32,
}

/// Report of a time table as lines: a word each.
#[derive(Serialize, JsonSchema)]
pub struct TimeTableLines {
    #[serde(flatten)]
    head: Head,
    /// The words; a line without any where there is no table.
    rows: Vec<Line>,
}

/// A word and its slot.
#[derive(Default, Serialize, JsonSchema)]
struct Line {
    /// The slot.
    slot: Option<u32>,
    /// Label of the source.
    source: Option<String>,
    /// Label of the destination.
    destination: Option<String>,
    /// The slot in which it leaves the network.
    arrives: Option<u32>,
}

impl Document for TimeTableReport {}

impl Document for TimeTableLines {
    const ROWS: Option<&'static str> = Some("rows");
}

/// Entry in the list of reports.
pub const REPORT: ReportKind = ReportKind::of::<TimeTableReport>(
    "schedule_time_table",
    "a time table of a switched network (`schedule`)",
)
.with_lines_of::<TimeTableLines>();

/// Entries of the flows that ask for more than their words come to.
pub fn short_flows(topology: &dyn Topology, short: Vec<time_tables::ShortFlow>) -> Vec<ShortFlow> {
    let entry = |time_tables::ShortFlow { words, bandwidth }: time_tables::ShortFlow| ShortFlow {
        source: topology.terminal_label(words.source),
        destination: topology.terminal_label(words.destination),
        words: words.words,
        bandwidth: bandwidth.flits_per_cycle(),
    };
    short.into_iter().map(entry).collect()
}

/// The report of what was found for the routes of a pattern of this name.
pub fn of(
    (topology, relation): (&dyn Topology, &Relation),
    pattern: &str,
    routes: &PatternRoutes,
    flows: &Flows,
    asked: Option<u32>,
    found: &Found,
) -> TimeTableReport {
    let bound = flows.bound();
    let busiest = flows.busiest().map(|channel| routes.channels[channel as usize]);
    let busiest = busiest.map_or_else(
        || ChannelFields { from: String::new(), output: String::new() },
        |channel| ChannelFields { from: channel.from(topology), output: channel.port(topology) },
    );
    let mut head = Head {
        schema_version: 1,
        network: NetworkFields::of(topology, relation),
        pattern: pattern.to_owned(),
        pairs: routes.pairs.len(),
        words: flows.words(),
        longest_route: routes.pairs.iter().map(|pair| pair.route.len()).max().unwrap_or(0),
        bound,
        busiest,
        asked,
        outcome: Outcome::NotDecided,
        reason: None,
        slot_count: 0,
        excess: 0,
        is_least: None,
        refuted: Vec::new(),
        not_decided: Vec::new(),
    };
    let mut slots = Vec::new();
    match found {
        Found::Table(short) => {
            let Short { table, refuted, not_decided } = short;
            head.outcome = Outcome::Table;
            head.slot_count = table.frame;
            head.excess = table.frame - bound;
            head.is_least = match asked {
                Some(asked) => (asked == bound).then_some(true),
                None => Some(short.is_least()),
            };
            head.refuted.clone_from(refuted);
            head.not_decided.clone_from(not_decided);
            slots = of_table(topology, routes, table);
        }
        Found::None(frame, why) => {
            head.outcome = Outcome::None;
            head.excess = bound.saturating_sub(*frame);
            head.reason = Some(reason(topology, routes, &head, *frame, *why));
        }
        Found::NotDecided => {}
    }
    let mut sources: Vec<Terminal> = routes.pairs.iter().map(|pair| pair.source).collect();
    sources.dedup();
    let sources = sources.into_iter().map(|source| topology.terminal_label(source)).collect();
    TimeTableReport { head, slots, short_of: Vec::new(), sources }
}

fn of_table(topology: &dyn Topology, routes: &PatternRoutes, table: &TimeTable) -> Vec<SlotFields> {
    let slot = |slot| SlotFields { slot, words: Vec::new() };
    let mut slots: Vec<SlotFields> = (0..table.frame).map(slot).collect();
    for (pair, starts) in routes.pairs.iter().zip(&table.starts) {
        for &start in starts {
            slots[start as usize].words.push(WordFields {
                source: topology.terminal_label(pair.source),
                destination: topology.terminal_label(pair.destination),
                arrives: (start + pair.route.len() as u32 - 1) % table.frame,
            });
        }
    }
    slots
}

fn reason(
    topology: &dyn Topology,
    routes: &PatternRoutes,
    head: &Head,
    frame: u32,
    why: WhyNone,
) -> String {
    let Head { bound, busiest: ChannelFields { from, output }, .. } = head;
    match why {
        WhyNone::Bound => format!(
            "{bound} words take the channel {from} {output}, {} more than the frame has slots",
            bound - frame
        ),
        WhyNone::MeetsItself(flow) => {
            let pair = &routes.pairs[flow];
            format!(
                "the route from {} to {} comes back to a channel, where its words would meet those of \
                 another frame",
                topology.terminal_label(pair.source),
                topology.terminal_label(pair.destination)
            )
        }
        WhyNone::BySolver => {
            format!("no channel has more than {bound} words, but the SAT solver refuted it")
        }
    }
}

impl TimeTableReport {
    /// Report as lines.
    pub fn lines(&self) -> TimeTableLines {
        let line = |slot: u32, word: &WordFields| Line {
            slot: Some(slot),
            source: Some(word.source.clone()),
            destination: Some(word.destination.clone()),
            arrives: Some(word.arrives),
        };
        let of = |fields: &SlotFields| {
            let slot = fields.slot;
            fields.words.iter().map(|word| line(slot, word)).collect::<Vec<_>>()
        };
        let mut rows: Vec<Line> = self.slots.iter().flat_map(of).collect();
        if rows.is_empty() {
            rows.push(Line::default());
        }
        TimeTableLines { head: self.head.clone(), rows }
    }
}

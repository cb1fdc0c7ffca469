//! Networks for flows, and which of them are worth building.

use super::ExploreOptions;
use super::candidate::{Candidate, FLOWS};
use super::figures::{Figures, Measures};
use super::question::Terminals;
use crate::tabular::{Document, ReportKind};
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_emit::File;
use turnpike_network::flows::Bandwidth;
use turnpike_search::growing::area::Counts;
use turnpike_search::growing::bound::least;

/// All there is to say.
pub struct Outcome {
    pub terminals: usize,
    pub pairs: usize,
    pub ports: u32,
    /// Billionths of a flit per cycle.
    pub most_load: u64,
    /// Billionths of a flit per cycle over the link of the terminal that has most.
    pub busiest: u64,
    /// Seed of the moves of local search.
    pub seed: u64,
    /// Figures that no network within the limits is below.
    pub bound: Counts,
    /// Terminals whose flows are more than a channel may carry, with what they are: they meet at one switch.
    pub too_loud: Option<[String; 3]>,
    /// The candidates, those with the least area first.
    pub candidates: Vec<Row>,
    /// Sentence on what cut some search short.
    pub end: Option<&'static str>,
    flows: String,
}

/// A candidate, and what it is beside the others.
pub struct Row {
    pub own: Candidate,
    /// Reason that it does not do.
    pub wrong: Option<String>,
    /// Whether no other is as good in all that is compared, and better in something.
    pub is_on_front: bool,
    /// Measures that are compared; `None` where packets choose their way.
    measures: Option<Measures>,
}

impl Outcome {
    /// The candidates in order, each held against the others.
    pub fn new(
        options: &ExploreOptions,
        terminals: Terminals,
        candidates: Vec<Candidate>,
        end: Option<&'static str>,
    ) -> Self {
        let Terminals { names, question, flows, .. } = terminals;
        let loud = question.too_loud().next().map(|pair| {
            let own = Bandwidth(pair.load).to_string();
            [names[pair.from].clone(), names[pair.to].clone(), own]
        });
        let busiest = question.busiest();
        let row = |own: Candidate| {
            let wrong = wrong(&own, question.ports(), question.most_load());
            let figures = own.figures.as_ref().ok();
            let measures =
                figures.and_then(|figures| figures.measures(Bandwidth(busiest).flits_per_cycle()));
            Row { own, wrong, is_on_front: false, measures }
        };
        let mut rows: Vec<Row> = candidates.into_iter().map(row).collect();
        let area =
            |row: &Row| row.own.figures.as_ref().map_or(u64::MAX, |own| own.counts.hundredths());
        rows.sort_by_key(area);
        let on_front: Vec<bool> = rows
            .iter()
            .map(|row| row.wrong.is_none() && !rows.iter().any(|other| other.beats(row)))
            .collect();
        for (row, on_front) in rows.iter_mut().zip(on_front) {
            row.is_on_front = on_front;
        }
        // What is grown and beaten is nobody's.
        rows.retain(|row| row.is_on_front || !row.own.is_grown);
        Self {
            terminals: question.terminals(),
            pairs: question.pairs().len(),
            ports: question.ports(),
            most_load: question.most_load(),
            busiest,
            seed: options.limits.seed,
            bound: least(&question),
            too_loud: loud,
            candidates: rows,
            end,
            flows,
        }
    }

    /// Candidates that are worth building.
    pub fn front(&self) -> impl Iterator<Item = &Row> {
        self.candidates.iter().filter(|row| row.is_on_front)
    }

    /// Files of those.
    pub fn files(&self) -> Vec<File> {
        let flows = File { name: FLOWS.to_owned(), contents: self.flows.clone() };
        let own = self.front().flat_map(|row| row.own.files.clone());
        own.chain([flows]).collect()
    }

    /// Report for programs.
    pub fn document(&self) -> ExploreReport {
        let candidate = |row: &Row| {
            let figures = row.own.figures.as_ref().ok();
            CandidateFields {
                name: row.own.name.clone(),
                network: row.own.words.clone(),
                is_on_front: row.is_on_front,
                wrong: row.wrong.clone(),
                switches: figures.map(|own| own.built.switches),
                channels: figures.map(|own| own.built.channels),
                ports: figures.map(|own| own.ports),
                queues: figures.map(|own| own.built.queues),
                multiplexer_inputs: figures.map(|own| own.built.multiplexer_inputs),
                virtual_channels: figures.map(|own| own.built.virtual_channels),
                luts: figures.map(|own| own.counts.luts()),
                mean_cycles: figures.and_then(|own| own.mean_cycles),
                max_load: figures.and_then(|own| own.max_load),
                head_room: row.head_room(),
                deadlock_free_condition: figures.and_then(|own| own.condition),
            }
        };
        ExploreReport {
            schema_version: 1,
            terminals: self.terminals,
            pairs: self.pairs,
            ports: self.ports,
            most_load: Bandwidth(self.most_load).flits_per_cycle(),
            busiest: Bandwidth(self.busiest).flits_per_cycle(),
            seed: self.seed,
            is_whole: self.end.is_none(),
            least_luts: self.bound.luts(),
            least_multiplexer_inputs: self.bound.inputs,
            candidates: self.candidates.iter().map(candidate).collect(),
        }
    }
}

impl Row {
    /// Factor by which all flows can grow until a link is full.
    pub fn head_room(&self) -> Option<f64> {
        self.measures.map(|Measures([.., load])| 1.0 / load)
    }

    /// Whether this one does, and beats the other.
    fn beats(&self, other: &Self) -> bool {
        let both = self.measures.zip(other.measures);
        self.wrong.is_none() && both.is_some_and(|(own, others)| own.beat(&others))
    }
}

/// Reason that a candidate does not do.
fn wrong(candidate: &Candidate, ports: u32, most_load: u64) -> Option<String> {
    let figures = match &candidate.figures {
        Ok(figures) => figures,
        Err(why) => return Some(why.clone()),
    };
    let Figures { max_load, distant, condition, .. } = figures;
    let most = Bandwidth(most_load).flits_per_cycle();
    if condition.is_none() {
        return Some("it can deadlock".to_owned());
    }
    if figures.ports > ports {
        return Some(format!("a switch has {} ports", figures.ports));
    }
    if *distant > 0 {
        return Some(format!("{distant} flows ask for less latency"));
    }
    match max_load {
        None => Some("its packets choose their way".to_owned()),
        Some(load) if *load > most + 1e-10 => {
            Some(format!("a channel carries {}", crate::format::number(*load)))
        }
        Some(_) => None,
    }
}

/// Report of an exploration.
#[derive(Serialize, JsonSchema)]
pub struct ExploreReport {
    /// Version of these fields: 1.
    schema_version: u32,
    /// Number of terminals.
    terminals: usize,
    /// Number of pairs of terminals with a flow.
    pairs: usize,
    /// The most inputs of a switch, and the most outputs.
    ports: u32,
    /// The most flits per cycle over a channel between switches.
    most_load: f64,
    /// Flits per cycle over the link of the terminal that sends or takes most.
    busiest: f64,
    /// Seed of the moves of local search.
    seed: u64,
    /// Whether all searches came to their ends: with the same seed they find the same again.
    is_whole: bool,
    /// Bound: no network for these flows with switches of so many ports has less area.
    least_luts: f64,
    /// Bound: none has fewer data inputs of multiplexers.
    least_multiplexer_inputs: u64,
    /// The candidates, those with the least area first.
    candidates: Vec<CandidateFields>,
}

impl Document for ExploreReport {
    const ROWS: Option<&'static str> = Some("candidates");
}

/// Entry in the list of reports.
pub const REPORT: ReportKind =
    ReportKind::of::<ExploreReport>("explore", "networks for flows (`explore`)");

/// A network for the flows.
#[derive(Serialize, JsonSchema)]
struct CandidateFields {
    /// Name of its files.
    name: String,
    /// The network in words of the command line, in the folder of its files.
    network: String,
    /// Whether no other has as little area, as few cycles and as much head room, and less or more of one of these.
    is_on_front: bool,
    /// Reason that it does not do.
    wrong: Option<String>,
    /// Switches that some packet passes.
    switches: Option<u32>,
    /// Channels between switches that some packet takes.
    channels: Option<u64>,
    /// The most inputs of a switch, and the most outputs.
    ports: Option<u32>,
    /// Queues, those that terminals fill among them.
    queues: Option<u32>,
    /// Data inputs of the multiplexers: those of one input are wires, and count 0.
    multiplexer_inputs: Option<u32>,
    /// Virtual channels.
    virtual_channels: Option<u8>,
    /// Area by the model: LUTs of six inputs, at 32 bits and queues of 4.
    luts: Option<f64>,
    /// Cycles of a flit in an empty network, in the mean over all flits.
    mean_cycles: Option<f64>,
    /// Flits per cycle over the channel between switches that carries most; 0 where there is no channel.
    max_load: Option<f64>,
    /// Factor by which all flows can grow until a channel or the link of a terminal is full.
    head_room: Option<f64>,
    /// Condition under which packets are delivered.
    deadlock_free_condition: Option<&'static str>,
}

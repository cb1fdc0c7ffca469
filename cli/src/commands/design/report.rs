//! Result of a search for routes, as the ordinary analysis measures it.

use super::DesignOptions;
use crate::network_fields::TopologyFields;
use crate::options::{Chosen, ChosenTopology, NetworkOptions};
use crate::tabular::{Document, ReportKind};
use anyhow::{Context, bail};
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::Arc;
use turnpike_analysis::network::{Network, Wanted};
use turnpike_base::delivery::CONDITION_OF_ENDS;
use turnpike_fabric::plan::{FabricPlan, Parameters};
use turnpike_fabric::report::FlowFigures;
use turnpike_network::routing::given::{Given, Hops, On, Route};
use turnpike_network::topology::Topology;
use turnpike_search::design::figures::Route as Found;
use turnpike_search::design::question::{Channel, Demand, Measure, Question};
use turnpike_search::design::search::{Least, Outcome as Answer, Why};

/// All there is to say.
pub struct Outcome {
    /// Fields of the network.
    pub topology: TopologyFields,
    pub question: Question,
    pub answer: Answer,
    /// Seed of the moves of local search.
    pub seed: u64,
    /// Names of the switch and of the port of each channel.
    pub channels: Vec<[String; 2]>,
    /// Labels of the terminals of each demand.
    pub pairs: Vec<[String; 2]>,
    pub found: Option<FoundRelation>,
    /// Whether Ctrl-C ended the search.
    pub was_stopped: bool,
}

/// Relation that was found, measured.
pub struct FoundRelation {
    pub given: Given,
    pub figures: FlowFigures,
    pub vcs: u8,
    /// Condition of the claim that it is free of deadlock.
    pub condition: &'static str,
}

impl Outcome {
    /// The answer, with the relation that it makes where there is one.
    ///
    /// # Errors
    /// A relation that the ordinary analysis refuses, or whose figures are others: faults of this program,
    /// but for headers that are too wide.
    pub fn new(
        options: &DesignOptions,
        network: &NetworkOptions,
        chosen: &Chosen,
        (plain, intact): (&dyn Topology, &dyn Topology),
        question: Question,
        answer: Answer,
    ) -> anyhow::Result<Self> {
        let channel =
            |channel: &Channel| [plain.label(channel.from), plain.port_name(channel.port)];
        let channels = question.channels.iter().map(channel).collect();
        let label = |demand: &Demand| {
            [demand.pair.0, demand.pair.1].map(|terminal| plain.terminal_label(terminal))
        };
        let pairs = question.demands.iter().map(label).collect();
        let found = match &answer {
            Answer::Found { routes, .. } => {
                let failed = crate::network_fields::failed(plain);
                let given = Given { failed, ..given(options, chosen, &question, routes) };
                Some(measured(network, chosen, given, &question, &answer)?)
            }
            Answer::None(_) | Answer::Unknown => None,
        };
        let topology = TopologyFields::of(intact);
        let seed = options.limits.seed;
        let was_stopped = false;
        Ok(Self { topology, question, answer, seed, channels, pairs, found, was_stopped })
    }

    /// Number of flows.
    pub fn flows(&self) -> usize {
        let streams = self.question.demands.iter().flat_map(|demand| &demand.streams);
        streams.map(|stream| stream.flows.len()).sum()
    }

    /// Report for programs.
    pub fn document(&self) -> DesignReport {
        let (verdict, least) = match &self.answer {
            Answer::Found { least, .. } => ("found", &least[..]),
            Answer::None(_) => ("none", &[][..]),
            Answer::Unknown => ("undecided", &[][..]),
        };
        let measured = |least: &Least| MeasureFields {
            measure: least.measure.name(),
            value: in_units(least.measure, least.value),
            bound: in_units(least.measure, least.bound),
            is_least: least.is_proven(),
            gap: least.gap(),
            reason: self.reason(&least.why),
        };
        let figures = self.found.as_ref().map(|found| FiguresFields {
            max_load: found.figures.load.as_ref().map(|load| load.flits_per_cycle),
            switches: found.figures.built.switches,
            channels: found.figures.built.channels,
            turns: found.figures.built.turns,
            multiplexer_inputs: found.figures.built.multiplexer_inputs,
            arbiters: found.figures.built.arbiters,
            queues: found.figures.built.queues,
            virtual_channels: found.vcs,
            deadlock_free_condition: found.condition,
        });
        DesignReport {
            schema_version: 1,
            topology: self.topology.clone(),
            flows: self.flows(),
            detour: self.question.detour,
            seed: self.seed,
            verdict,
            measures: least.iter().map(measured).collect(),
            impossible: match &self.answer {
                Answer::None(why) => Some(self.reason(why)),
                _ => None,
            },
            figures,
            relation: self.found.as_ref().map(|found| found.given.text()),
        }
    }

    fn reason(&self, why: &Why) -> ReasonFields {
        let mut reason = ReasonFields { lengths: Vec::new(), variables: None, clauses: None };
        match why {
            Why::Least => {}
            Why::Lengths(lengths) => {
                let used = self.channels.iter().zip(&lengths.0).filter(|(_, length)| **length > 0);
                let fields = |([from, output], &length): (&[String; 2], &u64)| LengthFields {
                    from: from.clone(),
                    output: output.clone(),
                    length,
                };
                reason.lengths = used.map(fields).collect();
            }
            &Why::Solver { variables, clauses } => {
                (reason.variables, reason.clauses) = (Some(variables), Some(clauses));
            }
        }
        reason
    }
}

/// Value of a measure in its unit: flits per cycle, or a number.
pub fn in_units(measure: Measure, value: u64) -> f64 {
    match measure {
        Measure::MaxLoad => turnpike_network::flows::Bandwidth(value).flits_per_cycle(),
        Measure::MultiplexerInputs | Measure::Queues | Measure::Vcs => value as f64,
    }
}

/// The relation of these routes.
fn given(options: &DesignOptions, chosen: &Chosen, question: &Question, routes: &[Found]) -> Given {
    let says_vc = routes.iter().any(|route| route.layer > 0);
    let route = |route: &Found| Route {
        ports: route.channels.iter().map(|&channel| question.channels[channel].port).collect(),
        vc: says_vc.then_some(route.layer as u8),
    };
    let pairs = question.demands.iter().zip(routes);
    let apart = pairs.filter(|(demand, _)| demand.from != demand.to);
    Given {
        name: options.name.clone(),
        on: match &chosen.topology {
            ChosenTopology::Named(name, size) => On::Named(name, *size),
            ChosenTopology::File(file) => On::Described(Arc::clone(&file.description)),
        },
        failed: Vec::new(),
        remarks: Vec::new(),
        hops: Hops::ByRoute(apart.map(|(demand, own)| (demand.pair, route(own))).collect()),
    }
}

/// The relation on its network, by the ordinary analysis: nothing of the search is believed.
fn measured(
    network: &NetworkOptions,
    chosen: &Chosen,
    given: Given,
    question: &Question,
    answer: &Answer,
) -> anyhow::Result<FoundRelation> {
    let has_ends = network.unrouted.ends.is_some();
    let on = |wanted: &Wanted| Network::wanted(&Wanted { given: Some(&given), ..*wanted });
    let network = network.wanted_of(chosen, on).context("the routes found make no network")?;
    let vcs = network.relation().vcs();
    let plan = FabricPlan::new(Arc::new(network), Parameters::default(), None)?;
    // The ends change what the terminals wait for, and nothing in the network.
    let condition = plan.deadlock_free_condition();
    let condition = condition.map(|own| if has_ends { CONDITION_OF_ENDS } else { own });
    let figures = FlowFigures::of(&plan, None).context("internal error: there are no flows")?;
    let Answer::Found { figures: own, .. } = answer else {
        bail!("internal error: there are no routes")
    };
    let load = figures.load.as_ref().map(|load| (load.flits_per_cycle * 1e9).round() as u64);
    let is_same = u64::from(figures.built.multiplexer_inputs) == own.multiplexer_inputs
        && u64::from(vcs) == own.vcs
        && load.is_none_or(|load| load == own.max_load);
    match condition {
        Some(condition) if is_same && own.are_within(question) => {
            Ok(FoundRelation { given, figures, vcs, condition })
        }
        Some(_) => bail!(
            "internal error: the routes found are others by the ordinary analysis ({vcs} virtual \
             channels, {load:?} billionths, {} multiplexer inputs): {own:?}",
            figures.built.multiplexer_inputs
        ),
        None => bail!("internal error: waits of the routes found close a cycle"),
    }
}

/// Report of a search for routes.
#[derive(Serialize, JsonSchema)]
pub struct DesignReport {
    /// Version of these fields: 1.
    schema_version: u32,
    /// The network.
    #[serde(flatten)]
    topology: TopologyFields,
    /// Number of flows.
    flows: usize,
    /// Channels that a route may have beyond the distance.
    detour: u32,
    /// Seed of the moves of local search.
    seed: u64,
    /// `found`, `none` or `undecided`.
    verdict: &'static str,
    /// Measures that were to be least, in order: each among the routes whose measures before are no larger than those here.
    measures: Vec<MeasureFields>,
    /// Reason that there are no routes within the bounds.
    impossible: Option<ReasonFields>,
    /// Figures of the routes by the ordinary analysis.
    figures: Option<FiguresFields>,
    /// Text of the relation's file.
    relation: Option<String>,
}

impl Document for DesignReport {}

/// Entry in the list of reports.
pub const REPORT: ReportKind =
    ReportKind::of::<DesignReport>("design", "routes for flows (`design`)");

/// Measure that was to be least.
#[derive(Serialize, JsonSchema)]
struct MeasureFields {
    /// Name of the measure.
    measure: &'static str,
    /// The least that was found: flits per cycle of a load, or a number.
    value: f64,
    /// Bound: no routes have less.
    bound: f64,
    /// Whether the value is the least: among the routes whose measures before are no larger than those here.
    is_least: bool,
    /// Difference of value and bound as a part of the bound; `null` where the bound is 0 and the value is not.
    gap: Option<f64>,
    /// Reason for the bound.
    reason: ReasonFields,
}

/// Reason that no routes have less: lengths, a formula without a solution, or, without either, that
/// less cannot be.
#[derive(Serialize, JsonSchema)]
struct ReasonFields {
    /// A length for each channel, those of length 0 left out. The largest load is no less than the sum over
    /// flows of bandwidth times least length, divided by the length of all channels, and rounded up to a
    /// multiple of what divides all bandwidths.
    lengths: Vec<LengthFields>,
    /// Variables of the formula that a solver refuted.
    variables: Option<u32>,
    /// Clauses of the formula.
    clauses: Option<usize>,
}

/// Length of a channel.
#[derive(Serialize, JsonSchema)]
struct LengthFields {
    /// Label of the switch that the channel leaves.
    from: String,
    /// Output port by which it leaves.
    output: String,
    /// Length.
    length: u64,
}

/// Figures of the routes.
#[derive(Serialize, JsonSchema)]
struct FiguresFields {
    /// Flits per cycle over the channel that is loaded most; `null` where flows have no bandwidths, and
    /// where no channel is used.
    max_load: Option<f64>,
    /// Switches.
    switches: u32,
    /// Channels between switches that some route takes.
    channels: u64,
    /// Turns, each virtual channel's by itself.
    turns: u32,
    /// Data inputs of the multiplexers: those of one input are wires, and count 0.
    multiplexer_inputs: u32,
    /// Arbiters of more than one queue.
    arbiters: u32,
    /// Queues, those that terminals fill among them.
    queues: u32,
    /// Virtual channels.
    virtual_channels: u8,
    /// The routes wait in no cycle; so packets are delivered under this condition.
    deadlock_free_condition: &'static str,
}

//! Result of a search for places, as the network itself has it.

use super::PlaceOptions;
use super::terminals::Terminals;
use crate::network_fields::TopologyFields;
use crate::options::NetworkOptions;
use crate::tabular::{Document, ReportKind};
use crate::words;
use anyhow::{Context, bail};
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::Arc;
use turnpike_analysis::network::{Network, Wanted};
use turnpike_fabric::plan::{FabricPlan, Parameters};
use turnpike_fabric::report::FlowFigures;
use turnpike_network::flows::{Bandwidth, Flow};
use turnpike_network::topology::Topology;
use turnpike_network::topology::paths::Paths;
use turnpike_search::placing::search::{Outcome as Answer, Placement};

/// All there is to say.
pub struct Outcome {
    /// Fields of the network.
    pub topology: TopologyFields,
    /// Number of terminals.
    pub terminals: usize,
    /// Number of places.
    pub places: usize,
    /// Number of pairs of terminals with a flow.
    pub pairs: usize,
    /// Cost of the places that a file says, where it says those of all terminals; `None` where they will not do.
    pub known_cost: Option<Option<u64>>,
    pub answer: Answer,
    /// Seed of the moves of local search.
    pub seed: u64,
    /// Whether Ctrl-C ended the search.
    pub was_stopped: bool,
    pub found: Option<FoundPlaces>,
}

/// Places that were found.
pub struct FoundPlaces {
    /// Each terminal with the label of its place.
    pub list: Vec<[String; 2]>,
    /// File of the places.
    pub places: String,
    /// Figures of the flows there under the network's default relation, with its name; or why there is no
    /// such network.
    pub figures: Result<(String, FlowFigures), String>,
}

impl Outcome {
    /// The answer, with the network that it makes where there is one.
    ///
    /// # Errors
    /// Places that the network does not have, or where flows cost something else: faults of this program.
    pub fn new(
        options: &PlaceOptions,
        network: &NetworkOptions,
        mut terminals: Terminals,
        answer: Answer,
        was_stopped: bool,
    ) -> anyhow::Result<Self> {
        let found = match &answer {
            Answer::Found(found) => Some(FoundPlaces::new(network, &mut terminals, found)?),
            Answer::None { .. } | Answer::Unknown => None,
        };
        let Terminals { topology, known, question, .. } = terminals;
        let known =
            known.iter().map(|place| Some(usize::from((*place)?))).collect::<Option<Vec<_>>>();
        Ok(Self {
            topology,
            terminals: question.terminals(),
            places: question.places(),
            pairs: question.pairs(),
            known_cost: known.map(|known| question.cost(&known)),
            answer,
            seed: options.limits.seed,
            was_stopped,
            found,
        })
    }

    /// Report for programs.
    pub fn document(&self) -> PlaceReport {
        let (verdict, found) = match &self.answer {
            Answer::Found(found) => ("found", Some(found)),
            Answer::None { .. } => ("none", None),
            Answer::Unknown => ("undecided", None),
        };
        let figures = self.found.as_ref().map(|found| found.figures.as_ref());
        let refused = figures.and_then(Result::err).cloned();
        let figures = figures.and_then(Result::ok);
        let figures = figures.map(|(routing, figures)| UnderDefault {
            routing: routing.clone(),
            max_load: figures.load.as_ref().map(|load| load.flits_per_cycle),
            multiplexer_inputs: figures.built.multiplexer_inputs,
            channels: figures.built.channels,
            fits: figures.fits(),
        });
        let placed = |[terminal, at]: &[String; 2]| PlacedFields {
            terminal: terminal.clone(),
            at: at.clone(),
        };
        PlaceReport {
            schema_version: 1,
            topology: self.topology.clone(),
            terminals: self.terminals,
            places: self.places,
            pairs: self.pairs,
            seed: self.seed,
            verdict,
            cost: found.map(|found| in_flits(found.cost)),
            bound: found.map(|found| in_flits(found.bound)),
            is_least: found.map(|found| found.is_least()),
            gap: found.and_then(|found| found.gap()),
            looked_at: match &self.answer {
                Answer::Found(found) => Some(found.looked_at),
                Answer::None { looked_at } => Some(*looked_at),
                Answer::Unknown => None,
            },
            known_cost: self.known_cost.flatten().map(in_flits),
            placement: self
                .found
                .as_ref()
                .map(|found| found.list.iter().map(placed).collect())
                .unwrap_or_default(),
            figures,
            refused,
        }
    }
}

impl FoundPlaces {
    /// Terminals at these places of the network; of the search only its cost is taken, and held against theirs.
    fn new(
        network: &NetworkOptions,
        terminals: &mut Terminals,
        found: &Placement,
    ) -> anyhow::Result<Self> {
        let at =
            |(name, &place): (&String, &usize)| [name.clone(), terminals.labels[place].clone()];
        let list = terminals.names.iter().zip(&found.places).map(at).collect();
        let chosen = terminals.at(&found.places)?;
        let both = |wanted: &Wanted| Ok((wanted.intact()?, Network::wanted(wanted)));
        let (intact, built) = network.wanted_of(chosen, both)?;
        let text = intact.places().context("internal error: there are no places")?.text();
        let own = cost_on(&*network.unrouted.left(intact)?)?;
        if own != Some(found.cost) {
            let cost = found.cost;
            bail!("internal error: at the places found the cost is {own:?}, and not {cost}");
        }
        let figures = move || -> anyhow::Result<(String, FlowFigures)> {
            let built = built.map_err(|error| chosen.explained(error))?;
            let routing = built.relation().name().to_owned();
            let plan = FabricPlan::new(Arc::new(built), Parameters::default(), None)?;
            let figures =
                FlowFigures::of(&plan, None).context("internal error: there are no flows")?;
            Ok((routing, figures))
        };
        let figures = figures().map_err(|error| words::message(&error));
        Ok(Self { list, places: text, figures })
    }
}

/// Bandwidth times channels over all flows of a network, in billionths; `None` where a flow has no path.
fn cost_on(left: &dyn Topology) -> anyhow::Result<Option<u64>> {
    let flows = left.flows().context("internal error: there are no flows")?;
    let mut paths = Paths::new(left);
    let mut cost = |(flow, share): (&Flow, Bandwidth)| {
        let (from, to) = paths.between(flow.source, flow.destination)?;
        Some(u64::from(from.distance(to)?) * share.0)
    };
    Ok(flows.list().iter().zip(flows.shares()).map(&mut cost).sum())
}

/// Cost of so many billionths, in flits per cycle times channels.
fn in_flits(billionths: u64) -> f64 {
    Bandwidth(billionths).flits_per_cycle()
}

/// Report of a search for places.
#[derive(Serialize, JsonSchema)]
pub struct PlaceReport {
    /// Version of these fields: 1.
    schema_version: u32,
    /// The network.
    #[serde(flatten)]
    topology: TopologyFields,
    /// Number of terminals.
    terminals: usize,
    /// Number of places of the network.
    places: usize,
    /// Number of pairs of terminals with a flow.
    pairs: usize,
    /// Seed of the moves of local search.
    seed: u64,
    /// `found`, `none` or `undecided`.
    verdict: &'static str,
    /// Cost of the placement: the sum over the flows of bandwidth (flits per cycle) times channels of a shortest path.
    cost: Option<f64>,
    /// Bound: no placement costs less.
    bound: Option<f64>,
    /// Whether the cost is the least.
    is_least: Option<bool>,
    /// Difference of cost and bound as a part of the bound; `null` where the bound is 0 and the cost is not.
    gap: Option<f64>,
    /// Number of partial placements that branch and bound looked at.
    looked_at: Option<u64>,
    /// Cost at the places that were given, where they are those of all terminals and will do.
    known_cost: Option<f64>,
    /// The terminals, each at its place.
    placement: Vec<PlacedFields>,
    /// Figures of the flows there, under the network's default relation.
    figures: Option<UnderDefault>,
    /// Reason that no network is built there under its default relation.
    refused: Option<String>,
}

impl Document for PlaceReport {
    const ROWS: Option<&'static str> = Some("placement");
}

/// Entry in the list of reports.
pub const REPORT: ReportKind =
    ReportKind::of::<PlaceReport>("place", "places of terminals (`place`)");

/// Terminal at its place.
#[derive(Serialize, JsonSchema)]
struct PlacedFields {
    /// Name of the terminal.
    terminal: String,
    /// Label of the switch where it is, or of the terminal of the network that it is.
    at: String,
}

/// Figures of the flows under the default relation.
#[derive(Serialize, JsonSchema)]
struct UnderDefault {
    /// Name of the relation.
    routing: String,
    /// Flits per cycle over the channel that is loaded most; `null` where flows have no bandwidths, where
    /// packets choose their way, and where no channel is used.
    max_load: Option<f64>,
    /// Data inputs of the multiplexers: those of one input are wires, and count 0.
    multiplexer_inputs: u32,
    /// Channels between switches that some packet takes.
    channels: u64,
    /// Whether each channel carries what the flows ask of it, and no flow asks for less latency than an
    /// empty network has.
    fits: bool,
}

//! `turnpike compare`: the relations of a topology side by side, or topologies.

pub mod across;
mod plot;
pub mod synth;

use crate::Report;
use crate::destination::{Destination, ForceOption};
use crate::format::{FormatOption, number};
use crate::options::values::{self, Span};
use crate::options::{
    BuildOptions, Chosen, NetworkSize, SizeOptions, SizeValuesBesideDim, TopologyFileOptions,
};
use crate::progress::Progress;
use crate::relation_file;
use crate::table::Table;
use crate::tabular::{Document, ReportKind};
use crate::words;
use anyhow::bail;
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;
use turnpike_analysis::network::{Network, NetworkError, Wanted};
use turnpike_analysis::properties::Balance;
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::report::{Analysis, Configuration};
use turnpike_network::routing::given::{Given, On};
use turnpike_network::routing::{self, RoutingError};
use turnpike_network::topology::Scale;
use turnpike_network::topology::parameter::DIM;

/// Options of `compare`.
#[derive(Args, Debug)]
pub struct CompareOptions {
    /// The topology, or a file that describes one
    #[arg(default_value = "hypercube", value_name = "TOPOLOGY|FILE")]
    pub topology: String,
    /// Dimensions of the topology: 4, or 2..=12 (with 12), or 2..12 (without)
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub dim: Option<Span>,
    /// Other parameters of the topology.
    #[command(flatten)]
    pub values: SizeValuesBesideDim,
    /// Terminals at each switch that has one: 1, 2, 4, 8 or 16 (default: 1)
    #[arg(long, value_name = "C", allow_hyphen_values = true, value_parser = values::whole)]
    pub concentration: Option<u32>,
    /// Format of the topology's file, where it is one.
    #[command(flatten)]
    pub file: TopologyFileOptions,
    /// The relations that are compared, by their names with commas between. A file that gives a relation is
    /// compared beside these, or beside all of the topology's where no name is given
    #[arg(long, value_name = "NAMES|FILE", value_delimiter = ',')]
    pub routing: Vec<String>,
    /// Hypercubes, directed cubes and cube-connected cycles side by side, at equal dimension
    /// and at the nearest number of processors, with their throughput
    #[arg(long)]
    pub across: bool,
    /// A network by its words, such as 'mesh --shape 4x4 --routing shortest' or a file's name;
    /// repeatable: these networks side by side, with their throughput
    #[arg(long = "network", value_name = "WORDS")]
    pub networks: Vec<String>,
    /// Seed of the traffic with --across and --network
    #[arg(long, value_name = "SEED", allow_hyphen_values = true, default_value = "1",
          value_parser = values::long)]
    pub seed: u64,
    /// Flits and queues.
    #[command(flatten)]
    pub size: SizeOptions,
    /// Styles of the switches; for `--synth` and `--across`.
    #[command(flatten)]
    pub build: BuildOptions,
    /// Measure the switches for this target as well (see `turnpike synth`), each beside the
    /// same with a full crossbar without U-turns
    #[arg(long, value_name = "TARGET")]
    pub synth: Option<String>,
    /// Placements, each with a seed of its own; the clock is their median (default: 5)
    #[arg(long, value_name = "N", allow_hyphen_values = true,
          value_parser = values::seeds)]
    pub seeds: Option<u32>,
    /// Draw the figures of --synth or --across
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Whether a file that is there is overwritten.
    #[command(flatten)]
    pub force: ForceOption,
    /// Run every tool again, and keep nothing in the user's cache
    #[arg(long)]
    pub no_cache: bool,
    /// Format of the report.
    #[command(flatten)]
    pub format: FormatOption,
}

impl CompareOptions {
    /// The networks that are compared: a row for each relation of each.
    fn chosen(&self) -> anyhow::Result<Vec<Chosen>> {
        let network = |dim| {
            let values = self.values.0.clone().with(&DIM, dim);
            let (concentration, file) = (self.concentration, self.file.clone());
            let size = NetworkSize { values, concentration, file };
            Chosen::new(&self.topology, &size)
        };
        match self.dim {
            None => Ok(vec![network(None)?]),
            Some(span) => {
                // Both ends before the list, which may be long.
                for dimension in [span.first, span.last] {
                    network(Some(dimension))?.intact()?;
                }
                span.iter().map(|dimension| network(Some(dimension))).collect()
            }
        }
    }

    /// The file for the picture, where one is asked for.
    fn picture(&self) -> anyhow::Result<Option<Destination>> {
        let to = |path| Destination::new(path, "compare.svg", self.force);
        self.svg.as_deref().map(to).transpose()
    }
}

/// One relation in one dimension: an excerpt of its [`Analysis`], under the same names.
#[derive(Serialize, JsonSchema)]
struct RelationFigures {
    /// The fabric.
    #[serde(flatten)]
    configuration: Configuration,
    #[serde(skip)]
    size: Scale,
    /// Crosspoints of a switch, network port to network port, virtual channels merged.
    crosspoints_per_switch: u32,
    /// Baseline: every turn but U-turns.
    full_crosspoints_no_uturn: u32,
    /// Most crosspoints of an output port.
    max_fan_in: u32,
    /// Most crosspoints of an input port.
    max_fan_out: u32,
    /// Queues into each output's multiplexer, terminals included, over all outputs.
    multiplexer_inputs: u32,
    /// Baseline: multiplexer inputs of the same queues behind the full crossbar without U-turns.
    full_multiplexer_inputs_no_uturn: u32,
    /// Queues that channels fill: (port, virtual channel)s in use.
    queues_per_switch: u32,
    /// Bits that the queues of a switch hold.
    queue_bits_per_switch: u64,
    /// Mean distance over all ordered pairs, in channels.
    average_distance: f64,
    /// Most by mean of the all-pairs load of the channels: 1 where balanced. Absent where the network is
    /// for flows.
    load_most_by_mean: Option<f64>,
    /// Most by mean of the all-pairs load of the channels in the first step of the routes. Absent where the
    /// network is for flows.
    load_first_step: Option<f64>,
}

/// Runs it.
///
/// # Errors
/// Unknown names, numbers out of range.
pub fn run(options: &CompareOptions) -> anyhow::Result<Report> {
    if let Some(target) = &options.synth {
        return synth::run(options, target);
    }
    if options.across {
        return across::run(options);
    }
    if !options.networks.is_empty() {
        return across::listed::run(options);
    }
    let mut rows = Vec::new();
    let left_out = plans(options, |plan| rows.push(row(&Analysis::of(&plan))))?;
    let report = CompareReport { schema_version: 2, rows, left_out };
    options
        .format
        .report(&report, true, || text(options, &report.rows) + &left_out_text(&report.left_out))
}

/// The relations of a topology, side by side.
#[derive(Serialize, JsonSchema)]
struct CompareReport {
    /// Version of these fields: 2.
    schema_version: u32,
    /// One relation in one size.
    rows: Vec<RelationFigures>,
    /// Relations that cannot be had.
    left_out: Vec<LeftOut>,
}

impl Document for CompareReport {
    const ROWS: Option<&'static str> = Some("rows");
}

/// Entry in the list of reports.
pub const REPORT: ReportKind =
    ReportKind::of::<CompareReport>("compare", "the relations of a topology (`compare`)");

/// A relation that cannot be had in a dimension of those asked for, while others can.
#[derive(Serialize, JsonSchema)]
struct LeftOut {
    /// The network, by the words of a command.
    network: String,
    /// The relation.
    routing: &'static str,
    /// Reason that the relation cannot be had.
    reason: String,
}

fn left_out_text(left_out: &[LeftOut]) -> String {
    let line = |out: &LeftOut| format!("left out at {}: {}\n", out.network, out.reason);
    left_out.iter().map(line).collect()
}

/// Plans every relation in every dimension asked for, and hands on each; says which are left out
/// because the network is too large for them.
fn plans(
    options: &CompareOptions,
    mut each: impl FnMut(FabricPlan),
) -> anyhow::Result<Vec<LeftOut>> {
    let parameters = options.build.apply(options.size.parameters());
    parameters.check()?;
    let networks = options.chosen()?;
    let first = networks[0].wanted().topology.build()?;
    let mut relations: Vec<_> = routing::of_structure(first.structure()).collect();
    let (files, names): (Vec<&String>, Vec<&String>) =
        options.routing.iter().partition(|routing| relation_file::path(routing).is_some());
    for name in &names {
        if !relations.iter().any(|relation| relation.name == **name) {
            // Says what is wrong with it; one that there is, is for other topologies.
            routing::build(name, &*first)?;
            bail!("routing '{name}' is not among those of {}", first.name());
        }
    }
    if !names.is_empty() {
        relations.retain(|relation| names.iter().any(|name| **name == relation.name));
    }
    let given = match files[..] {
        [] => None,
        [file] => relation_file::path(file)
            .map(|path| relation_file::read_for(path, &networks))
            .transpose()?,
        [_, second, ..] => {
            bail!("--routing {second}: one file of a relation is compared at a time; leave it out")
        }
    };
    let mut left_out = Vec::new();
    let mut planned = usize::from(given.is_some());
    let steps = networks.len() * relations.len() + planned;
    let progress = Progress::steps(steps as u64, "comparing");
    for chosen in &networks {
        let scale = chosen.intact()?.scale();
        for relation in &relations {
            progress.message(format!("{chosen} {}", relation.name));
            let routing = Some(relation.name);
            match Network::wanted(&Wanted { routing, ..chosen.wanted() }) {
                // Not defined for this dimension: no row.
                Err(NetworkError::Routing(RoutingError::Dimension { .. })) => {}
                Err(
                    error @ (NetworkError::Routing(_)
                    | NetworkError::LargeDrawn { .. }
                    | NetworkError::LargeChoosing { .. }),
                ) => left_out.push((chosen.to_string(), relation.name, error)),
                network => {
                    planned += 1;
                    each(FabricPlan::new(Arc::new(network?), parameters, None)?);
                }
            }
            progress.step();
        }
        let is_for = |given: &&Given| !matches!(given.on, On::Named(_, own) if own != scale.size);
        if let Some(given) = given.as_ref().filter(is_for) {
            progress.message(format!("{chosen} {}", given.name));
            let network = Network::wanted(&Wanted { given: Some(given), ..chosen.wanted() })?;
            each(FabricPlan::new(Arc::new(network), parameters, None)?);
            progress.step();
        }
    }
    if planned == 0
        && let Some((.., error)) = left_out.pop()
    {
        return Err(error.into());
    }
    let named = |(network, routing, error): (String, _, NetworkError)| LeftOut {
        network,
        routing,
        reason: words::of(&error),
    };
    Ok(left_out.into_iter().map(named).collect())
}

fn row(analysis: &Analysis) -> RelationFigures {
    let balance = analysis.properties.as_ref().map(|properties| &properties.balance);
    RelationFigures {
        configuration: analysis.configuration.clone(),
        size: analysis.size,
        crosspoints_per_switch: analysis.crosspoints_per_switch,
        full_crosspoints_no_uturn: analysis.full_crosspoints_no_uturn,
        max_fan_in: analysis.max_fan_in,
        max_fan_out: analysis.max_fan_out,
        multiplexer_inputs: analysis.multiplexer_inputs,
        full_multiplexer_inputs_no_uturn: analysis.full_multiplexer_inputs_no_uturn,
        queues_per_switch: analysis.queues_per_switch,
        queue_bits_per_switch: analysis.queue_bits_per_switch,
        average_distance: analysis.lengths.average_distance,
        load_most_by_mean: balance.map(|balance| balance.total.most_by_mean),
        load_first_step: balance.map(Balance::first_step),
    }
}

fn text(options: &CompareOptions, rows: &[RelationFigures]) -> String {
    let size = match rows.first().map(|row| row.size.figure().0) {
        Some(other) if other != "dimension" => other,
        _ => "k".to_owned(),
    };
    let mut table = Table::new([
        &size,
        "routing",
        "crosspoints",
        "full",
        "fan-in",
        "fan-out",
        "mux inputs",
        "full",
        "VCs",
        "queues",
        "queue bits",
        "distance",
        "load",
        "first step",
    ]);
    for row in rows {
        table.push(cells(row));
    }
    format!(
        "{}, per switch, {} bits wide, queues {} deep\n\n{}\n{}{}",
        options.topology,
        options.size.width,
        options.size.depth,
        table.text(),
        LEGEND,
        turns_back(rows)
    )
}

/// Note on relations that have more crosspoints than the baseline.
fn turns_back(rows: &[RelationFigures]) -> String {
    let more = |row: &&RelationFigures| row.crosspoints_per_switch > row.full_crosspoints_no_uturn;
    let mut names: Vec<&str> =
        rows.iter().filter(more).map(|row| &*row.configuration.routing).collect();
    names.sort_unstable();
    names.dedup();
    match names.is_empty() {
        true => String::new(),
        false => format!(
            "{} also has U-turns, at the terminal to which a packet goes first: more than full has\n",
            names.join(", ")
        ),
    }
}

fn cells(row: &RelationFigures) -> Vec<String> {
    let unknown = || "-".to_owned();
    vec![
        row.size.figure().1,
        row.configuration.routing.clone(),
        row.crosspoints_per_switch.to_string(),
        row.full_crosspoints_no_uturn.to_string(),
        row.max_fan_in.to_string(),
        row.max_fan_out.to_string(),
        row.multiplexer_inputs.to_string(),
        row.full_multiplexer_inputs_no_uturn.to_string(),
        row.configuration.virtual_channels.to_string(),
        row.queues_per_switch.to_string(),
        row.queue_bits_per_switch.to_string(),
        number(row.average_distance),
        row.load_most_by_mean.map_or_else(unknown, number),
        row.load_first_step.map_or_else(unknown, number),
    ]
}

const LEGEND: &str = "\
crosspoints   network port to network port; full: every turn but U-turns
fan-in, -out  the largest of a port
mux inputs    queues into each output's multiplexer, terminals included; full: the same
              queues behind the full crossbar without U-turns
queues        (port, VC)s in use, and the bits they hold; inject's apart
distance      mean over all ordered pairs, a node to itself included
load          busiest channel by the mean, one packet per ordered pair; 1 is balanced
first step    the same for the first channel of each route
";

//! `turnpike worst`: the permutation that loads some channel most, of all there are.

use crate::Report;
use crate::destination::{Destination, ForceOption};
use crate::format::{FormatOption, number};
use crate::network_fields::NetworkFields;
use crate::options::NetworkOptions;
use crate::progress::Progress;
use crate::table::Table;
use crate::tabular::{Document, ReportKind};
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;
use turnpike_analysis::expected::Expected;
use turnpike_analysis::network::Wanted;
use turnpike_analysis::worst::WorstCase;
use turnpike_network::topology::Topology;

/// Pairs that a text lists at most; JSON and the file list all.
const LISTED: usize = 8;

/// Options of `worst`.
#[derive(Args, Debug)]
pub struct WorstOptions {
    /// The network.
    #[command(flatten)]
    pub network: NetworkOptions,
    /// Write the permutation to this file: a pattern, as analyze --pattern and schedule --pattern take it
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Whether to replace a file.
    #[command(flatten)]
    pub force: ForceOption,
    /// Format of the report.
    #[command(flatten)]
    pub format: FormatOption,
}

/// The worst case of a relation.
#[derive(Serialize, JsonSchema)]
struct WorstReport {
    /// Version of these fields: 1.
    schema_version: u32,
    /// The network.
    #[serde(flatten)]
    network: NetworkFields,
    /// The most packets on one channel between switches, of any permutation: one packet from each
    /// terminal. Where packets draw, the mean over all draws.
    max_channel_load: Expected,
    /// Greatest load of a channel as an exact fraction, such as `7/2`.
    max_channel_load_exact: String,
    /// A channel with that load under the permutation; `null` where no packet uses a channel.
    channel: Option<ChannelFields>,
    /// Flits per cycle that every terminal can send whatever the permutation, where channels and
    /// terminals move one flit per cycle: 1 / `max_channel_load`, and 1 at most.
    worst_case_throughput: Expected,
    /// Worst-case throughput as an exact fraction.
    worst_case_throughput_exact: String,
    /// The most packets on one channel under uniform traffic: one packet from each terminal to any, itself
    /// included, with equal odds; of a network for flows to any that it has a flow to. `null` where
    /// that is a fraction of numbers beyond 64 bits.
    uniform_channel_load: Option<Expected>,
    /// Load of the channel under uniform traffic as an exact fraction.
    uniform_channel_load_exact: Option<String>,
    /// Flits per cycle of every terminal under uniform traffic: 1 / `uniform_channel_load`, and 1 at
    /// most.
    uniform_throughput: Option<Expected>,
    /// Throughput under uniform traffic as an exact fraction.
    uniform_throughput_exact: Option<String>,
    /// Number of channels that represent all channels in use, under the translations of the
    /// network.
    standing_channels: usize,
    /// Number of channels for which an assignment was computed; the others can have no more by a
    /// bound.
    assignments: usize,
    /// Pairs of the permutation: each source and each sink once at most, and all of them where
    /// there are as many sources as sinks. A terminal may send to itself. Of a network for flows the
    /// pairs are flows, and no further one fits among them.
    permutation: Vec<PairFields>,
}

impl Document for WorstReport {}

/// Entry in the list of reports.
pub const REPORT: ReportKind =
    ReportKind::of::<WorstReport>("worst", "the worst permutation (`worst`)");

/// A channel.
#[derive(Serialize, JsonSchema)]
struct ChannelFields {
    /// Label of the switch that the channel leaves.
    from: String,
    /// Output port by which the channel leaves the switch.
    output: String,
}

/// A packet of the permutation.
#[derive(Serialize, JsonSchema)]
struct PairFields {
    /// Label of the source.
    source: String,
    /// Label of the destination.
    destination: String,
}

/// Runs it.
///
/// # Errors
/// Unknown names, numbers out of range, a relation whose packets choose, a network that is too large, a
/// file that cannot be written.
pub fn run(options: &WorstOptions) -> anyhow::Result<Report> {
    let to = |path| Destination::new(path, "worst.pattern", options.force);
    let file = options.save.as_deref().map(to).transpose()?;
    let chosen = options.network.chosen()?;
    let built = |wanted: &Wanted| Ok((wanted.build()?, wanted.intact()?));
    let ((topology, relation), labels) = options.network.wanted_of(&chosen, built)?;
    let network = NetworkFields::of(&*topology, &relation);
    let worst = {
        let _progress = Progress::spinner("looking for the worst permutation");
        WorstCase::of(topology, relation)?
    };
    let report = fields(&*labels, network, &worst);
    if let Some(file) = file {
        file.write(&pattern(&report))?;
    }
    options.format.report(&report, true, || text(&report))
}

fn fields(topology: &dyn Topology, network: NetworkFields, worst: &WorstCase) -> WorstReport {
    let (throughput, uniform) = (worst.throughput(), worst.uniform_throughput());
    let label = |terminal| topology.terminal_label(terminal);
    let exact = |figure: Option<Expected>| figure.map(|figure| figure.to_string());
    let pair = |&(source, destination): &_| PairFields {
        source: label(source),
        destination: label(destination),
    };
    WorstReport {
        schema_version: 1,
        network,
        max_channel_load: worst.load,
        max_channel_load_exact: worst.load.to_string(),
        channel: worst.channel.map(|(node, port)| ChannelFields {
            from: topology.label(node),
            output: topology.port_name(port),
        }),
        worst_case_throughput: throughput,
        worst_case_throughput_exact: throughput.to_string(),
        uniform_channel_load: worst.uniform,
        uniform_channel_load_exact: exact(worst.uniform),
        uniform_throughput: uniform,
        uniform_throughput_exact: exact(uniform),
        standing_channels: worst.standing,
        assignments: worst.assignments,
        permutation: worst.permutation.iter().map(pair).collect(),
    }
}

/// A fraction with what it comes to.
fn figure(exact: Expected) -> String {
    match exact.ratio().is_integer() {
        true => exact.to_string(),
        false => format!("{exact} = {}", number(exact.to_f64())),
    }
}

/// The permutation as a file.
fn pattern(report: &WorstReport) -> String {
    let load = &report.max_channel_load_exact;
    let mut text = format!("# {}\n", report.network.title());
    text += &format!("# worst permutation: {load} packets on one channel\n");
    for PairFields { source, destination } in &report.permutation {
        text += &format!("{source} {destination}\n");
    }
    text
}

fn text(report: &WorstReport) -> String {
    let mut text = report.network.title() + "\n\n";
    let mut table =
        Table::new(["", "packets on the busiest channel", "flits per cycle and terminal"]);
    for (name, load, throughput) in [
        ("worst permutation", Some(report.max_channel_load), Some(report.worst_case_throughput)),
        ("uniform traffic", report.uniform_channel_load, report.uniform_throughput),
    ] {
        let cell = |number: Option<Expected>| number.map_or_else(|| "-".to_owned(), figure);
        table.push(vec![name.to_owned(), cell(load), cell(throughput)]);
    }
    text += &table.text();
    let Some(ChannelFields { from, output }) = &report.channel else {
        return text + "\nNo packet uses a channel between switches.\n";
    };
    let moved: Vec<&PairFields> =
        report.permutation.iter().filter(|pair| pair.source != pair.destination).collect();
    let listed: Vec<String> = moved
        .iter()
        .take(LISTED)
        .map(|pair| format!("{} to {}", pair.source, pair.destination))
        .collect();
    let more = match moved.len() - listed.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let kept = report.permutation.len() - moved.len();
    let kept = match kept {
        0 => None,
        1 => Some("1 terminal sends to itself".to_owned()),
        several => Some(format!("{several} terminals send to themselves")),
    };
    let pairs = (!listed.is_empty()).then(|| format!("{}{more}", listed.join(", ")));
    let under: Vec<String> = pairs.into_iter().chain(kept).collect();
    text + &format!("\nThat channel is {from} {output}, under: {}.\n", under.join("; "))
}

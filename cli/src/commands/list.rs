//! `turnpike list`: what there is.

use crate::Report;
use crate::busses::{self, BusTopology};
use crate::format::{Format, FormatOption, json};
use crate::tabular::{self, Document, ReportKind};
use crate::words;
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_bus::protocol::{PROTOCOLS, ProtocolKind};
use turnpike_network::description::FORMATS;
use turnpike_network::routing::{self, RelationKind, shortest, up_down};
use turnpike_network::topology::{Limit, Structure, TOPOLOGIES};

/// Options of `list`.
#[derive(Args, Debug)]
pub struct ListOptions {
    /// Format of the report.
    #[command(flatten)]
    pub format: FormatOption,
}

#[derive(Serialize, JsonSchema)]
struct TopologyEntry {
    /// Name of the topology.
    name: &'static str,
    /// Other names of the topology.
    aliases: &'static [&'static str],
    /// Summary of the topology, in a line.
    summary: &'static str,
    /// The options that say its size.
    size: String,
    /// The least dimension, where it takes one.
    least_dimension: Option<u32>,
    /// The largest for analysis and simulation.
    largest_dimension: Option<u32>,
    /// The largest with Verilog.
    rtl_limit: Option<u32>,
    #[serde(skip)]
    range: String,
    /// The relation that it has without `--routing`.
    default_routing: &'static str,
    /// Relations of the topology.
    relations: Vec<RelationEntry>,
}

#[derive(Serialize, JsonSchema)]
struct RelationEntry {
    /// Name of the relation, or of the protocol.
    name: &'static str,
    /// Summary of the relation or protocol, in a line.
    summary: &'static str,
    /// Source of the definition.
    source: &'static str,
}

/// Runs it.
///
/// # Errors
/// None.
pub fn run(options: &ListOptions) -> anyhow::Result<Report> {
    let entries = entries();
    let text = match options.format.format {
        Format::Json => json(&ListReport {
            schema_version: 2,
            topologies: entries,
            busses: busses(),
            protocols: protocols(),
            files: file(),
        })?,
        Format::Csv => csv(&entries)?,
        Format::Text => text(&entries),
    };
    Ok(Report::holds(text))
}

/// Report of `list`: topologies, relations, busses and file formats.
#[derive(Serialize, JsonSchema)]
struct ListReport {
    /// Version of these fields: 2.
    schema_version: u32,
    /// The topologies that Turnpike has.
    topologies: Vec<TopologyEntry>,
    /// Networks of busses.
    busses: Vec<BusEntry>,
    /// The protocols of busses.
    protocols: Vec<RelationEntry>,
    /// Files of networks.
    files: FileEntry,
}

/// A network of busses.
#[derive(Serialize, JsonSchema)]
struct BusEntry {
    /// Name of the network.
    name: &'static str,
    /// Summary of the network, in a line.
    summary: &'static str,
    /// The options that say its size.
    size: &'static str,
}

fn busses() -> Vec<BusEntry> {
    let entry = |kind: &BusTopology| {
        let &BusTopology { name, summary, size } = kind;
        BusEntry { name, summary, size }
    };
    busses::TOPOLOGIES.iter().map(entry).collect()
}

fn protocols() -> Vec<RelationEntry> {
    let entry = |kind: &ProtocolKind| {
        let &ProtocolKind { name, summary, source, .. } = kind;
        RelationEntry { name, summary, source }
    };
    PROTOCOLS.iter().map(entry).collect()
}

impl Document for ListReport {}

/// Report of `list` as lines: a relation of a topology each.
#[derive(Serialize, JsonSchema)]
struct ListTable<'a> {
    /// Version of these fields: 2.
    schema_version: u32,
    /// The relations.
    rows: Vec<ListRow<'a>>,
}

impl Document for ListTable<'_> {
    const ROWS: Option<&'static str> = Some("rows");
}

/// Entry in the list of reports.
pub const REPORT: ReportKind =
    ReportKind::of::<ListReport>("list", "what there is (`list`)").with_lines_of::<ListTable<'_>>();

/// A relation of a topology.
#[derive(Serialize, JsonSchema)]
struct ListRow<'a> {
    /// Name of the topology.
    topology: &'a str,
    /// Other names of the topology.
    aliases: &'a [&'a str],
    /// The options that say its size.
    size: &'a str,
    /// The least dimension, where it takes one.
    least_dimension: Option<u32>,
    /// The largest for analysis and simulation.
    largest_dimension: Option<u32>,
    /// The largest with Verilog.
    rtl_limit: Option<u32>,
    /// The relation.
    routing: &'a str,
    /// Whether it is the topology's default.
    default: bool,
    /// Summary of the relation, in a line.
    summary: &'a str,
    /// Source of the definition.
    source: &'a str,
}

/// File format of networks.
#[derive(Serialize, JsonSchema)]
struct FileEntry {
    /// Endings of the files' names.
    endings: Vec<&'static str>,
    /// Summary of the format, in a line.
    summary: &'static str,
    /// Relations on networks from such files.
    relations: Vec<RelationEntry>,
}

fn file() -> FileEntry {
    FileEntry {
        endings: FORMATS.iter().flat_map(|format| format.endings).copied().collect(),
        summary: "a network of your own; docs/topologies.md describes the formats",
        relations: relations(Structure::Given),
    }
}

fn relations(structure: Structure) -> Vec<RelationEntry> {
    let entry =
        |r: &RelationKind| RelationEntry { name: r.name, summary: r.summary, source: r.source };
    routing::of_structure(structure).map(entry).collect()
}

fn entries() -> Vec<TopologyEntry> {
    TOPOLOGIES
        .iter()
        .map(|kind| TopologyEntry {
            name: kind.name,
            aliases: kind.aliases,
            summary: kind.summary,
            size: words::size::options(kind.sizes),
            least_dimension: kind.dimensions().map(|(least, _)| least),
            largest_dimension: kind.dimensions().map(|(_, largest)| largest),
            rtl_limit: match kind.sizes.limit {
                Limit::Rtl(most) => Some(most),
                _ => None,
            },
            range: words::size::range(kind.sizes),
            default_routing: kind.default_routing,
            relations: relations(kind.structure()),
        })
        .collect()
}

fn csv(entries: &[TopologyEntry]) -> anyhow::Result<String> {
    let rows = entries.iter().flat_map(|topology| {
        topology.relations.iter().map(|relation| ListRow {
            topology: topology.name,
            aliases: topology.aliases,
            size: &topology.size,
            least_dimension: topology.least_dimension,
            largest_dimension: topology.largest_dimension,
            rtl_limit: topology.rtl_limit,
            routing: relation.name,
            default: relation.name == topology.default_routing,
            summary: relation.summary,
            source: relation.source,
        })
    });
    tabular::csv(&ListTable { schema_version: 2, rows: rows.collect() })
}

fn text(entries: &[TopologyEntry]) -> String {
    let mut text = String::new();
    for topology in entries {
        let aliases = topology.aliases.iter().map(|alias| format!(", {alias}"));
        let names: String = std::iter::once(topology.name.to_owned()).chain(aliases).collect();
        text += &format!("{names}: {}\n", topology.summary);
        text += &format!("  {}\n", topology.range);
        text +=
            &relations_text(&topology.relations, |name| match name == topology.default_routing {
                true => " (default)",
                false => "",
            });
    }
    for BusEntry { name, summary, size } in busses() {
        text += &format!("{name}: {summary}\n  {size}\n");
    }
    for RelationEntry { name, summary, source } in protocols() {
        let default = if name == PROTOCOLS[0].name { " (default)" } else { "" };
        text += &format!("  --protocol {name}{default}: {summary}\n      {source}\n");
    }
    let FileEntry { endings, summary, relations } = file();
    let endings: Vec<String> = endings.iter().map(|ending| format!("FILE.{ending}")).collect();
    text += &format!("{}: {summary}\n", endings.join(", "));
    text + &relations_text(&relations, |name| match name {
        _ if name == up_down::KIND.name => " (default where links go both ways)",
        _ if name == shortest::KIND.name => " (default elsewhere)",
        _ => "",
    })
}

fn relations_text(relations: &[RelationEntry], mark: impl Fn(&str) -> &'static str) -> String {
    let lines = |relation: &RelationEntry| {
        let RelationEntry { name, summary, source } = relation;
        format!("  --routing {name}{}: {summary}\n      {source}\n", mark(name))
    };
    relations.iter().map(lines).collect()
}

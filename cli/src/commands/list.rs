//! `turnpike list`: what there is.

use crate::Report;
use crate::format::{Format, FormatOption, json};
use crate::table::Table;
use crate::words;
use clap::Args;
use serde::Serialize;
use turnpike_network::description::FORMATS;
use turnpike_network::routing::{self, RelationKind, shortest, up_down};
use turnpike_network::topology::{Sizes, TOPOLOGIES, wired};

/// Options of `list`.
#[derive(Args, Debug)]
pub struct ListOptions {
    /// How to report.
    #[command(flatten)]
    pub format: FormatOption,
}

#[derive(Serialize)]
struct TopologyEntry {
    name: &'static str,
    aliases: &'static [&'static str],
    summary: &'static str,
    /// The options that say its size.
    size: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    least_dimension: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    largest_dimension: Option<u32>,
    /// The largest dimension with Verilog.
    #[serde(skip_serializing_if = "Option::is_none")]
    rtl_limit: Option<u32>,
    #[serde(skip)]
    range: String,
    default_routing: &'static str,
    relations: Vec<RelationEntry>,
}

#[derive(Serialize)]
struct RelationEntry {
    name: &'static str,
    summary: &'static str,
    source: &'static str,
}

/// Runs it.
///
/// # Errors
/// None.
pub fn run(options: &ListOptions) -> anyhow::Result<Report> {
    let entries = entries();
    let text = match options.format.format {
        Format::Json => json(&serde_json::json!({
            "schema_version": 1,
            "topologies": entries,
            "files": file(),
        }))?,
        Format::Csv => csv(&entries),
        Format::Text => text(&entries),
    };
    Ok(Report::holds(text))
}

/// What files of networks there are.
#[derive(Serialize)]
struct FileEntry {
    endings: Vec<&'static str>,
    summary: &'static str,
    relations: Vec<RelationEntry>,
}

fn file() -> FileEntry {
    FileEntry {
        endings: FORMATS.iter().flat_map(|format| format.endings).copied().collect(),
        summary: "a network of your own; docs/topologies.md describes the formats",
        relations: relations(wired::NAME),
    }
}

fn relations(topology: &str) -> Vec<RelationEntry> {
    let entry =
        |r: &RelationKind| RelationEntry { name: r.name, summary: r.summary, source: r.source };
    routing::of_topology(topology).map(entry).collect()
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
            rtl_limit: match kind.sizes {
                Sizes::Dim { rtl, .. } => Some(rtl),
                _ => None,
            },
            range: words::size::range(kind.sizes),
            default_routing: kind.default_routing,
            relations: relations(kind.name),
        })
        .collect()
}

fn csv(entries: &[TopologyEntry]) -> String {
    let mut table = Table::new([
        "topology",
        "aliases",
        "size",
        "least_dimension",
        "largest_dimension",
        "rtl_limit",
        "routing",
        "default",
        "summary",
        "source",
    ]);
    let number = |n: Option<u32>| n.map(|n| n.to_string()).unwrap_or_default();
    for topology in entries {
        for relation in &topology.relations {
            table.push(vec![
                topology.name.to_owned(),
                topology.aliases.join(" "),
                topology.size.to_owned(),
                number(topology.least_dimension),
                number(topology.largest_dimension),
                number(topology.rtl_limit),
                relation.name.to_owned(),
                (relation.name == topology.default_routing).to_string(),
                relation.summary.to_owned(),
                relation.source.to_owned(),
            ]);
        }
    }
    table.csv()
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

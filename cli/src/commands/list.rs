//! `turnpike list`: what there is.

use crate::Report;
use crate::format::{Format, FormatOption, json};
use crate::table::Table;
use clap::Args;
use serde::Serialize;
use turnpike_network::routing;
use turnpike_network::topology::{Sizes, TOPOLOGIES};

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
        Format::Json => json(&serde_json::json!({ "schema_version": 1, "topologies": entries }))?,
        Format::Csv => csv(&entries),
        Format::Text => text(&entries),
    };
    Ok(Report::holds(text))
}

fn entries() -> Vec<TopologyEntry> {
    let relations = |topology: &str| {
        routing::of_topology(topology)
            .map(|r| RelationEntry { name: r.name, summary: r.summary, source: r.source })
            .collect()
    };
    TOPOLOGIES
        .iter()
        .map(|kind| TopologyEntry {
            name: kind.name,
            aliases: kind.aliases,
            summary: kind.summary,
            size: kind.sizes.options(),
            least_dimension: kind.dimensions().map(|(least, _)| least),
            largest_dimension: kind.dimensions().map(|(_, largest)| largest),
            rtl_limit: match kind.sizes {
                Sizes::Dim { rtl, .. } => Some(rtl),
                _ => None,
            },
            range: kind.sizes.range(),
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
        for relation in &topology.relations {
            let default = relation.name == topology.default_routing;
            let mark = if default { " (default)" } else { "" };
            text += &format!("  --routing {}{mark}: {}\n", relation.name, relation.summary);
            text += &format!("      {}\n", relation.source);
        }
    }
    text
}

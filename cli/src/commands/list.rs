//! `turnpike list`: what there is.

use crate::Report;
use crate::format::{Format, FormatOption, json};
use crate::table::Table;
use clap::Args;
use serde::Serialize;
use turnpike_network::routing;
use turnpike_network::topology::TOPOLOGIES;

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
    least_dimension: u32,
    largest_dimension: u32,
    /// The largest dimension with Verilog.
    rtl_limit: u32,
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
            least_dimension: kind.dimensions.0,
            largest_dimension: kind.dimensions.1,
            rtl_limit: kind.rtl_limit,
            default_routing: kind.default_routing,
            relations: relations(kind.name),
        })
        .collect()
}

fn csv(entries: &[TopologyEntry]) -> String {
    let mut table = Table::new([
        "topology",
        "aliases",
        "least_dimension",
        "largest_dimension",
        "rtl_limit",
        "routing",
        "default",
        "summary",
        "source",
    ]);
    for topology in entries {
        for relation in &topology.relations {
            table.push(vec![
                topology.name.to_owned(),
                topology.aliases.join(" "),
                topology.least_dimension.to_string(),
                topology.largest_dimension.to_string(),
                topology.rtl_limit.to_string(),
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
        text += &format!(
            "  --dim {} to {} (Verilog up to {})\n",
            topology.least_dimension, topology.largest_dimension, topology.rtl_limit
        );
        for relation in &topology.relations {
            let default = relation.name == topology.default_routing;
            let mark = if default { " (default)" } else { "" };
            text += &format!("  --routing {}{mark}: {}\n", relation.name, relation.summary);
            text += &format!("      {}\n", relation.source);
        }
    }
    text
}

//! What the reports of `simulate` share.

use super::Engine;
use super::engines::Comparison;
use crate::format::{Format, indent, json, number};
use crate::table::Table;
use serde::Serialize;
use turnpike_network::topology::Scale;
use turnpike_sim_network::report::Latency;

/// A report in the format asked for.
///
/// # Errors
/// None: its keys are strings.
pub fn write<T: Serialize>(
    format: Format,
    report: &T,
    text: impl Fn(&T) -> String,
) -> anyhow::Result<String> {
    Ok(match format {
        Format::Json => json(report)?,
        Format::Csv => csv(&serde_json::to_value(report)?),
        Format::Text => text(report),
    })
}

/// The leaves of the JSON, nested names joined by `_`: one row.
fn csv(value: &serde_json::Value) -> String {
    fn leaves(prefix: &str, value: &serde_json::Value, into: &mut Vec<(String, String)>) {
        use serde_json::Value;
        let join = |key: &str| match prefix {
            "" => key.to_owned(),
            _ => format!("{prefix}_{key}"),
        };
        match value {
            Value::Object(map) => map.iter().for_each(|(k, v)| leaves(&join(k), v, into)),
            Value::Array(items) => {
                let words = items.iter().map(|i| i.as_str().map_or(i.to_string(), str::to_owned));
                into.push((prefix.to_owned(), words.collect::<Vec<_>>().join(" ")));
            }
            Value::Null => into.push((prefix.to_owned(), String::new())),
            Value::String(text) => into.push((prefix.to_owned(), text.clone())),
            other => into.push((prefix.to_owned(), other.to_string())),
        }
    }
    let mut cells = Vec::new();
    leaves("", value, &mut cells);
    let mut table = Table::new(cells.iter().map(|(name, _)| name.clone()));
    table.push(cells.into_iter().map(|(_, value)| value).collect());
    table.csv()
}

/// The fabric, in the first line of a report.
pub struct Fabric<'a> {
    pub topology: &'a str,
    pub size: Scale,
    pub routing: &'a str,
    pub route_seed: Option<u64>,
    pub virtual_channels: u8,
    pub depth: u32,
}

impl Fabric<'_> {
    /// That line.
    pub fn line(&self) -> String {
        let Self { topology, size, routing, route_seed, virtual_channels, depth } = self;
        let seed = route_seed.map(|seed| format!(" (route seed {seed})")).unwrap_or_default();
        let size = size.words();
        let plural = if *virtual_channels == 1 { "" } else { "s" };
        format!(
            "{topology}, {size}, routing {routing}{seed}, {virtual_channels} \
             virtual channel{plural}, queues of {depth} flits\n"
        )
    }
}

/// What ran, and whether it was equal to the reference router.
pub fn engine(engine: Engine, comparison: Option<&Comparison>) -> String {
    let name = match engine {
        Engine::Reference => "reference router",
        Engine::Rtl => "RTL in rust-hdl",
        Engine::Verilator => "emitted Verilog under Verilator",
    };
    match comparison {
        None => format!("engine: {name}\n"),
        Some(Comparison { cycles, difference: None, .. }) => {
            format!(
                "engine: {name}: every output equal to the reference router over {cycles} cycles\n"
            )
        }
        Some(Comparison { difference: Some(difference), .. }) => format!(
            "engine: {name}: DIFFERS from the reference router, whose figures follow: {difference}\n"
        ),
    }
}

/// Latencies with their names, in columns.
pub fn latencies(rows: &[(&str, &Latency)]) -> String {
    let mut table = Table::new(["", "mean", "p50", "p95", "p99", "max"]);
    for (name, Latency { mean, p50, p95, p99, max }) in rows {
        let mut row = vec![(*name).to_owned(), number(*mean)];
        row.extend([p50, p95, p99, max].map(u64::to_string));
        table.push(row);
    }
    indent(&table.text())
}

/// Name, figure and remark, in columns.
pub fn figures(lines: &[(&str, String, &str)]) -> String {
    let width = lines.iter().map(|(_, figure, _)| figure.len()).max().unwrap_or(0);
    let line = |(name, figure, remark): &(&str, String, &str)| {
        format!("{name:<15}  {figure:>width$}  {remark}\n")
    };
    indent(&lines.iter().map(line).collect::<String>())
}

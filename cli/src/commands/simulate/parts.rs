//! Parts that the reports of `simulate` share.

use super::Engine;
use super::engines::Comparison;
use crate::format::{self, counted, indent, number};
use crate::table::Table;
use turnpike_fabric::report::Configuration;
use turnpike_network::topology::Scale;
use turnpike_sim_network::measure::Replies;
use turnpike_sim_network::report::{Latency, PartReport};
use turnpike_sim_network::statistics::Interval;
use turnpike_sim_network::traffic::{ClassDescription, MOST_CYCLES};

/// The fabric, in the first lines of a report.
pub fn fabric(c: &Configuration, size: Scale) -> String {
    let seed = c.route_seed.map(|seed| format!(" (route seed {seed})")).unwrap_or_default();
    format!(
        "{}, {}, routing {}{seed}, {}, queues of {} flits\n\
         configuration: {}\n",
        c.topology,
        size.words(),
        c.routing,
        counted(c.virtual_channels, "virtual channel"),
        c.depth,
        c.configuration
    )
}

/// Line on the engine that ran, and whether it was equal to the reference router.
pub fn engine(engine: Engine, comparison: Option<&Comparison>) -> String {
    let name = match engine {
        Engine::Reference => "reference router",
        Engine::Rtl => "RTL netlist",
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

/// The lengths of packets, in words: one, or several with their shares; none for a trace.
pub fn packets(flits: Option<u32>, several: Option<&str>) -> Option<String> {
    let one = |flits| format!("packets of {flits} flit{}", if flits == 1 { "" } else { "s" });
    flits.map(one).or_else(|| several.map(|lengths| format!("packets of {lengths} flits")))
}

/// A class, in a line.
pub fn class(class: &ClassDescription) -> String {
    let ClassDescription { name, share, pattern, packet_flits, packet_lengths, .. } = class;
    let packets = packets(*packet_flits, packet_lengths.as_deref());
    let packets = packets.map(|packets| format!(", {packets}")).unwrap_or_default();
    format!("class {name}: share {}, {pattern}{packets}\n", format::load(*share))
}

/// Advice on runs that go on from a length, where one of so many cycles was too short: a first length of twice
/// as many. None where there is none longer.
pub fn longer(cycles: u64) -> String {
    match cycles.saturating_mul(2) {
        first if first <= MOST_CYCLES => format!("; --cycles {first} goes on from there"),
        _ => String::new(),
    }
}

/// Replies, in words.
pub fn replies(replies: Replies) -> impl Iterator<Item = String> {
    let Replies { flits, room, outstanding } = replies;
    let room = room.map(|n| format!("room for {n} to send"));
    let outstanding = outstanding.map(|n| format!("at most {n} of a terminal under way"));
    let flits = format!("each answered by {}", counted(flits, "flit"));
    [Some(flits), room, outstanding].into_iter().flatten()
}

pub fn interval(Interval { low, high }: Interval) -> String {
    format!("{} to {}", number(low), number(high))
}

/// Parts of the packets with their names, in columns: throughput, and latency from release.
pub fn parts(rows: &[(String, PartReport)]) -> String {
    let header = [
        "",
        "packets",
        "offered",
        "delivered",
        "mean",
        "95 % confidence",
        "p50",
        "p95",
        "p99",
        "max",
    ];
    let mut table = Table::new(header);
    for (name, part) in rows {
        let mut row = vec![name.clone(), part.measured_delivered_packets.to_string()];
        row.extend([part.offered_throughput, part.accepted_throughput].map(format::load));
        match part.latency {
            None => row.extend(["-"; 6].map(str::to_owned)),
            Some(Latency { mean, p50, p95, p99, max }) => {
                row.push(number(mean));
                row.push(part.latency_interval.map_or_else(|| "-".to_owned(), interval));
                row.extend([p50, p95, p99, max].map(|cycles| cycles.to_string()));
            }
        }
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

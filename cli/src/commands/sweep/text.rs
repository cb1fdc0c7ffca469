//! The report of `sweep` for people: a table of each curve.

use super::report::{SweepPoint, SweepReport};
use super::saturation::Saturation;
use crate::commands::simulate::parts;
use crate::format::{self, indent, number};
use crate::table::Table;
use turnpike_sim_network::measure::LateFlow;
use turnpike_sim_network::statistics::Stability;
use turnpike_sim_network::sweep::point::{Latencies, Point};
use turnpike_sim_network::sweep::{Estimate, PartPoint, RequestReplyPoint};

/// The whole.
pub fn of(report: &SweepReport) -> String {
    let mut text = String::new();
    for fabric in report.rows.chunk_by(SweepPoint::is_of_fabric_of) {
        let Some(first) = fabric.first() else { continue };
        text += &parts::fabric(&first.configuration, first.size);
        for curve in fabric.chunk_by(|a, b| a.traffic.pattern == b.traffic.pattern) {
            text += "\n";
            text += &self::curve(report.seed, curve);
        }
        text += "\n";
    }
    let units = report.rows.first().map(|row| row.units.line() + "\n");
    text + &units.unwrap_or_default() + LEGEND
}

const LEGEND: &str = "\
In brackets: 95 % confidence intervals, over seeds and batches; of percentiles, over seeds alone.
Latency in cycles. It grows with the length of the run where the network is saturated: such runs are
stopped where two looks at them find that, and have none.
";

type OfKind = fn(&RequestReplyPoint) -> Latencies;

/// Requests, replies and round trips: what they are called, and their latencies.
pub const KINDS: [(&str, OfKind); 3] = [
    ("requests, from release", |point| point.requests),
    ("replies, from release", |point| point.replies),
    ("round trip", |point| point.round_trip),
];

fn curve(seed: u64, rows: &[SweepPoint]) -> String {
    let Some(first) = rows.first() else { return String::new() };
    let mut text = title(seed, first);
    text += "  from release\n";
    text += &indent(&indent(&table(rows, true, |point| point.latency)));
    text += "  from injection\n";
    text += &indent(&indent(&table(rows, false, |point| point.network_latency)));
    for (name, of) in KINDS {
        if first.replies().is_some() {
            text += &format!("  {name}\n");
            let table = table(rows, false, |point| {
                point.request_reply.as_ref().map_or_else(Latencies::default, of)
            });
            text += &indent(&indent(&table));
        }
    }
    for (at, class) in first.classes().iter().enumerate() {
        text += &format!("  class {}, from release\n", class.class.name);
        text += &indent(&indent(&class_table(rows, at)));
    }
    text += &late(rows);
    text += &imprecise(rows);
    let saturation = first.saturation.map(saturation);
    text + &saturation.map(|words| format!("  saturation: {words}\n")).unwrap_or_default()
}

/// The traffic of a curve, and its seeds, in a line.
pub fn title(seed: u64, row: &SweepPoint) -> String {
    let traffic = &row.traffic;
    let mut words = vec![format!("traffic {}", traffic.pattern)];
    if let (Some(nodes), Some(share)) = (&row.hotspots, row.hotspot_share) {
        words.push(format!("share {} to {}", number(share), nodes.join(" ")));
    }
    if row.classes().is_empty() {
        words.extend(parts::packets(traffic.packet_flits, traffic.packet_lengths.as_deref()));
    }
    words.extend(traffic.replies().into_iter().flat_map(parts::replies));
    words.extend(traffic.burst_cycles.map(|cycles| format!("bursts of {cycles} cycles")));
    if !traffic.self_addressed {
        words.push("self-addressed packets not drawn".to_owned());
    }
    words.extend(row.precision.map(|share| format!("mean to {} %", number(100.0 * share))));
    words.push(seeds(seed, row.point.runs));
    let classes = row.classes().iter().map(|class| parts::class(&class.class));
    words.join(", ") + "\n" + &indent(&classes.collect::<String>())
}

/// Columns of [`late_cells`].
pub const LATE: [&str; 6] = ["load", "late flows", "late packets", "worst flow", "within", "took"];

/// Late packets of a point in words: how many, of how many flows, and the flow that was late by the most
/// cycles. `None` where no flow says a latency.
pub fn late_cells(row: &SweepPoint) -> Option<[String; 6]> {
    let flows = row.point.late_flows.as_ref()?;
    let worst = flows.iter().max_by_key(|flow| flow.worst_cycles - u64::from(flow.latency_cycles));
    let of_worst = |words: fn(&LateFlow) -> String| worst.map_or_else(|| "-".to_owned(), words);
    Some([
        row.traffic.offered_load.to_string(),
        flows.len().to_string(),
        row.point.late_packets.unwrap_or_default().to_string(),
        of_worst(|flow| format!("{} to {}", flow.source, flow.destination)),
        of_worst(|flow| flow.latency_cycles.to_string()),
        of_worst(|flow| flow.worst_cycles.to_string()),
    ])
}

/// Points whose mean latency is not as precise as was asked for; nothing where none was, or all are.
fn imprecise(rows: &[SweepPoint]) -> String {
    let open: Vec<&SweepPoint> = rows.iter().filter(|row| row.precise == Some(false)).collect();
    let Some((first, share)) = open.first().and_then(|row| Some((row, row.precision?))) else {
        return String::new();
    };
    let loads: Vec<String> = open.iter().map(|row| row.traffic.offered_load.to_string()).collect();
    let cycles = first.point.run_cycles;
    format!(
        "  mean not within {} % after runs of {cycles} cycles, load {}{}\n",
        number(100.0 * share),
        loads.join(" "),
        parts::longer(cycles)
    )
}

/// Late packets at each load; nothing where no flow says a latency.
fn late(rows: &[SweepPoint]) -> String {
    let rows: Vec<_> = rows.iter().filter_map(late_cells).collect();
    if rows.is_empty() {
        return String::new();
    }
    let mut table = Table::new(LATE);
    rows.into_iter().for_each(|row| table.push(row.into()));
    format!("  later than flows allow, cycles from release\n{}", indent(&indent(&table.text())))
}

/// The points with the figures of one class, by its place.
fn class_table(rows: &[SweepPoint], at: usize) -> String {
    let mut table = Table::new(["load", "its load", "accepted", "mean", "p50", "p95", "p99"]);
    for row in rows {
        let Some(class) = row.classes().get(at) else { continue };
        let PartPoint { accepted_throughput, latency } = class.part;
        let Latencies { mean, p50, p95, p99 } = latency;
        let mut cells =
            [row.traffic.offered_load, class.class.offered_load].map(format::load).to_vec();
        cells.extend([accepted_throughput, mean, p50, p95, p99].map(estimate));
        table.push(cells);
    }
    table.text()
}

/// The seeds of a point of so many runs.
pub fn seeds(first: u64, runs: u32) -> String {
    let last = first.wrapping_add(u64::from(runs).saturating_sub(1));
    match runs {
        1 => format!("seed {first}"),
        _ => format!("seeds {first} to {last}"),
    }
}

/// The points with one of their latencies; `whole`: with what is of the point itself.
fn table(rows: &[SweepPoint], whole: bool, latencies: impl Fn(&Point) -> Latencies) -> String {
    let is_precise = rows.iter().any(|row| row.precision.is_some());
    let own: &[&str] = match (whole, is_precise) {
        (false, _) => &["load"],
        (true, false) => &["load", "verdict", "accepted"],
        (true, true) => &["load", "cycles", "verdict", "accepted"],
    };
    let mut table = Table::new(own.iter().copied().chain(["mean", "p50", "p95", "p99"]));
    for row in rows {
        let mut cells = vec![row.traffic.offered_load.to_string()];
        if whole && is_precise {
            cells.push(row.point.run_cycles.to_string());
        }
        if whole {
            cells.push(verdict(row));
            cells.push(estimate(row.point.accepted_throughput));
        }
        let Latencies { mean, p50, p95, p99 } = latencies(&row.point);
        cells.extend([mean, p50, p95, p99].map(estimate));
        table.push(cells);
    }
    table.text()
}

/// The verdict of a point, with how many runs have it where not all do, and whether its mean is not as precise as
/// was asked for.
pub fn verdict(row: &SweepPoint) -> String {
    let point = &row.point;
    let of_runs = |some: u32| match some == point.runs {
        true => String::new(),
        false => format!(" ({some} of {} runs)", point.runs),
    };
    match point.verdict {
        None => format!("DEADLOCKED{}", of_runs(point.deadlocked_runs)),
        Some(Stability::Steady) if row.precise == Some(false) => {
            format!("steady, not precise{}", of_runs(point.steady_runs))
        }
        Some(Stability::Steady) => format!("steady{}", of_runs(point.steady_runs)),
        Some(Stability::Undecided) => "undecided".to_owned(),
        Some(Stability::Saturated) if point.stopped_runs > 0 => {
            format!("saturated, stopped{}", of_runs(point.stopped_runs))
        }
        Some(Stability::Saturated) => format!("saturated{}", of_runs(point.saturated_runs)),
    }
}

/// A figure, with its interval where it has one.
pub fn estimate(Estimate { value, low, high }: Estimate) -> String {
    let value = value.map_or_else(|| "-".to_owned(), number);
    match (low, high) {
        (Some(low), Some(high)) => format!("{value} [{}, {}]", number(low), number(high)),
        _ => value,
    }
}

/// Text on the load at which a curve saturates.
pub fn saturation(saturation: Saturation) -> String {
    let Saturation { decided, load, low, high, accepted_throughput } = saturation;
    let accepted = estimate(accepted_throughput);
    let (low_text, high_text) = (format::load(low), high.map(format::load));
    match (load, high_text) {
        (Some(load), Some(high)) => {
            format!(
                "load {} [{low_text}, {high}], where {accepted} is accepted",
                format::load(load)
            )
        }
        (None, Some(high)) => format!(
            "not decided to 1 %: steady up to load {low_text}, saturated from load {high}, where \
             {accepted} is accepted"
        ),
        (_, None) if decided => "none: steady under load 1".to_owned(),
        (_, None) => format!("not decided: steady up to load {low_text}, saturated under none"),
    }
}

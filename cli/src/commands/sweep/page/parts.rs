//! Tables of parts of the packets: requests, replies and round trips, and classes.

use super::super::report::SweepPoint;
use super::super::text::{KINDS, LATE, estimate, late_cells};
use crate::format::load;
use turnpike_sim_network::sweep::point::Latencies;
use turnpike_sim_network::sweep::{Estimate, PartPoint};

/// A table of the parts of all points.
pub struct PartTable {
    /// Identifier of the table in the document.
    pub id: &'static str,
    /// Heading of the table.
    pub heading: &'static str,
    /// Description of the rows.
    pub words: &'static str,
    pub columns: Vec<&'static str>,
    pub rows: Vec<Vec<String>>,
}

impl PartTable {
    /// The name of its heading in the document.
    pub fn label(&self) -> String {
        format!("{}-heading", self.id)
    }
}

/// Tables that a report has rows for.
pub fn of(rows: &[SweepPoint]) -> Vec<PartTable> {
    [replies(rows), classes(rows), late(rows)]
        .into_iter()
        .filter(|table| !table.rows.is_empty())
        .collect()
}

const FIGURES: [&str; 5] = ["accepted", "mean", "p50", "p95", "p99"];

fn replies(rows: &[SweepPoint]) -> PartTable {
    let of_row = |row| {
        let point = SweepPoint::replies(row).into_iter();
        point.flat_map(move |point| {
            let accepted = [Some(point.request_throughput), Some(point.reply_throughput), None];
            KINDS.iter().zip(accepted).map(move |((kind, of), accepted)| {
                [cells(row, &[kind]), figures(accepted, of(point))].concat()
            })
        })
    };
    PartTable {
        id: "replies",
        heading: "Requests and replies",
        words: "The round trip is from the release of a request to the delivery of its reply.",
        columns: [&["relation", "traffic", "load", "packets"][..], &FIGURES].concat(),
        rows: rows.iter().flat_map(of_row).collect(),
    }
}

fn classes(rows: &[SweepPoint]) -> PartTable {
    let of_row = |row| {
        SweepPoint::classes(row).iter().map(move |class| {
            let PartPoint { accepted_throughput, latency } = class.part;
            let own = [&*class.class.name, &load(class.class.offered_load)];
            [cells(row, &own), figures(Some(accepted_throughput), latency)].concat()
        })
    };
    PartTable {
        id: "classes",
        heading: "Classes",
        words: "Latency is from release, and of requests where packets are answered.",
        columns: [&["relation", "traffic", "load", "class", "its load"][..], &FIGURES].concat(),
        rows: rows.iter().flat_map(of_row).collect(),
    }
}

fn late(rows: &[SweepPoint]) -> PartTable {
    let of_row = |row| {
        let [_, own @ ..] = late_cells(row)?;
        Some(cells(row, &own.each_ref().map(String::as_str)))
    };
    PartTable {
        id: "late",
        heading: "Packets later than their flows allow",
        words: "Cycles are from release. The worst flow is the one that was late by the most cycles.",
        columns: [&["relation", "traffic"][..], &LATE].concat(),
        rows: rows.iter().filter_map(of_row).collect(),
    }
}

/// The cells of a point, and those of its part.
fn cells(row: &SweepPoint, own: &[&str]) -> Vec<String> {
    let point =
        [&*row.configuration.routing, &row.traffic.pattern, &row.traffic.offered_load.to_string()];
    [&point[..], own].concat().into_iter().map(str::to_owned).collect()
}

fn figures(accepted: Option<Estimate>, latency: Latencies) -> Vec<String> {
    let accepted = accepted.map_or_else(|| "-".to_owned(), estimate);
    let Latencies { mean, p50, p95, p99 } = latency;
    [accepted].into_iter().chain([mean, p50, p95, p99].map(estimate)).collect()
}

//! `--html`: the report as one file for a browser, which needs nothing else. Charts and tables stand
//! in it as they are; its script hides, points out, copies and saves, and works out no figure.

mod axis;
mod chart;
mod marker;
mod parts;

use super::report::{SweepPoint, SweepReport};
use super::text::{estimate, saturation, seeds, title, verdict};
use crate::commands::simulate::parts::fabric;
use crate::commands::simulate::units::Units;
use anyhow::Context;
use askama::Template;
use chart::{Bracket, Chart, Mark, Series};
use marker::{class, marker};
use parts::PartTable;
use svg::Document;
use svg::node::element::Line;
use turnpike_sim_network::statistics::Stability;
use turnpike_sim_network::sweep::Estimate;
use turnpike_sim_network::sweep::point::{Latencies, Point};

/// Most points of a page: 2,000 of them make some 3 MB.
pub const MOST_POINTS: u64 = 2000;

/// A figure of a latency: what it is called in the document and by people, and which it is.
type FigureOf = (&'static str, &'static str, fn(&Latencies) -> Estimate);

/// The axis of a chart of latency ends at so many times the latency of the least load.
const MOST_LATENCY: f64 = 5.0;

/// Figures of the charts of latency.
const LATENCIES: [FigureOf; 3] = [
    ("mean", "Mean", |latency| latency.mean),
    ("p95", "95th percentile", |latency| latency.p95),
    ("p99", "99th percentile", |latency| latency.p99),
];

#[derive(Template)]
#[template(path = "page/sweep.html", escape = "html")]
struct Page<'a> {
    title: String,
    version: &'static str,
    command: String,
    seeds: String,
    fabrics: Vec<String>,
    curves: Curves<'a>,
}

/// The charts of a report, its curves and its points: a part of a page.
#[derive(Template)]
#[template(path = "page/curves.html", escape = "html")]
pub struct Curves<'a> {
    curves: Vec<CurveRow>,
    latencies: Vec<Figure>,
    throughput: Figure,
    /// Whether a line shows where accepted and offered are equal.
    has_diagonal: bool,
    units: Units,
    key: Vec<(String, &'static str)>,
    points: Vec<PointRow<'a>>,
    /// Parts of the packets, where there are any.
    parts: Vec<PartTable>,
    csv: String,
}

/// A chart in the page.
struct Figure {
    id: &'static str,
    name: &'static str,
    svg: String,
}

/// A curve in the list of curves.
struct CurveRow {
    name: String,
    routing: String,
    traffic: String,
    saturation: String,
    swatch: String,
}

/// A point in the table.
struct PointRow<'a> {
    routing: &'a str,
    pattern: &'a str,
    load: String,
    verdict: String,
    /// Accepted throughput, then the latencies.
    figures: Vec<String>,
}

/// The page of a report; `command` makes the report again.
///
/// # Errors
/// None: its keys are strings.
pub fn of(report: &SweepReport, command: &str) -> anyhow::Result<String> {
    let Some(first) = report.rows.first() else { return Ok(String::new()) };
    let fabrics = report.rows.chunk_by(|a, b| a.is_of_fabric_of(b));
    let page = Page {
        title: format!("Sweep of {}, {}", first.configuration.topology, first.size.words()),
        version: env!("CARGO_PKG_VERSION"),
        command: format!("{command} --html sweep.html"),
        seeds: of_points(report),
        fabrics: fabrics
            .filter_map(<[SweepPoint]>::first)
            .map(|row| fabric(&row.configuration, row.size))
            .collect(),
        curves: Curves::of(report)?,
    };
    Ok(page.render()?)
}

/// The seeds of every point of a report that has some, as a sentence begins.
pub fn of_points(report: &SweepReport) -> String {
    let runs = report.rows.first().map_or(1, |row| row.point.runs);
    format!("S{}", &seeds(report.seed, runs)[1..])
}

impl<'a> Curves<'a> {
    /// Curves of a report.
    ///
    /// # Errors
    /// A report without points.
    pub fn of(report: &'a SweepReport) -> anyhow::Result<Self> {
        let curves: Vec<&[SweepPoint]> = report.curves().collect();
        let rows = curves.iter().enumerate();
        let units = report.rows.first().context("a sweep without points")?.units;
        // Where packets are answered, replies are accepted beside what is offered.
        let answered = report.rows.iter().any(|row| row.traffic.reply_flits.is_some());
        let has_diagonal = !answered && units.load_is_throughput();
        Ok(Self {
            curves: rows.map(|(at, rows)| curve(at, rows, report.seed)).collect(),
            latencies: LATENCIES.map(|of| latency(of, &curves, units)).into(),
            throughput: throughput(&curves, units, has_diagonal),
            has_diagonal,
            units,
            key: key(),
            points: report.rows.iter().map(point).collect(),
            parts: parts::of(&report.rows),
            csv: report.csv()?,
        })
    }
}

/// Name of a curve.
fn name(row: &SweepPoint) -> String {
    format!("{}, {}", row.configuration.routing, row.traffic.pattern)
}

fn curve(at: usize, rows: &[SweepPoint], seed: u64) -> CurveRow {
    let first = &rows[0];
    CurveRow {
        name: name(first),
        routing: first.configuration.routing.clone(),
        traffic: title(seed, first)
            .trim_start_matches("traffic ")
            .trim_end()
            .replace("\n  class", "; class"),
        saturation: first.saturation.map_or_else(|| "-".to_owned(), saturation),
        swatch: swatch(at),
    }
}

/// A curve's line and marker, for the list.
fn swatch(curve: usize) -> String {
    let line = Line::new()
        .set("x1", 0)
        .set("y1", 9)
        .set("x2", 44)
        .set("y2", 9)
        .set("class", "line")
        .set("stroke-dasharray", marker::dashes(curve));
    let marker = marker(curve, Some(Stability::Steady), 22.0, 9.0);
    small(44, &class(curve)).add(line).add(marker).to_string()
}

/// A picture in a line of text, which says the same.
fn small(width: u32, class: &str) -> Document {
    Document::new()
        .set("viewBox", format!("0 0 {width} 18"))
        .set("width", width)
        .set("height", 18)
        .set("class", format!("small {class}"))
        .set("aria-hidden", "true")
}

/// Meaning of the markers.
fn key() -> Vec<(String, &'static str)> {
    let all = [
        (Some(Stability::Steady), "steady"),
        (Some(Stability::Undecided), "undecided: run longer (no intervals of latency)"),
        (Some(Stability::Saturated), "saturated (no latency: above the axis)"),
        (None, "deadlocked (no latency: above the axis)"),
    ];
    all.map(|(verdict, words)| {
        (small(18, "c0").add(marker(0, verdict, 9.0, 9.0)).to_string(), words)
    })
    .into()
}

fn latency((id, name, of): FigureOf, curves: &[&[SweepPoint]], units: Units) -> Figure {
    let chart = Chart {
        id,
        title: &format!("Latency over the offered load: {}", name.to_lowercase()),
        description: &format!(
            "{name} of the latency from release to delivery, in cycles, over the offered load, with \
             95 % confidence intervals. {}",
            described(curves)
        ),
        across: &units.load_axis(),
        axis: "latency (cycles)",
        diagonal: false,
        most: Some(MOST_LATENCY),
        lines: series(
            curves,
            |point| of(&point.latency),
            |figure| format!("{} {figure} cycles", name.to_lowercase()),
        ),
    };
    Figure { id, name, svg: chart.svg() }
}

fn throughput(curves: &[&[SweepPoint]], units: Units, diagonal: bool) -> Figure {
    let equal = if diagonal { ", and a line where they are equal" } else { "" };
    let chart = Chart {
        id: "throughput",
        title: "Accepted throughput over the offered load",
        description: &format!(
            "Accepted throughput over the offered load, with 95 % confidence intervals{equal}. {} {}",
            units.line(),
            described(curves)
        ),
        across: &units.load_axis(),
        axis: &format!("accepted ({})", units.throughput()),
        diagonal,
        most: None,
        lines: series(
            curves,
            |point| point.accepted_throughput,
            |figure| format!("accepted {figure}"),
        ),
    };
    Figure { id: "throughput", name: "Accepted throughput", svg: chart.svg() }
}

/// Last sentence of all descriptions.
fn described(curves: &[&[SweepPoint]]) -> String {
    let names: Vec<String> = curves.iter().map(|rows| name(&rows[0])).collect();
    format!("Curves: {}. All figures are in the table of points.", names.join("; "))
}

/// The curves of a chart.
fn series(
    curves: &[&[SweepPoint]],
    of: impl Fn(&Point) -> Estimate,
    words: impl Fn(&str) -> String,
) -> Vec<Series> {
    let mark = |row: &SweepPoint| {
        let (figure, load) = (of(&row.point), row.traffic.offered_load);
        let said = match figure.value {
            Some(_) => words(&estimate(figure)),
            None => "no figure".to_owned(),
        };
        let verdict = verdict(row);
        let words = format!("{}, load {load}: {said}, {verdict}", name(row));
        Mark { load, figure, verdict: row.point.verdict, words }
    };
    let of_curve = |rows: &&[SweepPoint]| {
        let found = rows[0].saturation;
        let bracket = found.and_then(|found| {
            let words = format!("{}, saturation: {}", name(&rows[0]), saturation(found));
            Some(Bracket { low: found.low, high: found.high?, words })
        });
        Series { points: rows.iter().map(mark).collect(), bracket }
    };
    curves.iter().map(of_curve).collect()
}

fn point(row: &SweepPoint) -> PointRow<'_> {
    let Point { accepted_throughput, latency, network_latency, .. } = row.point;
    let of = |Latencies { mean, p50, p95, p99 }| [mean, p50, p95, p99];
    let figures = [accepted_throughput].into_iter().chain(of(latency)).chain(of(network_latency));
    PointRow {
        routing: &row.configuration.routing,
        pattern: &row.traffic.pattern,
        load: row.traffic.offered_load.to_string(),
        verdict: verdict(row),
        figures: figures.map(estimate).collect(),
    }
}

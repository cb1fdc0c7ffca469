//! `turnpike analyze --bounds`: cycles that no packet of a flow exceeds.

use super::{AnalyzeOptions, WIDTH};
use crate::Report;
use crate::format::wrap;
use crate::network_fields::NetworkFields;
use crate::progress::Progress;
use crate::table::Table;
use crate::tabular::{Document, ReportKind};
use anyhow::Context;
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_bounds::check::check;
use turnpike_bounds::{Bounds, FlowBound, ShaperRoom, bounds, condition, shaper_rooms};
use turnpike_fabric::plan::FabricPlan;

/// Flows that a text lists at most; JSON and CSV list all.
const LISTED: usize = 48;

#[derive(Serialize, JsonSchema)]
struct BoundsReport {
    /// Version of these fields: 1.
    schema_version: u32,
    /// The network.
    #[serde(flatten)]
    network: NetworkFields,
    /// Name of the fabric, whose hardware the bounds are of.
    fabric: String,
    /// Condition under which the bounds hold.
    condition: String,
    /// Whether each flow that asks for a latency is known to have it.
    latencies_kept: bool,
    /// Shapers, each with the room that it has and needs, by ascending source.
    shapers: Vec<ShaperRoom>,
    /// Bounds of the flows, and the steps that give them.
    #[serde(flatten)]
    bounds: Bounds,
}

impl Document for BoundsReport {
    const ROWS: Option<&'static str> = Some("flows");
}

/// Entry in the list of reports.
pub const REPORT: ReportKind =
    ReportKind::of::<BoundsReport>("analyze_bounds", "bounds of latency (`analyze --bounds`)");

/// Runs it. A flow that asks for less than its bound does not hold, nor one without a bound that asks for
/// anything.
///
/// # Errors
/// Unknown names, numbers out of range, a fabric of which there are no bounds.
pub fn run(options: &AnalyzeOptions) -> anyhow::Result<Report> {
    let plan = options.fabric.plan(None)?;
    let bounds = {
        let _progress = Progress::spinner("looking for bounds");
        let bounds = bounds(&plan)?;
        check(&plan, &bounds).context("internal error: the steps do not give the bounds")?;
        bounds
    };
    let report = BoundsReport {
        schema_version: 1,
        network: NetworkFields::of(plan.topology(), plan.relation()),
        fabric: plan.name.clone(),
        condition: condition(&plan).to_owned(),
        latencies_kept: bounds.flows.iter().all(FlowBound::is_kept),
        shapers: shaper_rooms(&plan, &bounds),
        bounds,
    };
    options.format.report(&report, report.latencies_kept, || text(&plan, &report))
}

fn text(plan: &FabricPlan, report: &BoundsReport) -> String {
    let flows = &report.bounds.flows;
    let count = flows.len();
    let mut text = format!("{}: bounds of {count} flows, in cycles\n", plan.name);
    text += &wrap(&format!("they hold as long as {}", report.condition), WIDTH);
    text.push('\n');
    let asks = flows.iter().any(|flow| flow.latency_cycles.is_some());
    let head = ["source", "destination", "flits", "burst", "bandwidth", "alone", "bound", "by"];
    let mut table = Table::new(head.into_iter().chain(asks.then_some("asked")));
    for flow in flows.iter().take(LISTED) {
        let mut cells = vec![
            flow.source.clone(),
            flow.destination.clone(),
            flow.packet_flits.to_string(),
            flow.burst_flits.to_string(),
            flow.bandwidth.to_string(),
            flow.least_cycles.to_string(),
            cell(flow.bound_cycles),
            method(flow).to_owned(),
        ];
        cells.extend(asks.then(|| asked(flow)));
        table.push(cells);
    }
    text += &table.text();
    if count > LISTED {
        text += &format!("and {} flows more: --format csv lists all\n", count - LISTED);
    }
    let unbounded = flows.iter().filter(|flow| flow.bound_cycles.is_none()).count();
    if unbounded > 0 {
        text += &wrap(
            &format!(
                "{unbounded} flows without a bound: neither method is sure of one, with what they and those \
                 that they meet ask for; that is not to say that they are late"
            ),
            WIDTH,
        );
    }
    let tight: Vec<&ShaperRoom> = report.shapers.iter().filter(|room| !room.is_enough()).collect();
    if !tight.is_empty() {
        text += &wrap(&small_rooms(&tight), WIDTH);
    }
    let late = flows.iter().filter(|flow| !flow.is_kept()).count();
    if late > 0 {
        text += &format!("{late} flows are NOT known to have the latency that they ask for\n");
    }
    text
}

/// Sources that their shapers may stop although they keep to their flows.
fn small_rooms(tight: &[&ShaperRoom]) -> String {
    let names: Vec<&str> = tight.iter().map(|room| room.source.as_str()).collect();
    let names = names.join(", ");
    let stopped = format!(
        "shapers may stop these sources (tready) although they keep to their token buckets, and what waits outside may be \
         later than its bound: {names}"
    );
    match tight.iter().map(|room| room.needed_flits).collect::<Option<Vec<u64>>>() {
        Some(needed) => {
            let most = needed.into_iter().max().unwrap_or(0);
            format!("{stopped}; with --shaper-room {most} they do not")
        }
        None => format!("{stopped}; some of their flows have no bound, so no room is known to do"),
    }
}

fn cell(cycles: Option<u64>) -> String {
    cycles.map_or_else(|| "-".to_owned(), |cycles| cycles.to_string())
}

fn method(flow: &FlowBound) -> &'static str {
    match flow.bound_cycles {
        None => "-",
        bound if bound == flow.compositional_cycles => "queues",
        _ => "flows",
    }
}

fn asked(flow: &FlowBound) -> String {
    let Some(asked) = flow.latency_cycles else { return "-".to_owned() };
    match flow.is_in_time() {
        Some(true) => asked.to_string(),
        _ => format!("{asked} (NOT kept)"),
    }
}

//! The page: what its template takes.

use super::ReportOptions;
use super::area::{self, Area, AreaTable};
use super::deadlock::{self, Deadlock};
use super::network::{self, LoadTable};
use super::routes;
use super::switches::{self, Switches};
use crate::again;
use crate::commands::analyze::flows::section;
use crate::commands::simulate::parts;
use crate::commands::sweep::SweepReport;
use crate::commands::sweep::page::{Curves, of_points};
use crate::format::number;
use askama::Template;
use turnpike_emit::picture;
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::report::Analysis;

/// A page, and what is not in it.
pub struct Page {
    /// The file.
    pub text: String,
    /// Notes on parts that are left out, for they are too much for a page.
    pub left_out: Vec<String>,
}

#[derive(Template)]
#[template(path = "page/report.html", escape = "html")]
struct Content<'a> {
    title: String,
    version: &'static str,
    fabric: String,
    command: String,
    figures: Vec<(&'static str, String)>,
    /// Section on flows, as `analyze` prints it.
    flows: Option<String>,
    network: Option<String>,
    load: LoadTable,
    switches: Switches,
    turn_columns: &'static [&'static str],
    /// Routes for the script, in characters that HTML and XML take as they are.
    routes: Option<String>,
    curves: Option<(String, Curves<'a>)>,
    area_columns: &'static [&'static str],
    areas: Vec<AreaTable>,
    deadlock: Deadlock,
    left_out: &'a [String],
}

/// The columns of the table of turns.
const TURNS: &[&str] = &["switch", "input", "output", "taken at", "source", "destination", "route"];

/// The page of a fabric.
///
/// # Errors
/// None: its keys are strings.
pub fn of(
    options: &ReportOptions,
    plan: &FabricPlan,
    analysis: &Analysis,
    sweep: Option<&SweepReport>,
    areas: &[Area],
) -> anyhow::Result<Page> {
    let load = network::loads(plan);
    let network = picture::page::network(plan, &load.loads);
    let switches = switches::of(plan, analysis);
    let (routes, no_routes) = routes::of(plan);
    let deadlock = deadlock::of(analysis);
    let left_out: Vec<String> = network
        .as_ref()
        .err()
        .map(|wrong| format!("the network, drawn: {wrong}"))
        .into_iter()
        .chain(load.left_out.clone())
        .chain(switches.left_out.iter().cloned())
        .chain(no_routes)
        .chain(deadlock.left_out.clone())
        .collect();
    let curves = sweep.map(|sweep| Ok::<_, anyhow::Error>((of_points(sweep), Curves::of(sweep)?)));
    let template = Content {
        title: format!(
            "{}, {}, {}",
            analysis.configuration.topology,
            analysis.size.words(),
            analysis.configuration.routing
        ),
        version: env!("CARGO_PKG_VERSION"),
        fabric: parts::fabric(&analysis.configuration, analysis.size),
        command: format!("{} --out report.html", again::line(&options.again)),
        figures: figures(analysis),
        flows: analysis.flows.as_ref().map(section),
        network: network.ok(),
        load,
        switches,
        turn_columns: TURNS,
        routes: routes
            .map(|routes| serde_json::to_string(&routes))
            .transpose()?
            .map(|json| plain(&json)),
        curves: curves.transpose()?,
        area_columns: &area::COLUMNS,
        areas: areas.iter().enumerate().map(|(place, area)| area.table(place)).collect(),
        deadlock,
        left_out: &left_out,
    };
    let text = template.render()?;
    Ok(Page { text, left_out })
}

/// JSON without characters that HTML or XML read otherwise: they stand in strings alone.
fn plain(json: &str) -> String {
    json.replace('&', r"\u0026").replace('<', r"\u003c").replace('>', r"\u003e")
}

/// The figures of a fabric that people ask for first.
fn figures(a: &Analysis) -> Vec<(&'static str, String)> {
    let of = |count: u32, full: u32| format!("{count} of {full} without U-turns");
    let deadlock = match a.deadlock_free_condition {
        Some(condition) => format!("free, with a certificate, {condition}"),
        None => "NOT free".to_owned(),
    };
    vec![
        ("nodes", a.configuration.nodes.to_string()),
        ("terminals", a.configuration.terminals.to_string()),
        ("channels", a.channels.to_string()),
        ("virtual channels", a.configuration.virtual_channels.to_string()),
        ("diameter, longest route", format!("{}, {}", a.lengths.diameter, a.lengths.longest_route)),
        (
            "average distance, route length",
            format!(
                "{}, {}",
                number(a.lengths.average_distance),
                number(a.lengths.average_route_length)
            ),
        ),
        (
            "crosspoints of the largest switch",
            of(a.crosspoints_per_switch, a.full_crosspoints_no_uturn),
        ),
        ("largest fan-in, fan-out", format!("{}, {}", a.max_fan_in, a.max_fan_out)),
        ("deadlock", deadlock),
    ]
}

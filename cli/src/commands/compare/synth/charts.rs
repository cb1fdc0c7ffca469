//! The picture of `compare --synth`: size and clock over the dimension.

use super::SwitchFigures;
use crate::commands::compare::plot::{Chart, Line};
use crate::commands::synth::Crossbar;
use plotters::prelude::SeriesLabelPosition;

/// The size of the whole switch and its clock, where there is one, over the dimension.
pub fn charts(rows: &[SwitchFigures]) -> Vec<Chart> {
    let areas = rows.iter().any(|row| row.area_um2.is_some());
    let size = if areas { "area (um2)" } else { "look-up tables (LUTs)" };
    let chart = |label: &str, figure: fn(&SwitchFigures) -> Option<f64>, names| Chart {
        label: label.to_owned(),
        names,
        lines: lines(rows, figure),
    };
    let mut charts = vec![
        chart(size, |row| Some(row.size()), SeriesLabelPosition::UpperLeft),
        chart("clock (MHz), median", |row| row.median_mhz, SeriesLabelPosition::LowerLeft),
    ];
    charts.retain(|chart| chart.lines.iter().any(|line| !line.points.is_empty()));
    charts
}

/// Key of a line: relation, class of switches, crossbar, and whether with one VC.
type Key<'a> = (&'a str, Option<usize>, Crossbar, bool);

/// A line per key, relation by relation.
fn lines(rows: &[SwitchFigures], figure: fn(&SwitchFigures) -> Option<f64>) -> Vec<Line> {
    fn key(row: &SwitchFigures) -> Key<'_> {
        (&row.configuration.routing, row.class, row.crossbar, row.one_vc)
    }
    let mut relations = Vec::new();
    let mut keys = Vec::new();
    for row in rows {
        if !relations.contains(&row.configuration.routing.as_str()) {
            relations.push(row.configuration.routing.as_str());
        }
        if !keys.contains(&key(row)) {
            keys.push(key(row));
        }
    }
    let place = |routing: &str| relations.iter().position(|name| *name == routing).unwrap_or(0);
    keys.sort_by_key(|key| place(key.0));
    let line = |wanted: Key<'_>| {
        let (routing, class, crossbar, one_vc) = wanted;
        let of_line = rows.iter().filter(|row| key(row) == wanted);
        let points = of_line.filter_map(|row| Some((f64::from(row.size.size.dim()), figure(row)?)));
        // Full crossbars are hollow, and paler.
        let switch = match class {
            Some(class) => format!("{routing} (switch {class})"),
            None => routing.to_owned(),
        };
        let (name, opacity) = match (crossbar, one_vc) {
            (Crossbar::Routed, _) => (switch, 1.0),
            (Crossbar::Full, false) => (format!("{switch}, full crossbar"), 0.65),
            (Crossbar::Full, true) => (format!("{switch}, full crossbar, one VC"), 0.35),
        };
        let (color, filled) = (place(routing), crossbar == Crossbar::Routed);
        Line { name, color, opacity, filled, points: points.collect() }
    };
    keys.into_iter().map(line).collect()
}

//! The picture of `compare --synth`: size and clock over the dimension.

use super::synth::Row;
use crate::commands::synth::Crossbar;
use plotters::prelude::*;

/// Pixels of the picture, and of one chart of it.
const WIDTH: u32 = 900;
const HEIGHT: u32 = 440;

/// A figure of a row, where it has one.
type Figure = fn(&Row) -> Option<f64>;

/// A figure's axis, how it is read, and where the lines leave room for their names.
type Chart = (&'static str, Figure, SeriesLabelPosition);

/// One line of a chart: a relation, its crossbar, whether it was given one VC.
type Line = (&'static str, Crossbar, bool);

/// Draws the size of the whole switch and its clock, where there is one.
///
/// # Errors
/// None for figures that are numbers.
pub fn svg(title: &str, rows: &[Row]) -> anyhow::Result<String> {
    let areas = rows.iter().any(|row| row.area_um2.is_some());
    let size = if areas { "area (um2)" } else { "look-up tables (LUTs)" };
    let all: [Chart; 2] = [
        (size, |row| Some(row.size()), SeriesLabelPosition::UpperLeft),
        ("clock (MHz), median", |row| row.median_mhz, SeriesLabelPosition::LowerLeft),
    ];
    let has_figures = |(_, figure, _): &Chart| rows.iter().any(|row| figure(row).is_some());
    let charts: Vec<Chart> = all.into_iter().filter(has_figures).collect();
    let mut text = String::new();
    {
        let pixels = (WIDTH, 40 + HEIGHT * charts.len() as u32);
        let root = SVGBackend::with_string(&mut text, pixels).into_drawing_area();
        let wrong = |error| anyhow::anyhow!("cannot draw: {error:?}");
        root.fill(&WHITE).map_err(wrong)?;
        let root = root.titled(title, ("sans-serif", 18)).map_err(wrong)?;
        for (area, of) in root.split_evenly((charts.len(), 1)).iter().zip(charts) {
            chart(area, of, rows).map_err(wrong)?;
        }
        root.present().map_err(wrong)?;
    }
    Ok(text)
}

type DrawingError = DrawingAreaErrorKind<std::io::Error>;

fn chart(
    area: &DrawingArea<SVGBackend, plotters::coord::Shift>,
    (label, figure, names): Chart,
    rows: &[Row],
) -> Result<(), DrawingError> {
    let last = rows.iter().map(|row| row.dimension).max().unwrap_or(1);
    let first = rows.iter().map(|row| row.dimension).min().unwrap_or(0);
    let most = rows.iter().filter_map(figure).fold(0.0, f64::max);
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(72)
        .build_cartesian_2d(
        f64::from(first) - 0.25..f64::from(last) + 0.25,
        0.0..most * 1.08,
    )?;
    chart
        .configure_mesh()
        .x_desc("dimension k")
        .y_desc(label)
        .x_labels((last - first + 3) as usize)
        .x_label_formatter(&|k| if k.fract() == 0.0 { format!("{k:.0}") } else { String::new() })
        .y_label_formatter(&|y| format!("{y:.0}"))
        .light_line_style(WHITE)
        .label_style(("sans-serif", 14))
        .axis_desc_style(("sans-serif", 15))
        .draw()?;
    for line in lines(rows) {
        let of_line = |row: &&Row| line_of(row) == line;
        let (routing, crossbar, one_vc) = line;
        let points: Vec<(f64, f64)> = rows
            .iter()
            .filter(of_line)
            .filter_map(|row| Some((f64::from(row.dimension), figure(row)?)))
            .collect();
        let mut relations: Vec<&str> = lines(rows).iter().map(|line| line.0).collect();
        relations.dedup();
        let place = relations.iter().position(|name| *name == routing).unwrap_or(0);
        let color = Palette99::pick(place);
        // Full crossbars are hollow, and paler.
        let (name, opacity) = match (crossbar, one_vc) {
            (Crossbar::Routed, _) => (routing.to_owned(), 1.0),
            (Crossbar::Full, false) => (format!("{routing}, full crossbar"), 0.65),
            (Crossbar::Full, true) => (format!("{routing}, full crossbar, one VC"), 0.35),
        };
        let filled = crossbar == Crossbar::Routed;
        let line = ShapeStyle { color: color.mix(opacity), filled, stroke_width: 2 };
        chart.draw_series(LineSeries::new(points.iter().copied(), line))?;
        chart
            .draw_series(points.iter().map(|&at| Circle::new(at, 4, line)))?
            .label(name)
            .legend(move |(x, y)| Circle::new((x + 10, y), 4, line));
    }
    chart
        .configure_series_labels()
        .position(names)
        .background_style(WHITE.mix(0.85))
        .border_style(BLACK.mix(0.3))
        .label_font(("sans-serif", 14))
        .draw()
}

fn line_of(row: &Row) -> Line {
    (row.routing, row.crossbar, row.one_vc)
}

/// Every line, in the order of its first row.
fn lines(rows: &[Row]) -> Vec<Line> {
    let mut lines = Vec::new();
    for row in rows {
        if !lines.contains(&line_of(row)) {
            lines.push(line_of(row));
        }
    }
    lines.sort_by_key(|line| rows.iter().position(|row| row.routing == line.0));
    lines
}

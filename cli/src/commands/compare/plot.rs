//! The picture of `compare --synth`: size and clock over the dimension.

use super::synth::Row;
use crate::commands::synth::Crossbar;
use plotters::prelude::*;

/// Pixels of the picture, and of one chart of it.
const WIDTH: u32 = 900;
const HEIGHT: u32 = 440;

/// A figure of a row, where it has one.
type Figure = fn(&Row) -> Option<f64>;

/// One line of a chart: a relation with a crossbar and so many virtual channels.
type Line = (&'static str, Crossbar, u8);

/// Draws the size of the whole switch and its clock, where there is one.
///
/// # Errors
/// None for figures that are numbers.
pub fn svg(title: &str, rows: &[Row]) -> anyhow::Result<String> {
    let size: (&str, Figure) = match rows.iter().any(|row| row.area_um2.is_some()) {
        true => ("area (um2)", |row| Some(row.size())),
        false => ("look-up tables (LUTs)", |row| Some(row.size())),
    };
    let clock: (&str, Figure) = ("clock (MHz), median", |row| row.median_mhz);
    let charts: Vec<(&str, Figure)> =
        [size, clock].into_iter().filter(|(_, of)| rows.iter().any(|r| of(r).is_some())).collect();
    let mut text = String::new();
    {
        let pixels = (WIDTH, 40 + HEIGHT * charts.len() as u32);
        let root = SVGBackend::with_string(&mut text, pixels).into_drawing_area();
        let wrong = |error| anyhow::anyhow!("cannot draw: {error:?}");
        root.fill(&WHITE).map_err(wrong)?;
        let root = root.titled(title, ("sans-serif", 18)).map_err(wrong)?;
        for (area, (label, figure)) in root.split_evenly((charts.len(), 1)).iter().zip(charts) {
            chart(area, label, figure, rows).map_err(wrong)?;
        }
        root.present().map_err(wrong)?;
    }
    Ok(text)
}

type DrawingError = DrawingAreaErrorKind<std::io::Error>;

fn chart(
    area: &DrawingArea<SVGBackend, plotters::coord::Shift>,
    label: &str,
    figure: Figure,
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
    for (routing, crossbar, vcs) in lines(rows) {
        let of_line = |row: &&Row| line_of(row) == (routing, crossbar, vcs);
        let points: Vec<(f64, f64)> = rows
            .iter()
            .filter(of_line)
            .filter_map(|row| Some((f64::from(row.dimension), figure(row)?)))
            .collect();
        let names: Vec<&str> = lines(rows).iter().map(|line| line.0).collect();
        let mut relations = names.clone();
        relations.dedup();
        let place = relations.iter().position(|name| *name == routing).unwrap_or(0);
        let color = Palette99::pick(place).to_rgba();
        // Full crossbars are paler, and hollow; with one VC where the relation has several, paler still.
        let routed = crossbar == Crossbar::Routed;
        let shade = match (routed, vcs) {
            (true, _) => color,
            (false, 1) => color.mix(0.35),
            (false, _) => color.mix(0.65),
        };
        let line = ShapeStyle { color: shade, filled: routed, stroke_width: 2 };
        let name = match routed {
            true => format!("{routing}, {vcs} VC(s)"),
            false => format!("{routing}, {vcs} VC(s), full crossbar"),
        };
        chart.draw_series(LineSeries::new(points.iter().copied(), line))?;
        chart
            .draw_series(points.iter().map(|&at| Circle::new(at, 4, line)))?
            .label(name)
            .legend(move |(x, y)| Circle::new((x + 10, y), 4, line));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.85))
        .border_style(BLACK.mix(0.3))
        .label_font(("sans-serif", 14))
        .draw()
}

fn line_of(row: &Row) -> Line {
    (row.routing, row.crossbar, row.virtual_channels)
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

//! The pictures of `compare`: charts, one below the other, over one axis.

use plotters::prelude::*;

/// Pixels of the picture, and of one chart of it.
const WIDTH: u32 = 900;
const HEIGHT: u32 = 440;

/// A figure over the axis.
pub struct Chart {
    /// Name of the figure.
    pub label: String,
    /// Place at which the lines leave room for their names.
    pub names: SeriesLabelPosition,
    pub lines: Vec<Line>,
}

/// One line of a chart.
pub struct Line {
    /// Name of the line.
    pub name: String,
    /// Index in the palette.
    pub color: usize,
    /// 0 to 1.
    pub opacity: f64,
    /// Whether its points are.
    pub filled: bool,
    /// Points from left to right.
    pub points: Vec<(f64, f64)>,
}

/// Draws the charts over an axis of whole numbers.
///
/// # Errors
/// None for figures that are numbers.
pub fn svg(title: &str, axis: &str, charts: &[Chart]) -> anyhow::Result<String> {
    let mut text = String::new();
    {
        let pixels = (WIDTH, 40 + HEIGHT * charts.len() as u32);
        let root = SVGBackend::with_string(&mut text, pixels).into_drawing_area();
        let wrong = |error| anyhow::anyhow!("cannot draw: {error:?}");
        root.fill(&WHITE).map_err(wrong)?;
        let root = root.titled(title, ("sans-serif", 18)).map_err(wrong)?;
        for (area, of) in root.split_evenly((charts.len(), 1)).iter().zip(charts) {
            draw(area, axis, of).map_err(wrong)?;
        }
        root.present().map_err(wrong)?;
    }
    Ok(text)
}

type DrawingError = DrawingAreaErrorKind<std::io::Error>;

fn draw(
    area: &DrawingArea<SVGBackend, plotters::coord::Shift>,
    axis: &str,
    of: &Chart,
) -> Result<(), DrawingError> {
    let points = || of.lines.iter().flat_map(|line| &line.points);
    let first = points().map(|at| at.0).fold(f64::INFINITY, f64::min).floor();
    let last = points().map(|at| at.0).fold(0.0, f64::max).ceil();
    let most = points().map(|at| at.1).fold(0.0, f64::max);
    let digits = if most < 5.0 { 1 } else { 0 };
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(72)
        .build_cartesian_2d(first - 0.25..last + 0.25, 0.0..most * 1.08)?;
    chart
        .configure_mesh()
        .x_desc(axis)
        .y_desc(&of.label)
        .x_labels((last - first) as usize + 3)
        .x_label_formatter(&|k| if k.fract() == 0.0 { format!("{k:.0}") } else { String::new() })
        .y_label_formatter(&|y| format!("{y:.digits$}"))
        .max_light_lines(0)
        .label_style(("sans-serif", 14))
        .axis_desc_style(("sans-serif", 15))
        .draw()?;
    for line in &of.lines {
        let color = Palette99::pick(line.color).mix(line.opacity);
        let style = ShapeStyle { color, filled: line.filled, stroke_width: 2 };
        let points = || line.points.iter().copied();
        chart.draw_series(LineSeries::new(points(), style))?;
        chart
            .draw_series(points().map(|at| Circle::new(at, 4, style)))?
            .label(&line.name)
            .legend(move |(x, y)| Circle::new((x + 10, y), 4, style));
    }
    chart
        .configure_series_labels()
        .position(of.names.clone())
        .background_style(WHITE.mix(0.85))
        .border_style(BLACK.mix(0.3))
        .label_font(("sans-serif", 14))
        .draw()
}

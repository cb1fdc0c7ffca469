//! The picture of `tables butterflies`: loads over the square root of the rows, both on axes of
//! powers.

use plotters::prelude::*;
use turnpike_analysis::papers::butterflies::Congestion;

/// Pixels of the picture.
const SIZE: (u32, u32) = (760, 520);

/// Draws it.
///
/// # Errors
/// None for a table that has rows.
pub fn svg(congestion: &[Congestion]) -> anyhow::Result<String> {
    let mut text = String::new();
    {
        let root = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        draw(&root, congestion).map_err(|error| anyhow::anyhow!("cannot draw: {error:?}"))?;
    }
    Ok(text)
}

type DrawingError = DrawingAreaErrorKind<std::io::Error>;

fn draw(
    area: &DrawingArea<SVGBackend, plotters::coord::Shift>,
    congestion: &[Congestion],
) -> Result<(), DrawingError> {
    area.fill(&WHITE)?;
    let most = congestion.iter().map(Congestion::root).fold(1.0, f64::max) * 1.3;
    let title = "The transpose on butterflies, greedy routing: most words on one";
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(64)
        .build_cartesian_2d((1.6..most).log_scale().base(2.0), (0.8..most).log_scale().base(2.0))?;
    let label = |at: &f64| format!("{at:.0}");
    chart
        .configure_mesh()
        .x_desc("square root of the number of rows")
        .y_desc("words")
        .x_label_formatter(&label)
        .y_label_formatter(&label)
        .max_light_lines(0)
        .label_style(("sans-serif", 14))
        .axis_desc_style(("sans-serif", 15))
        .draw()?;
    for (color, name) in ["link", "edge"].into_iter().enumerate() {
        let load = |of: &Congestion| if name == "link" { of.link } else { of.edge };
        let style =
            ShapeStyle { color: Palette99::pick(color).mix(1.0), filled: true, stroke_width: 2 };
        let points = || congestion.iter().map(|of| (of.root(), load(of) as f64));
        chart.draw_series(LineSeries::new(points(), style))?;
        chart
            .draw_series(points().map(|at| Circle::new(at, 4, style)))?
            .label(name)
            .legend(move |(x, y)| Circle::new((x + 10, y), 4, style));
    }
    let root = ShapeStyle { color: BLACK.mix(0.4), filled: false, stroke_width: 1 };
    let ends = [congestion.first(), congestion.last()].into_iter().flatten();
    chart
        .draw_series(LineSeries::new(ends.map(|of| (of.root(), of.root())), root))?
        .label("the root itself")
        .legend(move |(x, y)| PathElement::new([(x + 2, y), (x + 18, y)], root));
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.85))
        .border_style(BLACK.mix(0.3))
        .label_font(("sans-serif", 14))
        .draw()?;
    area.present()
}

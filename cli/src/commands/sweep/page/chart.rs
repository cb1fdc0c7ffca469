//! A figure of all curves over the offered load, as SVG.

use super::axis::Axis;
use super::marker::{class, dashes, marker, tenth};
use svg::Document;
use svg::node::element::{Description, Group, Line, Path, Rectangle, Text, Title};
use turnpike_sim_network::statistics::Stability;
use turnpike_sim_network::sweep::Estimate;

/// Pixels of the picture, and around its axes.
const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 52.0;
/// Half the width of the ends of an interval.
const SERIF: f64 = 3.0;
/// Share of the largest figure by which an interval may lie beyond it and still be drawn.
const BEYOND: f64 = 1.5;
/// Height of a row of marks above the axis.
const ROW: f64 = 14.0;
/// Between the lowest of those rows and the axis, so that their label is clear of the topmost tick's.
const CLEAR: f64 = 8.0;

/// A figure over the offered load.
pub struct Chart<'a> {
    /// Identifier of the chart in the document.
    pub id: &'a str,
    /// Title of the chart.
    pub title: &'a str,
    /// Description of the chart for those who do not see it.
    pub description: &'a str,
    /// Name of the load, with its unit.
    pub across: &'a str,
    /// Name of the figure, with its unit.
    pub axis: &'a str,
    /// Whether there is a line where the figure is the load.
    pub diagonal: bool,
    /// The axis ends at so many times the least figure of a curve, where there is more: a figure beyond it
    /// is marked above the axis, and does not press the others together.
    pub most: Option<f64>,
    /// Lines of the chart, one for each curve.
    pub lines: Vec<Series>,
}

/// The points of a curve in a chart.
pub struct Series {
    /// By load.
    pub points: Vec<Mark>,
    /// The loads between which it saturates.
    pub bracket: Option<Bracket>,
}

/// A point.
pub struct Mark {
    /// The offered load.
    pub load: f64,
    /// The figure, where there is one.
    pub figure: Estimate,
    /// Verdict on the point, which decides its marker.
    pub verdict: Option<Stability>,
    pub words: String,
}

/// The loads between which a curve saturates.
pub struct Bracket {
    /// The largest that is steady.
    pub low: f64,
    /// The least that is saturated.
    pub high: f64,
    pub words: String,
}

/// Layout of a picture.
struct Layout {
    x: Axis,
    y: Axis,
    /// The largest figure of the axis, where there is more.
    most: f64,
    /// By curve, its row of marks above the axis, where it has some.
    rows: Vec<Option<usize>>,
    /// The upper end of the axis, and the lower.
    top: f64,
    bottom: f64,
}

impl Layout {
    /// Whether a figure stands on the axis.
    fn holds(&self, figure: Estimate) -> bool {
        figure.value.is_some_and(|value| value <= self.most)
    }

    /// Height of the mark of a curve: above the axis in the row of the curve, where the axis does
    /// not have its figure. So marks of unlike curves do not cover each other there.
    fn height(&self, curve: usize, figure: Estimate) -> f64 {
        match (figure.value.filter(|_| self.holds(figure)), self.rows[curve]) {
            (Some(value), _) => self.y.at(value),
            (None, row) => TOP + ROW * (row.unwrap_or_default() as f64 + 0.5),
        }
    }
}

impl Chart<'_> {
    /// The picture.
    pub fn svg(&self) -> String {
        let layout = self.layout();
        let label = |part: &str| format!("{}-{part}", self.id);
        let height = layout.bottom + BOTTOM;
        let document = Document::new()
            .set("viewBox", format!("0 0 {WIDTH} {height}"))
            .set("class", "chart")
            .set("role", "group")
            .set("aria-labelledby", label("title"))
            .set("aria-describedby", label("desc"))
            .add(Title::new(self.title).set("id", label("title")))
            .add(
                Description::new()
                    .set("id", label("desc"))
                    .add(svg::node::Text::new(self.description)),
            )
            .add(rectangle(0.0, 0.0, WIDTH, height).set("class", "paper"))
            .add(text(LEFT, 20.0, "start", self.title).set("class", "heading"))
            .add(self.frame(&layout));
        let lines = self.lines.iter().enumerate();
        lines.fold(document, |all, (at, line)| all.add(line.drawn(at, &layout))).to_string()
    }

    fn layout(&self) -> Layout {
        let points = || self.lines.iter().flat_map(|line| &line.points);
        let most = |figures: &mut dyn Iterator<Item = f64>| figures.fold(0.0, f64::max);
        let figures = |line: &Series| -> Vec<f64> {
            line.points.iter().filter_map(|point| point.figure.value).collect()
        };
        // The least figure of a curve is that of its least load, or near it.
        let least = |line: &Series| figures(line).into_iter().reduce(f64::min);
        let least = most(&mut self.lines.iter().filter_map(least));
        let limit = self.most.map_or(f64::INFINITY, |times| times * least);
        let is_on = |value: &f64| *value <= limit;
        let of_points = most(&mut points().filter_map(|point| point.figure.value).filter(is_on));
        let of_ends = most(&mut points().filter_map(|point| point.figure.high).filter(is_on));
        let brackets = self.lines.iter().filter_map(|line| line.bracket.as_ref());
        let load = most(&mut points().map(|p| p.load).chain(brackets.map(|b| b.high)));
        let mut count = 0;
        let mut row = |line: &Series| {
            let is_above = |point: &Mark| !point.figure.value.as_ref().is_some_and(is_on);
            line.points.iter().any(is_above).then(|| {
                count += 1;
                count - 1
            })
        };
        let rows: Vec<Option<usize>> = self.lines.iter().map(&mut row).collect();
        let above = if count > 0 { ROW * count as f64 + CLEAR } else { 0.0 };
        let (top, bottom) = (TOP + above, HEIGHT - BOTTOM + above);
        let y = Axis::new(of_ends.min(of_points * BEYOND).max(of_points), bottom, top);
        Layout { x: Axis::new(load, LEFT, WIDTH - RIGHT), y, most: limit, rows, top, bottom }
    }

    /// The axes with their ticks.
    fn frame(&self, layout: &Layout) -> Group {
        let &Layout { x, y, top, bottom, .. } = layout;
        let right = WIDTH - RIGHT;
        let mut group = Group::new().set("aria-hidden", "true");
        if top > TOP {
            group = group.add(text(LEFT - 8.0, (TOP + top - CLEAR) / 2.0 + 4.0, "end", "above"));
        }
        for (figure, label) in y.ticks() {
            let at = y.at(figure);
            group = group.add(line(LEFT, at, right, at).set("class", "grid")).add(text(
                LEFT - 8.0,
                at + 4.0,
                "end",
                &label,
            ));
        }
        for (figure, label) in x.ticks() {
            let at = x.at(figure);
            group = group.add(line(at, bottom, at, bottom + 5.0).set("class", "axis")).add(text(
                at,
                bottom + 19.0,
                "middle",
                &label,
            ));
        }
        if self.diagonal {
            let ends = x.ticks().map(|(figure, _)| figure).filter(|&load| y.at(load) > top);
            let most = ends.fold(0.0, f64::max);
            group = group.add(line(LEFT, bottom, x.at(most), y.at(most)).set("class", "ideal"));
        }
        let middle = (top + bottom) / 2.0;
        group
            .add(line(LEFT, bottom, right, bottom).set("class", "axis"))
            .add(line(LEFT, top, LEFT, bottom).set("class", "axis"))
            .add(text((LEFT + right) / 2.0, bottom + BOTTOM - 10.0, "middle", self.across))
            .add(
                text(16.0, middle, "middle", self.axis)
                    .set("transform", format!("rotate(-90 16 {middle})")),
            )
    }
}

impl Series {
    /// The curve: its bracket, its line, its intervals, its points.
    fn drawn(&self, curve: usize, layout: &Layout) -> Group {
        let &Layout { x, y, .. } = layout;
        let mut group =
            Group::new().set("class", format!("curve {}", class(curve))).set("data-curve", curve);
        if let Some(bracket) = &self.bracket {
            group = group.add(bracket.drawn(layout));
        }
        // The line has a gap where there is no figure, and ends at the end of the axis.
        let (mut way, mut bars, mut begins) = (String::new(), String::new(), true);
        for point in &self.points {
            let Estimate { value: Some(value), low, high } = point.figure else {
                begins = true;
                continue;
            };
            let at = tenth(x.at(point.load));
            let command = if begins { 'M' } else { 'L' };
            way += &format!("{command} {at} {} ", tenth(y.at(value)));
            begins = false;
            if let (Some(low), Some(high), true) = (low, high, layout.holds(point.figure)) {
                let (left, right) = (tenth(at - SERIF), tenth(at + SERIF));
                let [low, high] = [low, high].map(|end| tenth(y.at(end)));
                bars += &format!(
                    "M {at} {low} L {at} {high} M {left} {low} H {right} M {left} {high} H {right} "
                );
            }
        }
        let path = |d: String, class: &str| Path::new().set("d", d.trim_end()).set("class", class);
        if !way.is_empty() {
            group = group.add(path(way, "line").set("stroke-dasharray", dashes(curve)));
        }
        if !bars.is_empty() {
            group = group.add(path(bars, "interval"));
        }
        self.points.iter().fold(group, |group, point| group.add(point.drawn(curve, layout)))
    }
}

impl Mark {
    /// Above the axis where that does not have its figure.
    fn drawn(&self, curve: usize, layout: &Layout) -> Group {
        let (x, y) = (layout.x.at(self.load), layout.height(curve, self.figure));
        marker(curve, self.verdict, x, y)
            .set("class", "point")
            .set("role", "img")
            .set("tabindex", "-1")
            .set("data-x", tenth(x))
            .set("data-y", tenth(y))
            .add(Title::new(self.words.as_str()))
    }
}

impl Bracket {
    fn drawn(&self, layout: &Layout) -> Group {
        let &Layout { x, top, bottom, .. } = layout;
        let (low, high) = (x.at(self.low), x.at(self.high));
        let edge = |at: f64| line(at, top, at, bottom).set("class", "edge");
        Group::new()
            .set("class", "bracket")
            .set("role", "img")
            .add(rectangle(low, top, high - low, bottom - top).set("class", "band"))
            .add(edge(low))
            .add(edge(high))
            .add(Title::new(self.words.as_str()))
    }
}

fn text(x: f64, y: f64, anchor: &str, words: &str) -> Text {
    Text::new(words).set("x", tenth(x)).set("y", tenth(y)).set("text-anchor", anchor)
}

fn line(x1: f64, y1: f64, x2: f64, y2: f64) -> Line {
    let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(tenth);
    Line::new().set("x1", x1).set("y1", y1).set("x2", x2).set("y2", y2)
}

fn rectangle(x: f64, y: f64, width: f64, height: f64) -> Rectangle {
    let [x, y, width, height] = [x, y, width, height].map(tenth);
    Rectangle::new().set("x", x).set("y", y).set("width", width).set("height", height)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A curve with these loads and figures, without intervals.
    fn curve(points: &[(f64, Option<f64>)]) -> Series {
        let mark = |&(load, value): &(f64, Option<f64>)| Mark {
            load,
            figure: Estimate { value, low: value, high: value },
            verdict: value.map(|_| Stability::Steady),
            words: String::new(),
        };
        Series { points: points.iter().map(mark).collect(), bracket: None }
    }

    fn layout(lines: Vec<Series>, most: Option<f64>) -> Layout {
        let [id, title, description, across, axis] = [""; 5];
        Chart { id, title, description, across, axis, diagonal: false, most, lines }.layout()
    }

    fn height(layout: &Layout, curve: usize, value: Option<f64>) -> f64 {
        layout.height(curve, Estimate { value, low: None, high: None })
    }

    /// One figure far beyond the others stands above the axis, which the others keep.
    #[test]
    fn one_point_does_not_set_the_axis() {
        let lines = || vec![curve(&[(0.1, Some(10.0)), (0.2, Some(24.0)), (0.3, Some(900.0))])];
        let capped = layout(lines(), Some(5.0));
        assert_eq!(capped.y.ticks().last().unwrap().1, "25");
        assert!(height(&capped, 0, Some(900.0)) < capped.top);
        assert!(height(&capped, 0, Some(24.0)) > capped.top);
        assert!(!capped.holds(lines()[0].points[2].figure));
        let whole = layout(lines(), None);
        assert_eq!(whole.y.ticks().last().unwrap().1, "1000");
        assert_eq!((whole.top, whole.rows), (TOP, vec![None]));
    }

    /// Marks without a figure, at one load: a row for each curve that has some.
    #[test]
    fn marks_above_the_axis_do_not_cover_each_other() {
        let stopped = || curve(&[(0.1, Some(10.0)), (0.5, None)]);
        let found = layout(vec![stopped(), curve(&[(0.1, Some(12.0))]), stopped()], Some(5.0));
        assert_eq!(found.rows, [Some(0), None, Some(1)]);
        let heights = [0, 2].map(|curve| height(&found, curve, None));
        assert_eq!(heights[1] - heights[0], ROW);
        assert!(heights.iter().all(|&at| at > TOP && at < found.top), "{heights:?}");
        assert_eq!(found.bottom - found.top, HEIGHT - BOTTOM - TOP);
    }

    /// The least figure of the slowest curve decides: each curve shows its own.
    #[test]
    fn a_slow_curve_stays_on_the_axis() {
        let slow = curve(&[(0.1, Some(100.0)), (0.2, Some(300.0))]);
        let found = layout(vec![curve(&[(0.1, Some(5.0))]), slow], Some(5.0));
        assert_eq!((found.most, found.rows), (500.0, vec![None, None]));
    }
}

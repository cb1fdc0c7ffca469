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
/// How far beyond the largest figure an interval shows, as a share of it.
const BEYOND: f64 = 1.5;

/// A figure over the offered load.
pub struct Chart<'a> {
    /// What it is called in the document.
    pub id: &'a str,
    /// What it shows.
    pub title: &'a str,
    /// The same for those who do not see it.
    pub description: &'a str,
    /// What the figure is, with its unit.
    pub axis: &'a str,
    /// Whether there is a line where the figure is the load.
    pub diagonal: bool,
    /// One for each curve.
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
    /// What decides its marker.
    pub verdict: Option<Stability>,
    /// All of it in words.
    pub words: String,
}

/// The loads between which a curve saturates.
pub struct Bracket {
    /// The largest that is steady.
    pub low: f64,
    /// The least that is saturated.
    pub high: f64,
    /// All of it in words.
    pub words: String,
}

impl Chart<'_> {
    /// The picture.
    pub fn svg(&self) -> String {
        let (x, y) = self.axes();
        let label = |part: &str| format!("{}-{part}", self.id);
        let document = Document::new()
            .set("viewBox", format!("0 0 {WIDTH} {HEIGHT}"))
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
            .add(rectangle(0.0, 0.0, WIDTH, HEIGHT).set("class", "paper"))
            .add(text(LEFT, 20.0, "start", self.title).set("class", "heading"))
            .add(self.frame(x, y));
        let lines = self.lines.iter().enumerate();
        lines.fold(document, |all, (at, line)| all.add(line.drawn(at, x, y))).to_string()
    }

    fn axes(&self) -> (Axis, Axis) {
        let points = || self.lines.iter().flat_map(|line| &line.points);
        let most = |figures: &mut dyn Iterator<Item = f64>| figures.fold(0.0, f64::max);
        let of_points = most(&mut points().filter_map(|point| point.figure.value));
        let of_ends = most(&mut points().filter_map(|point| point.figure.high));
        let brackets = self.lines.iter().filter_map(|line| line.bracket.as_ref());
        let load = most(&mut points().map(|p| p.load).chain(brackets.map(|b| b.high)));
        let x = Axis::new(load, LEFT, WIDTH - RIGHT);
        let y = Axis::new(of_ends.min(of_points * BEYOND).max(of_points), HEIGHT - BOTTOM, TOP);
        (x, y)
    }

    /// The axes with their ticks.
    fn frame(&self, x: Axis, y: Axis) -> Group {
        let (bottom, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
        let mut group = Group::new().set("aria-hidden", "true");
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
            let ends = x.ticks().map(|(figure, _)| figure).filter(|&load| y.at(load) > TOP);
            let most = ends.fold(0.0, f64::max);
            group = group.add(line(LEFT, bottom, x.at(most), y.at(most)).set("class", "ideal"));
        }
        let middle = (TOP + bottom) / 2.0;
        group
            .add(line(LEFT, bottom, right, bottom).set("class", "axis"))
            .add(line(LEFT, TOP, LEFT, bottom).set("class", "axis"))
            .add(text(
                (LEFT + right) / 2.0,
                HEIGHT - 10.0,
                "middle",
                "offered load (flits per terminal and cycle)",
            ))
            .add(
                text(16.0, middle, "middle", self.axis)
                    .set("transform", format!("rotate(-90 16 {middle})")),
            )
    }
}

impl Series {
    /// The curve: its bracket, its line, its intervals, its points.
    fn drawn(&self, curve: usize, x: Axis, y: Axis) -> Group {
        let mut group =
            Group::new().set("class", format!("curve {}", class(curve))).set("data-curve", curve);
        if let Some(bracket) = &self.bracket {
            group = group.add(bracket.drawn(x));
        }
        // The line has a gap where there is no figure.
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
            if let (Some(low), Some(high)) = (low, high) {
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
        self.points.iter().fold(group, |group, point| group.add(point.drawn(curve, x, y)))
    }
}

impl Mark {
    /// At the top where it has no figure.
    fn drawn(&self, curve: usize, x: Axis, y: Axis) -> Group {
        let (x, y) = (x.at(self.load), self.figure.value.map_or(TOP, |value| y.at(value)));
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
    fn drawn(&self, x: Axis) -> Group {
        let (low, high) = (x.at(self.low), x.at(self.high));
        let height = HEIGHT - BOTTOM - TOP;
        let edge = |at: f64| line(at, TOP, at, TOP + height).set("class", "edge");
        Group::new()
            .set("class", "bracket")
            .set("role", "img")
            .add(rectangle(low, TOP, high - low, height).set("class", "band"))
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

//! Shapes of a picture, in the order in which they lie on each other, and their size together.

use super::geometry::{Area, Curve, Point};
use svg::node::Value;
use svg::node::element::{
    Circle, Definitions, Description, Group, Line, Marker, Path, Rectangle, Style, Text, Title,
};
use svg::{Document, Node};

/// Font sizes of headings, of what stands beside the drawings, of labels of nodes and ports, and
/// of terminals.
pub const HEADING: f64 = 18.0;
pub const PLAIN: f64 = 13.0;
pub const LABEL: f64 = 12.0;
pub const SMALL: f64 = 9.0;

/// White around all that is drawn.
const MARGIN: f64 = 24.0;

const STYLE: &str = "text { font-family: sans-serif; fill: #1b1b1b; }
.link, .channel, .wire { stroke: #6b7785; stroke-width: 1.4; fill: none; }
.wire { stroke: #c3cad2; }
.cycle { stroke: #c62828; stroke-width: 2.6; fill: none; }
.warning { fill: #c62828; }
.note { fill: #55606c; }
.node rect { fill: #ffffff; stroke: #24405e; stroke-width: 1.4; }
.failed rect { fill: #f0f0f0; stroke: #9a9a9a; stroke-dasharray: 3 2; }
.failed text { fill: #9a9a9a; }
.failed line { stroke: #9a9a9a; }
.terminal rect { fill: #e3eefa; stroke: #24405e; stroke-width: 0.8; }
.crosspoint { fill: #24405e; }
.missing { fill: #ffffff; stroke: #c3cad2; }";

/// About how wide a text is: sans-serif letters are narrower, but for a few.
pub fn width_of(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * size * 0.62
}

/// Place of a text relative to its point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    /// The text begins at the point.
    Start,
    /// The middle of the text is at the point.
    Middle,
    /// The text ends at the point.
    End,
}

/// A coordinate as it is written: to a tenth of a pixel.
fn tenth(value: f64) -> f64 {
    // Adding 0 makes -0 a 0.
    (value * 10.0).round() / 10.0 + 0.0
}

/// A class, and what a reader sees who points at the shape.
fn titled(class: &str, title: impl Into<String>) -> Group {
    Group::new().set("class", class).add(Title::new(title))
}

/// Shapes, and the box that they fill.
pub struct Canvas {
    shapes: Vec<Box<dyn Node>>,
    area: Area,
    /// Whether a curve ends in an arrowhead.
    has_arrows: bool,
}

impl Canvas {
    pub fn new() -> Self {
        let nothing = Area::around(Point::default(), 0.0, 0.0);
        Self { shapes: Vec::new(), area: nothing, has_arrows: false }
    }

    /// The box around all that was drawn.
    pub fn area(&self) -> Area {
        self.area
    }

    fn add(&mut self, area: Area, shape: impl Into<Box<dyn Node>>) {
        self.area = self.area.with(area);
        self.shapes.push(shape.into());
    }

    /// A text, which stands on its point.
    pub fn text(&mut self, at: Point, anchor: Anchor, size: f64, class: &str, text: &str) {
        let width = width_of(text, size);
        let left = match anchor {
            Anchor::Start => at.x,
            Anchor::Middle => at.x - width / 2.0,
            Anchor::End => at.x - width,
        };
        let area = Area {
            least: Point::new(left, at.y - size),
            most: Point::new(left + width, at.y + size / 3.0),
        };
        let shape = letters(at, anchor, size, text);
        self.add(area, if class.is_empty() { shape } else { shape.set("class", class) });
    }

    pub fn rising_text(&mut self, at: Point, size: f64, text: &str) {
        let turn = format!("rotate(-90 {} {})", tenth(at.x), tenth(at.y));
        let area = Area {
            least: Point::new(at.x - size, at.y - width_of(text, size)),
            most: Point::new(at.x + size / 3.0, at.y),
        };
        self.add(area, letters(at, Anchor::Start, size, text).set("transform", turn));
    }

    pub fn line(&mut self, from: Point, to: Point, class: &str) {
        let area = Area { least: from, most: from }.with(Area { least: to, most: to });
        self.add(area, segment(from, to).set("class", class));
    }

    /// A curve of a class; with the arrowhead of that name at its end.
    pub fn curve(&mut self, curve: Curve, class: &str, arrow: Option<&str>, title: String) {
        let [a, b, c, d] = curve.0.map(|point| format!("{} {}", tenth(point.x), tenth(point.y)));
        let way = match curve.is_straight() {
            true => format!("M {a} L {d}"),
            false => format!("M {a} C {b}, {c}, {d}"),
        };
        let path = Path::new().set("d", way).set("class", class);
        self.has_arrows |= arrow.is_some();
        let path = match arrow {
            Some(name) => path.set("marker-end", format!("url(#{name})")),
            None => path,
        };
        self.add(curve.area().grown(4.0), path.add(Title::new(title)));
    }

    /// A box with a text in its middle; crossed out where `crossed`.
    pub fn labelled_box(
        &mut self,
        area: Area,
        size: f64,
        label: &str,
        class: &str,
        title: String,
        crossed: bool,
    ) {
        let middle = Point::new((area.least.x + area.most.x) / 2.0, area.most.y);
        let below = (area.height() - size * 0.72) / 2.0;
        let mut shape = titled(class, title).add(rectangle(area).set("rx", 3));
        if crossed {
            let corner = Point::new(area.least.x, area.most.y);
            let other = Point::new(area.most.x, area.least.y);
            shape = shape.add(segment(corner, other));
        }
        let at = middle - Point::new(0.0, below);
        self.add(area, shape.add(letters(at, Anchor::Middle, size, label)));
    }

    pub fn dot(&mut self, at: Point, radius: f64, class: &str, title: String) {
        let circle = Circle::new()
            .set("cx", tenth(at.x))
            .set("cy", tenth(at.y))
            .set("r", radius)
            .set("class", class);
        let area = Area::around(at, 2.0 * radius, 2.0 * radius);
        self.add(area, circle.add(Title::new(title)));
    }

    /// Gives the shape that was drawn last an attribute, for scripts.
    pub fn mark(&mut self, name: &str, value: String) {
        let attributes = self.shapes.last_mut().and_then(|shape| shape.get_attributes_mut());
        if let Some(attributes) = attributes {
            attributes.insert(name.to_owned(), value.into());
        }
    }

    /// The whole, in whole pixels, with its size.
    fn document(&self) -> (Document, Area) {
        let area = self.area.grown(MARGIN);
        let (least, most) = (area.least, area.most);
        let [x, y] = [least.x.floor(), least.y.floor()];
        let [width, height] = [(most.x - x).ceil(), (most.y - y).ceil()];
        let all = Area { least: Point::new(x, y), most: Point::new(x + width, y + height) };
        let document = Document::new()
            .set("viewBox", format!("{x} {y} {width} {height}"))
            .set("width", width)
            .set("height", height);
        (document, all)
    }

    /// The picture as a part of a page, whose style sheet says how its classes look. `id` begins the
    /// names of its parts in the page.
    pub fn part_of_page(self, id: &str, title: &str, description: &str) -> String {
        let (document, all) = self.document();
        let of = |part: &str| format!("{id}-{part}");
        let description =
            Description::new().set("id", of("desc")).add(svg::node::Text::new(description));
        let document = document
            .set("class", "picture")
            .set("role", "group")
            .set("aria-labelledby", of("title"))
            .set("aria-describedby", of("desc"))
            .add(Title::new(title).set("id", of("title")))
            .add(description)
            .add(rectangle(all).set("class", "paper"));
        // Lines have the colours of the page, and their ends those of the lines. One part of a page has
        // channels, so that the names are its alone.
        let document = match self.has_arrows {
            true => document.add(arrowheads(["context-stroke"; 2])),
            false => document,
        };
        self.shapes.into_iter().fold(document, Document::add).to_string()
    }

    /// The picture as SVG, with a title and a description.
    pub fn svg(self, title: &str, description: &str) -> String {
        let (document, all) = self.document();
        let document = document
            .add(Title::new(title))
            .add(Description::new().add(svg::node::Text::new(description)))
            .add(Style::new(STYLE))
            .add(arrowheads(["#6b7785", "#c62828"]))
            .add(rectangle(all).set("fill", "#ffffff"));
        let document = self.shapes.into_iter().fold(document, Document::add);
        let mut text = document.to_string();
        text.push('\n');
        text
    }
}

fn letters(at: Point, anchor: Anchor, size: f64, text: &str) -> Text {
    let anchor = match anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    Text::new(text)
        .set("x", tenth(at.x))
        .set("y", tenth(at.y))
        .set("font-size", size)
        .set("text-anchor", anchor)
}

fn segment(from: Point, to: Point) -> Line {
    Line::new()
        .set("x1", tenth(from.x))
        .set("y1", tenth(from.y))
        .set("x2", tenth(to.x))
        .set("y2", tenth(to.y))
}

fn rectangle(area: Area) -> Rectangle {
    Rectangle::new()
        .set("x", tenth(area.least.x))
        .set("y", tenth(area.least.y))
        .set("width", tenth(area.width()))
        .set("height", tenth(area.height()))
}

/// The ends of channels that lead one way, and of those of a cycle, in their colours.
fn arrowheads([channel, cycle]: [&str; 2]) -> Definitions {
    let head = |name: &str, color: &str, size: f64| {
        let attributes: [(&str, Value); 8] = [
            ("id", name.into()),
            ("viewBox", "0 0 10 10".into()),
            ("refX", 10.into()),
            ("refY", 5.into()),
            ("markerWidth", size.into()),
            ("markerHeight", size.into()),
            ("markerUnits", "userSpaceOnUse".into()),
            ("orient", "auto".into()),
        ];
        let marker = attributes
            .into_iter()
            .fold(Marker::new(), |marker, (name, value)| marker.set(name, value));
        marker.add(Path::new().set("d", "M 0 1 L 10 5 L 0 9 z").set("fill", color))
    };
    Definitions::new().add(head("arrow", channel, 9.0)).add(head("cycle-arrow", cycle, 12.0))
}

//! Points, boxes and curves, in pixels: x to the right, y downward.

use std::ops::{Add, Mul, Sub};

/// A point, or the way from one to another.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

impl Point {
    pub fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    pub fn length(self) -> f64 {
        (self.x * self.x + self.y * self.y).sqrt()
    }

    /// Vector of length 1, to the right of this one.
    pub fn right(self) -> Self {
        // No two nodes are at one place.
        Self::new(-self.y, self.x) * (1.0 / self.length())
    }
}

impl Add for Point {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y)
    }
}

impl Sub for Point {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y)
    }
}

impl Mul<f64> for Point {
    type Output = Self;
    fn mul(self, by: f64) -> Self {
        Self::new(self.x * by, self.y * by)
    }
}

/// An upright box.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Area {
    /// The upper left corner.
    pub least: Point,
    /// The lower right corner.
    pub most: Point,
}

impl Area {
    /// The box of this size around a point.
    pub fn around(middle: Point, width: f64, height: f64) -> Self {
        let half = Point::new(width / 2.0, height / 2.0);
        Self { least: middle - half, most: middle + half }
    }

    /// The area with more room on each side.
    pub fn grown(self, by: f64) -> Self {
        let by = Point::new(by, by);
        Self { least: self.least - by, most: self.most + by }
    }

    /// The box around both.
    pub fn with(self, other: Self) -> Self {
        let (a, b) = (self, other);
        Self {
            least: Point::new(a.least.x.min(b.least.x), a.least.y.min(b.least.y)),
            most: Point::new(a.most.x.max(b.most.x), a.most.y.max(b.most.y)),
        }
    }

    pub fn moved(self, by: Point) -> Self {
        Self { least: self.least + by, most: self.most + by }
    }

    pub fn holds(self, point: Point) -> bool {
        (self.least.x..=self.most.x).contains(&point.x)
            && (self.least.y..=self.most.y).contains(&point.y)
    }

    /// Whether the two have a point in common.
    pub fn meets(self, other: Self) -> bool {
        self.least.x <= other.most.x
            && other.least.x <= self.most.x
            && self.least.y <= other.most.y
            && other.least.y <= self.most.y
    }

    pub fn width(self) -> f64 {
        self.most.x - self.least.x
    }

    pub fn height(self) -> f64 {
        self.most.y - self.least.y
    }
}

/// Distance from its ends at which a bent curve has left the straight line.
const SHOULDER: f64 = 45.0;
/// Points of a curve that are looked at.
const SAMPLES: u32 = 64;

/// A cubic Bezier curve.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Curve(pub [Point; 4]);

impl Curve {
    /// From one point to another; bent to its right by so much, or straight.
    pub fn bent(from: Point, to: Point, by: f64) -> Self {
        let way = to - from;
        let aside = way.right() * by;
        let shoulder = way * (SHOULDER / way.length()).min(1.0 / 3.0);
        Self([from, from + shoulder + aside, to - shoulder + aside, to])
    }

    pub fn reversed(self) -> Self {
        let [a, b, c, d] = self.0;
        Self([d, c, b, a])
    }

    pub fn moved(self, by: Point) -> Self {
        Self(self.0.map(|point| point + by))
    }

    /// The curve moved aside, to its right.
    pub fn aside(self, by: f64) -> Self {
        self.moved((self.0[3] - self.0[0]).right() * by)
    }

    pub fn at(self, t: f64) -> Point {
        self.split(t).0.0[3]
    }

    /// Two parts of the curve.
    fn split(self, t: f64) -> (Self, Self) {
        let between = |a: Point, b: Point| a + (b - a) * t;
        let [a, b, c, d] = self.0;
        let (ab, bc, cd) = (between(a, b), between(b, c), between(c, d));
        let (abc, bcd) = (between(ab, bc), between(bc, cd));
        let middle = between(abc, bcd);
        (Self([a, ab, abc, middle]), Self([middle, bcd, cd, d]))
    }

    /// The part of it that lies between the boxes around its ends.
    pub fn between(self, from: &[Area], to: &[Area]) -> Self {
        let within = |boxes: &[Area], at: Point| boxes.iter().any(|area| area.holds(at));
        let steps = || (0..=SAMPLES).map(|step| f64::from(step) / f64::from(SAMPLES));
        let last = steps().filter(|&t| within(to, self.at(t))).reduce(f64::min).unwrap_or(1.0);
        let shorter = self.split(last).0;
        let first = steps().filter(|&t| within(from, shorter.at(t))).reduce(f64::max);
        shorter.split(first.unwrap_or(0.0)).1
    }

    /// Number of the boxes that the curve passes through.
    pub fn crossings(self, boxes: impl Iterator<Item = Area>) -> usize {
        let own = self.area();
        let points: Vec<Point> =
            (0..=SAMPLES).map(|step| self.at(f64::from(step) / f64::from(SAMPLES))).collect();
        let crossed = |area: &Area| points.iter().any(|&point| area.holds(point));
        boxes.filter(|area| own.meets(*area)).filter(crossed).count()
    }

    /// A box that holds it.
    pub fn area(self) -> Area {
        let boxes = self.0.into_iter().map(|point| Area { least: point, most: point });
        boxes.reduce(Area::with).expect("a curve has four points")
    }

    pub fn is_straight(self) -> bool {
        let [a, b, c, d] = self.0;
        let right = (d - a).right();
        [b, c].iter().all(|&p| ((p - a).x * right.x + (p - a).y * right.y).abs() < 0.01)
    }
}

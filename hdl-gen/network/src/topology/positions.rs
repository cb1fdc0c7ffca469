//! Positions of nodes in a picture ([`Topology::position`](super::Topology::position)): on circles,
//! and on grids of any number of dimensions.

use std::f64::consts::TAU;

/// A place in a picture: x to the right, y upward, neighbours about 1 apart.
pub type Position = (f64, f64);

/// Gap between blocks of a grid, and their rise: rows of blocks that did not rise would lie on one
/// line with the nodes between them.
const GAP: f64 = 1.2;
const RISE: f64 = 0.5;

/// Place `index` of `count` on a circle around the origin: the first above, the others clockwise,
/// neighbours 1 apart, on a circle of radius 1 at least.
pub fn on_circle(index: u32, count: u32) -> Position {
    let angle = |index: u32| TAU * f64::from(index) / f64::from(count);
    let radius = radius(count);
    (snapped(radius * angle(index).sin()), snapped(radius * angle(index).cos()))
}

/// The radius of a circle of so many places.
fn radius(count: u32) -> f64 {
    let chord = 2.0 * (TAU / f64::from(count) / 2.0).sin();
    (1.0 / chord).max(1.0)
}

/// Sines differ in their last bits from one machine to the next; pictures do not.
fn snapped(value: f64) -> f64 {
    (value * 4096.0).round() / 4096.0
}

/// A point of a grid by its coordinates and the grid's sides. The first dimension goes to the
/// right and the second upward. The third is oblique, and stays within the cell between
/// neighbours, so that no two nodes meet. All further ones repeat the whole as blocks, to the
/// right and upward by turns.
pub(super) fn in_grid(points: impl IntoIterator<Item = (u32, u32)>) -> Position {
    let (mut x, mut y) = (0.0, 0.0);
    let (mut width, mut height) = (0.0, 0.0);
    for (dimension, (coordinate, side)) in points.into_iter().enumerate() {
        let side = f64::from(side);
        let step = match dimension {
            0 => (1.0, 0.0),
            1 => (0.0, 1.0),
            2 => (0.9 / side, 0.7 / side),
            _ if dimension % 2 == 1 => (width + GAP, -RISE),
            _ => (-RISE, height + GAP),
        };
        x += f64::from(coordinate) * step.0;
        y += f64::from(coordinate) * step.1;
        width += (side - 1.0) * f64::abs(step.0);
        height += (side - 1.0) * f64::abs(step.1);
    }
    (x, y)
}

/// The corner of a cube of this label.
pub(super) fn corner(label: u32, dimension: u32) -> Position {
    in_grid((0..dimension).map(|bit| (label >> bit & 1, 2)))
}

/// Place `index` of the ring of `count` nodes that stands at a corner of a cube.
pub(super) fn in_ring_at_corner(label: u32, dimension: u32, index: u32, count: u32) -> Position {
    // So far that no ring stands in the way of links between others.
    let apart = 2.0 * radius(count) + 3.0;
    let (corner, place) = (corner(label, dimension), on_circle(index, count));
    (corner.0 * apart + place.0, corner.1 * apart + place.1)
}

/// The middle of the edge of a cube that changes bit `bit` of the corner `from`; `aside` to the
/// right of it, seen from there, where two nodes share an edge.
pub(super) fn on_edge(from: u32, bit: u32, dimension: u32, aside: f64) -> Position {
    let [a, b] = [from, from ^ 1 << bit].map(|label| corner(label, dimension));
    let along = (b.0 - a.0, b.1 - a.1);
    ((a.0 + b.0) / 2.0 + along.1 * aside, (a.1 + b.1) / 2.0 - along.0 * aside)
}

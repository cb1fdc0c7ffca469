//! Markers that tell curves and verdicts apart without colour: a shape and a dash for each curve,
//! and in the shape the verdict.

use svg::node::element::{Group, Path};
use turnpike_sim_network::statistics::Stability;

/// Colours of curves, which are those of the style sheet.
pub const COLORS: usize = 8;
/// Half the size of a marker, in pixels.
const HALF: f64 = 4.5;

/// The corners of the shapes, as shares of half their size; the first, with none, is a circle.
const SHAPES: [&[(f64, f64)]; COLORS] = [
    &[],
    &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
    &[(0.0, -1.2), (1.2, 0.0), (0.0, 1.2), (-1.2, 0.0)],
    &[(0.0, -1.1), (1.1, 0.9), (-1.1, 0.9)],
    &[(0.0, 1.1), (1.1, -0.9), (-1.1, -0.9)],
    &[(-1.1, 0.0), (0.9, -1.1), (0.9, 1.1)],
    &[(1.1, 0.0), (-0.9, -1.1), (-0.9, 1.1)],
    &[(-0.6, -1.0), (0.6, -1.0), (1.2, 0.0), (0.6, 1.0), (-0.6, 1.0), (-1.2, 0.0)],
];

const DASHES: [&str; 4] = ["none", "7 3", "2 3", "9 3 2 3"];

/// The class of a curve, which gives its colour.
pub fn class(curve: usize) -> String {
    format!("c{}", curve % COLORS)
}

/// The dashes of its line: those of a curve of the same colour and shape are others.
pub fn dashes(curve: usize) -> &'static str {
    DASHES[(curve + curve / COLORS) % DASHES.len()]
}

/// A coordinate as it is written: to a tenth of a pixel.
pub fn tenth(value: f64) -> f64 {
    // Adding 0 makes -0 a 0.
    (value * 10.0).round() / 10.0 + 0.0
}

/// The marker of a curve: full where the verdict is *steady*, hollow otherwise, with a cross in it
/// where it is *saturated*, and an upright one where a run deadlocked.
pub fn marker(curve: usize, verdict: Option<Stability>, x: f64, y: f64) -> Group {
    let at = |dx: f64, dy: f64| format!("{} {}", tenth(x + dx * HALF), tenth(y + dy * HALF));
    let outline = match SHAPES[curve % COLORS] {
        [] => format!("M {} a {HALF} {HALF} 0 1 0 9 0 a {HALF} {HALF} 0 1 0 -9 0 z", at(-1.0, 0.0)),
        corners => {
            let corners: Vec<String> = corners.iter().map(|&(dx, dy)| at(dx, dy)).collect();
            format!("M {} z", corners.join(" L "))
        }
    };
    let class = if verdict == Some(Stability::Steady) { "full" } else { "hollow" };
    let shape = Group::new().add(Path::new().set("class", class).set("d", outline));
    let cross = match verdict {
        Some(Stability::Steady | Stability::Undecided) => return shape,
        Some(Stability::Saturated) => [(-1.3, -1.3, 1.3, 1.3), (-1.3, 1.3, 1.3, -1.3)],
        None => [(0.0, -1.9, 0.0, 1.9), (-1.9, 0.0, 1.9, 0.0)],
    };
    let [one, other] = cross.map(|(a, b, c, d)| format!("M {} L {}", at(a, b), at(c, d)));
    shape.add(Path::new().set("class", "cross").set("d", format!("{one} {other}")))
}

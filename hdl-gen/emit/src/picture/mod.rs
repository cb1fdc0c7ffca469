//! A picture of a fabric, as SVG: the network, its switches with their crossbars, and the channels
//! that could wait for each other in a cycle.

mod canvas;
mod cycle;
mod geometry;
mod layout;
mod loads;
mod network;
pub mod page;
mod switch;

use crate::{DIGEST, File, VERSION};
use canvas::{Anchor, Canvas, HEADING, PLAIN};
use cycle::DrawnCycle;
use geometry::Point;
use network::Drawing;
use switch::Words;
use turnpike_fabric::plan::FabricPlan;
use turnpike_network::topology::Topology;

/// Most nodes of a picture: with more nobody would find one.
pub const MOST_NODES: u32 = 1024;
/// Classes of switches that are drawn; the others are counted.
const MOST_CLASSES: usize = 4;
/// Switches stand side by side up to this many pixels, or as far as the network reaches.
const LEAST_ROW: f64 = 900.0;
/// Pixels between the parts of a picture.
const APART: f64 = 36.0;

/// A network that is too large for a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a picture shows at most {MOST_NODES} nodes, and this network has {0}")]
pub struct PictureError(u32);

/// Whether a picture can show a network.
///
/// # Errors
/// [`PictureError`] for one of more than [`MOST_NODES`] nodes.
pub fn check(topology: &dyn Topology) -> Result<(), PictureError> {
    match topology.nodes() {
        nodes if nodes > MOST_NODES => Err(PictureError(nodes)),
        _ => Ok(()),
    }
}

/// The picture of a fabric: an SVG file, the same for the same fabric on every machine.
///
/// # Errors
/// [`PictureError`] for a network that is too large.
pub fn picture(plan: &FabricPlan) -> Result<File, PictureError> {
    let (topology, network) = (plan.topology(), plan.network());
    check(topology)?;
    let mut canvas = Canvas::new();
    let cycle = DrawnCycle::of(network);
    Drawing::of(topology).draw(&mut canvas, cycle.as_ref());
    let area = canvas.area();
    let title = plan.canonical_network();
    let counts = format!(
        "{} nodes, {} channels, {} terminals",
        topology.nodes() as usize - topology.failed_nodes().len(),
        topology.channels(),
        topology.all_terminals().count()
    );
    let above = |height: f64| area.least - Point::new(0.0, height);
    canvas.text(above(APART + 24.0), Anchor::Start, HEADING, "", &title);
    canvas.text(above(APART), Anchor::Start, PLAIN, "note", &counts);
    switches(plan, &mut canvas);
    let description = format!("Configuration: {}. Turnpike {VERSION}{DIGEST}", plan.canonical());
    let contents = canvas.svg(&title, &description);
    Ok(File { name: format!("{}.svg", plan.name), contents }.sealed())
}

/// The commonest switches, below what is drawn already.
fn switches(plan: &FabricPlan, canvas: &mut Canvas) {
    let area = canvas.area();
    let (left, right) = (area.least.x, area.most.x.max(area.least.x + LEAST_ROW));
    let mut at = Point::new(left, area.most.y + APART);
    let classes = switch::classes(plan);
    for class in classes.iter().take(MOST_CLASSES) {
        let reach = class.draw(canvas, at, &Words::new());
        at.x = reach + APART;
        if at.x > right {
            at = Point::new(left, canvas.area().most.y + APART);
        }
    }
    if let others @ 1.. = classes.len().saturating_sub(MOST_CLASSES) {
        let text = format!("and {others} more classes of switches, none at more nodes");
        let at = Point::new(left, canvas.area().most.y + APART);
        canvas.text(at, Anchor::Start, PLAIN, "note", &text);
    }
}

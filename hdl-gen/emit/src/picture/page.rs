//! The parts of a picture for a page, which gives their classes colours that a reader's scheme asks
//! for: the network with the load of its channels, and switches one by one.

use super::canvas::Canvas;
use super::cycle::DrawnCycle;
use super::geometry::Point;
use super::network::Drawing;
use super::{MOST_CLASSES, PictureError, check, switch};
use turnpike_fabric::plan::FabricPlan;

pub use super::loads::{LEVELS, Loads, words};
pub use super::switch::Words;

/// The network, its lines of the classes `load0` to `load6` ([`LEVELS`]). A line has its channels as
/// `data-channel` and, for the way back, `data-back`, both as `node:port`; a node has its number
/// as `data-node`.
///
/// # Errors
/// [`PictureError`] for a network that is too large.
pub fn network(plan: &FabricPlan, loads: &Loads) -> Result<String, PictureError> {
    let topology = plan.topology();
    check(topology)?;
    let mut canvas = Canvas::new();
    // A cycle that virtual channels break would hide the loads of its channels.
    let cycle = DrawnCycle::of(plan.network()).filter(|_| !plan.is_deadlock_free());
    Drawing::of(topology).draw_loads(&mut canvas, cycle.as_ref(), loads);
    let description = "Nodes, and between them lines that are the wider and the stronger in colour the \
                       more their channels carry. All loads are in the table of loads.";
    Ok(canvas.part_of_page("network", &plan.canonical_network(), description))
}

/// A class of switches, drawn.
pub struct Switch {
    /// Index of the class in the plan.
    pub class: usize,
    /// Name of the class.
    pub name: String,
    /// Number of nodes with such a switch.
    pub nodes: u32,
    /// The picture.
    pub svg: String,
}

/// The commonest switches with their crossbars, and how many classes are left out. `words`: what is
/// said of each crosspoint of a class beside its turns.
pub fn switches(plan: &FabricPlan, words: impl Fn(usize) -> Words) -> (Vec<Switch>, usize) {
    let classes = switch::classes(plan);
    let left_out = classes.len().saturating_sub(MOST_CLASSES);
    let drawn = classes.iter().take(MOST_CLASSES).map(|class| {
        let same = |switch: &_| std::ptr::eq(switch, class.switch);
        let at = plan.switches.iter().position(same).expect("a class of the plan");
        let mut canvas = Canvas::new();
        class.draw(&mut canvas, Point::default(), &words(at));
        let name = &class.switch.name;
        let title = format!("The crossbar of {name}");
        let description = "Inputs on the left, outputs above, a dot where a crosspoint is built. All \
                           turns are in the table of turns.";
        let svg = canvas.part_of_page(&format!("switch{at}"), &title, description);
        Switch { class: at, name: name.clone(), nodes: class.nodes, svg }
    });
    (drawn.collect(), left_out)
}

//! A switch with its crossbar: inputs on the left, outputs above, a dot where a crosspoint is
//! built.

use super::canvas::{Anchor, Canvas, LABEL, PLAIN, width_of};
use super::geometry::Point;
use std::collections::BTreeMap;
use turnpike_fabric::plan::{FabricPlan, SwitchPlan};
use turnpike_network::routing::{Input, Output};

/// Pixels between two wires.
const PITCH: f64 = 24.0;

/// Texts of crosspoints.
pub type Words = BTreeMap<(Input, Output), String>;

/// Switches of one class, of which one is drawn.
pub struct Class<'a> {
    pub switch: &'a SwitchPlan,
    /// Number of nodes with such a switch.
    pub nodes: u32,
}

/// The classes of switches that are built, that of the most nodes first.
pub fn classes(plan: &FabricPlan) -> Vec<Class<'_>> {
    let class = |(switch, nodes)| Class { switch, nodes };
    let mut classes: Vec<Class<'_>> = plan.built_classes().map(class).collect();
    // Those of as many nodes stay in order.
    classes.sort_by_key(|class| std::cmp::Reverse(class.nodes));
    classes
}

impl Class<'_> {
    /// The crosspoints, each with its turns in words.
    fn crosspoints(&self) -> Words {
        let mut all: BTreeMap<(Input, Output), Vec<String>> = BTreeMap::new();
        for output_vc in &self.switch.output_vcs {
            for source in &output_vc.sources {
                let queue = &self.switch.queues[source.queue];
                let input = self.switch.inputs[queue.input].input;
                let output = self.switch.outputs[output_vc.output].output;
                let turn = format!("{} to {}", queue.name, output_vc.name);
                all.entry((input, output)).or_default().push(turn);
            }
        }
        all.into_iter().map(|(at, turns)| (at, turns.join("; "))).collect()
    }

    /// Draws it below and to the right of `at`, with what `more` says of crosspoints. Returns how far it
    /// reaches to the right.
    pub fn draw(&self, canvas: &mut Canvas, at: Point, more: &Words) -> f64 {
        let (inputs, outputs) = (&self.switch.inputs, &self.switch.outputs);
        let crosspoints = self.crosspoints();
        let nodes = match self.nodes {
            1 => "1 node".to_owned(),
            nodes => format!("{nodes} nodes"),
        };
        let heading = format!(
            "{}: {nodes}, {} of {} crosspoints",
            self.switch.name,
            crosspoints.len(),
            inputs.len() * outputs.len()
        );
        canvas.text(at + Point::new(0.0, PLAIN), Anchor::Start, PLAIN, "", &heading);
        let longest = |names: &mut dyn Iterator<Item = &String>| {
            names.map(|name| width_of(name, LABEL)).fold(0.0, f64::max)
        };
        let left = at.x + longest(&mut inputs.iter().map(|input| &input.name)) + 12.0;
        let top = at.y + longest(&mut outputs.iter().map(|output| &output.name)) + 36.0;
        let right = left + outputs.len() as f64 * PITCH;
        let bottom = top + inputs.len() as f64 * PITCH;
        let row = |index: usize| top + (index as f64 + 0.5) * PITCH;
        let column = |index: usize| left + (index as f64 + 0.5) * PITCH;
        for (index, input) in inputs.iter().enumerate() {
            let y = row(index);
            canvas.line(Point::new(left, y), Point::new(right, y), "wire");
            let label = Point::new(left - 6.0, y + LABEL / 3.0);
            canvas.text(label, Anchor::End, LABEL, "", &input.name);
        }
        for (index, output) in outputs.iter().enumerate() {
            let x = column(index);
            canvas.line(Point::new(x, top), Point::new(x, bottom), "wire");
            canvas.rising_text(Point::new(x + LABEL / 3.0, top - 6.0), LABEL, &output.name);
        }
        for (y, input) in inputs.iter().enumerate() {
            for (x, output) in outputs.iter().enumerate() {
                let at = Point::new(column(x), row(y));
                match crosspoints.get(&(input.input, output.output)) {
                    Some(turns) => {
                        let more = more.get(&(input.input, output.output));
                        let title = more.map_or(turns.clone(), |more| format!("{turns}: {more}"));
                        canvas.dot(at, 5.0, "crosspoint", title);
                    }
                    None => {
                        let title = format!("no turn from {} to {}", input.name, output.name);
                        canvas.dot(at, 3.0, "missing", title);
                    }
                }
            }
        }
        right.max(at.x + width_of(&heading, PLAIN))
    }
}

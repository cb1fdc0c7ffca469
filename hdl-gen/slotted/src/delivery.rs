//! Promise of slotted fabrics on the delivery of words.

use crate::plan::SlottedPlan;
use crate::ports::SlottedPorts;

/// Condition of that promise.
pub const CONDITION: &str = "as long as each sink takes each word in the cycle in which it comes";

impl SlottedPlan {
    /// Promise of delivery, with its condition, as a sentence.
    pub fn delivery(&self) -> String {
        let cycles = self.flows().iter().map(|flow| flow.cycles);
        let (least, most) = (cycles.clone().min().unwrap_or(0), cycles.max().unwrap_or(0));
        let after = match least == most {
            true => format!("{most}"),
            false => format!("{least} to {most}"),
        };
        let cycles = if most == 1 { "cycle" } else { "cycles" };
        format!(
            "Every word that is taken in a slot of its flow is at its sink {after} {cycles} later, by its \
             flow, unless a reset comes, and is delivered once {CONDITION}: no two words need one output in one slot, so none waits \
             for another, and none wait for each other in a circle."
        )
    }

    /// The ports of its terminals.
    pub fn ports(&self) -> SlottedPorts {
        SlottedPorts::new(self)
    }
}

//! Promise of each kind of circuit fabric on the delivery of words.

use crate::plan::{CircuitPlan, Control};

impl CircuitPlan {
    /// Promise of delivery, as a sentence. It has no condition: no word waits for anything.
    pub fn delivery(&self) -> String {
        let but = match self.control {
            Control::Memory(_) | Control::Baked(_) => "its slot does not connect its source",
            Control::SelfRouting => "it lost an output of a switch to another word",
        };
        let after = match self.latency() {
            0 => "in the same cycle".to_owned(),
            1 => "after 1 cycle".to_owned(),
            cycles => format!("after {cycles} cycles"),
        };
        format!(
            "No word waits for another or for a sink, so none wait for each other in a circle: each \
             is at its sink {after} with enable high, or is dropped where {but}."
        )
    }
}

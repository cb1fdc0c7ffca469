//! A reset in the middle of traffic: the state at the start, whatever was before.

use super::{Reference, TerminalState};
use crate::terminals::TerminalSet;
use turnpike_fabric::plan::draw::Generator;

impl Reference {
    /// Ends a cycle in which `rst` is high: nothing is taken or delivered in it, and what was on
    /// the way is gone. The cycle counts; what was counted before stays, but for
    /// [`Reference::flits`], of which there are none.
    pub fn reset(&mut self) {
        self.parts.iter_mut().for_each(|part| part.clear(&self.layout));
        self.terminals.fill(TerminalState::default());
        self.generators.iter_mut().for_each(Generator::reset);
        let none = TerminalSet::none(self.layout.terminals);
        for set in [&mut self.staged, &mut self.offered, &mut self.standing] {
            set.clone_from(&none);
        }
        self.accepted.clear();
        self.deliveries.clear();
        self.flits = 0;
        self.progressed = false;
        self.cycle += 1;
    }
}

//! A reset, at the start or in the middle of traffic: one state, whatever was before.

use super::arbiter::Arbiter;
use super::fields::WORD;
use super::{Reference, TerminalState};
use crate::terminals::TerminalSet;
use turnpike_fabric::plan::draw::Generator;

impl Reference {
    /// Ends a cycle in which `rst` is high: nothing is taken or delivered in it, and what was on
    /// the way is gone. The cycle counts; what was counted before stays, but for
    /// [`Reference::flits`], of which there are none.
    pub fn reset(&mut self) {
        self.clear();
        self.cycle += 1;
    }

    /// The state after a reset.
    pub(super) fn clear(&mut self) {
        self.queues.clear();
        for node in 0..self.layout.nodes {
            let class = self.layout.class(node);
            let base = self.layout.fields.at(node, 0);
            for (i, &source) in class.last_source.iter().enumerate() {
                let output = &mut self.outputs[base + i];
                output.requests = 0;
                output.arbiter = Arbiter::new(source);
                output.search_after = source;
                output.sent_last = (base % WORD) as u8 + class.port_mask[i].ilog2() as u8;
            }
        }
        self.wanted.clear();
        self.ready.fill(true);
        self.terminals.fill(TerminalState::default());
        self.generators.iter_mut().for_each(Generator::reset);
        self.occupied.clear();
        let none = TerminalSet::none(self.layout.terminals);
        for set in [&mut self.staged, &mut self.offered, &mut self.standing] {
            set.clone_from(&none);
        }
        self.accepted.clear();
        self.leaving.clear();
        self.under_way.clear();
        self.deliveries.clear();
        self.adaptive.iter_mut().for_each(|adaptive| adaptive.clear(&self.layout));
        self.flits = 0;
        self.progressed = false;
    }
}

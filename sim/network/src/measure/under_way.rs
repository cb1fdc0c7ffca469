//! A limit of the requests that a terminal has under way: closed-loop traffic, whose load the network
//! itself holds down (Dally and Towles, Principles and Practices of Interconnection Networks, 23.1 and 24.1).
//!
//! A terminal with as many as it may have draws nothing. Several classes may draw for it in one cycle, where
//! fewer may go: the others go when replies have come, in their order, before anything else is drawn for it.
//! So the shares of the classes are those of what is drawn.

use crate::traffic::{Release, Traffic};
use std::collections::VecDeque;

/// Requests of one terminal.
#[derive(Clone, Default, Debug)]
struct Asker {
    /// Requests that were released and whose replies are not delivered.
    under_way: u32,
    /// Packets that were drawn in a cycle in which fewer could go.
    drawn: VecDeque<Release>,
    /// Whether the traffic holds it.
    is_held: bool,
}

/// Requests under way of each terminal, and the most that one may have.
#[derive(Debug)]
pub(super) struct UnderWay {
    most: u32,
    askers: Vec<Asker>,
    /// Terminals to which replies have come since they were last let go on.
    answered: Vec<u32>,
}

impl UnderWay {
    /// Counts of so many terminals, none of which has asked yet.
    pub fn new(most: u32, terminals: u32) -> Self {
        Self { most, askers: vec![Asker::default(); terminals as usize], answered: Vec::new() }
    }

    /// Lets terminals go on to which replies have come: with what was drawn for them, of which `is_answered` says
    /// what is a request, and then by the traffic again.
    pub fn go_on(
        &mut self,
        traffic: &mut dyn Traffic,
        is_answered: impl Fn(&Release) -> bool,
        into: &mut Vec<Release>,
    ) {
        for terminal in self.answered.drain(..) {
            let asker = &mut self.askers[terminal as usize];
            while let Some(next) = asker.drawn.front() {
                let asks = is_answered(next);
                if asks && asker.under_way == self.most {
                    break;
                }
                asker.under_way += u32::from(asks);
                into.extend(asker.drawn.pop_front());
            }
            asker.hold(self.most, terminal, traffic);
        }
    }

    /// Whether a packet that was drawn goes now, which is a request or not; it is kept where it does not.
    pub fn admits(&mut self, drawn: &Release, asks: bool, traffic: &mut dyn Traffic) -> bool {
        let asker = &mut self.askers[drawn.source as usize];
        let waits = !asker.drawn.is_empty() || asks && asker.under_way == self.most;
        match waits {
            true => asker.drawn.push_back(*drawn),
            false => asker.under_way += u32::from(asks),
        }
        asker.hold(self.most, drawn.source, traffic);
        !waits
    }

    /// A reply to a request of this terminal was delivered: it goes on in the next cycle.
    pub fn answered(&mut self, terminal: u32) {
        self.askers[terminal as usize].under_way -= 1;
        self.answered.push(terminal);
    }
}

impl Asker {
    /// Has the traffic hold the terminal, or let it go, as it is now.
    fn hold(&mut self, most: u32, terminal: u32, traffic: &mut dyn Traffic) {
        let is_held = self.under_way == most || !self.drawn.is_empty();
        if is_held != self.is_held {
            traffic.hold(terminal, is_held);
            self.is_held = is_held;
        }
    }
}

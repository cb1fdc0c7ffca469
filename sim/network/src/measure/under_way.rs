//! A limit of the requests that a terminal has under way: closed-loop traffic, whose load the network
//! itself holds down (Dally and Towles, Principles and Practices of Interconnection Networks, 23.1 and 24.1).

use crate::traffic::Traffic;

/// Requests under way of each terminal, and the most that one may have.
#[derive(Debug)]
pub(super) struct UnderWay {
    most: u32,
    /// Requests that were released and whose replies are not delivered, by terminal.
    requests: Vec<u32>,
}

impl UnderWay {
    /// Counts of so many terminals, none of which has asked yet.
    pub fn new(most: u32, terminals: u32) -> Self {
        Self { most, requests: vec![0; terminals as usize] }
    }

    /// Whether this terminal may release a request, which is under way then. With its last one the traffic
    /// holds it.
    pub fn admits(&mut self, terminal: u32, traffic: &mut dyn Traffic) -> bool {
        let requests = &mut self.requests[terminal as usize];
        if *requests == self.most {
            return false;
        }
        *requests += 1;
        if *requests == self.most {
            traffic.hold(terminal, true);
        }
        true
    }

    /// The reply to a request of this terminal was delivered.
    pub fn answered(&mut self, terminal: u32, traffic: &mut dyn Traffic) {
        let requests = &mut self.requests[terminal as usize];
        if *requests == self.most {
            traffic.hold(terminal, false);
        }
        *requests -= 1;
    }
}

//! Exponential backoff.

use turnpike_bus::protocol::Backoff;
use turnpike_fabric::plan::draw::Generator;

/// The failures of the first word, and the slots that it still lets pass.
#[derive(Clone, Debug)]
pub(in crate::bus) struct State {
    backoff: Backoff,
    generator: Generator,
    failures: u32,
    wait: u32,
}

impl State {
    pub fn new(backoff: Backoff, generator: Generator) -> Self {
        Self { backoff, generator, failures: 0, wait: 0 }
    }

    pub fn reset(&mut self) {
        self.generator.reset();
        (self.failures, self.wait) = (0, 0);
    }

    pub fn sends(&mut self) -> bool {
        let now = self.wait == 0;
        self.wait = self.wait.saturating_sub(1);
        now
    }

    pub fn told(&mut self, taken: bool) {
        if taken {
            self.failures = 0;
            return;
        }
        self.failures += 1;
        self.wait = self.backoff.wait(self.failures, self.generator.draw().0);
        self.generator.step();
    }
}

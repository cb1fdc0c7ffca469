//! A fixed window.

use turnpike_bus::protocol::Window;
use turnpike_fabric::plan::draw::Generator;

/// The state: that of the generator.
#[derive(Clone, Debug)]
pub(in crate::bus) struct State {
    window: Window,
    generator: Generator,
}

impl State {
    pub fn new(window: Window, generator: Generator) -> Self {
        Self { window, generator }
    }

    pub fn reset(&mut self) {
        self.generator.reset();
    }

    /// Whether the word is sent. The generator draws in every slot, whether there is a word or not.
    pub fn sends(&mut self) -> bool {
        let drawn = self.generator.draw().0;
        self.generator.step();
        self.window.sends(drawn)
    }
}

//! Thinning.

use turnpike_bus::protocol::Thinning;
use turnpike_bus::protocol::thinning::Stand;
use turnpike_fabric::plan::draw::Generator;

/// The window, and the generator.
#[derive(Clone, Debug)]
pub(in crate::bus) struct State {
    thinning: Thinning,
    generator: Generator,
    stand: Stand,
}

impl State {
    pub fn new(thinning: Thinning, generator: Generator) -> Self {
        Self { thinning, generator, stand: Stand { halved: 0, slots: 0 } }
    }

    pub fn reset(&mut self) {
        self.generator.reset();
        self.stand = Stand { halved: 0, slots: 0 };
    }

    /// Index of the word that is sent. The generator draws in every slot, whether there are words
    /// or not.
    pub fn picks(&mut self) -> usize {
        let picked = self.thinning.picks(self.stand.halved, self.generator.draw().0);
        self.generator.step();
        self.stand = self.thinning.after(self.stand);
        picked as usize
    }
}

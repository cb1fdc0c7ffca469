//! The state machines of the protocols: when a sender sends its first word.

mod backoff;
mod rotor;
mod thinning;
mod window;

use super::Word;
use std::collections::VecDeque;
use turnpike_bus::{Grid, Protocol};

/// The state of a sender.
#[derive(Clone, Debug)]
pub(super) enum Sender {
    Window(window::State),
    Backoff(backoff::State),
    Thinning(thinning::State),
    Rotor(rotor::State),
}

impl Sender {
    /// Sender of a node on its bus of a dimension, after a reset.
    pub fn new(protocol: Protocol, seed: u64, grid: &Grid, node: u32, dimension: usize) -> Self {
        let generator = || {
            let generator = protocol.generator(seed, grid, node, dimension);
            generator.expect("the protocol draws")
        };
        match protocol {
            Protocol::Window(window) => Self::Window(window::State::new(window, generator())),
            Protocol::Backoff(backoff) => Self::Backoff(backoff::State::new(backoff, generator())),
            Protocol::Thinning(thinning) => {
                Self::Thinning(thinning::State::new(thinning, generator()))
            }
            Protocol::Rotor => {
                let side = grid.sides()[dimension];
                Self::Rotor(rotor::State::new(side, grid.coordinate(node, dimension)))
            }
        }
    }

    pub fn reset(&mut self) {
        match self {
            Self::Window(state) => state.reset(),
            Self::Backoff(state) => state.reset(),
            Self::Thinning(state) => state.reset(),
            Self::Rotor(state) => state.reset(),
        }
    }

    /// A slot for data: which of the words that are held is sent, if any. `receiver`: the
    /// coordinate to which a word goes on this bus.
    pub fn sends(
        &mut self,
        words: &VecDeque<Word>,
        receiver: impl Fn(&Word) -> u32,
    ) -> Option<usize> {
        let held = words.len();
        match self {
            Self::Window(state) => (state.sends() && held > 0).then_some(0),
            Self::Backoff(state) => (held > 0 && state.sends()).then_some(0),
            Self::Thinning(state) => Some(state.picks()).filter(|&picked| picked < held),
            Self::Rotor(state) => state.picks(words.iter().map(receiver)),
        }
    }

    /// The slot after one in which it sent: whether the word was taken.
    pub fn told(&mut self, taken: bool) {
        match self {
            Self::Window(_) | Self::Thinning(_) | Self::Rotor(_) => {}
            Self::Backoff(state) => state.told(taken),
        }
    }

    /// Takes the word that was sent out of those that are held.
    pub fn remove(&self, words: &mut VecDeque<Word>, sent: usize) {
        match self {
            Self::Window(_) | Self::Backoff(_) => drop(words.pop_front()),
            // The last one takes its place.
            Self::Thinning(_) => drop(words.swap_remove_back(sent)),
            Self::Rotor(_) => drop(words.remove(sent)),
        }
    }
}

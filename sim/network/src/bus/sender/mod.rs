//! The state machines of the protocols: when a sender sends its first word.

mod backoff;
mod thinning;
mod window;

use super::Word;
use std::collections::VecDeque;
use turnpike_bus::Protocol;
use turnpike_fabric::plan::draw::Generator;

/// The state of a sender.
#[derive(Clone, Debug)]
pub(super) enum Sender {
    Window(window::State),
    Backoff(backoff::State),
    Thinning(thinning::State),
}

impl Sender {
    /// After a reset.
    pub fn new(protocol: Protocol, generator: Generator) -> Self {
        match protocol {
            Protocol::Window(window) => Self::Window(window::State::new(window, generator)),
            Protocol::Backoff(backoff) => Self::Backoff(backoff::State::new(backoff, generator)),
            Protocol::Thinning(thinning) => {
                Self::Thinning(thinning::State::new(thinning, generator))
            }
        }
    }

    pub fn reset(&mut self) {
        match self {
            Self::Window(state) => state.reset(),
            Self::Backoff(state) => state.reset(),
            Self::Thinning(state) => state.reset(),
        }
    }

    /// A slot for data: which of the words that are held is sent, if any.
    pub fn sends(&mut self, held: usize) -> Option<usize> {
        match self {
            Self::Window(state) => (state.sends() && held > 0).then_some(0),
            Self::Backoff(state) => (held > 0 && state.sends()).then_some(0),
            Self::Thinning(state) => Some(state.picks()).filter(|&picked| picked < held),
        }
    }

    /// The slot after one in which it sent: whether the word was taken.
    pub fn told(&mut self, taken: bool) {
        match self {
            Self::Window(_) | Self::Thinning(_) => {}
            Self::Backoff(state) => state.told(taken),
        }
    }

    /// Takes the word that was sent out of those that are held.
    pub fn remove(&self, words: &mut VecDeque<Word>, sent: usize) {
        match self {
            Self::Window(_) | Self::Backoff(_) => drop(words.pop_front()),
            // The last one takes its place.
            Self::Thinning(_) => drop(words.swap_remove_back(sent)),
        }
    }
}

//! Checks a table, word by word. Shares no code with what makes tables: it is told each word's start and
//! route anew, and marks every channel that the word takes in the slot in which it takes it.

use std::collections::HashMap;
use std::hash::Hash;

/// The marks of a frame. Channels are what whoever walks the routes calls them.
#[derive(Debug, Clone)]
pub struct Marks<Channel> {
    frame: u32,
    /// By channel and slot, the word that takes it.
    taken: HashMap<(Channel, u32), usize>,
    words: usize,
}

/// Fault of a word.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CheckError<Channel> {
    /// A word that starts in a slot that the frame does not have.
    #[error("word {word} starts in slot {slot} of a frame of {frame}")]
    Slot {
        /// The word, counted from 0 in the order of the check.
        word: usize,
        slot: u32,
        /// Slots of the frame.
        frame: u32,
    },
    /// A word that takes a channel that is taken.
    #[error("words {first} and {second} take one channel in slot {slot}")]
    Collision {
        /// The word that was marked first.
        first: usize,
        /// The word that meets it: the same one where its route comes back.
        second: usize,
        channel: Channel,
        slot: u32,
    },
}

impl<Channel: Eq + Hash + Clone> Marks<Channel> {
    /// A frame of so many slots without words.
    pub fn new(frame: u32) -> Self {
        Self { frame, taken: HashMap::new(), words: 0 }
    }

    /// Marks the way of the next word.
    ///
    /// # Errors
    /// [`CheckError`].
    pub fn word(
        &mut self,
        start: u32,
        route: impl IntoIterator<Item = Channel>,
    ) -> Result<(), CheckError<Channel>> {
        let word = self.words;
        self.words += 1;
        if start >= self.frame {
            return Err(CheckError::Slot { word, slot: start, frame: self.frame });
        }
        let mut slot = start;
        for channel in route {
            if let Some(first) = self.taken.insert((channel.clone(), slot), word) {
                return Err(CheckError::Collision { first, second: word, channel, slot });
            }
            slot = if slot + 1 == self.frame { 0 } else { slot + 1 };
        }
        Ok(())
    }
}

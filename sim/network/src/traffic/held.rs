//! Terminals for which nothing is drawn for now, as they wait for replies.

/// The terminals that are held. Empty until the first is, so that traffic that never waits costs nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct Held(Vec<bool>);

impl Held {
    /// Holds one of so many terminals, or lets it go.
    pub fn set(&mut self, terminals: u32, terminal: u32, is_held: bool) {
        self.0.resize(terminals as usize, false);
        self.0[terminal as usize] = is_held;
    }

    /// Whether none has ever been held.
    pub fn is_unused(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether this one is.
    pub fn has(&self, terminal: u32) -> bool {
        self.0.get(terminal as usize).is_some_and(|&held| held)
    }
}

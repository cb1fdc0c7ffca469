//! A cycle of a bus fabric, as its terminals see it, whatever is between them.

use super::{Offer, Word};
use std::collections::VecDeque;

/// Fabric between the terminals, cycle by cycle.
pub(super) trait Cycle {
    /// Whether this is a slot for data.
    fn data_slot(&mut self) -> &mut bool;
    /// Whether a source may send a word in this cycle.
    fn is_ready(&self, terminal: u32) -> bool;
    /// The words at a source.
    fn source(&mut self, terminal: usize) -> &mut VecDeque<Word>;
    /// The words for a sink.
    fn sink(&mut self, terminal: usize) -> &mut VecDeque<Word>;
    /// A slot for data.
    fn data(&mut self);
    /// A slot for acknowledgements.
    fn acknowledge(&mut self);
}

/// One cycle: by terminal, what its source offers, and whether its sink takes a word. Both go by the
/// state at the start of the cycle.
pub(super) fn clock(fabric: &mut impl Cycle, offers: &[Option<Offer>], takes: &[bool]) {
    let ready: Vec<bool> = (0..offers.len()).map(|t| fabric.is_ready(t as u32)).collect();
    let takes = takes.iter().enumerate();
    let popped: Vec<bool> =
        takes.map(|(sink, &takes)| takes && !fabric.sink(sink).is_empty()).collect();
    match *fabric.data_slot() {
        true => fabric.data(),
        false => fabric.acknowledge(),
    }
    *fabric.data_slot() ^= true;
    for sink in (0..popped.len()).filter(|&sink| popped[sink]) {
        fabric.sink(sink).pop_front();
    }
    for (terminal, offer) in offers.iter().enumerate().filter(|(t, _)| ready[*t]) {
        if let Some(Offer::Word(word)) = offer {
            fabric.source(terminal).push_back(*word);
        }
    }
}

//! Checks a table of a pattern against the relation: every word has its start, and no two meet. Walks each
//! route again, and knows neither the lists of channels that the table was made of nor what made it.

use std::collections::BTreeMap;
use turnpike_analysis::pattern_load::Message;
use turnpike_network::routing::Draw;
use turnpike_network::routing::walk::{RouteError, walk};
use turnpike_network::routing::{Input, Output, Relation};
use turnpike_network::topology::{Node, Terminal, Topology};
use turnpike_schedule::time_table::check::{CheckError, Marks};

/// A channel by the port of a switch that is its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum End {
    /// Into the network: the inject port.
    In(Node, Input),
    /// Out of a switch, to another one or to a terminal.
    Out(Node, Output),
}

/// Start of a word of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Start {
    /// Source of the word.
    pub source: Terminal,
    /// Destination of the word.
    pub destination: Terminal,
    pub slot: u32,
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum WrongTable {
    /// A word collides, or starts outside the frame.
    #[error(transparent)]
    Word(#[from] CheckError<End>),
    /// A pair has other words than the pattern has.
    #[error("the table has {starts} words from terminal {sender} to {sink}, the pattern {words}")]
    Words {
        /// Words in the table.
        starts: u32,
        /// Words of the pattern.
        words: u32,
        /// Source of the words.
        sender: u32,
        /// Sink of the words.
        sink: u32,
    },
    #[error(transparent)]
    Route(#[from] RouteError),
}

/// Checks the starts of a frame of so many slots, in which these messages are sent.
///
/// # Errors
/// [`WrongTable`], with the first word that is wrong.
pub fn check(
    topology: &dyn Topology,
    relation: &Relation,
    messages: &[Message],
    frame: u32,
    starts: impl IntoIterator<Item = Start>,
) -> Result<(), WrongTable> {
    let mut counts: BTreeMap<(u32, u32), [u32; 2]> = BTreeMap::new();
    for Message { source, destination, words } in messages {
        counts.entry((source.0, destination.0)).or_default()[1] += words;
    }
    let mut marks = Marks::new(frame);
    for Start { source, destination, slot } in starts {
        let mut ends: Vec<End> = Vec::new();
        walk(topology, relation, source, destination, Draw::NONE, |step| {
            if ends.is_empty() {
                ends.push(End::In(step.node, step.input));
            }
            ends.push(End::Out(step.node, step.hop.output));
        })?;
        marks.word(slot, ends)?;
        counts.entry((source.0, destination.0)).or_default()[0] += 1;
    }
    match counts.into_iter().find(|(_, [starts, words])| starts != words) {
        Some(((sender, sink), [starts, words])) => {
            Err(WrongTable::Words { starts, words, sender, sink })
        }
        None => Ok(()),
    }
}

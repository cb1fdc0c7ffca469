//! Errors: what makes an audit impossible.

use crate::model::{MOST_CHANNELS, MOST_ENTRIES};

/// Reason that a network cannot be audited.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum AuditError {
    /// A table without an entry that some packet needs.
    #[error(
        "no next hop at {at} for packets{} from {source_name} to {destination}{}; add one, or leave \
         the pair out of the flows",
        .class.as_ref().map(|class| format!(" of class {class}")).unwrap_or_default(),
        .by.as_ref().map(|by| format!(" that come by {by}")).unwrap_or_default()
    )]
    Hole {
        /// Message class, where there are several.
        class: Option<String>,
        /// Name of the source.
        source_name: String,
        /// Name of the destination.
        destination: String,
        /// Switch without an entry.
        at: String,
        /// Channel by which the packet came, unless it enters there.
        by: Option<String>,
    },
    /// Packets that leave to another terminal.
    #[error(
        "packets from {source_name} to {destination} go to {other} at {at}; change the entry there, or \
         leave the pair out of the flows"
    )]
    Elsewhere {
        /// Name of the source.
        source_name: String,
        /// Name of the destination.
        destination: String,
        /// Terminal or switch that they go to.
        other: String,
        /// Switch where they leave.
        at: String,
    },
    /// Packets that can never arrive.
    #[error(
        "packets from {source_name} to {destination} that go by {channel} never arrive: their route \
         goes round for ever; change an entry on it"
    )]
    Lost {
        /// Name of the source.
        source_name: String,
        /// Name of the destination.
        destination: String,
        /// Channel from which no route arrives.
        channel: String,
    },
    /// Tables that are too large.
    #[error(
        "{tables} tables for {destinations} destinations have more than {MOST_ENTRIES} entries; use \
         a smaller network"
    )]
    Entries {
        /// Number of tables.
        tables: usize,
        /// Number of destinations.
        destinations: usize,
    },
    /// More channels than there may be.
    #[error("{0} channels are more than {MOST_CHANNELS}; use a smaller network")]
    Channels(usize),
}

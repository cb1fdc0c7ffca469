//! Errors of ends.

use crate::range::{AddressRange, NoRange};
use turnpike_base::nearest::Nearest;
use turnpike_base::range::OutOfRange;
use turnpike_network::records::ColumnError;

/// Fault of a list of ends, and its line in the file.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{}{error}", .line.map(|line| format!("line {line}: ")).unwrap_or_default())]
pub struct EndsError {
    /// Line, counted from 1; `None` where no one line is at fault.
    pub line: Option<usize>,
    /// The fault.
    pub error: EndError,
}

/// Fault of an end.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum EndError {
    /// Text that is no table.
    #[error("{0}")]
    Csv(String),
    /// Columns that are none, or fields without one.
    #[error(transparent)]
    Columns(#[from] ColumnError),
    /// A value that is none of those that there are.
    #[error("terminal {terminal}: {what} '{value}' is not known; use {known}")]
    Unknown {
        /// Name of the terminal.
        terminal: String,
        /// Name of the column.
        what: &'static str,
        /// Value that was given.
        value: String,
        /// Values that there are.
        known: String,
    },
    /// A column that an end of its role must have, or must not.
    #[error("terminal {terminal} is a {role}: {problem}")]
    Role {
        /// Name of the terminal.
        terminal: String,
        /// Role of the terminal.
        role: &'static str,
        /// Fault and its remedy.
        problem: &'static str,
    },
    /// A value that is no number.
    #[error("terminal {terminal}: {what} '{value}' is no whole number")]
    Number {
        /// Name of the terminal.
        terminal: String,
        /// Name of the column.
        what: &'static str,
        /// Value that was given.
        value: String,
    },
    /// A number outside its range.
    #[error("terminal {terminal}: {error}")]
    OutOfRange {
        /// Name of the terminal.
        terminal: String,
        /// The number and its range.
        error: OutOfRange,
    },
    /// A column that says nothing of its protocol.
    #[error("terminal {terminal} speaks {title}: {problem}")]
    Protocol {
        /// Name of the terminal.
        terminal: String,
        /// Name of its protocol in texts.
        title: &'static str,
        /// Fault and its remedy.
        problem: &'static str,
    },
    /// Bits of data that its protocol does not have.
    #[error("terminal {terminal}: data-width {bits} is none of {title}; use {known}")]
    DataWidth {
        /// Name of the terminal.
        terminal: String,
        /// Name of its protocol in texts.
        title: &'static str,
        /// Bits that were given.
        bits: u32,
        /// Bits that there are.
        known: String,
    },
    /// A range whose addresses differ above those that its protocol has.
    #[error(
        "terminal {terminal}: range {range} goes across addresses of {most_address} bits, which is all that {title} \
         has; split it between two subordinates"
    )]
    Long {
        /// Name of the terminal.
        terminal: String,
        /// The range.
        range: AddressRange,
        /// Name of its protocol in texts.
        title: &'static str,
        /// Bits of its addresses.
        most_address: u32,
    },
    /// A terminal that stands there again.
    #[error("terminal {terminal} stands in line {first} already")]
    Twice {
        /// Name of the terminal.
        terminal: String,
        /// Line of the first.
        first: usize,
    },
    /// Text that is no range of addresses.
    #[error("terminal {terminal}: {error}")]
    Range {
        /// Name of the terminal.
        terminal: String,
        /// The text.
        error: NoRange,
    },
    /// A range that is not of whole pages.
    #[error(
        "terminal {terminal}: range {range} is not of whole pages of 4 KiB; begin it with 0x...000, and end it with \
         0x...fff"
    )]
    Pages {
        /// Name of the terminal.
        terminal: String,
        /// The range.
        range: AddressRange,
    },
    /// Two ranges with a common address.
    #[error(
        "ranges {range} of {terminal} and {other_range} of {other} overlap; an address has one subordinate"
    )]
    Overlap {
        /// Name of the terminal.
        terminal: String,
        /// Range of the terminal.
        range: AddressRange,
        /// Name of the other terminal.
        other: String,
        /// Range of that.
        other_range: AddressRange,
    },
    /// A name or pattern of no subordinate.
    #[error("terminal {terminal} reaches '{name}', and no subordinate is called so{nearest}")]
    Reach {
        /// Name of the manager.
        terminal: String,
        /// Name that was given.
        name: String,
        /// Known name that may have been meant.
        nearest: Nearest,
    },
    /// A reorder buffer whose beats are no power of two.
    #[error("terminal {terminal}: a reorder buffer of {beats} beats; use a power of two, such as {}", beats.next_power_of_two())]
    Reorder {
        /// Name of the terminal.
        terminal: String,
        /// Number that was given.
        beats: u32,
    },
    /// A name or pattern of subordinates that the addresses of a manager's protocol do not have.
    #[error(
        "terminal {terminal} reaches '{name}', whose addresses are above the {most_address} bits that {title} has; give that \
         a range below, or name others in reach"
    )]
    Above {
        /// Name of the manager.
        terminal: String,
        /// Name or pattern that was given.
        name: String,
        /// Name of its protocol in texts.
        title: &'static str,
        /// Bits of its addresses.
        most_address: u32,
    },
    /// A subordinate that no manager reaches.
    #[error("no manager reaches terminal {0}; name it in reach, or leave it out")]
    Unreached(String),
    /// No manager, or no subordinate.
    #[error("no {0} among the ends; transactions need a manager and a subordinate")]
    None(&'static str),
}

impl EndError {
    pub(crate) fn at(self, line: usize) -> EndsError {
        EndsError { line: Some(line), error: self }
    }
}

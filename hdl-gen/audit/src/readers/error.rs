//! Faults of files with a network or its routes.

use crate::AuditError;
use crate::model::MOST_CHANNELS;
use turnpike_base::nearest::Nearest;
use turnpike_network::description::DescriptionError;
use turnpike_network::records::{ColumnError, NoRecord};

/// File that is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum File {
    /// The network.
    Network,
    /// The routes.
    Routes,
}

/// A fault, with its place.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{}{fault}", .line.map(|line| format!("line {line}: ")).unwrap_or_default())]
pub struct ReadError {
    /// The file.
    pub file: File,
    /// The line, counted from 1; `None` where no one line is at fault.
    pub line: Option<usize>,
    /// The fault.
    pub fault: Box<Fault>,
}

impl ReadError {
    /// A file that is no CSV.
    pub(super) fn no_csv(file: File, NoRecord { line, fault }: NoRecord) -> Self {
        Self { file, line, fault: Box::new(Fault::Csv(fault)) }
    }
}

/// Fault of a file.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum Fault {
    /// A fault of the network.
    #[error("{}", .0.fault)]
    Network(DescriptionError),
    /// Bytes that are no text.
    #[error("this is no text: it is not UTF-8")]
    Binary,
    /// Text that is no table.
    #[error("{0}")]
    Csv(String),
    /// Routes that no table says.
    #[error(
        "this relation gives a route for each pair of terminals, and what is audited are hops by node \
             and destination; analyze has the certificate of such routes"
    )]
    ByRoute,
    /// Columns that are none, or fields without one.
    #[error(transparent)]
    Columns(#[from] ColumnError),
    /// A name that nothing has.
    #[error("no {what} is called '{name}'{nearest}; {remedy}")]
    Unknown {
        /// Thing that should be called so.
        what: &'static str,
        /// Name that was given.
        name: String,
        /// The name that is near, if there is one.
        nearest: Nearest,
        /// Advice.
        remedy: String,
    },
    /// A name of several channels.
    #[error("several channels lead from {from} to {to}; name the port: one of {ports}")]
    Ambiguous {
        /// Switch that they leave.
        from: String,
        /// Switch that they lead to.
        to: String,
        /// Names of the ports, comma-separated.
        ports: String,
    },
    /// A row that stands there again.
    #[error("this stands in line {0} already; keep one of them")]
    Twice(usize),
    /// A next hop for packets that have arrived.
    #[error("packets to {destination} leave at {switch}, and have no next hop there; leave it out")]
    Arrived {
        /// Name of the destination.
        destination: String,
        /// Name of the switch.
        switch: String,
    },
    /// A virtual channel that is none.
    #[error("'{0}' is no virtual channel; use a number from 0 to {most}", most = MOST_VCS - 1)]
    Vc(String),
    /// No row at all.
    #[error("no next hops; give {0} on a line")]
    Empty(&'static str),
    /// A violation of the syntax of the format.
    #[error("{0}")]
    Syntax(String),
    /// A network that is too large.
    #[error(transparent)]
    Size(#[from] AuditError),
    /// More than there may be.
    #[error("there are more than {MOST_CHANNELS} {0}; use a smaller network")]
    Many(&'static str),
}

/// Most virtual channels of a link.
pub const MOST_VCS: u32 = 64;

impl Fault {
    /// The fault, in a file.
    pub fn of(self, file: File) -> ReadError {
        ReadError { file, line: None, fault: Box::new(self) }
    }

    /// The fault, in a line of the routes.
    pub fn at(self, line: usize) -> ReadError {
        ReadError { file: File::Routes, line: Some(line), fault: Box::new(self) }
    }
}

impl From<DescriptionError> for ReadError {
    fn from(error: DescriptionError) -> Self {
        Self { file: File::Network, line: error.line, fault: Box::new(Fault::Network(error)) }
    }
}

impl From<AuditError> for ReadError {
    fn from(error: AuditError) -> Self {
        Fault::Size(error).of(File::Network)
    }
}

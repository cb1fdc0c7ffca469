//! Faults of a list of flows.

use super::classes::{LONGEST_NAME, MOST_CLASSES, MOST_PRIORITY};
use super::read::MOST_WORDS;
use super::{Bandwidth, MOST_BURST, MOST_FLITS, MOST_FLOWS};
use crate::records::ColumnError;
use crate::topology::TopologyError;
use turnpike_base::nearest::Nearest;

/// A fault of a list of flows, and its line in the file.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{}{error}", .line.map(|line| format!("line {line}: ")).unwrap_or_default())]
pub struct FlowsError {
    /// Counted from 1; `None` where no one line is at fault.
    pub line: Option<usize>,
    /// The fault.
    pub error: FlowError,
}

impl FlowsError {
    /// The fault, in this line (counted from 1).
    pub(super) fn at(line: usize, error: FlowError) -> Self {
        Self { line: Some(line), error }
    }
}

impl From<FlowError> for FlowsError {
    fn from(error: FlowError) -> Self {
        Self { line: None, error }
    }
}

/// Fault of a list of flows.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum FlowError {
    /// Text that is no table.
    #[error("{0}")]
    Csv(String),
    /// A file without a line of column names.
    #[error("no columns; begin with a line 'source,destination'")]
    NoColumns,
    /// Columns that are none, or fields without one.
    #[error(transparent)]
    Columns(#[from] ColumnError),
    /// A line of a pattern of so many fields.
    #[error("{0} fields; give SOURCE SINK [WORDS]")]
    Message(usize),
    /// A terminal that is none.
    #[error("no terminal that {role} is called '{name}'{nearest}; {remedy}")]
    Terminal {
        /// Name or pattern that was given.
        name: String,
        /// Role that the terminal should have: `sends`, or `takes packets`.
        role: &'static str,
        /// The name that is near, if there is one.
        nearest: Nearest,
        /// Advice, with a terminal that would do.
        remedy: String,
    },
    /// A terminal that does not do what it should.
    #[error(transparent)]
    Role(#[from] TopologyError),
    /// A flow that stands there again.
    #[error(
        "the flow from {source_label} to {destination} stands in line {first} already; keep one of them"
    )]
    Twice {
        /// Source label.
        source_label: String,
        /// Destination label.
        destination: String,
        /// Line of the first of them.
        first: usize,
    },
    /// Two streams, or two nodes of separate classes, of one label: as a terminal `a` has on a class `b_c`
    /// and a terminal `a_b` on `c`.
    #[error(
        "{label} would stand for {both}: a {what}, '_' and its class; rename a {what} or a class"
    )]
    SameLabel {
        /// The label.
        label: String,
        /// Both things that it stands for.
        both: String,
        /// Word for these things: `terminal` or `node`.
        what: &'static str,
    },
    /// A bandwidth that is none.
    #[error(
        "'{0}' is no bandwidth; use flits per cycle, above 0 and up to 1 (what a link carries), with \
         up to 9 decimal places"
    )]
    Bandwidth(String),
    /// A line of a class that says something else.
    #[error(
        "'{0}' says no class; use 'class NAME', or 'class NAME after OTHER ...', and 'priority N' behind it"
    )]
    ClassLine(String),
    /// A priority that is none.
    #[error(
        "'{0}' is no priority of a class; use a whole number from 0, which goes last, to {MOST_PRIORITY}"
    )]
    Priority(String),
    /// A name that no class can have.
    #[error(
        "'{0}' is no name of a class; use a small letter, then small letters, digits and '_', \
         up to {LONGEST_NAME} in all"
    )]
    ClassName(String),
    /// A class that stands there again.
    #[error("class {0} stands there twice; say all that it is after on one line")]
    ClassTwice(String),
    /// More classes than there may be.
    #[error("more than {MOST_CLASSES} message classes; use fewer")]
    ManyClasses,
    /// A class that no line says.
    #[error("no line says class '{name}'{nearest}; add 'class {name}'")]
    NoClass {
        /// Name of the class.
        name: String,
        /// The name that is near, if there is one.
        nearest: Nearest,
    },
    /// Classes that wait for each other in a circle.
    #[error(
        "{0}: classes that wait for each other in a circle wait for ever; leave one 'after' out"
    )]
    ClassCycle(String),
    /// A class without a flow.
    #[error("class {0} has no flow; give it one, or leave the class out")]
    ClassWithoutFlow(String),
    /// A flow without a class, beside one that has one.
    #[error("no class, where line {0} has one; give each flow a class, or none of them")]
    NoClassHere(usize),
    /// A flow without a bandwidth beside one that has one.
    #[error("no bandwidth, where line {0} has one; give each flow one, or none of them")]
    Unsaid(usize),
    /// A number of flits that is none.
    #[error("'{0}' is no length of packets; use a whole number of flits from 1 to {MOST_FLITS}")]
    Packet(String),
    /// A burst that is none.
    #[error("'{0}' is no burst; use a whole number of flits from 1 to {MOST_BURST}")]
    Burst(String),
    /// A number of cycles that is none.
    #[error("'{0}' is no latency; use a whole number of cycles from 1 to {most}", most = u32::MAX)]
    Latency(String),
    /// A number of words that is none.
    #[error("'{0}' is no number of words; use a whole number from 1 to {MOST_WORDS}")]
    Words(String),
    /// No flow at all.
    #[error("no flows; give source,destination on a line, such as '{0},{1}'")]
    None(String, String),
    /// One terminal, which patterns let send to others.
    #[error("no flows: {0} is the only terminal; add another, or a flow from {0} to itself")]
    Alone(String),
    /// More flows than there may be.
    #[error("more than {MOST_FLOWS} flows; use fewer")]
    Many,
    /// More than a terminal's own link carries.
    #[error(
        "the flows {direction} {terminal} sum to {sum} flits per cycle, and its link carries 1; lower them"
    )]
    Link {
        /// Label of the terminal.
        terminal: String,
        /// `from`, or `to`.
        direction: &'static str,
        /// Sum of the bandwidths.
        sum: Bandwidth,
    },
}

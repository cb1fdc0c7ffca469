//! Faults of a given relation.

use super::{FIRST_LINE, MOST_BYTES, MOST_NAME};
use crate::routing::walk::RouteError;
use crate::routing::{MAX_VCS, RoutingError};
use crate::topology::TopologyError;
use crate::topology::wired::WiredError;
use turnpike_base::names::NameError;
use turnpike_base::nearest::Nearest;

/// A fault of a given relation, and its line in the file.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{}{fault}", place(*.line))]
pub struct GivenError {
    /// Counted from 1; `None` where no one line is at fault.
    pub line: Option<usize>,
    /// The fault.
    pub fault: Box<Fault>,
}

impl GivenError {
    /// The fault, in this line (counted from 1).
    pub(super) fn at(line: usize, fault: impl Into<Fault>) -> Self {
        Self { line: Some(line), fault: Box::new(fault.into()) }
    }
}

impl From<Fault> for GivenError {
    fn from(fault: Fault) -> Self {
        Self { line: None, fault: Box::new(fault) }
    }
}

impl From<TopologyError> for GivenError {
    fn from(error: TopologyError) -> Self {
        Fault::from(error).into()
    }
}

impl From<RouteError> for GivenError {
    fn from(error: RouteError) -> Self {
        Fault::from(error).into()
    }
}

/// Fault of a given relation.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum Fault {
    /// An empty file.
    #[error("the file is empty; a relation file begins with '{FIRST_LINE}'")]
    Empty,
    /// A file that is not text.
    #[error("this is no text; a relation file is UTF-8 and begins with '{FIRST_LINE}'")]
    Binary,
    /// More than [`MOST_BYTES`].
    #[error("the file has {} bytes; use at most {} MiB", .0, MOST_BYTES >> 20)]
    Large(usize),
    /// Another kind of file.
    #[error("'{0}' does not begin a relation file; its first line is '{FIRST_LINE}'")]
    Foreign(String),
    /// A version that is not known.
    #[error("relation files of version '{0}' are not known; use '{FIRST_LINE}'")]
    Version(String),
    /// A key that is not known.
    #[error(
        "unknown key '{key}'{nearest} (there are: name, topology, dimension, \
             shape, nodes, arity, levels, failed, by; hops come after them)"
    )]
    Key {
        /// Key that stands there.
        key: String,
        /// The known key that is near, if there is one.
        nearest: Nearest,
    },
    /// A key without its value, or with more than that.
    #[error("'{0}' takes one word after it")]
    OneWord(&'static str),
    /// A key given again.
    #[error("'{0}' stands here again; give it once")]
    Again(&'static str),
    /// A key after the first hop.
    #[error("'{0}' must come before the hops")]
    Late(&'static str),
    /// A key left out.
    #[error("there is no '{0}'; give it before the hops")]
    Without(&'static str),
    /// A name that cannot stand in Verilog.
    #[error("name: {0}")]
    Name(#[from] NameError),
    /// A name too long.
    #[error("name: '{0}' is too long; use at most {MOST_NAME} characters")]
    LongName(String),
    /// The name of another relation.
    #[error("name: '{0}' is a relation that Turnpike has; use another name, such as 'my_{0}'")]
    BuiltIn(String),
    /// No number, or no shape.
    #[error("{key} '{value}' is no {}", if *.key == "shape" {
        "shape; use sides with an x between, such as 4x4"
    } else {
        "whole number; use one such as 4"
    })]
    Size {
        /// The key.
        key: &'static str,
        /// Value that stands there.
        value: String,
    },
    /// A size of another sort than the topology's.
    #[error("{topology} has no '{key}'; {}", if .takes.is_empty() {
        "its file says its size: leave this line out".to_owned()
    } else {
        format!("its size is said by '{takes}'")
    })]
    NotItsSize {
        /// The key.
        key: &'static str,
        /// The topology.
        topology: String,
        /// The keys of its size.
        takes: String,
    },
    /// A relation for another network than that of the file beside it.
    #[error("this relation is for the topology '{topology}', and the network is called '{own}'")]
    Other {
        /// Topology that the relation says.
        topology: String,
        /// Name of the network.
        own: String,
    },
    /// The topology, its size or a label.
    #[error(transparent)]
    Topology(#[from] TopologyError),
    /// A description that makes no network.
    #[error(transparent)]
    Wired(#[from] WiredError),
    /// Hops by something else.
    #[error("'by {0}' is not known; use 'by difference', 'by pair' or 'by route'")]
    By(String),
    /// By difference on a network without one.
    #[error("'by difference' is for the hypercube, not for {0}; give a hop per pair")]
    NoDifference(&'static str),
    /// By difference around failed nodes.
    #[error("'by difference' says the same at every node, and some failed; give a hop per pair")]
    FailedDifference,
    /// A hop with too few words or too many.
    #[error("a hop here is '{0}', such as '{1}'")]
    Words(&'static str, String),
    /// A port that the topology does not have.
    #[error("unknown port '{port}'{nearest} (there are: {known})")]
    Port {
        /// Name that stands there.
        port: String,
        /// The known name that is near, if there is one.
        nearest: Nearest,
        /// All names, comma-separated.
        known: String,
    },
    /// A pair or difference that stands in the file twice.
    #[error("there is a hop for {what} already, in line {before}; give one")]
    Twice {
        /// The pair or the difference.
        what: String,
        /// Line of the first.
        before: usize,
    },
    /// From a node to itself.
    #[error("a packet at {0} for {0} is there, and ejects; leave this hop out")]
    There(String),
    /// A node that failed twice.
    #[error("failed '{0}' stands here again; give it once")]
    FailedAgain(String),
    /// A failed node.
    #[error("{0} failed: packets neither come there nor go there; leave this hop out")]
    Failed(String),
    /// A destination without a terminal.
    #[error("{0} has no terminal, so no packet goes there; leave this hop out")]
    NoTerminal(String),
    /// A node where a terminal belongs that has another name.
    #[error("{node} is a node; the destination is a terminal: {terminals}")]
    NodeForTerminal {
        /// The node.
        node: String,
        /// The terminals that take packets there, comma-separated.
        terminals: String,
    },
    /// A channel that is not there.
    #[error("at {node} for {destination}: there is no channel by {port}; use {known}")]
    NoChannel {
        /// Label of the switch.
        node: String,
        /// Destination of the packet.
        destination: String,
        /// The port's name, and ` (X failed)` where that is why.
        port: String,
        /// The ports that are there.
        known: String,
    },
    /// Pairs or differences without a hop.
    #[error("there is no hop for {first}{}; give one", and_more(*.more))]
    Missing {
        /// The first of them.
        first: String,
        /// Number of the others.
        more: u64,
    },
    /// A switch without a hop for packets that come there.
    #[error(
        "the packet from {from} to {to} comes to {at}, where there is no hop for {to}; give one"
    )]
    NoHop {
        /// Source label.
        from: String,
        /// Destination label.
        to: String,
        /// The switch.
        at: String,
    },
    /// Pairs without a route.
    #[error("there is no route for {first}{}; give one", and_more(*.more))]
    NoRoute {
        /// The first of them.
        first: String,
        /// Number of the others.
        more: u64,
    },
    /// A pair whose route stands in the file twice.
    #[error("there is a route for {pair} already, in line {before}; give one")]
    RouteTwice {
        /// The pair.
        pair: String,
        /// Line of the first.
        before: usize,
    },
    /// A source that is none.
    #[error("{0} sends no packets; leave this route out")]
    NoSource(String),
    /// A route that ends elsewhere.
    #[error("the route from {from} to {to} ends at {at}; add the ports that are left")]
    Ends {
        /// Source label.
        from: String,
        /// Destination label.
        to: String,
        /// The switch.
        at: String,
    },
    /// A route that comes to a switch twice.
    #[error("the route from {from} to {to} comes to {at} twice; leave the way round out")]
    ComesBack {
        /// Source label.
        from: String,
        /// Destination label.
        to: String,
        /// The switch.
        at: String,
    },
    /// A virtual channel that cannot be.
    #[error("'{0}' is no virtual channel; use vc=0 to vc={last}", last = MAX_VCS - 1)]
    Vc(String),
    /// Routes with a virtual channel beside routes without.
    #[error(
        "the route {with} says its virtual channel, and {without} does not; say it of all routes or \
             of none"
    )]
    SomeVcs {
        /// Pair of the first route that says it.
        with: String,
        /// Pair of the first that does not.
        without: String,
    },
    /// Routes that wait for each other.
    #[error(
        "the routes on virtual channel {0} wait for each other in a circle; put some of them on another, \
             or leave vc= out of all"
    )]
    Circle(u8),
    /// Routes that make no relation.
    #[error(transparent)]
    Routing(Box<RoutingError>),
    /// A route that does not arrive.
    #[error(transparent)]
    Route(#[from] RouteError),
}

fn place(line: Option<usize>) -> String {
    line.map(|line| format!("line {line}: ")).unwrap_or_default()
}

fn and_more(more: u64) -> String {
    if more == 0 { String::new() } else { format!(", nor for {more} more") }
}

//! Reasons that a topology, node or terminal cannot be had.

use super::{Parameter, Size, Sizes};
use turnpike_base::nearest::Nearest;

/// A dimension that the topology cannot be built in, or a label that is not a node's.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum TopologyError {
    /// No topology of this name.
    #[error("unknown topology '{name}'{nearest} (there are: {known})")]
    Unknown {
        /// Name that was asked for.
        name: String,
        /// The known name that is near, if there is one.
        nearest: Nearest,
        /// All names, comma-separated.
        known: String,
    },
    /// The dimension is outside the range of the topology.
    #[error("{topology}: dimension {dimension} is out of range; use {low} to {high}")]
    Dimension {
        /// The topology.
        topology: &'static str,
        /// The dimension asked for.
        dimension: u32,
        /// The least dimension there is.
        low: u32,
        /// The largest dimension there is.
        high: u32,
    },
    /// A size of another sort.
    #[error("{topology} takes {}, not {}", .takes.keys().join(" and "), .given.words())]
    Size {
        /// The topology.
        topology: &'static str,
        /// The sort that it takes.
        takes: Box<Sizes>,
        /// The size that was given.
        given: Box<Size>,
    },
    /// A number of nodes outside its range.
    #[error("{topology}: {nodes} nodes are out of range; use {low} to {high}")]
    Nodes {
        /// The topology.
        topology: &'static str,
        /// Number of nodes that there would be.
        nodes: u64,
        /// The fewest there may be.
        low: u32,
        /// The most there may be.
        high: u32,
    },
    /// Switches with too many ports.
    #[error("{topology}: a switch would have {ports} ports; use smaller sides, for {most} at most")]
    Ports {
        /// The topology.
        topology: &'static str,
        /// Network ports that a switch would have.
        ports: u32,
        /// The most there may be.
        most: u32,
    },
    /// A number that a size is made of, outside its range.
    #[error("{topology}: {} {given} is out of range; use {low} to {high}", .parameter.key)]
    Range {
        /// The topology.
        topology: &'static str,
        /// Parameter that the number is of.
        parameter: &'static Parameter,
        /// Value that was given.
        given: u32,
        /// The least there may be.
        low: u32,
        /// The most there may be.
        high: u32,
    },
    /// A field that there is no network of.
    #[error("{topology}: there is none of field {field}; use {}", one_of(.fields))]
    Field {
        /// The topology.
        topology: &'static str,
        /// Number of elements that was asked for.
        field: u32,
        /// Numbers of elements that there are.
        fields: &'static [u32],
    },
    /// A degree that switches of this number cannot all have.
    #[error(
        "{topology}: {nodes} nodes of degree {degree} cannot be; use a degree below the number of nodes, and \
         an even one for an odd number"
    )]
    Degree {
        /// The topology.
        topology: &'static str,
        /// Number of nodes.
        nodes: u32,
        /// Links of each that were asked for.
        degree: u32,
    },
    /// More terminals than there may be.
    #[error("{topology}: {terminals} terminals are more than {most}; make it smaller")]
    Terminals {
        /// The topology.
        topology: &'static str,
        /// Number of terminals that there would be.
        terminals: u64,
        /// The most there may be.
        most: u32,
    },
    /// A number of terminals at each switch.
    #[error("{concentration} terminals at each switch cannot be; use 1, 2, 4, 8 or {most}")]
    Concentration {
        /// Concentration that was asked for.
        concentration: u32,
        /// The most there may be.
        most: u32,
    },
    /// Several terminals at each switch, where switches have several as they are.
    #[error(
        "several terminals at each switch need switches that have one; this {topology} has \
         others, such as that of terminal {terminal}"
    )]
    Local {
        /// The topology.
        topology: &'static str,
        /// A terminal that is not the first of its switch.
        terminal: String,
    },
    /// More terminals than there may be, several at each switch.
    #[error("{topology}: {terminals} terminals are more than {most}; use fewer at each switch")]
    Concentrated {
        /// The topology.
        topology: &'static str,
        /// Number of terminals that there would be.
        terminals: u64,
        /// The most there may be.
        most: u64,
    },
    /// Every terminal failed.
    #[error("no terminal of this {topology} is left; let fewer nodes fail")]
    NoneLeft {
        /// The topology.
        topology: &'static str,
    },
    /// No source is left, or no sink.
    #[error("no terminal of this {topology} that {what} is left; let fewer nodes fail")]
    OneSided {
        /// The topology.
        topology: &'static str,
        /// Role that no terminal has.
        what: &'static str,
    },
    /// One terminal alone: there is nobody to send to.
    #[error("one terminal of this {topology} is left, {left}; let fewer nodes fail")]
    Alone {
        /// The topology.
        topology: &'static str,
        /// Label of the terminal.
        left: String,
    },
    /// A node that failed, where one that sends or takes packets belongs.
    #[error("node {0} failed; name one that is alive")]
    Failed(String),
    /// A switch without a terminal, where a terminal belongs.
    #[error("'{label}' is a switch without a terminal; name a node that has one, such as {such}")]
    NoTerminal {
        /// The switch.
        label: String,
        /// A node with a terminal.
        such: String,
    },
    /// A name that no terminal has.
    #[error("no terminal is called '{label}'{nearest}; name one, such as {such}")]
    NoName {
        /// Name that was given.
        label: String,
        /// The name that is near, if there is one.
        nearest: Nearest,
        /// Name of a terminal.
        such: String,
    },
    /// A terminal without a flow, where one with a flow belongs.
    #[error("no flow begins or ends at terminal {0}; name one that has a flow")]
    WithoutFlow(String),
    /// A terminal that only takes packets, where one that sends them belongs.
    #[error("terminal {0} only takes packets; name one that sends them")]
    SendsNothing(String),
    /// A terminal that only sends packets, where one that takes them belongs.
    #[error("terminal {0} only sends packets; name one that takes them")]
    TakesNothing(String),
    /// The text is not the label of a terminal, where a switch has several.
    #[error("'{label}' is not a terminal of this {topology}: a label is {expected}")]
    TerminalLabel {
        /// The topology.
        topology: &'static str,
        /// Text that was given.
        label: String,
        /// Form of a label.
        expected: String,
    },
    /// The text is not the label of a node.
    #[error("'{label}' is not a node of this {topology}: a label is {expected}")]
    Label {
        /// The topology.
        topology: &'static str,
        /// Text that was given.
        label: String,
        /// Form of a label.
        expected: String,
    },
}

/// Checks a number of terminals against the most that a topology may have.
///
/// # Errors
/// [`TopologyError::Terminals`].
pub(super) fn check_terminals(
    topology: &'static str,
    terminals: u64,
    most: u32,
) -> Result<(), TopologyError> {
    match terminals > most.into() {
        true => Err(TopologyError::Terminals { topology, terminals, most }),
        false => Ok(()),
    }
}

/// Numbers in words: one of them, two or more.
fn one_of(numbers: &[u32]) -> String {
    let words: Vec<String> = numbers.iter().map(u32::to_string).collect();
    match words.split_last() {
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

//! Faults of the description of a network.

use super::{
    FIRST_LINE, MOST_ADDRESS, MOST_BYTES, MOST_DELAY, MOST_NODES, MOST_PORT_NAMES, MOST_PORTS,
    MOST_TERMINALS,
};
use turnpike_base::names::NameError;
use turnpike_base::nearest::Nearest;
use turnpike_base::numbers;

/// A fault of a description, and its line in the file.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{}{fault}", place(*.line))]
pub struct DescriptionError {
    /// Counted from 1; `None` where no one line is at fault.
    pub line: Option<usize>,
    /// The fault.
    pub fault: Box<Fault>,
}

impl DescriptionError {
    /// The fault, in this line (counted from 1).
    pub(super) fn at(line: usize, fault: impl Into<Fault>) -> Self {
        Self { line: Some(line), fault: Box::new(fault.into()) }
    }
}

impl Fault {
    /// The registers on a link that a word says.
    pub(super) fn delay(word: &str) -> Result<u32, Self> {
        let number = word.trim().parse().ok().filter(|&delay: &u32| delay <= MOST_DELAY);
        number.ok_or_else(|| Self::Delay(word.chars().take(40).collect()))
    }

    /// The address that a word says; `mark` stands before numbers of the format.
    pub(super) fn address(word: &str, mark: &'static str) -> Result<u32, Self> {
        let number = numbers::address(word.trim()).filter(|&number| number <= MOST_ADDRESS);
        let shown = || format!("{mark}{}", word.chars().take(40).collect::<String>());
        number.ok_or_else(|| Self::Address { word: shown(), mark })
    }
}

impl From<Fault> for DescriptionError {
    fn from(fault: Fault) -> Self {
        Self { line: None, fault: Box::new(fault) }
    }
}

/// Fault of a description.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum Fault {
    /// An empty file.
    #[error("the file is empty; {0}")]
    Empty(&'static str),
    /// A graph without a node.
    #[error("there is no node; give one, such as '{0}'")]
    NoNode(&'static str),
    /// A delay that no link has.
    #[error("delay '{0}' is no number of registers on a link; use 0 to {MOST_DELAY}")]
    Delay(String),
    /// An address that no terminal can have.
    #[error(
        "'{word}' is no address of a terminal; write {mark}0 to {mark}{MOST_ADDRESS}, or {mark}0x10"
    )]
    Address {
        /// Word that stands there.
        word: String,
        /// Mark before an address, in this format.
        mark: &'static str,
    },
    /// An address of two terminals.
    #[error("address {0} is taken already; give each terminal one of its own")]
    AddressTwice(u32),
    /// An address that is the number of a terminal for which none is said.
    #[error(
        "address {address} is that of terminal '{terminal}' too: its number, for no address is said for \
         it; say one for it, or another here"
    )]
    AddressOfNumber {
        /// Address of both.
        address: u32,
        /// Name of the other terminal.
        terminal: String,
    },
    /// Edges to be read both ways, in a format whose edges say themselves which way they go.
    #[error("an edge of {0} says which way it goes, and cannot be read both ways")]
    NoArrows(&'static str),
    /// Edges to be read both ways, all of which go both ways.
    #[error("every edge goes both ways already")]
    BothWays,
    /// A file that is not text.
    #[error("this is no text: it is not UTF-8, or holds control characters")]
    Binary,
    /// More than [`MOST_BYTES`].
    #[error("the file has {} bytes; use at most {} MiB", .0, MOST_BYTES >> 20)]
    Large(usize),
    /// An ending that says nothing.
    #[error("'{0}' has no ending that says its format; use one of .{1}")]
    Ending(String, String),
    /// Another kind of file.
    #[error("'{0}' does not begin a topology file; its first line is '{FIRST_LINE}'")]
    Foreign(String),
    /// A version that is not known.
    #[error("topology files of version '{0}' are not known; use '{FIRST_LINE}'")]
    Version(String),
    /// A key that is not known.
    #[error("unknown key '{key}'{nearest} (there are: {known})")]
    Key {
        /// Key that stands there.
        key: String,
        /// The known key that is near, if there is one.
        nearest: Nearest,
        /// All keys, comma-separated.
        known: String,
    },
    /// A line with too few words or too many.
    #[error("'{0}' is followed by {1}, such as '{2}'")]
    Words(&'static str, &'static str, &'static str),
    /// The name given again.
    #[error("'name' stands here again; give it once")]
    NameAgain,
    /// A name that cannot begin those of modules.
    #[error("name: {0}")]
    Name(#[from] NameError),
    /// A node or terminal of the same name.
    #[error("there is a {0} '{1}' already; give each a name of its own")]
    Twice(&'static str, String),
    /// A node that was not named.
    #[error("unknown node '{node}'{nearest}; a node is named before it is used")]
    Node {
        /// Name that stands there.
        node: String,
        /// The closest name, if one is near.
        nearest: Nearest,
    },
    /// An end with an empty part.
    #[error("'{0}' is no end of a link: write NODE, or NODE.PORT")]
    End(String),
    /// A channel from a node to itself.
    #[error("{0} is linked with itself; a channel leads to another node")]
    Loop(String),
    /// Two channels that leave or arrive by one port.
    #[error("{way} port '{port}' of {node} is in use already{}; each channel has its own", by(*.line))]
    PortTwice {
        /// `output` or `input`.
        way: &'static str,
        /// Name of the port with more crosspoints than the bound.
        port: String,
        /// Node of the channels.
        node: String,
        /// The line that used it first.
        line: Option<usize>,
    },
    /// A port's name that cannot stand in Verilog.
    #[error("port: {0}")]
    Port(NameError),
    /// A port that is the terminals'.
    #[error("port '{0}' is named like those of terminals; use another name, such as 'p_{0}'")]
    TerminalPort(String),
    /// More nodes than there may be.
    #[error("there are more than {MOST_NODES} nodes, the most of a network from a file")]
    Nodes,
    /// More terminals than there may be.
    #[error("there are more than {MOST_TERMINALS} terminals, the most of a network from a file")]
    Terminals,
    /// More ports at a node than there may be.
    #[error(
        "{0} has more than {MOST_PORTS} channels that leave, or that arrive: route logic, arbiters \
         and multiplexers grow with them; use more switches"
    )]
    Ports(String),
    /// More names of ports than there may be.
    #[error("ports have more than {MOST_PORT_NAMES} names in all; use the same names at each node")]
    PortNames,
    /// No terminal that sends, or none that receives.
    #[error("no terminal {0}; give one, such as '{1}'")]
    Without(&'static str, &'static str),
    /// A single terminal.
    #[error("there is one terminal alone, which has nobody to send to; give another")]
    Alone,
    /// A violation of the syntax of the format.
    #[error("{0}")]
    Syntax(String),
}

fn place(line: Option<usize>) -> String {
    line.map(|line| format!("line {line}: ")).unwrap_or_default()
}

fn by(line: Option<usize>) -> String {
    line.map(|line| format!(", by line {line}")).unwrap_or_default()
}

//! A network as data: named nodes, terminals at them, and channels from port to port. What a
//! user's file says, and what every topology can be written as.
//!
//! The file formats stand one in each file; `docs/topologies.md` describes them.

mod addresses;
mod anynet;
mod build;
mod degrees;
mod dot;
mod error;
mod formats;
mod graphml;
mod names;
mod native;
mod of;
mod remark;
mod roles;

pub use build::{Builder, LooseEnd};
pub use error::{DescriptionError, Fault};
pub use formats::{FORMATS, Format, ReadOptions, Reading, read, read_with};
pub use names::Name;
pub use remark::Remark;

use std::collections::HashSet;

/// First line of a topology file: the name and the version of the format.
pub const FIRST_LINE: &str = "turnpike-topology 1";
/// Largest file in bytes.
pub const MOST_BYTES: usize = 64 << 20;
/// Most nodes.
pub const MOST_NODES: usize = 10_000;
/// Most terminals.
pub const MOST_TERMINALS: usize = 1 << 16;
/// Most registers on a channel.
pub const MOST_DELAY: u32 = 64;
/// Highest address that a terminal may have: constants of it fit an `int` of C.
pub const MOST_ADDRESS: u32 = i32::MAX as u32;
/// Most channels that leave a node, and that arrive.
pub const MOST_PORTS: usize = 64;
/// Most names of ports, over all nodes.
pub const MOST_PORT_NAMES: usize = 255;

/// A network as data. Made by a [`Builder`], which sees to it that it holds together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Description {
    /// The network's name, a Verilog identifier.
    pub name: String,
    /// The nodes, by number.
    pub nodes: Vec<Name>,
    /// The terminals, by number, which is their address.
    pub terminals: Vec<Terminal>,
    /// The names of the ports, over all nodes, in their order.
    pub ports: Vec<String>,
    /// The channels, by the nodes and ports that they leave.
    pub channels: Vec<Channel>,
}

impl Description {
    /// The name of its file in a fabric's folder.
    pub fn file_name(&self) -> String {
        format!("{}.{}", self.name, FORMATS[0].endings[0])
    }

    /// Whether a channel has none back.
    pub fn has_one_way(&self) -> bool {
        let pair = |channel: &Channel| (channel.from.node, channel.to.node);
        let pairs: HashSet<(usize, usize)> = self.channels.iter().map(pair).collect();
        pairs.iter().any(|&(from, to)| !pairs.contains(&(to, from)))
    }

    /// Text of the description in Turnpike's own format, which carries everything.
    pub fn text(&self) -> String {
        native::write(self)
    }
}

/// A terminal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Terminal {
    /// Name of the terminal.
    pub name: Name,
    /// The node where its packets enter, if it sends.
    pub source: Option<usize>,
    /// The node where packets to it leave, if it receives.
    pub sink: Option<usize>,
    /// Address at the ports of a fabric, at most [`MOST_ADDRESS`], where that is not its number.
    pub address: Option<u32>,
}

/// A directed link.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Channel {
    /// The output port that it leaves by.
    pub from: End,
    /// The input port that it arrives at.
    pub to: End,
    /// Registers on its way, and as many on the way back, at most [`MOST_DELAY`].
    pub delay: u32,
}

/// A port of a node.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct End {
    /// The node.
    pub node: usize,
    /// The port's name, a Verilog identifier.
    pub port: String,
}

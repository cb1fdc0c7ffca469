//! Reasons that a fabric cannot be planned.

use super::{InterfaceError, MAX_VECTOR_BITS, Pipeline, QueueStyle};
use turnpike_base::names;
use turnpike_base::range::OutOfRange;
use turnpike_network::routing::{Header, Hop, Output, Vc};
use turnpike_network::topology::MOST_SWITCHES;

/// Reason that a fabric cannot be planned.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum PlanError {
    /// A number out of range.
    #[error(transparent)]
    Range(#[from] OutOfRange),
    /// A depth that the pipeline or the queues do not go with.
    #[error(
        "depth {depth} is out of range with pipeline {pipeline} and queue {queue}; \
             use {low} to {high}"
    )]
    Depth {
        /// The depth asked for.
        depth: u32,
        /// The pipeline asked for.
        pipeline: Pipeline,
        /// The queues asked for.
        queue: QueueStyle,
        /// The least depth with them.
        low: u32,
        /// The largest depth with them.
        high: u32,
    },
    /// More link registers than the queues at the ends of channels have room for.
    #[error(
        "link_registers {link_registers} is out of range with depth {depth} and queue {queue}: a \
             queue at the end of a channel would hold {on_a_link} flits, and at most {high} fit; \
             use 0 to {most}"
    )]
    LinkRegisters {
        /// The registers asked for.
        link_registers: u32,
        /// The depth asked for.
        depth: u32,
        /// The queues asked for.
        queue: QueueStyle,
        /// Flits that a queue at the end of a channel would hold.
        on_a_link: u32,
        /// The largest depth of such queues.
        high: u32,
        /// The most link registers with them.
        most: u32,
    },
    /// Links of the network's own with more registers than the queues at their ends have room for.
    #[error(
        "links of this network have up to {delay} registers{}: with depth {depth} and queue {queue} a \
             queue at the end of a channel would hold {on_a_link} flits, and at most {high} fit; use \
             {}queue ram",
        beside("link_registers", *link_registers),
        shallower("depth", *most_depth)
    )]
    Delay {
        /// The largest delay of a link.
        delay: u32,
        /// The registers asked for beside it.
        link_registers: u32,
        /// The depth asked for.
        depth: u32,
        /// The queues asked for.
        queue: QueueStyle,
        /// Flits that a queue at the end of a channel would hold.
        on_a_link: u32,
        /// The largest depth of such queues.
        high: u32,
        /// The largest depth that leaves room for what is on the link; none where the link alone fills
        /// a queue.
        most_depth: Option<u32>,
    },
    /// An adaptive relation on a network whose links have registers.
    #[error(
        "routing '{relation}' chooses among channels in the cycle in which they are free, and the \
             links of this network have up to {delay} registers; use a relation that does not choose"
    )]
    AdaptiveDelay {
        /// The relation.
        relation: String,
        /// The largest delay of a link.
        delay: u32,
    },
    /// An adaptive relation, and registers between its choice and the next switch.
    #[error(
        "routing '{relation}' chooses among channels in the cycle in which they are free: \
             {field} {value} does not go with it; use 0"
    )]
    Adaptive {
        /// The relation.
        relation: String,
        /// Field of [`Parameters`](super::Parameters) that asks for registers.
        field: &'static str,
        /// Registers asked for, as the field is written.
        value: String,
        /// Whether packets choose among virtual channels alone.
        of_vcs: bool,
    },
    /// `tkeep` where `tdata` is not whole bytes.
    #[error("tkeep needs whole bytes, but the width is {0}; use a multiple of 8")]
    Keep(u32),
    /// Widths that terminals cannot have.
    #[error(transparent)]
    Interface(#[from] InterfaceError),
    /// The fabric's name.
    #[error(transparent)]
    Name(#[from] names::NameError),
    /// A dimension that is too large for RTL.
    #[error(
        "{topology}: RTL is limited to dimension {limit}, not {dimension} \
             (analysis and simulation go further)"
    )]
    RtlDimension {
        /// The topology.
        topology: &'static str,
        /// The dimension asked for.
        dimension: u32,
        /// The largest with RTL.
        limit: u32,
    },
    /// Switches that are too many for RTL.
    #[error(
        "{topology}: RTL is limited to {MOST_SWITCHES} switches, not {nodes} \
             (analysis and simulation go further)"
    )]
    Switches {
        /// The topology.
        topology: &'static str,
        /// Number of switches that the network would have.
        nodes: u32,
    },
    /// A terminal vector wider than tools must take.
    #[error(
        "{port} would be {bits} bits wide, more than the {MAX_VECTOR_BITS} that every \
             Verilog tool takes (IEEE 1364-2005, 4.3.1); use {field} {fits} or less, fewer \
             terminals, or a stream for each"
    )]
    Vector {
        /// The flattened port.
        port: &'static str,
        /// Width of the vector, in bits.
        bits: u64,
        /// The field of [`Parameters`](super::Parameters) that is the width for one terminal.
        field: &'static str,
        /// The most that would fit.
        fits: u64,
    },
    /// An injector and the relation disagree: a bug in the relation's file.
    #[error(
        "internal error: routing '{relation}': the injector gives the packet from {from} to {to} \
             the header {hardware:#b}, the relation {wanted:#b}"
    )]
    Header {
        /// The relation.
        relation: String,
        /// Source label.
        from: String,
        /// Destination label.
        to: String,
        /// Header that the hardware would make.
        hardware: Header,
        /// Header that the relation makes.
        wanted: Header,
    },
    /// The formula and the relation disagree: a bug in the relation's file.
    #[error(
        "internal error: routing '{relation}': the route logic of {queue} for header \
             {header:#b} says {logic:?} with {carried:#b}, the relation says {hop:?}"
    )]
    Logic {
        /// The relation.
        relation: String,
        /// The queue.
        queue: String,
        /// The header.
        header: Header,
        /// Output that the hardware would take.
        logic: (Output, Vc),
        /// Header that the hardware would send on.
        carried: Header,
        /// Hop that the relation takes.
        hop: Hop,
    },
}

/// Words on registers that were asked for, beside a link's own: none where there are none.
pub fn beside(option: &str, registers: u32) -> String {
    if registers == 0 { String::new() } else { format!(", beside {option} {registers}") }
}

/// Advice to use less depth, where some fits, before other advice.
pub fn shallower(option: &str, most: Option<u32>) -> String {
    most.map(|most| format!("{option} {most} or less, or ")).unwrap_or_default()
}

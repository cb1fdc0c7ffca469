//! Reasons that a network cannot be built.

use crate::certificate::CertificateError;
use turnpike_network::description::MOST_PORTS;
use turnpike_network::flows::FlowsError;
use turnpike_network::places::PlacesError;
use turnpike_network::routing::given::GivenError;
use turnpike_network::routing::walk::RouteError;
use turnpike_network::routing::{MAX_VCS, RoutingError};
use turnpike_network::topology::TopologyError;
use turnpike_network::topology::wired::WiredError;

/// Reason that a network cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    #[error(transparent)]
    Topology(#[from] TopologyError),
    /// A topology from a file.
    #[error(transparent)]
    Wired(#[from] WiredError),
    /// Flows that the topology does not have.
    #[error(transparent)]
    Flows(#[from] FlowsError),
    /// Terminals that the topology has no place for.
    #[error(transparent)]
    Places(#[from] PlacesError),
    /// More streams at a switch than there may be.
    #[error(
        "{terminals} terminals at {node}, each with a stream for each of {classes} message classes, are \
         more than {MOST_PORTS} streams: arbiters and multiplexers grow with their square; spread the \
         terminals over more switches, or use fewer classes"
    )]
    ManyStreams {
        /// Label of the switch.
        node: String,
        /// Terminals of the switch that send, or that take packets.
        terminals: usize,
        /// Message classes.
        classes: usize,
    },
    /// Networks of their own for message classes, where there are none.
    #[error("no message class is there to have a network of its own; give each flow a class")]
    NothingSeparate,
    /// Message classes that would have to share virtual channels.
    #[error(
        "the message classes take {needed} virtual channels here, more than {most}; on shared ones they \
         would wait for each other in a circle: {circle}"
    )]
    ClassesShare {
        /// Virtual channels that the classes take, each its own.
        needed: u32,
        /// Virtual channels that there may be.
        most: u8,
        /// The circle, in words.
        circle: String,
    },
    /// The relation.
    #[error(transparent)]
    Routing(#[from] RoutingError),
    /// A route that does not arrive.
    #[error(transparent)]
    Route(#[from] RouteError),
    /// A relation from a file.
    #[error(transparent)]
    Given(#[from] GivenError),
    /// Failed nodes beside a relation file that names others.
    #[error("relation '{name}' is for failed nodes of its own, {own}; {other} is not among them")]
    GivenFailed {
        /// The relation.
        name: String,
        /// Labels of its failed nodes.
        own: String,
        /// A failed node that is not among them.
        other: String,
    },
    /// A certificate that its checker refuses: a bug in Turnpike.
    #[error("internal error: {0}")]
    Certificate(#[from] CertificateError),
    /// Failed nodes, and packets that choose.
    #[error(
        "routing '{routing}' does not go around failed nodes; use another, such as '{instead}'"
    )]
    NotAround {
        /// The relation.
        routing: String,
        /// Relation of the topology that does go around failed nodes: its default.
        instead: &'static str,
    },
    /// Phases of a relation that has none.
    #[error("routing '{0}' has no phases")]
    NoPhases(String),
    /// More routes than are walked, as packets draw.
    #[error(
        "packets draw, and {routes} routes or more to {terminals} terminals are too many routes to walk all: \
         {most} are the most; the machine of steps runs without that"
    )]
    LargeDrawn {
        /// Number of terminals.
        terminals: u32,
        /// Routes that there are at least, of unlike draws: of one source, where it stands for others, or of one at
        /// each switch.
        routes: u64,
        /// Most of them that are walked.
        most: u64,
    },
    /// More routes than are walked.
    #[error(
        "{nodes} switches and {terminals} terminals are too many to walk all routes: their product \
         may be 2^28; a route or a pattern at a time can be had"
    )]
    Large {
        /// Switches.
        nodes: u32,
        /// Number of terminals.
        terminals: u32,
    },
    /// Packets that choose, on more nodes than are checked so.
    #[error(
        "packets choose at each hop, and all that they may take is checked for up to {most} nodes, not {nodes}; \
         runs take larger meshes and trees, under relations that draw nothing"
    )]
    LargeChoosing {
        /// Nodes of the network.
        nodes: u32,
        /// The most.
        most: u32,
    },
    /// More kinds of switches than are described each.
    #[error(
        "there would be {classes} classes of unlike switches, more than {most}; use fewer dimensions, \
         or a mesh"
    )]
    Classes {
        /// Number of classes.
        classes: u64,
        /// The most there may be.
        most: u64,
    },
    /// A number of virtual channels outside its range.
    #[error("{0} virtual channels are out of range; use 1 to {MAX_VCS}")]
    Vcs(u8),
    /// One virtual channel with an adaptive relation.
    #[error("routing '{0}' needs a virtual channel beside its escape channels: more than one")]
    OneVc(String),
    /// Fewer virtual channels than the relation takes.
    #[error("routing '{routing}' takes {needed} virtual channels here, more than {most}")]
    MoreVcs {
        /// The relation.
        routing: String,
        /// Virtual channels that the relation takes.
        needed: u8,
        /// Virtual channels that were asked for.
        most: u8,
    },
}

//! Routes: what a packet meets on its way from one terminal to another.

use super::{Draw, Header, Hop, Input, Output, Relation, Vc};
use crate::topology::{Node, Terminal, Topology};

/// One switch on a route: what arrives, and the relation's decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// Switch, by its node.
    pub node: Node,
    /// Input by which the packet came.
    pub input: Input,
    /// Virtual channel on which the packet came.
    pub vc: Vc,
    /// Header with which the packet came.
    pub header: Header,
    /// Decision of the relation.
    pub hop: Hop,
}

/// A route that does not arrive.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum RouteError {
    /// More switches than there are nodes: the packet goes round.
    #[error("routing '{relation}' does not deliver {from} to {to}: the route never ends")]
    Endless {
        /// The relation.
        relation: String,
        /// Source label.
        from: String,
        /// Destination label.
        to: String,
    },
    /// Ejected at the wrong node, or by the wrong port.
    #[error("routing '{relation}' delivers the packet from {from} to {to} at {at}")]
    Misrouted {
        /// The relation.
        relation: String,
        /// Source label.
        from: String,
        /// Destination label.
        to: String,
        /// Node at which it was ejected.
        at: String,
    },
    /// The relation names a port that the switch does not have.
    #[error(
        "routing '{relation}' sends the packet from {from} to {to} out of {port} at {at}, \
             where there is no channel"
    )]
    NoChannel {
        /// The relation.
        relation: String,
        /// Source label.
        from: String,
        /// Destination label.
        to: String,
        /// The switch.
        at: String,
        /// The port's name.
        port: String,
    },
    /// An adaptive relation lets a packet go astray.
    #[error(
        "routing '{relation}' lets the packet from {from} to {to} leave {at} by {port}, which \
             brings it no nearer by the escape channels"
    )]
    Astray {
        /// The relation.
        relation: String,
        /// Source label.
        from: String,
        /// Destination label.
        to: String,
        /// The switch.
        at: String,
        /// The port's name.
        port: String,
    },
}

/// Walks the route from `source` to `destination` of a packet of this draw, a [`Step`] per switch,
/// and calls `visit` on each. Allocates nothing.
///
/// # Errors
/// [`RouteError`] where the route does not arrive.
///
/// # Panics
/// For a source that sends nothing ([`Topology::source`]).
pub fn walk(
    topology: &dyn Topology,
    relation: &Relation,
    source: Terminal,
    destination: Terminal,
    draw: Draw,
    mut visit: impl FnMut(&Step),
) -> Result<(), RouteError> {
    let (node, input) = Input::of(topology, source).expect("routes are from terminals that send");
    let sink = Output::of(topology, destination);
    let mut step = Step {
        node,
        input,
        vc: Vc(0),
        header: relation.inject(source, destination, draw),
        hop: Hop { output: Output::EJECT, vc: Vc(0), header: 0 },
    };
    let labels = || (topology.terminal_label(source), topology.terminal_label(destination));
    for _ in 0..=relation.most_switches(topology.nodes()) {
        step.hop = relation.hop(step.node, step.input, step.vc, step.header);
        visit(&step);
        let port = match step.hop.output {
            Output::Network(port) => port,
            Output::Eject(_) if Some((step.node, step.hop.output)) == sink => return Ok(()),
            Output::Eject(_) => {
                let (from, to) = labels();
                let at = place(topology, step.node, step.hop.output);
                return Err(RouteError::Misrouted {
                    relation: relation.name().to_owned(),
                    from,
                    to,
                    at,
                });
            }
        };
        let Some((node, input)) = topology.channel(step.node, port) else {
            let (from, to) = labels();
            return Err(RouteError::NoChannel {
                relation: relation.name().to_owned(),
                from,
                to,
                at: topology.label(step.node),
                port: topology.port_name(port),
            });
        };
        step.node = node;
        step.input = Input::Network(input);
        step.vc = step.hop.vc;
        step.header = step.hop.header;
    }
    let (from, to) = labels();
    Err(RouteError::Endless { relation: relation.name().to_owned(), from, to })
}

/// Place at which a packet is ejected, for messages: the node, and the port where there are
/// several.
pub fn place(topology: &dyn Topology, node: Node, output: Output) -> String {
    match output.name(topology, node).as_str() {
        "eject" => topology.label(node),
        port => format!("{port} of {}", topology.label(node)),
    }
}

/// The whole route as a list; see [`walk`].
///
/// # Errors
/// As [`walk`].
pub fn route(
    topology: &dyn Topology,
    relation: &Relation,
    source: Terminal,
    destination: Terminal,
    draw: Draw,
) -> Result<Vec<Step>, RouteError> {
    let mut steps = Vec::new();
    walk(topology, relation, source, destination, draw, |step| steps.push(*step))?;
    Ok(steps)
}

//! The inputs and outputs of a switch: network ports, and the ports of its terminals.

use crate::topology::{Local, Node, Port, Terminal, Topology, sinks_at, sources_at};
use serde::Serialize;

/// Input of a switch by which packets enter it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Input {
    /// From a terminal at this node, by this inject port.
    Inject(Local),
    /// From a channel.
    Network(Port),
}

/// Output of a switch by which packets leave it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Output {
    /// To a channel.
    Network(Port),
    /// To a terminal at this node, by this eject port.
    Eject(Local),
}

impl Input {
    /// The first inject port: the only one of most switches.
    pub const INJECT: Self = Self::Inject(Local(0));

    /// The input by which packets of a terminal enter, and its switch; `None` for a terminal that
    /// sends nothing.
    pub fn of(topology: &dyn Topology, source: Terminal) -> Option<(Node, Self)> {
        topology.source(source).map(|(node, local)| (node, Self::Inject(local)))
    }

    /// Whether packets come from a terminal here.
    pub fn is_inject(self) -> bool {
        matches!(self, Self::Inject(_))
    }

    /// Name of the input at a switch: the topology's, or `inject`, with its number where the switch
    /// has several.
    pub fn name(self, topology: &dyn Topology, node: Node) -> String {
        match self {
            Self::Network(port) => topology.port_name(port),
            Self::Inject(local) => {
                let intact = topology.intact().unwrap_or(topology);
                numbered("inject", local, sources_at(intact, node).nth(1).is_some())
            }
        }
    }
}

impl Output {
    /// The first eject port: the only one of most switches.
    pub const EJECT: Self = Self::Eject(Local(0));

    /// The output by which packets to a terminal leave, and its switch; `None` for a terminal that
    /// takes nothing.
    pub fn of(topology: &dyn Topology, sink: Terminal) -> Option<(Node, Self)> {
        topology.sink(sink).map(|(node, local)| (node, Self::Eject(local)))
    }

    /// Whether packets go to a terminal here.
    pub fn is_eject(self) -> bool {
        matches!(self, Self::Eject(_))
    }

    /// Name of the output at a switch: the topology's, or `eject`, with its number where the switch
    /// has several.
    pub fn name(self, topology: &dyn Topology, node: Node) -> String {
        match self {
            Self::Network(port) => topology.port_name(port),
            Self::Eject(local) => {
                let intact = topology.intact().unwrap_or(topology);
                numbered("eject", local, sinks_at(intact, node).nth(1).is_some())
            }
        }
    }
}

fn numbered(name: &str, local: Local, several: bool) -> String {
    match several {
        true => format!("{name}{}", local.0),
        false => name.to_owned(),
    }
}

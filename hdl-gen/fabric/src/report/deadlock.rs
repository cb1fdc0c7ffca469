//! Certificates and cycles, in labels.

use schemars::JsonSchema;
use serde::Serialize;
use turnpike_analysis::deadlock::{Certificate, Cycle};
use turnpike_analysis::network::Network;
use turnpike_analysis::properties::LabelledRoute;

/// A [`Certificate`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct LabelledCertificate {
    /// Whether the number of a port holds at every node.
    pub every_node: bool,
    /// Whether a number holds at every node that a translation takes `from` to.
    pub by_translation: bool,
    /// Whether a number holds at every node whose coordinate in the dimension of `output` is that of
    /// `from`.
    pub by_row: bool,
    /// The numbers.
    pub numbers: Vec<LabelledNumber>,
}

/// The number of one channel; every route ascends.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct LabelledNumber {
    /// The node that the channel leaves; `null` where the number holds at every node.
    pub from: Option<String>,
    /// The output port.
    pub output: String,
    /// The virtual channel.
    pub vc: u8,
    /// Number of the channel.
    pub number: u32,
}

/// A channel that is held by a packet which waits for the next channel of the cycle.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct LabelledWait {
    /// The node that the channel leaves.
    pub from: String,
    /// The output port.
    pub output: String,
    /// The virtual channel.
    pub vc: u8,
    /// The node where the channel ends, and the packet waits.
    pub to: String,
    /// The packet's route.
    pub route: LabelledRoute,
}

pub(super) fn label_certificate(
    network: &Network,
    certificate: &Certificate,
) -> LabelledCertificate {
    let topology = network.topology();
    let every_node = certificate.every_node();
    let numbers = certificate.numbers.iter().map(|n| LabelledNumber {
        from: (!every_node).then(|| topology.label(n.from)),
        output: topology.port_name(n.output),
        vc: n.vc.0,
        number: n.number,
    });
    let (by_translation, by_row) = (certificate.by_translation, certificate.by_row);
    LabelledCertificate { every_node, by_translation, by_row, numbers: numbers.collect() }
}

pub(super) fn label_cycle(network: &Network, cycle: &Cycle) -> Vec<LabelledWait> {
    let topology = network.topology();
    let label = |channel: &turnpike_analysis::deadlock::WaitingChannel| {
        let (to, _) =
            topology.channel(channel.from, channel.output).expect("a cycle is of channels");
        LabelledWait {
            from: topology.label(channel.from),
            output: topology.port_name(channel.output),
            vc: channel.vc.0,
            to: topology.label(to),
            route: LabelledRoute::of(network, channel.source, channel.destination, channel.draw),
        }
    };
    cycle.channels.iter().map(label).collect()
}

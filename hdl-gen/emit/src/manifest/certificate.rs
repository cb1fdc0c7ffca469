//! Entries of the manifest on deadlock: the certificate, or a cycle.

use serde::Serialize;
use turnpike_analysis::deadlock;
use turnpike_network::topology::Topology;

/// Numbers of channels that hold deadlock off.
#[derive(Serialize)]
pub struct Certificate {
    /// Whether a number holds at every node.
    every_node: bool,
    /// Whether a number holds at every node that a translation takes `from` to.
    by_translation: bool,
    /// Numbers that ascend along every route.
    numbers: Vec<ChannelNumber>,
}

#[derive(Serialize)]
struct ChannelNumber {
    /// The node that the channel leaves; left out where the number holds at every node.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    output: String,
    virtual_channel: u8,
    number: u32,
}

/// A channel of a cycle: held by a packet on its way, which waits for the next one.
#[derive(Serialize)]
pub struct WaitingChannel {
    from: String,
    output: String,
    virtual_channel: u8,
    source: String,
    destination: String,
}

impl Certificate {
    /// Entry of a network's certificate.
    pub fn of(topology: &dyn Topology, certificate: &deadlock::Certificate) -> Self {
        let every_node = certificate.every_node();
        let number = |n: &deadlock::ChannelNumber| ChannelNumber {
            from: (!every_node).then(|| topology.label(n.from)),
            output: topology.port_name(n.output),
            virtual_channel: n.vc.0,
            number: n.number,
        };
        Self {
            every_node,
            by_translation: certificate.by_translation,
            numbers: certificate.numbers.iter().map(number).collect(),
        }
    }
}

/// The channels of a cycle, in order.
pub fn cycle_of(topology: &dyn Topology, cycle: &deadlock::Cycle) -> Vec<WaitingChannel> {
    let channel = |c: &deadlock::WaitingChannel| WaitingChannel {
        from: topology.label(c.from),
        output: topology.port_name(c.output),
        virtual_channel: c.vc.0,
        source: topology.terminal_label(c.source),
        destination: topology.terminal_label(c.destination),
    };
    cycle.channels.iter().map(channel).collect()
}

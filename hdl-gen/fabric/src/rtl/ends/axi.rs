//! Ports of ends on a module, and the channels of AXI4 among them.

use turnpike_ends::protocol::{Signal, axi4::Channel};
use turnpike_ends::{Protocol, Role, Widths};
use turnpike_netlist::{Expr, ModuleBuilder, Net};

/// Nets of a port, by the names of its signals.
#[derive(Clone, Debug)]
pub(super) struct PortNets(Vec<(String, Net)>);

impl PortNets {
    /// Net of a signal.
    pub fn of(&self, name: &str) -> Net {
        self.0.iter().find(|(known, _)| known == name).expect("a signal of the protocol").1
    }

    /// Signals with their nets, by the names that they have on a module, behind a prefix.
    pub fn named(&self, prefix: &str) -> impl Iterator<Item = (String, Net)> + '_ {
        let prefix = prefix.to_owned();
        self.0.iter().map(move |(name, net)| (format!("{prefix}{name}"), *net))
    }

    /// A channel of AXI4 or AXI4-Lite.
    pub fn channel(&self, channel: Channel) -> ChannelNets {
        let prefix = channel.prefix();
        let own = |name: &str| self.of(&format!("{prefix}{name}"));
        let payload =
            self.0.iter().filter_map(|(name, net)| Some((name.strip_prefix(prefix)?, net)));
        let payload = payload.filter(|(name, _)| !["valid", "ready"].contains(name));
        let payload = payload.map(|(name, net)| (name.to_owned(), *net)).collect();
        ChannelNets { valid: own("valid"), ready: own("ready"), payload }
    }
}

/// Nets of a channel.
#[derive(Clone, Debug)]
pub(super) struct ChannelNets {
    pub valid: Net,
    pub ready: Net,
    /// Payload: signals without the prefix of the channel.
    pub payload: Vec<(String, Net)>,
}

impl ChannelNets {
    /// Net of a signal of the payload.
    pub fn field(&self, name: &str) -> Net {
        self.get(name).expect("a signal of the channel")
    }

    /// Net of a signal of the payload, where the protocol has it.
    pub fn get(&self, name: &str) -> Option<Net> {
        self.payload.iter().find(|(known, _)| known == name).map(|(_, net)| *net)
    }

    /// Whether a handshake is made.
    pub fn fires(&self) -> Expr {
        Expr::from(self.valid) & self.ready
    }
}

/// Port of a module that a manager or a subordinate of this role is connected to.
pub(super) fn ports(
    m: &mut ModuleBuilder,
    prefix: &str,
    of: Role,
    protocol: Protocol,
    widths: Widths,
) -> PortNets {
    let net = |Signal { name, bits, from_manager }: Signal| {
        let full = format!("{prefix}{name}");
        let is_input = from_manager == (of == Role::Manager);
        let net = if is_input { m.input(full, bits) } else { m.output(full, bits) };
        (name, net)
    };
    PortNets(protocol.signals(widths).into_iter().map(net).collect())
}

/// Wires between two modules of one protocol.
pub(super) fn wires(
    m: &mut ModuleBuilder,
    prefix: &str,
    protocol: Protocol,
    widths: Widths,
) -> PortNets {
    let net = |Signal { name, bits, .. }: Signal| {
        let net = m.wire(format!("{prefix}{name}"), bits);
        (name, net)
    };
    PortNets(protocol.signals(widths).into_iter().map(net).collect())
}

//! Ports of AXI4 on a module.

use turnpike_ends::Role;
use turnpike_ends::axi4::{Channel, Widths};
use turnpike_netlist::{Expr, ModuleBuilder, Net};

/// Nets of a channel.
#[derive(Clone, Debug)]
pub(super) struct ChannelNets {
    pub channel: Channel,
    pub valid: Net,
    pub ready: Net,
    /// Payload: signals without the prefix of the channel.
    pub payload: Vec<(&'static str, Net)>,
}

impl ChannelNets {
    /// Net of a signal of the payload.
    pub fn field(&self, name: &str) -> Net {
        let found = self.payload.iter().find(|(known, _)| *known == name);
        found.expect("a signal of AXI4").1
    }

    /// Whether a handshake is made.
    pub fn fires(&self) -> Expr {
        Expr::from(self.valid) & self.ready
    }

    /// Signals with their nets, by the names that they have on a module: `awvalid` ...
    pub fn named(&self) -> impl Iterator<Item = (String, Net)> + '_ {
        let handshake = [("valid", self.valid), ("ready", self.ready)];
        let all = handshake.into_iter().chain(self.payload.iter().copied());
        all.map(|(signal, net)| (format!("{}{signal}", self.channel.prefix()), net))
    }
}

/// Nets of all channels.
#[derive(Clone, Debug)]
pub(super) struct AxiNets([ChannelNets; 5]);

impl AxiNets {
    /// Nets of a channel.
    pub fn of(&self, channel: Channel) -> ChannelNets {
        let found = self.0.iter().find(|nets| nets.channel == channel);
        found.expect("every channel is there").clone()
    }

    /// Signals of all channels with their nets.
    pub fn named(&self) -> impl Iterator<Item = (String, Net)> + '_ {
        self.0.iter().flat_map(ChannelNets::named)
    }
}

/// Ports of all channels, in the order of [`Channel::ALL`]: those of a module that a manager or a
/// subordinate of this role is connected to.
pub(super) fn ports(m: &mut ModuleBuilder, prefix: &str, of: Role, widths: Widths) -> AxiNets {
    AxiNets(Channel::ALL.map(|channel| {
        let comes_in = channel.is_from_manager() == (of == Role::Manager);
        let mut net = |signal: &str, width: u32, is_input: bool| {
            let name = format!("{prefix}{}{signal}", channel.prefix());
            if is_input { m.input(name, width) } else { m.output(name, width) }
        };
        let valid = net("valid", 1, comes_in);
        let ready = net("ready", 1, !comes_in);
        let payload = channel.payload(widths).into_iter();
        let payload = payload.map(|(signal, width)| (signal, net(signal, width, comes_in)));
        ChannelNets { channel, valid, ready, payload: payload.collect() }
    }))
}

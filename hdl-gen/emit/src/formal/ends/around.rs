//! Frame of the property modules of ends: the module that one is about, and the rule of its handshakes.

use crate::formal::{Context, EmitError};
use askama::Template;
use turnpike_ends::protocol::axi4::Channel;
use turnpike_ends::{Protocol, Widths};
use turnpike_fabric::plan::FabricPlan;
use turnpike_netlist::{Module, NetKind};

/// A port with its bits.
type Port = (String, u32);

/// Parts that each property module has.
pub(super) struct Around<'a> {
    pub heading: Vec<String>,
    /// Name of the property module.
    pub name: &'a str,
    /// Name of the module that it is about.
    pub dut: &'a str,
    pub inputs: Vec<Port>,
    pub outputs: Vec<Port>,
    /// Rules of handshakes.
    pub channels: Vec<String>,
}

impl<'a> Around<'a> {
    /// Parts of a property module, with lines that say what it holds.
    pub fn of(
        context: &Context<'_, FabricPlan>,
        module: &'a Module,
        name: &'a str,
        about: &[&str],
        channels: Vec<String>,
    ) -> Self {
        let ports = |kind| {
            let of = module.ports().filter(|(_, info)| info.kind == kind);
            of.map(|(net, info)| (info.name.clone(), net.width)).collect()
        };
        Self {
            heading: context.head(name, about),
            name,
            dut: &module.name,
            inputs: ports(NetKind::Input),
            outputs: ports(NetKind::Output),
            channels,
        }
    }
}

/// The rule that what is offered stays until it is taken.
#[derive(Template)]
#[template(path = "formal/ends/channel.askama", escape = "none")]
pub(super) struct ChannelText {
    pub about: String,
    pub prefix: String,
    pub bits: u32,
    pub word: String,
    /// Whether the rule is one of what is around.
    pub assumes: bool,
}

/// The rule of each channel of a port whose signals begin with `prefix`; `gives` where the module drives
/// what a manager does.
pub(super) fn stays(
    protocol: Protocol,
    widths: Widths,
    prefix: &str,
    gives: bool,
) -> Result<Vec<String>, EmitError> {
    let signals = protocol.signals(widths);
    let of = |channel: Channel| {
        let payload = signals.iter().filter(|signal| {
            let own = signal.name.strip_prefix(channel.prefix());
            own.is_some_and(|name| !["valid", "ready"].contains(&name))
        });
        let payload: Vec<_> = payload.collect();
        let own = format!("{prefix}{}", channel.prefix());
        let fields: Vec<String> =
            payload.iter().map(|signal| format!("{prefix}{}", signal.name)).collect();
        let text = ChannelText {
            about: own.to_ascii_uppercase(),
            prefix: own,
            bits: payload.iter().map(|signal| signal.bits).sum(),
            word: format!("{{{}}}", fields.join(", ")),
            assumes: channel.is_from_manager() != gives,
        };
        Ok(text.render()?)
    };
    Channel::ALL.into_iter().map(of).collect()
}

//! The terminals' ports of the whole network: which bits of which port are whose.

use super::end_names::terminal_names;
use super::{FabricPlan, PortStyle};
use turnpike_network::topology::Terminal;

/// A side of a terminal, as AXI4-Stream has them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// Side on which packets enter: `s_axis`.
    Source,
    /// Side on which packets leave: `m_axis`.
    Sink,
}

impl Side {
    /// The vector of a signal of all terminals: the port where they are flattened.
    pub fn vector(self, signal: &str) -> String {
        port_of(&self.stream("axis"), signal)
    }

    /// Beginning of the names of ports of this side.
    fn stream(self, stream: &str) -> String {
        match self {
            Self::Source => format!("s_{stream}"),
            Self::Sink => format!("m_{stream}"),
        }
    }
}

/// Name of the port of a stream that has this signal.
pub(crate) fn port_of(stream: &str, signal: &str) -> String {
    let t = if signal == "error" { "" } else { "t" };
    format!("{stream}_{t}{signal}")
}

/// A signal of a terminal's stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signal {
    /// `valid`, `ready`, `dest` or a field of a flit: the AXI4-Stream signal without its `t`. And
    /// `error`, which is no signal of AXI4-Stream.
    pub name: &'static str,
    /// Bits, for one terminal.
    pub width: u32,
    /// Whether the network takes it in.
    pub input: bool,
}

/// A port, with the terminals that have a slice of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TerminalPort {
    /// Name of the port.
    pub name: String,
    /// The side of the terminals.
    pub side: Side,
    /// Signal that the port carries for each terminal.
    pub signal: Signal,
    /// Terminals in the order of their slices, the lowest first.
    pub terminals: Vec<Terminal>,
}

impl TerminalPort {
    /// Bits of the whole port.
    pub fn width(&self) -> u32 {
        self.signal.width * self.terminals.len() as u32
    }
}

/// The bits of a port that are one terminal's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PortBits {
    /// Name of the port.
    pub port: String,
    /// The lowest bit.
    pub low: u32,
    /// Number of bits.
    pub width: u32,
}

impl FabricPlan {
    /// The signals of a side, in the order of the port list.
    pub fn signals(&self, side: Side) -> Vec<Signal> {
        let signal = |name, width, input| Signal { name, width, input };
        let fields = self.flit_fields();
        let inwards = side == Side::Source;
        // The source's address is not an input: every node knows its own.
        let fields = fields.iter().filter(|f| !inwards || f.name != "id");
        let fields = fields.map(|f| signal(f.name, f.width, inwards));
        let mut signals = vec![signal("valid", 1, inwards), signal("ready", 1, !inwards)];
        if inwards {
            signals.push(signal("dest", self.topology().address_bits(), true));
        }
        signals.extend(fields);
        if inwards {
            signals.push(signal("error", 1, false));
        }
        signals
    }

    /// The terminals that have a port of a side, in the order of their addresses.
    pub fn terminals_of(&self, side: Side) -> &[Terminal] {
        match side {
            Side::Source => self.sources(),
            Side::Sink => self.sinks(),
        }
    }

    /// The place of a terminal among [`FabricPlan::terminals_of`]: its slice of flattened ports.
    pub fn slice(&self, side: Side, terminal: Terminal) -> Option<u32> {
        self.terminals_of(side).binary_search(&terminal).ok().map(|slice| slice as u32)
    }

    /// The terminals' ports, in the order of the port list.
    pub fn terminal_ports(&self) -> Vec<TerminalPort> {
        let of_side = |side| {
            let name = |terminal, signal: &str| self.port_name(side, terminal, signal);
            self.ports_of(side, &self.signals(side), name)
        };
        [Side::Source, Side::Sink].into_iter().flat_map(of_side).collect()
    }

    /// Ports of a side that carry these signals: one for all terminals, or one for each. `name` gives the name of
    /// the port whose first terminal this is.
    pub fn ports_of(
        &self,
        side: Side,
        signals: &[Signal],
        name: impl Fn(Terminal, &'static str) -> String,
    ) -> Vec<TerminalPort> {
        let terminals = self.terminals_of(side);
        let each = match self.parameters.ports {
            PortStyle::Flat => terminals.len().max(1),
            PortStyle::Named => 1,
        };
        let port = |group: &[Terminal], signal: Signal| TerminalPort {
            name: name(group[0], signal.name),
            side,
            signal,
            terminals: group.to_vec(),
        };
        let groups = terminals.chunks(each);
        let ports = groups.flat_map(|group| signals.iter().map(move |&s| (group, s)));
        ports.map(|(group, signal)| port(group, signal)).collect()
    }

    /// The port of a terminal that has this signal.
    pub fn port_name(&self, side: Side, terminal: Terminal, signal: &str) -> String {
        port_of(&self.stream_name(side, terminal), signal)
    }

    /// Beginning of the names of a terminal's ports: `s_axis`, or `s_cpu0_axis` where each terminal
    /// has ports of its own.
    pub fn stream_name(&self, side: Side, terminal: Terminal) -> String {
        match self.parameters.ports {
            PortStyle::Flat => side.stream("axis"),
            PortStyle::Named => side.stream(&format!("{}_axis", self.terminal_name(terminal))),
        }
    }

    /// The name of a terminal in those of its ports, where each terminal has ports of its own: its
    /// label, but for what tells it from other terminals in every language.
    pub fn terminal_name(&self, terminal: Terminal) -> &str {
        let names = || terminal_names(self.topology()).into();
        &self.terminal_names.get_or_init(names)[terminal.0 as usize]
    }

    /// The bits of a terminal's signal; `None` where the terminal has no such port.
    pub fn port_bits(&self, side: Side, terminal: Terminal, signal: &str) -> Option<PortBits> {
        let width = self.signals(side).into_iter().find(|own| own.name == signal)?.width;
        let slice = self.slice(side, terminal)?;
        let low = match self.parameters.ports {
            PortStyle::Flat => slice * width,
            PortStyle::Named => 0,
        };
        Some(PortBits { port: self.port_name(side, terminal, signal), low, width })
    }
}

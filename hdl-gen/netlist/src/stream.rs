//! Interfaces: streams, whose fields go with a handshake.

use super::builder::ModuleBuilder;
use super::expr::{Expr, Net};
use super::module::{Module, NetInfo, NetKind};

/// Type of a stream: its fields, and a `valid` and a `ready` for each of its lanes. In a cycle one
/// lane at most has both: the fields are its word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StreamType {
    /// Prefix of the names of each lane's `valid` and `ready`: nothing for an only lane, or `vc1_`.
    pub lanes: Vec<String>,
    /// Names of the fields, and their bits, at least 1.
    pub fields: Vec<(&'static str, u32)>,
}

/// The handshake of a lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handshake {
    /// Whether a word is offered.
    pub valid: Net,
    /// Whether it is taken.
    pub ready: Net,
}

/// A stream in a module: nets `<name>_<lane>valid`, `<name>_<lane>ready` and `<name>_<field>`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stream {
    /// Type of the stream.
    pub of: StreamType,
    /// By lane.
    pub lanes: Vec<Handshake>,
    fields: Vec<Net>,
}

/// A stream among the ports of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StreamPort {
    /// Prefix of the names of the stream's ports.
    pub name: String,
    /// Nets of the ports.
    pub stream: Stream,
}

impl StreamType {
    /// One lane without a name, and these fields; those without bits are left out.
    pub fn plain(fields: impl IntoIterator<Item = (&'static str, u32)>) -> Self {
        Self::new([String::new()], fields)
    }

    /// A stream type of these lanes and fields; fields without bits are left out.
    pub fn new(
        lanes: impl IntoIterator<Item = String>,
        fields: impl IntoIterator<Item = (&'static str, u32)>,
    ) -> Self {
        let fields = fields.into_iter().filter(|(_, width)| *width > 0).collect();
        Self { lanes: lanes.into_iter().collect(), fields }
    }
}

impl Stream {
    /// The net of a field, where the stream has it.
    pub fn field(&self, name: &str) -> Option<Net> {
        let at = self.of.fields.iter().position(|(field, _)| *field == name)?;
        Some(self.fields[at])
    }

    /// Changes the widths of the stream's fields: `resize` sets the width of each net.
    pub(super) fn resize(&mut self, resize: impl Fn(&mut Net)) {
        for (net, (_, width)) in self.fields.iter_mut().zip(&mut self.of.fields) {
            resize(net);
            *width = net.width;
        }
    }

    /// Nets of the stream: the handshakes, then the fields.
    fn nets(&self) -> impl Iterator<Item = Net> + '_ {
        let handshakes = self.lanes.iter().flat_map(|lane| [lane.valid, lane.ready]);
        handshakes.chain(self.fields.iter().copied())
    }
}

/// The two ends of a stream, as a module declares it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    In,
    Out,
    Within,
}

impl ModuleBuilder {
    /// Ports of a stream that comes in: `ready` is an output.
    pub fn stream_in(&mut self, name: &str, of: StreamType) -> Stream {
        self.stream_port(name, of, End::In)
    }

    /// Ports of a stream that goes out: `ready` is an input.
    pub fn stream_out(&mut self, name: &str, of: StreamType) -> Stream {
        self.stream_port(name, of, End::Out)
    }

    /// Wires of a stream between instances.
    pub fn stream_wires(&mut self, name: &str, of: StreamType) -> Stream {
        self.stream(name, of, End::Within)
    }

    fn stream_port(&mut self, name: &str, of: StreamType, end: End) -> Stream {
        let stream = self.stream(name, of, end);
        self.declare(StreamPort { name: name.to_owned(), stream: stream.clone() });
        stream
    }

    fn stream(&mut self, name: &str, of: StreamType, end: End) -> Stream {
        let signals = |stem: &str| {
            let lanes = of.lanes.iter().flat_map(|lane| [(lane, "valid"), (lane, "ready")]);
            let handshakes = lanes.map(|(lane, signal)| format!("{stem}_{lane}{signal}"));
            let fields = of.fields.iter().map(|(field, _)| format!("{stem}_{field}"));
            handshakes.chain(fields).collect::<Vec<String>>()
        };
        let stem = self.stem(name, signals);
        let mut names = signals(&stem).into_iter();
        let mut net = |width, forward: bool| {
            let kind = match end {
                End::Within => NetKind::Wire,
                End::In if forward => NetKind::Input,
                End::Out if !forward => NetKind::Input,
                End::In | End::Out => NetKind::Output,
            };
            self.named_net(names.next().expect("a name for each net"), width, kind)
        };
        let lanes =
            of.lanes.iter().map(|_| Handshake { valid: net(1, true), ready: net(1, false) });
        let lanes = lanes.collect();
        let fields = of.fields.iter().map(|(_, width)| net(*width, true)).collect();
        Stream { of, lanes, fields }
    }
}

impl Module {
    /// The stream among its ports whose names begin so.
    pub fn stream(&self, name: &str) -> Option<&Stream> {
        self.streams.iter().find(|port| port.name == name).map(|port| &port.stream)
    }

    /// The connections of a stream among its ports to one of the module around it.
    ///
    /// # Panics
    /// If there is none of that name, or it is of another type.
    pub fn connect(&self, name: &str, to: &Stream) -> Vec<(&str, Expr)> {
        let port = self.stream(name);
        let port = port.unwrap_or_else(|| panic!("{}: no stream {name}", self.name));
        assert_eq!(port.of, to.of, "{}: {name} is a stream of another type", self.name);
        let info = |net: Net| -> &NetInfo { self.net(net) };
        port.nets().zip(to.nets()).map(|(port, net)| (&*info(port).name, net.into())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Expr;
    use std::sync::Arc;

    fn words(width: u32) -> StreamType {
        StreamType::plain([("data", width), ("none", 0), ("last", 1)])
    }

    /// A module that hands a stream on, and `of` it what is around expects.
    fn around(of: StreamType) -> Arc<Module> {
        let mut m = ModuleBuilder::new("hands_on");
        let (from, to) = (m.stream_in("in", words(8)), m.stream_out("out", words(8)));
        m.assign(from.lanes[0].ready, to.lanes[0].ready);
        m.assign(to.lanes[0].valid, from.lanes[0].valid);
        for field in ["data", "last"] {
            m.assign(to.field(field).unwrap(), from.field(field).unwrap());
        }
        assert_eq!(from.field("none"), None);
        let module = m.finish().unwrap();
        let mut m = ModuleBuilder::new("around");
        let (from, to) = (m.stream_in("here", of.clone()), m.stream_out("there", of));
        let connections = module.connect("in", &from).into_iter().chain(module.connect("out", &to));
        m.instance("inner", &module, connections);
        m.finish().unwrap()
    }

    #[test]
    fn ports_go_by_name_and_type() {
        let module = around(words(8));
        let ports: Vec<&str> = module.ports().map(|(_, info)| &*info.name).collect();
        let of = |name: &str| ["valid", "ready", "data", "last"].map(|s| format!("{name}_{s}"));
        assert_eq!(ports, [of("here"), of("there")].concat());
        let inner = module.instances().next().unwrap();
        let connected: Vec<&str> = inner
            .connections
            .iter()
            .map(|c| match c {
                Expr::Net(net) => &*module.net(*net).name,
                _ => "",
            })
            .collect();
        assert_eq!(connected, ports);
    }

    #[test]
    #[should_panic = "a stream of another type"]
    fn streams_of_unlike_types_are_not_connected() {
        around(words(9));
    }
}

//! Methods that a network made of another has from that one.

/// Methods of [`Topology`](super::Topology) that ask the network in a field: names and ports; and those
/// of its nodes, where these are the same; and size and structure as well, where only terminals or channels
/// are others.
macro_rules! as_in {
    (structure of $whole:ident) => {
        super::forward::as_in!(nodes of $whole);
        fn structure(&self) -> super::Structure {
            self.$whole.structure()
        }
        fn identifier(&self) -> String {
            self.$whole.identifier()
        }
        fn concentration(&self) -> u32 {
            self.$whole.concentration()
        }
        fn address_bits(&self) -> u32 {
            self.$whole.address_bits()
        }
        fn terminals(&self) -> u32 {
            self.$whole.terminals()
        }
    };
    (nodes of $whole:ident) => {
        super::forward::as_in!($whole);
        fn nodes(&self) -> u32 {
            self.$whole.nodes()
        }
        fn label(&self, node: super::Node) -> String {
            self.$whole.label(node)
        }
        fn position(&self, node: super::Node) -> Option<super::positions::Position> {
            self.$whole.position(node)
        }
        fn node(&self, label: &str) -> Result<super::Node, super::TopologyError> {
            self.$whole.node(label)
        }
        fn given_address(&self, terminal: super::Terminal) -> Option<u32> {
            self.$whole.given_address(terminal)
        }
        fn delay(&self, from: super::Node, output: super::Port) -> u32 {
            self.$whole.delay(from, output)
        }
    };
    ($whole:ident) => {
        fn name(&self) -> &'static str {
            self.$whole.name()
        }
        fn title(&self) -> String {
            self.$whole.title()
        }
        fn size(&self) -> super::Size {
            self.$whole.size()
        }
        fn ports(&self) -> u8 {
            self.$whole.ports()
        }
        fn port_name(&self, port: super::Port) -> String {
            self.$whole.port_name(port)
        }
        fn most_delay(&self) -> u32 {
            self.$whole.most_delay()
        }
    };
}
pub(super) use as_in;

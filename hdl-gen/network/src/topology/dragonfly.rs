//! Dragonflies: groups of routers, each group a full graph, and one channel each way between any two
//! groups (Kim, Dally, Scott and Abts, Technology-driven, highly-scalable dragonfly topology, ISCA
//! 2008). With A routers in a group and H global channels at each router there are A·H + 1 groups, the
//! most that A·H global channels of a group reach.
//!
//! Router r of group g is node g·A + r, with label `g_r`. Port `local_plus<d>` leads to the router d
//! further on in the group, modulo A, and packets that came by it came from d below. Global channel k
//! of a group, port `global<k mod H>` of router k / H, leads to group g + k + 1 modulo the number of
//! groups, and ends there at global channel A·H - 1 - k, which leads back. Terminal t has label `t`; it
//! is at node t / P, by the inject and eject port of number t modulo P.

use super::error::check_terminals;
use super::parameter::{DIM, TERMINALS};
use super::positions::{self, Position};
use super::{
    Limit, Node, Parameter, Port, Range, Size, Sizes, Structure, Terminal, Topology, TopologyError,
    TopologyKind, labels,
};

/// Routers of a group.
const ROUTERS: Parameter = Parameter {
    key: "routers",
    field: "routers",
    option: "routers",
    words: "{} routers in a group",
    placeholder: "A",
    help: "Routers of a group (dragonfly)",
    ..DIM
};
/// Global channels of a router.
const GLOBALS: Parameter = Parameter {
    key: "globals",
    field: "globals",
    option: "globals",
    words: "{} global channels at a router",
    placeholder: "H",
    help: "Global channels of a router (dragonfly)",
    ..DIM
};
/// Most terminals: routes from all of them are walked.
const MOST_TERMINALS: u32 = 4096;

/// The entry in the list of topologies.
pub const KIND: TopologyKind = TopologyKind {
    name: "dragonfly",
    aliases: &[],
    summary: "A*H + 1 groups of A routers, a channel each way between any two routers of a group \
              and any two groups",
    sizes: Sizes::of(
        [
            Range::of(&ROUTERS, "A", (1, 63)),
            Range::of(&GLOBALS, "H", (1, 63)),
            Range::of(&TERMINALS, "P", (1, 32)),
        ],
        Limit::Terminals(MOST_TERMINALS),
    )
    .with_examples(&["2 1 1", "2 1 2", "2 2 1", "3 1 2"], &["8 4 2", "4 4 8", "1 63 32"]),
    default_routing: "minimal",
    of_size: |size| Ok(Box::new(Dragonfly::of(size)?)),
};

/// A dragonfly.
#[derive(Debug, Clone, Copy)]
pub struct Dragonfly {
    routers: u32,
    globals: u32,
    terminals: u32,
}

/// Meaning of a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// To the router so many further on in the group.
    Local(u32),
    /// By the router's global channel of this number.
    Global(u32),
}

impl Dragonfly {
    fn of(size: Size) -> Result<Self, TopologyError> {
        let [routers, globals, terminals] =
            [&ROUTERS, &GLOBALS, &TERMINALS].map(|parameter| size.expect(parameter));
        let network = Self { routers, globals, terminals };
        let terminals = u64::from(network.nodes()) * u64::from(terminals);
        check_terminals(KIND.name, terminals, MOST_TERMINALS)?;
        Ok(network)
    }

    /// The network that a topology is; `None` for another.
    pub fn of_topology(topology: &dyn Topology) -> Option<Self> {
        match topology.structure() {
            Structure::Dragonfly(found) => Some(found),
            _ => None,
        }
    }

    /// A: routers of a group.
    pub fn routers(&self) -> u32 {
        self.routers
    }

    /// H: global channels of a router.
    pub fn globals(&self) -> u32 {
        self.globals
    }

    /// P: terminals of a router.
    pub fn at_router(&self) -> u32 {
        self.terminals
    }

    /// Number of groups.
    pub fn groups(&self) -> u32 {
        self.routers * self.globals + 1
    }

    /// Group of a node, and its number there.
    pub fn place(&self, node: Node) -> (u32, u32) {
        (node.0 / self.routers, node.0 % self.routers)
    }

    /// Steps in a group from one router to another, modulo A.
    pub fn further(&self, from: u32, to: u32) -> u32 {
        (to + self.routers - from) % self.routers
    }

    /// The global channel from a group to another.
    pub fn global_to(&self, from: u32, to: u32) -> u32 {
        let groups = self.groups();
        (to + groups - from - 1) % groups
    }

    /// The port of a way: local ones first.
    pub fn port(&self, way: Way) -> Port {
        Port(match way {
            Way::Local(further) => further - 1,
            Way::Global(channel) => self.routers - 1 + channel,
        } as u8)
    }

    /// Meaning of a port.
    pub fn way(&self, port: Port) -> Way {
        match u32::from(port.0).checked_sub(self.routers - 1) {
            Some(channel) => Way::Global(channel),
            None => Way::Local(u32::from(port.0) + 1),
        }
    }
}

impl Topology for Dragonfly {
    fn name(&self) -> &'static str {
        KIND.name
    }
    fn size(&self) -> Size {
        let Self { routers, globals, terminals } = *self;
        Size::of([(&ROUTERS, routers), (&GLOBALS, globals), (&TERMINALS, terminals)])
    }
    fn structure(&self) -> Structure {
        Structure::Dragonfly(*self)
    }
    fn nodes(&self) -> u32 {
        self.groups() * self.routers
    }
    fn terminals(&self) -> u32 {
        self.nodes() * self.terminals
    }
    fn label(&self, node: Node) -> String {
        let (group, router) = self.place(node);
        format!("{group}_{router}")
    }
    fn position(&self, node: Node) -> Option<Position> {
        let (group, router) = self.place(node);
        let apart = f64::from(self.routers) / 3.0 + 3.0;
        let middle = positions::on_circle(group, self.groups());
        let place = positions::on_circle(router, self.routers.max(2));
        Some((middle.0 * apart + place.0, middle.1 * apart + place.1))
    }
    fn node(&self, label: &str) -> Result<Node, TopologyError> {
        let place = label.split_once('_').and_then(|(group, router)| {
            let group = labels::parse_number(group).filter(|&group| group < self.groups())?;
            let router = labels::parse_number(router).filter(|&router| router < self.routers)?;
            Some(Node(group * self.routers + router))
        });
        place.ok_or_else(|| TopologyError::Label {
            topology: KIND.name,
            label: label.to_owned(),
            expected: format!(
                "a group and a router of it, such as {}",
                self.label(Node(self.nodes() - 1))
            ),
        })
    }
    fn ports(&self) -> u8 {
        (self.routers - 1 + self.globals) as u8
    }
    fn port_name(&self, port: Port) -> String {
        match self.way(port) {
            Way::Local(further) => format!("local_plus{further}"),
            Way::Global(channel) => format!("global{channel}"),
        }
    }
    fn channel(&self, from: Node, output: Port) -> Option<(Node, Port)> {
        if output.0 >= self.ports() {
            return None;
        }
        let (group, router) = self.place(from);
        Some(match self.way(output) {
            Way::Local(further) => {
                let to = (router + further) % self.routers;
                (Node(group * self.routers + to), output)
            }
            Way::Global(channel) => {
                let leaving = router * self.globals + channel;
                let entering = self.routers * self.globals - 1 - leaving;
                let group = (group + leaving + 1) % self.groups();
                let node = Node(group * self.routers + entering / self.globals);
                (node, self.port(Way::Global(entering % self.globals)))
            }
        })
    }
    fn at_each_node(&self) -> u32 {
        self.terminals
    }
    fn terminal_label(&self, terminal: Terminal) -> String {
        terminal.0.to_string()
    }
    fn terminal(&self, label: &str) -> Result<Terminal, TopologyError> {
        labels::numbered_terminal(KIND.name, label, self.terminals())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::Local;
    use crate::topology::tests::keeps_the_contract;

    fn of(routers: u32, globals: u32, terminals: u32) -> Result<Dragonfly, TopologyError> {
        let size = Size::of([(&ROUTERS, routers), (&GLOBALS, globals), (&TERMINALS, terminals)]);
        KIND.sizes.check(KIND.name, size)?;
        Dragonfly::of(size)
    }

    /// Kim and others, section 3.1: A·H + 1 groups, each router with A - 1 + H channels, one channel
    /// from each group to each other, and no two routers further apart than three channels.
    #[test]
    fn figures_are_those_of_the_paper() {
        for (a, h, p) in [(1, 1, 1), (1, 3, 2), (2, 1, 1), (2, 2, 3), (3, 1, 2), (4, 2, 2)] {
            let network = of(a, h, p).unwrap();
            keeps_the_contract(&network);
            assert_eq!(network.nodes(), a * (a * h + 1));
            assert_eq!(network.terminals(), a * p * (a * h + 1));
            assert_eq!(network.channels(), u64::from(network.nodes() * (a - 1 + h)));
            let mut joined = vec![0; (network.groups() * network.groups()) as usize];
            let mut diameter = 0;
            for node in network.all_nodes() {
                let group = network.place(node).0;
                for port in (0..network.ports()).map(Port) {
                    let (to, input) = network.channel(node, port).unwrap();
                    let other = network.place(to).0;
                    let global = matches!(network.way(port), Way::Global(_));
                    assert_eq!(group != other, global);
                    if global {
                        joined[(group * network.groups() + other) as usize] += 1;
                        assert_eq!(network.channel(to, input), Some((node, port)), "a link");
                        let channel = network.global_to(group, other);
                        assert_eq!(network.place(node).1, channel / h);
                        assert_eq!(port, network.port(Way::Global(channel % h)));
                    }
                }
                diameter = diameter.max(network.distances(node).into_iter().max().unwrap());
            }
            for (at, count) in (0..).zip(joined) {
                assert_eq!(count, u32::from(at / network.groups() != at % network.groups()));
            }
            assert_eq!(diameter, if a == 1 { 1 } else { 3 }, "{a} {h} {p}");
        }
    }

    #[test]
    fn sizes_and_labels_are_bounded() {
        let error = |a, h, p| of(a, h, p).unwrap_err().to_string();
        assert_eq!(error(0, 1, 1), "dragonfly: routers 0 is out of range; use 1 to 63");
        assert_eq!(error(2, 64, 1), "dragonfly: globals 64 is out of range; use 1 to 63");
        assert_eq!(error(2, 1, 33), "dragonfly: terminals 33 is out of range; use 1 to 32");
        assert_eq!(
            error(63, 63, 32),
            "dragonfly: 8003520 terminals are more than 4096; make it smaller"
        );
        let network = of(2, 1, 2).unwrap();
        for wrong in ["3_0", "0_2", "0", "0_00", "_", "a_b"] {
            let error = network.node(wrong).unwrap_err().to_string();
            assert!(error.contains("a group and a router of it, such as 2_1"), "{error}");
        }
        assert!(network.terminal("12").unwrap_err().to_string().contains("from 0 to 11"));
        assert_eq!(network.terminal("11").map(|t| network.sink(t)), Ok(Some((Node(5), Local(1)))));
    }
}

//! Turns of one class of switches.

use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use turnpike_network::routing::{Draw, Header, Input, Output, Vc};
use turnpike_network::topology::{Node, Port, Terminal, Topology};

/// The use of one output port and VC by packets of one input port and VC of one switch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Turn {
    /// Input by which the packets come.
    pub input: Input,
    /// Virtual channel on which the packets come.
    pub input_vc: Vc,
    /// Output by which the packets leave.
    pub output: Output,
    /// Virtual channel on which the packets leave.
    pub output_vc: Vc,
}

/// A route that takes a turn; of an adaptive relation, one that can.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Witness {
    /// Source of the packet.
    pub source: Terminal,
    /// Destination of the packet.
    pub destination: Terminal,
    /// Draw of the packet's source.
    pub draw: Draw,
    /// The switch at which it takes the turn.
    pub at: Node,
}

/// The turns of one class of switches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SwitchTurns {
    /// A node of the class, the first of those that stand for others.
    pub site: Node,
    /// Every turn, with the first route found that takes it.
    pub turns: BTreeMap<Turn, Witness>,
    /// Per queue that is used, the header bits that are ever set in it.
    pub header_masks: BTreeMap<(Input, Vc), Header>,
    /// Per queue that is used, the header bits that it stores: those of its mask that some
    /// switch from there on looks at.
    pub stored: BTreeMap<(Input, Vc), Header>,
    /// Per input that is used, the header bits that come to it: those that its queues store, and
    /// where headers are uniform those that queues of this input store at other switches.
    pub received: BTreeMap<Input, Header>,
    /// Per network output that is used, the header bits that the channel carries: those that
    /// the input at its end receives.
    pub sent: BTreeMap<Port, Header>,
    /// Registers on the channel that ends at an input, where there are any: the most of any switch of
    /// the class ([`Topology::delay`]).
    pub delays: BTreeMap<Input, u32>,
}

impl SwitchTurns {
    /// A switch without turns.
    pub(crate) fn at(site: Node) -> Self {
        Self {
            site,
            turns: BTreeMap::new(),
            header_masks: BTreeMap::new(),
            stored: BTreeMap::new(),
            received: BTreeMap::new(),
            sent: BTreeMap::new(),
            delays: BTreeMap::new(),
        }
    }

    /// The input at which the channel of an output port ends, at the site of the class.
    pub fn channel_end(&self, topology: &dyn Topology, output: Port) -> Option<Input> {
        topology.channel(self.site, output).map(|(_, input)| Input::Network(input))
    }

    /// Crosspoints between network ports: turns, virtual channels merged.
    pub fn crosspoints(&self) -> BTreeSet<(Port, Port)> {
        let network = |t: &Turn| match (t.input, t.output) {
            (Input::Network(i), Output::Network(o)) => Some((i, o)),
            _ => None,
        };
        self.turns.keys().filter_map(network).collect()
    }

    /// Crosspoints from `inject` or to `eject`.
    pub fn terminal_crosspoints(&self) -> BTreeSet<(Input, Output)> {
        let terminal = |t: &Turn| {
            let ends = t.input.is_inject() || t.output.is_eject();
            ends.then_some((t.input, t.output))
        };
        self.turns.keys().filter_map(terminal).collect()
    }

    /// Crosspoints into each network output port.
    pub fn fan_in(&self) -> BTreeMap<Port, u32> {
        count(self.crosspoints().into_iter().map(|(_, output)| output))
    }

    /// Crosspoints out of each network input port.
    pub fn fan_out(&self) -> BTreeMap<Port, u32> {
        count(self.crosspoints().into_iter().map(|(input, _)| input))
    }

    /// The queues in use: (input, VC).
    pub fn queues(&self) -> impl Iterator<Item = (Input, Vc)> {
        self.header_masks.keys().copied()
    }

    pub(super) fn record(&mut self, turn: Turn, header: Header, witness: Witness) {
        self.turns.entry(turn).or_insert(witness);
        *self.header_masks.entry((turn.input, turn.input_vc)).or_default() |= header;
    }
}

fn count(ports: impl Iterator<Item = Port>) -> BTreeMap<Port, u32> {
    let mut counts = BTreeMap::new();
    for port in ports {
        *counts.entry(port).or_default() += 1;
    }
    counts
}

//! What the tests share. Not every test uses all of it.
pub mod naive;

use turnpike_base::hash::hash;
use turnpike_fabric::plan::FabricPlan;
use turnpike_network::topology::Terminal;
use turnpike_sim_network::measure::{Observer, Sample};
use turnpike_sim_network::reference::{Beat, Delivery, FlitRef, Reference};
use turnpike_sim_network::terminals::TerminalSet;

/// Every packet of a run, as they arrive.
#[derive(Default)]
pub struct Samples(pub Vec<Sample>);

impl Observer for Samples {
    fn packet(&mut self, sample: &Sample) {
        self.0.push(*sample);
    }
}

/// The terminals' view of a model.
pub trait Model {
    fn s_ready(&self, terminal: u32) -> bool;
    fn m_flit(&self, terminal: u32) -> Option<FlitRef>;
    fn offer(&mut self, terminal: u32, beat: Beat) -> bool;
    fn clock(&mut self, m_tready: &TerminalSet) -> Vec<Delivery>;
}

impl Model for Reference {
    fn s_ready(&self, terminal: u32) -> bool {
        self.s_ready(terminal)
    }
    fn m_flit(&self, terminal: u32) -> Option<FlitRef> {
        self.m_flit(terminal)
    }
    fn offer(&mut self, terminal: u32, beat: Beat) -> bool {
        self.offer(terminal, beat)
    }
    fn clock(&mut self, m_tready: &TerminalSet) -> Vec<Delivery> {
        self.clock(m_tready).to_vec()
    }
}

/// A packet to send: its identity is its index.
#[derive(Clone, Copy, Debug)]
pub struct Packet {
    pub source: u32,
    pub destination: u32,
    pub flits: u32,
}

/// `count` packets of 1 to `most` flits between random nodes.
pub fn random_packets(seed: u64, nodes: u32, count: u32, most: u32) -> Vec<Packet> {
    let below = |i: u32, what: u64, n: u32| (hash(seed, &[i.into(), what]) % u64::from(n)) as u32;
    (0..count)
        .map(|i| Packet {
            source: below(i, 0, nodes),
            destination: below(i, 1, nodes),
            flits: 1 + below(i, 2, most),
        })
        .collect()
}

/// The same between terminals of a network that send and take packets.
pub fn random_packets_in(plan: &FabricPlan, seed: u64, count: u32, most: u32) -> Vec<Packet> {
    let topology = plan.topology();
    let sources: Vec<u32> = topology.sources().map(|terminal| terminal.0).collect();
    let sinks: Vec<u32> = topology.sinks().map(|terminal| terminal.0).collect();
    let mut packets = random_packets(seed, topology.terminals(), count, most);
    for packet in &mut packets {
        packet.source = sources[packet.source as usize % sources.len()];
        packet.destination = sinks[packet.destination as usize % sinks.len()];
    }
    packets
}

/// Sends packets as fast as a model takes them, each source in order.
pub struct Sender {
    pub queues: Vec<Vec<u32>>,
    pub sent: Vec<u32>,
}

impl Sender {
    pub fn new(nodes: u32, packets: &[Packet]) -> Self {
        let mut queues = vec![Vec::new(); nodes as usize];
        for (i, p) in packets.iter().enumerate().rev() {
            queues[p.source as usize].push(i as u32);
        }
        Self { queues, sent: vec![0; nodes as usize] }
    }

    /// Offers the next beat of `terminal`.
    pub fn offer(&mut self, model: &mut dyn Model, packets: &[Packet], terminal: u32) -> bool {
        let t = terminal as usize;
        let Some(&id) = self.queues[t].last() else { return false };
        let packet = packets[id as usize];
        let last = self.sent[t] + 1 == packet.flits;
        let beat = Beat { packet: id, destination: Terminal(packet.destination), last };
        let taken = model.offer(terminal, beat);
        if taken {
            self.sent[t] = if last { 0 } else { self.sent[t] + 1 };
            if last {
                self.queues[t].pop();
            }
        }
        taken
    }
}

/// Collects what arrives and holds it against the contract.
pub struct Receiver {
    /// By terminal: the packet that is coming in, and its next beat.
    open: Vec<Option<(u32, u32)>>,
    /// By (source, destination): the last packet that arrived.
    last: std::collections::HashMap<(u32, u32), u32>,
    pub packets: usize,
    /// Whether packets of a pair arrive in order.
    in_order: bool,
    /// Those that arrived.
    came: std::collections::HashSet<u32>,
}

impl Receiver {
    pub fn new(nodes: u32, in_order: bool) -> Self {
        let (open, last, came) =
            (vec![None; nodes as usize], Default::default(), Default::default());
        Self { open, last, packets: 0, in_order, came }
    }

    pub fn take(&mut self, packets: &[Packet], delivery: &Delivery) {
        let packet = packets[delivery.flit.packet as usize];
        assert_eq!(delivery.terminal, packet.destination, "misrouted");
        let open = &mut self.open[delivery.terminal as usize];
        let expected = open.unwrap_or((delivery.flit.packet, 0));
        assert_eq!((delivery.flit.packet, delivery.flit.beat), expected, "interleaved");
        let last = expected.1 + 1 == packet.flits;
        assert_eq!(delivery.flit.last, last);
        *open = (!last).then_some((expected.0, expected.1 + 1));
        if last {
            self.packets += 1;
            let before = self.last.insert((packet.source, packet.destination), expected.0);
            assert!(!self.in_order || before.is_none_or(|b| b < expected.0), "out of order");
            assert!(self.came.insert(expected.0), "twice");
        }
    }
}

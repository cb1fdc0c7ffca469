//! Requests and replies as message classes: terminals that take a request only when they have room for
//! its reply, long packets, short queues, saturated. Nothing stops; with one class it does where messages
//! can wait for each other in a circle, and nowhere else.

use turnpike_analysis::shared;
use turnpike_base::random::Random;
use turnpike_fabric::plan::{FabricPlan, Parameters};
use turnpike_fabric::testing::plan_of;
use turnpike_network::topology::{Terminal, Topology};
use turnpike_sim_network::reference::{Beat, Reference};
use turnpike_sim_network::terminals::TerminalSet;

const FLITS: u32 = 64;
const CYCLES: u64 = 30_000;

/// A message.
#[derive(Clone, Copy)]
struct Message {
    is_reply: bool,
    from: u32,
    to: u32,
}

/// A packet under way from a terminal's stream: its number, and beats sent.
type UnderWay = Option<(u32, u32)>;

/// Terminals that ask each other, each with room for one reply.
struct System<'a> {
    topology: &'a dyn Topology,
    reference: Reference,
    /// Addresses of the terminals.
    addresses: Vec<u32>,
    /// By address: those that it asks.
    asks: Vec<Vec<u32>>,
    /// Streams of a terminal: one for requests and one for replies, or one for both.
    of_class: fn(u32, u32) -> [u32; 2],
    messages: Vec<Message>,
    /// By stream.
    under_way: Vec<UnderWay>,
    /// By address: who waits for a reply; and whether its request is still being taken in.
    owes: Vec<Option<u32>>,
    taking: Vec<bool>,
    random: Random,
    answered: u64,
}

impl<'a> System<'a> {
    fn new(
        plan: &'a FabricPlan,
        requests: &FabricPlan,
        of_class: fn(u32, u32) -> [u32; 2],
    ) -> Self {
        let topology = plan.topology();
        let ends = topology.sources().chain(topology.sinks());
        let mut addresses: Vec<u32> = ends.map(|end| topology.address(end).0).collect();
        addresses.sort_unstable();
        addresses.dedup();
        let most = addresses.last().map_or(0, |&last| last as usize + 1);
        let asked = |address| requests.topology().destinations(Terminal(address)).map(|to| to.0);
        let others = |address| asked(address).filter(|&to| to != address).collect();
        Self {
            topology,
            reference: Reference::new(plan).unwrap(),
            of_class,
            messages: Vec::new(),
            under_way: vec![None; topology.terminals() as usize],
            owes: vec![None; most],
            taking: vec![false; most],
            asks: (0..most as u32).map(others).collect(),
            random: Random::new(5),
            answered: 0,
            addresses,
        }
    }

    fn streams(&self, address: u32) -> [u32; 2] {
        (self.of_class)(self.topology.address_bits(), address)
    }

    /// The next message of a stream.
    fn next(&mut self, address: u32, replies: bool, requests: bool) -> Option<Message> {
        let owed =
            self.owes[address as usize].filter(|_| replies && !self.taking[address as usize]);
        if let Some(to) = owed {
            return Some(Message { is_reply: true, from: address, to });
        }
        let asks = &self.asks[address as usize];
        if !requests || asks.is_empty() {
            return None;
        }
        let to = asks[self.random.below(asks.len() as u32) as usize];
        Some(Message { is_reply: false, from: address, to })
    }

    /// Offers the beat of a stream.
    fn offer(&mut self, address: u32, stream: u32, replies: bool, requests: bool) {
        let at = stream as usize;
        if self.under_way[at].is_none() {
            let Some(message) = self.next(address, replies, requests) else { return };
            self.messages.push(message);
            self.under_way[at] = Some((self.messages.len() as u32 - 1, 0));
        }
        let Some((packet, sent)) = self.under_way[at] else { return };
        let message = self.messages[packet as usize];
        let [ask, answer] = self.streams(message.to);
        let destination = Terminal(if message.is_reply { answer } else { ask });
        let last = sent + 1 == FLITS;
        if self.reference.offer(stream, Beat { packet, destination, last }) {
            self.under_way[at] = (!last).then_some((packet, sent + 1));
            if last && message.is_reply {
                self.owes[address as usize] = None;
            }
        }
    }

    /// Runs until nothing has moved for long, or to the end; whether it stopped.
    fn stops(&mut self) -> bool {
        let mut still = 0;
        for _ in 0..CYCLES {
            let mut ready = TerminalSet::none(self.topology.terminals());
            for address in self.addresses.clone() {
                let [ask, answer] = self.streams(address);
                self.offer(address, answer, true, ask == answer);
                if ask != answer {
                    self.offer(address, ask, false, true);
                }
                for stream in [ask, answer] {
                    let Some(flit) = self.reference.m_flit(stream) else { continue };
                    let Message { is_reply, from, .. } = self.messages[flit.packet as usize];
                    let own = address as usize;
                    if !is_reply && flit.beat == 0 {
                        if self.owes[own].is_some() {
                            continue;
                        }
                        (self.owes[own], self.taking[own]) = (Some(from), true);
                    }
                    if !is_reply && flit.last {
                        self.taking[own] = false;
                    }
                    self.answered += u64::from(is_reply && flit.last);
                    ready.insert(stream);
                    if ask == answer {
                        break;
                    }
                }
            }
            self.reference.clock(&ready);
            still = if self.reference.progressed() { 0 } else { still + 1 };
            if still == 100 {
                return true;
            }
        }
        false
    }
}

const NETWORKS: &[&str] = &[
    "mesh 3x3 dimension-order",
    "torus 3x3 dimension-order",
    "ring 6 dimension-order",
    "hypercube 3 ecube",
    "hypercube 3 rotation",
    "ccc 3 shortest",
    "full 5 direct",
    "star 5 direct",
    "tree 2_3 up-down",
    "fat-tree 2_2 up-down",
    "de-bruijn 2_3 shift",
    "kautz 2_2 shift",
    "directed-ring 5 around",
    "directed-cube 3 static",
    "arc-cube 2 shortest",
    "hyperx 3x2 dimension-order",
    "mesh 3x3 adaptive",
    "torus 3x3 adaptive",
    "hypercube 3 adaptive",
    "mesh 3x3 west-first",
    "mesh 3x2 odd-even",
    "fat-tree 2_2 adaptive",
    "mesh 3x3 o1turn",
    "hypercube 3 two-phase",
    "mesh 3x2 random-path",
    "mesh 3x3 random-hop",
    "hypercube 3 random-hop",
    "mesh 3x2 dimension-order concentrated 2",
    "mesh 3x2 west-first concentrated 2",
    "hypercube 2 adaptive concentrated 2",
    "mesh 3x3 dimension-order without 1_1",
];

/// Networks whose requests and replies never meet, with the flows of both.
const APART: &[[&str; 3]] = &[
    ["directed-ring 5 around", "0>2", "2>0"],
    ["mesh 3x3 dimension-order", "0_0>2_2", "2_2>0_0"],
    ["mesh 3x2 dimension-order", "0_0>2_1,0_1>2_1", "2_1>0_0,2_1>0_1"],
    ["hypercube 3 ecube", "000>111,001>111", "111>000,111>001"],
];

fn plan(network: &str, flows: &str) -> FabricPlan {
    plan_for("for", network, flows)
}

fn plan_for(how: &str, network: &str, flows: &str) -> FabricPlan {
    plan_of(&format!("{network} {how} {flows}"), Parameters { depth: 2, ..Parameters::default() })
}

#[test]
fn classes_never_stop_and_one_class_does() {
    let everybody = NETWORKS.iter().map(|&network| [network, "*>*", "*>*"]);
    let mut stopped = 0;
    for [network, requests, replies] in everybody.chain(APART.iter().copied()) {
        let of = |class: &str, flows: &str| {
            format!("{class}:{}", flows.replace(',', &format!(",{class}:")))
        };
        let flows = format!("{},{}", of("request", requests), of("reply", replies));
        let [two, apart] = ["for", "separate"].map(|how| plan_for(how, network, &flows));
        for two in [&two, &apart] {
            assert!(two.is_deadlock_free(), "{network}");
            assert!(two.deadlock_free_condition().unwrap().contains("last message class"));
            let by_class = |bits: u32, address: u32| [address, 1 << bits | address];
            let mut system = System::new(two, &plan(network, requests), by_class);
            assert!(!system.stops(), "{network}: two classes stopped");
            assert!(system.answered > 20, "{network}: {} answered", system.answered);
        }
        let [asked, answered] = [requests, replies].map(|flows| plan(network, flows));
        let both = if requests == replies { "*>*" } else { &format!("{requests},{replies}") };
        let one = plan(network, both);
        assert!(one.is_deadlock_free(), "{network}");
        assert!(one.deadlock_free_condition().unwrap().contains("each sink takes"));
        let classes = two.topology().flows().unwrap().classes();
        let circle = shared::circle(classes, &[asked.network(), answered.network()], true);
        let stops = System::new(&one, &asked, |_, address| [address; 2]).stops();
        assert_eq!(stops, circle.is_some(), "{network} with one class: {circle:?}");
        stopped += usize::from(stops);
    }
    assert_eq!(stopped, NETWORKS.len());
}

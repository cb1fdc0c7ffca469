//! A system of two processors, a memory and a DMA on a mesh, as such systems hang: the DMA's frames go
//! to a sink that a processor drains between its loads, and the answer of a load stands behind a frame.

use std::collections::VecDeque;
use turnpike_fabric::plan::{FabricPlan, Parameters};
use turnpike_fabric::testing::plan_of;
use turnpike_network::topology::{Terminal, Topology};
use turnpike_sim_network::reference::{Beat, Reference};
use turnpike_sim_network::terminals::TerminalSet;

/// Flits of a frame, more than lie in the queues of its way, and of the answer to a load.
const FRAME: u32 = 64;
const LINE: u32 = 4;
/// Words that a processor's sink of frames holds.
const SINK: u32 = 8;
/// Cycles from a request to the memory's answer.
const LATENCY: u64 = 10;
const CYCLES: u64 = 50_000;
/// Cycles without any move after which the system counts as hung; no part waits so long for a clock.
const STILL: u64 = 200;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Load,
    Store,
    Answer,
    Frame,
}

#[derive(Clone, Copy)]
struct Message {
    kind: Kind,
    from: u32,
    to: u32,
    flits: u32,
}

/// A processor that copies the words of its sink to memory: a load (of its pointer), a word of the sink, a
/// store, and again. It has one request under way, and always takes the answer.
#[derive(Clone, Copy, Default)]
struct Processor {
    address: u32,
    waits_for_answer: bool,
    /// Whether the next request is a store.
    stores: bool,
    /// Words in its sink.
    held: u32,
    copied: u64,
}

/// The system: terminals, and the fabric between them.
struct System<'a> {
    topology: &'a dyn Topology,
    reference: Reference,
    /// Class of each kind of message.
    class_of: fn(Kind) -> u32,
    processors: [Processor; 2],
    memory: u32,
    dma: u32,
    /// Requests at the memory, each with the cycle in which its answer is ready. It takes all: there is
    /// one at most of each processor.
    requests: VecDeque<(Message, u64)>,
    messages: Vec<Message>,
    /// By stream: the packet under way, and its beats that were sent.
    under_way: Vec<Option<(u32, u32)>>,
    frames: u32,
}

impl<'a> System<'a> {
    fn new(plan: &'a FabricPlan, class_of: fn(Kind) -> u32) -> Self {
        let topology = plan.topology();
        let address = |label: &str| {
            let there = |end: &Terminal| topology.place_label(*end) == label;
            topology.address(topology.all_terminals().find(there).unwrap()).0
        };
        let processor = |label| Processor { address: address(label), ..Processor::default() };
        Self {
            topology,
            reference: Reference::new(plan).unwrap(),
            class_of,
            processors: [processor("0_0"), processor("1_0")],
            memory: address("0_1"),
            dma: address("1_1"),
            requests: VecDeque::new(),
            messages: Vec::new(),
            under_way: vec![None; topology.terminals() as usize],
            frames: 0,
        }
    }

    /// Stream of a terminal for messages of a kind.
    fn stream(&self, address: u32, kind: Kind) -> u32 {
        (self.class_of)(kind) << self.topology.address_bits() | address
    }

    /// Offers the next beat of the packet that is under way from a terminal, or the first of `next`.
    /// Returns whether it began.
    fn offer(&mut self, from: u32, kind: Kind, next: Option<Message>) -> bool {
        let stream = self.stream(from, kind);
        let at = stream as usize;
        let begins = self.under_way[at].is_none();
        if begins {
            let Some(message) = next else { return false };
            self.messages.push(message);
            self.under_way[at] = Some((self.messages.len() as u32 - 1, 0));
        }
        let (packet, sent) = self.under_way[at].unwrap();
        let Message { kind, to, flits, .. } = self.messages[packet as usize];
        let (destination, last) = (Terminal(self.stream(to, kind)), sent + 1 == flits);
        if self.reference.offer(stream, Beat { packet, destination, last }) {
            self.under_way[at] = (!last).then_some((packet, sent + 1));
        }
        begins
    }

    fn send(&mut self, cycle: u64) {
        for at in 0..self.processors.len() {
            let Processor { address: from, waits_for_answer, stores, held, .. } =
                self.processors[at];
            let kind = if stores { Kind::Store } else { Kind::Load };
            let next = Message { kind, from, to: self.memory, flits: 1 };
            // A store takes a word of the sink with it.
            let goes = !waits_for_answer && (!stores || held > 0);
            if self.offer(from, kind, goes.then_some(next)) {
                let processor = &mut self.processors[at];
                processor.waits_for_answer = true;
                processor.held -= u32::from(stores);
                processor.copied += u64::from(stores);
            }
        }
        let ready = self.requests.front().filter(|(_, ready)| *ready <= cycle);
        let answer = ready.map(|(Message { kind, from, .. }, _)| Message {
            kind: Kind::Answer,
            from: self.memory,
            to: *from,
            flits: if *kind == Kind::Load { LINE } else { 1 },
        });
        if self.offer(self.memory, Kind::Answer, answer) {
            self.requests.pop_front();
        }
        let to = self.processors[self.frames as usize % 2].address;
        let frame = Message { kind: Kind::Frame, from: self.dma, to, flits: FRAME };
        if self.offer(self.dma, Kind::Frame, Some(frame)) {
            self.frames += 1;
        }
    }

    /// The streams whose sinks take what they are offered in this cycle.
    fn take(&mut self, cycle: u64) -> TerminalSet {
        let mut ready = TerminalSet::none(self.topology.terminals());
        let streams: Vec<Terminal> = self.topology.sinks().collect();
        for Terminal(stream) in streams {
            let Some(flit) = self.reference.m_flit(stream) else { continue };
            let message = self.messages[flit.packet as usize];
            let processor = self.processors.iter_mut().find(|one| one.address == message.to);
            match (message.kind, processor) {
                (Kind::Load | Kind::Store, _) => {
                    self.requests.push_back((message, cycle + LATENCY))
                }
                (Kind::Answer, Some(processor)) if flit.last => {
                    processor.waits_for_answer = false;
                    processor.stores ^= true;
                }
                (Kind::Answer, _) => {}
                (Kind::Frame, Some(processor)) if processor.held < SINK => processor.held += 1,
                (Kind::Frame, _) => continue,
            }
            ready.insert(stream);
        }
        ready
    }

    /// Runs to the end, or until nothing moves any more: the cycle of that.
    fn hangs(&mut self) -> Option<u64> {
        let mut still = 0;
        for cycle in 0..CYCLES {
            self.send(cycle);
            let ready = self.take(cycle);
            self.reference.clock(&ready);
            still = if self.reference.progressed() { 0 } else { still + 1 };
            if still == STILL {
                return Some(cycle);
            }
        }
        None
    }
}

fn plan(flows: &str) -> FabricPlan {
    let plan = plan_of(&format!("mesh 2x2 dimension-order for {flows}"), Parameters::default());
    assert!(plan.is_deadlock_free());
    plan
}

/// One class: the network is free of deadlock, and the system hangs. Its sinks do not take what they are
/// offered, whatever the other terminals do.
#[test]
fn with_one_class_the_system_hangs() {
    let plan = plan("0_0>0_1,1_0>0_1,0_1>0_0,0_1>1_0,1_1>0_0,1_1>1_0");
    assert!(plan.deadlock_free_condition().unwrap().contains("each sink takes"));
    let mut system = System::new(&plan, |_| 0);
    let cycle = system.hangs().expect("the answer of a load stands behind a frame");
    assert!(cycle < 5_000, "hung in cycle {cycle}");
    let waiting = system.processors.iter().filter(|one| one.waits_for_answer && one.held == SINK);
    assert!(waiting.count() > 0, "a processor waits for an answer, and its sink is full");
}

/// Two classes, that of loads after that of frames: the sinks of loads and answers take all, those of
/// frames wait for these alone. It runs.
#[test]
fn with_two_classes_it_runs() {
    let plan = plan("frame:1_1>0_0,frame:1_1>1_0,bus:0_0>0_1,bus:1_0>0_1,bus:0_1>0_0,bus:0_1>1_0");
    assert!(plan.deadlock_free_condition().unwrap().contains("last message class"));
    let mut system = System::new(&plan, |kind| u32::from(kind != Kind::Frame));
    assert_eq!(system.hangs(), None);
    let copied = system.processors.map(|one| one.copied);
    assert!(copied.iter().all(|&words| words > 500), "words copied: {copied:?}");
}

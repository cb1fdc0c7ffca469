//! A second model, as plain as the rules are: every queue a deque, every state named, every
//! (output, VC) looked at in every cycle, the relation asked for every head flit.

use super::Model;
use std::collections::VecDeque;
use turnpike_fabric::plan::FabricPlan;
use turnpike_network::routing::Draw;
use turnpike_network::routing::{Input, Output, Vc};
use turnpike_network::topology::{Node, Terminal};
use turnpike_sim_network::reference::{Beat, Delivery, FlitRef};
use turnpike_sim_network::terminals::TerminalSet;

#[derive(Clone, Copy, Debug)]
struct Flit {
    packet: u32,
    beat: u32,
    last: bool,
    header: u64,
}

#[derive(Clone, Debug)]
struct Arbiter {
    owner: usize,
    locked: bool,
}

struct Switch {
    queues: Vec<VecDeque<Flit>>,
    arbiters: Vec<Arbiter>,
    /// By output port: index of the VC that sent last.
    port_last: Vec<usize>,
}

/// A terminal's side of its injection queue.
#[derive(Clone, Default)]
struct Side {
    stage: Option<Flit>,
    /// Header and next beat of the packet that is coming in.
    open: Option<(u64, u32)>,
    offered: Option<Flit>,
}

pub struct Naive<'a> {
    plan: &'a FabricPlan,
    switches: Vec<Switch>,
    /// By terminal.
    sides: Vec<Side>,
    /// By terminal, how many packets began, refused ones among them.
    begun: Vec<usize>,
    /// Flits on the links, by the cycles until they arrive, with the queue that they go to.
    on_links: VecDeque<Vec<(Node, usize, Flit)>>,
    /// Flits in each queue at the start of this cycle and of those before.
    levels: VecDeque<Vec<Vec<usize>>>,
}

impl<'a> Naive<'a> {
    pub fn new(plan: &'a FabricPlan) -> Self {
        let switch = |node| {
            let switch = plan.switch_of(node);
            Switch {
                queues: vec![VecDeque::new(); switch.queues.len()],
                arbiters: switch
                    .output_vcs
                    .iter()
                    .map(|ov| Arbiter { owner: ov.sources.len() - 1, locked: false })
                    .collect(),
                port_last: switch.outputs.iter().map(|o| o.vcs.len() - 1).collect(),
            }
        };
        let switches = plan.topology().all_nodes().map(switch).collect();
        let terminals = plan.topology().terminals() as usize;
        let (sides, begun) = (vec![Side::default(); terminals], vec![0; terminals]);
        let places = plan.most_link_registers() as usize + 1;
        let on_links = vec![Vec::new(); places].into();
        Self { plan, switches, sides, begun, on_links, levels: VecDeque::new() }
    }

    fn levels_now(&self) -> Vec<Vec<usize>> {
        let levels = |switch: &Switch| switch.queues.iter().map(VecDeque::len).collect();
        self.switches.iter().map(levels).collect()
    }

    /// Flits in a queue of the switch plan.
    pub fn queue_len(&self, node: Node, queue: usize) -> usize {
        self.switches[node.0 as usize].queues[queue].len()
    }

    fn is_registered(&self) -> bool {
        self.plan.registers_injection()
    }

    fn queue_ready(&self, node: Node, input: Input, vc: Vc) -> bool {
        let q = self.queue_index(node, input, vc);
        self.is_ready(self.switches[node.0 as usize].queues[q].len())
    }

    /// Whether the queue at a channel's end was ready so many cycles ago; after a reset it was.
    fn was_ready(&self, node: Node, input: Input, vc: Vc, cycles: u32) -> bool {
        let q = self.queue_index(node, input, vc);
        let levels = self.levels.get(cycles as usize);
        levels.is_none_or(|levels| self.is_ready(levels[node.0 as usize][q]))
    }

    fn is_ready(&self, level: usize) -> bool {
        level < self.plan.parameters.depth as usize
    }

    fn queue_index(&self, node: Node, input: Input, vc: Vc) -> usize {
        let switch = self.plan.switch_of(node);
        let is = |q: &turnpike_fabric::plan::QueuePlan| {
            (switch.inputs[q.input].input, q.vc) == (input, vc)
        };
        switch.queues.iter().position(is).unwrap()
    }

    /// Which output and VC the head of a queue wants, and its header from there on.
    fn wants(&self, node: Node, queue: usize) -> Option<(Output, Vc, u64)> {
        let switch = self.plan.switch_of(node);
        let head = self.switches[node.0 as usize].queues[queue].front()?;
        let q = &switch.queues[queue];
        let input = switch.inputs[q.input].input;
        let hop = self.plan.relation().hop(node, input, q.vc, head.header);
        Some((hop.output, hop.vc, hop.header))
    }

    /// The source (index into its list) that an (output, VC) grants.
    fn grant(&self, node: Node, ov: usize) -> Option<usize> {
        let switch = self.plan.switch_of(node);
        let plan = &switch.output_vcs[ov];
        let output = switch.outputs[plan.output].output;
        let wants = |s: usize| {
            let wanted = self.wants(node, plan.sources[s].queue);
            wanted.is_some_and(|(o, v, _)| (o, v) == (output, plan.vc))
        };
        let arbiter = &self.switches[node.0 as usize].arbiters[ov];
        let n = plan.sources.len();
        match arbiter.locked {
            true => Some(arbiter.owner).filter(|&s| wants(s)),
            false => (1..=n).map(|i| (arbiter.owner + i) % n).find(|&s| wants(s)),
        }
    }

    /// The (output, VC) of an eject port, where packets use it.
    fn eject(&self, node: Node, eject: Output) -> Option<usize> {
        let switch = self.plan.switch_of(node);
        let is_eject =
            |ov: &turnpike_fabric::plan::OutputVcPlan| switch.outputs[ov.output].output == eject;
        switch.output_vcs.iter().position(is_eject)
    }

    /// Whether the injection queue of a terminal is ready; not for one that sends nothing.
    fn inject_ready(&self, terminal: Terminal) -> bool {
        let inject = Input::of(self.plan.topology(), terminal);
        inject.is_some_and(|(node, input)| self.queue_ready(node, input, Vc(0)))
    }
}

impl Model for Naive<'_> {
    fn s_ready(&self, terminal: u32) -> bool {
        if self.plan.topology().source(Terminal(terminal)).is_none() {
            return false;
        }
        let ready = self.inject_ready(Terminal(terminal));
        let stage_full = self.sides[terminal as usize].stage.is_some();
        if self.is_registered() { !stage_full || ready } else { ready }
    }

    fn m_flit(&self, terminal: u32) -> Option<FlitRef> {
        let (node, output) = Output::of(self.plan.topology(), Terminal(terminal))?;
        let eject = self.eject(node, output)?;
        let source = self.grant(node, eject)?;
        let queue = self.plan.switch_of(node).output_vcs[eject].sources[source].queue;
        let flit = self.switches[node.0 as usize].queues[queue].front()?;
        Some(FlitRef { packet: flit.packet, beat: flit.beat, last: flit.last })
    }

    fn offer(&mut self, terminal: u32, beat: Beat) -> bool {
        if !self.s_ready(terminal) {
            return false;
        }
        let relation = self.plan.relation();
        let side = &mut self.sides[terminal as usize];
        let source = Terminal(terminal);
        let (header, index) = side.open.unwrap_or_else(|| {
            // As the generator after so many packets.
            let mut draw = Draw::NONE;
            if let Some(mut generator) = self.plan.generator(source) {
                (0..self.begun[terminal as usize]).for_each(|_| generator.step());
                draw = generator.draw();
            }
            self.begun[terminal as usize] += 1;
            (relation.inject(source, beat.destination, draw), 0)
        });
        side.open = (!beat.last).then_some((header, index + 1));
        let flit = Flit { packet: beat.packet, beat: index, last: beat.last, header };
        side.offered = Some(flit);
        true
    }

    fn clock(&mut self, m_tready: &TerminalSet) -> Vec<Delivery> {
        let topology = self.plan.topology();
        self.levels.push_front(self.levels_now());
        self.levels.truncate(self.on_links.len());
        let mut leaves = Vec::new();
        let mut grants = Vec::new();
        let mut picked = Vec::new();
        for node in topology.all_nodes() {
            let switch = self.plan.switch_of(node);
            for (p, port) in switch.outputs.iter().enumerate() {
                let mut candidates = vec![None; port.vcs.len()];
                for (ov, plan) in switch.output_vcs.iter().enumerate() {
                    if plan.output != p {
                        continue;
                    }
                    let Some(source) = self.grant(node, ov) else { continue };
                    grants.push((node, ov, source));
                    let ready = match port.output {
                        Output::Eject(local) => {
                            m_tready.contains(topology.sink_at(node, local).unwrap().0)
                        }
                        Output::Network(port) => {
                            let (to, input) = topology.channel(node, port).unwrap();
                            let cycles = self.plan.link_registers(node, port);
                            self.was_ready(to, Input::Network(input), plan.vc, cycles)
                        }
                    };
                    let vc = port.vcs.iter().position(|v| *v == plan.vc).unwrap();
                    candidates[vc] = ready.then_some((ov, source));
                }
                let n = candidates.len();
                let last = self.switches[node.0 as usize].port_last[p];
                let turn = (1..=n).map(|i| (last + i) % n).find(|&v| candidates[v].is_some());
                if let Some(vc) = turn {
                    let (ov, source) = candidates[vc].unwrap();
                    picked.push((node, p, vc));
                    leaves.push((node, ov, source));
                }
            }
        }
        let stage_moves: Vec<Terminal> = topology
            .sources()
            .filter(|&source| self.sides[source.0 as usize].stage.is_some())
            .filter(|&source| self.inject_ready(source))
            .collect();

        // The end of the cycle.
        for (node, ov, source) in grants {
            let arbiter = &mut self.switches[node.0 as usize].arbiters[ov];
            *arbiter = Arbiter { owner: source, locked: true };
        }
        for (node, port, vc) in picked {
            self.switches[node.0 as usize].port_last[port] = vc;
        }
        let mut deliveries = Vec::new();
        for (node, ov, source) in leaves {
            let switch = self.plan.switch_of(node);
            let plan = &switch.output_vcs[ov];
            let queue = plan.sources[source].queue;
            let (_, _, header) = self.wants(node, queue).unwrap();
            let state = &mut self.switches[node.0 as usize];
            let flit = state.queues[queue].pop_front().unwrap();
            if flit.last {
                state.arbiters[ov].locked = false;
            }
            match switch.outputs[plan.output].output {
                Output::Eject(local) => {
                    let terminal = topology.sink_at(node, local).unwrap().0;
                    let Flit { packet, beat, last, .. } = flit;
                    let flit = FlitRef { packet, beat, last };
                    deliveries.push(Delivery { terminal, flit });
                }
                Output::Network(port) => {
                    let (to, input) = topology.channel(node, port).unwrap();
                    let queue = self.queue_index(to, Input::Network(input), plan.vc);
                    let cycles = self.plan.link_registers(node, port) as usize;
                    self.on_links[cycles].push((to, queue, Flit { header, ..flit }));
                }
            }
        }
        self.on_links.push_back(Vec::new());
        for (node, queue, flit) in self.on_links.pop_front().unwrap() {
            self.switches[node.0 as usize].queues[queue].push_back(flit);
        }
        for source in stage_moves {
            let (node, input) = Input::of(topology, source).unwrap();
            let queue = self.queue_index(node, input, Vc(0));
            let flit = self.sides[source.0 as usize].stage.take().unwrap();
            self.switches[node.0 as usize].queues[queue].push_back(flit);
        }
        for source in topology.sources() {
            let (node, input) = Input::of(topology, source).unwrap();
            let queue = self.queue_index(node, input, Vc(0));
            let registered = self.is_registered();
            let side = &mut self.sides[source.0 as usize];
            if let Some(flit) = side.offered.take() {
                if registered {
                    assert!(side.stage.replace(flit).is_none());
                } else {
                    self.switches[node.0 as usize].queues[queue].push_back(flit);
                }
            }
        }
        deliveries.sort_by_key(|delivery| delivery.terminal);
        for node in topology.all_nodes() {
            let switch = self.plan.switch_of(node);
            for (queue, plan) in self.switches[node.0 as usize].queues.iter().zip(&switch.queues) {
                assert!(queue.len() <= self.plan.queue_size(switch, plan).depth as usize);
            }
        }
        deliveries
    }
}

//! The plan as flat tables: what the model reads in every cycle.

use super::ReferenceError;
use super::fields::{Fields, OutputSet, WORD};
use crate::terminals::TerminalSet;
use std::collections::HashMap;
use turnpike_fabric::plan::{FabricPlan, SwitchPlan};
use turnpike_network::flows::Flows;
use turnpike_network::routing::{Input, Output, Vc};
use turnpike_network::topology::{Local, Node, Port, Terminal};

/// No queue, no (output, VC).
pub(super) const NONE: u8 = u8::MAX;
/// Nodes beyond which tables are read ahead: queues and outputs of several megabytes.
const LARGE: usize = 1 << 13;
pub(super) const NO_LINK: u32 = u32::MAX;
/// Queues, and (output, VC)s, that a switch may have: a bit each in a word.
pub(super) const MOST: usize = 64;

/// One switch class.
#[derive(Debug)]
pub(super) struct ClassLayout {
    /// Input and VC of each queue.
    pub queues: Vec<(Input, Vc)>,
    /// The (output, VC)s of the same port, as bits, by (output, VC).
    pub port_mask: Vec<u64>,
    /// By (output, VC), those of the same port as bits, by their priority: those that go first first.
    levels: Vec<Vec<u64>>,
    /// The queue of the last source of each (output, VC): the arbiter's first owner.
    pub last_source: Vec<u8>,
    /// The injection queue of each inject port, or [`NONE`].
    injects: Vec<u8>,
    /// The (output, VC) of each eject port, or [`NONE`].
    ejects: Vec<u8>,
    /// The (output, VC)s of the eject ports, as bits.
    pub eject_mask: u64,
    /// (output, VC) by network port and VC: `port * vcs + vc`.
    by_port: Vec<u8>,
    vcs: usize,
}

impl ClassLayout {
    fn new(plan: &FabricPlan, switch: &SwitchPlan) -> Result<Self, ReferenceError> {
        let (queues, output_vcs) = (&switch.queues, &switch.output_vcs);
        if queues.len() > MOST || output_vcs.len() > MOST {
            let count = queues.len().max(output_vcs.len());
            return Err(ReferenceError::Size { switch: switch.name.clone(), count });
        }
        let vcs = usize::from(plan.relation().vcs());
        let mut layout = Self {
            queues: queues.iter().map(|q| (switch.inputs[q.input].input, q.vc)).collect(),
            port_mask: Vec::new(),
            levels: Vec::new(),
            last_source: Vec::new(),
            injects: Vec::new(),
            ejects: Vec::new(),
            eject_mask: 0,
            by_port: vec![NONE; usize::from(plan.topology().ports()) * vcs],
            vcs,
        };
        for (i, (input, _)) in layout.queues.iter().enumerate() {
            if let Input::Inject(local) = input {
                put(&mut layout.injects, *local, i as u8);
            }
        }
        for (i, ov) in output_vcs.iter().enumerate() {
            let same = |o: &_| -> bool { ov.output == *o };
            let mask = output_vcs.iter().enumerate().filter(|(_, o)| same(&o.output));
            layout.port_mask.push(mask.fold(0, |m, (j, _)| m | 1 << j));
            let bits = |level: Vec<usize>| level.into_iter().fold(0, |mask, j| mask | 1 << j);
            layout.levels.push(switch.by_priority(ov.output).into_iter().map(bits).collect());
            // Masks stand for source lists, which holds only where those ascend.
            let ascends = ov.sources.windows(2).all(|pair| pair[0].queue < pair[1].queue);
            let Some(last) = ov.sources.last().filter(|_| ascends) else {
                let output = ov.name.clone();
                return Err(ReferenceError::Sources { switch: switch.name.clone(), output });
            };
            layout.last_source.push(last.queue as u8);
            match switch.outputs[ov.output].output {
                Output::Eject(local) => {
                    put(&mut layout.ejects, local, i as u8);
                    layout.eject_mask |= 1 << i;
                }
                Output::Network(port) => {
                    layout.by_port[usize::from(port.0) * vcs + usize::from(ov.vc.0)] = i as u8;
                }
            }
        }
        Ok(layout)
    }

    /// The (output, VC) of a hop; [`NONE`] where the switch was not built with it.
    #[inline]
    pub fn output_vc(&self, output: Output, vc: Vc) -> u8 {
        match output {
            Output::Eject(local) => self.ejects.get(usize::from(local.0)).copied().unwrap_or(NONE),
            Output::Network(port) => {
                let at = usize::from(port.0) * self.vcs + usize::from(vc.0);
                self.by_port.get(at).copied().unwrap_or(NONE)
            }
        }
    }
}

impl ClassLayout {
    /// The (output, VC)s that take turns with one of these, as bits: of those of a port of the highest priority.
    pub fn first_level(&self, mask: u64) -> u64 {
        let levels = self.levels.get(mask.trailing_zeros() as usize);
        let first = levels.and_then(|levels| levels.iter().find(|&&level| level & mask != 0));
        first.copied().unwrap_or(0)
    }
}

/// The (output, VC)s of the same port, as bits of their word.
fn port(fields: Fields, class: &ClassLayout, output_vc: usize) -> u64 {
    let index = fields.index(output_vc);
    class.port_mask.get(index).map_or(0, |mask| mask << ((output_vc - index) % WORD))
}

/// Notes the place of a local port.
fn put(places: &mut Vec<u8>, local: Local, place: u8) {
    let at = usize::from(local.0);
    places.resize(places.len().max(at + 1), NONE);
    places[at] = place;
}

/// Every switch.
#[derive(Debug)]
pub(super) struct Layout {
    pub nodes: usize,
    /// Whether the tables are far larger than what a core has at hand.
    pub is_large: bool,
    /// Fewest nodes of a part, where there are several: smaller ones spend more time on the exchange than they gain.
    pub least_part: usize,
    /// Addresses of terminals.
    pub terminals: u32,
    /// By terminal: its injection queue, or [`NO_LINK`].
    injects: Vec<u32>,
    /// By terminal: the (output, VC) of its eject port, or [`NO_LINK`].
    ejects: Vec<u32>,
    /// The terminals that take packets.
    sinks: TerminalSet,
    /// Flows that the fabric is for; `None` where packets go from all to all.
    flows: Option<Flows>,
    pub classes: Vec<ClassLayout>,
    /// Class by node; empty where there is one class.
    class_of: Vec<u16>,
    /// By place in a word of switches of the first class, the (output, VC)s of the same port, as bits of the
    /// word. Read where there is no other class.
    ports: [u64; WORD],
    /// Numbers of queues, and of (output, VC)s, in the flat tables.
    pub fields: Fields,
    /// Queues, and (output, VC)s, of the largest class.
    pub queue_stride: usize,
    pub output_stride: usize,
    /// Bits of the longest header that a flit carries.
    pub header_bits: u32,
    /// The (output, VC)s of the eject ports.
    pub ejecting: OutputSet,
    /// Whether any port has several VCs.
    pub shares_ports: bool,
    /// Whether any port has VCs of unlike priorities.
    has_priorities: bool,
}

/// Bits of the longest header that a flit carries.
pub(super) fn header_bits(plan: &FabricPlan) -> u32 {
    let ports = (0..plan.topology().ports()).map(|port| Input::Network(Port(port)));
    let inputs = ports.chain([Input::INJECT]);
    inputs.map(|input| plan.relation().header_bits(input)).max().unwrap_or(0)
}

/// Every channel.
#[derive(Debug)]
pub(super) struct Links {
    /// By (output, VC): the queue at the channel's end, or [`NO_LINK`]; of an eject port, the
    /// terminal.
    pub downstream: Vec<u32>,
    /// By queue: the (output, VC) that fills it, or [`NO_LINK`].
    pub upstream: Vec<u32>,
}

impl Layout {
    pub fn new(plan: &FabricPlan) -> Result<Self, ReferenceError> {
        let topology = plan.topology();
        let nodes = topology.nodes() as usize;
        let classes: Vec<ClassLayout> =
            plan.switches.iter().map(|s| ClassLayout::new(plan, s)).collect::<Result<_, _>>()?;
        if classes.len() > 1 << 16 || nodes > 1 << 26 {
            return Err(ReferenceError::Fabric { nodes, classes: classes.len() });
        }
        let class_of = match classes.len() {
            1 => Vec::new(),
            _ => topology.all_nodes().map(|n| plan.class_of(n) as u16).collect(),
        };
        let queue_stride = classes.iter().map(|c| c.queues.len()).max().unwrap_or(0);
        let output_stride = classes.iter().map(|c| c.port_mask.len()).max().unwrap_or(0);
        let terminals = topology.terminals();
        let mut sinks = TerminalSet::none(terminals);
        for sink in topology.sinks() {
            sinks.insert(sink.0);
        }
        let fields = Fields::new(queue_stride.max(output_stride));
        let class = |node| &classes[plan.class_of(node)];
        let place = |node: Node, at: Option<&u8>| match at {
            Some(&at) if at != NONE => fields.at(node.0 as usize, usize::from(at)) as u32,
            _ => NO_LINK,
        };
        let inject = |terminal| {
            let at = topology.source(terminal);
            at.map_or(NO_LINK, |(node, local)| {
                place(node, class(node).injects.get(usize::from(local.0)))
            })
        };
        let eject = |terminal| {
            let at = topology.sink(terminal);
            at.map_or(NO_LINK, |(node, local)| {
                place(node, class(node).ejects.get(usize::from(local.0)))
            })
        };
        let injects = (0..terminals).map(Terminal).map(inject).collect();
        let ejects: Vec<u32> = (0..terminals).map(Terminal).map(eject).collect();
        let mut ejecting = OutputSet::none(fields, nodes);
        for &eject in ejects.iter().filter(|&&eject| eject != NO_LINK) {
            ejecting.insert(eject as usize);
        }
        let shares = |class: &ClassLayout| class.port_mask.iter().any(|mask| mask.count_ones() > 1);
        let ports =
            std::array::from_fn(|at| classes.first().map_or(0, |class| port(fields, class, at)));
        Ok(Self {
            nodes,
            is_large: nodes > LARGE,
            least_part: LARGE / 2,
            terminals,
            ejecting,
            shares_ports: classes.iter().any(shares),
            has_priorities: classes.iter().any(|class| class.levels.iter().any(|l| l.len() > 1)),
            fields,
            injects,
            ejects,
            sinks,
            flows: topology.flows().cloned(),
            classes,
            class_of,
            ports,
            queue_stride,
            output_stride,
            header_bits: header_bits(plan),
        })
    }

    pub fn links(&self, plan: &FabricPlan) -> Result<Links, ReferenceError> {
        let topology = plan.topology();
        let mut links = Links {
            downstream: vec![NO_LINK; self.fields.all(self.nodes)],
            upstream: vec![NO_LINK; self.fields.all(self.nodes)],
        };
        let queue_at: Vec<HashMap<(Input, Vc), usize>> = self
            .classes
            .iter()
            .map(|c| c.queues.iter().enumerate().map(|(i, &key)| (key, i)).collect())
            .collect();
        for (terminal, &eject) in (0..).zip(&self.ejects).filter(|(_, eject)| **eject != NO_LINK) {
            links.downstream[eject as usize] = terminal;
        }
        for from in topology.all_nodes() {
            let switch = plan.switch_of(from);
            for (i, ov) in switch.output_vcs.iter().enumerate() {
                let Output::Network(port) = switch.outputs[ov.output].output else { continue };
                let end = topology.channel(from, port).and_then(|(to, input)| {
                    let queues = &queue_at[self.class_index(to.0 as usize)];
                    Some((to, *queues.get(&(Input::Network(input), ov.vc))?))
                });
                let Some((to, queue)) = end else {
                    let (node, output) = (topology.label(from), ov.name.clone());
                    return Err(ReferenceError::Channel { node, output });
                };
                let output = self.fields.at(from.0 as usize, i);
                let queue = self.fields.at(to.0 as usize, queue);
                links.downstream[output] = queue as u32;
                links.upstream[queue] = output as u32;
            }
        }
        Ok(links)
    }

    /// Registers of the network's own on the channel of an (output, VC).
    pub fn delay(&self, plan: &FabricPlan, output_vc: usize) -> u32 {
        let node = Node(self.fields.switch(output_vc) as u32);
        let switch = plan.switch_of(node);
        let output = switch.output_vcs.get(self.fields.index(output_vc));
        match output.map(|ov| switch.outputs[ov.output].output) {
            Some(Output::Network(port)) => plan.topology().delay(node, port),
            _ => 0,
        }
    }

    #[inline]
    pub fn class_index(&self, node: usize) -> usize {
        match self.class_of.is_empty() {
            true => 0,
            false => usize::from(self.class_of[node]),
        }
    }

    #[inline]
    pub fn class(&self, node: usize) -> &ClassLayout {
        &self.classes[self.class_index(node)]
    }

    /// The (output, VC)s of the same port as this one, as bits of their word.
    #[inline(always)]
    pub fn port(&self, output_vc: usize) -> u64 {
        match self.class_of.is_empty() {
            true => self.ports[output_vc % WORD],
            false => port(self.fields, self.class(self.fields.switch(output_vc)), output_vc),
        }
    }

    /// The (output, VC)s that take turns, of those of a port that could send, as bits of their word: where
    /// none has a priority, all of the port.
    #[inline(always)]
    pub fn turns(&self, first: usize, port: u64, candidates: u64) -> u64 {
        if self.has_priorities { self.first_level(first, port & candidates) } else { port }
    }

    fn first_level(&self, first: usize, here: u64) -> u64 {
        let output_vc = first + here.trailing_zeros() as usize;
        let base = (output_vc - self.fields.index(output_vc)) % WORD;
        self.class(self.fields.switch(output_vc)).first_level(here >> base) << base
    }

    /// The number of a queue in a table by class and queue.
    #[inline]
    pub fn of_class(&self, queue: usize) -> usize {
        match self.class_of.is_empty() {
            true => self.fields.index(queue),
            false => {
                let class = self.class_of[self.fields.switch(queue)];
                self.fields.at(usize::from(class), self.fields.index(queue))
            }
        }
    }

    /// The injection queue of a terminal; `None` for one that sends nothing, or is none.
    #[inline]
    pub fn inject(&self, terminal: u32) -> Option<usize> {
        let queue = self.injects.get(terminal as usize).copied();
        queue.filter(|&queue| queue != NO_LINK).map(|queue| queue as usize)
    }

    /// The (output, VC) of the eject port of a terminal; `None` for one that takes nothing, or is
    /// none.
    #[inline]
    pub fn eject(&self, terminal: u32) -> Option<usize> {
        let output = self.ejects.get(terminal as usize).copied();
        output.filter(|&output| output != NO_LINK).map(|output| output as usize)
    }

    /// Whether packets of a terminal may go to an address.
    pub fn sends_to(&self, source: Terminal, address: Terminal) -> bool {
        let flow = || self.flows.as_ref().is_none_or(|f| f.between(source, address).is_some());
        self.sinks.contains(address.0) && flow()
    }
}

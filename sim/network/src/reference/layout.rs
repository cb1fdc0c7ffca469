//! The plan as flat tables: what the model reads in every cycle.

use super::ReferenceError;
use crate::terminals::TerminalSet;
use std::collections::HashMap;
use turnpike_fabric::plan::{FabricPlan, SwitchPlan};
use turnpike_network::routing::{Input, Output, Vc};
use turnpike_network::topology::{Local, Node, Terminal};

/// No queue, no (output, VC).
pub(super) const NONE: u8 = u8::MAX;
/// No link.
pub(super) const NO_LINK: u32 = u32::MAX;
/// Queues, and (output, VC)s, that a switch may have: a bit each in a word.
pub(super) const MOST: usize = 64;

/// A place at a node, packed: the node in the upper 26 bits, the index in the lower 6.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place(pub u32);

impl Place {
    pub fn new(node: u32, index: usize) -> Self {
        Self(node << 6 | index as u32)
    }
    #[inline]
    pub fn node(self) -> usize {
        (self.0 >> 6) as usize
    }
    #[inline]
    pub fn index(self) -> usize {
        (self.0 & 63) as usize
    }
}

/// One switch class.
#[derive(Debug)]
pub(super) struct ClassLayout {
    /// Input and VC of each queue.
    pub queues: Vec<(Input, Vc)>,
    /// The (output, VC)s of the same port, as bits, by (output, VC).
    pub port_mask: Vec<u64>,
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
    /// Addresses of terminals.
    pub terminals: u32,
    /// By terminal: the [`Place`] of its injection queue, or [`NO_LINK`].
    injects: Vec<u32>,
    /// By terminal: the [`Place`] of the (output, VC) of its eject port, or [`NO_LINK`].
    ejects: Vec<u32>,
    /// The terminals that take packets.
    sinks: TerminalSet,
    pub classes: Vec<ClassLayout>,
    /// Class by node; empty where there is one class.
    class_of: Vec<u16>,
    /// Queues, and (output, VC)s, per node in the flat tables: those of the largest class.
    pub queue_stride: usize,
    pub output_stride: usize,
}

/// Every channel.
#[derive(Debug)]
pub(super) struct Links {
    /// By (output, VC): the [`Place`] of the queue at the channel's end, or [`NO_LINK`]; of an
    /// eject port, the terminal.
    pub downstream: Vec<u32>,
    /// By queue: the [`Place`] of the (output, VC) that fills it, or [`NO_LINK`].
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
        topology.sinks().for_each(|sink| sinks.insert(sink.0));
        let class = |node| &classes[plan.class_of(node)];
        let place = |node: Node, at: Option<&u8>| match at {
            Some(&at) if at != NONE => Place::new(node.0, usize::from(at)).0,
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
        let ejects = (0..terminals).map(Terminal).map(eject).collect();
        Ok(Self {
            nodes,
            terminals,
            injects,
            ejects,
            sinks,
            classes,
            class_of,
            queue_stride,
            output_stride,
        })
    }

    pub fn links(&self, plan: &FabricPlan) -> Result<Links, ReferenceError> {
        let topology = plan.topology();
        let mut links = Links {
            downstream: vec![NO_LINK; self.nodes * self.output_stride],
            upstream: vec![NO_LINK; self.nodes * self.queue_stride],
        };
        let queue_at: Vec<HashMap<(Input, Vc), usize>> = self
            .classes
            .iter()
            .map(|c| c.queues.iter().enumerate().map(|(i, &key)| (key, i)).collect())
            .collect();
        for (terminal, &eject) in (0..).zip(&self.ejects).filter(|(_, eject)| **eject != NO_LINK) {
            let place = Place(eject);
            links.downstream[place.node() * self.output_stride + place.index()] = terminal;
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
                links.downstream[from.0 as usize * self.output_stride + i] =
                    Place::new(to.0, queue).0;
                links.upstream[to.0 as usize * self.queue_stride + queue] = Place::new(from.0, i).0;
            }
        }
        Ok(links)
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

    /// The injection queue of a terminal; `None` for one that sends nothing, or is none.
    #[inline]
    pub fn inject(&self, terminal: u32) -> Option<Place> {
        self.injects.get(terminal as usize).copied().filter(|&at| at != NO_LINK).map(Place)
    }

    /// The same in the flat tables.
    #[inline]
    pub fn inject_queue(&self, terminal: u32) -> Option<usize> {
        self.inject(terminal).map(|at| at.node() * self.queue_stride + at.index())
    }

    /// The (output, VC) of the eject port of a terminal; `None` for one that takes nothing, or is
    /// none.
    #[inline]
    pub fn eject(&self, terminal: u32) -> Option<Place> {
        self.ejects.get(terminal as usize).copied().filter(|&at| at != NO_LINK).map(Place)
    }

    /// Whether an address is that of a terminal that takes packets.
    pub fn is_sink(&self, address: Terminal) -> bool {
        self.sinks.contains(address.0)
    }
}

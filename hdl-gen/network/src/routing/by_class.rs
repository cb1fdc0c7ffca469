//! A relation for each message class, each on virtual channels of its own, or in a network of its own
//! ([`crate::topology::classed`]): no class waits for a channel of another.

use super::choice::{Choice, Choices};
use super::{
    ChannelOrder, Draw, Header, HeaderUpdate, Hop, Injection, Input, MAX_VCS, Output, Relation,
    RouteLogic, RoutingError, RoutingFunction, Rule, Select, Vc,
};
use crate::flows::Flows;
use crate::topology::{Local, Node, Port, Terminal, Topology};
use std::sync::Arc;

/// Relations by class.
#[derive(Debug)]
struct ByClass {
    /// By class: its relation, and the first of its virtual channels.
    classes: Vec<(Relation, u8)>,
    /// Bits of an address: the number of a class stands above them in that of a stream.
    address_bits: u32,
    /// Nodes of each network, where each class has its own.
    nodes: Option<u32>,
}

/// The relations of the classes, in their order, as one: of a network with so many bits of an address.
/// Relations of one kind: all of them with choices or none, all with escape channels or none.
///
/// # Errors
/// [`RoutingError`] for more virtual channels than there may be.
pub fn by_class(
    topology: &dyn Topology,
    relations: Vec<Relation>,
) -> Result<Relation, RoutingError> {
    let name = relations.first().map_or("", Relation::name).to_owned();
    let uniform = relations.iter().all(Relation::has_uniform_headers);
    let chooses = relations.iter().all(|relation| relation.choices().is_some());
    let has_escape = relations.iter().all(Relation::has_escape);
    // Draws are powers of two: a class of fewer goes by the low bits.
    let draws = relations.iter().map(Relation::draw_count).max().unwrap_or(1);
    let seed = relations.iter().find_map(Relation::route_seed);
    let phases = relations.first().and_then(|relation| relation.phases.clone());
    let intermediate = relations.first().and_then(|relation| relation.intermediate.clone());
    let is_separate = topology.flows().is_some_and(Flows::are_separate);
    let nodes = is_separate.then(|| topology.nodes() / relations.len().max(1) as u32);
    let priority = |class: usize| match topology.flows().filter(|flows| flows.have_priorities()) {
        Some(flows) => flows.classes()[class].priority,
        None => 0,
    };
    let mut priorities = Vec::new();
    let mut legend = Vec::new();
    let mut classes = Vec::new();
    let (mut vcs, mut most) = (0u32, 0u32);
    for (class, relation) in relations.into_iter().enumerate() {
        for line in relation.header_legend() {
            if !legend.contains(line) {
                legend.push(line.clone());
            }
        }
        let first = if is_separate { 0 } else { vcs };
        vcs = first + u32::from(relation.vcs());
        most = most.max(vcs);
        priorities.resize(most as usize, priority(class));
        let to = vcs - 1;
        match first == to {
            _ if is_separate => {}
            true => legend.push(format!("Message class {class} has VC {first}.")),
            false => legend.push(format!("Message class {class} has VCs {first} to {to}.")),
        }
        classes.push((relation, first.min(u32::from(u8::MAX)) as u8));
    }
    if most > u32::from(MAX_VCS) {
        return Err(RoutingError::too_many_vcs(topology, &name, most, MAX_VCS));
    }
    let parts = ByClass { classes, address_bits: topology.address_bits(), nodes };
    let parts = Arc::new(parts);
    let mut relation = Relation::new(&name, ChannelOrder::default(), legend, parts.clone());
    if chooses {
        relation = relation.with_choices(parts, has_escape);
    }
    (relation.phases, relation.intermediate) = (phases, intermediate);
    let relation = relation.with_draws(draws).with_route_seed(seed).with_priorities(priorities);
    Ok(relation.with_vcs(most as u8).with_uniform_headers(uniform))
}

impl ByClass {
    /// Streams at a local port of a network without classes.
    fn count(&self) -> u8 {
        if self.nodes.is_some() { 1 } else { self.classes.len() as u8 }
    }

    /// Relation of a stream, and its terminal.
    fn of_terminal(&self, terminal: Terminal) -> (&Relation, Terminal) {
        let class = (terminal.0 >> self.address_bits) as usize;
        (&self.classes[class].0, self.plain(terminal))
    }

    fn plain(&self, terminal: Terminal) -> Terminal {
        Terminal(terminal.0 & ((1 << self.address_bits) - 1))
    }

    /// Class of the packets of a queue, and the node and queue as its relation sees them.
    fn of_queue(&self, node: Node, input: Input, vc: Vc) -> (u8, Node, Input, Vc) {
        if let Some(nodes) = self.nodes {
            return ((node.0 / nodes) as u8, Node(node.0 % nodes), input, vc);
        }
        let (class, input, vc) = self.of_shared_queue(input, vc);
        (class, node, input, vc)
    }

    /// Class of the packets of a queue that classes share, and the queue as its relation sees it.
    fn of_shared_queue(&self, input: Input, vc: Vc) -> (u8, Input, Vc) {
        match input {
            Input::Inject(Local(local)) => {
                let (class, local) = (local % self.count(), local / self.count());
                (class, Input::Inject(Local(local)), Vc(0))
            }
            Input::Network(_) => {
                let above = self.classes.partition_point(|&(_, first)| first <= vc.0);
                let class = above.saturating_sub(1);
                (class as u8, input, Vc(vc.0 - self.classes[class].1))
            }
        }
    }

    fn relation(&self, class: u8) -> &Relation {
        &self.classes[usize::from(class)].0
    }

    /// An output and virtual channel of a class, as the network has them.
    fn way(&self, class: u8, output: Output, vc: Vc) -> (Output, Vc) {
        match output {
            Output::Network(_) => (output, Vc(vc.0 + self.classes[usize::from(class)].1)),
            Output::Eject(_) => (self.eject(class, output), Vc(0)),
        }
    }
}

impl ByClass {
    /// An eject port of a class, as the network has it.
    fn eject(&self, class: u8, output: Output) -> Output {
        match (output, self.nodes) {
            (Output::Eject(Local(local)), None) => {
                Output::Eject(Local(local * self.count() + class))
            }
            _ => output,
        }
    }
}

impl RoutingFunction for ByClass {
    fn inject(&self, source: Terminal, destination: Terminal, draw: Draw) -> Header {
        let (relation, source) = self.of_terminal(source);
        relation.inject(source, self.plain(destination), Draw(draw.0 % relation.draw_count()))
    }
    fn hop(&self, node: Node, input: Input, vc: Vc, header: Header) -> Hop {
        let (class, node, input, vc) = self.of_queue(node, input, vc);
        let hop = self.relation(class).hop(node, input, vc, header);
        let (output, vc) = self.way(class, hop.output, hop.vc);
        Hop { output, vc, ..hop }
    }
    fn output_vc(&self, node: Node, input: Input, vc: Vc, output: Output) -> Vc {
        let (class, node, input, vc) = self.of_queue(node, input, vc);
        let plain = match output {
            Output::Network(_) => output,
            Output::Eject(Local(local)) => Output::Eject(Local(local / self.count())),
        };
        let vc = self.relation(class).output_vc(node, input, vc, plain);
        self.way(class, plain, vc).1
    }
}

impl RouteLogic for ByClass {
    fn header_bits(&self, input: Input) -> u32 {
        let plain = match input {
            Input::Inject(Local(local)) => Input::Inject(Local(local / self.count())),
            Input::Network(_) => input,
        };
        let bits = self.classes.iter().map(|(relation, _)| relation.header_bits(plain));
        bits.max().unwrap_or(0)
    }
    fn injection(&self, source: Terminal) -> Injection {
        let (relation, source) = self.of_terminal(source);
        relation.injection(source)
    }
    fn select(&self, node: Node, input: Input, vc: Vc) -> Select {
        let (class, node, input, vc) = self.of_queue(node, input, vc);
        let mut select = self.relation(class).select(node, input, vc);
        // The number in the header picks the eject port.
        let by_number = matches!(select, Select::Concentrated { .. });
        for way in select.ways_mut().filter(|way| !by_number || !way.output.is_eject()) {
            let (output, vc) = self.way(class, way.output, way.vc.unwrap_or(Vc(0)));
            way.vc = way.vc.map(|_| vc);
            way.output = output;
        }
        if let Select::Concentrated { number, .. } = &mut select {
            let Output::Eject(Local(first)) = self.eject(class, Output::EJECT) else {
                return select;
            };
            (number.first, number.stride) = (first, self.count());
            return select;
        }
        if self.eject(class, Output::EJECT) == Output::EJECT {
            return select;
        }
        // Where no rule holds packets leave by the first eject port, which is that of the first class.
        select.with_rules(|mut rules, _| {
            let (output, _) = self.way(class, Output::EJECT, Vc(0));
            rules.push(Rule::to(0, 0, output.into()));
            (rules, false)
        })
    }
    fn carry(&self, node: Node, input: Input, vc: Vc, (port, to): (Port, Vc)) -> HeaderUpdate {
        let (class, node, input, vc) = self.of_queue(node, input, vc);
        // A turn to a channel of another class is taken by no packet.
        let to = Vc(to.0.saturating_sub(self.classes[usize::from(class)].1));
        self.relation(class).carry(node, input, vc, (port, to))
    }
}

impl ByClass {
    fn choices(&self, class: u8) -> &dyn Choices {
        self.relation(class).choices().expect("asked of relations that have them")
    }
}

impl Choices for ByClass {
    fn hops(&self, node: Node, input: Input, vc: Vc, header: Header) -> Vec<Hop> {
        let (class, node, input, vc) = self.of_queue(node, input, vc);
        let mut hops = self.choices(class).hops(node, input, vc, header);
        for hop in &mut hops {
            (hop.output, hop.vc) = self.way(class, hop.output, hop.vc);
        }
        hops
    }
    fn choice(&self, node: Node, input: Input, vc: Vc) -> Choice {
        let (class, node, input, vc) = self.of_queue(node, input, vc);
        let mut choice = self.choices(class).choice(node, input, vc);
        for way in &mut choice.ways {
            (_, way.vc) = self.way(class, Output::Network(way.port), way.vc);
        }
        choice
    }
    fn adaptive_vc(&self, input: Input, vc: Vc) -> Option<Vc> {
        // Networks side by side have their adaptive virtual channels alike.
        let (class, input, vc) = match self.nodes {
            Some(_) => (0, input, vc),
            None => self.of_shared_queue(input, vc),
        };
        let own = self.choices(class).adaptive_vc(input, vc)?;
        Some(self.way(class, Output::Network(Port(0)), own).1)
    }
}

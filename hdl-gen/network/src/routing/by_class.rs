//! A relation for each message class, each on virtual channels of its own
//! ([`crate::topology::classed`]): no class waits for a channel of another.

use super::choice::{Choice, Choices};
use super::{
    ChannelOrder, Draw, Header, HeaderUpdate, Hop, Injection, Input, MAX_VCS, Output, Relation,
    RouteLogic, RoutingError, RoutingFunction, Rule, Select, Vc,
};
use crate::topology::{Local, Node, Port, Terminal, Topology};
use std::sync::Arc;

/// Relations by class.
#[derive(Debug)]
struct ByClass {
    /// By class: its relation, and the first of its virtual channels.
    classes: Vec<(Relation, u8)>,
    /// Bits of an address: the number of a class stands above them in that of a stream.
    address_bits: u32,
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
    let mut legend = Vec::new();
    let mut classes = Vec::new();
    let mut vcs = 0u32;
    for (class, relation) in relations.into_iter().enumerate() {
        for line in relation.header_legend() {
            if !legend.contains(line) {
                legend.push(line.clone());
            }
        }
        let first = vcs;
        vcs += u32::from(relation.vcs());
        let to = vcs - 1;
        legend.push(match first == to {
            true => format!("Message class {class} has VC {first}."),
            false => format!("Message class {class} has VCs {first} to {to}."),
        });
        classes.push((relation, first.min(u32::from(u8::MAX)) as u8));
    }
    if vcs > u32::from(MAX_VCS) {
        return Err(RoutingError::too_many_vcs(topology, &name, vcs, MAX_VCS));
    }
    let parts = ByClass { classes, address_bits: topology.address_bits() };
    let parts = Arc::new(parts);
    let mut relation = Relation::new(&name, ChannelOrder::default(), legend, parts.clone());
    if chooses {
        relation = relation.with_choices(parts, has_escape);
    }
    (relation.phases, relation.intermediate) = (phases, intermediate);
    let relation = relation.with_draws(draws).with_route_seed(seed);
    Ok(relation.with_vcs(vcs as u8).with_uniform_headers(uniform))
}

impl ByClass {
    fn count(&self) -> u8 {
        self.classes.len() as u8
    }

    /// Relation of a stream, and its terminal.
    fn of_terminal(&self, terminal: Terminal) -> (&Relation, Terminal) {
        let class = (terminal.0 >> self.address_bits) as usize;
        (&self.classes[class].0, self.plain(terminal))
    }

    fn plain(&self, terminal: Terminal) -> Terminal {
        Terminal(terminal.0 & ((1 << self.address_bits) - 1))
    }

    /// Class of the packets of a queue, and the queue as its relation sees it.
    fn of_queue(&self, input: Input, vc: Vc) -> (u8, Input, Vc) {
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
            Output::Eject(Local(local)) => {
                (Output::Eject(Local(local * self.count() + class)), Vc(0))
            }
        }
    }
}

impl RoutingFunction for ByClass {
    fn inject(&self, source: Terminal, destination: Terminal, draw: Draw) -> Header {
        let (relation, source) = self.of_terminal(source);
        relation.inject(source, self.plain(destination), Draw(draw.0 % relation.draw_count()))
    }
    fn hop(&self, node: Node, input: Input, vc: Vc, header: Header) -> Hop {
        let (class, input, vc) = self.of_queue(input, vc);
        let hop = self.relation(class).hop(node, input, vc, header);
        let (output, vc) = self.way(class, hop.output, hop.vc);
        Hop { output, vc, ..hop }
    }
    fn output_vc(&self, node: Node, input: Input, vc: Vc, output: Output) -> Vc {
        let (class, input, vc) = self.of_queue(input, vc);
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
        let (class, input, vc) = self.of_queue(input, vc);
        let mut select = self.relation(class).select(node, input, vc);
        // The number in the header picks the eject port.
        let by_number = matches!(select, Select::Concentrated { .. });
        for way in select.ways_mut().filter(|way| !by_number || !way.output.is_eject()) {
            let (output, vc) = self.way(class, way.output, way.vc.unwrap_or(Vc(0)));
            way.vc = way.vc.map(|_| vc);
            way.output = output;
        }
        if let Select::Concentrated { number, .. } = &mut select {
            (number.first, number.stride) = (class, self.count());
            return select;
        }
        if class == 0 {
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
        let (class, input, vc) = self.of_queue(input, vc);
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
        let (class, input, vc) = self.of_queue(input, vc);
        let mut hops = self.choices(class).hops(node, input, vc, header);
        for hop in &mut hops {
            (hop.output, hop.vc) = self.way(class, hop.output, hop.vc);
        }
        hops
    }
    fn choice(&self, node: Node, input: Input, vc: Vc) -> Choice {
        let (class, input, vc) = self.of_queue(input, vc);
        let mut choice = self.choices(class).choice(node, input, vc);
        for way in &mut choice.ways {
            (_, way.vc) = self.way(class, Output::Network(way.port), way.vc);
        }
        choice
    }
    fn adaptive_vc(&self, input: Input, vc: Vc) -> Option<Vc> {
        let (class, input, vc) = self.of_queue(input, vc);
        let own = self.choices(class).adaptive_vc(input, vc)?;
        Some(self.way(class, Output::Network(Port(0)), own).1)
    }
}

//! Several virtual channels in place of one: a relation whose packets take any that is free.
//!
//! Virtual channels against deadlock come in *resource classes* (Dally and Towles, Principles and Practices of
//! Interconnection Networks, 2004, section 14.2): a packet may take those of one class at each hop, and channels
//! wait for each other class by class. The virtual channels of the plain relation are these classes, one of each.
//! Here a class has several, so that a packet that waits holds up fewer of those behind it (Dally,
//! Virtual-Channel Flow Control, IEEE TPDS 3(2), 1992).
//!
//! Classes with escape channels beside them are the adaptive ones alone: an escape channel is for packets that
//! wait.

use super::choice::{Choice, Choices, ChosenWay, Opens};
use super::{
    Draw, Header, HeaderUpdate, Hop, Injection, Input, Output, Relation, RouteDecision, RouteLogic,
    RoutingFunction, Select, Vc,
};
use crate::topology::{Node, Port, Terminal};
use std::fmt;
use std::sync::Arc;

/// Virtual channels of a resource class that packets take.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum VcAllocation {
    /// Virtual channel that is free, at each hop.
    #[default]
    Any,
    /// Virtual channel that is free where a packet is injected, and where it goes to another class; then that of the same
    /// place in the class, so that each (output, VC) has the queues of one place alone to choose from.
    Kept,
}

impl VcAllocation {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Any, Self::Kept];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Kept => "kept",
        }
    }
}

impl fmt::Display for VcAllocation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Resource classes of several virtual channels each.
#[derive(Debug)]
pub struct ResourceClasses {
    allocation: VcAllocation,
    /// By class: its first virtual channel; at the end the number of all.
    first: Vec<u8>,
}

/// Packets of a queue.
#[derive(Clone, Copy)]
struct Waiting {
    /// Resource class that they are in.
    class: Vc,
    /// The place in the class that they keep; `None` where they may take any.
    place: Option<u8>,
}

/// A relation with several virtual channels in each resource class.
#[derive(Debug)]
struct SeveralVcs {
    plain: Relation,
    classes: Arc<ResourceClasses>,
}

/// `plain` with as many virtual channels as go into `most`, as many for each resource class; `None` where no class
/// has more than one.
pub fn several_vcs(plain: &Relation, most: u8, allocation: VcAllocation) -> Option<Relation> {
    let classes: Vec<Vc> = (0..plain.vcs()).map(Vc).collect();
    let grows = |vc: &Vc| !plain.has_escape() || plain.is_chosen(*vc);
    let growing = classes.iter().copied().filter(grows).count() as u8;
    let others = plain.vcs() - growing;
    let each = most.saturating_sub(others).checked_div(growing).filter(|&each| each > 1)?;
    let mut first = vec![0];
    for vc in &classes {
        let size = if grows(vc) { each } else { 1 };
        first.push(first[first.len() - 1] + size);
    }
    let vcs = first[first.len() - 1];
    let legend = plain.legend.iter().cloned().chain([legend(&first, each, allocation)]).collect();
    let second_phase = Vc(first[usize::from(plain.second_phase.0)]);
    let classes = Arc::new(ResourceClasses { allocation, first });
    let all = (0..vcs).map(|vc| plain.priority(classes.class(Vc(vc)).0));
    let priorities = all.collect();
    let parts = Arc::new(SeveralVcs { plain: plain.clone(), classes: classes.clone() });
    Some(Relation {
        vcs,
        legend,
        second_phase,
        priorities,
        classes: Some(classes),
        function: parts.clone(),
        logic: parts.clone(),
        choices: Some(parts),
        rows: None,
        other_ties: None,
        ..plain.clone()
    })
}

/// Virtual channels that are alike, in words.
fn legend(first: &[u8], each: u8, allocation: VcAllocation) -> String {
    let growing = first.windows(2).filter(|ends| ends[1] - ends[0] == each);
    let spans: Vec<String> =
        growing.map(|ends| format!("{} to {}", ends[0], ends[1] - 1)).collect();
    let takes = match allocation {
        VcAllocation::Any => "a packet takes any that is free",
        VcAllocation::Kept => "a packet takes any that is free, and keeps its place among them",
    };
    format!("Of VCs {} {takes}.", spans.join(", or "))
}

impl ResourceClasses {
    /// Virtual channels of a class that packets take.
    pub fn allocation(&self) -> VcAllocation {
        self.allocation
    }

    /// Number of all virtual channels.
    fn vcs(&self) -> u8 {
        self.first.last().copied().unwrap_or(0)
    }

    /// The class of a virtual channel, and its place there.
    pub fn class(&self, vc: Vc) -> (Vc, u8) {
        let class = self.first.partition_point(|&first| first <= vc.0).saturating_sub(1);
        let class = class.min(self.first.len().saturating_sub(2));
        (Vc(class as u8), vc.0 - self.first[class])
    }

    /// The packets of a queue.
    fn queue(&self, input: Input, vc: Vc) -> Waiting {
        let (class, place) = self.class(vc);
        let keeps = self.allocation == VcAllocation::Kept && !input.is_inject();
        Waiting { class, place: keeps.then_some(place) }
    }

    /// The virtual channels of a class that packets of a queue may take: none of one that is not there, to which a
    /// turn would lead that no packet takes.
    fn of_class(&self, queue: Waiting, class: Vc) -> impl Iterator<Item = Vc> + use<> {
        let all = match self.first.get(usize::from(class.0)..) {
            Some(&[first, end, ..]) => first..end,
            _ => 0..0,
        };
        let taken = match queue.place.filter(|_| queue.class == class) {
            Some(place) => all.start + place..all.start + place + 1,
            None => all,
        };
        taken.map(Vc)
    }
}

impl SeveralVcs {
    /// The first virtual channel of a class that packets of a queue may take: that of the route decision.
    fn first_of(&self, queue: Waiting, class: Vc) -> Vc {
        self.classes.of_class(queue, class).next().unwrap_or(Vc(self.classes.vcs()))
    }

    /// A virtual channel by which packets of a queue leave.
    fn leaving(&self, queue: Waiting, output: Output, class: Vc) -> Vc {
        match output {
            Output::Network(_) => self.first_of(queue, class),
            Output::Eject(_) => class,
        }
    }

    fn select_of(&self, queue: Waiting, mut select: Select) -> Select {
        for way in select.ways_mut() {
            way.vc = way.vc.map(|class| self.leaving(queue, way.output, class));
        }
        select
    }

    /// Ports that the route logic of a queue decides on, each with the class there.
    fn decided(&self, node: Node, input: Input, class: Vc) -> Vec<(Port, Vc)> {
        let mut select = self.plain.select(node, input, class);
        let mut to = Vec::new();
        for &mut RouteDecision { output, vc } in select.ways_mut() {
            let Output::Network(port) = output else { continue };
            let there = vc.unwrap_or_else(|| self.plain.output_vc(node, input, class, output));
            if !to.contains(&(port, there)) {
                to.push((port, there));
            }
        }
        to
    }
}

impl RoutingFunction for SeveralVcs {
    fn inject(&self, source: Terminal, destination: Terminal, draw: Draw) -> Header {
        self.plain.inject(source, destination, draw)
    }
    fn hop(&self, node: Node, input: Input, vc: Vc, header: Header) -> Hop {
        let queue = self.classes.queue(input, vc);
        let hop = self.plain.hop(node, input, queue.class, header);
        Hop { vc: self.leaving(queue, hop.output, hop.vc), ..hop }
    }
    fn output_vc(&self, node: Node, input: Input, vc: Vc, output: Output) -> Vc {
        let queue = self.classes.queue(input, vc);
        self.leaving(queue, output, self.plain.output_vc(node, input, queue.class, output))
    }
}

impl RouteLogic for SeveralVcs {
    fn header_bits(&self, input: Input) -> u32 {
        self.plain.header_bits(input)
    }
    fn injection(&self, source: Terminal) -> Injection {
        self.plain.injection(source)
    }
    fn common_injection(&self) -> Option<Injection> {
        self.plain.common_injection()
    }
    fn select(&self, node: Node, input: Input, vc: Vc) -> Select {
        let queue = self.classes.queue(input, vc);
        self.select_of(queue, self.plain.select(node, input, queue.class))
    }
    fn carry(&self, node: Node, input: Input, vc: Vc, (port, to): (Port, Vc)) -> HeaderUpdate {
        let (from, to) = (self.classes.class(vc).0, self.classes.class(to).0);
        self.plain.carry(node, input, from, (port, to))
    }
    fn oblivious_select(&self, node: Node) -> Option<Select> {
        let select = self.plain.oblivious_select(node)?;
        Some(self.select_of(Waiting { class: Vc(0), place: None }, select))
    }
    fn table(&self, node: Node) -> Option<Vec<(Terminal, Output)>> {
        self.plain.table(node)
    }
}

impl Choices for SeveralVcs {
    fn hops(&self, node: Node, input: Input, vc: Vc, header: Header) -> Vec<Hop> {
        let queue = self.classes.queue(input, vc);
        let plain = match self.plain.choices_of(input, queue.class) {
            Some(choices) => choices.hops(node, input, queue.class, header),
            None => vec![self.plain.hop(node, input, queue.class, header)],
        };
        let goes_on = plain.into_iter().filter(|hop| !hop.output.is_eject());
        let each = |hop: Hop| self.classes.of_class(queue, hop.vc).map(move |vc| Hop { vc, ..hop });
        goes_on.flat_map(each).collect()
    }

    /// Ports before virtual channels, so that a packet that takes them in turn comes to each port soon.
    fn choice(&self, node: Node, input: Input, vc: Vc) -> Choice {
        let queue = self.classes.queue(input, vc);
        let plain = match self.plain.choices_of(input, queue.class) {
            Some(choices) => choices.choice(node, input, queue.class),
            None => {
                let way = |(port, class)| ChosenWay {
                    port,
                    vc: class,
                    when: Opens::Routed(self.first_of(queue, class)),
                    in_turn: true,
                };
                let decided = self.decided(node, input, queue.class);
                Choice { ways: decided.into_iter().map(way).collect(), all_if: None }
            }
        };
        let each = |way: &ChosenWay| -> Vec<Vc> { self.classes.of_class(queue, way.vc).collect() };
        let most = plain.ways.iter().map(|way| each(way).len()).max().unwrap_or(0);
        let at = |place: usize| {
            let there = move |way: &ChosenWay| {
                each(way).get(place).map(|&vc| ChosenWay { vc, ..way.clone() })
            };
            plain.ways.iter().filter_map(there)
        };
        let ways = (0..most).flat_map(at).collect();
        Choice { ways, all_if: plain.all_if }
    }

    fn adaptive_vc(&self, input: Input, vc: Vc) -> Option<Vc> {
        let queue = self.classes.queue(input, vc);
        let class = match self.plain.choices() {
            Some(choices) => choices.adaptive_vc(input, queue.class)?,
            None => queue.class,
        };
        Some(self.first_of(queue, class))
    }
    fn are_of_ports(&self) -> bool {
        self.plain.chooses_ports()
    }
    fn beside(&self, input: Input, vc: Vc, routed: Vc) -> Vec<Vc> {
        let queue = self.classes.queue(input, vc);
        let class = self.classes.class(routed).0;
        let plain = match self.plain.choices_of(input, queue.class) {
            Some(choices) => choices.beside(input, queue.class, class),
            None => vec![class],
        };
        plain.into_iter().flat_map(|class| self.classes.of_class(queue, class)).collect()
    }
}

//! Parts of a relation: its definition, its hardware as data, and what only some have.

use super::choice::{ADAPTIVE_VC, Choices};
use super::rows::Rows;
use super::several_vcs::{ResourceClasses, VcAllocation};
use super::{
    Draw, Header, HeaderUpdate, Hop, Injection, Input, Intermediate, Output, Select, Vc, Via,
};
use crate::topology::{Node, Port, Terminal};
use std::fmt;
use std::sync::Arc;

/// The definition: where packets go. Deterministic: one hop for each (node, input, VC, header).
pub trait RoutingFunction: Send + Sync + fmt::Debug {
    /// The header of a new packet, from a terminal that sends to one that takes packets, where the
    /// source drew `draw`: of no account where nothing is drawn.
    fn inject(&self, source: Terminal, destination: Terminal, draw: Draw) -> Header;
    /// Next hop of a packet. Where packets choose ([`Relation::choices`]) this is the escape hop,
    /// or where there are no escape channels the hop that is liked best.
    fn hop(&self, node: Node, input: Input, vc: Vc, header: Header) -> Hop;
    /// The virtual channel that a packet leaves on, where the turn alone says it and not the
    /// route logic ([`RouteDecision`](super::RouteDecision)).
    fn output_vc(&self, _node: Node, _input: Input, _vc: Vc, _output: Output) -> Vc {
        Vc(0)
    }
}

/// The hardware of the same, as data.
pub trait RouteLogic: Send + Sync + fmt::Debug {
    /// Width of the header in a queue of this input, at most 64.
    fn header_bits(&self, input: Input) -> u32;
    /// Injection of a source.
    fn injection(&self, source: Terminal) -> Injection;
    /// Injection that serves every source, where [`RouteLogic::injection`] has another for each.
    fn common_injection(&self) -> Option<Injection> {
        None
    }
    /// The route logic at the head of a queue of this input and VC, at this node.
    fn select(&self, node: Node, input: Input, vc: Vc) -> Select;
    /// Update of the header of a packet that goes from a queue of this input and VC to this port
    /// and VC, at this node.
    fn carry(&self, node: Node, input: Input, vc: Vc, to: (Port, Vc)) -> HeaderUpdate;
    /// The output at a node by the header's low bits alone, whatever the input: the relation's
    /// definition, which [`RouteLogic::select`] reduces for each input. `None` where the relation
    /// needs the input port.
    fn oblivious_select(&self, _node: Node) -> Option<Select> {
        None
    }
    /// The table of a node: the output for each address of a destination that it has one for, ascending.
    /// `None` where the header is not that address.
    fn table(&self, _node: Node) -> Option<Vec<(Terminal, Output)>> {
        None
    }
}

/// An order in which a dateline counts: a turn that does not ascend in it moves the packet to the
/// next virtual channel. Best the direction in which routes travel.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ChannelOrder {
    /// The ports, the first of them first: the same at every node.
    pub ports: Vec<Port>,
    /// The place of each channel, by node and port (node number times ports, plus port), where no
    /// order of the ports does. Only of relations that no translation keeps.
    pub places: Option<Vec<u32>>,
}

/// A routing relation.
#[derive(Clone, Debug)]
pub struct Relation {
    pub(super) name: String,
    pub(super) route_seed: Option<u64>,
    pub(super) draws: u32,
    pub(super) phases: Option<[String; 2]>,
    /// The first virtual channel of the second phase, where there are phases.
    pub(super) second_phase: Vc,
    /// The terminals that packets of two phases go to first, where not all of them.
    pub(super) intermediate: Option<Intermediate>,
    /// Meaning of a draw as one of them, by the numbers of this relation's terminals.
    pub(super) via: Option<Via>,
    pub(super) vcs: u8,
    pub(super) legend: Vec<String>,
    pub(super) has_uniform_headers: bool,
    pub(super) order: ChannelOrder,
    pub(super) function: Arc<dyn RoutingFunction>,
    pub(super) logic: Arc<dyn RouteLogic>,
    pub(super) choices: Option<Arc<dyn Choices>>,
    pub(super) has_escape: bool,
    /// [`Relation::priority`] by virtual channel; 0 of those that have none here.
    pub(super) priorities: Vec<u8>,
    /// Resource classes of several virtual channels; `None` where each virtual channel is one.
    pub(super) classes: Option<Arc<ResourceClasses>>,
    pub(super) rows: Option<Arc<Rows>>,
    pub(super) other_ties: Option<Arc<Relation>>,
}

impl ChannelOrder {
    /// Order of these ports.
    pub fn ports(ports: impl IntoIterator<Item = Port>) -> Self {
        Self { ports: ports.into_iter().collect(), places: None }
    }

    /// Order of so many ports by their numbers.
    pub fn by_number(ports: u8) -> Self {
        Self::ports((0..ports).map(Port))
    }
}

impl Relation {
    /// The relation of this name on the command line, with one virtual channel. `legend` says what
    /// the header bits mean, a line or more, for readers of the Verilog.
    pub fn new<R>(name: &str, order: ChannelOrder, legend: Vec<String>, parts: Arc<R>) -> Self
    where
        R: RoutingFunction + RouteLogic + 'static,
    {
        Self {
            name: name.to_owned(),
            route_seed: None,
            draws: 1,
            phases: None,
            second_phase: Vc(0),
            intermediate: None,
            via: None,
            vcs: 1,
            legend,
            has_uniform_headers: false,
            order,
            function: parts.clone(),
            logic: parts,
            choices: None,
            has_escape: false,
            priorities: Vec::new(),
            classes: None,
            rows: None,
            other_ties: None,
        }
    }

    /// The relation on so many virtual channels.
    #[must_use]
    pub fn with_vcs(self, vcs: u8) -> Self {
        Self { vcs, ..self }
    }

    /// The relation with the seed that its routes were drawn from.
    #[must_use]
    pub fn with_route_seed(self, route_seed: Option<u64>) -> Self {
        Self { route_seed, ..self }
    }

    /// The relation whose sources draw one of so many draws for each packet.
    #[must_use]
    pub fn with_draws(self, draws: u32) -> Self {
        Self { draws, ..self }
    }

    /// The relation with the names of those of its two phases, the first virtual channel of the
    /// second phase, and the terminals to go to first, by draw as `via` says.
    #[must_use]
    pub(super) fn with_phases(
        self,
        names: [String; 2],
        second: Vc,
        (intermediate, via): (&Intermediate, Via),
    ) -> Self {
        let intermediate = Some(intermediate).filter(|&which| *which != Intermediate::All).cloned();
        Self { phases: Some(names), second_phase: second, intermediate, via: Some(via), ..self }
    }

    /// The relation with [`Relation::has_uniform_headers`].
    #[must_use]
    pub fn with_uniform_headers(self, has_uniform_headers: bool) -> Self {
        Self { has_uniform_headers, ..self }
    }

    /// The relation with these priorities, by virtual channel.
    #[must_use]
    pub(super) fn with_priorities(self, priorities: Vec<u8>) -> Self {
        Self { priorities, ..self }
    }

    /// The relation with choices; packets may leave by the routing function as an escape relation
    /// or not ([`Relation::has_escape`]).
    #[must_use]
    pub fn with_choices(self, choices: Arc<dyn Choices>, has_escape: bool) -> Self {
        Self { choices: Some(choices), has_escape, ..self }
    }

    /// The relation whose hops are those of rows: [`Relation::rows`].
    #[must_use]
    pub(super) fn with_rows(self, rows: Rows) -> Self {
        let rows = Arc::new(rows);
        Self { function: rows.clone(), rows: Some(rows), ..self }
    }

    /// The relation with [`Relation::other_ties`].
    #[must_use]
    pub(super) fn with_other_ties(self, other: Self) -> Self {
        Self { other_ties: Some(Arc::new(other)), ..self }
    }

    /// The relation with other parts that ask its own; the choices among them where it has any.
    pub(super) fn behind<R>(self, parts: R) -> Self
    where
        R: RoutingFunction + RouteLogic + Choices + 'static,
    {
        let parts = Arc::new(parts);
        let choices = self.choices.map(|_| parts.clone() as Arc<dyn Choices>);
        let other_ties = None;
        Self { function: parts.clone(), logic: parts, choices, rows: None, other_ties, ..self }
    }

    /// The name on the command line.
    pub fn name(&self) -> &str {
        &self.name
    }
    /// The seed that its routes were drawn from; `None` where none were drawn.
    pub fn route_seed(&self) -> Option<u64> {
        self.route_seed
    }
    /// Draws of a source for a packet, all of equal odds: one where it draws nothing.
    pub fn draws(&self) -> impl Iterator<Item = Draw> + use<> {
        (0..self.draws).map(Draw)
    }
    /// Each of these with each draw.
    pub fn with_each_draw<T: Copy>(
        &self,
        of: impl Iterator<Item = T>,
    ) -> impl Iterator<Item = (T, Draw)> {
        let draws = self.draws;
        of.flat_map(move |one| (0..draws).map(move |draw| (one, Draw(draw))))
    }
    /// Number of draws, 1 or more.
    pub fn draw_count(&self) -> u32 {
        self.draws
    }
    /// Whether a source draws for each packet.
    pub fn is_randomised(&self) -> bool {
        self.draws > 1
    }
    /// The names of the relations that it goes by, first to an intermediate terminal and then on; `None`
    /// where there is none ([`super::phases`]).
    pub fn phases(&self) -> Option<&[String; 2]> {
        self.phases.as_ref()
    }
    /// The terminals that packets go to first; `None` where they go to any, or to none.
    pub fn intermediate(&self) -> Option<&Intermediate> {
        self.intermediate.as_ref()
    }
    /// A draw with which packets of this source go to this terminal first, whatever their destination;
    /// `None` where there is none, or where terminals of one place share what is drawn.
    pub fn draw_to(&self, source: Terminal, intermediate: Terminal) -> Option<Draw> {
        self.via.as_ref()?.draw_to(source, intermediate)
    }
    /// The first virtual channel of the second phase: packets on those below are in their first. `None`
    /// where there are no phases.
    pub fn second_phase(&self) -> Option<Vc> {
        self.phases.as_ref().map(|_| self.second_phase)
    }
    /// No route that arrives visits more switches: each once in every phase, and the terminal's between
    /// twice.
    pub fn most_switches(&self, nodes: u32) -> u32 {
        if self.phases.is_some() { 2 * nodes } else { nodes }
    }
    /// Whether packets of one pair arrive in the order in which they were sent: those that all go
    /// one way.
    pub fn keeps_order(&self) -> bool {
        self.choices.is_none() && !self.is_randomised()
    }
    /// Number of virtual channels.
    pub fn vcs(&self) -> u8 {
        self.vcs
    }
    /// Meaning of the header bits, a line or more, for readers of the Verilog.
    pub fn header_legend(&self) -> &[String] {
        &self.legend
    }
    /// Whether queues of one input store the same header bits at all switches, and channels carry
    /// them, though at some switches some are never set. Then switches that differ in nothing else
    /// are one module.
    pub fn has_uniform_headers(&self) -> bool {
        self.has_uniform_headers
    }
    /// The order in which a dateline counts.
    pub fn order(&self) -> &ChannelOrder {
        &self.order
    }
    /// The choices of packets ([`super::choice`]); `None` where they have none.
    pub fn choices(&self) -> Option<&dyn Choices> {
        self.choices.as_deref()
    }
    /// Whether packets choose among ports. Those that choose may choose among the virtual channels of one
    /// port alone, and then have one route for each pair, or for each draw.
    pub fn chooses_ports(&self) -> bool {
        self.choices().is_some_and(Choices::are_of_ports)
    }
    /// Whether packets that choose may also leave by an escape relation, on the virtual channels
    /// above [`ADAPTIVE_VC`]. Where not, [`Relation::hop`] is the hop that is liked best, and
    /// [`Choice::select`](super::choice::Choice::select) its hardware.
    pub fn has_escape(&self) -> bool {
        self.has_escape
    }
    /// Virtual channels of a resource class that packets take; `None` where no class has more than one
    /// ([`super::several_vcs`]).
    pub fn vc_allocation(&self) -> Option<VcAllocation> {
        self.classes.as_ref().map(|classes| classes.allocation())
    }
    /// The resource class of a virtual channel, which deadlock is avoided by: virtual channels of one class are
    /// alike. As a rule the virtual channel itself.
    pub fn resource_class(&self, vc: Vc) -> Vc {
        self.classes.as_ref().map_or(vc, |classes| classes.class(vc).0)
    }
    /// Priority of a virtual channel on links: of those that have a flit to send one of the highest goes, and
    /// those that are alike take turns. As a rule all are.
    pub fn priority(&self, vc: Vc) -> u8 {
        self.priorities.get(usize::from(vc.0)).copied().unwrap_or(0)
    }
    /// The rows that its hops are those of, by construction; `None` where they are of the whole.
    pub fn rows(&self) -> Option<&Arc<Rows>> {
        self.rows.as_ref()
    }
    /// The relation that takes the other way wherever two are as short and this one takes one of them by a
    /// fixed rule; `None` where there is none.
    pub fn other_ties(&self) -> Option<&Self> {
        self.other_ties.as_deref()
    }
    /// The first virtual channel whose packets have no choice: those below are adaptive.
    pub fn first_escape_vc(&self) -> Vc {
        Vc(if self.choices.is_some() { ADAPTIVE_VC.0 + 1 } else { 0 })
    }
    /// Whether a certificate numbers the channels of a VC: of those with escape channels, theirs.
    pub fn is_numbered(&self, vc: Vc) -> bool {
        !self.has_escape || !self.is_chosen(vc)
    }
    /// Whether packets that choose may take channels of a VC.
    pub fn is_chosen(&self, vc: Vc) -> bool {
        self.choices_of(Input::Network(Port(0)), vc).is_some()
    }
    /// The choices of packets in a queue of this input and VC; `None` where they have none.
    pub fn choices_of(&self, input: Input, vc: Vc) -> Option<&dyn Choices> {
        self.choices().filter(|choices| choices.adaptive_vc(input, vc).is_some())
    }

    /// Header of a new packet: [`RoutingFunction::inject`].
    pub fn inject(&self, source: Terminal, destination: Terminal, draw: Draw) -> Header {
        self.function.inject(source, destination, draw)
    }
    /// Next hop of a packet: [`RoutingFunction::hop`].
    pub fn hop(&self, node: Node, input: Input, vc: Vc, header: Header) -> Hop {
        self.function.hop(node, input, vc, header)
    }
    /// Virtual channel of a hop: [`RoutingFunction::output_vc`].
    pub fn output_vc(&self, node: Node, input: Input, vc: Vc, output: Output) -> Vc {
        self.function.output_vc(node, input, vc, output)
    }
    /// Width of a header at an input: [`RouteLogic::header_bits`].
    pub fn header_bits(&self, input: Input) -> u32 {
        self.logic.header_bits(input)
    }
    /// Injection of a source: [`RouteLogic::injection`].
    pub fn injection(&self, source: Terminal) -> Injection {
        self.logic.injection(source)
    }
    /// Injection of all sources: [`RouteLogic::common_injection`].
    pub fn common_injection(&self) -> Option<Injection> {
        self.logic.common_injection()
    }
    /// Route logic of a queue: [`RouteLogic::select`].
    pub fn select(&self, node: Node, input: Input, vc: Vc) -> Select {
        self.logic.select(node, input, vc)
    }
    /// Header update of a hop: [`RouteLogic::carry`].
    pub fn carry(&self, node: Node, input: Input, vc: Vc, to: (Port, Vc)) -> HeaderUpdate {
        self.logic.carry(node, input, vc, to)
    }
    /// Route logic of a node for every input: [`RouteLogic::oblivious_select`].
    pub fn oblivious_select(&self, node: Node) -> Option<Select> {
        self.logic.oblivious_select(node)
    }
    /// The table of a node: [`RouteLogic::table`].
    pub fn table(&self, node: Node) -> Option<Vec<(Terminal, Output)>> {
        self.logic.table(node)
    }
}

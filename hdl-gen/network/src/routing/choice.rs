//! Choices that adaptive relations add to a deterministic one: several outputs for a packet.
//!
//! A packet at injection, or on an adaptive virtual channel (as a rule there is one), may take any of several hops on
//! adaptive virtual channels, or leave them: by the escape relation, a deterministic one on the
//! virtual channels above, as if it were injected at this node. Once there it stays there. So the
//! escape channels wait for each other just as those of the escape relation alone, entered at any
//! node, and from every state a packet can reach them: enough against deadlock (Duato, A New Theory
//! of Deadlock-Free Adaptive Routing in Wormhole Networks, IEEE TPDS 4(12), 1993; the extended
//! dependency graph has no indirect edges). The queues must keep his condition: one that is
//! adaptive holds flits of one packet only.
//!
//! An adaptive relation may do without escape channels ([`super::Relation::has_escape`]), where channels wait for each other in no cycle whatever packets choose. Then
//! all of them are numbered, and queues may hold flits of several packets. So it is where packets choose among the
//! virtual channels of one port alone ([`super::several_vcs`]).

use super::{Condition, Header, Hop, Input, Output, RouteDecision, Rule, Select, Vc};
use crate::topology::{Node, Port};
use std::fmt;

/// The adaptive virtual channel, where packets are injected too. The escape relation has those
/// above. Where there are message classes each has its own ([`Choices::adaptive_vc`]).
pub const ADAPTIVE_VC: Vc = Vc(0);

/// The choices of an adaptive relation.
pub trait Choices: Send + Sync + fmt::Debug {
    /// The hops that a packet in such a queue may choose, the best liked first. None where it is to be ejected.
    fn hops(&self, node: Node, input: Input, vc: Vc, header: Header) -> Vec<Hop>;
    /// Ports that a packet in such a queue may choose from, as hardware.
    fn choice(&self, node: Node, input: Input, vc: Vc) -> Choice;
    /// The adaptive virtual channel of packets in a queue of this input and VC, the first of several; `None` where
    /// they have no choice. Packets at injection have [`ADAPTIVE_VC`] as their VC.
    fn adaptive_vc(&self, _input: Input, vc: Vc) -> Option<Vc> {
        (vc == ADAPTIVE_VC).then_some(ADAPTIVE_VC)
    }
    /// Whether packets choose among ports; among the virtual channels of one port where not.
    fn are_of_ports(&self) -> bool {
        true
    }
    /// The virtual channels that a packet of such a queue might choose in place of `routed`, whatever the port:
    /// for a full crossbar.
    fn beside(&self, input: Input, vc: Vc, _routed: Vc) -> Vec<Vc> {
        self.adaptive_vc(input, vc).into_iter().collect()
    }
}

/// The ports that a packet may choose from, as hardware: each that the header opens, or all of
/// them where one half of the header outnumbers the other.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Choice {
    /// The ports, the best liked first.
    pub ways: Vec<ChosenWay>,
    /// Condition under which every port may be chosen, whatever else the header says.
    pub all_if: Option<Outnumbers>,
}

/// A port that a packet may choose.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ChosenWay {
    /// Port that may be chosen.
    pub port: Port,
    /// Virtual channel by which the packet then goes on.
    pub vc: Vc,
    /// Conditions on the header, or the route decision, that open the port.
    pub when: Opens,
    /// Whether the way is as good as the other ways in turn. Of those that are open a packet takes the next
    /// behind the one that the last packet of its queue took, in their order and around. Ways in turn go
    /// before ways that are not.
    pub in_turn: bool,
}

/// Reason that a port may be chosen.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Opens {
    /// Conditions on the header, one of which holds.
    On(Vec<Condition>),
    /// The route decision, where it is for the port on this virtual channel.
    Routed(Vc),
}

impl Opens {
    /// The conditions on the header; none where the route decision opens the port.
    pub fn conditions(&self) -> &[Condition] {
        match self {
            Self::On(conditions) => conditions,
            Self::Routed(_) => &[],
        }
    }
}

impl ChosenWay {
    /// The port, where this header bit is set.
    pub fn bit(at: u32, port: Port) -> Self {
        Self::on(Condition::bit(at), port)
    }

    /// The port, where this holds.
    pub fn on(when: Condition, port: Port) -> Self {
        Self { port, vc: ADAPTIVE_VC, when: Opens::On(vec![when]), in_turn: false }
    }

    /// The port, taken in turn with others.
    #[must_use]
    pub fn in_turn(self) -> Self {
        Self { in_turn: true, ..self }
    }

    /// The virtual channel of the route decision that opens it; `None` where conditions do.
    pub fn routed(&self) -> Option<Vc> {
        match self.when {
            Opens::On(_) => None,
            Opens::Routed(vc) => Some(vc),
        }
    }

    /// Whether a header opens it, on which the route logic decides so.
    pub fn is_open(&self, header: Header, decision: RouteDecision) -> bool {
        match &self.when {
            Opens::On(conditions) => conditions.iter().any(|when| when.holds(header)),
            &Opens::Routed(vc) => {
                decision == RouteDecision { output: Output::Network(self.port), vc: Some(vc) }
            }
        }
    }

    /// The port of a packet of whose header no bit outside `mask` is ever set.
    #[must_use]
    pub fn within(&self, mask: Header) -> Self {
        let when = match &self.when {
            Opens::On(conditions) => {
                Opens::On(conditions.iter().filter_map(|when| when.within(mask)).collect())
            }
            routed @ Opens::Routed(_) => routed.clone(),
        };
        Self { when, ..*self }
    }
}

/// More bits of `these` are set than of `those`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Outnumbers {
    /// Header bits.
    pub these: Header,
    /// Header bits.
    pub those: Header,
}

impl Outnumbers {
    /// Whether it is so.
    pub fn holds(self, header: Header) -> bool {
        (header & self.these).count_ones() > (header & self.those).count_ones()
    }
}

impl Choice {
    /// The ways that are open for a header, on which the route logic decides so.
    pub fn open(
        &self,
        header: Header,
        decision: RouteDecision,
    ) -> impl Iterator<Item = &ChosenWay> + '_ {
        let all = self.all_if.is_some_and(|outnumbers| outnumbers.holds(header));
        self.ways.iter().filter(move |way| all || way.is_open(header, decision))
    }

    /// The ports that conditions on a header open.
    pub fn ports(&self, header: Header) -> impl Iterator<Item = Port> + '_ {
        self.open(header, Output::EJECT.into()).map(|way| way.port)
    }

    /// The best liked port that is open; to the terminal where none is.
    pub fn select(&self) -> Select {
        let rules = self
            .ways
            .iter()
            .flat_map(|way| way.when.conditions().iter().map(|&when| Rule::on(when, way.port)));
        Select::FirstRule { rules: rules.collect(), one_hot: false }
    }

    /// The header bits that it looks at.
    pub fn looks_at(&self) -> Header {
        let conditions = self.ways.iter().flat_map(|way| way.when.conditions());
        let by_way = conditions.fold(0, |mask, when| mask | when.looks_at());
        by_way | self.all_if.map_or(0, |outnumbers| outnumbers.these | outnumbers.those)
    }
}

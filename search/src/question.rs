//! Questions about routing relations of the hypercube.

use crate::clash::{Bound, Clash};
use crate::cube::label;
use crate::named;
use crate::orbits::Orbits;
use crate::parities;
use std::collections::BTreeSet;
use std::str::FromStr;

/// Dimensions that can be asked about.
pub const DIMENSIONS: (u32, u32) = (2, 10);

/// Nodes that fail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failures {
    /// A set of nodes, which routes avoid; it may be empty.
    Given(BTreeSet<u32>),
    /// One node, whichever, and the relation is made anew for it. The translations take each node to
    /// node 0, so that it is node 0 that fails.
    Regenerated,
    /// One node, whichever, and each switch keeps its crossbar: one crossbar carries a relation for
    /// every failure, and one for none.
    Fixed,
}

/// Translations and rotations that a relation keeps.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Symmetric {
    /// No symmetry that is asked for.
    #[default]
    No,
    /// The next hop depends on node XOR destination alone.
    Translations,
    /// All translations, and turning node XOR destination turns the next hop with it, where the XOR
    /// is not periodic. (For a periodic one that cannot be: a rotation keeps it, and moves the
    /// hop.)
    Rotations,
    /// The next hop depends on node XOR destination and on the parities of the bits of the node
    /// under these masks: that many translations are kept.
    Parities(Vec<u32>),
    /// Translations that keep so many parities, whichever.
    AnyParities(u32),
}

/// Scope in which the all-pairs load is to be balanced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Balanced {
    /// Over all steps of the routes together.
    Total,
    /// At every step of the routes.
    PerStep,
}

/// Measure that is to be least.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Measure {
    /// The most crosspoints of a switch, those of terminals not counted.
    Crosspoints,
    /// The most crosspoints of an output port.
    FanIn,
    /// The most crosspoints of an input port.
    FanOut,
    /// Virtual channels.
    Vcs,
    /// The most routes of all pairs that cross a channel.
    MaxLoad,
    /// The most packets of a permutation that cross a channel.
    WorstCase,
    /// The largest difference of loads where [`Question::balanced`] says.
    Imbalance,
}

impl Measure {
    /// Each with its name on the command line.
    pub const ALL: [(Self, &str); 7] = [
        (Self::Crosspoints, "crosspoints"),
        (Self::FanIn, "fan-in"),
        (Self::FanOut, "fan-out"),
        (Self::Vcs, "vcs"),
        (Self::MaxLoad, "max-load"),
        (Self::WorstCase, "worst-case"),
        (Self::Imbalance, "imbalance"),
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        named::name(&Self::ALL, self)
    }
}

impl FromStr for Measure {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        named::parse(&Self::ALL, text)
    }
}

/// Question about an oblivious relation: the next hop follows from node and destination.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// The cube's dimension k.
    pub dimension: u32,
    /// Nodes that fail.
    pub failures: Failures,
    /// Number of channels that a route may have beyond the distance in the whole cube; after a
    /// failure only where [`Failures::Fixed`] is asked.
    pub detour: u32,
    /// Most crosspoints of a switch.
    pub crosspoints: Option<u32>,
    /// Most crosspoints of an input port.
    pub fan_out: Option<u32>,
    /// Most crosspoints of an output port.
    pub fan_in: Option<u32>,
    /// Most routes over a channel.
    pub load: Option<u32>,
    /// Most packets of any permutation over a channel.
    pub worst_case: Option<u32>,
    /// Most virtual channels. With 1 no waits close a cycle; with more, a packet moves to the
    /// next one at a turn that does not ascend in the order of the dimensions.
    pub vcs: Option<u32>,
    /// The symmetry that is asked for.
    pub symmetric: Symmetric,
    /// Scope in which the load is balanced.
    pub balanced: Option<Balanced>,
    /// Difference that balanced loads may have; `u32::MAX` for any.
    pub imbalance: u32,
    /// Next hops are those of minimal rotations alone: the rotation relation with other ways to
    /// break its ties.
    pub minimal_rotations: bool,
    /// Pairs of a source and a destination whose routes count, ascending; all pairs where `None`.
    pub flows: Option<Vec<(u32, u32)>>,
}

/// A question that contradicts itself or is beyond reach.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum QuestionError {
    #[error("search: dimension {dimension} is out of range; use {low} to {high}")]
    Dimension {
        /// The dimension asked for.
        dimension: u32,
        /// The least.
        low: u32,
        /// The largest.
        high: u32,
    },
    /// A failed node that is not there.
    #[error("search: node {node} has failed, but the cube has nodes 0 to {last}")]
    Node {
        node: u32,
        /// The last there is.
        last: u32,
    },
    /// An end of a flow that is not there.
    #[error("search: a flow has the end {node}, but the cube has nodes 0 to {last}")]
    End {
        /// The node.
        node: u32,
        /// The last there is.
        last: u32,
    },
    /// Fewer than two nodes are left.
    #[error("search: {0} of the cube's nodes are left; there is nothing to route")]
    NoPairs(u32),
    /// Parities that are none, or not independent.
    #[error(
        "search: parities {0} are not independent; leave out those that are sums of others, and 0"
    )]
    Parities(String),
    /// Two demands that do not go together.
    #[error("search: {} and {} do not go together: {}", .0.demands()[0], .0.demands()[1], .0.why())]
    Contradiction(Clash),
    /// A bound outside its range.
    #[error("search: {what} {value} is out of range; use {low} to {high}")]
    Range {
        /// Bound that is out of range.
        what: Bound,
        /// Value of the bound.
        value: u32,
        /// The least.
        low: u32,
        /// The most.
        high: u32,
    },
}

impl Question {
    /// Question for any shortest-path relation of the whole cube.
    pub fn new(dimension: u32) -> Self {
        Self {
            dimension,
            failures: Failures::Given(BTreeSet::new()),
            detour: 0,
            crosspoints: None,
            fan_out: None,
            fan_in: None,
            load: None,
            worst_case: None,
            vcs: None,
            symmetric: Symmetric::No,
            balanced: None,
            imbalance: 0,
            minimal_rotations: false,
            flows: None,
        }
    }

    /// The question with `measure` at most `most`.
    #[must_use]
    pub fn with(mut self, measure: Measure, most: u32) -> Self {
        match measure {
            Measure::Crosspoints => self.crosspoints = Some(most),
            Measure::FanIn => self.fan_in = Some(most),
            Measure::FanOut => self.fan_out = Some(most),
            Measure::Vcs => self.vcs = Some(most),
            Measure::MaxLoad => self.load = Some(most),
            Measure::WorstCase => self.worst_case = Some(most),
            Measure::Imbalance => self.imbalance = most,
        }
        self
    }

    /// The bound that is asked for, if one is.
    pub fn bound(&self, measure: Measure) -> Option<u32> {
        match measure {
            Measure::Crosspoints => self.crosspoints,
            Measure::FanIn => self.fan_in,
            Measure::FanOut => self.fan_out,
            Measure::Vcs => self.vcs,
            Measure::MaxLoad => self.load,
            Measure::WorstCase => self.worst_case,
            Measure::Imbalance => self.balanced.map(|_| self.imbalance),
        }
    }

    /// Channels that a route may have beyond the distance: an even number, whatever was allowed.
    pub fn slack(&self) -> u32 {
        self.detour & !1
    }

    /// Whether every node is alive in the one relation that is asked for.
    pub fn is_intact(&self) -> bool {
        matches!(&self.failures, Failures::Given(failed) if failed.is_empty())
    }

    /// Orbits of the nodes in a relation without failures, and their crossbars.
    pub fn orbits(&self) -> Orbits {
        match &self.symmetric {
            Symmetric::No | Symmetric::AnyParities(_) => Orbits::each(self.dimension),
            Symmetric::Translations | Symmetric::Rotations => Orbits::one(self.dimension),
            Symmetric::Parities(masks) => Orbits::by_parities(self.dimension, masks),
        }
    }

    /// Orbits of the nodes in a relation with these failed.
    pub fn orbits_without(&self, failed: &BTreeSet<u32>) -> Orbits {
        if failed.is_empty() { self.orbits() } else { Orbits::each(self.dimension) }
    }

    /// Whether loads are counted.
    pub fn counts_loads(&self) -> bool {
        self.balanced.is_some() || self.load.is_some()
    }

    /// Holds the question against itself.
    ///
    /// # Errors
    /// [`QuestionError`].
    pub fn check(&self) -> Result<(), QuestionError> {
        let k = self.dimension;
        let (low, high) = DIMENSIONS;
        if !(low..=high).contains(&k) {
            return Err(QuestionError::Dimension { dimension: k, low, high });
        }
        if let Failures::Given(failed) = &self.failures {
            let last = (1 << k) - 1;
            if let Some(&node) = failed.iter().find(|&&node| node > last) {
                return Err(QuestionError::Node { node, last });
            }
            let ends = self.flows.iter().flatten().flat_map(|&(from, to)| [from, to]);
            if let Some(node) = ends.max().filter(|&node| node > last) {
                return Err(QuestionError::End { node, last });
            }
            let left = (1 << k) - failed.len() as u32;
            if left < 2 {
                return Err(QuestionError::NoPairs(left));
            }
        }
        for (what, value, low, high) in [
            (Bound::Detour, Some(self.detour), 0, 8),
            (Bound::Crosspoints, self.crosspoints, 0, k * (k - 1)),
            (Bound::FanOut, self.fan_out, 0, k - 1),
            (Bound::FanIn, self.fan_in, 0, k - 1),
            (Bound::Vcs, self.vcs, 1, 8),
            (Bound::WorstCase, self.worst_case, 0, 1 << k),
        ] {
            if let Some(value) = value.filter(|value| !(low..=high).contains(value)) {
                return Err(QuestionError::Range { what, value, low, high });
            }
        }
        self.check_parities()?;
        self.check_pairs()
    }

    fn check_parities(&self) -> Result<(), QuestionError> {
        let k = self.dimension;
        let (count, high) = match &self.symmetric {
            Symmetric::Parities(masks) => {
                let last = (1 << k) - 1;
                if let Some(&value) = masks.iter().find(|&&mask| mask > last) {
                    let what = Bound::Parity;
                    return Err(QuestionError::Range { what, value, low: 1, high: last });
                }
                if masks.len() <= k as usize && !parities::are_independent(masks) {
                    let labels = masks.iter().map(|&mask| label(k, mask));
                    return Err(QuestionError::Parities(labels.collect::<Vec<_>>().join(",")));
                }
                (masks.len() as u32, k)
            }
            Symmetric::AnyParities(count) => (*count, k.min(parities::MOST_CHOSEN)),
            _ => return Ok(()),
        };
        let what = Bound::Parities;
        match (1..=high).contains(&count) {
            true => Ok(()),
            false => Err(QuestionError::Range { what, value: count, low: 1, high }),
        }
    }

    fn check_pairs(&self) -> Result<(), QuestionError> {
        let symmetric = self.symmetric != Symmetric::No;
        let rotations = self.symmetric == Symmetric::Rotations;
        let any_parities = matches!(self.symmetric, Symmetric::AnyParities(_));
        let by_parities = any_parities || matches!(self.symmetric, Symmetric::Parities(_));
        let fixed = self.failures == Failures::Fixed;
        let detour = self.detour > 0;
        let flows = self.flows.is_some();
        for (both, clash) in [
            (symmetric && !self.is_intact() && !fixed, Clash::SymmetryAndFailed { by_parities }),
            (rotations && fixed, Clash::RotationsAndFixed),
            (any_parities && self.vcs.is_some_and(|vcs| vcs > 1), Clash::AnyParitiesAndVcs),
            (by_parities && self.minimal_rotations, Clash::ParitiesAndMinimalRotations),
            (self.minimal_rotations && !self.is_intact(), Clash::MinimalRotationsAndFailed),
            (self.counts_loads() && fixed, Clash::LoadsAndFixed),
            (self.worst_case.is_some() && !self.is_intact(), Clash::WorstCaseAndFailed),
            (detour && self.minimal_rotations, Clash::DetourAndMinimalRotations),
            (self.imbalance > 0 && self.balanced.is_none(), Clash::ImbalanceAlone),
            (flows && symmetric, Clash::FlowsAndSymmetry { by_parities }),
            (flows && (fixed || !self.is_intact()), Clash::FlowsAndFailed),
            (flows && self.balanced.is_some(), Clash::FlowsAndBalanced),
            (flows && detour, Clash::FlowsAndDetour),
        ] {
            if both {
                return Err(QuestionError::Contradiction(clash));
            }
        }
        Ok(())
    }
}

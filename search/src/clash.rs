//! Bounds and demands of a question, by name: what its errors speak of.

use std::fmt;

/// A number of a question that has a range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// Channels of a route beyond the distance.
    Detour,
    /// Most crosspoints of a switch.
    Crosspoints,
    /// Most crosspoints of an input port.
    FanOut,
    /// Most crosspoints of an output port.
    FanIn,
    /// Virtual channels.
    Vcs,
    /// Most packets of a permutation over a channel.
    WorstCase,
    /// The mask of a parity.
    Parity,
    /// Number of parities.
    Parities,
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Detour => "detour",
            Self::Crosspoints => "crosspoints",
            Self::FanOut => "fan-out",
            Self::FanIn => "fan-in",
            Self::Vcs => "virtual channels",
            Self::WorstCase => "worst case",
            Self::Parity => "mask of a parity",
            Self::Parities => "number of parities",
        })
    }
}

/// Two demands that do not go together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Clash {
    /// A symmetry, or one by parities, and a failed node.
    SymmetryAndFailed {
        /// Whether it is by parities.
        by_parities: bool,
    },
    /// Rotations, and any one node that fails.
    RotationsAndFixed,
    /// A number of parities, whichever, and several virtual channels.
    AnyParitiesAndVcs,
    /// Parities, and minimal rotations.
    ParitiesAndMinimalRotations,
    /// Minimal rotations, and a failed node.
    MinimalRotationsAndFailed,
    /// A bound on loads, and any one node that fails.
    LoadsAndFixed,
    /// A bound on the worst case, and a failed node.
    WorstCaseAndFailed,
    /// Detours, and minimal rotations.
    DetourAndMinimalRotations,
    /// An imbalance of loads that are not balanced.
    ImbalanceAlone,
    /// Flows, and a symmetry, or one by parities.
    FlowsAndSymmetry {
        /// Whether it is by parities.
        by_parities: bool,
    },
    /// Flows, and a failed node.
    FlowsAndFailed,
    /// Flows, and equal loads.
    FlowsAndBalanced,
    /// Flows, and detours.
    FlowsAndDetour,
}

impl Clash {
    /// The two.
    pub fn demands(self) -> [&'static str; 2] {
        match self {
            Self::SymmetryAndFailed { by_parities: true } => ["parities", "a failed node"],
            Self::SymmetryAndFailed { by_parities: false } => ["a symmetry", "a failed node"],
            Self::RotationsAndFixed => ["symmetry by rotations", "any failed node"],
            Self::AnyParitiesAndVcs => ["parities by number", "several virtual channels"],
            Self::ParitiesAndMinimalRotations => ["parities", "minimal rotations"],
            Self::MinimalRotationsAndFailed => ["minimal rotations", "a failed node"],
            Self::LoadsAndFixed => ["a bound on loads", "any failed node"],
            Self::WorstCaseAndFailed => ["a bound on the worst case", "a failed node"],
            Self::DetourAndMinimalRotations => ["a detour", "minimal rotations"],
            Self::ImbalanceAlone => ["an imbalance", "unbalanced loads"],
            Self::FlowsAndSymmetry { by_parities: true } => ["flows", "parities"],
            Self::FlowsAndSymmetry { by_parities: false } => ["flows", "a symmetry"],
            Self::FlowsAndFailed => ["flows", "a failed node"],
            Self::FlowsAndBalanced => ["flows", "equal loads"],
            Self::FlowsAndDetour => ["flows", "a detour"],
        }
    }

    /// Reason of the clash, or what would go.
    pub fn why(self) -> &'static str {
        match self {
            Self::SymmetryAndFailed { .. } => "around a failed node no two switches see the same",
            Self::RotationsAndFixed => "ask for symmetry by translations",
            Self::AnyParitiesAndVcs => {
                "these follow the order of the dimensions, and choices are tried up to that; say \
                 which parities"
            }
            Self::ParitiesAndMinimalRotations => "these are the same at every node",
            Self::MinimalRotationsAndFailed => "routes around it are not minimal rotations",
            Self::LoadsAndFixed => "loads are those of one relation, not of one for each failure",
            Self::WorstCaseAndFailed => "it is of permutations of all nodes",
            Self::DetourAndMinimalRotations => "minimal rotations are shortest paths",
            Self::ImbalanceAlone => "say where loads are balanced",
            Self::FlowsAndSymmetry { .. } => "flows are not the same at every node",
            Self::FlowsAndFailed => "leave the flows of the node out, and ask of the whole cube",
            Self::FlowsAndBalanced => "few flows load channels unlike; bound the largest load",
            Self::FlowsAndDetour => "routes of flows are shortest paths",
        }
    }
}

//! Reasons that a network cannot be built.

use super::{MOST_LINKS, MOST_PORTS, MOST_STAGES, MOST_TERMINALS};

/// A size that no network has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// The radix of a network on rows.
    #[error("radix {0} is out of range; use 2 to {MOST_PORTS}")]
    Radix(u32),
    /// The dimension of a network on rows.
    #[error(
        "dimension {dim} is out of range; use 1 to {most}, \
             for at most {MOST_TERMINALS} terminals of radix {radix}"
    )]
    Dim {
        /// The dimension asked for.
        dim: u32,
        radix: u32,
        /// The largest dimension of this radix.
        most: u32,
    },
    /// The number of stages of a network on rows.
    #[error("{0} stages are out of range; use 1 to {MOST_STAGES}")]
    Stages(usize),
    /// A digit that the rows do not have.
    #[error("stage {stage} has digit {digit}, but the digits are 0 to {last}", last = .dim - 1)]
    Digit {
        stage: usize,
        /// Digit of the stage.
        digit: u32,
        /// Number of digits of a row.
        dim: u32,
    },
    /// A number of a Clos network that is 0.
    #[error("{0} of a Clos network is 0; use at least 1")]
    Zero(&'static str),
    /// More terminals than a network has.
    #[error("{0} terminals are more than {MOST_TERMINALS}")]
    Terminals(u64),
    /// More inputs or outputs than a switch has.
    #[error("a switch of {0} inputs or outputs has more than {MOST_PORTS}")]
    Ports(u32),
    /// More links between two stages than a network has.
    #[error("{0} links between two stages are more than {MOST_LINKS}")]
    Links(u64),
}

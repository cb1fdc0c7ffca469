//! Remarks of a reader on a file that it took.

use std::fmt;

/// Fact in a file that the network does not keep.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Remark {
    /// Latencies of connections of terminals.
    Latencies {
        /// Number of connections with a latency other than one cycle.
        connections: usize,
        /// The line of the first, counted from 1.
        line: usize,
        /// Latency of the first such connection, in cycles.
        cycles: u32,
    },
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Latencies { connections, line, cycles } => {
                let s = if *connections == 1 { "" } else { "s" };
                write!(
                    f,
                    "{connections} connection{s} of a terminal with a latency (the first in line {line}, \
                     of {cycles} cycles): these are not used, a terminal is at its switch"
                )
            }
        }
    }
}

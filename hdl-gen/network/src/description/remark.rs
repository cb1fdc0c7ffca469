//! Remarks of a reader on a file that it took.

use std::fmt;

/// Fact in a file that the network does not keep.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Remark {
    /// Latencies of connections.
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
                    "{connections} connection{s} with a latency (the first in line {line}, of {cycles} \
                     cycles): latencies are not used yet, every channel takes a cycle"
                )
            }
        }
    }
}

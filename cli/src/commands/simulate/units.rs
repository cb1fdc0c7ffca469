//! Units of the load and the throughput of a run, in words.

use turnpike_network::flows::{Flows, end_word};
use turnpike_network::topology::Topology;

/// Units of the figures of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Units {
    /// Word for the ends of packets, in the singular.
    end: &'static str,
    /// Whether the load is a part of the bandwidths that flows say.
    of_bandwidths: bool,
}

impl Units {
    /// Units of runs on a network.
    pub fn of(topology: &dyn Topology) -> Self {
        let of_bandwidths = topology.flows().is_some_and(Flows::have_bandwidths);
        Self { end: end_word(topology), of_bandwidths }
    }

    /// Unit of what is offered and of what is accepted.
    pub fn throughput(self) -> String {
        format!("flits per {} and cycle", self.end)
    }

    /// Unit of the load, as it stands behind a number.
    pub fn load(self) -> String {
        if self.of_bandwidths { "of their bandwidths".to_owned() } else { self.throughput() }
    }

    /// Name of the load with its unit, for an axis.
    pub fn load_axis(self) -> String {
        match self.of_bandwidths {
            true => "offered load (1: the bandwidths of the flows)".to_owned(),
            false => format!("offered load ({})", self.throughput()),
        }
    }

    /// Units of the load and of what is accepted, as a line.
    pub fn line(self) -> String {
        match self.of_bandwidths {
            true => format!(
                "Load: 1 is what the bandwidths of the flows ask for. Accepted: {}.",
                self.throughput()
            ),
            false => format!("Load and accepted throughput in {}.", self.throughput()),
        }
    }

    /// Whether a load is a throughput: where all that is offered is accepted, they are equal.
    pub fn load_is_throughput(self) -> bool {
        !self.of_bandwidths
    }
}

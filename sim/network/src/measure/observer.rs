//! Observers of a run's packets and channels, for more than its report.

use crate::stimulus::StimulusPacket;
use turnpike_network::topology::Node;

/// A measured packet that was delivered. Cycles are those of the run, from reset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// Address of the source.
    pub source: u32,
    /// The terminal that took it.
    pub destination: u32,
    /// Length in flits.
    pub flits: u32,
    /// The cycle in which the traffic released it.
    pub released: u64,
    /// The cycle in which its first flit was accepted.
    pub injected: u64,
    /// The cycle in which its last flit was taken at the output.
    pub delivered: u64,
}

impl Sample {
    /// Cycles from its release.
    pub fn latency(&self) -> u64 {
        self.delivered - self.released
    }

    /// Cycles from its injection.
    pub fn network_latency(&self) -> u64 {
        self.delivered - self.injected
    }
}

/// Flits that crossed an (output, VC) during the measurement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Crossing {
    /// Switch, by its node.
    pub node: Node,
    /// The (output, VC): an index into `SwitchPlan::output_vcs` of its class.
    pub output_vc: usize,
    pub flits: u64,
}

/// Observer of a run.
pub trait Observer {
    /// Whether it wants [`Observer::crossings`], which cost time to count.
    fn counts_crossings(&self) -> bool {
        false
    }
    /// Whether it wants [`Observer::sent`], which costs memory.
    fn records(&self) -> bool {
        false
    }
    /// Whether it wants [`Observer::packet`], which costs time: asked once, before the run. Most do.
    fn takes_packets(&self) -> bool {
        true
    }
    /// A measured packet was delivered.
    fn packet(&mut self, _sample: &Sample) {}
    /// The measurement has ended: its length in cycles, and what crossed every (output, VC), those of
    /// eject ports included, by node.
    fn crossings(&mut self, _cycles: u64, _crossings: &[Crossing]) {}
    /// The run has ended: by terminal, the packets that it has offered, each from the cycle in which it first
    /// did.
    fn sent(&mut self, _packets: Vec<Vec<StimulusPacket>>) {}
}

/// Observer that sees nothing.
pub struct Unobserved;

impl Observer for Unobserved {
    fn takes_packets(&self) -> bool {
        false
    }
}

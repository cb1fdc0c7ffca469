//! The columns of the files, and what is summed up for them.

use std::collections::BTreeMap;
use turnpike_sim_network::measure::Sample;

/// `--samples`: a row for each measured packet, in the order of delivery. Terminals by label, cycles
/// from reset.
pub const SAMPLE: [&str; 6] =
    ["source", "destination", "flits", "released", "injected", "delivered"];

/// Columns on the measured packets that were delivered. Latencies are in cycles, from release and
/// from injection, and empty without packets.
const USE: [&str; 5] = ["packets", "flits", "latency_mean", "latency_max", "network_latency_mean"];

/// `--sources`: a row for each terminal that sends.
pub fn sources() -> Vec<&'static str> {
    [&["source"][..], &USE].concat()
}

/// `--pairs`: a row for each pair that a measured packet went between.
pub fn pairs() -> Vec<&'static str> {
    [&["source", "destination"][..], &USE].concat()
}

/// `--histogram`: a row for each latency that a packet had: how many had it, from release and from
/// injection.
pub const HISTOGRAM: [&str; 3] = ["cycles", "from_release", "from_injection"];

/// `--channels`: a row for each output and VC of each switch. `to` is the switch at the channel's end,
/// of an eject port the terminal; `flits` crossed it during the measurement, `utilisation` is the same
/// by its cycles.
pub const CHANNEL: [&str; 6] = ["node", "output", "vc", "to", "flits", "utilisation"];

/// Figures of packets that have something in common.
#[derive(Clone, Copy, Default, Debug)]
pub struct Use {
    packets: u64,
    flits: u64,
    latency: u64,
    most: u64,
    network_latency: u64,
}

impl Use {
    /// Takes a packet in.
    pub fn add(&mut self, sample: &Sample) {
        self.packets += 1;
        self.flits += u64::from(sample.flits);
        self.latency += sample.latency();
        self.most = self.most.max(sample.latency());
        self.network_latency += sample.network_latency();
    }

    /// The values of [`USE`].
    pub fn row(&self) -> [String; USE.len()] {
        let some = |value: String| if self.packets > 0 { value } else { String::new() };
        let mean = |sum: u64| some((sum as f64 / self.packets as f64).to_string());
        [
            self.packets.to_string(),
            self.flits.to_string(),
            mean(self.latency),
            some(self.most.to_string()),
            mean(self.network_latency),
        ]
    }
}

/// By source and destination.
pub type Pairs = BTreeMap<(u32, u32), Use>;

/// By latency: packets that had it from release, and from injection.
pub type Histogram = BTreeMap<u64, [u64; 2]>;

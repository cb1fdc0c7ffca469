//! Shapers: what holds each source to the token buckets of its flows, in hardware.

use super::FabricPlan;
use super::interface_error::InterfaceError;
use super::name::of_class;
use std::collections::BTreeMap;
use turnpike_base::bits::bits_for;
use turnpike_network::flows::{BucketError, TokenBucket};
use turnpike_network::topology::{Terminal, Topology};

/// Most flits of a packet that a shaper holds.
pub const MOST_SHAPED: u32 = 4096;

/// Most flits that a user may give a shaper room for.
pub const MOST_ROOM: u32 = 1 << 16;

/// Most flows of all shapers: each has a token bucket of its own.
pub const MOST_SHAPED_FLOWS: usize = 1 << 16;

/// Cycles from the last flit of a packet at a shaper to its release, where its token bucket lets it.
pub const RELEASE_CYCLES: u64 = 2;

/// Flow of a shaper.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShapedFlow {
    /// Address at the ports, `tdest`, of the terminal that takes its packets.
    pub destination: u32,
    /// Token bucket of the flow.
    pub bucket: TokenBucket,
}

/// A class of identical shapers: one Verilog module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShaperPlan {
    /// Flows of each of its sources, at least one, by ascending destination.
    pub flows: Vec<ShapedFlow>,
    /// Flits that it has room for, at least.
    pub room: u32,
}

impl ShaperPlan {
    /// Flits of the longest packet.
    pub fn longest(&self) -> u32 {
        self.flows.iter().map(|flow| flow.bucket.packet).max().unwrap_or(1)
    }

    /// Flits that it has room for, a power of two: one packet comes in while another waits or leaves.
    pub fn words(&self) -> u32 {
        self.room.max(2 * self.longest()).next_power_of_two()
    }

    /// Places of packets that are there as a whole, a power of two: one that leaves is still one with its
    /// last flit.
    pub fn places(&self) -> u32 {
        let shortest = self.flows.iter().map(|flow| flow.bucket.packet).min().unwrap_or(1);
        (1 + (self.words() - 1) / shortest).next_power_of_two()
    }

    /// Bits that tell the flows apart.
    pub fn flow_bits(&self) -> u32 {
        bits_for(self.flows.len() as u32)
    }
}

/// Shapers of a fabric, and which one each source has.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Shapers {
    /// Flits that was asked for, 0 where nothing was.
    pub(super) room: u32,
    classes: Vec<ShaperPlan>,
    of_source: BTreeMap<Terminal, usize>,
}

impl Shapers {
    /// Shapers of all sources that send, with room for so many flits at least. `address` is that of a
    /// terminal at the ports, `flits_of_a_word` those that each word of a source makes.
    pub fn new(
        topology: &dyn Topology,
        room: u32,
        address: impl Fn(Terminal) -> u32,
        flits_of_a_word: impl Fn(Terminal) -> u32,
    ) -> Result<Self, InterfaceError> {
        if room > MOST_ROOM {
            return Err(InterfaceError::ShaperRoom { room });
        }
        let flows = topology.live_flows().ok_or(InterfaceError::ShaperFlows)?;
        if flows.len() > MOST_SHAPED_FLOWS {
            return Err(InterfaceError::ShaperCount { flows: flows.len() });
        }
        let mut of_source: BTreeMap<Terminal, Vec<ShapedFlow>> = BTreeMap::new();
        for flow in &flows {
            let [from, to] =
                [flow.source, flow.destination].map(|at| move || topology.terminal_label(at));
            let bucket = flow.bucket().map_err(|error| match error {
                BucketError::NoBandwidth => {
                    InterfaceError::ShaperBandwidth { from: from(), to: to() }
                }
                BucketError::Burst { .. } => {
                    InterfaceError::ShaperBurst { from: from(), to: to(), error }
                }
            })?;
            let (packet, flits) = (bucket.packet, flits_of_a_word(flow.source));
            if packet > MOST_SHAPED {
                return Err(InterfaceError::ShaperPacket { from: from(), to: to(), packet });
            }
            if !packet.is_multiple_of(flits) {
                return Err(InterfaceError::ShaperWords { from: from(), to: to(), packet, flits });
            }
            let destination = address(flow.destination);
            of_source.entry(flow.source).or_default().push(ShapedFlow { destination, bucket });
        }
        let mut shapers = Self { room, ..Self::default() };
        for (source, mut flows) in of_source {
            flows.sort_by_key(|flow| flow.destination);
            let class = ShaperPlan { flows, room };
            let known = shapers.classes.iter().position(|known| *known == class);
            let class = known.unwrap_or_else(|| {
                shapers.classes.push(class);
                shapers.classes.len() - 1
            });
            shapers.of_source.insert(source, class);
        }
        Ok(shapers)
    }
}

impl FabricPlan {
    /// Whether shapers hold sources to the token buckets of their flows.
    pub fn has_shapers(&self) -> bool {
        self.interfaces.shapers.is_some()
    }

    /// Classes of shapers; none where there are no shapers.
    pub fn shapers(&self) -> &[ShaperPlan] {
        self.interfaces.shapers.as_ref().map_or(&[], |shapers| &shapers.classes)
    }

    /// Class of the shaper of a source, where it has one.
    pub fn shaper_of(&self, source: Terminal) -> Option<usize> {
        self.interfaces.shapers.as_ref()?.of_source.get(&source).copied()
    }

    /// Name of the module of a class of shapers.
    pub fn shaper_name(&self, class: usize) -> String {
        of_class(&self.name, "shaper", class, self.shapers().len())
    }

    /// Flows that the shaper of a source holds, each by the terminal that takes its packets, in order of
    /// address; none where it has no shaper.
    pub fn shaped_flows(&self, source: Terminal) -> Vec<(Terminal, TokenBucket)> {
        let Some(class) = self.shaper_of(source) else { return Vec::new() };
        let mut to: Vec<Terminal> = self.topology().destinations(source).collect();
        to.sort_by_key(|&terminal| self.address(terminal));
        to.into_iter().zip(self.shapers()[class].flows.iter().map(|flow| flow.bucket)).collect()
    }

    /// Token buckets of all shapers, each once, ascending: one Verilog module each.
    pub fn buckets(&self) -> Vec<TokenBucket> {
        let flows = self.shapers().iter().flat_map(|class| &class.flows);
        let mut buckets: Vec<TokenBucket> = flows.map(|flow| flow.bucket).collect();
        buckets.sort_unstable();
        buckets.dedup();
        buckets
    }
}

//! A run whose packets are remembered as the terminals send them, so that the same packets can drive
//! another engine as a [`Stimulus`].

use super::observer::{Crossing, Observer, Sample};
use crate::stimulus::{Stimulus, StimulusPacket};
use turnpike_fabric::plan::FabricPlan;

/// Another observer, with a record of what the terminals have offered.
pub struct Recorded<'a> {
    inner: &'a mut dyn Observer,
    packets: Vec<Vec<StimulusPacket>>,
}

impl<'a> Recorded<'a> {
    /// `inner` with an empty record.
    pub fn new(inner: &'a mut dyn Observer) -> Self {
        Self { inner, packets: Vec::new() }
    }

    /// The record as a stimulus, without pauses and back-pressure. `seed` gives the data.
    ///
    /// A reply is to be offered in the cycle in which it was here: the one after that in which an engine
    /// delivers the request, as long as its outputs are those of the reference router.
    pub fn stimulus(self, plan: &FabricPlan, seed: u64) -> Stimulus {
        let mut stimulus = Stimulus::new(plan, seed);
        for (packets, sent) in stimulus.packets.iter_mut().zip(self.packets) {
            *packets = sent;
        }
        stimulus
    }
}

impl Observer for Recorded<'_> {
    fn counts_crossings(&self) -> bool {
        self.inner.counts_crossings()
    }

    fn records(&self) -> bool {
        true
    }

    fn takes_packets(&self) -> bool {
        self.inner.takes_packets()
    }

    fn packet(&mut self, sample: &Sample) {
        self.inner.packet(sample);
    }

    fn crossings(&mut self, cycles: u64, crossings: &[Crossing]) {
        self.inner.crossings(cycles, crossings);
    }

    fn sent(&mut self, packets: Vec<Vec<StimulusPacket>>) {
        self.packets = packets;
    }
}

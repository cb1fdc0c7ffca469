//! Traffic that is remembered as it is released, so that the same packets can drive another
//! engine as a [`Stimulus`].

use super::{LengthShare, Release, Traffic, TrafficDescription};
use crate::stimulus::{Stimulus, StimulusPacket};
use turnpike_fabric::plan::FabricPlan;

/// Other traffic, with a record of what it has released.
pub struct Recorded<'a> {
    inner: &'a mut dyn Traffic,
    packets: Vec<Vec<StimulusPacket>>,
}

impl<'a> Recorded<'a> {
    /// `inner` with an empty record.
    pub fn new(inner: &'a mut dyn Traffic) -> Self {
        let packets = vec![Vec::new(); inner.nodes() as usize];
        Self { inner, packets }
    }

    /// The record as a stimulus, without pauses and back-pressure. `seed` gives the data.
    pub fn stimulus(self, plan: &FabricPlan, seed: u64) -> Stimulus {
        Stimulus { packets: self.packets, ..Stimulus::new(plan, seed) }
    }
}

impl Traffic for Recorded<'_> {
    fn nodes(&self) -> u32 {
        self.inner.nodes()
    }

    fn release(&mut self, cycle: u64, into: &mut Vec<Release>) {
        let before = into.len();
        self.inner.release(cycle, into);
        for &Release { source, destination, flits } in &into[before..] {
            let packet = StimulusPacket { release: cycle, destination, flits };
            self.packets[source as usize].push(packet);
        }
    }

    fn is_exhausted(&self, cycle: u64) -> bool {
        self.inner.is_exhausted(cycle)
    }

    fn next_release(&self) -> Option<u64> {
        self.inner.next_release()
    }

    fn lengths(&self) -> &[LengthShare] {
        self.inner.lengths()
    }

    fn description(&self) -> TrafficDescription {
        self.inner.description()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{RunConfig, WarmUp, run};
    use crate::stimulus::{ReferenceModel, record};
    use crate::traffic::{Bernoulli, Ends, TrafficConfig};
    use std::sync::Arc;
    use turnpike_analysis::network::Network;
    use turnpike_fabric::plan::Parameters;

    /// A stimulus from the record is the measured run again, cycle for cycle.
    #[test]
    fn the_record_gives_the_same_run() {
        let network = Network::new("hypercube", 3, Some("rotation"), None).unwrap();
        let plan = FabricPlan::new(Arc::new(network), Parameters::default(), None).unwrap();
        for (load, packet_flits) in [(0.3, 1), (0.5, 4), (1.0, 16)] {
            let config = TrafficConfig {
                load,
                packet_flits: packet_flits.into(),
                ..TrafficConfig::default()
            };
            let mut traffic = Bernoulli::new(Ends::all(8), &config).unwrap();
            let mut recorded = Recorded::new(&mut traffic);
            let config = RunConfig {
                warm_up: WarmUp::Cycles(50),
                measure: Some(500),
                drain: 200,
                ..RunConfig::default()
            };
            let report = run(&plan, &mut recorded, &config, &mut |_| ()).unwrap();
            let stimulus = recorded.stimulus(&plan, 1);
            let mut model = ReferenceModel::new(&plan, &stimulus).unwrap();
            let cycles = report.cycles - report.settle_cycles;
            let again = record(&mut model, &stimulus, cycles);
            if report.settle_cycles == 0 {
                assert_eq!(again.accepted, report.injected_flits);
                assert_eq!(again.delivered, report.delivered_flits);
            }
            assert!(again.delivered > 500);
        }
    }
}

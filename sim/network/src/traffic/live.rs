//! Traffic of a network some of whose nodes failed: what they would send, and what would be
//! sent to them, is left out.

use super::{Release, Traffic, TrafficDescription};
use turnpike_network::topology::{Terminal, Topology};

/// The packets of another traffic that go from a terminal that sends to one that takes packets.
pub struct Live {
    inner: Box<dyn Traffic>,
    /// By terminal: whether it sends, and whether it takes packets.
    live: Vec<(bool, bool)>,
}

impl Live {
    /// Those of `inner` in this network.
    pub fn new(inner: Box<dyn Traffic>, topology: &dyn Topology) -> Self {
        let terminals = (0..topology.terminals()).map(Terminal);
        let live = terminals.map(|t| (topology.source(t).is_some(), topology.sink(t).is_some()));
        Self { inner, live: live.collect() }
    }
}

impl Traffic for Live {
    fn nodes(&self) -> u32 {
        self.inner.nodes()
    }
    fn release(&mut self, cycle: u64, into: &mut Vec<Release>) {
        let before = into.len();
        self.inner.release(cycle, into);
        let live = |terminal: u32| self.live.get(terminal as usize).copied().unwrap_or_default();
        let mut at = 0;
        into.retain(|release| {
            at += 1;
            at <= before || (live(release.source).0 && live(release.destination).1)
        });
    }
    fn is_exhausted(&self, cycle: u64) -> bool {
        self.inner.is_exhausted(cycle)
    }
    fn description(&self) -> TrafficDescription {
        self.inner.description()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traffic::{Bernoulli, TrafficConfig};
    use turnpike_network::topology::failed::Failed;
    use turnpike_network::topology::hypercube::Hypercube;

    #[test]
    fn the_dead_neither_send_nor_get() {
        let cube = Box::new(Hypercube::new(3).unwrap());
        let left = Failed::new(cube, &["010".to_owned()]).unwrap();
        let config = TrafficConfig { load: 1.0, ..TrafficConfig::default() };
        let all = Box::new(Bernoulli::new(8, &config).unwrap());
        let mut live = Live::new(all, &left);
        let mut released = vec![Release { source: 2, destination: 2, flits: 1 }];
        (0..200).for_each(|cycle| live.release(cycle, &mut released));
        assert!(released.len() > 1_000);
        assert!(released[1..].iter().all(|r| r.source != 2 && r.destination != 2));
        assert_eq!(released[0].source, 2, "what was there before stays");
    }
}

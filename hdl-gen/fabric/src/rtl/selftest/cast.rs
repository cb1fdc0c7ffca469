//! Terminals that take part in a self-test, and the number of its packets.

use crate::plan::FabricPlan;
use std::collections::BTreeSet;
use turnpike_analysis::properties::Balance;

/// Bits of the number of packets that a source sends, at least.
const PACKET_BITS_LEAST: u32 = 8;

/// The terminals that take part in a self-test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cast {
    /// Bits of an address.
    pub address: u32,
    /// The terminals that send packets, ascending.
    pub senders: Vec<u32>,
    /// Terminals that take packets, ascending.
    pub takers: Vec<u32>,
    /// The test may last 2^this times as long as where no channel is the way of more packets than
    /// each source sends.
    pub crowd_bits: u32,
}

impl Cast {
    /// Cast of a fabric.
    pub fn of(plan: &FabricPlan) -> Self {
        let topology = plan.topology();
        let senders: Vec<u32> = topology.sources().map(|terminal| terminal.0).collect();
        let takers: Vec<u32> = topology.sinks().map(|terminal| terminal.0).collect();
        // With a packet from each source to each sink: those of the busiest channel, and of a sink.
        let busiest = Balance::of(plan.network(), 0).total.most.packets.rounded_up();
        let crowd = busiest.max(senders.len() as u64).div_ceil(takers.len().max(1) as u64).max(1);
        let crowd_bits = crowd.next_power_of_two().ilog2();
        Self { address: topology.address_bits(), senders, takers, crowd_bits }
    }

    /// A terminal that sends and takes packets at each address.
    pub fn at_every_address(address: u32) -> Self {
        let all: Vec<u32> = (0..1 << address).collect();
        Self { address, senders: all.clone(), takers: all, crowd_bits: 0 }
    }

    /// Terminals that send or take packets, ascending.
    pub fn all(&self) -> Vec<u32> {
        let all: BTreeSet<u32> = self.senders.iter().chain(&self.takers).copied().collect();
        all.into_iter().collect()
    }

    /// By address, the terminal that gets the packets drawn for it: the one of that address, or
    /// another where there is none. `None` where there is one at every address.
    pub fn destinations(&self) -> Option<Vec<u64>> {
        let n = self.takers.len();
        let taker = |address: u32| match self.takers.binary_search(&address) {
            Ok(_) => address,
            Err(_) => self.takers[address as usize % n],
        };
        (n < 1 << self.address).then(|| (0..1 << self.address).map(|a| taker(a).into()).collect())
    }

    /// Bits of the number of packets that a source sends, 2^this: 256, or four to each address.
    pub fn packet_bits(&self) -> u32 {
        PACKET_BITS_LEAST.max(self.address + 2)
    }

    /// The packets of all sources.
    pub fn packets(&self) -> u64 {
        (self.senders.len() as u64) << self.packet_bits()
    }

    /// The test ends within 2^this cycles: 256 for each packet of a source, more by
    /// [`Cast::crowd_bits`].
    pub fn limit_bits(&self) -> u32 {
        self.packet_bits() + 8 + self.crowd_bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Parameters;
    use crate::testing::plan_of;

    fn cast(fabric: &str) -> Cast {
        Cast::of(&plan_of(fabric, Parameters::default()))
    }

    #[test]
    fn cubes_have_a_terminal_at_every_address() {
        for k in 1..=4 {
            assert_eq!(cast(&format!("hypercube {k} ecube")), Cast::at_every_address(k));
        }
        assert_eq!(Cast::at_every_address(3).destinations(), None);
    }

    #[test]
    fn packets_go_to_terminals_that_take_them() {
        let mixed = cast("wired mixed shortest");
        assert_ne!(mixed.senders, mixed.takers);
        let destinations = mixed.destinations().unwrap();
        let reached: BTreeSet<u64> = destinations.iter().copied().collect();
        assert_eq!(reached, mixed.takers.iter().map(|&t| t.into()).collect());
        assert!(mixed.takers.iter().all(|&t| destinations[t as usize] == u64::from(t)));
        assert_eq!(mixed.packets(), 256 * mixed.senders.len() as u64);
    }

    /// Half of all pairs cross the root of a tree, so it takes as much longer as it has terminals.
    #[test]
    fn a_test_may_last_as_long_as_its_busiest_channel() {
        let tree = cast("tree 2_4 up-down");
        assert_eq!((tree.crowd_bits, tree.limit_bits()), (2, 18));
    }
}

//! Quality of the RTL's allocator, beside the most that could be had.

use super::ReferenceError;
use super::adaptive::{Adaptive, Allocator};
use super::layout::Layout;
use super::matching::maximum;
use crate::traffic::random::Random;
use turnpike_analysis::turns;
use turnpike_fabric::plan::FabricPlan;

/// Quality of the RTL's allocator: packets that asked and got a channel, over all switches and
/// cycles.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Matched {
    /// Number of packets that got a channel.
    pub matched: u64,
    /// The most that could have got one in the same states.
    pub possible: u64,
    /// (Switch, cycle)s in which fewer got one than could have.
    pub short: u64,
    /// (Switch, cycle)s in which any packet could get a channel.
    pub cycles: u64,
}

impl Matched {
    /// Quality over random states of one switch: every (output, VC) free and with room, a head at
    /// each queue or, as likely, none, with any of the headers that packets bring there. every
    /// (output, VC) free and with room, a head at each queue or, as likely, none, with any of the
    /// headers that packets bring there. Each state begins with the arbiters as the one before left
    /// them.
    ///
    /// # Errors
    /// [`ReferenceError`] where the reference router does not take the plan.
    pub fn of_random_states(
        plan: &FabricPlan,
        states: u32,
        seed: u64,
    ) -> Result<Self, ReferenceError> {
        let layout = Layout::new(plan)?;
        let mut counted = Self::default();
        let Some(mut adaptive) = Adaptive::new(plan, &layout, Allocator::Rtl) else {
            return Ok(counted);
        };
        let (network, mut random) = (plan.network(), Random::new(seed));
        let here = |node| network.turns().class_of(node) == 0;
        let (topology, relation) = (network.topology(), network.relation());
        let headers = turns::headers(topology, relation, network.symmetry(), here);
        let headers = headers.unwrap_or_default();
        let node = network.turns().classes[0].site.0 as usize;
        for _ in 0..states {
            let mut heads = Vec::new();
            for (queue, key) in layout.classes[0].queues.iter().enumerate() {
                let Some(headers) = headers.get(key).filter(|_| random.below(2) == 0) else {
                    continue;
                };
                let drawn = random.below(headers.len() as u32) as usize;
                let header = headers.iter().nth(drawn).copied().unwrap_or(0);
                let asks = adaptive.mask(&layout, layout.fields.at(node, queue), header);
                // Who is to be ejected asks for no channel.
                let asks = asks & !layout.classes[0].eject_mask;
                if asks != 0 {
                    heads.push((queue as u8, asks));
                }
            }
            let most = maximum(&heads, adaptive.liked(&layout, node)).len() as u64;
            let mut given = Vec::new();
            adaptive.separable(&layout, node, &heads, &mut given);
            let served = given.len() as u64;
            counted.matched += served;
            counted.possible += most;
            counted.short += u64::from(served < most);
            counted.cycles += u64::from(most > 0);
        }
        Ok(counted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::{Beat, Reference};
    use crate::terminals::TerminalSet;
    use std::sync::Arc;
    use turnpike_analysis::network::Network;
    use turnpike_fabric::plan::Parameters;
    use turnpike_network::topology::Terminal;

    fn plan(topology: &str, dimension: u32, routing: &str) -> FabricPlan {
        let network = Network::new(topology, dimension, Some(routing), None).unwrap();
        FabricPlan::new(Arc::new(network), Parameters::default(), None).unwrap()
    }

    /// Two nodes: a packet asks for a channel where it was injected and goes to the other node,
    /// one state in four, and for no other.
    #[test]
    fn on_two_nodes_a_quarter_of_the_states_have_one_packet_that_asks() {
        let states = 4_000;
        let found = Matched::of_random_states(&plan("hypercube", 1, "adaptive"), states, 1);
        let found = found.unwrap();
        assert!((900..1_100).contains(&found.cycles), "{found:?}");
        let wanted = Matched {
            matched: found.cycles,
            possible: found.cycles,
            short: 0,
            cycles: found.cycles,
        };
        assert_eq!(found, wanted);
        let none = Matched::of_random_states(&plan("hypercube", 2, "ecube"), states, 1);
        assert_eq!(none.unwrap(), Matched::default());
    }

    /// Two rounds leave packets out that a maximum matching serves, and never the other way round;
    /// states, and the fabric under load.
    #[test]
    fn two_rounds_are_short_of_the_maximum_and_the_maximum_is_not() {
        let plan = plan("hypercube", 4, "adaptive");
        let found = Matched::of_random_states(&plan, 4_000, 1).unwrap();
        assert!(found.cycles <= 4_000 && found.cycles > 3_000, "{found:?}");
        assert!(found.matched < found.possible && found.matched > found.possible / 2);
        let missing = found.possible - found.matched;
        assert!(0 < found.short && found.short <= missing && found.short < found.cycles);

        let loaded = |allocator| {
            let mut model = Reference::with_allocator(&plan, allocator).unwrap();
            let (mut random, all) = (Random::new(2), TerminalSet::all(16));
            assert_eq!(model.matched(), Some(Matched::default()));
            for cycle in 0..600 {
                if cycle == 100 {
                    assert_eq!(model.matched(), Some(Matched::default()), "not asked for yet");
                    model.measure_matching();
                }
                for terminal in 0..16 {
                    let destination = Terminal(random.below(16));
                    model.offer(terminal, Beat { packet: cycle, destination, last: true });
                }
                model.clock(&all);
            }
            model.matched().unwrap()
        };
        let rtl = loaded(Allocator::Rtl);
        assert!(rtl.matched < rtl.possible && 0 < rtl.short && rtl.short < rtl.cycles, "{rtl:?}");
        // 16 switches, 500 cycles: nearly always someone asks.
        assert!(rtl.cycles <= 16 * 500 && rtl.cycles > 8 * 500, "{rtl:?}");
        let most = loaded(Allocator::Maximum);
        assert_eq!((most.matched, most.short), (most.possible, 0), "{most:?}");
        assert!(most.possible >= most.cycles);
    }
}

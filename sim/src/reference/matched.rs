//! How well the RTL's allocator does, beside the most that could be had.

use super::ReferenceError;
use super::adaptive::{Adaptive, Allocator};
use super::layout::Layout;
use super::matching::{maximum, propose};
use crate::traffic::random::Random;
use turnpike_hdl_gen::plan::FabricPlan;
use turnpike_hdl_gen::turns;

/// How well the RTL's allocator did: packets that asked and got a channel, over all switches and
/// cycles.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Matched {
    /// Those that got one.
    pub matched: u64,
    /// The most that could have got one in the same states.
    pub possible: u64,
    /// (Switch, cycle)s in which fewer got one than could have.
    pub short: u64,
    /// (Switch, cycle)s in which any packet could get a channel.
    pub cycles: u64,
}

impl Matched {
    /// The same over random states of one switch: every (output, VC) free and with room, a head at
    /// each queue or, as likely, none, with any of the headers that packets bring there. Each state
    /// begins with the arbiters as the one before left them.
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
        let (network, mut random) = (&plan.network, Random::new(seed));
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
                let asks = adaptive.mask(&layout, node, queue, header);
                // Who is to be ejected asks for no channel.
                let asks = asks & !(1 << layout.classes[0].eject);
                if asks != 0 {
                    heads.push((queue as u8, asks));
                }
            }
            let most = maximum(&heads, &adaptive.liked).len() as u64;
            let owner = &mut adaptive.owner[node * layout.output_stride..];
            let served = propose(&heads, &adaptive.liked, owner).len() as u64;
            counted.matched += served;
            counted.possible += most;
            counted.short += u64::from(served < most);
            counted.cycles += u64::from(most > 0);
        }
        Ok(counted)
    }
}

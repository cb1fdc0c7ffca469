//! A fixed sample of a large network, for what holds by construction and is looked at once more.

use turnpike_network::routing::{Draw, Relation};
use turnpike_network::topology::{Terminal, Topology};

/// Networks up to this many terminals are looked at whole.
pub(crate) const SINKS: u32 = 1 << 14;

/// Relations of up to this many draws are looked at whole.
const DRAWS: u32 = 1 << 6;
const FEW_DRAWS: u32 = 4;

/// `count` numbers below `of`, spread by the golden ratio: any fixed choice serves. Distinct where
/// `of` is a power of two.
pub(crate) fn spread(count: u32, of: u32) -> impl Iterator<Item = u32> {
    (1..=count).map(move |i| i.wrapping_mul(0x9E37_79B9) % of)
}

/// Draws of packets to look at: all of up to [`DRAWS`], a few of more.
pub(crate) fn draws(relation: &Relation) -> Vec<Draw> {
    match relation.draw_count() {
        all if all <= DRAWS => relation.draws().collect(),
        more => spread(FEW_DRAWS, more).map(Draw).collect(),
    }
}

/// Terminals that take packets: all of up to [`SINKS`], that many of more.
pub(crate) fn sinks(topology: &dyn Topology) -> Vec<Terminal> {
    let terminals = topology.terminals();
    match terminals <= SINKS {
        true => topology.sinks().collect(),
        false => {
            let some = spread(SINKS, terminals).map(Terminal);
            some.filter(|&terminal| topology.sink(terminal).is_some()).collect()
        }
    }
}

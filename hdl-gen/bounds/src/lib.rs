//! Bounds of latency: a number of cycles that no packet of a flow exceeds, from its release to its last
//! flit at the sink, in the hardware as it is built: round-robin arbiters, queues of the depth that they
//! have, wormholes and back-pressure.
//!
//! Condition, where no shapers of the hardware see to it: each source releases no more than the token bucket of its flow lets through and
//! offers the flits of a packet one behind the other, and each sink takes what it is offered at once. A
//! bucket of a burst of b flits and a rate of r flits per cycle lets at most b + r t flits through from
//! any cycle to the t-th one after it, both included.
//!
//! Two methods work side by side, and the lesser bound counts:
//!
//! - [`compositional`]: how long any packet holds a queue, from the sinks back to the sources, as if all
//!   others had packets waiting at all times (the recursive calculus of Ferrandiz, Frances and Fraboul,
//!   "A method of computation for worst-case delay analysis on SpaceWire networks", SIES 2009, with
//!   queues that hold several packets and several virtual channels on a link). Rates count at the source
//!   alone.
//! - [`flow_based`]: each cycle in which a packet is under way is charged to the packet at the end of the
//!   chain of those that wait for one another, and no packet is charged more cycles than it takes alone.
//!   So bursts and rates of the flows that can be in such a chain bound the time.
//!
//! Every bound comes with the [`steps`] that give it; [`check`] follows them, and takes nothing from the
//! code of the two methods.

pub mod check;
pub mod compositional;
pub mod flow_based;
mod queue_network;
mod result;
mod shaper_room;
pub mod steps;

pub use queue_network::{BoundsError, LinkSharing, QueueNetwork};
pub use result::{Bounds, FlowBound, bounds};
pub use shaper_room::{ShaperRoom, shaper_rooms};

use turnpike_fabric::plan::FabricPlan;

/// Condition under which the bounds of a fabric hold.
pub fn condition(plan: &FabricPlan) -> &'static str {
    match plan.has_shapers() {
        true => {
            "each sink takes what it is offered at once, whatever the sources do: shapers hold them to the token \
             buckets of their flows, and cycles count from a packet's release by them"
        }
        false => {
            "each source releases no more than the token buckets of its flows let through and offers the flits of a \
             packet one behind the other, and each sink takes what it is offered at once"
        }
    }
}

//! Room that shapers need, so that no source which keeps to its token buckets is ever stopped.
//!
//! A packet of such a source is released two cycles after its last flit came, and its last flit is at its sink
//! within its bound. So of each flow a shaper holds the packets that are released within the bound and two
//! cycles, and beside those a packet that comes in.

use crate::result::{Bounds, FlowBound};
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_fabric::plan::{FabricPlan, RELEASE_CYCLES};
use turnpike_network::flows::Flow;

/// Room of the shaper of a source.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct ShaperRoom {
    /// Label of the source.
    pub source: String,
    /// Flits that its shaper has room for.
    pub room_flits: u32,
    /// Flits for which no source that keeps to its token buckets is ever stopped; absent where a flow of
    /// it has no bound.
    pub needed_flits: Option<u64>,
}

impl ShaperRoom {
    /// Whether it is enough.
    pub fn is_enough(&self) -> bool {
        self.needed_flits.is_some_and(|flits| flits <= self.room_flits.into())
    }
}

/// Room of all shapers of a fabric, by ascending source; none where there are no shapers.
pub fn shaper_rooms(plan: &FabricPlan, bounds: &Bounds) -> Vec<ShaperRoom> {
    let flows = plan.topology().live_flows().unwrap_or_default();
    let flows: Vec<(&Flow, &FlowBound)> = flows.iter().zip(&bounds.flows).collect();
    let held = |(flow, bound): &(&Flow, &FlowBound)| {
        let bucket = flow.bucket().ok()?;
        Some(bucket.packets(bound.bound_cycles? + RELEASE_CYCLES) * u64::from(bucket.packet))
    };
    let room = |own: &[(&Flow, &FlowBound)]| {
        let source = own[0].0.source;
        let class = &plan.shapers()[plan.shaper_of(source)?];
        let all: Option<u64> = own.iter().map(held).sum();
        Some(ShaperRoom {
            source: plan.topology().terminal_label(source),
            room_flits: class.words(),
            needed_flits: all.map(|flits| flits + u64::from(class.longest())),
        })
    };
    flows.chunk_by(|one, other| one.0.source == other.0.source).filter_map(room).collect()
}

//! Tables made fast, without a proof where none is found.

use super::evict::by_eviction;
use super::orders::{Order, first_fit};
use super::saturation::by_saturation;
use super::{Flows, FrameError, TimeTable};

/// A table of a frame of so many slots, by the first that succeeds of first fit in several orders, least
/// choice first, and words that make room. The same flows give the same table. `None` says nothing of whether there is one.
///
/// # Errors
/// [`FrameError`].
pub fn table(flows: &Flows, frame: u32) -> Result<Option<TimeTable>, FrameError> {
    flows.check_frame(frame)?;
    if frame < flows.bound() || flows.meets_itself(frame).is_some() {
        return Ok(None);
    }
    let fitted = Order::ALL.into_iter().find_map(|order| first_fit(flows, frame, order));
    Ok(fitted.or_else(|| by_saturation(flows, frame)).or_else(|| by_eviction(flows, frame)))
}

/// A short table: found by doubling what the frame has beyond the bound until there is one, and halving
/// that again. There may well be a shorter one.
///
/// # Errors
/// [`FrameError`], where the frame would grow too large.
pub fn short(flows: &Flows) -> Result<TimeTable, FrameError> {
    let bound = flows.bound().max(1);
    let mut beyond = 0u32;
    let mut found = loop {
        match table(flows, bound.saturating_add(beyond))? {
            Some(found) => break found,
            None => beyond = (2 * beyond).max(1),
        }
    };
    let mut most_without = bound + beyond / 2;
    while beyond > 0 && found.frame - most_without > 1 {
        let between = most_without.midpoint(found.frame);
        match table(flows, between)? {
            Some(shorter) => found = shorter,
            None => most_without = between,
        }
    }
    Ok(found)
}

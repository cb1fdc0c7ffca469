//! Designs that are too large for a device: by how much, and which dimension would fit.

use super::switched::switches;
use super::{FabricPart, SynthOptions};
use crate::options::{ChosenTopology, FabricOptions, NetworkOptions, NetworkSize, UnroutedOptions};
use crate::progress::Progress;
use anyhow::anyhow;
use turnpike_fabric::plan::FabricPlan;
use turnpike_flow::placement::Resource;
use turnpike_flow::session::{FlowError, Session};
use turnpike_network::topology::parameter::DIM;

/// Beyond so many times a device's logic cells, a fabric is refused by the size of its
/// switches alone, without the hours that its synthesis would take.
const HOPELESS: f64 = 1.25;

/// Refuses a fabric whose switches alone are far beyond the device.
///
/// # Errors
/// By how much, and which dimension would fit.
pub fn check_before(
    session: &Session,
    options: &SynthOptions,
    plan: &FabricPlan,
) -> anyhow::Result<()> {
    let _progress = Progress::spinner("the size of one switch");
    let Some(need) = need(session, options, plan)? else { return Ok(()) };
    if need.used as f64 <= HOPELESS * need.available as f64 {
        return Ok(());
    }
    let resource = session.target.family.logic_cell().unwrap_or_default().to_owned();
    let top = format!("the sum of the switches of {}", plan.name);
    let target = session.target.name;
    Err(explain(session, options, FlowError::TooLarge { top, target, resource, need }))
}

/// An error with the dimension that would fit, where it is one of size.
pub fn explain(session: &Session, options: &SynthOptions, error: FlowError) -> anyhow::Error {
    if !matches!(error, FlowError::TooLarge { .. }) {
        return error.into();
    }
    let what = match options.part() {
        FabricPart::Switch | FabricPart::Node => "a switch",
        FabricPart::Fabric => "a fabric",
    };
    match fitting(session, options) {
        Err(failure) => failure,
        Ok(Some(dim)) => {
            anyhow!("{error}; {what} of --dim {dim} would fit, by the size of its switches")
        }
        Ok(None) => {
            anyhow!("{error}; {what} of no smaller size would fit: use less --width or --depth")
        }
    }
}

/// The largest smaller dimension that fits, by the size of its switches.
fn fitting(session: &Session, options: &SynthOptions) -> anyhow::Result<Option<u32>> {
    let fabric = &options.fabric.fabric;
    let network = &fabric.network;
    // Other sizes are not in a row.
    let chosen = network.chosen()?.topology;
    let ChosenTopology::Named(_, size) = chosen else { return Ok(None) };
    let Some(too_large) = size.only_dim() else { return Ok(None) };
    for dim in (1..too_large).rev() {
        let values = network.unrouted.size.values.clone().with(&DIM, Some(dim));
        let size = NetworkSize { values, ..network.unrouted.size.clone() };
        let unrouted = UnroutedOptions { size, ..network.unrouted.clone() };
        let network = NetworkOptions { unrouted, ..network.clone() };
        let fabric = FabricOptions { network, ..fabric.clone() };
        // A relation need not be defined there.
        let Ok(plan) = fabric.rtl_plan(None) else { continue };
        let need = need(session, options, &plan)?;
        if need.is_some_and(|need| need.used <= need.available) {
            return Ok(Some(dim));
        }
    }
    Ok(None)
}

/// The logic cells of the switches; `None` for a target that does not place.
fn need(
    session: &Session,
    options: &SynthOptions,
    plan: &FabricPlan,
) -> anyhow::Result<Option<Resource>> {
    let Some(cell) = session.target.family.logic_cell() else { return Ok(None) };
    let mut sum = Resource { used: 0, available: 0 };
    let subjects = switches(plan, options.crossbar)?;
    for (subject, (_, nodes)) in subjects.iter().zip(plan.built_classes()) {
        let Some(packed) = session.pack(&subject.design)? else { return Ok(None) };
        let Some(found) = packed.resources.get(cell) else { return Ok(None) };
        let times = match options.part() {
            FabricPart::Switch | FabricPart::Node => 1,
            FabricPart::Fabric => nodes.into(),
        };
        sum = Resource { used: sum.used + times * found.used, available: found.available };
    }
    Ok(Some(sum))
}

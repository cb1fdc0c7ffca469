//! Whether the depopulated switch does what one with a full crossbar and the relation's
//! complete route logic does: both side by side under random inputs. (That they are equal for
//! ever is proven in the tests, with Yosys.)

use super::Outcome;
use crate::eval::Evaluator;
use crate::hash::mix;
use std::sync::Arc;
use turnpike_hdl_gen::plan::FabricPlan;
use turnpike_hdl_gen::rtl::equivalence::{EquivalenceError, side_by_side};
use turnpike_hdl_gen::rtl::{Module, NetKind};

/// Cycles for each class of switches.
const CYCLES: u64 = 20_000;
/// Cycles between changes of how much is offered and how much is ready.
const MOOD: u64 = 64;

/// The first cycle in which `equal` is low under random inputs.
pub fn first_difference(module: &Arc<Module>, cycles: u64, seed: u64) -> Option<u64> {
    let mut evaluator = Evaluator::new(module);
    let equal = evaluator.port("equal")?;
    let inputs: Vec<_> = evaluator
        .ports(NetKind::Input)
        .map(|(net, info)| {
            let kind = info.name.rsplit('_').next().unwrap_or_default();
            (net, info.width, ["offer", "ready"].iter().position(|k| *k == kind))
        })
        .collect();
    evaluator.set_reset(true);
    evaluator.clock();
    evaluator.set_reset(false);
    let mut state = seed;
    let mut random = move || {
        state = state.wrapping_add(1);
        mix(state)
    };
    // How often an offer and a ready bit is set, out of 256.
    let mut often = [128, 128];
    for cycle in 0..cycles {
        if cycle % MOOD == 0 {
            often = [0, 1].map(|_| [32, 128, 224, 256][random() as usize % 4]);
        }
        for &(net, width, kind) in &inputs {
            for low in (0..width).step_by(64) {
                let bits = (width - low).min(64);
                let value = match kind {
                    None => random(),
                    Some(kind) => {
                        (0..bits).fold(0, |v, i| v | u64::from(random() % 256 < often[kind]) << i)
                    }
                };
                evaluator.set_bits(net, low, bits, value);
            }
        }
        evaluator.settle();
        if evaluator.get_low(equal) != 1 {
            return Some(cycle);
        }
        evaluator.clock();
    }
    None
}

/// Every class of switches; `None` where the relation has no complete form to compare with.
pub fn check(plan: &FabricPlan) -> Option<Outcome> {
    for (class, switch) in plan.switches.iter().enumerate() {
        let module = match side_by_side(plan, class) {
            Ok(module) => module,
            Err(EquivalenceError::NotOblivious(_)) => return None,
            Err(error) => return Some(Err(error.to_string())),
        };
        if let Some(cycle) = first_difference(&module, CYCLES, 1) {
            let name = &switch.name;
            let text = format!("{name} is not as with a full crossbar in cycle {cycle}");
            return Some(Err(text));
        }
    }
    let classes = plan.switches.len();
    Some(Ok(format!(
        "{classes} switch class(es) equal to a full crossbar with complete route logic, \
         {CYCLES} random cycles each"
    )))
}

#[cfg(test)]
mod tests {
    use super::super::tests::plan;
    use super::*;
    use turnpike_hdl_gen::plan::full_crossbar_switch;
    use turnpike_hdl_gen::rtl::equivalence::side_by_side_with;

    /// Every crosspoint taken out is missed.
    #[test]
    fn a_turn_fewer_is_seen() {
        for (routing, k) in [("ecube", 3), ("rotation", 4)] {
            let plan = plan(routing, k, None);
            let turns = &plan.network.turns().classes[0];
            let full = full_crossbar_switch(&plan.network, turns, "full".into()).unwrap();
            let mut seen = 0;
            for output_vc in 0..plan.switches[0].output_vcs.len() {
                for source in 0..plan.switches[0].output_vcs[output_vc].sources.len() {
                    let mut fewer = plan.switches[0].clone();
                    if fewer.output_vcs[output_vc].sources.len() > 1 {
                        fewer.output_vcs[output_vc].sources.remove(source);
                        let module = side_by_side_with(&plan, &fewer, &full).unwrap();
                        assert!(first_difference(&module, CYCLES, 1).is_some());
                        seen += 1;
                    }
                }
            }
            assert!(seen > 5);
        }
    }
}

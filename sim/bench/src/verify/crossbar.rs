//! Whether the depopulated switch does what one with a full crossbar and the relation's
//! complete route logic does: both side by side under random inputs. (That they are equal for
//! ever is proven in the tests, with Yosys.)

use super::Outcome;
use turnpike_base::hash::mix;
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::rtl::equivalence::{Free, SideBySide, side_by_side};
use turnpike_netlist::{Design, NetKind, RtlError};
use turnpike_sim_rtl::eval::Evaluator;

/// Cycles for each class of switches.
const CYCLES: u64 = 20_000;
/// Cycles from one reset to the next. Free inputs mix up packets, so that their locks sooner
/// or later hold each other for ever; what is offered changes with each reset.
const MOOD: u64 = 64;

/// Random numbers.
struct Draw(u64);

impl Draw {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(1);
        mix(self.0)
    }

    /// Bits that are each set so often, out of 256.
    fn bits(&mut self, width: u32, often: u64) -> u64 {
        (0..width).fold(0, |bits, at| bits | u64::from(self.word() % 256 < often) << at)
    }

    fn often(&mut self) -> u64 {
        [32, 128, 224, 256][self.word() as usize % 4]
    }
}

/// The first cycle in which `equal` is low under random inputs: packets of one flit with any
/// header, or long ones with one header for each queue, or anything at all.
pub fn first_difference(
    both: &SideBySide,
    cycles: u64,
    seed: u64,
) -> Result<Option<u64>, RtlError> {
    let mut evaluator = Evaluator::new(&Design::new(&both.module)?);
    let equal = evaluator.port("equal").expect("what they are compared by");
    let inputs = evaluator.ports(NetKind::Input);
    let inputs = inputs.map(|(net, info)| (net, info.width, both.inputs[&info.name]));
    let inputs: Vec<_> = inputs.collect();
    let mut draw = Draw(seed);
    let (mut offers, mut readies) = (0, 0);
    for cycle in 0..cycles {
        let (fixed, single) = match cycle / MOOD % 4 {
            0 | 1 => (false, true),
            2 => (true, false),
            _ => (false, false),
        };
        let begins = cycle % MOOD == 0;
        if begins {
            (offers, readies) = (draw.often(), draw.often());
            evaluator.set_reset(true);
            evaluator.clock();
            evaluator.set_reset(false);
        }
        for &(net, width, kind) in &inputs {
            for low in (0..width).step_by(64) {
                let bits = (width - low).min(64);
                let value = match kind {
                    Free::Offer => draw.bits(bits, offers),
                    Free::Ready => draw.bits(bits, readies),
                    Free::Choice if fixed && !begins => continue,
                    Free::Choice | Free::Flit => draw.word(),
                };
                evaluator.set_bits(net, low, bits, value);
            }
            if kind == Free::Flit && single {
                evaluator.set_bits(net, width - 1, 1, 1);
            }
        }
        evaluator.settle();
        if evaluator.get_low(equal) != 1 {
            return Ok(Some(cycle));
        }
        evaluator.clock();
    }
    Ok(None)
}

/// Every class of switches.
pub fn check(plan: &FabricPlan) -> Outcome {
    let built = plan.switches.iter().enumerate().filter(|(_, switch)| !switch.queues.is_empty());
    for (class, switch) in built {
        let both = side_by_side(plan, class).map_err(|error| error.to_string())?;
        let difference = first_difference(&both, CYCLES, 1).map_err(|error| error.to_string())?;
        if let Some(cycle) = difference {
            let name = &switch.name;
            let text = format!("{name} is not as with a full crossbar in cycle {cycle}");
            return Err(text);
        }
    }
    let classes = plan.built_switches().count();
    Ok(format!(
        "{classes} switch class(es) equal to a full crossbar with complete route logic, \
         {CYCLES} random cycles each"
    ))
}

#[cfg(test)]
mod tests {
    use super::super::tests::plan;
    use super::*;
    use turnpike_fabric::plan::full_crossbar_switch;
    use turnpike_fabric::rtl::equivalence::side_by_side_with;

    /// Every crosspoint between network ports, taken out, is missed.
    #[test]
    fn a_turn_fewer_is_seen() {
        for (routing, k) in
            [("ecube", 3), ("ecube", 4), ("rotation", 4), ("thacker", 4), ("adaptive", 3)]
        {
            let plan = plan(routing, k, None);
            let turns = &plan.network().turns().classes[0];
            let full = full_crossbar_switch(plan.network(), turns, "full".into());
            let switch = &plan.switches[0];
            let mut seen = 0;
            for (at, lane) in switch.output_vcs.iter().enumerate() {
                for (source, from) in lane.sources.iter().enumerate() {
                    let queue = &switch.queues[from.queue];
                    let terminal = switch.inputs[queue.input].input.is_inject()
                        || switch.outputs[lane.output].output.is_eject();
                    if terminal || lane.sources.len() < 2 {
                        continue;
                    }
                    let mut fewer = switch.clone();
                    fewer.output_vcs[at].sources.remove(source);
                    let both = side_by_side_with(&plan, 0, &fewer, &full).unwrap();
                    let found = first_difference(&both, CYCLES, 1).unwrap();
                    let turn = format!("{routing} {k}: {} to {}", queue.name, lane.name);
                    assert!(found.is_some_and(|cycle| cycle < 1_000), "{turn}: {found:?}");
                    seen += 1;
                }
            }
            assert!(seen > 1, "{routing} {k}: {seen}");
        }
    }
}

//! The name of a circuit fabric that the user gives none.

use crate::plan::{Control, DEFAULT_SLOTS, Parameters};
use turnpike_base::names::{digest, fitted};

/// Network, control, and each number that is not the default one, in one identifier:
/// `benes_4_circuit_slots8`. A schedule of a pattern is told by its name, one of a file by the first
/// digits of the SHA-256 of its connections.
pub(crate) fn default_name(words: &str, parameters: Parameters, control: &Control) -> String {
    let network = words
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty() && !["dim", "shape"].contains(word));
    let mut words: Vec<String> = network.map(str::to_owned).collect();
    match control {
        Control::Memory(slots) => {
            words.push("circuit".to_owned());
            words.extend((*slots != DEFAULT_SLOTS).then(|| format!("slots{slots}")));
        }
        Control::Baked(baked) => words.push(match baked.pattern() {
            Some(pattern) => format!("baked_{pattern}"),
            None => format!("baked_{}", digest(&baked.text())),
        }),
        Control::SelfRouting => words.push("self_routing".to_owned()),
    }
    let usual = Parameters::default();
    let Parameters { width, stages_per_register, reset_low } = parameters;
    words.extend((width != usual.width).then(|| format!("w{width}")));
    let stages = stages_per_register != usual.stages_per_register;
    words.extend(stages.then(|| format!("registers{stages_per_register}")));
    words.extend(reset_low.then(|| "reset_low".to_owned()));
    fitted(&words.join("_"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::CircuitPlan;
    use crate::testing::{baked, plans};
    use std::collections::BTreeMap;
    use turnpike_schedule::network::Network;

    #[test]
    fn names_tell_what_is_not_the_default() {
        let base = Parameters::default();
        let name = |parameters, control| default_name("benes --dim 3", parameters, &control);
        assert_eq!(name(base, Control::Memory(DEFAULT_SLOTS)), "benes_3_circuit");
        let wide = Parameters { width: 8, stages_per_register: 2, reset_low: true };
        assert_eq!(
            name(wide, Control::Memory(8)),
            "benes_3_circuit_slots8_w8_registers2_reset_low"
        );
        assert_eq!(name(base, Control::SelfRouting), "benes_3_self_routing");
        let network = Network::benes(3).unwrap();
        let schedule = |last: [u32; 2]| {
            let slot = [0, 1, 2, 3, 4, 5].into_iter().chain(last).collect();
            baked(&network, &[slot])
        };
        let named = Control::Baked(schedule([6, 7]).named("bit-reversal"));
        assert_eq!(name(base, named), "benes_3_baked_bit_reversal");
        let [one, other] = [[6, 7], [7, 6]].map(|last| name(base, Control::Baked(schedule(last))));
        assert!(one.starts_with("benes_3_baked_") && one != other, "{one}, {other}");
    }

    #[test]
    fn no_two_fabrics_have_one_name() {
        let mut names: BTreeMap<String, String> = BTreeMap::new();
        for plan in plans() {
            let CircuitPlan { words, network, parameters, control, .. } = plan;
            let plan = CircuitPlan::new(&words, network, parameters, control, None).unwrap();
            if matches!(plan.control, Control::Baked(_)) {
                continue;
            }
            let before = names.insert(plan.name.clone(), plan.canonical());
            assert_eq!(before.filter(|before| *before != plan.canonical()), None, "{}", plan.name);
        }
        assert!(names.len() > 20, "{}", names.len());
    }
}

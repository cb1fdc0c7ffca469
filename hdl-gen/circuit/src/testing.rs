//! Networks and plans that tests of circuit fabrics go over.

use crate::baked::Baked;
use crate::plan::{CircuitPlan, Control, Parameters};
pub use turnpike_base::permutations::permutations;
use turnpike_schedule::network::Network;
use turnpike_schedule::permutation::PartialPermutation;
use turnpike_schedule::rearrange::rearrange;

/// The schedule of these permutations, one a slot, on a network that has settings for each.
///
/// # Panics
/// Where it has not.
pub fn baked(network: &Network, permutations: &[Vec<u32>]) -> Baked {
    let slot = |sinks: &Vec<u32>| {
        let permutation = PartialPermutation::whole(sinks).expect("a permutation");
        let settings = rearrange(network, &permutation).expect("it has settings");
        (permutation, settings)
    };
    Baked::new(network, permutations.iter().map(slot)).expect("settings that are right")
}

/// Small fabrics, of every network and control: what tests go over.
///
/// # Panics
/// Never, unless this list is wrong.
pub fn plans() -> Vec<CircuitPlan> {
    let networks = [
        ("benes 1", Network::benes(1)),
        ("benes 2", Network::benes(2)),
        ("benes 3", Network::benes(3)),
        ("benes 3 reduced", Network::reduced_benes(3)),
        ("butterfly 3", Network::butterfly(2, 3)),
        ("butterfly 2 radix 3", Network::butterfly(3, 2)),
        ("double-butterfly 2", Network::double_butterfly(2, 2)),
        ("clos 3,2,2", Network::clos(3, 2, 2)),
        ("clos 2,2,3", Network::clos(2, 2, 3)),
        ("clos 1,2,2", Network::clos(1, 2, 2)),
    ];
    let mut plans = Vec::new();
    for (words, network) in networks {
        let network = network.expect("a network that there is");
        let terminals = network.terminals();
        for stages_per_register in 0..=2 {
            let width = 8 + stages_per_register;
            let reset_low = stages_per_register == 2;
            let parameters = Parameters { width, stages_per_register, reset_low };
            let mut controls = vec![Control::Memory(3), Control::SelfRouting];
            if rearrange(
                &network,
                &PartialPermutation::whole(&(0..terminals).collect::<Vec<_>>()).expect("identity"),
            )
            .is_ok()
            {
                let rotated = |by| (0..terminals).map(|t| (t + by) % terminals).collect();
                let several: Vec<Vec<u32>> = (1..4).map(rotated).collect();
                controls.push(Control::Baked(baked(&network, &several)));
                controls.push(Control::Baked(baked(&network, &several[..1])));
            }
            for control in controls {
                let made = CircuitPlan::new(words, network.clone(), parameters, control, None);
                plans.extend(made.ok());
            }
        }
    }
    plans
}

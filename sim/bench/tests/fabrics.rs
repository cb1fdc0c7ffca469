//! Whole fabrics: every output of every cycle against the reference
//! router.

use std::sync::Arc;
use turnpike_analysis::network::Network;
use turnpike_fabric::plan::{FabricPlan, Parameters};
use turnpike_fabric::testing::{FABRICS, FLOW_FABRICS, plan, plan_deep, plan_of, whole_fabrics};
use turnpike_sim_bench::testbench::fabric::{Observer, Until, run_fabric, run_fabric_observed};
use turnpike_sim_bench::testbench::terminals::{CircuitModel, FabricDut};
use turnpike_sim_network::stimulus::{
    Recording, ReferenceModel, Stimulus, StimulusPacket, bursts, record,
};
use turnpike_sim_network::traffic::{Bernoulli, Ends, TrafficConfig};

fn run(plan: &FabricPlan, stimulus: Stimulus, until: Until) -> Recording {
    let circuit = FabricDut::new(plan).unwrap();
    let recording = run_fabric(circuit, plan, &Arc::new(stimulus), until, None);
    recording.unwrap_or_else(|e| panic!("{} {:?}: {e}", plan.name, plan.parameters))
}

/// Random traffic above saturation at first, with pauses, back-pressure and two resets; some of it to
/// addresses without a terminal, where there are any.
fn random(plan: &FabricPlan, seed: u64, packet_flits: u32, cycles: u64) -> Stimulus {
    let config = TrafficConfig {
        load: 0.5,
        packet_flits: packet_flits.into(),
        seed,
        ..TrafficConfig::default()
    };
    let mut traffic = Bernoulli::new(Ends::all(plan.topology().terminals()), &config).unwrap();
    Stimulus::new(plan, seed)
        .with_pauses(0.2, 0.3)
        .with_traffic(&mut traffic, cycles)
        .with_misaddressed(plan, 12)
        .with_resets(cycles)
}

fn with(routing: &str, k: u32, parameters: Parameters) -> FabricPlan {
    let network = Network::new("hypercube", k, Some(routing), None).unwrap();
    FabricPlan::new(Arc::new(network), parameters, None).unwrap()
}

/// Everything at once, and then alone under heavy back-pressure; all is delivered.
fn all_pairs(plan: &FabricPlan) {
    let longest = 4 * plan.parameters.depth;
    for (flits, gap, stall) in [(1, 0.0, 0.0), (longest, 0.0, 0.0), (3, 0.5, 0.6)] {
        let stimulus = Stimulus::new(plan, 3).with_pauses(gap, stall).with_all_pairs(flits);
        let stimulus = stimulus.between_live(plan.topology());
        let size = stimulus.size().1;
        let recording = run(plan, stimulus, Until::Delivered(100_000));
        assert_eq!((recording.accepted, recording.delivered), (size, size));
    }
}

#[test]
fn all_pairs_are_delivered_as_the_reference_router_says() {
    whole_fabrics().for_each(|fabric| all_pairs(&plan_deep(fabric, 4)));
}

/// Words of queues on both sides of a multiple of 64, which is where the evaluator's words end: those of
/// one module have headers of unlike widths.
#[test]
fn queues_on_both_sides_of_a_word_hold_what_the_reference_router_says() {
    for width in [58, 59, 60, 61, 62, 63, 124] {
        let plan =
            plan_of("mesh 4x4 dimension-order", Parameters { width, ..Parameters::default() });
        run(&plan, random(&plan, 1, 4, 300), Until::Cycle(300));
    }
}

/// Networks for flows, and for message classes: each flow, then bursts with packets of no flow among them.
#[test]
fn flows_are_as_the_reference_router_says() {
    for &fabric in FLOW_FABRICS {
        let plan = plan_deep(fabric, 4);
        all_pairs(&plan);
        let recording = run(&plan, bursts(&plan, 3, 600), Until::Cycle(700));
        assert!(recording.delivered > 20, "{fabric}: {recording:?}");
    }
}

#[test]
fn random_traffic_is_as_the_reference_router_says() {
    for fabric in whole_fabrics() {
        let all = [(16, 4), (5, 2), (1, 4), (2, 3), (20, 5)];
        // A long packet and a short queue find most of what there is.
        let few = if FABRICS.contains(&fabric) { &all[..] } else { &all[..2] };
        for &(packet_flits, depth) in few {
            let plan = plan_deep(fabric, depth);
            let recording = run(&plan, random(&plan, 5, packet_flits, 1_200), Until::Cycle(1_500));
            assert!(recording.delivered > 200, "{fabric:?}: {recording:?}");
        }
    }
}

#[test]
fn every_parameter_leads_to_the_same_flow() {
    let base = Parameters::default();
    let variants = [
        Parameters { source_id: true, ..base },
        Parameters { keep: true, user_width: 5, ..base },
        Parameters { width: 1, ..base },
        Parameters { width: 100, depth: 2, user_width: 70, ..base },
        Parameters { width: 1024, keep: true, source_id: true, user_width: 1, depth: 3, ..base },
        Parameters { depth: 40, ..base },
        Parameters { depth: 33, width: 8, keep: true, ..base },
    ];
    for parameters in variants {
        for (routing, k) in [("ecube", 2), ("rotation", 3), ("thacker", 4)] {
            let plan = with(routing, k, parameters);
            let stimulus = random(&plan, 6, 7, 500);
            let recording = run(&plan, stimulus, Until::Cycle(600));
            assert!(recording.delivered > 100, "{routing} {k} {parameters:?}: {recording:?}");
        }
    }
}

#[test]
fn every_build_is_as_the_reference_router_says() {
    for depth in [2, 3, 4, 9, 40] {
        for parameters in (Parameters { depth, width: 8, ..Parameters::default() }).builds() {
            for (routing, k) in [("ecube", 2), ("rotation", 3)] {
                let plan = with(routing, k, parameters);
                for packet_flits in [1, 7] {
                    let recording =
                        run(&plan, random(&plan, 4, packet_flits, 300), Until::Cycle(400));
                    assert!(recording.delivered > 50, "{parameters:?}: {recording:?}");
                }
            }
        }
    }
    for parameters in Parameters::default().builds() {
        all_pairs(&with("rotation", 3, parameters));
    }
}

/// The digests of the circuit as a model, under the testbench with every net and, as `simulate` runs it,
/// with its ports alone, and those of the reference router.
#[test]
fn digests_are_those_of_the_reference_router() {
    for fabric in whole_fabrics() {
        let plan = plan_deep(fabric, 4);
        let stimulus = random(&plan, 8, 6, 2_000);
        let mut circuit = CircuitModel::new(FabricDut::new(&plan).unwrap(), &stimulus);
        let found = record(&mut circuit, &stimulus, 2_000);
        let mut reference = ReferenceModel::new(&plan, &stimulus).unwrap();
        let expected = record(&mut reference, &stimulus, 2_000);
        assert_eq!(found.first_difference(&expected), None, "{fabric:?}");
        assert_eq!(found, expected);
        let inside = run(&plan, stimulus.clone(), Until::Cycle(2_000));
        assert_eq!(inside, expected);
        let (circuit, until) = (FabricDut::of_ports(&plan).unwrap(), Until::Cycle(2_000));
        let (stimulus, observer) = (Arc::new(stimulus), Observer::new(|_| ()));
        let by_itself = run_fabric_observed(circuit, &plan, &stimulus, until, None, observer);
        assert_eq!(by_itself.unwrap(), expected);
    }
}

/// A packet to an address without a terminal is consumed whole and flagged once, in the cycle
/// in which its first beat is taken; what its source sends after it arrives.
#[test]
fn packets_to_no_terminal_are_refused_whole() {
    let plan = plan_deep("ccc 3 two-stage", 4);
    let mut stimulus = Stimulus::new(&plan, 1);
    let packet = |destination, flits| StimulusPacket { release: 0, destination, flits };
    stimulus.packets[5] = vec![packet(24, 6), packet(31, 1), packet(7, 2)];
    let mut reference = ReferenceModel::new(&plan, &stimulus).unwrap();
    let expected = record(&mut reference, &stimulus, 40);
    assert_eq!(reference.reference().misaddressed(), 2);
    assert_eq!((expected.accepted, expected.delivered), (9, 2));
    // Here `s_axis_error` of every terminal and cycle is compared.
    assert_eq!(run(&plan, stimulus, Until::Cycle(40)), expected);
}

/// Larger cubes; unoptimised only the smallest share of it.
#[test]
fn larger_cubes_are_as_the_reference_router_says() {
    let (pairs, cycles) = if cfg!(debug_assertions) { (false, 300) } else { (true, 5_000) };
    for (routing, k) in [("ecube", 5), ("rotation", 5), ("ecube", 6), ("rotation", 6)] {
        let plan = plan(routing, k);
        if pairs {
            all_pairs(&plan);
        }
        run(&plan, random(&plan, 9, 16, cycles), Until::Cycle(cycles));
    }
}

//! Priorities of message classes: who goes first, and that those which give way share what is left.

use turnpike_fabric::plan::{FabricPlan, Granting, Parameters, Pipeline};
use turnpike_fabric::testing::plan_of;
use turnpike_sim_network::reference::{Beat, Reference};
use turnpike_sim_network::terminals::TerminalSet;

const CYCLES: u32 = 1000;

/// Flits of each class that arrive in [`CYCLES`], where the first class offers one in every so many cycles and
/// the others in all. All cross the link from `b` to `c`.
fn arrived(plan: &FabricPlan, every: u32) -> [u32; 3] {
    let topology = plan.topology();
    let mut reference = Reference::new(plan).unwrap();
    let flows = topology.flows().unwrap();
    let sinks = TerminalSet::all(reference.terminals());
    let mut arrived = [0; 3];
    for cycle in 0..CYCLES {
        for flow in flows.list() {
            let class = flows.class_of(flow.source);
            if class == 0 && cycle % every > 0 {
                continue;
            }
            let beat = Beat { packet: class as u32, destination: flow.destination, last: true };
            reference.offer(flow.source.0, beat);
        }
        for delivery in reference.clock(&sinks) {
            arrived[delivery.flit.packet as usize] += 1;
        }
    }
    arrived
}

fn near(found: [u32; 3], expected: [u32; 3]) -> bool {
    found.iter().zip(expected).all(|(found, expected)| found.abs_diff(expected) <= 20)
}

#[test]
fn classes_of_a_higher_priority_go_first_and_the_others_take_turns() {
    let alike = "wired gathered shortest for one:s>v,two:s>v,three:t>v";
    let ranked = "wired gathered shortest for one/2:s>v,two:s>v,three:t>v";
    let three = "wired gathered shortest for one/2:s>v,two:s>v,three/1:t>v";
    // Elsewhere a queue has a packet of one flit in every second cycle at most.
    let keeps_up = |pipeline: &&Pipeline| pipeline.granting() != Granting::Registered;
    for &pipeline in Pipeline::ALL.iter().filter(keeps_up) {
        for (fabric, every, expected) in [
            (alike, 1, [333, 333, 333]),
            (ranked, 1, [1000, 0, 0]),
            // A flit of the first class between any two of the others does not give one of these all turns.
            (ranked, 2, [500, 250, 250]),
            (ranked, 4, [250, 375, 375]),
            (three, 1, [1000, 0, 0]),
            (three, 2, [500, 0, 500]),
        ] {
            let depth = pipeline.least_depth().max(4);
            let plan = plan_of(fabric, Parameters { pipeline, depth, ..Parameters::default() });
            let found = arrived(&plan, every);
            assert!(near(found, expected), "{fabric} {pipeline:?} {every}: {found:?}");
        }
    }
}

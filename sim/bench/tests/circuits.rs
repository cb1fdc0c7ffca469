//! Circuit fabrics: every output of every cycle against the reference model.

use turnpike_circuit::plan::Parameters;
use turnpike_circuit::plan::{CircuitPlan, Control};
use turnpike_circuit::rtl::circuit;
use turnpike_circuit::rtl::registers::Address;
use turnpike_circuit::testing::{permutations, plans};
use turnpike_schedule::network::Network;
use turnpike_schedule::permutation::PartialPermutation;
use turnpike_schedule::rearrange::rearrange;
use turnpike_sim_bench::testbench::circuit::{CircuitBench, Op};
use turnpike_sim_bench::testbench::run;
use turnpike_sim_rtl::dut::Dut;

/// Every permutation of 2, 4 and 8 terminals through a Benes network, and of 4 and 6 through
/// Clos networks, all settings written over AXI4-Lite.
#[test]
fn every_permutation_passes() {
    const SLOTS: u32 = 64;
    for (network, stages_per_register, count) in [
        (Network::benes(1), 1, 2),
        (Network::benes(2), 1, 24),
        (Network::reduced_benes(2), 2, 24),
        (Network::clos(2, 2, 2), 1, 24),
        (Network::clos(3, 3, 2), 0, 720),
        (Network::benes(3), 0, 40_320),
    ] {
        let network = network.unwrap();
        let parameters = Parameters { width: 8, stages_per_register, ..Parameters::default() };
        let control = Control::Memory(SLOTS);
        let plan = CircuitPlan::new("n", network, parameters, control, None).unwrap();
        let (map, layout) = (plan.map(), plan.layout());
        let mut script = Vec::new();
        let all = permutations(plan.terminals());
        for chunk in all.chunks(SLOTS as usize) {
            for (slot, sinks) in (0..).zip(chunk) {
                let permutation = PartialPermutation::whole(sinks).unwrap();
                let settings = rearrange(&plan.network, &permutation).unwrap();
                let words = layout.encode(&settings, &permutation);
                let write = |(word, data)| Op::Write(map.address(slot, word), data);
                script.extend((0..).zip(words).map(write));
            }
            script.push(Op::Write(Address::Count.bytes(), chunk.len() as u32));
            script.push(Op::Write(Address::Swap.bytes(), 1));
            script.extend([Op::Run(8), Op::Swapped, Op::Run(SLOTS + plan.latency())]);
        }
        let design = circuit(&plan).unwrap();
        let bench = CircuitBench::with_script(&plan, script);
        let bench = run(Dut::new(&design), bench, None).unwrap();
        assert_eq!(bench.seen.len(), count, "{}", plan.canonical());
    }
}

#[test]
fn every_small_fabric_is_as_its_model() {
    for plan in plans() {
        let name = format!("{} {}", plan.name, plan.canonical());
        let design = circuit(&plan).unwrap_or_else(|e| panic!("{name}: {e}"));
        let bench = CircuitBench::new(&plan, 3000, 1);
        let bench = run(Dut::new(&design), bench, None).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(bench.delivered > 20, "{name}: {} words", bench.delivered);
        match plan.control {
            Control::Memory(_) => assert!(bench.swaps > 10, "{name}: {} swaps", bench.swaps),
            Control::SelfRouting => {
                assert!(bench.conflicts > 100 || plan.terminals() == 2, "{name}")
            }
            Control::Baked(_) => {}
        }
    }
}

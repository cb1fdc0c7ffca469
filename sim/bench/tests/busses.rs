//! Bus fabrics: every output of every cycle against the reference model.

use turnpike_bus::protocol::Backoff;
use turnpike_bus::rtl::fabric;
use turnpike_bus::testing::plans;
use turnpike_bus::{BusPlan, Layout, Parameters, Protocol, SplitHash};
use turnpike_sim_bench::testbench::bus::BusBench;
use turnpike_sim_bench::testbench::run;
use turnpike_sim_network::bus::Counts;
use turnpike_sim_rtl::dut::Dut;

#[test]
fn every_small_fabric_is_as_its_model() {
    for plan in plans() {
        let name = plan.canonical();
        let design = fabric(&plan).unwrap_or_else(|e| panic!("{name}: {e}"));
        let (cycles, least) = match plan.layout {
            Layout::Lines => (3000, 500),
            Layout::OneBus(_) => (3000, 250),
            // Words take as many busses as there are levels, and each its tries; in half of the time few
            // sources send, to one sink.
            Layout::Leveled(_) => (9000, 500),
        };
        let bench = BusBench::new(&plan, cycles, 1);
        let bench = run(Dut::new(&design), bench, None).unwrap_or_else(|e| panic!("{name}: {e}"));
        let Counts { sent, understood, taken, .. } = bench.counts;
        assert!(bench.delivered > least, "{name}: {} words", bench.delivered);
        // On a bus for few flows in turns every word may find room.
        let all_may_pass = plan.flows().is_some() && plan.protocol == Protocol::Rotor;
        assert!(taken > 0 && (taken < sent || all_may_pass), "{name}: {:?}", bench.counts);
        let meets = plan.protocol != Protocol::Rotor && plan.extent.most_meeting > 1;
        assert_eq!(meets, understood < sent, "{name}: {:?}", bench.counts);
        assert_eq!(bench.unknown > 0, plan.refuses(), "{name}");
    }
}

/// Two levels between sources and sinks, with three and six functions.
#[test]
fn three_levels_are_as_their_model() {
    let network = SplitHash::new(6, 3, 2).unwrap();
    let backoff = Protocol::Backoff(Backoff::new(8).unwrap());
    let parameters = Parameters { width: 4, depth: 2, ..Parameters::default() };
    let plan = BusPlan::of_split_hash(network, 3, backoff, parameters, None).unwrap();
    let design = fabric(&plan).unwrap();
    let bench = run(Dut::new(&design), BusBench::new(&plan, 1000, 1), None)
        .unwrap_or_else(|e| panic!("{e}"));
    assert!(bench.delivered > 500, "{} words", bench.delivered);
    let Counts { sent, understood, taken, .. } = bench.counts;
    assert!(taken < understood && understood < sent, "{:?}", bench.counts);
}

//! Networks that are planned from their route logic, to be run alone: they run as those do whose routes were
//! walked.

use std::sync::Arc;
use turnpike_analysis::network::{Network, Wanted};
use turnpike_fabric::plan::{FabricPlan, Parameters};
use turnpike_network::topology::find;
use turnpike_sim_network::measure::{RunConfig, WarmUp, run};
use turnpike_sim_network::report::Report;
use turnpike_sim_network::traffic::{Ends, TrafficConfig, synthetic};

fn ran(network: Network) -> Report {
    let plan = FabricPlan::new(Arc::new(network), Parameters::default(), None).unwrap();
    let config = TrafficConfig { load: 0.4, ..TrafficConfig::default() };
    let mut traffic = synthetic(Ends::of(plan.topology()), &config).unwrap();
    let warm_up = WarmUp::Cycles(200);
    let short = RunConfig { warm_up, measure: Some(300), ..RunConfig::default() };
    run(&plan, &mut *traffic, &short, &mut |_| {}).unwrap()
}

#[test]
fn runs_are_the_same() {
    for (name, keys, routing, vcs) in [
        ("mesh", "8x8", "two-phase", None),
        ("mesh", "12x10", "adaptive", None),
        ("torus", "10x10", "adaptive", None),
        ("mesh", "16x8", "romm", None),
        ("hypercube", "7", "adaptive", None),
        ("hypercube", "6", "two-phase", None),
        ("hypercube", "9", "ecube", None),
        ("hypercube", "5", "random-hop", None),
        ("dccc", "6", "", None),
        ("fat-tree", "2 9", "", None),
        ("tree", "2 9", "", None),
        ("mesh", "12x10", "dimension-order", Some(4)),
        ("mesh", "8x8", "two-phase", Some(4)),
        ("torus", "10x10", "adaptive", Some(5)),
    ] {
        let kind = find(name).unwrap();
        let keys: Vec<&str> = keys.split(' ').collect();
        let size = kind.sizes.of_keys(&keys).unwrap();
        let routing = Some(routing).filter(|routing| !routing.is_empty());
        let built = Wanted { routing, vcs, ..Wanted::new(name, size) };
        let [whole, quick] = [false, true].map(|to_run| {
            let network = Network::wanted(&Wanted { to_run, ..built }).unwrap();
            assert_eq!(network.is_unchecked(), to_run, "{name} {keys:?} {routing:?}");
            ran(network)
        });
        assert_eq!(quick, whole, "{name} {keys:?} {routing:?}");
    }
}

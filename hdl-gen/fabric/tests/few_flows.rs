//! Networks for few flows: whatever these are, the switches are built. What no flow uses is not, so logic
//! that others share may have no reader left, which a netlist refuses.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use turnpike_fabric::rtl::fabric::fabric;
use turnpike_fabric::testing::{network, plan_of};

/// Networks of all kinds of relations, those above all whose packets choose.
const NETWORKS: &[&str] = &[
    "mesh 3x3 adaptive",
    "mesh 3x3 adaptive concentrated 2",
    "torus 4x4 adaptive",
    "torus 3x3 adaptive",
    "hypercube 3 adaptive",
    "directed-cube 3 adaptive",
    "mesh 3x3 odd-even",
    "mesh 3x3 west-first",
    "mesh 3x3 negative-first",
    "fat-tree 2_3 adaptive",
    "mesh 3x3 dimension-order",
    "mesh 3x3 up-down",
    "torus 3x3 shortest",
    "mesh 3x3 romm",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn switches_for_few_flows_are_built(
        of in select(NETWORKS),
        pairs in prop::collection::vec(any::<(Index, Index)>(), 1..8),
        gathers in any::<bool>(),
    ) {
        let whole = network(of);
        let topology = whole.topology();
        let labels: Vec<String> =
            topology.all_terminals().map(|terminal| topology.terminal_label(terminal)).collect();
        let ends = |&(from, to): &(Index, Index)| (from.get(&labels), to.get(&labels));
        let mut flows: Vec<String> =
            pairs.iter().map(ends).map(|(from, to)| format!("{from}>{to}")).collect();
        if gathers {
            flows = vec![format!("*>{}", pairs[0].1.get(&labels))];
        }
        flows.sort();
        flows.dedup();
        let plan = plan_of(&format!("{of} for {}", flows.join(",")), Default::default());
        let built = fabric(&plan);
        prop_assert!(built.is_ok(), "{of} for {}: {:?}", flows.join(","), built.err());
    }
}

//! `direct` and `around`: rings one way, fully connected networks and stars.

use std::sync::Arc;
use turnpike_analysis::network::{Network, Wanted};
use turnpike_fabric::plan::{FabricPlan, Parameters};
use turnpike_network::topology::Size;

fn network(topology: &str, nodes: u32, routing: Option<&str>) -> Network {
    let size = Size::of_nodes(nodes);
    let network = Network::wanted(&Wanted { routing, ..Wanted::new(topology, size) }).unwrap();
    assert!(network.certificate().is_some(), "{topology} {nodes}");
    network
}

/// Classes of switches and of injectors, virtual channels, crosspoints between network ports.
fn figures(topology: &str, nodes: u32) -> (usize, usize, u8, Vec<usize>) {
    let network = Arc::new(network(topology, nodes, None));
    let plan = FabricPlan::new(Arc::clone(&network), Parameters::default(), None).unwrap();
    let crosspoints = network.turns().classes.iter().map(|class| class.crosspoints().len());
    let (switches, injectors) = (plan.switches.len(), plan.injectors.len());
    (switches, injectors, network.relation().vcs(), crosspoints.collect())
}

/// One module of each: the injector, too, of any number of nodes. No packet passes a switch.
#[test]
fn all_nodes_of_a_fully_connected_network_are_alike() {
    for nodes in [2, 3, 5, 8, 13] {
        assert_eq!(figures("full", nodes), (1, 1, 1, vec![0]));
        assert!(network("full", nodes, None).symmetry().is_by_translation());
    }
}

/// The hub has the turns between unlike nodes, and is the only switch that packets pass.
#[test]
fn a_star_is_a_hub_and_nodes_that_are_alike() {
    for nodes in [2, 3, 5, 8, 13] {
        let (switches, injectors, vcs, mut crosspoints) = figures("star", nodes);
        crosspoints.sort_unstable();
        assert_eq!((switches, injectors, vcs), (2, 1, 1));
        assert_eq!(crosspoints, [0, (nodes * (nodes - 1)) as usize]);
    }
}

/// Two virtual channels, and no fewer: with one, the ring waits for itself. By table it is as many.
#[test]
fn a_directed_ring_takes_two_virtual_channels() {
    for nodes in [3, 4, 5, 8, 33] {
        let (_, injectors, vcs, _) = figures("directed-ring", nodes);
        assert_eq!((injectors, vcs), (1, 2), "{nodes}");
        let by_table = network("directed-ring", nodes, Some("shortest"));
        assert_eq!(by_table.relation().vcs(), 2, "{nodes}");
    }
}

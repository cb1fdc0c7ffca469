//! `up-down` on trees: as few virtual channels, crosspoints and modules as it promises. `adaptive` on
//! fat trees: every shortest path.

use std::sync::Arc;
use turnpike_analysis::network::{Network, NetworkError, Wanted};
use turnpike_fabric::plan::{FabricPlan, Parameters};
use turnpike_network::routing::Draw;
use turnpike_network::routing::choice::ADAPTIVE_VC;
use turnpike_network::routing::{Header, Input, Output};
use turnpike_network::topology::parameter::{ARITY, LEVELS};
use turnpike_network::topology::paths::Paths;
use turnpike_network::topology::tree::Tree;
use turnpike_network::topology::{Node, Size, Terminal};

fn network(topology: &str, arity: u32, levels: u32) -> Result<Network, NetworkError> {
    Network::wanted(&Wanted::new(topology, Size::of([(&ARITY, arity), (&LEVELS, levels)])))
}

fn plan(topology: &str, arity: u32, levels: u32) -> FabricPlan {
    let network = network(topology, arity, levels).unwrap();
    FabricPlan::new(Arc::new(network), Parameters::default(), None).unwrap()
}

/// A module for each level, one for all injectors where digits are bits, one VC. A switch between
/// the lowest level and the highest turns packets from K inputs up to each of K, from K inputs down
/// to K - 1 each, and from each of K inputs from above down to one.
#[test]
fn a_fat_tree_is_as_small_as_is_said() {
    for (arity, levels) in [(2, 2), (2, 3), (2, 5), (3, 3), (4, 3), (5, 2)] {
        let plan = plan("fat-tree", arity, levels);
        let network = plan.network();
        assert_eq!(network.relation().vcs(), 1);
        assert!(network.certificate().is_some() && network.single_vc_cycle().is_none());
        assert_eq!(plan.switches.len() as u32, levels);
        let alike = u32::is_power_of_two(arity);
        assert_eq!(plan.injectors.len() == 1, alike, "{arity} {levels}");
        let tree = Tree::of_topology(plan.topology()).unwrap();
        for class in &network.turns().classes {
            let crosspoints = class.crosspoints().len() as u32;
            match tree.place(class.site).0 {
                0 => assert_eq!(crosspoints, 0, "all are the terminals'"),
                level if level + 1 == levels => assert_eq!(crosspoints, arity * (arity - 1)),
                _ => assert_eq!(crosspoints, 2 * arity * arity),
            }
        }
    }
}

#[test]
fn a_tree_takes_one_virtual_channel_and_a_module_for_each_level() {
    for (arity, levels) in [(2, 2), (2, 4), (3, 3), (4, 3), (5, 2)] {
        let plan = plan("tree", arity, levels);
        assert_eq!(plan.relation().vcs(), 1);
        assert!(plan.is_deadlock_free());
        assert_eq!(plan.switches.len() as u32, levels);
    }
}

/// Where every source has a table of its own, few sources alone are taken.
#[test]
fn tables_beyond_reason_are_refused() {
    let error = network("fat-tree", 5, 5).unwrap_err().to_string();
    assert!(error.contains("the tables would have 192000000 bits"), "{error}");
    // Where digits are bits there are none.
    assert!(network("fat-tree", 2, 8).is_ok());
}

/// Ways of a packet, by the relation's choices, from an input of a switch to where it is ejected:
/// at `destination`.
fn by_choice(
    network: &Network,
    destination: Terminal,
    node: Node,
    input: Input,
    header: Header,
) -> u128 {
    let (topology, relation) = (network.topology(), network.relation());
    let choices = relation.choices().unwrap();
    let hops = choices.hops(node, input, ADAPTIVE_VC, header);
    let hardware: Vec<Output> =
        choices.choice(node, input, ADAPTIVE_VC).ports(header).map(Output::Network).collect();
    assert_eq!(hardware, hops.iter().map(|hop| hop.output).collect::<Vec<_>>());
    if hops.is_empty() {
        let hop = relation.hop(node, input, ADAPTIVE_VC, header);
        assert_eq!(Some((node, hop.output)), Output::of(topology, destination));
        assert_eq!(relation.select(node, input, ADAPTIVE_VC).output(header), hop.output);
        return 1;
    }
    let ways = hops.iter().map(|hop| {
        let Output::Network(port) = hop.output else { panic!("{hop:?} is no choice") };
        let (next, input) = topology.channel(node, port).unwrap();
        by_choice(network, destination, next, Input::Network(input), hop.header)
    });
    ways.sum()
}

/// Up by any port, and down where the destination is: each shortest path once and no other, and
/// the hardware offers what the definition does. On one virtual channel.
#[test]
fn an_adaptive_fat_tree_takes_every_shortest_path() {
    for (arity, levels) in [(2, 2), (2, 3), (2, 4), (3, 2), (3, 3), (4, 2)] {
        let size = Size::of([(&ARITY, arity), (&LEVELS, levels)]);
        let wanted = Wanted { routing: Some("adaptive"), ..Wanted::new("fat-tree", size) };
        let network = Network::wanted(&wanted).unwrap();
        assert!(network.certificate().is_some());
        assert_eq!(network.relation().vcs(), 1);
        let topology = network.topology();
        let mut paths = Paths::new(topology);
        for source in topology.sources() {
            let (from, input) = Input::of(topology, source).unwrap();
            let shortest = paths.from(from);
            for destination in topology.sinks() {
                let header = network.relation().inject(source, destination, Draw::NONE);
                let found = by_choice(&network, destination, from, input, header);
                let (to, _) = topology.sink(destination).unwrap();
                assert_eq!(found, shortest.count(to), "{size}: {source:?} {destination:?}");
            }
        }
    }
}

//! The static relation of the directed cubes.

use turnpike_analysis::network::Network;
use turnpike_network::routing::Draw;
use turnpike_network::routing::walk::walk;

/// The switch of a directed cube needs its whole crossbar, and the VCs of the dateline.
#[test]
fn whole_crossbars_and_few_virtual_channels() {
    let vcs: Vec<u8> = (2..=10)
        .map(|n| {
            let network = Network::new("directed-cube", n, Some("static"), None).unwrap();
            assert!(network.certificate().is_some());
            let classes = &network.turns().classes;
            assert_eq!(classes.len(), 2, "n={n}");
            for class in classes {
                let (few, many) = (n / 2, n.div_ceil(2));
                assert_eq!(class.crosspoints().len() as u32, few * many, "n={n}");
            }
            network.relation().vcs()
        })
        .collect();
    assert_eq!(vcs, [2, 3, 3, 4, 3, 4, 4, 5, 4]);
}

/// Where all channels of odd nodes are full, those of even nodes are (n - 1)/(n + 1) full, for odd n
/// (Heller, Directed Cube Networks, CSG Memo 253, 1985, section 6): as many flits leave either kind of
/// node, and even nodes have (n + 1)/2 outputs, odd ones (n - 1)/2.
#[test]
fn outputs_of_even_nodes_are_less_full_in_odd_dimensions() {
    for n in [3, 5, 7] {
        let network = Network::new("directed-cube", n, Some("static"), None).unwrap();
        let topology = network.topology();
        // Flits that leave even nodes and odd ones, of a packet for each ordered pair.
        let mut leaving = [0u64; 2];
        for source in topology.sources() {
            for destination in topology.sinks() {
                let relation = network.relation();
                walk(topology, relation, source, destination, Draw::NONE, |step| {
                    let odd = step.node.0.count_ones() % 2;
                    leaving[odd as usize] += u64::from(!step.hop.output.is_eject());
                })
                .unwrap();
            }
        }
        let (even_outputs, odd_outputs) = (u64::from(n.div_ceil(2)), u64::from(n / 2));
        // Flits for each output of a node: even by odd.
        let [even, odd] = leaving;
        let n = u64::from(n);
        assert_eq!(even * odd_outputs * (n + 1), odd * even_outputs * (n - 1), "n={n}");
    }
}

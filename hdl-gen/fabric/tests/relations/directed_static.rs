//! The static relation of the directed cubes.

use turnpike_analysis::network::Network;

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

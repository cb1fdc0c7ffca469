//! Two-stage routing of the cube-connected cycles.

use turnpike_analysis::network::Network;
use turnpike_network::routing::two_stage::KIND;
use turnpike_network::topology::ccc::{Ccc, Variant};

/// Its own virtual channels make every variant free of deadlock, and there are no more
/// than are used.
#[test]
fn free_of_deadlock_with_its_own_virtual_channels() {
    for variant in Variant::ALL {
        for n in 3..=6 {
            let name = variant.kind().name;
            let network = Network::new(name, n, Some(KIND.name), None).unwrap();
            assert!(network.certificate().is_some(), "{name} {n}");
            assert!(network.single_vc_cycle().is_none());
            assert_eq!(network.turns().vcs(), network.relation().vcs(), "{name} {n}");
            let sites = network.symmetry().sites().len() as u32;
            let ccc = Ccc::new(variant, n).unwrap();
            assert_eq!(sites, ccc.ring(), "{name} {n}: one per position");
        }
    }
}

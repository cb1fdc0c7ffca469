//! Routes around a failed node.

use turnpike_analysis::network::{Network, Wanted};
use turnpike_network::routing::Draw;
use turnpike_network::routing::Output;
use turnpike_network::routing::walk::route;
use turnpike_network::topology::Node;

/// Only routes that met the failed node change, and by two channels at most.
#[test]
fn routes_change_where_they_must() {
    let left = Network::wanted(&Wanted {
        routing: Some("ecube"),
        failed: &["0101".to_owned()],
        ..Wanted::new("hypercube", 4)
    });
    let left = left.unwrap();
    let intact = Network::new("hypercube", 4, Some("ecube"), None).unwrap();
    let ports = |network: &Network, from, to| -> (Vec<Output>, bool) {
        let steps = route(network.topology(), network.relation(), from, to, Draw::NONE).unwrap();
        let meets = steps.iter().any(|step| step.node == Node(5));
        (steps.iter().map(|step| step.hop.output).collect(), meets)
    };
    let (mut same, mut longer) = (0, 0);
    for from in left.topology().sources() {
        for to in left.topology().sinks() {
            let (before, met) = ports(&intact, from, to);
            let (after, meets) = ports(&left, from, to);
            assert!(!meets);
            if met {
                longer += u32::from(after.len() > before.len());
                assert!(after.len() <= before.len() + 2);
            } else {
                assert_eq!(before, after);
                same += 1;
            }
        }
    }
    assert!(left.certificate().is_some());
    // Of two paths of length 2 one is left; no distance grows in a cube of dimension 4.
    assert_eq!((same, longer), (15 * 15 - 17, 0));
}

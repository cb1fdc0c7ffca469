//! Several virtual channels in a resource class: the turns of the plain relation, with any virtual channel of a
//! class in place of its one.

use std::collections::BTreeSet;
use turnpike_analysis::network::{Network, Wanted};
use turnpike_analysis::turns::Turn;
use turnpike_network::routing::several_vcs::{VcAllocation, several_vcs};
use turnpike_network::routing::twisted::Twisted;
use turnpike_network::routing::{Hop, Output, Vc};
use turnpike_network::topology::{self, Node, find};

/// Networks, the virtual channels asked for, and by class of the plain relation those that there are.
const NETWORKS: &[(&str, &str, &str, u8, &[u8])] = &[
    ("mesh", "3x3", "dimension-order", 4, &[4]),
    ("hypercube", "3", "rotation", 5, &[2, 2]),
    ("hypercube", "3", "rotation", 8, &[4, 4]),
    ("torus", "4x3", "dimension-order", 4, &[2, 2]),
    ("ccc", "3", "shortest", 6, &[2, 2, 2]),
    ("mesh", "3x2", "o1turn", 4, &[2, 2]),
    ("hypercube", "2", "two-phase", 6, &[3, 3]),
    ("hypercube", "3", "adaptive", 4, &[3, 1]),
    ("torus", "3x3", "adaptive", 8, &[6, 1, 1]),
    ("mesh", "3x3", "west-first", 2, &[2]),
    ("fat-tree", "2 2", "adaptive", 3, &[3]),
];

fn wanted<'a>((name, keys, routing, ..): (&'a str, &str, &'a str, u8, &[u8])) -> Wanted<'a> {
    let keys: Vec<&str> = keys.split(' ').collect();
    let size = find(name).unwrap().sizes.of_keys(&keys).unwrap();
    Wanted { routing: Some(routing), ..Wanted::new(name, size) }
}

/// Class of a virtual channel, and its place there, where classes have so many.
fn place(sizes: &[u8], vc: Vc) -> (Vc, u8) {
    let mut left = vc.0;
    for (class, &size) in (0..).zip(sizes) {
        match left.checked_sub(size) {
            None => return (Vc(class), left),
            Some(more) => left = more,
        }
    }
    panic!("{vc:?} is in no class of {sizes:?}")
}

fn turns(network: &Network, node: Node) -> impl Iterator<Item = Turn> + '_ {
    network.turns().classes[network.turns().class_of(node)].turns.keys().copied()
}

/// At every node: each turn is one of the plain relation, of the classes, and each of these is there for every
/// virtual channel that packets may take, and no other.
#[test]
fn turns_are_those_of_the_plain_relation() {
    for &network in NETWORKS {
        let (name, size, routing, vcs, sizes) = network;
        let plain = Network::wanted(&wanted(network)).unwrap();
        assert_eq!(usize::from(plain.relation().vcs()), sizes.len(), "{name} {size} {routing}");
        for vc_allocation in VcAllocation::ALL {
            let at = format!("{name} {size} {routing} {vcs} {vc_allocation}");
            let several = Wanted { vcs: Some(vcs), vc_allocation, ..wanted(network) };
            let several = Network::wanted(&several).unwrap();
            assert_eq!(several.relation().vcs(), sizes.iter().sum::<u8>(), "{at}");
            assert_eq!(several.relation().vc_allocation(), Some(vc_allocation), "{at}");
            assert!(several.certificate().is_some(), "{at}");
            for node in plain.topology().all_nodes() {
                let own: BTreeSet<Turn> = turns(&plain, node).collect();
                let met: BTreeSet<Turn> = turns(&several, node).collect();
                let mut meant = BTreeSet::new();
                for turn in own {
                    let each = |vc: Vc, is_one: bool| {
                        let all = if is_one { 1 } else { sizes[usize::from(vc.0)] };
                        let first: u8 = sizes[..usize::from(vc.0)].iter().sum();
                        (0..all).map(move |place| Vc(first + place))
                    };
                    for input_vc in each(turn.input_vc, turn.input.is_inject()) {
                        for output_vc in each(turn.output_vc, turn.output.is_eject()) {
                            let (from, here) = place(sizes, input_vc);
                            let (to, there) = place(sizes, output_vc);
                            let keeps = vc_allocation == VcAllocation::Kept
                                && !turn.input.is_inject()
                                && !turn.output.is_eject();
                            if !keeps || from != to || here == there {
                                meant.insert(Turn { input_vc, output_vc, ..turn });
                            }
                        }
                    }
                }
                assert_eq!(met, meant, "{at} at {node:?}");
            }
        }
    }
}

/// No more than one in each class, where two do not go into what was asked for.
#[test]
fn too_few_for_two_in_a_class() {
    for (name, size, routing, vcs) in
        [("hypercube", 3, "rotation", 3), ("hypercube", 3, "ecube", 1), ("ccc", 3, "shortest", 5)]
    {
        let plain = Network::new(name, size, Some(routing), None).unwrap();
        assert!(several_vcs(plain.relation(), vcs, VcAllocation::Any).is_none());
        let network = Network::new(name, size, Some(routing), Some(vcs)).unwrap();
        assert_eq!(network.relation().vcs(), plain.relation().vcs());
        assert!(network.relation().vc_allocation().is_none());
    }
}

/// Where a packet may choose a virtual channel of the class that it has left there is a cycle: the classes are what
/// there is no deadlock by, and the certificate sees every choice.
#[test]
fn a_choice_of_another_class_leaves_a_cycle() {
    let plain = Network::new("hypercube", 3, Some("rotation"), None).unwrap();
    let relation = several_vcs(plain.relation(), 4, VcAllocation::Any).unwrap();
    let built = |relation| {
        let topology = topology::find("hypercube").unwrap().build(3).unwrap();
        Network::of(topology, relation, None).unwrap()
    };
    assert!(built(relation.clone()).certificate().is_some());
    let mut twisted = Twisted::new(relation);
    // One choice more, of the first class.
    twisted.hops = |_, mut hops| {
        let first = hops.first().map(|&hop| Hop { vc: Vc(0), ..hop });
        hops.extend(first);
        hops
    };
    assert!(built(twisted.relation()).certificate().is_none());
}

/// Packets that choose leave by an escape channel where they can, of which there is one, and the certificate is of
/// these alone.
#[test]
fn escape_channels_stay_one_each() {
    let wanted = Wanted { vcs: Some(4), ..wanted(("hypercube", "4", "adaptive", 4, &[])) };
    let network = Network::wanted(&wanted).unwrap();
    let certificate = network.certificate().unwrap();
    assert!(certificate.numbers.iter().all(|number| number.vc == Vc(3)), "{certificate:?}");
    let mut escapes = 0;
    network
        .each_step(|step| {
            let adaptive = network.relation().is_chosen(step.vc);
            assert_eq!(adaptive, step.vc < Vc(3) || step.input.is_inject());
            if let Output::Network(_) = step.hop.output
                && step.hop.vc == Vc(3)
            {
                escapes += 1;
            }
        })
        .unwrap();
    assert!(escapes > 0);
}

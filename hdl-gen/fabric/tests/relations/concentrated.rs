//! Several terminals at each switch: every relation of every topology, beside itself with one.

use std::sync::Arc;
use turnpike_analysis::network::{Network, NetworkError, Wanted};
use turnpike_fabric::plan::{FabricPlan, Parameters};
use turnpike_network::routing::Draw;
use turnpike_network::routing::walk::{Step, route};
use turnpike_network::routing::{Input, Output, RoutingError, of_kind};
use turnpike_network::topology::{Local, TOPOLOGIES, Terminal, TopologyError};

/// What is the same whatever the number of terminals.
fn figures(plan: &FabricPlan) -> impl PartialEq + std::fmt::Debug + use<> {
    let network = plan.network();
    let crosspoints: Vec<_> = network.turns().classes.iter().map(|c| c.crosspoints()).collect();
    let numbers = network.certificate().map(|certificate| certificate.numbers.len());
    let vcs = network.relation().vcs();
    (crosspoints, plan.injectors.len(), vcs, numbers, network.symmetry().is_by_translation())
}

/// The switches, the ports and the VCs of a route.
fn places(steps: &[Step]) -> Vec<impl PartialEq + std::fmt::Debug + use<>> {
    let plain = |step: &Step| {
        let input = if step.input.is_inject() { Input::INJECT } else { step.input };
        let output = if step.hop.output.is_eject() { Output::EJECT } else { step.hop.output };
        (step.node, input, step.vc, output, step.hop.vc)
    };
    steps.iter().map(plain).collect()
}

/// The crosspoints between channels, the virtual channels, the classes of switches and injectors,
/// the numbers of the certificate and the routes from place to place are those of the network with
/// one terminal in each place; each route ends at the eject port of its terminal.
#[test]
fn switches_differ_in_their_terminals_alone() {
    let mut compared = 0;
    for kind in TOPOLOGIES {
        let size = kind.sizes.small()[1];
        for relation in of_kind(kind) {
            let wanted = |concentration| {
                let routing = Some(relation.name);
                Network::wanted(&Wanted { concentration, routing, ..Wanted::new(kind.name, size) })
            };
            // Not every relation goes with this size.
            let Ok(plain) = wanted(1) else { continue };
            let several = match wanted(2) {
                Err(NetworkError::Topology(TopologyError::Local { .. })) => continue,
                // A route over another terminal may fill the header.
                Err(NetworkError::Routing(RoutingError::NoRoom { .. })) => continue,
                several => several.unwrap(),
            };
            for (from, to) in plain.topology().sources().zip(plain.topology().sinks().skip(1)) {
                let plain =
                    route(plain.topology(), plain.relation(), from, to, Draw::NONE).unwrap();
                for local in [0, 1] {
                    let at = |place: Terminal| Terminal(2 * place.0 + u32::from(local));
                    let other = Terminal(at(from).0 ^ 1);
                    let steps =
                        route(several.topology(), several.relation(), other, at(to), Draw::NONE);
                    let steps = steps.unwrap();
                    assert_eq!(places(&steps), places(&plain), "{} {}", kind.name, relation.name);
                    assert_eq!(steps.last().unwrap().hop.output, Output::Eject(Local(local)));
                }
            }
            let plan = |network| FabricPlan::new(Arc::new(network), Parameters::default(), None);
            let (plain, several) = (plan(plain).unwrap(), plan(several).unwrap());
            assert_eq!(figures(&several), figures(&plain), "{} {}", kind.name, relation.name);
            compared += 1;
        }
    }
    assert!(compared >= 30, "{compared}");
}

/// A node that failed takes all its terminals with it, and the others keep their addresses.
#[test]
fn all_terminals_of_a_failed_node_are_dead() {
    let failed = ["101".to_owned()];
    let wanted = Wanted { concentration: 4, failed: &failed, ..Wanted::new("hypercube", 3) };
    let network = Network::wanted(&wanted).unwrap();
    let topology = network.topology();
    let dead: Vec<u32> = (0..32).filter(|&t| !topology.is_terminal(Terminal(t))).collect();
    assert_eq!(dead, [20, 21, 22, 23]);
    assert_eq!(topology.intact().unwrap().terminals(), 32);
    let plan = FabricPlan::new(Arc::new(network), Parameters::default(), None).unwrap();
    assert!(plan.canonical().starts_with("hypercube --dim 3 --concentration 4 --routing ecube"));
    assert_eq!(plan.name, "hypercube_3_c4_ecube_without_101");
}

/// A switch alone with several terminals is a network.
#[test]
fn one_switch_may_be_left() {
    let failed = ["0".to_owned()];
    let wanted = Wanted { concentration: 2, failed: &failed, ..Wanted::new("hypercube", 1) };
    let network = Network::wanted(&wanted).unwrap();
    assert_eq!(network.topology().sinks().collect::<Vec<_>>(), [Terminal(2), Terminal(3)]);
    assert!(Network::wanted(&Wanted { concentration: 1, ..wanted }).is_err());
}

/// Whatever the relation: no route has a channel then, and the header is the terminal's number.
#[test]
fn one_switch_may_be_left_by_every_relation() {
    let mut planned = 0;
    for kind in TOPOLOGIES {
        let size = kind.sizes.small()[0];
        let intact = kind.build(size).unwrap();
        let failed: Vec<String> =
            intact.all_nodes().skip(1).map(|node| intact.label(node)).collect();
        for relation in of_kind(kind) {
            let routing = Some(relation.name);
            let wanted = Wanted { routing, failed: &failed, ..Wanted::new(kind.name, size) };
            let wanted = Wanted { concentration: 2, ..wanted };
            // Trees have several terminals as they are, and not every relation avoids failed nodes.
            let Ok(network) = Network::wanted(&wanted) else { continue };
            // The name that tells all failed nodes may be too long.
            let name = Some("left");
            let plan = FabricPlan::new(Arc::new(network), Parameters::default(), name);
            plan.unwrap_or_else(|error| panic!("{} {}: {error}", kind.name, relation.name));
            planned += 1;
        }
    }
    assert!(planned >= 20, "{planned}");
}

//! What crosses each (output, VC) is counted there.

use std::sync::Arc;
use turnpike_analysis::network::Network;
use turnpike_fabric::plan::{FabricPlan, Parameters, Pipeline};
use turnpike_network::routing::{Draw, Input, Output, Vc};
use turnpike_network::topology::parameter::{DIM, RADIX};
use turnpike_network::topology::{Node, Size, Terminal};
use turnpike_sim_network::reference::{Beat, Reference};
use turnpike_sim_network::terminals::TerminalSet;

/// The (output, VC)s of a packet's route, of the relation that does not depend on what is drawn.
fn route(plan: &FabricPlan, from: Terminal, to: Terminal) -> Vec<(Node, Output, Vc)> {
    let (topology, relation) = (plan.topology(), plan.relation());
    let (mut node, local) = topology.source(from).unwrap();
    let (mut input, mut vc) = (Input::Inject(local), Vc(0));
    let mut header = relation.inject(from, to, Draw::NONE);
    let mut route = Vec::new();
    loop {
        let hop = relation.hop(node, input, vc, header);
        route.push((node, hop.output, hop.vc));
        let Output::Network(port) = hop.output else { return route };
        let (next, port) = topology.channel(node, port).unwrap();
        (node, input, vc, header) = (next, Input::Network(port), hop.vc, hop.header);
    }
}

/// One packet at a time, of every pair of terminals.
#[test]
fn a_packet_crosses_what_its_route_says() {
    let cases = [
        ("hypercube", Size::of_dim(3), "ecube"),
        // Two VCs, and a header that is longer at injection.
        ("hypercube", Size::of_dim(3), "rotation"),
        // Sources and sinks apart, and switches of several classes.
        ("butterfly", Size::of([(&DIM, 3), (&RADIX, 2)]), "greedy"),
        // Routes by table at the source.
        ("ccc", Size::of_dim(3), "shortest"),
        ("hypercube", Size::of_dim(2), "adaptive"),
    ];
    for (topology, size, routing) in cases {
        for pipeline in [Pipeline::None, Pipeline::Grant, Pipeline::Output] {
            let network = Arc::new(Network::new(topology, size, Some(routing), None).unwrap());
            let parameters = Parameters { pipeline, ..Parameters::default() };
            let Ok(plan) = FabricPlan::new(network, parameters, None) else {
                assert!(
                    routing == "adaptive" && pipeline != Pipeline::None,
                    "{routing} {pipeline}"
                );
                continue;
            };
            let mut model = Reference::new(&plan).unwrap();
            let terminals = model.terminals();
            let all = TerminalSet::all(terminals);
            let pairs = (0..terminals * terminals).map(|i| (i / terminals, i % terminals));
            let exist = |&(from, to): &(u32, u32)| {
                let topology = plan.topology();
                topology.source(Terminal(from)).is_some() && topology.sink(Terminal(to)).is_some()
            };
            for (from, to) in pairs.filter(exist) {
                model.count_crossings();
                let beats =
                    [false, true].map(|last| Beat { packet: 0, destination: Terminal(to), last });
                let mut left = beats.into_iter().peekable();
                while left.peek().is_some() || model.flits() > 0 {
                    if let Some(&beat) = left.peek()
                        && model.offer(from, beat)
                    {
                        left.next();
                    }
                    model.clock(&all);
                }
                let mut found: Vec<_> = model
                    .crossings()
                    .filter(|crossing| crossing.flits > 0)
                    .map(|crossing| {
                        assert_eq!(crossing.flits, 2, "{routing} {pipeline}");
                        let switch = plan.switch_of(crossing.node);
                        let output_vc = &switch.output_vcs[crossing.output_vc];
                        let output = switch.outputs[output_vc.output].output;
                        (crossing.node, output, output_vc.vc)
                    })
                    .collect();
                let mut expected = route(&plan, Terminal(from), Terminal(to));
                if routing == "adaptive" {
                    // Another way, and another VC, of as many channels.
                    assert_eq!(found.len(), expected.len());
                    assert!(found.contains(expected.last().unwrap()));
                    continue;
                }
                found.sort_unstable();
                expected.sort_unstable();
                assert_eq!(found, expected, "{routing} {pipeline} {from} {to}");
            }
        }
    }
}

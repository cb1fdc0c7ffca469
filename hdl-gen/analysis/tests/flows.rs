//! Networks for flows: what they use, held against all routes walked one by one.

use std::collections::BTreeSet;
use turnpike_analysis::network::{Network, Wanted};
use turnpike_base::random::Random;
use turnpike_network::flows::FlowList;
use turnpike_network::routing::walk::route;
use turnpike_network::routing::{Input, Output, Vc, of_kind};
use turnpike_network::topology::{Node, TOPOLOGIES, Terminal, Topology};

type Use = (Node, Input, Vc, Output, Vc);

/// Turns by node, as the network has them.
fn turns(network: &Network) -> BTreeSet<Use> {
    let all = network.topology().all_nodes().flat_map(|node| {
        let class = &network.turns().classes[network.turns().class_of(node)];
        class.turns.keys().map(move |t| (node, t.input, t.input_vc, t.output, t.output_vc))
    });
    all.collect()
}

/// Turns by node, on the routes of these pairs.
fn walked(network: &Network, pairs: &[(Terminal, Terminal)]) -> BTreeSet<Use> {
    let (topology, relation) = (network.topology(), network.relation());
    let mut found = BTreeSet::new();
    for ((source, sink), draw) in relation.with_each_draw(pairs.iter().copied()) {
        for step in route(topology, relation, source, sink, draw).unwrap() {
            found.insert((step.node, step.input, step.vc, step.hop.output, step.hop.vc));
        }
    }
    found
}

fn list(topology: &dyn Topology, pairs: &[(Terminal, Terminal)]) -> FlowList {
    let label = |terminal| topology.terminal_label(terminal);
    let line = |&(from, to): &(Terminal, Terminal)| format!("{},{}\n", label(from), label(to));
    FlowList::parse(&format!("source,destination\n{}", pairs.iter().map(line).collect::<String>()))
        .unwrap()
}

/// Every topology and relation: flows from all to all need what there is without flows; few flows,
/// drawn, need what their routes take and no more, and are free of deadlock.
#[test]
fn what_flows_use_is_built_and_nothing_else() {
    let mut random = Random::new(37);
    let mut networks = 0;
    for kind in TOPOLOGIES {
        let Some(&size) = kind.sizes.small().first() else { continue };
        for relation in of_kind(kind) {
            let wanted = Wanted { routing: Some(relation.name), ..Wanted::new(kind.name, size) };
            let Ok(whole) = Network::wanted(&wanted) else { continue };
            let topology = whole.topology();
            let all: Vec<_> = topology.pairs().collect();
            let every = list(topology, &all);
            let same = Network::wanted(&Wanted { flows: Some(&every), ..wanted }).unwrap();
            let name = format!("{} {size} {}", kind.name, relation.name);
            if goes_by_ends_alone(&whole) {
                let crosspoints = |network| -> BTreeSet<_> {
                    turns(network).into_iter().map(|(at, from, _, to, _)| (at, from, to)).collect()
                };
                assert_eq!(crosspoints(&same), crosspoints(&whole), "{name}");
            }
            let mut few = all.clone();
            random.shuffle(&mut few);
            few.truncate(1 + random.below(6) as usize);
            let flows = list(topology, &few);
            let network = match Network::wanted(&Wanted { flows: Some(&flows), ..wanted }) {
                Ok(network) => network,
                // One path for each of the few.
                Err(error) if error.to_string().contains("nothing to draw") => continue,
                Err(error) => panic!("{name}: {error}"),
            };
            assert!(network.certificate().is_some(), "{name}");
            let found = turns(&network);
            let used = walked(&network, &few);
            match network.relation().choices() {
                None => assert_eq!(found, used, "{name}"),
                Some(_) => assert!(used.is_subset(&found), "{name}"),
            }
            let mut sources: Vec<_> = few.iter().map(|pair| pair.0).collect();
            sources.sort_unstable();
            sources.dedup();
            assert_eq!(network.topology().sources().collect::<Vec<_>>(), sources, "{name}");
            networks += 1;
        }
    }
    assert!(networks > 60, "{networks} networks");
}

/// Whether routes do not depend on which pairs there are, and on symmetry: those that are drawn do.
fn goes_by_ends_alone(network: &Network) -> bool {
    network.topology().canonical().is_none() && network.relation().route_seed().is_none()
}

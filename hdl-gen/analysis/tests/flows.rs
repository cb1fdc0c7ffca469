//! Networks for flows: what they use, held against all routes walked one by one.

use std::collections::BTreeSet;
use turnpike_analysis::network::{Network, NetworkError, Wanted};
use turnpike_base::random::Random;
use turnpike_network::flows::FlowList;
use turnpike_network::routing::given::Given;
use turnpike_network::routing::walk::route;
use turnpike_network::routing::{Input, Output, Vc, of_kind};
use turnpike_network::topology::{Node, Shape, TOPOLOGIES, Terminal, Topology};

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

fn flows_of(text: &str) -> FlowList {
    FlowList::parse(text).unwrap()
}

/// Message classes that would share a virtual channel are refused with the circle in which they would
/// wait, through a terminal; where there is none they are too many.
#[test]
fn classes_on_shared_channels_wait_through_a_terminal() {
    let head = "class ask\nclass say after ask\nsource,destination,class\n";
    let shape: Shape = "3x2".parse().unwrap();
    let refused = |rows: &str, routing| {
        let flows = flows_of(&format!("{head}{rows}"));
        let (flows, vcs) = (Some(&flows), Some(1));
        let wanted = Wanted { flows, vcs, routing: Some(routing), ..Wanted::new("mesh", shape) };
        Network::wanted(&wanted).unwrap_err()
    };
    let error = refused("*,*,ask\n*,*,say\n", "dimension-order");
    let NetworkError::ClassesShare { needed: 2, most: 1, circle } = &error else {
        panic!("{error}")
    };
    let steps: Vec<&str> = circle.split(" -> ").collect();
    assert_eq!(steps.first(), steps.last(), "{circle}");
    assert!(circle.contains(" takes ask -> ") && circle.contains(" sends say to "), "{circle}");
    assert!(refused("*,*,ask\n*,*,say\n", "west-first").to_string().contains("takes ask"));
    let apart = refused("0_0,2_1,ask\n2_1,0_0,say\n", "dimension-order");
    assert!(matches!(apart, NetworkError::MoreVcs { needed: 2, most: 1, .. }), "{apart}");
}

/// A relation from a file says what it does for pairs of flows, and need not for others: by pair, by
/// difference, with classes, with failed nodes and with several terminals at a switch.
#[test]
fn relations_from_files_are_whole_for_the_flows() {
    let head = "turnpike-relation 1\nname few\ntopology hypercube\ndimension 2\n";
    let pairs = format!("{head}00 11 dim0\n01 11 dim1\n11 00 dim0\n10 00 dim1\n");
    let differences = format!("{head}by difference\n11 dim0\n10 dim1\n");
    let failed = format!("{head}failed 01\n00 11 dim1\n10 11 dim0\n11 00 dim0\n10 00 dim1\n");
    let rows = "source,destination\n00,11\n11,00\n";
    let classes = "source,destination,class\n00,11,a\n11,00,b\n";
    let several = "source,destination\n00_0,11_1\n11_0,00_1\n";
    for (text, rows, concentration) in [
        (&pairs, rows, 1),
        (&pairs, classes, 1),
        (&pairs, several, 2),
        (&differences, rows, 1),
        (&differences, classes, 1),
        (&failed, rows, 1),
    ] {
        let given = Given::parse(text).unwrap();
        let flows = flows_of(rows);
        let wanted = Wanted { flows: Some(&flows), concentration, ..Wanted::given(&given) };
        let network = Network::wanted(&wanted).unwrap_or_else(|error| panic!("{text}{error}"));
        assert_eq!(network.longest_route(), 2, "{text}{rows}");
        let error = Network::given(&given, None).unwrap_err().to_string();
        assert!(error.contains("there is no hop for "), "{error}");
    }
    // A pair of flows without a hop is named.
    let given = Given::parse(&pairs).unwrap();
    let more = flows_of(&format!("{rows}01,10\n"));
    let wanted = Wanted { flows: Some(&more), ..Wanted::given(&given) };
    let error = Network::wanted(&wanted).unwrap_err().to_string();
    assert!(error.contains("there is no hop for 01 10; give one"), "{error}");
}

/// Classes in networks of their own: each has the turns that it has alone, at nodes of its own, and the
/// numbers of those that come after are above. A node fails in one of them, or in all.
#[test]
fn separate_classes_are_networks_side_by_side() {
    let shape: Shape = "3x2".parse().unwrap();
    let rows = ["0_0,2_1,ask\n1_0,0_1,ask\n", "2_1,0_0,say\n0_1,1_0,say\n"];
    let head = "class ask\nclass say after ask\nsource,destination,class\n";
    let both = flows_of(&format!("{head}{}", rows.concat()));
    for routing in ["dimension-order", "adaptive", "o1turn"] {
        let plain = Wanted { routing: Some(routing), ..Wanted::new("mesh", shape) };
        let network = |failed: &[&str]| {
            let failed: Vec<String> = failed.iter().map(|&label| label.to_owned()).collect();
            let flows = Some(&both);
            Network::wanted(&Wanted { flows, separate: true, failed: &failed, ..plain }).unwrap()
        };
        let separate = network(&[]);
        assert_eq!(separate.topology().nodes(), 12);
        let mut alone = BTreeSet::new();
        for (class, rows) in rows.iter().enumerate() {
            let flows = flows_of(&format!("source,destination,class\n{rows}"));
            let own = Network::wanted(&Wanted { flows: Some(&flows), ..plain }).unwrap();
            assert_eq!(own.relation().vcs(), separate.relation().vcs());
            let beside = |(node, input, vc, output, to): Use| {
                (Node(node.0 + 6 * class as u32), input, vc, output, to)
            };
            alone.extend(turns(&own).into_iter().map(beside));
        }
        assert_eq!(turns(&separate), alone, "{routing}");
        let certificate = separate.certificate().unwrap();
        let of = |class: u32| certificate.numbers.iter().filter(move |n| n.from.0 / 6 == class);
        let (last, first) = (of(0).map(|n| n.number).max(), of(1).map(|n| n.number).min());
        assert!(last.unwrap() < first.unwrap(), "{routing}");
        if routing == "dimension-order" {
            let labels = |network: &Network| {
                let topology = network.topology();
                topology.failed_nodes().iter().map(|&n| topology.label(n)).collect::<Vec<_>>()
            };
            assert_eq!(labels(&network(&["1_1"])), ["1_1_ask", "1_1_say"]);
            assert_eq!(labels(&network(&["1_1_say"])), ["1_1_say"]);
        }
    }
    let flows = flows_of("source,destination\n0_0,2_1\n");
    let wanted = Wanted { flows: Some(&flows), separate: true, ..Wanted::new("mesh", shape) };
    let error = Network::wanted(&wanted).unwrap_err();
    assert!(matches!(error, NetworkError::NothingSeparate), "{error}");
}

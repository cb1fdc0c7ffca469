//! Relations that a user gives, as networks and fabrics.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;
use turnpike_analysis::network::{Network, NetworkError, Wanted};
use turnpike_fabric::plan::{FabricPlan, Parameters};
use turnpike_network::description::read;
use turnpike_network::routing::Draw;
use turnpike_network::routing::given::{Given, Hops, On};
use turnpike_network::routing::walk::route;
use turnpike_network::routing::{DestinationEncoding, Injection, Input, Output, Select, Vc};
use turnpike_network::topology::hypercube::Hypercube;
use turnpike_network::topology::{self, Local, Node, Port, Shape, Size, Terminal, Topology};

/// A shortest-path relation around node 111, written by hand: docs/relations.md shows it.
const AROUND: &str = include_str!("../../../../docs/examples/around_111.relation");

/// Bit fixing from the left.
fn descending(k: u32) -> Given {
    let hops = (1..1u64 << k).map(|d| (d, Port(d.ilog2() as u8))).collect();
    Given {
        name: "descending".into(),
        on: On::Named("hypercube", Size::of_dim(k)),
        failed: Vec::new(),
        remarks: vec!["Bit fixing from the left.".into()],
        hops: Hops::ByDifference(hops),
    }
}

/// The same, or any other relation by difference, by pair.
fn by_pair(given: &Given) -> Given {
    let Hops::ByDifference(hops) = &given.hops else { panic!("by pair already") };
    let nodes = 0..given.network().unwrap().nodes();
    let pairs = nodes.clone().flat_map(|from| nodes.clone().map(move |to| (from, to)));
    let hops = pairs
        .filter(|(from, to)| from != to)
        .map(|(from, to)| ((Node(from), Terminal(to)), hops[&u64::from(from ^ to)]));
    Given { hops: Hops::ByPair(hops.collect()), ..given.clone() }
}

#[test]
fn the_example_of_the_documentation_runs() {
    let given = Given::parse(AROUND).unwrap();
    assert_eq!(
        (&*given.name, &given.on, &*given.failed),
        ("around_111", &On::Named("hypercube", Size::of_dim(3)), &["111".into()][..])
    );
    let network = Network::given(&given, None).unwrap();
    assert!(network.certificate().is_some());
    assert_eq!(network.relation().name(), "around_111");
    let topology = network.topology();
    for from in topology.sources() {
        let distances = topology.distances(Node(from.0));
        for to in topology.sinks() {
            let steps = route(topology, network.relation(), from, to, Draw::NONE).unwrap();
            assert_eq!(steps.len() as u32 - 1, distances[to.0 as usize]);
        }
    }
}

/// By difference a given relation is what the cube's own relations are: the same turns, the
/// same virtual channels, one switch for all nodes; and by pair it comes to the same.
#[test]
fn by_difference_it_equals_a_relation_of_the_cube() {
    for k in 1..=6 {
        for name in ["ecube", "rotation"] {
            let own = Network::new("hypercube", k, Some(name), None).unwrap();
            let differences = 1..1u64 << k;
            let first = |d: u64| {
                let to = Terminal(d as u32);
                let steps =
                    route(own.topology(), own.relation(), Terminal(0), to, Draw::NONE).unwrap();
                match steps[0].hop.output {
                    Output::Network(port) => (d, port),
                    Output::Eject(_) => panic!("{d:b} ejects"),
                }
            };
            let hops = Hops::ByDifference(differences.map(first).collect());
            let given = Given { hops, ..descending(k) };
            for given in [by_pair(&given), given] {
                let network = Network::given(&given, None).unwrap();
                assert!(network.symmetry().is_by_translation());
                let turns = |n: &Network| n.turns().classes[0].crosspoints();
                assert_eq!(turns(&network), turns(&own), "{name} {k}");
                assert!(network.relation().vcs() <= own.relation().vcs(), "{name} {k}");
                assert!(network.certificate().is_some());
            }
        }
    }
}

/// Bit fixing from the left at nodes of one parity and from the right at the others is kept by
/// half of the translations: the header is the difference, and there are two kinds of switch.
#[test]
fn nodes_that_a_translation_takes_to_each_other_are_alike() {
    for (k, parity) in [(3, 0b011u32), (4, 0b1111), (5, 0b10000)] {
        let Hops::ByPair(mut hops) = by_pair(&descending(k)).hops else { unreachable!() };
        for ((from, to), port) in &mut hops {
            if (from.0 & parity).count_ones() % 2 == 1 {
                *port = Port((from.0 ^ to.0).trailing_zeros() as u8);
            }
        }
        let given = Given { hops: Hops::ByPair(hops), ..descending(k) };
        let network = Network::given(&given, None).unwrap();
        assert_eq!(network.turns().classes.len(), 2, "{k}");
        let injection = network.relation().injection(Terminal(0));
        assert_eq!(injection, Injection::plain(DestinationEncoding::difference(k)));
        let network = std::sync::Arc::new(network);
        FabricPlan::new(network, Default::default(), None).unwrap();
        // With one hop more that differs no translation is left.
        let Hops::ByPair(mut hops) = given.hops.clone() else { unreachable!() };
        let port = hops[&(Node(0), Terminal(0b011))];
        hops.insert((Node(0), Terminal(0b011)), Port(1 - port.0));
        let network = Network::given(&Given { hops: Hops::ByPair(hops), ..given }, None).unwrap();
        assert_eq!(network.relation().injection(Terminal(0)).view.difference_bits, 0);
    }
}

/// A detour crosses a bit that is right, and crosses it again.
#[test]
fn paths_need_not_be_shortest() {
    let mut given = descending(3);
    let Hops::ByDifference(hops) = &mut given.hops else { unreachable!() };
    hops.insert(0b001, Port(2));
    hops.insert(0b101, Port(0));
    let network = Network::given(&given, None).unwrap();
    let steps = route(network.topology(), network.relation(), Terminal(0), Terminal(1), Draw::NONE)
        .unwrap();
    assert_eq!(steps.len() - 1, 3);
    assert!(network.certificate().is_some());
    let carry = network.relation().carry(Node(0), Input::INJECT, Vc(0), (Port(2), Vc(0)));
    assert_eq!((carry.apply(0b001), carry.apply(0b101)), (0b101, 0b001));
}

#[test]
fn what_does_not_arrive_is_refused_with_the_pair() {
    let mut given = descending(3);
    let Hops::ByDifference(hops) = &mut given.hops else { unreachable!() };
    hops.insert(0b011, Port(2));
    let text = Network::given(&given, None).unwrap_err().to_string();
    assert_eq!(text, "routing 'descending' does not deliver 000 to 011: the route never ends");
    let mut pairs = by_pair(&descending(2));
    let Hops::ByPair(hops) = &mut pairs.hops else { unreachable!() };
    hops.insert((Node(2), Terminal(3)), Port(7));
    let text = Network::given(&pairs, None).unwrap_err().to_string();
    assert_eq!(text, "at 10 for 11: there is no channel by dim7; use dim0, dim1");
}

/// The network of a relation where these nodes failed.
fn without(given: &Given, labels: &[&str]) -> Result<Network, NetworkError> {
    let failed: Vec<String> = labels.iter().map(|&label| label.to_owned()).collect();
    Network::wanted(&Wanted { failed: &failed, ..Wanted::given(given) })
}

/// A given relation without failed nodes of its own goes around those of `--failed`.
#[test]
fn failed_nodes() {
    let given = descending(3);
    let network = without(&given, &["011"]).unwrap();
    assert_eq!(network.topology().failed_nodes(), [Node(3)]);
    let around = Given::parse(AROUND).unwrap();
    assert!(without(&around, &["111"]).is_ok());
    let error = without(&around, &["110"]).unwrap_err();
    assert!(matches!(error, NetworkError::GivenFailed { .. }), "{error}");
    let text = "turnpike-relation 1\nname x\ntopology hypercube\ndimension 2\nfailed 11\n\
                00 01 dim0\n00 10 dim1\n01 00 dim0\n01 10 dim1\n10 00 dim1\n10 01 dim1\n";
    let text = Given::parse(text).unwrap_err().to_string();
    assert_eq!(text, "line 9: at 01 for 10: there is no channel by dim1 (11 failed); use dim0");
}

#[test]
fn switches_without_terminals_need_hops_where_routes_come() {
    let own = Network::new("arc-cube", 2, None, None).unwrap();
    let topology = own.topology();
    let mut hops = BTreeMap::new();
    for from in topology.sources() {
        for to in topology.sinks() {
            for step in route(topology, own.relation(), from, to, Draw::NONE).unwrap() {
                if let Output::Network(port) = step.hop.output {
                    // The first route that comes by says how all go on.
                    hops.entry((step.node, to)).or_insert(port);
                }
            }
        }
    }
    let hops = Hops::ByPair(hops);
    let given = Given { on: On::Named("arc-cube", Size::of_dim(2)), hops, ..descending(2) };
    assert_eq!(Given::parse(&given.text()), Ok(given.clone()));
    assert!(Network::given(&given, None).is_ok());
    let mut less = given;
    let Hops::ByPair(hops) = &mut less.hops else { unreachable!() };
    hops.retain(|(node, _), _| topology.source_at(*node, Local(0)).is_some());
    let text = Network::given(&less, None).unwrap_err().to_string();
    assert!(text.contains("where there is no hop for"), "{text}");
}

/// Y first on a mesh is X first on the mesh with its sides exchanged.
#[test]
fn y_first_is_given_on_a_mesh() {
    let mesh = topology::find("mesh").unwrap().build("3x4".parse::<Shape>().unwrap()).unwrap();
    let at = |node: u32| (node % 3, node / 3);
    let mut text = "turnpike-relation 1\nname y_first\ntopology mesh\nshape 3x4\n".to_owned();
    for (from, to) in (0..12).flat_map(|from| (0..12).map(move |to| (from, to))) {
        let ((x, y), (to_x, to_y)) = (at(from), at(to));
        let port = match (x.cmp(&to_x), y.cmp(&to_y)) {
            (_, Ordering::Less) => "y_plus",
            (_, Ordering::Greater) => "y_minus",
            (Ordering::Less, _) => "x_plus",
            (Ordering::Greater, _) => "x_minus",
            _ => continue,
        };
        text += &format!("{x}_{y} {to_x}_{to_y} {port}\n");
    }
    let given = Given::parse(&text).unwrap();
    assert_eq!(given.text(), text);
    let network = Network::given(&given, None).unwrap();
    let shape: Shape = "4x3".parse().unwrap();
    let exchanged = Network::new("mesh", shape, Some("dimension-order"), None).unwrap();
    let crosspoints = |network: &Network| {
        let switches = network.topology().all_nodes().map(|node| network.turns().class_of(node));
        let of = |class: usize| network.turns().classes[class].crosspoints().len();
        switches.map(of).sum::<usize>()
    };
    assert_eq!(crosspoints(&network), crosspoints(&exchanged));
    assert_eq!((network.relation().vcs(), network.certificate().is_some()), (1, true));
    assert_eq!(network.topology().nodes(), mesh.nodes());
}

/// A relation for a network of a user's own names it; its fabric keeps both files.
#[test]
fn a_relation_is_given_for_a_network_of_a_users_own() {
    let ring = "turnpike-topology 1\nname own\nnode a b c\nterminal x a\nterminal y b\n\
                terminal z c\nchannel a.on b.on\nchannel b.on c.on\nchannel c.on a.on\n";
    let description = Arc::new(read("own.topology", ring.as_bytes()).unwrap());
    let text = "turnpike-relation 1\nname onward\ntopology own\n\
                a y on\na z on\nb x on\nb z on\nc x on\nc y on\n";
    let given = Given::parse_for(text, &description).unwrap();
    assert_eq!(given.text(), text);
    let network = Network::given(&given, None).unwrap();
    assert_eq!(network.description(), Some(&*description));
    assert!(network.certificate().is_some());
    let plan = FabricPlan::new(Arc::new(network), Parameters::default(), None).unwrap();
    assert!(plan.canonical().starts_with("own.topology --routing onward.relation "));
    let error = |text: &str| Given::parse_for(text, &description).unwrap_err().to_string();
    let other = error(&text.replace("topology own", "topology mesh"));
    assert_eq!(
        other,
        "line 3: this relation is for the topology 'mesh', and the network is called 'own'"
    );
    let sized = error(&text.replace("own\n", "own\nnodes 3\n"));
    assert!(sized.starts_with("line 4: own has no 'nodes'; its file says its size"), "{sized}");
    let error = Given::parse(text).unwrap_err().to_string();
    assert!(error.starts_with("line 3: unknown topology 'own'"), "{error}");
}

/// On rings it is the channels that are put in order, not the ports.
#[test]
fn rings_take_few_virtual_channels() {
    for dimension in [3, 4] {
        let ccc = topology::find("ccc").unwrap().build(dimension).unwrap();
        let mut hops = BTreeMap::new();
        for from in ccc.all_nodes() {
            for to in ccc.sinks().filter(|to| to.0 != from.0) {
                let nearer = |port: &Port| {
                    let next = ccc.channel(from, *port).map(|(next, _)| ccc.distances(next));
                    next.is_some_and(|d| d[to.0 as usize] < ccc.distances(from)[to.0 as usize])
                };
                let port = (0..ccc.ports()).map(Port).find(nearer).unwrap();
                hops.insert((from, to), port);
            }
        }
        let hops = Hops::ByPair(hops);
        let given = Given { on: On::Named("ccc", Size::of_dim(dimension)), hops, ..descending(2) };
        let network = Network::given(&given, None).unwrap();
        assert!(network.certificate().is_some());
        assert!((2..=4).contains(&network.relation().vcs()), "{}", network.relation().vcs());
    }
}

/// Switches look at what comes to them, and at no more than they must.
#[test]
fn route_logic_is_short() {
    let network = Network::given(&Given::parse(AROUND).unwrap(), None).unwrap();
    for node in network.topology().sources().map(|source| Node(source.0)) {
        for input in [Input::INJECT, Input::Network(Port(0)), Input::Network(Port(1))] {
            let select = network.relation().select(node, input, Vc(0));
            let Select::FirstRule { rules, .. } = select else { panic!("a table") };
            assert!(rules.len() <= 5, "{node:?} {input:?}: {}", rules.len());
        }
    }
}

/// Any relation, whether it delivers or not.
fn any_given() -> impl Strategy<Value = Given> {
    let remark = prop::collection::vec("[a-zA-Z#.]{0,8}", 0..3);
    let head = ("q[a-z0-9_]{2,20}", 1..5u32, any::<bool>(), remark, 0..16u32);
    let ports = prop::collection::vec(0..u8::MAX, 256);
    (head, ports).prop_map(|((name, k, by_difference, remarks, dead), ports)| {
        let topology = Hypercube::new(k).unwrap();
        let nodes = topology.nodes();
        let port = |at: u32| Port(ports[at as usize] % k as u8);
        let failed: Vec<Node> = match by_difference || k < 3 || dead >= nodes {
            true => Vec::new(),
            false => vec![Node(dead)],
        };
        let hops = match by_difference {
            true => Hops::ByDifference((1..nodes).map(|d| (d.into(), port(d))).collect()),
            false => {
                let pairs = (0..nodes).flat_map(|a| (0..nodes).map(move |b| (a, b)));
                let live = |node: u32| !failed.contains(&Node(node));
                let pairs = pairs.filter(|&(a, b)| a != b && live(a) && live(b));
                // A channel to the failed node would be refused.
                let by = |(a, b): (u32, u32)| {
                    let port = port((a << k | b) % 256);
                    let next = Port((port.0 + 1) % k as u8);
                    let port = if live(a ^ 1 << port.0) { port } else { next };
                    ((Node(a), Terminal(b)), port)
                };
                Hops::ByPair(pairs.map(by).collect())
            }
        };
        let failed = failed.into_iter().map(|node| topology.label(node)).collect();
        Given { name, on: On::Named("hypercube", Size::of_dim(k)), failed, remarks, hops }
    })
}

proptest! {
    #[test]
    fn text_reads_back(given in any_given()) {
        let text = given.text();
        prop_assert_eq!(Given::parse(&text), Ok(given));
    }

    /// What is taken delivers and has route logic that says what it says; what is not names a
    /// pair.
    #[test]
    fn anything_is_taken_or_refused(given in any_given(), junk in "\\PC{0,80}") {
        match Network::given(&given, None) {
            Ok(network) => {
                let network = std::sync::Arc::new(network);
                let plan = FabricPlan::new(network, Default::default(), None);
                prop_assert!(plan.is_ok(), "{:?}", plan.err());
            }
            Err(error) => prop_assert!(error.to_string().contains("does not deliver"), "{}", error),
        }
        prop_assert!(Given::parse(&junk).is_err());
        let begun = format!("turnpike-relation 1\n{junk}");
        prop_assert!(Given::parse(&begun).is_err());
    }
}

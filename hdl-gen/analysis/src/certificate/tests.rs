use super::*;
use crate::deadlock::ChannelNumber;
use crate::network::{Network, Wanted};
use turnpike_network::flows::FlowList;
use turnpike_network::routing;
use turnpike_network::routing::choice::ADAPTIVE_VC;
use turnpike_network::routing::twisted::Twisted;
use turnpike_network::topology::hypercube::Hypercube;
use turnpike_network::topology::{Shape, Size};

/// No source is left out of a network without translations, however large it is.
#[test]
fn only_translates_are_left_out() {
    let drawing = |k, by_translation, routing, draws| {
        let cube = Hypercube::new(k).unwrap();
        let relation = routing::build(routing, &cube).unwrap().with_draws(draws);
        let Sources { all, again } = sources(&cube, &relation, by_translation);
        (all.len(), again.len())
    };
    let count = |k, by_translation, adaptive| {
        drawing(k, by_translation, if adaptive { "adaptive" } else { "ecube" }, 1)
    };
    assert_eq!([true, false].map(|by| count(10, by, false)), [(1024, 0); 2]);
    assert_eq!([true, false].map(|by| count(11, by, false)), [(1, 11), (2048, 0)]);
    assert_eq!([true, false].map(|by| count(7, by, true)), [(1, 7), (128, 0)]);
    assert_eq!([true, false].map(|by| count(11, by, true)), [(1, 0), (2048, 0)]);
    // As many draws as nodes.
    assert_eq!([true, false].map(|by| drawing(6, by, "ecube", 64)), [(64, 0); 2]);
    assert_eq!([true, false].map(|by| drawing(7, by, "ecube", 128)), [(1, 7), (128, 0)]);
}

#[test]
fn a_wrong_certificate_is_refused() {
    let network = Network::new("hypercube", 4, Some("rotation"), None).unwrap();
    let good = network.certificate().unwrap().clone();
    assert_eq!(check(network.topology(), network.relation(), &good), Ok(256));
    for i in 0..good.numbers.len() {
        let mut missing = good.clone();
        missing.numbers.remove(i);
        assert!(matches!(
            check(network.topology(), network.relation(), &missing),
            Err(CertificateError::Missing { .. })
        ));
    }
    let mut reversed = good.clone();
    for n in &mut reversed.numbers {
        n.number = 100 - n.number;
    }
    assert!(matches!(
        check(network.topology(), network.relation(), &reversed),
        Err(CertificateError::Descends { .. })
    ));
}

/// Numbers that repeat do not ascend: two packets could wait for each other.
#[test]
fn numbers_have_to_differ_along_a_route() {
    let network = Network::new("hypercube", 2, Some("ecube"), None).unwrap();
    let mut level = network.certificate().unwrap().clone();
    level.numbers.iter_mut().for_each(|n| n.number = 7);
    let found = check(network.topology(), network.relation(), &level);
    let (at, source_label, destination) = ("10".into(), "11".into(), "00".into());
    let wanted = CertificateError::Descends { at, before: 7, after: 7, source_label, destination };
    assert_eq!(found, Err(wanted));
}

/// A packet that is ejected elsewhere, or comes back to where it may choose, has not escaped.
#[test]
fn an_escape_route_leads_out_and_arrives() {
    let lost = |error| matches!(error, Err(CertificateError::NoEscape { .. }));
    let network = Network::new("hypercube", 3, Some("ecube"), None).unwrap();
    let mut relation = Twisted::new(routing::build("ecube", network.topology()).unwrap());
    let proof = network.certificate().unwrap();
    assert_eq!(check(network.topology(), &relation.relation(), proof), Ok(64));
    relation.hop = |_, _, _, header, hop| match header {
        0b110 => Hop { output: Output::EJECT, ..hop },
        _ => hop,
    };
    assert!(lost(check(network.topology(), &relation.relation(), proof)));

    let network = Network::new("hypercube", 3, Some("adaptive"), None).unwrap();
    let mut relation = Twisted::new(routing::build("adaptive", network.topology()).unwrap());
    let mut proof = network.certificate().unwrap().clone();
    assert!(check(network.topology(), &relation.relation(), &proof).is_ok());
    // With numbers for the adaptive channels too they ascend, but out of order of VCs.
    let numbers = proof.numbers.clone();
    proof.numbers.extend(numbers.into_iter().map(|n| ChannelNumber { vc: ADAPTIVE_VC, ..n }));
    assert!(check(network.topology(), &relation.relation(), &proof).is_ok());
    relation.hop = |_, _, _, _, hop| Hop { vc: ADAPTIVE_VC, ..hop };
    assert!(lost(check(network.topology(), &relation.relation(), &proof)));
}

/// Without escape channels every hop counts: a number that is missing, two that are the other way
/// round, a channel that packets may choose and that does not lead to the destination.
#[test]
fn without_escape_channels_every_choice_is_checked() {
    let shape: Size = "3x3".parse::<Shape>().unwrap().into();
    let network = Network::new("mesh", shape, Some("west-first"), None).unwrap();
    let (topology, relation) = (network.topology(), network.relation());
    let good = network.certificate().unwrap();
    assert_eq!(check(topology, relation, good), Ok(81));
    for at in 0..good.numbers.len() {
        let mut missing = good.clone();
        missing.numbers.remove(at);
        let error = check(topology, relation, &missing);
        assert!(matches!(error, Err(CertificateError::Missing { .. })), "{error:?}");
    }
    // Of every two channels that a packet may take one after the other.
    let mut pairs = 0;
    for (to, turn) in topology.all_nodes().flat_map(|node| {
        let class = &network.turns().classes[network.turns().class_of(node)];
        class.turns.keys().map(move |turn| (node, *turn))
    }) {
        let (Input::Network(input), Output::Network(output)) = (turn.input, turn.output) else {
            continue;
        };
        let (from, port) = network.all_entering().channel(to, input).unwrap();
        let mut swapped = good.clone();
        let place = |node, port| {
            let is = |n: &ChannelNumber| (n.from, n.output) == (node, port);
            good.numbers.iter().position(is).unwrap()
        };
        let (first, second) = (place(from, port), place(to, output));
        swapped.numbers[first].number = good.numbers[second].number;
        swapped.numbers[second].number = good.numbers[first].number;
        let error = check(topology, relation, &swapped);
        assert!(matches!(error, Err(CertificateError::Descends { .. })), "{error:?}");
        pairs += 1;
    }
    assert!(pairs > 20);

    let mut astray = Twisted::new(routing::build("west-first", topology).unwrap());
    assert_eq!(check(topology, &astray.relation(), good), Ok(81));
    astray.hops = |node, mut hops| {
        // Out of the mesh at its corner.
        if let (Node(0), Some(hop)) = (node, hops.first_mut()) {
            hop.output = Output::Network(Port(1));
        }
        hops
    };
    let error = check(topology, &astray.relation(), good);
    assert!(matches!(error, Err(CertificateError::Astray { .. })), "{error:?}");
    let mut early = Twisted::new(routing::build("west-first", topology).unwrap());
    early.hop = |node, _, _, _, hop| match node {
        Node(4) => Hop { output: Output::EJECT, ..hop },
        _ => hop,
    };
    let error = check(topology, &early.relation(), good);
    assert!(matches!(error, Err(CertificateError::Astray { .. })), "{error:?}");
}

/// One per pair; with choices, an escape route from every place that they can bring the packet
/// to.
#[test]
fn as_many_routes_are_walked_as_is_said() {
    let walked = |k, routing| {
        let network = Network::new("hypercube", k, Some(routing), None).unwrap();
        network.routes_checked()
    };
    assert_eq!(walked(6, "ecube"), 64 * 64);
    // For w bits to correct: injection, and each set of crossed bits by each bit crossed last.
    // These are w 2^(w - 1), and k 3^(k - 1) over all destinations.
    let places = |k: u32| (1 << k) + u64::from(k) * 3u64.pow(k - 1);
    assert_eq!(walked(6, "adaptive"), 64 * places(6));
    assert_eq!(walked(7, "adaptive"), 8 * places(7));
}

/// Numbers that ascend along every route, but of classes in the wrong order: those of requests above
/// those of replies, which they may wait for.
#[test]
fn classes_in_the_wrong_order_do_not_hold() {
    let text = "class request\nclass reply after request\nsource,destination,class\n\
                0_0,2_1,request\n2_1,0_0,reply\n1_0,2_0,request\n";
    let flows = FlowList::parse(text).unwrap();
    let shape: Shape = "3x2".parse().unwrap();
    // Packets that go one way, that draw one, that choose with and without escape channels.
    for (routing, first_of_reply, routes) in
        [("dimension-order", 1, 3), ("o1turn", 2, 6), ("west-first", 1, 3), ("adaptive", 2, 18)]
    {
        let wanted =
            Wanted { flows: Some(&flows), routing: Some(routing), ..Wanted::new("mesh", shape) };
        let network = Network::wanted(&wanted).unwrap();
        let mut proof = network.certificate().unwrap().clone();
        let check = |proof: &Certificate| check(network.topology(), network.relation(), proof);
        assert_eq!(check(&proof), Ok(routes), "{routing}");
        // The channels of a class keep their order among themselves.
        let is_reply = |n: &ChannelNumber| n.vc >= Vc(first_of_reply);
        let replies = proof.numbers.iter().filter(|n| is_reply(n)).count() as u32;
        let requests = proof.numbers.len() as u32 - replies;
        assert!(requests > 0 && replies > 0);
        for number in &mut proof.numbers {
            number.number = match is_reply(number) {
                false => number.number + replies,
                true => number.number - requests,
            };
        }
        let error = check(&proof).unwrap_err();
        assert!(matches!(error, CertificateError::Classes { .. }), "{routing}: {error}");
        assert!(error.to_string().contains("class reply is not above"), "{error}");
    }
}

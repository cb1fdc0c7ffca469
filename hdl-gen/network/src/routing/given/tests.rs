use super::*;
use crate::routing::walk::walk;
use crate::routing::{Draw, Output};

/// Line by line what is wrong, and where.
#[test]
fn bad_files() {
    let head = "turnpike-relation 1\nname x\ntopology hypercube\ndimension 1\n";
    let mesh = "turnpike-relation 1\nname x\ntopology mesh\nshape 2x2\nby route\n";
    let cases: &[(&str, &str)] = &[
        ("", "the file is empty; a relation file begins with 'turnpike-relation 1'"),
        (" \n\n", "the file is empty; a relation file begins with 'turnpike-relation 1'"),
        ("PK\u{3}\u{4}", "line 1: this is no text"),
        ("hello", "line 1: 'hello' does not begin a relation file"),
        ("turnpike-relation 2\n", "line 1: relation files of version '2' are not known; use"),
        ("turnpike-relation 1\n", "there is no 'name'; give it before the hops"),
        ("turnpike-relation 1\nnmae x\n", "line 2: unknown key 'nmae'; did you mean 'name'?"),
        ("turnpike-relation 1\nname\n", "line 2: 'name' takes one word after it"),
        ("turnpike-relation 1\nname a-b\n", "line 2: name: 'a-b' is not a Verilog identifier"),
        ("turnpike-relation 1\nname wire\n", "line 2: name: 'wire' is a keyword of Verilog-2005"),
        (
            "turnpike-relation 1\nname ecube\n",
            "line 2: name: 'ecube' is a relation that Turnpike has",
        ),
        (
            "turnpike-relation 1\nname random_static\n",
            "line 2: name: 'random_static' is a relation",
        ),
        ("turnpike-relation 1\nname x\nname y\n", "line 3: 'name' stands here again; give it once"),
        (
            "turnpike-relation 1\ntopology hypecube\n",
            "line 2: unknown topology 'hypecube'; did you mean 'hypercube'",
        ),
        ("turnpike-relation 1\ndimension four\n", "line 2: dimension 'four' is no whole number"),
        (
            "turnpike-relation 1\ntopology hypercube\ndimension 99\n",
            "line 3: hypercube: dimension 99 is out of range; use 1 to 20",
        ),
        (
            "{head}failed 2\n0 1 dim0\n",
            "line 5: '2' is not a node of this hypercube: a label is 1 binary",
        ),
        ("{head}failed 1\nfailed 1\n", "line 6: failed '1' stands here again"),
        ("{head}failed 1\nfailed 0\n", "no terminal of this hypercube is left"),
        ("{head}failed 1\n0 1 dim0\n", "one terminal of this hypercube is left, 0"),
        (
            "turnpike-relation 1\nname x\ntopology hypercube\ndimension 2\nfailed 01\n00 01 dim0\n",
            "line 6: 01 failed: packets neither come there nor go there",
        ),
        (
            "{head}failed 1\nby difference\n1 dim0\n",
            "line 6: 'by difference' says the same at every node",
        ),
        (
            "{head}by node\n",
            "line 5: 'by node' is not known; use 'by difference', 'by pair' or 'by route'",
        ),
        ("{head}faild 1\n", "line 5: unknown key 'faild'; did you mean 'failed'?"),
        ("{head}0 1\n", "line 5: a hop here is 'NODE DESTINATION PORT', such as '0 1 dim0'"),
        ("{head}by difference\n1 1 dim0\n", "line 6: a hop here is 'XOR PORT', such as '1 dim0'"),
        ("{head}0 1 dim0\nname y\n", "line 6: 'name' must come before the hops"),
        ("{head}0 2 dim0\n", "line 5: '2' is not a node of this hypercube"),
        ("{head}0 1 dim1\n", "line 5: unknown port 'dim1'; did you mean 'dim0'? (there are: dim0)"),
        (
            "{head}0 0 dim0\n",
            "line 5: a packet at 0 for 0 is there, and ejects; leave this hop out",
        ),
        (
            "{head}0 1 dim0\n0 1 dim0\n",
            "line 6: there is a hop for 0 1 already, in line 5; give one",
        ),
        ("{head}", "there is no hop for 0 1, nor for 1 more; give one"),
        ("{head}0 1 dim0\n", "there is no hop for 1 0; give one"),
        ("{head}by difference\n", "there is no hop for difference 1; give one"),
        (
            "turnpike-relation 1\nname x\ntopology ccc\ndimension 3\nby difference\n00001 forward\n",
            "line 5: 'by difference' is for the hypercube, not for ccc",
        ),
        ("turnpike-relation 1\nshape 4x\n", "line 2: shape '4x' is no shape; use sides"),
        (
            "turnpike-relation 1\ntopology mesh\ndimension 4\n",
            "line 3: mesh has no 'dimension'; its size is said by 'shape'",
        ),
        (
            "turnpike-relation 1\nname x\ntopology mesh\n",
            "there is no 'shape'; give it before the hops",
        ),
        (
            "turnpike-relation 1\nname x\ntopology mesh\nshape 2\n0 1 x_minus\n",
            "line 5: at 0 for 1: there is no channel by x_minus; use x_plus",
        ),
        (
            "{head}by route\n0 1\n",
            "line 6: a hop here is 'SOURCE DESTINATION PORT ...', such as '0 1",
        ),
        ("{head}by route\n0 x dim0\n", "line 6: 'x' is not a node of this hypercube"),
        ("{head}by route\n0\n", "line 6: a hop here is 'SOURCE DESTINATION PORT ...'"),
        ("{head}by route\nx y\n", "line 6: unknown key 'x'"),
        ("{head}by route\n0 1 dim1\n", "line 6: unknown port 'dim1'; did you mean 'dim0'?"),
        (
            "{head}by route\n0 0 dim0\n",
            "line 6: a packet at 0 for 0 is there, and ejects; leave this hop out",
        ),
        (
            "{head}by route\n0 1 dim0\n0 1 dim0\n",
            "line 7: there is a route for 0 1 already, in line 6; give one",
        ),
        ("{head}by route\n0 1 dim0\n", "there is no route for 1 0; give one"),
        ("{head}by route\n", "there is no route for 0 1, nor for 1 more; give one"),
        (
            "{head}by route\n0 1 dim0 dim0\n",
            "line 6: the route from 0 to 1 comes to 0 twice; leave the way round out",
        ),
        (
            "{mesh}0_0 1_1 x_plus\n",
            "line 6: the route from 0_0 to 1_1 ends at 1_0; add the ports that are left",
        ),
        (
            "{mesh}0_0 1_1 x_plus x_plus\n",
            "line 6: at 1_0 for 1_1: there is no channel by x_plus; use x_minus, y_plus",
        ),
        (
            "{mesh}0_0 1_1 vc=0 x_plus y_plus\n1_0 0_1 vc=0 y_plus x_minus\n\
             1_1 0_0 vc=0 x_minus y_minus\n0_1 1_0 vc=0 y_minus x_plus\n\
             0_0 1_0 vc=0 x_plus\n0_0 0_1 vc=0 y_plus\n1_0 0_0 vc=0 x_minus\n1_0 1_1 vc=0 y_plus\n\
             0_1 0_0 vc=0 y_minus\n0_1 1_1 vc=0 x_plus\n1_1 1_0 vc=0 y_minus\n1_1 0_1 vc=0 x_minus\n",
            "the routes on virtual channel 0 wait for each other in a circle; put some",
        ),
        ("{mesh}0_0 1_1 vc=8 x_plus\n", "line 6: '8' is no virtual channel; use vc=0 to vc=7"),
        ("{mesh}0_0 1_1 vc=-1 x_plus\n", "line 6: '-1' is no virtual channel"),
        (
            "{mesh}0_0 1_0 vc=0 x_plus\n1_0 0_0 x_minus\n",
            "the route 0_0 1_0 says its virtual channel, and 1_0 0_0 does not",
        ),
        (
            "turnpike-relation 1\nname x\ntopology mesh\nshape 2x2\nfailed 1_0\nby route\n\
             0_0 1_1 x_plus y_plus\n",
            "line 7: at 0_0 for 1_1: there is no channel by x_plus (1_0 failed); use y_plus",
        ),
        ("turnpike-relation 1\nname x\ntopology arc-cube\ndimension 2\n0x 00 port0\n", "line 5:"),
    ];
    for (text, expected) in cases {
        let given = Given::parse(&text.replace("{head}", head).replace("{mesh}", mesh));
        let error = given.and_then(|given| routed(&given)).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{text:?}: {error}");
    }
    let long = format!("turnpike-relation 1\nname {}\n", "x".repeat(33));
    assert!(Given::parse(&long).unwrap_err().to_string().contains("at most 32 characters"));
    let binary = Given::from_bytes(b"turnpike-relation 1\n\xff\xfe", None).unwrap_err();
    assert_eq!((binary.line, *binary.fault), (Some(2), Fault::Binary));
    let large = Given::from_bytes(&vec![b'#'; MOST_BYTES + 1], None).unwrap_err().to_string();
    assert!(large.contains("use at most 64 MiB"), "{large}");
}

/// Builds a relation on its network.
fn routed(given: &Given) -> Result<(), GivenError> {
    relation(given, &*given.network()?).map(drop)
}

/// A network of a user's own whose nodes and terminals are called as keys are, or alike.
fn own(lines: &str) -> Arc<Description> {
    let text = format!("turnpike-topology 1\nname lab\n{lines}");
    Arc::new(crate::description::read("lab.topology", text.as_bytes()).unwrap())
}

/// Nodes may be called as keys are: a key has one word behind it, and a node two.
#[test]
fn nodes_that_are_called_as_keys_are() {
    for key in super::parse::KEYS.iter() {
        let network =
            own(&format!("node {key} b\nterminal {key} {key}\nterminal b b\nlink {key}.x b.y\n"));
        for hops in [format!("{key} b x\nb {key} y\n"), format!("b {key} y\n{key} b x\n")] {
            let text = format!("turnpike-relation 1\nname mine\ntopology lab\n{hops}");
            let given = Given::parse_for(&text, &network).unwrap_or_else(|e| panic!("{text}: {e}"));
            let Hops::ByPair(hops) = &given.hops else { panic!("{text}") };
            assert_eq!(hops.len(), 2);
            assert_eq!(Given::parse_for(&given.text(), &network).unwrap(), given);
        }
        let text = format!("turnpike-relation 1\nname mine\n{key} b x\n");
        let error = Given::parse_for(&text, &network).unwrap_err().to_string();
        assert_eq!(error, format!("line 3: '{key}' takes one word after it"));
    }
}

#[test]
fn a_destination_is_a_terminal() {
    let network = own("node q r s\nterminal a q\nterminal b r\nterminal d r\nsource c s\n\
                       link q.x r.y\nlink r.x s.y\nlink s.x q.y\n");
    let error = |hop: &str| {
        let text = format!("turnpike-relation 1\nname mine\ntopology lab\n{hop}\n");
        let given = Given::parse_for(&text, &network);
        given.and_then(|given| routed(&given)).unwrap_err().to_string()
    };
    assert_eq!(error("q r x"), "line 4: r is a node; the destination is a terminal: b, d");
    assert!(error("q s y").starts_with("line 4: s has no terminal, so no packet goes there"));
    assert!(error("q b x").starts_with("there is no hop for "));
}

/// The lines of every size of every topology are read, up to the hops, which are missing.
#[test]
fn sizes_of_every_topology_are_read() {
    for kind in crate::topology::TOPOLOGIES {
        for size in kind.sizes.small() {
            let lines: String =
                size.keys().into_iter().map(|(key, value)| format!("{key} {value}\n")).collect();
            let text = format!("turnpike-relation 1\nname mine\ntopology {}\n{lines}", kind.name);
            let fault = Given::parse(&text).map(|_| ()).map_err(|error| *error.fault);
            let sized =
                !matches!(fault, Err(Fault::Key { .. } | Fault::Size { .. } | Fault::Without(_)));
            assert!(sized, "{text}{fault:?}");
        }
    }
}

/// Routes of all pairs of a mesh of two by two, those of one pair the long way round, each on the virtual
/// channel that is said: read, written and taken as they stand.
#[test]
fn routes_are_taken_as_they_stand() {
    let routes = "0_0 1_0 vc=1 x_plus\n0_0 0_1 vc=0 x_plus y_plus x_minus\n\
                  0_0 1_1 vc=0 x_plus y_plus\n1_0 0_0 vc=0 x_minus\n1_0 0_1 vc=0 x_minus y_plus\n\
                  1_0 1_1 vc=0 y_plus\n0_1 0_0 vc=0 y_minus\n0_1 1_0 vc=1 y_minus x_plus\n\
                  0_1 1_1 vc=0 x_plus\n1_1 0_0 vc=0 x_minus y_minus\n1_1 1_0 vc=0 y_minus\n\
                  1_1 0_1 vc=0 x_minus\n";
    for routes in [routes.to_owned(), routes.replace("vc=0 ", "").replace("vc=1 ", "")] {
        let text =
            format!("turnpike-relation 1\nname mine\ntopology mesh\nshape 2x2\nby route\n{routes}");
        let given = Given::parse(&text).unwrap();
        assert_eq!(given.text(), text);
        let topology = given.network().unwrap();
        let relation = relation(&given, &*topology).unwrap();
        for line in routes.lines() {
            let mut words = line.split(' ');
            let mut end = || topology.terminal(words.next().unwrap()).unwrap();
            let (source, destination) = (end(), end());
            let mut wanted: Vec<&str> = words.collect();
            let vc = wanted[0].strip_prefix("vc=").map(|vc| vc.parse().unwrap());
            if vc.is_some() {
                wanted.remove(0);
            }
            let (mut ports, mut vcs) = (Vec::new(), Vec::new());
            walk(&*topology, &relation, source, destination, Draw::NONE, |step| {
                if let Output::Network(port) = step.hop.output {
                    ports.push(topology.port_name(port));
                    vcs.push(step.hop.vc.0);
                }
            })
            .unwrap();
            assert_eq!(ports, wanted, "{line}");
            assert!(vc.is_none_or(|vc: u8| vcs.iter().all(|&own| own == vc)), "{line}: {vcs:?}");
        }
        assert_eq!(relation.vcs(), 2, "routes the short way and the long one make a circle");
    }
}

/// A switch alone has no port to be an example.
#[test]
fn a_line_that_is_wrong_where_there_are_no_ports() {
    let network = own("node q\nterminal a q\nterminal b q\n");
    for lines in ["by route\na b\n", "by route\na\n", "q b\n"] {
        let text = format!("turnpike-relation 1\nname mine\ntopology lab\n{lines}");
        let error = Given::parse_for(&text, &network).unwrap_err().to_string();
        assert!(error.contains("a hop here is "), "{error}");
    }
}

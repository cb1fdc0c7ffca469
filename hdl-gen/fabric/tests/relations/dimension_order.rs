//! `dimension-order` on meshes and tori: its crossbars beside those that others type by hand.

use std::collections::BTreeSet;
use turnpike_analysis::network::{Network, Wanted};
use turnpike_network::routing::{Input, Output};
use turnpike_network::topology::{Shape, Size};

fn network(topology: &str, size: Size) -> Network {
    Network::wanted(&Wanted::new(topology, size)).unwrap()
}

fn shape(text: &str) -> Size {
    text.parse::<Shape>().unwrap().into()
}

/// A direction of travel as others name ports: where a packet comes from, and where it goes.
type Crosspoint = (&'static str, &'static str);

/// The compass of a port that packets arrive by, or leave by. A packet that goes up in X comes
/// from the west; north is where Y is 0.
fn from(input: Input, names: impl Fn(turnpike_network::topology::Port) -> String) -> &'static str {
    match input {
        Input::Inject(_) => "P",
        Input::Network(port) => match names(port).as_str() {
            "x_plus" => "W",
            "x_minus" => "E",
            "y_plus" => "N",
            "y_minus" => "S",
            other => panic!("{other} is no port of two dimensions"),
        },
    }
}

fn to(output: Output, names: impl Fn(turnpike_network::topology::Port) -> String) -> &'static str {
    match output {
        Output::Eject(_) => "P",
        Output::Network(port) => match names(port).as_str() {
            "x_plus" => "E",
            "x_minus" => "W",
            "y_plus" => "S",
            "y_minus" => "N",
            other => panic!("{other} is no port of two dimensions"),
        },
    }
}

/// The crosspoints of the switch at a node.
fn crosspoints(network: &Network, label: &str) -> BTreeSet<Crosspoint> {
    let topology = network.topology();
    let class = network.turns().class_of(topology.node(label).unwrap());
    let names = |port| topology.port_name(port);
    let turns = network.turns().classes[class].turns.keys();
    turns.map(|turn| (from(turn.input, names), to(turn.output, names))).collect()
}

/// BaseJump STL, `bsg_noc/bsg_mesh_router_pkg.v`, `StrictXY`: a row for each output, in the order
/// S, N, E, W, P; in a row a bit for each input in the same order.
const BASEJUMP_XY: [(&str, u8); 5] =
    [("S", 0b01111), ("N", 0b10111), ("E", 0b00011), ("W", 0b00101), ("P", 0b11111)];

fn basejump() -> BTreeSet<Crosspoint> {
    let inputs = ["P", "W", "E", "N", "S"];
    let row = |(output, bits): (&'static str, u8)| {
        let set = move |&(at, _): &(usize, &str)| bits >> at & 1 == 1;
        inputs.into_iter().enumerate().filter(set).map(move |(_, input)| (input, output))
    };
    BASEJUMP_XY.into_iter().flat_map(row).collect()
}

/// FlooNoC, `hw/floo_router.sv`, `XYRouteOpt` and `NoLoopback`: every pair but these is connected.
fn floonoc_leaves_out(input: &str, output: &str) -> bool {
    input == output || (["S", "N"].contains(&input) && ["E", "W"].contains(&output))
}

#[test]
fn an_inner_switch_has_the_crossbar_that_others_type_by_hand() {
    for sides in ["3x3", "4x4", "8x5"] {
        let mesh = network("mesh", shape(sides));
        let inner = crosspoints(&mesh, "1_1");
        assert_eq!(inner, basejump(), "{sides}");
        for input in ["P", "W", "E", "N", "S"] {
            for output in ["P", "W", "E", "N", "S"] {
                // A packet to its own terminal is delivered here, and refused there.
                let own = (input, output) == ("P", "P");
                let there = own || !floonoc_leaves_out(input, output);
                assert_eq!(inner.contains(&(input, output)), there, "{input} {output}");
            }
        }
        let between = inner.iter().filter(|(input, output)| *input != "P" && *output != "P");
        assert_eq!(between.count(), 8, "of 12 without U-turns");
    }
}

/// Corners and edges are classes of their own, with just their ports.
#[test]
fn a_switch_at_an_edge_has_its_own_ports_alone() {
    for sides in ["3x3", "4x4", "16x16"] {
        let mesh = network("mesh", shape(sides));
        assert_eq!(mesh.turns().classes.len(), 9, "{sides}");
        let corner = crosspoints(&mesh, "0_0");
        let inner = crosspoints(&mesh, "1_1");
        let ports = |(input, output): &Crosspoint| {
            // In the north-west corner nothing comes from the north or west, or goes there.
            !["N", "W"].contains(input) && !["N", "W"].contains(output)
        };
        assert_eq!(corner, inner.into_iter().filter(ports).collect(), "{sides}");
    }
}

/// One VC on a mesh, two on a torus with rows of three and more.
#[test]
fn virtual_channels_and_certificates() {
    for (topology, size, vcs) in [
        ("mesh", shape("4x4"), 1),
        ("mesh", shape("2x3x2"), 1),
        ("torus", shape("2x2"), 1),
        ("torus", shape("3x3"), 2),
        ("torus", shape("4x2"), 2),
        ("torus", shape("3x4x2"), 2),
        ("ring", Size::of_nodes(4), 2),
        ("ring", Size::of_nodes(7), 2),
    ] {
        let network = network(topology, size);
        assert_eq!(network.relation().vcs(), vcs, "{topology} {size}");
        assert!(network.certificate().is_some(), "{topology} {size}");
    }
}

#[test]
fn shapes_beyond_what_can_be_walked_are_refused() {
    let error = Network::wanted(&Wanted::new("mesh", shape("1024x1024")));
    let error = error.unwrap_err().to_string();
    assert!(error.contains("routing 'dimension-order'"), "{error}");
    assert!(error.contains("4096"), "{error}");
}

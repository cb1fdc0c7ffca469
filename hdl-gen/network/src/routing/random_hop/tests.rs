//! Tests of shortest paths drawn hop by hop.

use super::*;
use crate::routing::walk::{Step, route};
use crate::routing::{build, low_bits};
use crate::topology::paths::Paths;
use crate::topology::{Shape, find};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A mesh by its shape, a hypercube by its dimension.
fn network(size: &str) -> Box<dyn Topology> {
    match size.parse() {
        Ok(dimension @ 0u32..) => find("hypercube").unwrap().build(dimension).unwrap(),
        Err(_) => mesh(size),
    }
}

fn mesh(shape: &str) -> Box<dyn Topology> {
    find("mesh").unwrap().build(shape.parse::<Shape>().unwrap()).unwrap()
}

/// The dimension along which a port leads.
fn along(topology: &dyn Topology, port: Port) -> usize {
    let mesh = topology.structure().is_mesh();
    usize::from(if mesh { port.0 / 2 } else { port.0 })
}

/// Bits that choose among the open dimensions of a range on the way to one of them: one wherever both
/// halves are open.
fn bits_to(dimension: usize, range: Range<usize>, open: &BTreeSet<usize>) -> u32 {
    if range.len() == 1 {
        return 0;
    }
    let middle = range.start + range.len() / 2;
    let (first, second) = (range.start..middle, middle..range.end);
    let is_open = |half: &Range<usize>| open.range(half.clone()).next().is_some();
    let bit = u32::from(is_open(&first) && is_open(&second));
    let own = if dimension < middle { first } else { second };
    bit + bits_to(dimension, own, open)
}

/// Every shortest path is drawn, and of all draws as large a share as the product over its hops of 1/2 for
/// each bit that they ask for, and no more: of two dimensions each has 1/2, of three one 1/2 and two
/// 1/4. Route logic and injector do what the definition says.
#[test]
fn every_shortest_path_has_the_odds_of_its_hops() {
    let planes = ["2x2", "3x2", "2x4", "3x3", "5x3", "4x4"];
    let more = ["2x2x2", "3x2x2", "2x3x2", "5x2x2", "2x2x2x2"];
    for size in planes.into_iter().chain(more).chain(["2", "3", "4", "5"]) {
        let network = network(size);
        let relation = build(KIND.name, &*network).unwrap();
        let mut paths = Paths::new(&*network);
        let mut logic = BTreeMap::new();
        for (source, destination) in
            network.sources().flat_map(|s| network.sinks().map(move |d| (s, d)))
        {
            let injection = relation.injection(source);
            let mut drawn: BTreeMap<Vec<Port>, u32> = BTreeMap::new();
            for draw in relation.draws() {
                let header = relation.inject(source, destination, draw);
                assert_eq!(injection.header(source, destination, draw), header);
                let steps = route(&*network, &relation, source, destination, draw).unwrap();
                steps.iter().for_each(|step| goes_by_its_logic(&relation, &mut logic, step));
                let port = |step: &Step| match step.hop.output {
                    Output::Network(port) => Some(port),
                    Output::Eject(_) => None,
                };
                *drawn.entry(steps.iter().filter_map(port).collect()).or_default() += 1;
            }
            let (from, to) = paths.between(source, destination).unwrap();
            let all = from.all(to, usize::MAX);
            assert_eq!(drawn.keys().cloned().collect::<Vec<_>>(), all, "{size}");
            for (path, times) in drawn {
                let along: Vec<usize> = path.iter().map(|&port| along(&*network, port)).collect();
                let dimensions = match network.structure().sides() {
                    Some(sides) => sides.len(),
                    None => network.ports().into(),
                };
                let asked = (0..along.len()).map(|at| {
                    let open = along[at..].iter().copied().collect();
                    bits_to(along[at], 0..dimensions, &open)
                });
                let asked: u32 = asked.sum();
                assert_eq!(times << asked, relation.draw_count(), "{size} {path:?}");
            }
        }
    }
}

/// Route logic and header update of a step are those of its hop.
fn goes_by_its_logic(
    relation: &Relation,
    logic: &mut BTreeMap<(Node, Input, Vc), Select>,
    step: &Step,
) {
    let select = || relation.select(step.node, step.input, step.vc);
    let way = logic.entry((step.node, step.input, step.vc)).or_insert_with(select).way(step.header);
    assert_eq!(way.output, step.hop.output);
    let Output::Network(port) = step.hop.output else { return };
    let (to, vc) = ((port, step.hop.vc), step.hop.vc);
    assert_eq!(way.vc, Some(vc));
    assert!(vc.0 < relation.vcs());
    let is_named = relation.output_vc(step.node, step.input, step.vc, step.hop.output) == vc;
    assert!(is_named || step.input.is_inject());
    let carry = relation.carry(step.node, step.input, step.vc, to);
    assert_eq!(carry.apply(step.header), step.hop.header);
    let stays = low_bits(relation.header_bits(Input::Network(port)));
    assert_eq!(step.hop.header & !stays, 0);
}

/// By direction: each way along all dimensions but the first has a virtual channel to itself. By negative
/// hops: on each of them packets that leave odd nodes leave it.
#[test]
fn virtual_channels_are_those_of_directions_or_of_negative_hops() {
    for (size, vcs, by_direction) in [
        ("2x2", 2, true),
        ("4x4", 2, true),
        ("2x2x2", 2, false),
        ("3x2x2", 3, false),
        ("5x2x2", 4, true),
        ("2x2x2x2", 3, false),
        ("2", 2, false),
        ("3", 2, false),
        ("4", 3, false),
    ] {
        let network = network(size);
        let relation = build(KIND.name, &*network).unwrap();
        assert_eq!(relation.vcs(), vcs, "{size}");
        let mut ways: BTreeMap<(Vc, usize), BTreeSet<Port>> = BTreeMap::new();
        let pairs = network.sources().flat_map(|s| network.sinks().map(move |d| (s, d)));
        for ((source, destination), draw) in relation.with_each_draw(pairs) {
            let steps = route(&*network, &relation, source, destination, draw).unwrap();
            for step in &steps {
                let Output::Network(port) = step.hop.output else { continue };
                let dimension = along(&*network, port);
                ways.entry((step.hop.vc, dimension)).or_default().insert(port);
                let hops = network.distances(Node(0))[step.node.0 as usize];
                let entered = !step.input.is_inject();
                let more = u8::from(entered && !by_direction && hops.is_multiple_of(2));
                assert!(!entered || step.hop.vc == Vc(step.vc.0 + more), "{size} {step:?}");
            }
        }
        let one_way = ways.iter().all(|((_, along), ports)| *along == 0 || ports.len() == 1);
        assert!(!by_direction || one_way, "{size}: {ways:?}");
        assert_eq!(ways.keys().map(|(vc, _)| vc.0 + 1).max(), Some(vcs), "{size}");
    }
}

/// Networks of one path for each pair, or of draws of too many bits, are refused; all others take no more
/// virtual channels than there may be.
#[test]
fn bounds_say_what_goes() {
    for size in ["4", "1"] {
        let error = build(
            KIND.name,
            &*match size {
                "4" => mesh("4"),
                cube => network(cube),
            },
        );
        let error = error.unwrap_err().to_string();
        assert!(error.contains("one path for each pair; use"), "{error}");
    }
    for (size, bits, instead) in [
        ("10x10", 17, "dimension-order"),
        ("5x5x4", 19, "dimension-order"),
        ("8", 18, "ecube"),
        ("20", 85, "ecube"),
    ] {
        let error = build(KIND.name, &*network(size)).unwrap_err().to_string();
        let wanted =
            format!("{bits} of them here, and at most 16; use a smaller network, or '{instead}'");
        assert!(error.contains(&wanted), "{error}");
    }
    let most = |vcs: u8| assert!(vcs <= crate::routing::MAX_VCS);
    (2..=7).for_each(|k| most(build(KIND.name, &*network(&k.to_string())).unwrap().vcs()));
    for shape in ["9x9", "4x4x4", "8x2x2", "3x3x3x3", "6x2x2x2", "3x3x2x2x2", "3x2x2x2x2x2"] {
        most(build(KIND.name, &*mesh(shape)).unwrap().vcs());
    }
}

//! Contract of every topology.

use super::*;

#[test]
fn a_topology_is_found_by_each_of_its_names() {
    assert_eq!(find("hypercube").unwrap().name, "hypercube");
    assert_eq!(find("n-cube").unwrap().name, "hypercube");
    let text = find("ncube").map(|kind| kind.name).unwrap_err().to_string();
    assert!(text.contains("did you mean 'n-cube'"), "{text}");
    assert!(text.contains("hypercube, n-cube"), "{text}");
}

/// A topology of the list keeps what all promise, at every small size.
#[test]
fn every_topology_keeps_the_contract() {
    for kind in TOPOLOGIES {
        let sizes = kind.sizes.small();
        assert!(!sizes.is_empty(), "{}", kind.name);
        sizes.into_iter().for_each(|size| keeps_the_contract(&*kind.build(size).unwrap()));
    }
}

/// Every topology keeps its contract: addresses fit, labels are each node's own and read back,
/// channels lead to other nodes and no two end at one input, terminals have labels and places of
/// their own, and the translations do what [`Topology::representative`] and the rest say of them.
pub(crate) fn keeps_the_contract(topology: &dyn Topology) {
    let nodes = topology.nodes();
    let terminals = topology.terminals();
    assert_eq!(terminals.next_power_of_two(), 1 << topology.address_bits());
    let mut labels = std::collections::HashSet::new();
    let mut ends = std::collections::HashSet::new();
    for node in topology.all_nodes() {
        let label = topology.label(node);
        assert!(label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'), "{label}");
        assert_eq!(topology.node(&label), Ok(node));
        assert!(labels.insert(label));
        for port in 0..topology.ports() {
            if let Some((to, input)) = topology.channel(node, Port(port)) {
                assert!(to.0 < nodes && to != node);
                assert!(ends.insert((to, input)), "two channels at one input");
            }
        }
        assert_eq!(topology.channel(node, Port(topology.ports())), None);
    }
    assert_eq!(topology.channels(), ends.len() as u64);
    let names: Vec<_> = (0..topology.ports()).map(|p| topology.port_name(Port(p))).collect();
    names.iter().for_each(|n| assert_eq!(turnpike_base::names::check_identifier(n), Ok(())));
    terminals_hold(topology);
    translations_hold(topology);
    positions_hold(topology);
}

/// Either all nodes have a position or none has; no two are at one place.
fn positions_hold(topology: &dyn Topology) {
    let positions: Vec<_> = topology.all_nodes().filter_map(|n| topology.position(n)).collect();
    assert!(positions.is_empty() || positions.len() == topology.nodes() as usize);
    assert!(positions.iter().all(|at| at.0.is_finite() && at.1.is_finite()));
    let mut places: Vec<_> = positions.iter().map(|at| (rounded(at.0), rounded(at.1))).collect();
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), positions.len(), "{topology:?}: two nodes at one place");
}

fn rounded(coordinate: f64) -> i64 {
    (coordinate * 1000.0).round() as i64
}

/// Terminals have labels of their own, and places of their own at switches.
fn terminals_hold(topology: &dyn Topology) {
    let mut labels = std::collections::HashSet::new();
    for terminal in topology.all_terminals() {
        let label = topology.terminal_label(terminal);
        assert!(label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'), "{label}");
        assert_eq!(topology.terminal(&label), Ok(terminal));
        assert!(labels.insert(label));
        if let Some((node, local)) = topology.source(terminal) {
            assert_eq!(topology.source_at(node, local), Some(terminal));
        }
        if let Some((node, local)) = topology.sink(terminal) {
            assert_eq!(topology.sink_at(node, local), Some(terminal));
        }
    }
    let at = |of: &dyn Fn(Node) -> usize| topology.all_nodes().map(of).sum::<usize>();
    assert_eq!(at(&|node| sources_at(topology, node).count()), topology.sources().count());
    assert_eq!(at(&|node| sinks_at(topology, node).count()), topology.sinks().count());
}

fn translations_hold(topology: &dyn Topology) {
    let all = || topology.all_nodes();
    for by in all() {
        let site = topology.representative(by);
        assert_eq!(topology.representative(site), site);
        assert_eq!(topology.translate(site, by), by);
    }
    let mut generators = topology.generators();
    if generators.is_empty() {
        all().for_each(|node| assert_eq!(topology.representative(node), node));
        return;
    }
    // Those of a few further nodes, too: they are all in use.
    generators.extend([topology.nodes() / 3, topology.nodes() - 1].map(Node));
    for by in generators.iter().copied() {
        let image = |node| topology.translate(node, by);
        let moved = topology.representative(by) != by;
        for node in all() {
            assert_eq!(topology.translate_back(image(node), by), node);
            assert_eq!(image(node) != node, moved, "only the identity keeps a node");
            assert_eq!(topology.representative(image(node)), topology.representative(node));
            for port in (0..topology.ports()).map(Port) {
                let end = topology.channel(node, port).map(|(to, i)| (image(to), i));
                assert_eq!(topology.channel(image(node), port), end);
            }
        }
    }
    // The generators reach each node from its representative.
    let mut reached: Vec<bool> = all().map(|n| topology.representative(n) == n).collect();
    let mut open: Vec<Node> = all().filter(|n| reached[n.0 as usize]).collect();
    while let Some(node) = open.pop() {
        for to in topology.generators().into_iter().map(|by| topology.translate(node, by)) {
            if !std::mem::replace(&mut reached[to.0 as usize], true) {
                open.push(to);
            }
        }
    }
    assert!(reached.into_iter().all(|r| r));
}

//! Two phases over a random intermediate terminal: each packet goes to one drawn from all, and from
//! there to its destination (Valiant and Brebner, Universal schemes for parallel communication, STOC
//! 1981; Routing in a Parallel Computer, section Two-Phase Routing). Whatever the pattern, each phase
//! loads the channels as uniform traffic does.
//!
//! Where two ways are as short and a relation always takes the same of them, as around an even ring, the
//! second phase takes the other: both phases together load the two ways evenly.

use super::phases::{can_be_phase, phases};
use super::phases_by_table::phases_by_table;
use super::{Build, Built, Intermediate, Relation, RelationKind, Via, shortest, up_down};
use crate::topology::{self, Structure, Topology};

/// The entry in the list of relations.
pub const KIND: RelationKind = RelationKind {
    name: "two-phase",
    routes: |network| !matches!(network, Structure::HyperX(_) | Structure::Multistage(_)),
    summary: "to a terminal drawn from all, then to the destination; by table where no rules do",
    source: "Valiant and Brebner, Universal schemes for parallel communication, STOC 1981",
    build: Build::Phases { default: default_phase, of: build },
};

/// The relation of each phase where none is named.
fn default_phase(topology: &dyn Topology) -> &'static str {
    match topology::find(topology.name()) {
        Ok(kind) => kind.default_routing,
        Err(_) if up_down::one_way(topology).is_none() => up_down::KIND.name,
        Err(_) => shortest::KIND.name,
    }
}

fn build(topology: &dyn Topology, relations: [Relation; 2], intermediate: &Intermediate) -> Built {
    let via = Via::of(topology, intermediate)?;
    let relations = sharing_ties(relations);
    let by_rules = relations.iter().all(|phase| can_be_phase(topology, phase, &via.0));
    let build = if by_rules { phases } else { phases_by_table };
    build(KIND.name, topology, relations, via, intermediate)
}

/// The relations of the phases, the second one with its ties decided the other way where the first
/// decides ties as well.
fn sharing_ties([first, second]: [Relation; 2]) -> [Relation; 2] {
    let other = first.other_ties().and_then(|_| second.other_ties().cloned());
    [first, other.unwrap_or(second)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::walk::route;
    use crate::routing::{self, Draw, Output};
    use crate::topology::{Node, TOPOLOGIES, Terminal, TopologyKind, find};
    use std::collections::{BTreeMap, BTreeSet};

    fn network(name: &str, keys: &str) -> Box<dyn Topology> {
        let kind = find(name).unwrap();
        let keys: Vec<&str> = keys.split(' ').collect();
        kind.build(kind.sizes.of_keys(&keys).unwrap()).unwrap()
    }

    /// The terminals that packets of a source should go to first.
    fn wanted(
        topology: &dyn Topology,
        intermediate: &Intermediate,
        source: Terminal,
    ) -> Vec<Terminal> {
        match intermediate {
            Intermediate::All => {
                topology.sources().filter(|&t| topology.sink(t).is_some()).collect()
            }
            Intermediate::Terminals(numbers) => numbers.iter().map(|&n| Terminal(n)).collect(),
            Intermediate::Bits(bits) => {
                let others: u32 =
                    (0..32).filter(|bit| !bits.contains(bit)).map(|bit| 1 << bit).sum();
                let all = (0..topology.terminals()).map(Terminal);
                all.filter(|t| (t.0 ^ source.0) & others == 0).collect()
            }
        }
    }

    /// Every route is one of the first relation to an intermediate terminal and one of the second from
    /// there, and each such is drawn; the phases have virtual channels of their own; injector and route
    /// logic do what the definition says.
    #[test]
    fn routes_are_those_of_the_phases() {
        // The least of every topology, and some where more is different.
        let routed = TOPOLOGIES.iter().filter(|kind| (KIND.routes)(&kind.structure()));
        let least = |kind: &TopologyKind| {
            let values = kind.sizes.small()[0].keys().into_iter().map(|(_, value)| value);
            format!("{} {}", kind.name, values.collect::<Vec<_>>().join(" "))
        };
        let more = [
            "hypercube 3",
            "mesh 4x2",
            "torus 2x4",
            "mesh 3x2",
            "torus 3x3",
            "directed-cube 3",
            "ring 5",
            "dragonfly 3 1 2",
            "directed-ring 4",
            "full 4",
            "star 4",
            "tree 2 3",
            "de-bruijn 2 3",
            "kautz 2 2",
        ];
        let all: Vec<String> = routed.map(least).chain(more.map(str::to_owned)).collect();
        let of_some = [
            ("hypercube 3", "0,3,5-7"),
            ("hypercube 3", "bits:0,2"),
            ("hypercube 4", "bits:3"),
            ("mesh 4x2", "1,2"),
            ("torus 3x3", "0-7"),
            ("ccc 3", "0,5,9"),
            ("fat-tree 2 2", "1,3"),
        ];
        let cases = all.iter().map(|network| (network.as_str(), "all")).chain(of_some);
        for (name, intermediate) in cases {
            let (topology, keys) = name.split_once(' ').unwrap();
            let topology = &*network(topology, keys);
            let intermediate: Intermediate = intermediate.parse().unwrap();
            let phase = routing::build(default_phase(topology), topology).unwrap();
            let relation = build(topology, [phase.clone(), phase.clone()], &intermediate).unwrap();
            let phases = sharing_ties([phase.clone(), phase]);
            let by_phase = |at: usize, from, to| -> Vec<(Node, Output)> {
                let steps = route(topology, &phases[at], from, to, Draw::NONE).unwrap();
                steps.iter().map(|step| (step.node, step.hop.output)).collect()
            };
            let second = relation.second_phase().unwrap();
            for (source, destination) in
                topology.sources().flat_map(|s| topology.sinks().map(move |d| (s, d)))
            {
                let injection = relation.injection(source);
                let mut drawn = BTreeSet::new();
                for draw in relation.draws() {
                    let header = relation.inject(source, destination, draw);
                    assert_eq!(injection.header(source, destination, draw), header);
                    let steps = route(topology, &relation, source, destination, draw).unwrap();
                    for step in &steps {
                        let way = relation.select(step.node, step.input, step.vc).way(step.header);
                        let vc = (!way.output.is_eject()).then_some(step.hop.vc);
                        assert_eq!(way.output, step.hop.output);
                        assert_eq!(way.vc.filter(|_| vc.is_some()), vc);
                        if let Output::Network(port) = step.hop.output {
                            let to = (port, step.hop.vc);
                            let carry = relation.carry(step.node, step.input, step.vc, to);
                            assert_eq!(carry.apply(step.header), step.hop.header);
                        }
                    }
                    let vcs = steps.iter().filter(|step| !step.hop.output.is_eject());
                    let later: Vec<bool> = vcs.map(|step| step.hop.vc >= second).collect();
                    assert!(later.is_sorted());
                    let first = later.iter().filter(|&&later| !later).count();
                    let way: Vec<_> = steps.iter().map(|s| (s.node, s.hop.output)).collect();
                    drawn.insert((way, first));
                }
                let wanted = wanted(topology, &intermediate, source).into_iter().map(|via| {
                    let mut way = by_phase(0, source, via);
                    // It does not leave there.
                    assert!(way.pop().unwrap().1.is_eject());
                    let first = way.len();
                    way.extend(by_phase(1, via, destination));
                    (way, first)
                });
                assert_eq!(drawn, wanted.collect(), "{name}: {source:?} {destination:?}");
            }
        }
    }

    /// On even rings every channel carries the same: as many routes go up as down.
    #[test]
    fn ties_are_shared_between_the_phases() {
        for (name, keys) in [("torus", "4x4"), ("torus", "8"), ("torus", "6"), ("ring", "4")] {
            let topology = &*network(name, keys);
            let phase = routing::build(default_phase(topology), topology).unwrap();
            let relation = build(topology, [phase.clone(), phase], &Intermediate::All).unwrap();
            let mut loads = BTreeMap::new();
            for source in topology.sources() {
                for destination in topology.sinks() {
                    for draw in relation.draws() {
                        let steps = route(topology, &relation, source, destination, draw).unwrap();
                        for step in steps.iter().filter(|step| !step.hop.output.is_eject()) {
                            *loads.entry((step.node, step.hop.output)).or_insert(0u32) += 1;
                        }
                    }
                }
            }
            let (least, most) = (loads.values().min().unwrap(), loads.values().max().unwrap());
            // Of draws that are no power of two one comes more often than another.
            let even = topology.terminals().is_power_of_two();
            assert!(if even { least == most } else { most * 3 < least * 4 }, "{name} {loads:?}");
        }
    }

    /// Bits of the address go by table, too: the terminals are those that rules draw.
    #[test]
    fn bits_by_table_are_those_by_rules() {
        let cube = &*network("hypercube", "3");
        let intermediate: Intermediate = "bits:0,2".parse().unwrap();
        let built = |phase: &str| {
            let phase = routing::build(phase, cube).unwrap();
            build(cube, [phase.clone(), phase], &intermediate).unwrap()
        };
        let (by_rules, by_table) = (built("ecube"), built("random-static"));
        assert_eq!(by_rules.draw_count(), by_table.draw_count());
        let source = Terminal(5);
        for destination in cube.sinks() {
            for draw in by_table.draws() {
                let steps = route(cube, &by_table, source, destination, draw).unwrap();
                let via = source.0 ^ (draw.0 & 1 | (draw.0 & 2) << 1);
                assert!(steps.iter().any(|step| step.node.0 == via));
            }
        }
    }

    /// Two phases are refused, with the reason, on networks and with relations that they do not go
    /// on.
    #[test]
    fn other_networks_are_refused() {
        let cube = network("hypercube", "3");
        let refused = |topology: &dyn Topology, phase: &str, intermediate: &str| {
            let phase = routing::build(phase, topology).unwrap();
            let intermediate = intermediate.parse().unwrap();
            build(topology, [phase.clone(), phase], &intermediate).unwrap_err().to_string()
        };
        for (phase, intermediate, part) in [
            ("adaptive", "all", "cannot go by 'adaptive'"),
            ("ecube", "0,9", "no terminal 9 to go to first; use 0 to 7"),
            ("ecube", "5", "two or more"),
            ("ecube", "bits:1,3", "no bit 3; use bits 0 to 2"),
        ] {
            let error = refused(&*cube, phase, intermediate);
            assert!(error.contains(part), "{error}");
        }
        let mesh = network("mesh", "40x3");
        assert!(refused(&*mesh, "up-down", "all").contains("tables"));
        assert!(refused(&*mesh, "dimension-order", "bits:0").contains("on hypercubes alone"));
    }
}

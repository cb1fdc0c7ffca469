//! Random regular networks: switches that all have the same number of links, to others that are drawn (Singla,
//! Hong, Popa and Godfrey, Jellyfish: Networking Data Centers Randomly, NSDI 2012). A link is a channel each way.
//!
//! The draw begins with a ring in which each switch has links to those nearest to it. Then two links a-b and
//! c-d, drawn, become a-d and c-b, where no two switches get a second link and none one to itself; elsewhere
//! nothing is exchanged. Two links are drawn 40 times for each link, and on from there until every switch reaches
//! every other. Such a walk comes to all networks of these numbers alike, the longer it is (Cooper, Dyer and Greenhill, Sampling Regular Graphs
//! and a Peer-to-Peer Network, Combinatorics, Probability and Computing 16, 2007). Where a switch has links to
//! more than half of the others, those to which it has none are drawn.
//!
//! Port `link<i>` leads to the i-th of a switch's neighbours, by ascending number, and packets that came by it
//! came from there. Nodes have their numbers as labels. Terminal t is at node t / P, by the inject and eject
//! port of number t modulo P, and has label `t`.

use super::error::check_terminals;
use super::parameter::{DIM, NODES, TERMINALS};
use super::positions::{self, Position};
use super::{
    Limit, Node, Parameter, Port, Range, Size, Sizes, Terminal, Topology, TopologyError,
    TopologyKind, labels,
};
use std::sync::Arc;
use turnpike_base::random::Random;

/// Links of a switch.
const DEGREE: Parameter = Parameter {
    key: "degree",
    field: "degree",
    option: "degree",
    words: "degree {}",
    placeholder: "D",
    help: "Links of a switch (random-regular)",
    ..DIM
};
/// Seed that the links are drawn from.
const SEED: Parameter = Parameter {
    key: "graph-seed",
    field: "graph_seed",
    option: "graph-seed",
    words: "graph seed {}",
    placeholder: "SEED",
    help: "Seed of the links (random-regular) [default: 1]",
    default: Some(1),
    ..DIM
};
/// Most terminals: routes from all of them are walked.
const MOST_TERMINALS: u32 = 4096;
/// Pairs of links that are drawn, for each link. Those that cannot be exchanged count: without them networks
/// with more neighbours on the walk would come more often.
const DRAWN: u32 = 40;

/// The entry in the list of topologies.
pub const KIND: TopologyKind = TopologyKind {
    name: "random-regular",
    aliases: &["jellyfish"],
    summary: "N switches of D links each, drawn from a seed",
    sizes: Sizes::of(
        [
            Range::of(&NODES, "N", (4, 1024)),
            Range::of(&DEGREE, "D", (3, 32)),
            Range::of(&TERMINALS, "P", (1, 32)),
            Range::of(&SEED, "SEED", (0, u32::MAX)),
        ],
        Limit::Terminals(MOST_TERMINALS),
    )
    .with_examples(&["4 3 1 1", "6 3 2 1", "6 4 1 2"], &["512 6 1 1", "128 10 4 3"]),
    default_routing: "shortest",
    of_size: |size| Ok(Box::new(RandomRegular::of(size)?)),
};

/// A random regular network.
#[derive(Debug, Clone)]
pub struct RandomRegular {
    size: Size,
    terminals: u32,
    /// By node, ascending.
    neighbours: Arc<[Vec<u32>]>,
}

impl RandomRegular {
    fn of(size: Size) -> Result<Self, TopologyError> {
        let [nodes, degree, terminals, seed] =
            [&NODES, &DEGREE, &TERMINALS, &SEED].map(|parameter| size.expect(parameter));
        let topology = KIND.name;
        if degree >= nodes || nodes % 2 == 1 && degree % 2 == 1 {
            return Err(TopologyError::Degree { topology, nodes, degree });
        }
        check_terminals(topology, u64::from(nodes) * u64::from(terminals), MOST_TERMINALS)?;
        Ok(Self { size, terminals, neighbours: drawn(nodes, degree, seed).into() })
    }
}

/// The neighbours of each node, drawn, ascending.
fn drawn(nodes: u32, degree: u32, seed: u32) -> Vec<Vec<u32>> {
    let mut random = Random::new(seed.into());
    if degree <= (nodes - 1) / 2 {
        return walked(nodes, degree, &mut random, is_connected);
    }
    // With so many links a network is in one piece.
    let without = walked(nodes, nodes - 1 - degree, &mut random, |_| true);
    let others = |(node, without): (u32, Vec<u32>)| {
        (0..nodes).filter(|other| *other != node && !without.contains(other)).collect()
    };
    (0..nodes).zip(without).map(others).collect()
}

/// Neighbours after a walk of exchanges, until it is `enough`; ascending.
fn walked(
    nodes: u32,
    degree: u32,
    random: &mut Random,
    enough: impl Fn(&[Vec<u32>]) -> bool,
) -> Vec<Vec<u32>> {
    let across = (degree % 2 == 1).then_some(nodes / 2);
    let mut links: Vec<[u32; 2]> = (0..nodes)
        .flat_map(|node| (1..=degree / 2).map(move |step| [node, (node + step) % nodes]))
        .chain(across.into_iter().flat_map(|half| (0..half).map(move |node| [node, node + half])))
        .collect();
    let mut neighbours: Vec<Vec<u32>> = vec![Vec::new(); nodes as usize];
    for &[a, b] in &links {
        neighbours[a as usize].push(b);
        neighbours[b as usize].push(a);
    }
    let count = links.len() as u32;
    let mut drawn = 0;
    while drawn < DRAWN * count || !enough(&neighbours) {
        drawn += 1;
        let [one, other] = [0; 2].map(|_| random.below(count) as usize);
        let ([a, b], [mut c, mut d]) = (links[one], links[other]);
        // A link has no direction.
        if random.below(2) == 1 {
            (c, d) = (d, c);
        }
        let is_new = |from: u32, to: u32| from != to && !neighbours[from as usize].contains(&to);
        if one == other || !is_new(a, d) || !is_new(c, b) {
            continue;
        }
        (links[one], links[other]) = ([a, d], [c, b]);
        for (at, before, after) in [(a, b, d), (b, a, c), (c, d, b), (d, c, a)] {
            let own = &mut neighbours[at as usize];
            own.iter_mut().filter(|other| **other == before).for_each(|other| *other = after);
        }
    }
    neighbours.iter_mut().for_each(|own| own.sort_unstable());
    neighbours
}

fn is_connected(neighbours: &[Vec<u32>]) -> bool {
    let mut known = vec![false; neighbours.len()];
    let mut open = vec![0];
    let mut reached = 0;
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut known[node as usize], true) {
            reached += 1;
            open.extend(&neighbours[node as usize]);
        }
    }
    reached == neighbours.len()
}

impl Topology for RandomRegular {
    fn name(&self) -> &'static str {
        KIND.name
    }
    fn size(&self) -> Size {
        self.size
    }
    fn nodes(&self) -> u32 {
        self.neighbours.len() as u32
    }
    fn terminals(&self) -> u32 {
        self.nodes() * self.terminals
    }
    fn label(&self, node: Node) -> String {
        node.0.to_string()
    }
    fn position(&self, node: Node) -> Option<Position> {
        Some(positions::on_circle(node.0, self.nodes()))
    }
    fn node(&self, label: &str) -> Result<Node, TopologyError> {
        labels::numbered_node(KIND.name, label, self.nodes())
    }
    fn ports(&self) -> u8 {
        self.neighbours[0].len() as u8
    }
    fn port_name(&self, port: Port) -> String {
        format!("link{}", port.0)
    }
    fn channel(&self, from: Node, output: Port) -> Option<(Node, Port)> {
        let to = *self.neighbours[from.0 as usize].get(usize::from(output.0))?;
        let input = self.neighbours[to as usize].binary_search(&from.0).ok()?;
        Some((Node(to), Port(input as u8)))
    }
    fn at_each_node(&self) -> u32 {
        self.terminals
    }
    fn terminal_label(&self, terminal: Terminal) -> String {
        terminal.0.to_string()
    }
    fn terminal(&self, label: &str) -> Result<Terminal, TopologyError> {
        labels::numbered_terminal(KIND.name, label, self.terminals())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::tests::keeps_the_contract;
    use std::collections::BTreeMap;

    fn of([nodes, degree, terminals, seed]: [u32; 4]) -> Result<RandomRegular, TopologyError> {
        let values = [(&NODES, nodes), (&DEGREE, degree), (&TERMINALS, terminals), (&SEED, seed)];
        let size = Size::of(values);
        KIND.sizes.check(KIND.name, size)?;
        RandomRegular::of(size)
    }

    #[test]
    fn every_switch_has_its_links_and_reaches_every_other() {
        for (nodes, degree) in [(4, 3), (5, 4), (6, 3), (8, 5), (9, 4), (20, 3), (64, 7), (128, 10)]
        {
            for seed in 0..10 {
                let network = of([nodes, degree, 1, seed]).unwrap();
                keeps_the_contract(&network);
                for node in network.all_nodes() {
                    let own = &network.neighbours[node.0 as usize];
                    assert_eq!(own.len() as u32, degree);
                    assert!(own.windows(2).all(|pair| pair[0] < pair[1]) && !own.contains(&node.0));
                    let furthest = network.distances(node).into_iter().max().unwrap();
                    assert!(furthest < nodes, "{nodes} {degree} {seed}");
                }
                assert_eq!(of([nodes, degree, 1, seed]).unwrap().neighbours, network.neighbours);
            }
        }
    }

    /// Cubic graphs of 6 labelled nodes are 70: 10 that are two sets of three, and 60 prisms. Each comes
    /// as often as the others, within five standard deviations.
    #[test]
    fn all_networks_come_alike() {
        let mut counts: BTreeMap<Vec<Vec<u32>>, u32> = BTreeMap::new();
        const DRAWS: u32 = 14_000;
        for seed in 0..DRAWS {
            *counts.entry(drawn(6, 3, seed)).or_default() += 1;
        }
        assert_eq!(counts.len(), 70);
        let (mean, most) = (f64::from(DRAWS) / 70.0, 5.0 * (f64::from(DRAWS) / 70.0).sqrt());
        for (network, count) in counts {
            assert!((f64::from(count) - mean).abs() < most, "{count} of {network:?}");
        }
    }

    /// Dense networks come alike as well: of 34 nodes of degree 32 each has one other without a link, which is
    /// the one that the walk began with once in 33.
    #[test]
    fn dense_networks_are_drawn_as_well() {
        const DRAWS: u32 = 400;
        let kept = |seed| {
            let neighbours = drawn(34, 32, seed);
            (0..17).filter(|&node| !neighbours[node as usize].contains(&(node + 17))).count() as u32
        };
        let mean = f64::from((0..DRAWS).map(kept).sum::<u32>()) / f64::from(DRAWS);
        assert!((mean - 17.0 / 33.0).abs() < 0.2, "{mean}");
    }

    #[test]
    fn sizes_are_bounded() {
        let error = |size| of(size).unwrap_err().to_string();
        assert_eq!(error([3, 3, 1, 1]), "random-regular: nodes 3 is out of range; use 4 to 1024");
        assert_eq!(error([8, 2, 1, 1]), "random-regular: degree 2 is out of range; use 3 to 32");
        let cannot = "random-regular: 5 nodes of degree 3 cannot be; use a degree below the number \
                      of nodes, and an even one for an odd number";
        assert_eq!(error([5, 3, 1, 1]), cannot);
        assert!(error([4, 4, 1, 1]).contains("4 nodes of degree 4 cannot be"));
        assert!(error([1024, 3, 8, 1]).contains("8192 terminals are more than 4096"));
    }
}

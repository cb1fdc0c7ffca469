//! The workload `local`: nearer destinations are likelier.

use super::kinds::Draw;
use super::{WorkloadError, node, terminal};
use crate::traffic::random::Random;
use turnpike_hdl_gen::topology::Node;

/// Most nodes of a network that is searched from each: some minutes.
const MOST_SEARCHES: u32 = 1 << 15;

/// The destinations of one source: those of its network at a distance, by that distance.
#[derive(Debug)]
struct Law {
    /// By ascending distance.
    nodes: Vec<Node>,
    /// A distance that occurs each.
    shells: Vec<Shell>,
}

#[derive(Debug)]
struct Shell {
    /// The index in [`Law::nodes`] at which the shell ends.
    end: usize,
    /// The weight of this shell and all nearer ones.
    weight: f64,
}

impl Law {
    /// From the distances of all nodes (`u32::MAX`: no path), the source at 0.
    fn new(distances: &[u32]) -> Self {
        let reached = (0..).zip(distances).filter(|&(_, &d)| d != 0 && d != u32::MAX);
        let mut nodes: Vec<(u32, Node)> = reached.map(|(n, &d)| (d, Node(n))).collect();
        nodes.sort_unstable();
        let mut shells = Vec::new();
        let (mut end, mut weight) = (0, 0.0);
        for shell in nodes.chunk_by(|a, b| a.0 == b.0) {
            end += shell.len();
            // Powers of two and their sums: the same on every machine.
            weight += shell.len() as f64 * 0.5f64.powi(shell[0].0.min(1100) as i32);
            shells.push(Shell { end, weight });
        }
        Self { nodes: nodes.into_iter().map(|(_, node)| node).collect(), shells }
    }

    /// A shell by its weight, then a node of it, all alike; `None` where there is nobody.
    fn draw(&self, random: &mut Random) -> Option<Node> {
        let drawn = random.unit() * self.shells.last()?.weight;
        let shell = self.shells.partition_point(|s| s.weight <= drawn).min(self.shells.len() - 1);
        let first = if shell == 0 { 0 } else { self.shells[shell - 1].end };
        let count = (self.shells[shell].end - first) as u32;
        self.nodes.get(first + random.below(count) as usize).copied()
    }
}

/// Every destination. Where all nodes look alike, one search serves every source.
pub(super) fn draw(draw: &Draw<'_>) -> Result<Vec<u32>, WorkloadError> {
    let topology = draw.network.topology();
    let nodes = topology.nodes();
    if draw.network.is_invariant() {
        let law = Law::new(&topology.distances(Node(0)));
        return draw_each(draw, |from| {
            let law = &law;
            move |random| law.draw(random).and_then(|to| topology.translate(to, from))
        });
    }
    if nodes > MOST_SEARCHES {
        return Err(WorkloadError::Searches { nodes, most: MOST_SEARCHES });
    }
    draw_searched(draw)
}

/// The same with a search from each source.
fn draw_searched(draw: &Draw<'_>) -> Result<Vec<u32>, WorkloadError> {
    let topology = draw.network.topology();
    draw_each(draw, |from| {
        let law = Law::new(&topology.distances(from));
        move |random| law.draw(random)
    })
}

/// Every destination; `destinations` gives those of a source one by one.
fn draw_each<F: FnMut(&mut Random) -> Option<Node>>(
    draw: &Draw<'_>,
    mut destinations: impl FnMut(Node) -> F,
) -> Result<Vec<u32>, WorkloadError> {
    let terminals = draw.terminals as usize;
    let mut all = vec![0; draw.rounds as usize * terminals];
    for source in 0..draw.terminals {
        let mut next = destinations(node(source));
        let mut random = draw.stream(source);
        for round in 0..draw.rounds as usize {
            let to = next(&mut random).ok_or_else(|| draw.alone("local", source))?;
            all[round * terminals + source as usize] = terminal(to);
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnpike_hdl_gen::network::Network;

    /// Counts by distance against the law; both ways of finding destinations.
    #[test]
    fn nearer_terminals_are_likelier_by_the_law() {
        for (k, drawn_by) in [(5, super::draw as fn(&Draw<'_>) -> _), (4, draw_searched)] {
            let network = Network::new("hypercube", k, None, None).unwrap();
            let (terminals, rounds) = (1 << k, 3000);
            let draw = Draw { network: &network, terminals, rounds, seed: 2, to_itself: true };
            let mut counts = vec![0u32; k as usize + 1];
            let mut at = vec![0u32; terminals as usize];
            for (message, to) in (0..).zip(drawn_by(&draw).unwrap()) {
                counts[((message % terminals) ^ to).count_ones() as usize] += 1;
                at[to as usize] += 1;
            }
            assert_eq!(counts[0], 0, "never to itself");
            // binomial(k, d) nodes at distance d, together 1.5^k - 1.
            let messages = f64::from(terminals * rounds);
            let mut shell = 1.0;
            for d in 1..=k {
                shell *= f64::from(k + 1 - d) / f64::from(d) / 2.0;
                let expected = shell / (1.5f64.powi(k as i32) - 1.0);
                let found = f64::from(counts[d as usize]) / messages;
                // Four standard deviations.
                let tolerance = 4.0 * (expected * (1.0 - expected) / messages).sqrt();
                assert!((found - expected).abs() < tolerance, "{d}: {found}, not {expected}");
            }
            // By symmetry every terminal is as often a destination as it is a source.
            let most = at.iter().map(|&n| n.abs_diff(rounds)).max().unwrap();
            assert!(most < 300, "{most}");
        }
    }

    /// A directed path has distances one way alone, and a node that reaches nobody.
    #[test]
    fn unreachable_nodes_are_never_drawn() {
        let law = Law::new(&[u32::MAX, 0, 1, 2, u32::MAX]);
        let mut random = Random::new(1);
        let mut counts = [0u32; 5];
        (0..30_000).for_each(|_| counts[law.draw(&mut random).unwrap().0 as usize] += 1);
        assert_eq!((counts[0], counts[1], counts[4]), (0, 0, 0));
        assert!((19_600..20_400).contains(&counts[2]), "{counts:?}");
        assert_eq!(Law::new(&[0, u32::MAX]).draw(&mut random), None);
    }
}

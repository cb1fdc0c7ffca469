//! The workload `local`: nearer destinations are likelier.

use super::WorkloadError;
use super::kinds::Draw;
use crate::traffic::random::Random;
use turnpike_analysis::symmetry::Symmetry;
use turnpike_network::topology::{Node, Terminal, Topology};

/// Most nodes that a network is searched from: some minutes.
const MOST_SEARCHES: usize = 1 << 15;

/// The destinations of one source, by their distance.
#[derive(Debug)]
struct Law {
    /// By ascending distance.
    terminals: Vec<Terminal>,
    /// A distance that occurs each.
    shells: Vec<Shell>,
}

#[derive(Debug)]
struct Shell {
    /// The index in [`Law::terminals`] at which the shell ends.
    end: usize,
    /// The weight of this shell and all nearer ones.
    weight: f64,
}

impl Law {
    /// The terminals that `source` reaches, itself left out.
    fn of(topology: &dyn Topology, source: Terminal) -> Self {
        let Some((node, _)) = topology.source(source) else { return Self::new(Vec::new()) };
        let distances = topology.distances(node);
        let of = |(node, _): (Node, _)| distances[node.0 as usize];
        let others = topology.sinks().filter(|&sink| sink != source);
        let terminals = others.filter_map(|sink| Some((of(topology.sink(sink)?), sink)));
        Self::new(terminals.filter(|&(d, _)| d != u32::MAX).collect())
    }

    /// Terminals with their distances.
    fn new(mut terminals: Vec<(u32, Terminal)>) -> Self {
        terminals.sort_unstable();
        let mut shells = Vec::new();
        let (mut end, mut weight) = (0, 0.0);
        for shell in terminals.chunk_by(|a, b| a.0 == b.0) {
            end += shell.len();
            // Powers of two and their sums: the same on every machine.
            weight += shell.len() as f64 * 0.5f64.powi(shell[0].0.min(1100) as i32);
            shells.push(Shell { end, weight });
        }
        Self { terminals: terminals.into_iter().map(|(_, terminal)| terminal).collect(), shells }
    }

    /// A shell by its weight, then a terminal of it, all alike; `None` where there is nobody.
    fn draw(&self, random: &mut Random) -> Option<Terminal> {
        let drawn = random.unit() * self.shells.last()?.weight;
        let shell = self.shells.partition_point(|s| s.weight <= drawn).min(self.shells.len() - 1);
        let first = if shell == 0 { 0 } else { self.shells[shell - 1].end };
        let count = (self.shells[shell].end - first) as u32;
        self.terminals.get(first + random.below(count) as usize).copied()
    }
}

/// Every destination.
pub(super) fn draw(draw: &Draw<'_>) -> Result<Vec<u32>, WorkloadError> {
    draw_by(draw, draw.network.symmetry())
}

/// Every destination. Sources that one site stands for share its search.
fn draw_by(draw: &Draw<'_>, symmetry: &Symmetry) -> Result<Vec<u32>, WorkloadError> {
    let topology = draw.network.topology();
    let sites = symmetry.sources(topology).len();
    if sites > MOST_SEARCHES {
        return Err(WorkloadError::Searches { sites, most: MOST_SEARCHES });
    }
    // By site, so that one law at a time is enough.
    let source = |place: usize| Terminal(draw.terminals[place]);
    let mut places: Vec<usize> = (0..draw.terminals.len()).collect();
    places.sort_by_key(|&place| symmetry.source(topology, source(place)));
    let mut law: Option<(Terminal, Law)> = None;
    let mut all = vec![0; draw.messages()];
    for place in places {
        let from = source(place);
        let site = symmetry.source(topology, from);
        let law = match &mut law {
            Some((of, law)) if *of == site => law,
            law => &mut law.insert((site, Law::of(topology, site))).1,
        };
        let mut random = draw.stream(from.0);
        for round in 0..draw.rounds as usize {
            let to = law.draw(&mut random).ok_or_else(|| draw.alone("local", from.0))?;
            let to = match symmetry.is_by_translation() {
                true => topology.translate_terminal(to, Node(from.0)),
                false => to,
            };
            all[round * draw.terminals.len() + place] = to.0;
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnpike_analysis::network::Network;

    /// Counts by distance against the law; both ways of finding destinations.
    #[test]
    fn nearer_terminals_are_likelier_by_the_law() {
        for (k, by_translation) in [(5, true), (4, false)] {
            let network = Network::new("hypercube", k, None, None).unwrap();
            let symmetry = match by_translation {
                true => network.symmetry().clone(),
                false => Symmetry::none(network.topology()),
            };
            assert_eq!(symmetry.is_by_translation(), by_translation);
            let (terminals, rounds) = (1 << k, 3000);
            let all: Vec<u32> = (0..terminals).collect();
            let draw =
                Draw { network: &network, terminals: &all, rounds, seed: 2, to_itself: true };
            let mut counts = vec![0u32; k as usize + 1];
            let mut at = vec![0u32; terminals as usize];
            for (message, to) in (0..).zip(draw_by(&draw, &symmetry).unwrap()) {
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

    /// Weights go by the distance and the number of nodes at it, whatever they are.
    #[test]
    fn a_law_of_any_distances() {
        let nodes = [(3, 7), (1, 2), (3, 0), (2, 5)].map(|(d, n)| (d, Terminal(n)));
        let law = Law::new(nodes.to_vec());
        let mut random = Random::new(1);
        let mut counts = [0u32; 8];
        (0..40_000).for_each(|_| counts[law.draw(&mut random).unwrap().0 as usize] += 1);
        // 1/2 + 1/4 + 2/8 in all.
        for (node, expected) in [(2, 20_000), (5, 10_000), (0, 5_000), (7, 5_000)] {
            assert!(counts[node].abs_diff(expected) < 400, "{counts:?}");
        }
        assert_eq!(counts.iter().sum::<u32>(), 40_000);
        assert_eq!(Law::new(Vec::new()).draw(&mut random), None);
    }
}

//! Draws that lead a packet by unlike routes. A source draws a terminal to go to first from 2^b numbers, of
//! which several may mean one terminal: whatever is said of all routes takes one of them, and their number
//! where it is a mean.

use super::intermediate::Coordinate;
use super::{Draw, Relation, Via};
use crate::topology::{Terminal, Topology};
use rustc_hash::FxHashSet;

/// Limit of the routes that are walked, where packets draw: they join less. With orbit representatives the
/// limit is a quarter of that.
const MOST_ROUTES: u64 = 1 << 24;

/// A draw, the first of those that lead a packet as it does, and how many these are.
type Unlike = (Draw, u32);

impl Via {
    /// Draws below `draws`, one for each terminal that a packet may go to first.
    fn unlike(
        &self,
        source: Terminal,
        destination: Terminal,
        draws: u32,
    ) -> Box<dyn Iterator<Item = Unlike> + '_> {
        match self {
            Self::Difference(_) | Self::Address => all(draws),
            // One terminal has draws that follow each other.
            Self::Listed(terminals) => {
                let mut first = 0;
                Box::new(terminals.chunk_by(|one, other| one == other).map(move |alike| {
                    let count = alike.len() as u32;
                    first += count;
                    (Draw(first - count), count)
                }))
            }
            Self::Between => {
                let difference = source.0 ^ destination.0;
                let alike = draws >> difference.count_ones();
                let subsets = (0..=difference).filter(move |draw| draw & !difference == 0);
                Box::new(subsets.map(move |draw| (Draw(draw), alike)))
            }
            Self::Within(coordinates) => {
                let unlike = within(coordinates, source, destination);
                Box::new(unlike.into_iter())
            }
        }
    }

    /// Number of terminals that a packet may go to first.
    fn unlike_count(&self, source: Terminal, destination: Terminal, draws: u32) -> u64 {
        match self {
            Self::Difference(_) | Self::Address => draws.into(),
            Self::Listed(terminals) => terminals.chunk_by(|one, other| one == other).count() as u64,
            Self::Between => 1 << (source.0 ^ destination.0).count_ones(),
            Self::Within(coordinates) => {
                numbers(coordinates, source, destination).map(|(_, numbers)| numbers).product()
            }
        }
    }
}

fn all(draws: u32) -> Box<dyn Iterator<Item = Unlike>> {
    Box::new((0..draws).map(|draw| (Draw(draw), 1)))
}

/// Bits of the draw that each coordinate takes, and numbers from the source's to the destination's.
fn numbers(
    coordinates: &[Coordinate],
    source: Terminal,
    destination: Terminal,
) -> impl Iterator<Item = (u32, u64)> + '_ {
    let mut stride = 1;
    coordinates.iter().map(move |&Coordinate { side, drawn }| {
        let [from, to] = [source, destination].map(|end| end.0 / stride % side);
        stride *= side;
        (drawn, u64::from(from.abs_diff(to)) + 1)
    })
}

/// Draws of [`Via::Within`], ascending: those of each coordinate by those of all.
fn within(coordinates: &[Coordinate], source: Terminal, destination: Terminal) -> Vec<Unlike> {
    let mut unlike = vec![(Draw(0), 1)];
    let mut low = 0;
    for (drawn, numbers) in numbers(coordinates, source, destination) {
        // The first draw d with floor(d n / 2^b) = number.
        let first = |number: u64| (number << drawn).div_ceil(numbers) as u32;
        let own = |number| (first(number), first(number + 1) - first(number));
        let with = |(draw, alike): (u32, u32)| {
            let lower = unlike.iter();
            lower.map(move |&(Draw(lower), count)| (Draw(lower | draw << low), count * alike))
        };
        unlike = (0..numbers).map(own).flat_map(with).collect();
        low += drawn;
    }
    unlike
}

impl Relation {
    /// Draws that lead a packet by unlike routes, ascending, each with the number of those that lead it
    /// alike, of which it is the first.
    pub fn unlike_draws(
        &self,
        source: Terminal,
        destination: Terminal,
    ) -> Box<dyn Iterator<Item = (Draw, u32)> + '_> {
        match &self.via {
            Some(via) => via.unlike(source, destination, self.draw_count()),
            None => all(self.draw_count()),
        }
    }

    /// Each of these pairs with each of its [`Relation::unlike_draws`].
    pub fn with_each_route(
        &self,
        pairs: impl Iterator<Item = (Terminal, Terminal)>,
    ) -> impl Iterator<Item = ((Terminal, Terminal), Draw)> {
        pairs.flat_map(|pair| self.unlike_draws(pair.0, pair.1).map(move |(draw, _)| (pair, draw)))
    }

    /// Routes from these sources.
    fn routes_from(&self, topology: &dyn Topology, sources: &[Terminal]) -> u64 {
        let of_pair = |source, destination| match &self.via {
            Some(via) => via.unlike_count(source, destination, self.draw_count()),
            None => self.draw_count().into(),
        };
        let of_source = |&source: &Terminal| {
            topology.destinations(source).map(|to| of_pair(source, to)).sum::<u64>()
        };
        sources.iter().map(of_source).sum()
    }
}

/// Routes of a relation that draws, as far as they are walked, and the most that are: those from
/// one source, where translations keep them, otherwise from one at each switch, for others there join
/// them. At least so many, where the pairs alone are too many.
pub fn drawn_routes(
    topology: &dyn Topology,
    relation: &Relation,
    by_translation: bool,
) -> (u64, u64) {
    let (sources, most): (Vec<Terminal>, u64) = match by_translation {
        true => (topology.sources().take(1).collect(), MOST_ROUTES >> 2),
        false => {
            let mut known = FxHashSet::default();
            let is_first =
                |source: &Terminal| known.insert(topology.source(*source).map(|(node, _)| node));
            (topology.sources().filter(is_first).collect(), MOST_ROUTES)
        }
    };
    let pairs = sources.len() as u64 * u64::from(topology.terminals());
    match pairs > most {
        true => (pairs, most),
        false => (relation.routes_from(topology, &sources), most),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::concentrating::concentrated;
    use crate::routing::{Header, RELATIONS, Via, build};
    use crate::topology::concentrated::Concentrated;
    use crate::topology::{TOPOLOGIES, find};
    use std::collections::BTreeMap;
    use std::sync::Arc;

    /// By trying every draw: the first with each terminal, and how many have it.
    fn tried(via: &Via, source: Terminal, destination: Terminal, draws: u32) -> Vec<Unlike> {
        let mut of: BTreeMap<Terminal, Unlike> = BTreeMap::new();
        for draw in (0..draws).map(Draw) {
            let terminal = via.terminal(source, destination, draw);
            of.entry(terminal).or_insert((draw, 0)).1 += 1;
        }
        let mut unlike: Vec<Unlike> = of.into_values().collect();
        unlike.sort_unstable();
        unlike
    }

    #[test]
    fn each_terminal_is_drawn_once() {
        let coordinate = |side: u32, drawn: u32| Coordinate { side, drawn };
        let listed: Arc<[Terminal]> = [2, 2, 2, 5, 5, 6, 0, 0].map(Terminal).into();
        for (via, terminals, draws) in [
            (Via::Difference(vec![0, 1, 3]), 16, 8),
            (Via::Address, 8, 8),
            (Via::Listed(listed), 8, 8),
            (Via::Between, 16, 16),
            (Via::Within(vec![coordinate(3, 5), coordinate(5, 6)]), 15, 1 << 11),
            (Via::Within(vec![coordinate(2, 1), coordinate(3, 4), coordinate(2, 1)]), 12, 1 << 6),
        ] {
            for (source, destination) in
                (0..terminals).flat_map(|s| (0..terminals).map(move |d| (Terminal(s), Terminal(d))))
            {
                let found: Vec<Unlike> = via.unlike(source, destination, draws).collect();
                let wanted = tried(&via, source, destination, draws);
                assert_eq!(found, wanted, "{via:?} {source:?} {destination:?}");
                assert_eq!(via.unlike_count(source, destination, draws), wanted.len() as u64);
            }
        }
    }

    /// Terminals of one switch have routes that join.
    #[test]
    fn one_terminal_of_a_switch_counts() {
        let mesh = || {
            let kind = find("mesh").unwrap();
            kind.build(kind.sizes.of_keys(&["32x32"]).unwrap()).unwrap()
        };
        let plain = mesh();
        let relation = build("o1turn", &*plain).unwrap();
        let relation = concentrated(relation, &*plain, 4).unwrap();
        let topology = Concentrated::new(mesh(), 4).unwrap();
        let (routes, most) = drawn_routes(&topology, &relation, false);
        assert_eq!(routes, 2 * 1024 * topology.destinations(Terminal(0)).count() as u64);
        assert!(routes <= most, "{routes}");
    }

    /// Draws that a relation takes for alike make one header, and all of them are counted; where sources look
    /// routes up, too.
    #[test]
    fn packets_of_alike_draws_have_one_header() {
        let mut fewer = 0;
        let more = ["mesh 3x3", "hypercube 4", "torus 3x3"].map(|words| {
            let (name, keys) = words.split_once(' ').unwrap();
            let kind = find(name).unwrap();
            kind.build(kind.sizes.of_keys(&[keys]).unwrap()).unwrap()
        });
        let least = TOPOLOGIES.iter().map(|kind| kind.build(kind.sizes.small()[0]).unwrap());
        for topology in least.chain(more) {
            let topology = &*topology;
            for kind in RELATIONS {
                let Ok(relation) = build(kind.name, topology) else { continue };
                let mut sum = 0;
                let sources: Vec<Terminal> = topology.sources().collect();
                for &source in &sources {
                    for destination in topology.destinations(source) {
                        let header = |draw| relation.inject(source, destination, draw);
                        let mut wanted: BTreeMap<Header, Unlike> = BTreeMap::new();
                        for draw in relation.draws() {
                            wanted.entry(header(draw)).or_insert((draw, 0)).1 += 1;
                        }
                        let found: Vec<Unlike> =
                            relation.unlike_draws(source, destination).collect();
                        let by_header: BTreeMap<Header, Unlike> =
                            found.iter().map(|&unlike| (header(unlike.0), unlike)).collect();
                        assert!(found.is_sorted());
                        // Some relations draw nothing new, and make one header of two draws.
                        let counted: u32 = found.iter().map(|(_, alike)| alike).sum();
                        assert_eq!(counted, relation.draw_count(), "{}", kind.name);
                        assert!(
                            wanted.keys().eq(by_header.keys()),
                            "{} {}: {source:?} {destination:?}",
                            topology.name(),
                            kind.name
                        );
                        fewer += u32::from(found.len() < relation.draw_count() as usize);
                        sum += found.len() as u64;
                    }
                }
                assert_eq!(relation.routes_from(topology, &sources), sum);
            }
        }
        assert!(fewer > 100, "{fewer}");
    }
}

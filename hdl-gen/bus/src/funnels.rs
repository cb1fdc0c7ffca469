//! A split&hash network as it is built: its functions drawn, and who meets on which bus.
//!
//! Function j of the funnels to level i, drawn for each group of level i + 1, takes each node of the
//! group to a place of block j. A place belongs to one function alone, so that a bus, of all nodes of
//! a group that one function takes to one place, has one function in whose slots it carries words.
//! Its receivers are the nodes at that place in each of the k parts of the group. On level 1 a
//! group's bus reaches its k sinks, in every slot.

use crate::split_hash::{Hashing, SplitHash};
use turnpike_base::hash::{mix, shuffle};

/// A bus between two levels. Nodes are numbered within their level.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bus {
    /// The function in whose slots it carries words; 0 to level 0, where it always does.
    pub function: u32,
    /// The nodes that send on it, of the level above.
    pub senders: Vec<u32>,
    /// The nodes that hear it, by the part that a word goes to.
    pub receivers: Vec<u32>,
}

/// Place of a node among the senders of a bus.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tap {
    /// The bus, of those that lead to the level below.
    pub bus: u32,
    /// Number of the node among the bus's senders.
    pub at: u32,
}

/// A split&hash network whose functions are drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Funnels {
    network: SplitHash,
    seed: u64,
    /// By level, from 1 on, by group of the level above, by function: the place of each node.
    functions: Vec<Vec<Vec<Vec<u32>>>>,
    /// By level, from 0 on: the busses to it.
    busses: Vec<Vec<Bus>>,
    /// By level that they lead to, by node of the level above: its taps, in the order of functions.
    taps: Vec<Vec<Vec<Tap>>>,
}

impl Funnels {
    /// The network, its functions drawn from a seed.
    pub fn new(network: SplitHash, seed: u64) -> Self {
        let levels = network.levels();
        // A stream of its own: senders draw from other numbers than functions.
        let mut state = mix(seed ^ u64::from_be_bytes(*b"funnels "));
        let functions = (1..levels).map(|level| {
            let groups = network.nodes() / network.group(level + 1);
            let mut draw =
                |_| network.draw(level, Hashing::Own, |order| shuffle(order, &mut state));
            (0..groups).map(&mut draw).collect()
        });
        let functions = functions.collect();
        let mut funnels = Self { network, seed, functions, busses: Vec::new(), taps: Vec::new() };
        funnels.busses = (0..levels).map(|level| funnels.busses_to(level)).collect();
        funnels.taps = funnels.busses.iter().map(|busses| taps(network.nodes(), busses)).collect();
        funnels
    }

    /// Shape of the network.
    pub fn network(&self) -> &SplitHash {
        &self.network
    }

    /// The seed of its functions.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// By group of level `level` + 1, by function, the place of each node; `level` from 1 on.
    pub fn functions(&self, level: u32) -> &[Vec<Vec<u32>>] {
        &self.functions[level as usize - 1]
    }

    /// The node of a level, 0 among them, to which a function takes a node of the level above, in
    /// the part with this number.
    pub fn receiver(&self, level: u32, node: u32, function: u32, part: u32) -> u32 {
        let (above, here) = (self.network.group(level + 1), self.network.group(level));
        let place = match level {
            0 => 0,
            _ => {
                let functions = &self.functions(level)[(node / above) as usize];
                functions[function as usize][(node % above) as usize]
            }
        };
        node / above * above + part * here + place
    }

    /// Whether a node of a level is built: on levels between sources and sinks those at places of
    /// no function never get a word.
    pub fn is_built(&self, level: u32, node: u32) -> bool {
        let inner = (1..self.network.levels()).contains(&level);
        !inner || node % self.network.group(level) < self.network.places(level)
    }

    /// The nodes of a level that are built.
    pub fn built(&self, level: u32) -> impl Iterator<Item = u32> + '_ {
        (0..self.network.nodes()).filter(move |&node| self.is_built(level, node))
    }

    /// The busses to a level, in order of groups and places.
    pub fn busses(&self, level: u32) -> &[Bus] {
        &self.busses[level as usize]
    }

    /// Taps of a node of the level above on the busses to a level, in the order of functions.
    pub fn taps(&self, level: u32, node: u32) -> &[Tap] {
        &self.taps[level as usize][node as usize]
    }

    /// Numbers of senders of the busses to a level, each once, ascending.
    pub fn sizes(&self, level: u32) -> Vec<u32> {
        let mut sizes: Vec<u32> =
            self.busses(level).iter().map(|bus| bus.senders.len() as u32).collect();
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }

    /// Pairs of a sender and a receiver on one bus, of all that are built.
    pub fn crosspoints(&self) -> u64 {
        let of = |bus: &Bus| (bus.senders.len() * bus.receivers.len()) as u64;
        self.busses.iter().flatten().map(of).sum()
    }

    fn busses_to(&self, level: u32) -> Vec<Bus> {
        let network = &self.network;
        let (above, here) = (network.group(level + 1), network.group(level));
        let receivers = |group: u32, place: u32| {
            (0..network.side()).map(move |part| group * above + part * here + place).collect()
        };
        let nodes = |group: u32| {
            let all = group * above..(group + 1) * above;
            all.filter(|&node| self.is_built(level + 1, node)).collect::<Vec<u32>>()
        };
        let groups = 0..network.nodes() / above;
        if level == 0 {
            let bus =
                |group| Bus { function: 0, senders: nodes(group), receivers: receivers(group, 0) };
            return groups.map(bus).collect();
        }
        let of_group = |group: u32| {
            let nodes = nodes(group);
            let bus = |function: u32, place: u32| {
                let hears = |node: &&u32| {
                    self.receiver(level, **node, function, 0) == group * above + place
                };
                let senders = nodes.iter().filter(hears).copied().collect();
                Bus { function, senders, receivers: receivers(group, place) }
            };
            let of_function = |function| network.block(level, function).map(move |p| (function, p));
            let all = (0..network.functions(level)).flat_map(of_function);
            all.map(|(function, place)| bus(function, place)).collect::<Vec<Bus>>()
        };
        groups.flat_map(of_group).collect()
    }
}

/// By node, where it sends on these busses.
fn taps(nodes: u32, busses: &[Bus]) -> Vec<Vec<Tap>> {
    let mut taps = vec![Vec::new(); nodes as usize];
    for (number, bus) in (0..).zip(busses) {
        for (at, &sender) in (0..).zip(&bus.senders) {
            taps[sender as usize].push((bus.function, Tap { bus: number, at }));
        }
    }
    let in_order = |mut of: Vec<(u32, Tap)>| {
        of.sort_by_key(|(function, _)| *function);
        of.into_iter().map(|(_, tap)| tap).collect()
    };
    taps.into_iter().map(in_order).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn networks() -> impl Iterator<Item = Funnels> {
        let sizes = [(4, 2, 2), (5, 2, 2), (8, 2, 2), (6, 3, 2), (7, 3, 2)];
        sizes.into_iter().map(|(side, levels, factor)| {
            Funnels::new(SplitHash::new(side, levels, factor).unwrap(), 1)
        })
    }

    /// Every function of every node is one of its taps, and leads to the nodes that it says.
    #[test]
    fn busses_are_what_the_functions_say() {
        for funnels in networks() {
            let network = *funnels.network();
            for level in 0..network.levels() {
                let functions = if level == 0 { 1 } else { network.functions(level) };
                for node in funnels.built(level + 1) {
                    let taps = funnels.taps(level, node);
                    assert_eq!(taps.len() as u32, functions);
                    for (function, tap) in (0..functions).zip(taps) {
                        let bus = &funnels.busses(level)[tap.bus as usize];
                        assert_eq!(bus.senders[tap.at as usize], node);
                        assert_eq!(bus.function, function);
                        let receivers = (0..network.side())
                            .map(|part| funnels.receiver(level, node, function, part));
                        assert!(receivers.eq(bus.receivers.iter().copied()));
                    }
                }
                // Every node that is built hears one bus.
                let heard: Vec<u32> = funnels
                    .busses(level)
                    .iter()
                    .flat_map(|bus| bus.receivers.iter().copied())
                    .collect();
                let built: BTreeSet<u32> = funnels.built(level).collect();
                assert_eq!(heard.len(), built.len());
                assert_eq!(heard.into_iter().collect::<BTreeSet<u32>>(), built);
            }
        }
    }

    /// A way of any functions ends at the sink whose digits say its parts.
    #[test]
    fn every_way_ends_at_its_sink() {
        for funnels in networks() {
            let network = *funnels.network();
            for sink in 0..network.nodes() {
                let mut at = (sink * 5 + 3) % network.nodes();
                for level in (0..network.levels()).rev() {
                    let part = sink / network.group(level) % network.side();
                    let functions = if level == 0 { 1 } else { network.functions(level) };
                    at = funnels.receiver(level, at, (sink + level) % functions, part);
                    assert!(funnels.is_built(level, at));
                }
                assert_eq!(at, sink);
            }
        }
    }

    /// Places get as many nodes each as they can; another seed draws other functions.
    #[test]
    fn functions_are_even_and_follow_from_the_seed() {
        for funnels in networks() {
            let network = *funnels.network();
            assert_eq!(Funnels::new(network, 1), funnels);
            // Of a single place each there are no two functions.
            if network.places(1) > network.functions(1) {
                assert_ne!(Funnels::new(network, 2).functions, funnels.functions);
            }
            let top = network.levels() - 1;
            let sizes = funnels.sizes(top);
            assert!(sizes[sizes.len() - 1] - sizes[0] <= 1, "{sizes:?}");
        }
    }
}

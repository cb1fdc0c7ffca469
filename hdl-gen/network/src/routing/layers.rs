//! Virtual channels for given routes: each route starts on VC 0 and moves to the next VC where
//! going on would close a cycle of waits among the routes before it. (A greedy form of layered
//! routing; compare LASH, Skeie, Lysne, Theiss 2002, where a route keeps to one layer.)

use petgraph::acyclic::Acyclic;
use petgraph::data::Build;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;

/// A channel as a number; what the numbers stand for is the caller's affair.
pub type Channel = usize;

/// The VC of each channel of each route, ascending by at most one at a time. A VC is left for
/// good, so waits go from VC to VC upward, and within each they close no cycle.
///
/// The routes may be those of a quotient by translations: a cycle of the network is one of the
/// quotient.
pub fn assign<'a>(routes: impl IntoIterator<Item = &'a [Channel]>) -> Vec<Vec<u32>> {
    let mut layers: Vec<Waits> = Vec::new();
    let mut of_route = |route: &[Channel]| {
        let mut vc = 0;
        let mut vcs: Vec<u32> = route.first().map(|_| vc).into_iter().collect();
        for pair in route.windows(2) {
            if layers.len() <= vc as usize {
                layers.push(Waits::default());
            }
            if !layers[vc as usize].add(pair[0], pair[1]) {
                vc += 1;
            }
            vcs.push(vc);
        }
        vcs
    };
    routes.into_iter().map(&mut of_route).collect()
}

/// Dependencies between channels; never in a cycle.
#[derive(Default)]
struct Waits {
    graph: Acyclic<DiGraph<(), ()>>,
    vertices: FxHashMap<Channel, NodeIndex>,
    /// Whether a wait was added, or refused: then it is for good, for waits only get more.
    known: FxHashMap<(Channel, Channel), bool>,
}

impl Waits {
    /// Adds a wait, unless it would close a cycle.
    fn add(&mut self, from: Channel, to: Channel) -> bool {
        let Self { graph, vertices, known } = self;
        *known.entry((from, to)).or_insert_with(|| {
            let [from, to] =
                [from, to].map(|of| *vertices.entry(of).or_insert_with(|| graph.add_node(())));
            graph.try_add_edge(from, to, ()).is_ok()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_ring_takes_two_virtual_channels() {
        let routes: Vec<Vec<Channel>> = (0..4).map(|i| vec![i, (i + 1) % 4, (i + 2) % 4]).collect();
        let vcs = assign(routes.iter().map(Vec::as_slice));
        assert_eq!(vcs, [[0, 0, 0], [0, 0, 0], [0, 0, 1], [0, 1, 1]]);
        assert_eq!(assign([&[1, 1, 1][..], &[]]), [vec![0, 1, 2], vec![]]);
    }

    /// Whether waits lead from one channel to another, by a search of all.
    fn leads(waits: &BTreeSet<(Channel, Channel)>, from: Channel, to: Channel) -> bool {
        let mut seen = BTreeSet::from([from]);
        let mut open = vec![from];
        while let Some(at) = open.pop() {
            let next = waits.iter().filter(|wait| wait.0 == at).map(|wait| wait.1);
            open.extend(next.filter(|&channel| seen.insert(channel)));
        }
        seen.contains(&to)
    }

    proptest! {
        #[test]
        fn a_wait_is_refused_where_it_closes_a_cycle(
            waits in prop::collection::vec((0..8usize, 0..8usize), 0..60),
        ) {
            let (mut own, mut all) = (Waits::default(), BTreeSet::new());
            for (from, to) in waits {
                let closes = leads(&all, to, from);
                prop_assert_eq!(own.add(from, to), !closes);
                if !closes {
                    all.insert((from, to));
                }
            }
        }
    }
}

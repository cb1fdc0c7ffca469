//! An order of the channels for a dateline, for relations that an order of the ports does not
//! suit: on rings every step is by the same port.

use petgraph::graph::DiGraph;
use petgraph::visit::DfsPostOrder;
use std::collections::BTreeSet;

/// Dependencies between channels, which are numbered.
#[derive(Debug, Default)]
pub(super) struct Waits(BTreeSet<(u32, u32)>);

impl Waits {
    /// A route.
    pub(super) fn see(&mut self, route: &[u32]) {
        self.0.extend(route.windows(2).map(|pair| (pair[0], pair[1])));
    }

    /// The place of each channel in an order of a depth-first search: only the waits that close
    /// a cycle there do not ascend.
    pub(super) fn places(&self, channels: usize) -> Vec<u32> {
        let graph: DiGraph<(), ()> = DiGraph::from_edges(&self.0);
        let mut search = DfsPostOrder::empty(&graph);
        let (mut places, mut place) = (vec![0; channels], channels as u32);
        for start in graph.node_indices() {
            search.move_to(start);
            while let Some(channel) = search.next(&graph) {
                place -= 1;
                places[channel.index()] = place;
            }
        }
        places
    }
}

/// Number of places at which a route does not ascend.
pub(super) fn crossed(places: &[u32], route: &[u32]) -> u32 {
    let place = |channel: u32| places[channel as usize];
    route.windows(2).filter(|pair| place(pair[1]) <= place(pair[0])).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_is_crossed_once() {
        let routes: Vec<Vec<u32>> = (0..6).map(|i| (i..i + 4).map(|c| c % 6).collect()).collect();
        let mut waits = Waits::default();
        routes.iter().for_each(|route| waits.see(route));
        let places = waits.places(6);
        assert_eq!(routes.iter().map(|route| crossed(&places, route)).max(), Some(1));
    }
}

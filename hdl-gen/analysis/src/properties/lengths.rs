//! Property 1: every route is a shortest path; and how long routes are.

use super::{LabelledRoute, distances, ends, length, routes_from, sources};
use crate::expected::Expected;
use crate::network::Network;
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_network::routing::Draw;
use turnpike_network::topology::Terminal;

/// Distances (of the graph) and route lengths (of the relation), in channels; of a network for flows
/// those of the flows.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Lengths {
    /// Mean distance over all N² ordered pairs, a node to itself included.
    pub average_distance: f64,
    /// Diameter: the largest distance of two nodes.
    pub diameter: u32,
    /// Mean route length over all N² ordered pairs, a node to itself included.
    pub average_route_length: f64,
    /// Channels of the longest route.
    pub longest_route: u32,
}

/// Property 1: every route is a shortest path.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ShortestPath {
    /// Whether the property holds.
    pub holds: bool,
    /// The ordered pairs whose route is longer than their distance; where packets draw, the mean over
    /// the draws.
    pub longer_pairs: Expected,
    /// The most channels that a route takes beyond the distance.
    pub largest_excess: u32,
    /// A pair of least distance with a longer route.
    pub counterexample: Option<Detour>,
}

/// A route that is not a shortest path.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Detour {
    /// Distance of the route's ends, in channels.
    pub distance: u32,
    /// The route.
    pub route: LabelledRoute,
}

impl ShortestPath {
    /// Decides it, and measures the lengths on the way.
    pub fn of(network: &Network) -> (Self, Lengths) {
        let (mut total_distance, mut total_length) = (0u64, 0u64);
        let (mut diameter, mut longest_route) = (0, 0);
        let (mut longer_pairs, mut largest_excess) = (0, 0);
        let mut detour: Option<(u32, Terminal, Terminal, Draw)> = None;
        let mut pairs = 0u64;
        for (source, weight) in sources(network) {
            let distances = distances(network, source);
            routes_from(network, source, |destination, (draw, alike), steps| {
                let weight = weight * alike;
                let distance = distances[ends(steps).1.0 as usize];
                let length = length(steps);
                total_distance += weight * u64::from(distance);
                total_length += weight * u64::from(length);
                diameter = diameter.max(distance);
                longest_route = longest_route.max(length);
                pairs += weight;
                if length > distance {
                    longer_pairs += weight;
                    largest_excess = largest_excess.max(length - distance);
                    let found = (distance, source, destination, draw);
                    if detour.is_none_or(|least| found < least) {
                        detour = Some(found);
                    }
                }
            });
        }
        let verdict = Self {
            holds: longer_pairs == 0,
            longer_pairs: Expected::over(longer_pairs, network.relation().draw_count().into()),
            largest_excess,
            counterexample: detour.map(|(distance, source, destination, draw)| Detour {
                distance,
                route: LabelledRoute::of(network, source, destination, draw),
            }),
        };
        let lengths = Lengths {
            average_distance: total_distance as f64 / pairs as f64,
            diameter,
            average_route_length: total_length as f64 / pairs as f64,
            longest_route,
        };
        (verdict, lengths)
    }
}

//! The five properties of a network that is routed row by row.

use super::ByRows;
use super::loads::{balance, free};
use crate::network::Network;
use crate::properties::{
    Dependence, Failure, LabelledRoute, Lengths, LostRoute, Oblivious, PortBound, Properties,
    ShortestPath, pairs_left,
};
use turnpike_network::routing::Draw;
use turnpike_network::routing::walk::route;
use turnpike_network::topology::{Node, Terminal, Topology};

/// Decides all five, and measures the lengths.
///
/// Two hold by what [`ByRows::of`] found of each row. A route of shortest paths in each row is a
/// shortest path, as distances in a grid are sums over its rows. Node and destination decide the output
/// port: in the first row in which they differ they do, and a packet that came by one of that row or
/// an earlier one has none before it to go on in.
pub(crate) fn properties(network: &Network, rows: &ByRows) -> (Properties, Lengths) {
    let pairs = u64::from(rows.grid().nodes()).pow(2);
    let in_rows = rows.all.iter().enumerate();
    let total: u64 = in_rows.map(|(d, row)| row.total * free(rows, d).pow(2)).sum();
    let average = total as f64 / pairs as f64;
    let lengths = Lengths {
        average_distance: average,
        diameter: rows.longest_route(),
        average_route_length: average,
        longest_route: rows.longest_route(),
    };
    let properties = Properties {
        shortest_path: ShortestPath {
            holds: true,
            longer_pairs: 0.into(),
            largest_excess: 0,
            counterexample: None,
        },
        port_bound: PortBound::of(network),
        oblivious: Oblivious {
            holds: true,
            output_port_by: Dependence::NodeAndDestination,
            counterexample: None,
        },
        balance: balance(rows, total),
        failure: failure(network, rows),
    };
    (properties, lengths)
}

/// Counts the routes through each switch: those that leave it by a channel, but for those that begin
/// there, one to each other node. A sum over its places in the rows, so that the most is at the places
/// that have most.
fn failure(network: &Network, rows: &ByRows) -> Failure {
    let (grid, others) = (rows.grid(), u64::from(rows.grid().nodes()) - 1);
    let (mut most, mut least, mut worst) = (0, 0, 0);
    for (dimension, row) in rows.all.iter().enumerate() {
        let leaving = |place: usize| row.load(2 * place) + row.load(2 * place + 1);
        let all: Vec<u64> = (0..row.side()).map(leaving).collect();
        let (largest, free) = (*all.iter().max().expect("a row has places"), free(rows, dimension));
        most += largest * free;
        least += all.iter().min().expect("a row has places") * free;
        let first = all.iter().position(|&n| n == largest).expect("the largest is one of them");
        worst += rows.on_axis(dimension, first).0;
    }
    let (lost_most, lost_least) = (most - others, least - others);
    Failure {
        holds: lost_most == 0,
        pairs: pairs_left(network.topology()),
        lost_most: lost_most.into(),
        lost_least: lost_least.into(),
        worst_switch: grid.label(Node(worst)),
        counterexample: lost(network, rows),
    }
}

/// The first route with a switch between its ends, of the shortest there are: over two channels, from
/// node 0, as in any grid that has longer routes than one.
fn lost(network: &Network, rows: &ByRows) -> Option<LostRoute> {
    if rows.longest_route() < 2 {
        return None;
    }
    let (topology, relation) = (network.topology(), network.relation());
    let source = Terminal(0);
    (0..topology.nodes()).map(Terminal).find_map(|destination| {
        let steps = route(topology, relation, source, destination, Draw::NONE).ok()?;
        (steps.len() == 3).then(|| LostRoute {
            failed: topology.label(steps[1].node),
            route: LabelledRoute::of(network, source, destination, Draw::NONE),
        })
    })
}

//! Certificates of relations that go row by row: what is to be checked beside the routes of the rows.

use super::CertificateError;
use crate::sample::spread;
use std::collections::{BTreeMap, BTreeSet};
use turnpike_network::routing::Vc;
use turnpike_network::topology::grid::{Direction, Grid};
use turnpike_network::topology::{Node, Port, Terminal, Topology};

/// Routes of the whole that are walked once more: from so many nodes, and to so many.
const SAMPLE: (u32, u32) = (4, 1 << 10);

/// Checks that the numbers of each dimension are above those of the dimensions before it.
pub(super) fn above(
    grid: &Grid,
    numbers: &BTreeMap<(Node, Port, Vc), u32>,
) -> Result<(), CertificateError> {
    let mut before: Option<(u32, Port)> = None;
    for dimension in 0..grid.sides().len() {
        let here =
            numbers.iter().filter(|((_, port, _), _)| Direction::of(*port).dimension == dimension);
        let here: Vec<(u32, Port)> = here.map(|((_, port, _), &number)| (number, *port)).collect();
        if let (Some((before, earlier)), Some(&(after, later))) = (before, here.iter().min())
            && before >= after
        {
            let [earlier, later] = [earlier, later].map(|port| grid.port_name(port));
            return Err(CertificateError::NotAbove { earlier, before, later, after });
        }
        before = before.max(here.into_iter().max());
    }
    Ok(())
}

/// All pairs of the row through node 0 of each dimension, and a sample of the pairs of the whole: from
/// the first node, the last and some between, to some.
pub(super) fn pairs(grid: &Grid) -> impl Iterator<Item = (Terminal, Terminal)> {
    let (nodes, (sources, sinks)) = (grid.nodes(), SAMPLE);
    let mut stride = 1;
    let rows: Vec<(u32, u32)> = grid
        .sides()
        .iter()
        .map(|&side| {
            stride *= side;
            (side, stride / side)
        })
        .collect();
    let of_row = |(side, stride): (u32, u32)| {
        let end = move |place: u32| Terminal(place * stride);
        (0..side).flat_map(move |to| (0..side).map(move |from| (end(from), end(to))))
    };
    let from: BTreeSet<u32> = spread(sources, nodes).chain([0, nodes - 1]).collect();
    let to: BTreeSet<u32> = spread(sinks, nodes).collect();
    let pair = move |to| from.clone().into_iter().map(move |from| (Terminal(from), Terminal(to)));
    rows.into_iter().flat_map(of_row).chain(to.into_iter().flat_map(pair))
}

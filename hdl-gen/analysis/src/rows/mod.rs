//! Networks that are routed row by row ([`turnpike_network::routing::rows`]): everything about them from
//! the routes of one row per dimension, in grids of any size.
//!
//! Why that is enough. A route is a route of the first row, then one of the second, and so on, each
//! the same in every row of its dimension: by construction, as the relation is shown no more. The
//! coordinates of its source and of its destination in one dimension can be had with any in the
//! others. So what packets do in one dimension at a switch they do with any coordinates of their ends
//! in the others:
//! - a turn along a row is taken at a switch where it is taken at that place of the row;
//! - a turn from a row into a later one is taken where some packet's way in the first ends and one's
//!   in the second begins so: one packet has both;
//! - as many pairs use a channel as pairs of its row do, times the free coordinates of both ends;
//! - numbers that ascend along the routes of each row, those of later rows above those of earlier
//!   ones, ascend along every route.
//!
//! A test compares all that with the routes of every pair, for all grids of up to 64 nodes
//! (`tests/rows.rs`).

mod loads;
mod properties;
mod row;
mod switches;

pub(crate) use properties::properties;

use crate::deadlock::{Certificate, ChannelNumber};
use row::RowAnalysis;
use std::sync::Arc;
use turnpike_network::routing::rows::Rows;
use turnpike_network::routing::walk::RouteError;
use turnpike_network::topology::grid::Grid;
use turnpike_network::topology::{Node, Topology};

/// Most classes of switches: each is described by itself.
pub const MOST_CLASSES: u64 = 1 << 12;

/// Analysis of a network by its rows.
#[derive(Debug)]
pub struct ByRows {
    rows: Arc<Rows>,
    /// By dimension. Rows that are alike share one.
    all: Vec<Arc<RowAnalysis>>,
    /// By dimension, how far apart neighbours are numbered.
    strides: Vec<u32>,
}

impl ByRows {
    /// Walks the routes of one row per dimension; `None` where they are not what this argument is
    /// of: shortest paths that node and destination decide, free of deadlock.
    ///
    /// # Errors
    /// [`RouteError`] where a route does not arrive.
    pub fn of(rows: &Arc<Rows>) -> Result<Option<Self>, RouteError> {
        let mut all: Vec<Arc<RowAnalysis>> = Vec::new();
        for (dimension, row) in rows.rows().iter().enumerate() {
            let size = |at: usize| rows.rows()[at].topology.size();
            // A row's relation is made of the row, so that rows of a size are alike.
            let known = (0..dimension).find(|&before| size(before) == row.topology.size());
            all.push(match known {
                Some(before) => Arc::clone(&all[before]),
                None => match RowAnalysis::of(row)? {
                    Some(analysis) => Arc::new(analysis),
                    None => return Ok(None),
                },
            });
        }
        let stride = |stride: &mut u32, side: &u32| Some(std::mem::replace(stride, *stride * side));
        let strides = rows.grid().sides().iter().scan(1, stride).collect();
        Ok(Some(Self { rows: Arc::clone(rows), all, strides }))
    }

    pub fn grid(&self) -> &Grid {
        self.rows.grid()
    }

    /// Channels on the longest route.
    pub fn longest_route(&self) -> u32 {
        self.all.iter().map(|row| row.longest).sum()
    }

    /// Number of classes of switches.
    pub fn classes(&self) -> u64 {
        self.all.iter().map(|row| row.first_of.len() as u64).product()
    }

    /// The node at this place of the row through node 0.
    fn on_axis(&self, dimension: usize, place: usize) -> Node {
        Node(place as u32 * self.strides[dimension])
    }

    /// The numbers of each row, those of later rows above those of earlier ones.
    pub fn certificate(&self) -> Certificate {
        let (mut numbers, mut above) = (Vec::new(), 0);
        for (dimension, row) in self.all.iter().enumerate() {
            numbers.extend(row.numbers.iter().map(|n| ChannelNumber {
                from: self.on_axis(dimension, n.from.0 as usize),
                output: Rows::port(dimension, n.output),
                vc: n.vc,
                number: n.number + above,
            }));
            above += row.numbers.len() as u32;
        }
        numbers.sort_unstable_by_key(|n| (n.from, n.output, n.vc));
        Certificate { by_translation: false, by_row: true, numbers }
    }
}

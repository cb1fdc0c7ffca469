//! Theorem 1 of Lecture 5: greedy routing of the transpose on butterflies, which congests as the
//! square root of the rows. Routes are walked; the notes print no figures.

use super::table::{Cell, Table};
use crate::network::Wanted;
use crate::pattern_load::{Message, PatternLoad, load};
use crate::patterns::{Places, TRANSPOSE};
use turnpike_network::topology::Size;
use turnpike_network::topology::parameter::{DIM, RADIX};

/// Source of the theorem.
pub const SOURCE: &str = "Lecture 5: A couple of networks";

/// Bits of a row's number, from the first to the last of the table.
const BITS: std::ops::RangeInclusive<u32> = 2..=16;

/// Load of the transpose on a butterfly, one word from each row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Congestion {
    /// Bits of a row's number: there are 2^bits rows.
    pub bits: u32,
    /// Most words on a link.
    pub link: u64,
    /// Most words on an edge of the butterfly as a graph of rows.
    pub edge: u64,
    /// Edges in use in the stage where they are fewest.
    pub fewest_edges: u64,
}

impl Congestion {
    pub fn rows(&self) -> u64 {
        1 << self.bits
    }

    /// Edges of each stage.
    pub fn edges(&self) -> u64 {
        2 * self.rows()
    }

    /// The square root of the rows.
    pub fn root(&self) -> f64 {
        (self.rows() as f64).sqrt()
    }
}

/// The butterflies of 2^2 to 2^16 rows. Takes about a second, optimised.
///
/// # Panics
/// Never, unless the butterfly or its routing is wrong.
pub fn congestion() -> Vec<Congestion> {
    BITS.map(of).collect()
}

fn of(bits: u32) -> Congestion {
    let size = Size::of([(&DIM, bits), (&RADIX, 2)]);
    let wanted = Wanted::new("butterfly", size).build();
    let (topology, relation) = wanted.expect("a butterfly of so many bits");
    let sinks: Vec<_> = topology.sinks().collect();
    let to = TRANSPOSE.of(&Places::row(1 << bits)).expect("a power of two of rows");
    let message = |(source, to): (_, u32)| {
        let destination = sinks[to as usize];
        Message { source, destination, words: 1 }
    };
    let messages: Vec<Message> = topology.sources().zip(to).map(message).collect();
    let PatternLoad { links, edges, steps } =
        load(&*topology, &relation, &messages).expect("every route arrives");
    let fewest_edges = steps.iter().map(|step| step.edges_used).min().unwrap_or(0);
    // Nothing is drawn: loads are whole.
    Congestion { bits, link: links.most.rounded_up(), edge: edges.most.rounded_up(), fewest_edges }
}

pub fn table(congestion: &[Congestion]) -> Table {
    let row = |of: &Congestion| {
        let root = match of.bits % 2 {
            0 => format!("{:.0}", of.root()),
            _ => format!("{:.1}", of.root()),
        };
        let figures = [of.rows().to_string(), root];
        let loads = [of.link, of.edge, of.fewest_edges, of.edges()].map(|n| n.to_string());
        let cells = std::iter::once(of.bits.to_string()).chain(figures).chain(loads);
        cells.map(Cell::plain).collect()
    };
    Table {
        id: "1",
        title: "greedy routing of the transpose on butterflies (theorem 1)",
        note: "Walked, one word from each of N = 2^n rows. Links are the channels between switches, edges \
               those of the butterfly as a graph of rows; of the stages the one with the fewest edges in \
               use.",
        keys: 2,
        columns: vec![
            "n",
            "N",
            "sqrt(N)",
            "most on a link",
            "most on an edge",
            "edges in use",
            "edges of a stage",
        ],
        rows: congestion.iter().map(row).collect(),
    }
}

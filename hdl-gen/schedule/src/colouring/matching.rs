//! A perfect matching of a regular bipartite multigraph by halving (Alon 2003).
//!
//! Let d be the degree, n the nodes on a side and 2^t at least n d. Each edge is taken 2^t / d
//! times, rounded down, and what is lacking to the degree 2^t is made up with copies of any perfect
//! matching at all, which the graph need not have. That is less than d copies of n edges, so less
//! than 2^t. The graph is halved t times, and the half with fewer of those edges is kept. Then the
//! degree is 1 and none of them is left.

use super::halve::Halver;
use super::regular::EdgeBundle;

/// An edge of the matching that was made up.
const MADE_UP: u32 = u32::MAX;

/// Indices into `parts` of a perfect matching, in ascending order. All `nodes` on either side have
/// this degree.
pub(super) fn perfect(
    parts: &[EdgeBundle],
    degree: u32,
    nodes: usize,
    halver: &mut Halver,
) -> Vec<usize> {
    // Edges are at most 2^25 and a few more (`regular`), so that 2^t is at most 2^26.
    let power = (degree * nodes as u32).next_power_of_two();
    let (times, lacking) = (power / degree, power % degree);
    let many =
        |(part, id): (&EdgeBundle, u32)| EdgeBundle { copies: part.copies * times, id, ..*part };
    let mut all: Vec<EdgeBundle> = parts.iter().zip(0..).map(many).collect();
    if lacking > 0 {
        let made_up = |node| EdgeBundle { left: node, right: node, copies: lacking, id: MADE_UP };
        all.extend((0..nodes as u32).map(made_up));
    }
    for _ in 0..power.ilog2() {
        let halves = halver.halve(&all);
        let [first, second] = halves;
        all = if made_up(&first) <= made_up(&second) { first } else { second };
    }
    all.into_iter().map(|part| part.id as usize).collect()
}

fn made_up(parts: &[EdgeBundle]) -> u64 {
    let made_up = parts.iter().filter(|part| part.id == MADE_UP);
    made_up.map(|part| u64::from(part.copies)).sum()
}

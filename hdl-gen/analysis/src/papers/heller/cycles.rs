//! Table 7-1: cube-connected cycles. The memo's figures are approximate, and are the lengths of
//! its two-stage routes rather than distances in the graph. Both are computed here, and the
//! lengths of the relation `two-stage`, which ends stage 1 with the last wrong bit.

use super::exact::{average_from, decimal, longest, ratio};
use super::processors::switch_ports;
use super::{Cell, Table, printed};
use num_rational::BigRational;
use turnpike_network::routing::walk::walk;
use turnpike_network::routing::{self, Draw, two_stage};
use turnpike_network::topology::ccc::{Ccc, Link, Variant};
use turnpike_network::topology::{Node, Terminal, Topology};

/// The dimensions of the tables.
const DIMENSIONS: std::ops::RangeInclusive<u32> = 3..=10;

/// The networks of the table, with the memo's column.
fn networks() -> impl Iterator<Item = (Ccc, &'static printed::Cycles)> {
    let variants =
        [Variant::Undirected, Variant::Directed, Variant::Clever, Variant::CleverDirected];
    DIMENSIONS.flat_map(move |n| {
        let column = |v: Variant| printed::TABLE_7_1.iter().find(|c| c.name == v.kind().name);
        variants.into_iter().filter_map(move |v| Some((Ccc::new(v, n).ok()?, column(v)?)))
    })
}

/// The nodes of the memo's two-stage route from `from` to `to`, both included: once round the
/// whole ring, forward, correcting each bit that is wrong; then to the position, the shorter way
/// where the ring has both.
///
/// `None` if a link that the route needs is not there: never in the memo's four networks.
pub fn round_the_ring(ccc: &Ccc, from: Node, to: Node) -> Option<Vec<Node>> {
    let n = ccc.dimension();
    let mut route = vec![from];
    let mut go = |link: Link| {
        let at = *route.last()?;
        let (next, _) = ccc.channel(at, ccc.port(link)?)?;
        route.push(next);
        Some(next)
    };
    let (ring, position) = ccc.place(to);
    let (mut r, mut p) = ccc.place(from);
    for _ in 0..n {
        let wrong = (r ^ ring) >> p & 1 == 1;
        let next = match (wrong, ccc.port(Link::Across).is_some()) {
            (true, true) => go(Link::Across)?,
            (true, false) => go(Link::Lateral).and_then(|_| go(Link::Forward))?,
            (false, _) => go(Link::Forward)?,
        };
        (r, p) = ccc.place(next);
    }
    let ahead = (position + n - p) % n;
    let (link, steps) = match ccc.port(Link::Backward) {
        Some(_) if 2 * ahead > n => (Link::Backward, n - ahead),
        _ => (Link::Forward, ahead),
    };
    for _ in 0..steps {
        go(link)?;
    }
    (route.last() == Some(&to)).then_some(route)
}

/// The longest of some routes, in channels, and their average. `None` if one is `None`.
fn longest_and_average(lengths: impl Iterator<Item = Option<u64>>) -> Option<(u64, BigRational)> {
    let lengths: Option<Vec<u64>> = lengths.collect();
    let lengths = lengths?;
    let average = ratio(lengths.iter().sum::<u64>(), lengths.len());
    Some((lengths.into_iter().max()?, average))
}

/// Longest and average length of the two-stage routes from one node: all nodes are alike.
fn all_the_way_round(ccc: &Ccc) -> Option<(u64, BigRational)> {
    let length = |to| round_the_ring(ccc, Node(0), to).map(|route| route.len() as u64 - 1);
    longest_and_average(ccc.all_nodes().map(length))
}

/// Longest and average length of the routes of the relation `two-stage` from one node.
fn by_relation(ccc: &Ccc) -> Option<(u64, BigRational)> {
    let relation = routing::build(two_stage::KIND.name, ccc).ok()?;
    let length = |to| {
        let mut switches = 0;
        walk(ccc, &relation, Terminal(0), to, Draw::NONE, |_| switches += 1)
            .ok()
            .map(|_| switches - 1)
    };
    longest_and_average(ccc.sinks().map(length))
}

/// Up to four decimals, without zeros at the end.
fn short(value: &BigRational) -> String {
    let text = decimal(value, 4);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn quarters(quarters: i64, n: u32) -> String {
    short(&ratio(quarters * i64::from(n), 4))
}

/// The cells of a row about lengths: the memo's figures for each n, and per n.
fn lengths(ccc: &Ccc, memo: &printed::Cycles, most: u64, average: &BigRational) -> Vec<Cell> {
    let n = ccc.dimension();
    vec![
        Cell::plain(n),
        Cell::plain(memo.name),
        Cell::against(most, quarters(memo.maximum_quarters, n)),
        Cell::against(short(average), quarters(memo.average_quarters, n)),
        Cell::plain(decimal(&ratio(most, n), 3)),
        Cell::plain(decimal(&(average / ratio(n, 1)), 3)),
    ]
}

/// Table 7-1: what is counted.
pub fn table_7_1_counts() -> Table {
    let row = |(ccc, memo): (Ccc, &printed::Cycles)| {
        let unit = u64::from(ccc.dimension()) << ccc.dimension();
        vec![
            Cell::plain(ccc.dimension()),
            Cell::plain(memo.name),
            Cell::against(switch_ports(&ccc), memo.switch),
            Cell::against(ccc.terminals(), unit),
            Cell::against(ccc.channels(), memo.links * unit),
        ]
    };
    Table {
        id: "7-1, counts",
        title: "Cube connected cycle processor networks: switches and links",
        note: "Counted on the graphs. Links are one-way, so a two-way link counts twice, as the \
               memo counts them in section 3.1 and table 5-6.",
        keys: 2,
        columns: vec!["n", "network", "switch", "processors", "links"],
        rows: networks().map(row).collect(),
    }
}

/// Table 7-1: distances in the graphs.
pub fn table_7_1_distances() -> Table {
    let row = |(ccc, memo): (Ccc, &printed::Cycles)| {
        let most = u64::from(longest(&ccc));
        lengths(&ccc, memo, most, &average_from(&ccc, Node(0)))
    };
    Table {
        id: "7-1, distances",
        title: "Cube connected cycles: distances in the graphs",
        note: "Exact, by breadth-first search, beside the memo's approximate figures at each n.",
        keys: 2,
        columns: vec!["n", "network", "maximum", "average", "maximum / n", "average / n"],
        rows: networks().map(row).collect(),
    }
}

/// Table 7-1: lengths of the memo's two-stage routes.
pub fn table_7_1_routes() -> Table {
    let row = |(ccc, memo): (Ccc, &printed::Cycles)| {
        let (most, average) = all_the_way_round(&ccc)?;
        Some(lengths(&ccc, memo, most, &average))
    };
    Table {
        id: "7-1, two-stage routes",
        title: "Cube connected cycles: lengths of the memo's two-stage routes",
        note: "Exact, every route walked: stage 1 all the way round the ring, stage 2 to the \
               position. Beside the memo's approximate figures at each n.",
        keys: 2,
        columns: vec!["n", "network", "maximum", "average", "maximum / n", "average / n"],
        rows: networks().filter_map(row).collect(),
    }
}

/// Table 7-1: lengths of the routes that this program's relation takes.
pub fn table_7_1_relation() -> Table {
    let row = |(ccc, memo): (Ccc, &printed::Cycles)| {
        let (most, average) = by_relation(&ccc)?;
        Some(lengths(&ccc, memo, most, &average))
    };
    Table {
        id: "7-1, relation two-stage",
        title: "Cube connected cycles: lengths of the routes of the relation two-stage",
        note: "Exact, every route walked: stage 1 ends with the last wrong bit. Beside the memo's \
               approximate figures at each n.",
        keys: 2,
        columns: vec!["n", "network", "maximum", "average", "maximum / n", "average / n"],
        rows: networks().filter_map(row).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The least steps round the ring of n, unrolled to a line: from 0 to some e, p modulo n, at
    /// most from `low` to `high`. Edges between 0 and e are walked once and those beyond twice,
    /// once each way. A link across goes forward, so a bit on the way back to e < 0 takes two
    /// steps more, unless it lies beyond as well. `None` where bits are left uncorrected.
    fn steps(ccc: &Ccc, bits: &[i64], e: i64, low: i64, high: i64) -> Option<i64> {
        let n = i64::from(ccc.dimension());
        let is = |bit: i64| move |q: i64| (q - bit) % n == 0;
        let (first, last) = (e.min(0), e.max(0));
        let mut steps = e.abs() + 2 * (first - low) + 2 * (high - last);
        for &bit in bits {
            if ccc.port(Link::Across).is_none() {
                if !(low..=high).any(is(bit)) {
                    return None;
                }
            } else if !(low..first).chain(last..high).any(is(bit)) {
                if !(first..last).any(is(bit)) {
                    return None;
                }
                steps += if e < 0 { 2 } else { 0 };
            }
        }
        Some(steps)
    }

    #[test]
    fn distances_are_those_of_the_best_walk_round_the_ring() {
        for (ccc, _) in networks().filter(|(ccc, _)| ccc.dimension() <= 7) {
            let n = i64::from(ccc.dimension());
            let distances = ccc.distances(Node(0));
            for to in ccc.all_nodes() {
                let (r, p) = ccc.place(to);
                let bits: Vec<i64> = (0..n).filter(|bit| r >> bit & 1 == 1).collect();
                let ends = (-n..=2 * n).filter(|e| (e - i64::from(p)) % n == 0);
                let walks = ends.flat_map(|e| match ccc.port(Link::Backward) {
                    None if e < 0 => vec![],
                    None => vec![(e, 0, e)],
                    Some(_) => (-n..=e.min(0))
                        .flat_map(|low| (e.max(0)..=2 * n).map(move |high| (e, low, high)))
                        .collect(),
                });
                let least = walks.filter_map(|(e, low, high)| steps(&ccc, &bits, e, low, high));
                let lateral = if ccc.port(Link::Across).is_some() { 0 } else { bits.len() as i64 };
                let expected = lateral + least.min().unwrap();
                assert_eq!(i64::from(distances[to.0 as usize]), expected, "{ccc:?} {to:?}");
            }
        }
    }

    /// The literature's diameter of the cube-connected cycles, and those of the directed ones:
    /// the farthest node of `dccc` is the one just behind on a ring with all bits wrong.
    #[test]
    fn diameters_have_closed_forms() {
        for (ccc, _) in networks() {
            let n = ccc.dimension();
            let expected = match ccc.variant() {
                Variant::Undirected if n == 3 => 6,
                Variant::Undirected => 2 * n + n / 2 - 2,
                Variant::Directed => 3 * n - 2,
                Variant::Clever => n + n / 2,
                _ => 2 * n - 1,
            };
            assert_eq!(longest(&ccc), expected, "{ccc:?}");
        }
    }

    /// n steps round the ring, and a step per wrong bit unless the links across save it; then
    /// ⌊n²/4⌋ / n on average the shorter way, (n − 1) / 2 one way.
    #[test]
    fn two_stage_routes_have_closed_forms() {
        for (ccc, _) in networks() {
            let n = ccc.dimension();
            let (most, average) = all_the_way_round(&ccc).unwrap();
            let wrong = if ccc.port(Link::Across).is_some() { 0 } else { n };
            let (last, last_average) = match ccc.port(Link::Backward) {
                Some(_) => (n / 2, ratio(n * n / 4, n)),
                None => (n - 1, ratio(n - 1, 2)),
            };
            assert_eq!(most, u64::from(n + wrong + last));
            assert_eq!(average, ratio(n, 1) + ratio(wrong, 2) + last_average);
        }
    }
    /// Forward to the last wrong bit, a step more to correct it, one for each other wrong bit
    /// unless links across save them; then round the ring.
    #[test]
    fn routes_of_the_relation_have_a_closed_form() {
        for (ccc, _) in networks() {
            let n = ccc.dimension();
            let length = |to| {
                let (r, p) = ccc.place(to);
                let last = r.checked_ilog2().unwrap_or(0);
                let (first_stage, at) = match (r, ccc.port(Link::Across)) {
                    (0, _) => (0, 0),
                    (_, Some(_)) => (last + 1, (last + 1) % n),
                    (_, None) => (last + r.count_ones(), last),
                };
                let ahead = (p + n - at) % n;
                let shorter = ccc.port(Link::Backward).is_some();
                let second_stage = if shorter { ahead.min(n - ahead) } else { ahead };
                Some(u64::from(first_stage + second_stage))
            };
            let expected = longest_and_average(ccc.all_nodes().map(length));
            assert_eq!(by_relation(&ccc), expected, "{ccc:?}");
            if ccc.port(Link::Backward).is_none() {
                let shortest = (u64::from(longest(&ccc)), average_from(&ccc, Node(0)));
                assert_eq!(expected, Some(shortest), "{ccc:?}");
            }
        }
    }
}

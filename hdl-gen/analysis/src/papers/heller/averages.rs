//! Tables 5-1, 5-2 and 6-1: average distances in directed cubes.

use super::exact::{average, average_from, decimal, expected, places, ratio};
use super::{Cell, Table, printed};
use num_rational::BigRational;
use turnpike_network::topology::directed_cube::DirectedCube;
use turnpike_network::topology::{Node, TopologyError};

/// The largest cube that is searched for table 5-2.
const SEARCHED: u32 = 16;

fn average_distance(n: u32) -> Result<BigRational, TopologyError> {
    DirectedCube::new(n).map(|cube| average(&cube))
}

/// `value` to as many decimals as the memo prints.
pub(super) fn rounded(value: &BigRational, memo: &str) -> Cell {
    Cell::against(decimal(value, places(memo)), memo)
}

/// Table 5-1.
pub fn table_5_1() -> Table {
    let row = |&(n, memo): &(u32, &str)| {
        let average = average_distance(n).ok()?;
        Some(vec![Cell::plain(n), Cell::plain(n / 2), rounded(&average, memo)])
    };
    Table {
        id: "5-1",
        title: "Average distances in directed n-cubes",
        note: "By breadth-first search, over all ordered pairs, a node to itself included.",
        keys: 1,
        columns: vec!["n", "n/2", "average distance"],
        rows: printed::TABLE_5_1.iter().filter_map(row).collect(),
    }
}

/// Table 5-2.
pub fn table_5_2() -> Table {
    let row = |row: &printed::Expected| {
        let searched = (row.n <= SEARCHED).then(|| average_distance(row.n).ok()).flatten();
        let searched = searched.map(|average| decimal(&average, places(row.distance)));
        vec![
            Cell::plain(row.n),
            rounded(&expected(row.n), row.distance),
            Cell::plain(searched.unwrap_or_default()),
        ]
    };
    Table {
        id: "5-2",
        title: "Predicted distances",
        note: "E(n) by the memo's sum, in whole numbers, rounded at the end; by breadth-first \
               search up to n = 16. The memo's \"3 significant figures\" are 3 decimals.",
        keys: 1,
        columns: vec!["n", "E(n)", "by search"],
        rows: printed::EXPECTED.iter().map(row).collect(),
    }
}

/// Table 6-1.
pub fn table_6_1() -> Table {
    let row = |&(n, memo): &(u32, [&str; 3])| {
        let cube = DirectedCube::new(n).ok()?;
        let predicted =
            if n.is_multiple_of(2) { expected(n) } else { expected(n + 1) - ratio(1, 2) };
        Some(vec![
            Cell::plain(n),
            Cell::plain(decimal(&ratio(n, 2), if n.is_multiple_of(2) { 0 } else { 1 })),
            rounded(&average(&cube), memo[0]),
            rounded(&average_from(&cube, Node(0)), memo[1]),
            rounded(&average_from(&cube, Node(1)), memo[2]),
            Cell::plain(decimal(&predicted, places(memo[0]))),
        ])
    };
    Table {
        id: "6-1",
        title: "Average distances in directed n-cubes, n even and odd",
        note: "By breadth-first search. Predicted: E(n) for even n, E(n+1) - 1/2 for odd n.",
        keys: 1,
        columns: vec!["n", "n/2", "overall", "even source", "odd source", "predicted"],
        rows: printed::TABLE_6_1.iter().filter_map(row).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::papers::heller::exact::binomial;
    use turnpike_network::topology::Topology;

    /// Averages that the memo found by number crunching for odd n hold for every n searched: E(n+1)
    /// − 1/2 overall, and C(n−1, (n−1)/2) / 2^n less from even nodes, more from odd ones.
    #[test]
    fn odd_cubes_have_the_predicted_average() {
        for n in (3..=13).step_by(2) {
            let cube = DirectedCube::new(n).unwrap();
            let overall = expected(n + 1) - ratio(1, 2);
            let apart = ratio(binomial(n - 1, (n - 1) / 2), 1_u64 << n);
            assert_eq!(average(&cube), overall);
            assert_eq!(average_from(&cube, Node(0)), &overall - &apart);
            assert_eq!(average_from(&cube, Node(1)), overall + apart);
        }
    }

    /// Averages agree with those from the closed form of the distance, without a search.
    #[test]
    fn averages_agree_with_the_closed_form_of_the_distance() {
        for n in 2..=12 {
            let cube = DirectedCube::new(n).unwrap();
            for from in [Node(0), Node(1)] {
                let sum: u32 = cube.all_nodes().map(|to| cube.distance(from, to)).sum();
                assert_eq!(average_from(&cube, from), ratio(sum, cube.nodes()));
            }
        }
    }
}

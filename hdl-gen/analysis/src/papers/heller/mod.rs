//! The tables of Heller, Directed Cube Networks, CSG Memo 253, 1985, computed from this
//! program's own graphs and set beside the figures that the memo prints. One file per family of
//! tables; the memo's figures are in [`printed`]. Differences are explained in `docs/errata.md`.

pub mod averages;
pub mod bound;
pub mod cycles;
pub mod exact;
pub mod failure;
pub mod far;
#[cfg(test)]
mod lemmas;
pub mod printed;
pub mod processors;
pub mod subcubes;

pub use super::table::{Cell, Table};

/// Source of the memo's figures.
pub const SOURCE: &str = "Heller, Directed Cube Networks, CSG Memo 253, 1985";

/// All tables, in the memo's order. Takes about a second, optimised.
pub fn tables() -> Vec<Table> {
    vec![
        averages::table_5_1(),
        averages::table_5_2(),
        bound::table_5_3(),
        bound::table_5_4(),
        bound::table(),
        far::table(),
        failure::table_5_5(),
        processors::table_5_6(),
        subcubes::table(),
        averages::table_6_1(),
        cycles::table_7_1_counts(),
        cycles::table_7_1_distances(),
        cycles::table_7_1_routes(),
        cycles::table_7_1_relation(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Figures differ from the memo's in the known places and nowhere else: docs/errata.md explains
    /// each.
    #[test]
    fn differences_are_the_known_ones() {
        let tables = tables();
        let mut differ = Vec::new();
        for table in &tables {
            for row in &table.rows {
                assert_eq!(row.len(), table.columns.len(), "table {}", table.id);
                let key: Vec<&str> = row[..table.keys].iter().map(|c| &*c.ours).collect();
                for (cell, column) in row.iter().zip(&table.columns).filter(|(c, _)| c.differs) {
                    let memo = cell.memo.as_deref().unwrap_or_default();
                    if !table.id.starts_with("7-1") {
                        let (id, key) = (table.id, key.join(" "));
                        differ.push(format!("{id} {key} {column}: {} {memo}", cell.ours));
                    }
                }
            }
        }
        assert_eq!(
            differ,
            [
                "5-2 80 E(n): 43.557 43.337",
                "5.1 and 6, far nodes 3 even far nodes: 1 2",
                "5.1 and 6, far nodes 3 odd far nodes: 1 2",
                "5.1 and 6, far nodes 5 even far nodes: 2 4",
                "5.1 and 6, far nodes 5 odd far nodes: 2 4",
                "5.1 and 6, far nodes 7 even far nodes: 4 8",
                "5.1 and 6, far nodes 7 odd far nodes: 4 8",
                "5.1 and 6, far nodes 9 even far nodes: 8 16",
                "5.1 and 6, far nodes 9 odd far nodes: 8 16",
                "5.1 and 6, far nodes 11 even far nodes: 16 32",
                "5.1 and 6, far nodes 11 odd far nodes: 16 32",
                "5-5 6 average: 3.938 3.937",
                "5-5 7 average: 4.594 4.593",
            ]
        );
        // Table 7-1 says of itself that it is approximate; of its counts one column is wrong.
        let counts = tables.iter().find(|t| t.id == "7-1, counts").unwrap();
        for row in &counts.rows {
            let differ: Vec<_> = row.iter().map(|cell| cell.differs).collect();
            assert_eq!(differ, [false, false, false, false, true]);
        }
    }

    #[test]
    fn a_leading_zero_is_no_difference() {
        assert!(!Cell::against("0.354", ".354").differs);
        assert!(Cell::against("0.355", ".354").differs);
        assert!(Cell::against("10", "1").differs);
    }
}

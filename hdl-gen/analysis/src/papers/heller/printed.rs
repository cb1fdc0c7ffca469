//! The figures that the memo prints, as it prints them. Nothing here is computed.

/// Table 5-1: n and the average distance of the directed n-cube.
pub const TABLE_5_1: [(u32, &str); 5] =
    [(2, "1.5"), (4, "2.75"), (6, "3.9375"), (8, "5.09375"), (10, "6.23046875")];

/// A row of tables 5-2, 5-3 and 5-4, which have the same n.
pub struct Expected {
    /// The dimension.
    pub n: u32,
    /// Table 5-2: the expected distance E(n).
    pub distance: &'static str,
    /// Table 5-3: (E(n) − n/2) / √n.
    pub c: &'static str,
    /// Table 5-4: bd(n) − E(n), where bd(n) = n/2 + 0.399 √n.
    pub gap: &'static str,
    /// Table 5-4: the same in percent of E(n).
    pub error: &'static str,
}

/// Tables 5-2, 5-3 and 5-4.
pub const EXPECTED: [Expected; 22] = [
    expected(2, "1.5", ".354", ".0643", "4.28"),
    expected(4, "2.75", ".375", ".0480", "1.75"),
    expected(6, "3.938", ".383", ".0398", "1.01"),
    expected(8, "5.094", ".387", ".0348", ".683"),
    expected(10, "6.230", ".389", ".0313", ".502"),
    expected(12, "7.354", ".391", ".0287", ".390"),
    expected(14, "8.466", ".392", ".0266", ".314"),
    expected(16, "9.571", ".393", ".0250", ".261"),
    expected(18, "10.669", ".393", ".0236", ".221"),
    expected(20, "11.762", ".394", ".0224", ".191"),
    expected(30, "17.167", ".396", ".0184", ".107"),
    expected(40, "22.507", ".396", ".0161", ".0715"),
    expected(50, "27.807", ".397", ".0145", ".0521"),
    expected(60, "33.077", ".397", ".0133", ".0402"),
    expected(70, "38.326", ".398", ".0124", ".0323"),
    expected(80, "43.337", ".398", ".0116", ".0267"),
    expected(90, "48.774", ".398", ".0110", ".0226"),
    expected(100, "53.979", ".398", ".0105", ".0195"),
    expected(110, "59.175", ".398", ".0101", ".0171"),
    expected(120, "64.361", ".398", ".00973", ".0151"),
    expected(130, "69.540", ".398", ".00940", ".0135"),
    expected(140, "74.712", ".398", ".00910", ".0122"),
];

const fn expected(
    n: u32,
    distance: &'static str,
    c: &'static str,
    gap: &'static str,
    error: &'static str,
) -> Expected {
    Expected { n, distance, c, gap, error }
}

/// A row of table 5-5.
pub struct Failure {
    /// The dimension.
    pub n: u32,
    /// Average distance.
    pub average: &'static str,
    /// Average distance with one node down.
    pub with_one_down: &'static str,
    /// The second less the first.
    pub difference: &'static str,
    /// The increase in percent of the first.
    pub increase: &'static str,
}

/// Table 5-5.
pub const TABLE_5_5: [Failure; 5] = [
    failure(4, "2.75", "2.809", ".0589", "2.14"),
    failure(5, "3.438", "3.459", ".0214", ".622"),
    failure(6, "3.937", "3.946", ".00808", ".205"),
    failure(7, "4.593", "4.596", ".00269", ".0586"),
    failure(8, "5.094", "5.095", ".000906", ".0178"),
];

const fn failure(
    n: u32,
    average: &'static str,
    with_one_down: &'static str,
    difference: &'static str,
    increase: &'static str,
) -> Failure {
    Failure { n, average, with_one_down, difference, increase }
}

/// A row of table 6-1: n, and the average distance overall, from even and from odd nodes.
pub const TABLE_6_1: [(u32, [&str; 3]); 7] = [
    (2, ["1.5", "1.5", "1.5"]),
    (3, ["2.25", "2", "2.5"]),
    (4, ["2.75", "2.75", "2.75"]),
    (5, ["3.4375", "3.25", "3.625"]),
    (6, ["3.9375", "3.9375", "3.9375"]),
    (7, ["4.59375", "4.4375", "4.75"]),
    (8, ["5.09375", "5.09375", "5.09375"]),
];

/// A column of table 5-6, as functions of n.
pub struct Cube {
    /// Heading of the column.
    pub name: &'static str,
    /// Switch ports, the processor's among them.
    pub switch: fn(u64) -> u64,
    pub processors: fn(u64) -> u64,
    pub links: fn(u64) -> u64,
    /// Maximum distance.
    pub maximum: fn(u64) -> u64,
}

/// Table 5-6, but for the average distance: n/2, and less than n/2 + 0.399 √n.
pub const TABLE_5_6: [Cube; 2] = [
    Cube {
        name: "n-cube",
        switch: |n| n + 1,
        processors: |n| 1 << n,
        links: |n| n << n,
        maximum: |n| n,
    },
    Cube {
        name: "directed n-cube",
        switch: |n| n / 2 + 1,
        processors: |n| 1 << n,
        links: |n| n << (n - 1),
        maximum: |n| n + 1,
    },
];

/// Section 5.1: the number of nodes at the maximum distance n + 1 of the directed n-cube, n even.
pub const FAR_EVEN: fn(u32) -> u64 = |n| 1 << (n / 2 - 1);
/// Section 6: the same for odd n, of nodes at n + 1 from an even node, and at n + 2 from an odd
/// node.
pub const FAR_ODD: fn(u32) -> u64 = |n| 1 << ((n - 1) / 2);

/// A column of table 7-1. Everything is in units of n, or of n·2^n where there is a count.
pub struct Cycles {
    /// Heading of the column.
    pub name: &'static str,
    /// Switch ports, the processor's among them.
    pub switch: u64,
    /// Links, in units of n·2^n. (Processors are 1 in this unit, in all columns.)
    pub links: u64,
    /// Maximum distance, in quarters of n.
    pub maximum_quarters: i64,
    /// Average distance, in quarters of n.
    pub average_quarters: i64,
}

/// Table 7-1.
pub const TABLE_7_1: [Cycles; 4] = [
    cycles("ccc", 4, 2, 10, 7),
    cycles("dccc", 3, 1, 12, 8),
    cycles("clever-ccc", 4, 2, 6, 5),
    cycles("clever-dccc", 3, 1, 8, 6),
];

const fn cycles(name: &'static str, switch: u64, links: u64, max: i64, average: i64) -> Cycles {
    Cycles { name, switch, links, maximum_quarters: max, average_quarters: average }
}

//! The evaluator against a plain interpreter, on random netlists.

use turnpike_sim_rtl::testing::case::{Case, run_all};
use turnpike_sim_rtl::testing::random_netlist::{Shape, random_netlist};

/// Cases that failed once: the line that a failure prints.
#[rustfmt::skip]
const FAILED_ONCE: &[Case] = &[
    // Bits of a word stood for the word: `c ? (x & 2'b01) : x` lost bit 1 of x.
    Case { seed: 3223869902189707085, instances: 0, clocks: 0, shape: Shape { wires: 4, registers: 1, memories: 0, tables: 0, levels: 0, width: 144, nesting: 4, known: false, constants: false } },
    Case { seed: 6419038621139332018, instances: 0, clocks: 0, shape: Shape { wires: 10, registers: 1, memories: 2, tables: 1, levels: 1, width: 73, nesting: 1, known: false, constants: false } },
    // Memories of one module, at widths on both sides of 64, were read as if all were of one.
    Case { seed: 10395843440565058366, instances: 8, clocks: 0, shape: Shape { wires: 3, registers: 0, memories: 0, tables: 0, levels: 0, width: 65, nesting: 0, known: false, constants: true } },
];

#[test]
fn what_failed_once_does_not_again() {
    for case in FAILED_ONCE {
        case.run().unwrap_or_else(|difference| panic!("{case:?}: {difference}"));
    }
}

/// Stream of the cases: the seed that all random tests share, 1 unless the environment says
/// otherwise (`.cargo/config.toml`).
fn stream() -> u64 {
    let seed = std::env::var("PROPTEST_RNG_SEED");
    seed.map_or(1, |seed| seed.parse().expect("PROPTEST_RNG_SEED is a number"))
}

#[test]
fn random_netlists_mean_the_same_evaluated_and_interpreted() {
    run_all(stream(), 0..5_000);
}

#[test]
#[ignore = "half an hour on two cores"]
fn ten_million_random_netlists_mean_the_same_evaluated_and_interpreted() {
    let million = 1_000_000;
    for part in 0..10 {
        run_all(stream(), part * million..(part + 1) * million);
        eprintln!("stream {}: {} of 10 million netlists, no difference", stream(), part + 1);
    }
}

#[test]
fn the_same_seed_gives_the_same_netlist() {
    let shape = Shape::default();
    assert_eq!(random_netlist(7, &shape), random_netlist(7, &shape));
    assert_ne!(random_netlist(7, &shape), random_netlist(8, &shape));
    assert_eq!(Case::drawn(3, 4), Case::drawn(3, 4));
    assert_ne!(Case::drawn(3, 4), Case::drawn(3, 5));
}

//! Samples of long lists: `make test` tries some items, `make test-all` every one.

use std::env;
use turnpike_base::hash::hash;

/// Variable that asks for every item.
const EVERY: &str = "TURNPIKE_EVERY";
/// Number of items of a list of which one is in a sample.
const ONE_OF: usize = 8;

/// Whether every item is asked for, and not a sample.
pub fn is_every() -> bool {
    env::var_os(EVERY).is_some()
}

/// Items of a list that a test tries: one of eight, or all where the variable `TURNPIKE_EVERY` is set, as in
/// `make test-all`. They are drawn by the name of the list, the same in every run: what comes in turns,
/// as proofs and covers do, is not always tried at the same place. A sample says so on standard output.
pub fn sample<T: Clone>(what: &str, all: &[T]) -> Vec<T> {
    if is_every() {
        return all.to_vec();
    }
    let name: Vec<u64> = what.bytes().map(u64::from).collect();
    let mut some = draw(hash(1, &name), all.len(), ONE_OF);
    some.sort_unstable();
    if some.len() < all.len() {
        println!("a sample of {what}: {} of {}; all with {EVERY}=1", some.len(), all.len());
    }
    some.into_iter().map(|at| all[at].clone()).collect()
}

/// Numbers below `count`, one of so many, drawn by a seed; at least one where there is any.
pub fn draw(seed: u64, count: usize, one_of: usize) -> Vec<usize> {
    let mut drawn: Vec<usize> = (0..count).collect();
    drawn.sort_by_key(|&at| hash(seed, &[at as u64]));
    drawn.truncate(count.div_ceil(one_of));
    drawn
}

#[test]
fn some_of_each_list_are_drawn() {
    for (count, some) in [(0, 0), (1, 1), (8, 1), (9, 2), (100, 13)] {
        let drawn = draw(1, count, ONE_OF);
        assert_eq!(drawn.len(), some);
        assert!(drawn.iter().all(|&at| at < count));
        assert_eq!(drawn, draw(1, count, ONE_OF));
    }
    assert_ne!(draw(1, 100, ONE_OF), draw(2, 100, ONE_OF));
    assert_eq!(draw(1, 9, 1).len(), 9);
    // Of two that come in turns, both.
    let drawn = draw(1, 100, ONE_OF);
    assert!((0..2).all(|turn| drawn.iter().any(|at| at % 2 == turn)));
}

//! Samples of long lists: `make test` tries some items, `make test-all` every one.

use std::env;

/// Variable that asks for every item.
const EVERY: &str = "TURNPIKE_EVERY";
/// Number of items of a list of which one is in a sample.
const ONE_OF: usize = 4;

/// Whether every item is asked for, and not a sample.
pub fn is_every() -> bool {
    env::var_os(EVERY).is_some()
}

/// Items of a list that a test tries: one of four, the first among them, or all where the variable
/// `TURNPIKE_EVERY` is set, as in `make test-all`. A sample says so on standard output.
pub fn sample<T: Clone>(what: &str, all: &[T]) -> Vec<T> {
    let one_of = if is_every() { 1 } else { ONE_OF };
    let some = of(all, one_of);
    if some.len() < all.len() {
        println!("a sample of {what}: {} of {}; all with {EVERY}=1", some.len(), all.len());
    }
    some
}

fn of<T: Clone>(all: &[T], one_of: usize) -> Vec<T> {
    all.iter().step_by(one_of).cloned().collect()
}

#[test]
fn a_sample_has_some_of_each_list() {
    let all: Vec<usize> = (0..7).collect();
    assert_eq!(of(&all, ONE_OF), [0, 4]);
    assert_eq!(of(&all, 1), all);
    assert_eq!(of(&all[..1], ONE_OF), [0]);
}

//! Faults put into the text by hand, as a wrong printer would: each kind is seen.

use turnpike_tests::icarus::Icarus;
use turnpike_tests::require;

use crate::netlists::batch::{Printed, differences};
use crate::netlists::netlists;

/// One operator for another, and what else a printer could get wrong in one place.
const FAULTS: [(&str, &str); 10] = [
    (" & ", " | "),
    (" | ", " & "),
    (" ^ ", " | "),
    (" + ", " - "),
    (" - ", " + "),
    (" == ", " != "),
    (" = ~", " = "),
    (" ? ", " ? 1'b0 & "),
    ("if (rst) begin", "if (~rst) begin"),
    (" <= ", " <= ~"),
];

/// The text with one place changed: the `nth` of those that there are, counted round.
fn altered(printed: &Printed, find: &str, replace: &str, nth: usize) -> Option<Printed> {
    let places = |text: &str| -> Vec<usize> {
        let body = text.find("\nmodule ").expect("a file has a module");
        text.match_indices(find).map(|(at, _)| at).filter(|&at| at > body).collect()
    };
    let all: Vec<(usize, usize)> = (0..printed.files.len())
        .flat_map(|file| places(&printed.files[file].1).into_iter().map(move |at| (file, at)))
        .collect();
    let &(file, at) = all.get(nth.checked_rem(all.len())?)?;
    let mut files = printed.files.clone();
    files[file].1.replace_range(at..at + find.len(), replace);
    Some(Printed { module: printed.module.clone(), files })
}

/// One place in each netlist. Not every place matters (`a - b` for `a + b` of one bit, a bit
/// that the other operand hides), but of each kind of fault several are seen.
#[test]
fn a_wrong_operator_is_seen() {
    let Some(icarus) = require::<Icarus>() else { return };
    let originals = netlists(1000, 18);
    let (mut seen, mut all) = (0, 0);
    for (kind, (find, replace)) in FAULTS.into_iter().enumerate() {
        let batch: Vec<Printed> = originals
            .iter()
            .filter_map(|printed| altered(printed, find, replace, 7 * kind))
            .collect();
        let found = differences(&icarus, &batch);
        println!("`{find}` as `{replace}`: {} of {} seen", found.len(), batch.len());
        assert!(found.len() >= 3, "`{find}` printed as `{replace}` is hardly seen");
        seen += found.len();
        all += batch.len();
    }
    assert!(5 * seen >= 2 * all, "{seen} of {all} faults seen");
}

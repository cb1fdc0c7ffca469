//! Numbers as users write them.

use std::str::FromStr;

/// The number of a text of decimal digits alone, where it is in the range of its type. `parse` by
/// itself takes a sign, too.
pub fn digits<T: FromStr>(text: &str) -> Option<T> {
    text.parse().ok().filter(|_| text.bytes().all(|b| b.is_ascii_digit()))
}

/// Every permutation of the numbers below `of`, in lexicographic order: `of`! of them.
pub fn permutations(of: u32) -> Vec<Vec<u32>> {
    let mut all = Vec::new();
    let mut rest: Vec<u32> = (0..of).collect();
    extend(&mut Vec::new(), &mut rest, &mut all);
    all
}

fn extend(begun: &mut Vec<u32>, rest: &mut Vec<u32>, all: &mut Vec<Vec<u32>>) {
    if rest.is_empty() {
        all.push(begun.clone());
    }
    for at in 0..rest.len() {
        begun.push(rest.remove(at));
        extend(begun, rest, all);
        rest.insert(at, begun.pop().expect("pushed above"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_alone_are_a_number() {
        assert_eq!(["0", "007", "4294967295"].map(digits), [Some(0u32), Some(7), Some(u32::MAX)]);
        for wrong in ["", "+1", "-0", "1.5", "4294967296", " 1", "\u{661}"] {
            assert_eq!(digits::<u32>(wrong), None, "{wrong}");
        }
    }
}

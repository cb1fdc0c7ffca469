//! All orders of some numbers.

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
    fn all_of_them_in_order() {
        assert_eq!(permutations(0), [vec![]]);
        let three = permutations(3);
        assert_eq!(three.len(), 6);
        assert!(three.is_sorted() && three.windows(2).all(|pair| pair[0] != pair[1]));
        assert!(three.iter().all(|order| (0..3).all(|number| order.contains(&number))));
    }
}

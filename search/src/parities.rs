//! Relations that look at node XOR destination and at a few parities of the node's address:
//! nodes of the same parities route alike, which is as much as to say that a subgroup of the
//! translations keeps the relation.

use std::collections::BTreeSet;

/// Most parities whose every choice can be tried.
pub const MOST_CHOSEN: u32 = 3;

/// The parities of the bits of `node` under each mask, the first lowest.
pub fn parities(masks: &[u32], node: u32) -> u32 {
    let parity = |mask: &u32| (node & mask).count_ones() % 2;
    masks.iter().rev().fold(0, |bits, mask| bits << 1 | parity(mask))
}

/// Whether each parity says what the others do not.
pub fn are_independent(masks: &[u32]) -> bool {
    span(masks).len() == 1 << masks.len()
}

/// Every choice of `count` independent parities of `k` bits, from 1 to [`MOST_CHOSEN`], one for
/// each kind: permutations of the dimensions take a choice to others, and which parities name
/// the classes of nodes does not matter.
pub fn choices(k: u32, count: u32) -> Vec<Vec<u32>> {
    // A choice gives each dimension a vector: the parities that its bit is in. What matters is
    // which vectors there are, each how often, up to a change of the basis.
    let bases = bases(count);
    let mut choices = Vec::new();
    let mut vectors = vec![0u32; k as usize];
    loop {
        let least = || {
            bases.iter().all(|basis| {
                let image = |&vector: &u32| image(basis, vector);
                let mut images: Vec<u32> = vectors.iter().map(image).collect();
                images.sort_unstable();
                vectors <= images
            })
        };
        if span(&vectors).len() == 1 << count && least() {
            let in_mask = |j: u32, p: u32| (vectors[p as usize] >> j & 1) << p;
            let mask = |j| (0..k).map(|p| in_mask(j, p)).sum();
            choices.push((0..count).map(mask).collect());
        }
        // The next one that does not descend.
        let last = (1 << count) - 1;
        let Some(at) = vectors.iter().rposition(|&vector| vector < last) else { return choices };
        let next = vectors[at] + 1;
        vectors[at..].fill(next);
    }
}

/// Every basis of the vectors of `count` bits.
fn bases(count: u32) -> Vec<Vec<u32>> {
    let mut bases: Vec<Vec<u32>> = vec![Vec::new()];
    for _ in 0..count {
        let longer = |basis: &Vec<u32>| {
            let spanned = span(basis);
            let others = (1..1 << count).filter(move |vector| !spanned.contains(vector));
            let basis = basis.clone();
            others.map(move |vector| [&basis[..], &[vector]].concat())
        };
        bases = bases.iter().flat_map(longer).collect();
    }
    bases
}

/// The vector with these bits in a basis.
fn image(basis: &[u32], vector: u32) -> u32 {
    let bits = (0..).zip(basis).filter(|(j, _)| vector >> j & 1 == 1);
    bits.fold(0, |image, (_, one)| image ^ one)
}

fn span(vectors: &[u32]) -> BTreeSet<u32> {
    vectors.iter().fold(BTreeSet::from([0]), |span, vector| {
        span.iter().flat_map(|&other| [other, other ^ vector]).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parities_of_a_node() {
        assert_eq!(parities(&[0b0011, 0b1000], 0b0001), 0b01);
        assert_eq!(parities(&[0b0011, 0b1000], 0b1011), 0b10);
        assert!(are_independent(&[0b011, 0b110]) && !are_independent(&[0b011, 0b110, 0b101]));
    }

    /// Every choice of masks is, up to the dimensions' order and the basis, just one of those.
    #[test]
    fn each_kind_of_choice_is_there_once() {
        // By what does not depend on the basis: the span; the least under all permutations.
        let kind = |k: u32, masks: &[u32]| {
            let mut orders: Vec<Vec<u32>> = vec![Vec::new()];
            for _ in 0..k {
                let longer = |order: &Vec<u32>| {
                    let order = order.clone();
                    let others = (0..k).filter(|p| !order.contains(p)).collect::<Vec<_>>();
                    others.into_iter().map(move |p| [&order[..], &[p]].concat())
                };
                orders = orders.iter().flat_map(longer).collect();
            }
            let moved = |order: &Vec<u32>| -> BTreeSet<u32> {
                let moved = |mask: u32| {
                    let bits = (0..).zip(order).filter(|(p, _)| mask >> p & 1 == 1);
                    bits.fold(0, |moved, (_, to)| moved | 1 << to)
                };
                span(masks).into_iter().map(moved).collect()
            };
            orders.iter().map(moved).min()
        };
        for (k, count) in [(2, 1), (3, 2), (4, 1), (4, 2), (4, 3), (5, 2)] {
            let chosen: Vec<_> = choices(k, count).iter().map(|masks| kind(k, masks)).collect();
            let mut all = BTreeSet::new();
            let masks = |at: u32| (0..count).map(|j| at >> (j * k) & ((1 << k) - 1)).collect();
            for masks in (0..1 << (k * count)).map(masks) {
                let masks: Vec<u32> = masks;
                if are_independent(&masks) {
                    all.insert(kind(k, &masks));
                }
            }
            assert_eq!(chosen.len(), all.len(), "{k} {count}");
            assert_eq!(chosen.into_iter().collect::<BTreeSet<_>>(), all, "{k} {count}");
        }
        assert_eq!(choices(4, 1), [[0b1000], [0b1100], [0b1110], [0b1111]]);
    }
}

//! Number of permutations that route themselves ([`crate::self_routing`]).

use crate::network::Network;
use std::fmt;

/// A number of permutations: the factorial of the radix to the power of the switches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settable {
    /// Inputs of a switch, 2 to 2^16 - 1.
    pub radix: u32,
    /// Switches of the network.
    pub switches: u32,
}

impl Settable {
    /// The number, where 128 bits hold it.
    pub fn exact(&self) -> Option<u128> {
        let each = (1..=u128::from(self.radix)).try_fold(1, |all: u128, x| all.checked_mul(x))?;
        each.checked_pow(self.switches)
    }
}

impl fmt::Display for Settable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}!^{}", self.radix, self.switches)
    }
}

/// Number of whole permutations that pass a butterfly greedily; `None` for another network.
///
/// There is one route only from each source to each sink, so that no two settings of the switches
/// give one permutation. Every permutation that a setting gives passes, for a packet's route is
/// what greedy routing takes. So there are as many as settings (Lawrie 1975).
pub fn butterfly(network: &Network) -> Option<Settable> {
    let Network::Rows(rows) = network else { return None };
    let once = (0..rows.dim()).rev().eq(rows.digits().iter().copied());
    let switches = rows.terminals() / rows.radix() * rows.dim();
    once.then_some(Settable { radix: rows.radix(), switches })
}

/// The largest dimension that [`nassimi_sahni`] counts.
pub const MOST_COUNTED: u32 = 4;

/// Number of whole permutations of 2^dim terminals that pass a Beneš network by the self-routing of
/// Nassimi and Sahni: F(dim), for dimensions 1 to [`MOST_COUNTED`]; `None` for another. F(dim), for
/// dimensions 1 to [`MOST_COUNTED`]; `None` for another. The last takes seconds, for it goes
/// through all pairs of the 11,632 that the one before counts.
///
/// A permutation passes just where the two that the first stage leaves to the halves pass (Nassimi
/// and Sahni 1981). Let those be u and v, of the switches of the first stage to the switches of the
/// last. In each switch j of the last stage, one of the two packets has the sink at output 0: that
/// from u, where x(j) = 0, or that from v, where x(j) = 1. Any x is possible. Switch i of the first
/// stage gives u a packet with bit x(u(i)), and v one with bit 1 - x(v(i)). It is straight if its
/// upper packet is that of u, which then must have bit 0; crossed if it is that of v, which then
/// must have bit 1. So the number of ways for switch i is
///
/// - 2 where x(u(i)) = x(v(i)) = 0;
/// - 1 where they differ;
/// - 0 where both are 1.
///
/// Going from u(i) to v(i) for all i closes cycles, and over all x a cycle of length k has the
/// trace of the kth power of the matrix (2 1, 1 0) in ways, a Pell-Lucas number. So F(dim) is the
/// sum, over all pairs (u, v) that F(dim - 1) counts, of the product of those numbers over the
/// cycles.
pub fn nassimi_sahni(dim: u32) -> Option<u64> {
    match dim {
        1 => Some(2),
        2..=MOST_COUNTED => Some(count_pairs(&class(dim - 1))),
        _ => None,
    }
}

/// A permutation of at most 8: sinks by source, the rest 0.
type Small = [u8; 8];

/// The permutations that pass, of dimension 1 to 3, ascending.
fn class(dim: u32) -> Vec<Small> {
    if dim == 1 {
        return vec![[0, 1, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0]];
    }
    let inner = class(dim - 1);
    let mut all = Vec::new();
    for u in &inner {
        for v in &inner {
            for x in 0..1 << (1 << (dim - 1)) {
                extend(u, v, x, dim, &mut all);
            }
        }
    }
    all.sort_unstable();
    all
}

/// Adds the permutations of which the first stage leaves `u` and `v` to the halves, and that have
/// bit `x(j)` in the packet of switch j of the last stage that comes from `u`.
fn extend(u: &Small, v: &Small, x: u32, dim: u32, all: &mut Vec<Small>) {
    let half = 1 << (dim - 1);
    let first = all.len();
    all.push([0; 8]);
    for i in 0..half {
        let from_u = u[i] + half as u8 * (x >> u[i] & 1) as u8;
        let from_v = v[i] + half as u8 * (!x >> v[i] & 1) as u8;
        // Upper and lower packet, where the upper one sets the switch as it must be set.
        let straight = (from_u < half as u8).then_some([from_u, from_v]);
        let crossed = (from_v >= half as u8).then_some([from_v, from_u]);
        let ways: Vec<[u8; 2]> = straight.into_iter().chain(crossed).collect();
        let partial = all.split_off(first);
        for permutation in partial {
            all.extend(ways.iter().map(|&[upper, lower]| {
                let mut longer = permutation;
                (longer[i], longer[i + half]) = (upper, lower);
                longer
            }));
        }
    }
}

/// The Pell-Lucas numbers of 1 to 8, at those indices. That of 0 is not used.
const WAYS: [u64; 9] = [1, 2, 6, 14, 34, 82, 198, 478, 1154];

fn count_pairs(class: &[Small]) -> u64 {
    // Terminals beyond the permutation would be cycles too. They are told by the greatest sink.
    let size = 1 + class[0].iter().copied().max().map_or(0, usize::from);
    let inverses = class.iter().map(|u| {
        let mut inverse: Small = [0; 8];
        (0..).zip(&u[..size]).for_each(|(i, &j)| inverse[usize::from(j)] = i);
        inverse
    });
    let inverses: Vec<Small> = inverses.collect();
    let pair = |inverse: &Small, v: &Small| {
        let (mut ways, mut seen) = (1, 0u32);
        for start in 0..size {
            let (mut j, mut length) = (start, 0);
            while seen >> j & 1 == 0 {
                seen |= 1 << j;
                length += 1;
                j = usize::from(v[usize::from(inverse[j])]);
            }
            ways *= WAYS[length];
        }
        ways
    };
    let row = |(index, inverse): (usize, &Small)| {
        // Changing u with v turns the cycles round, so that each pair counts for two.
        let other: u64 = class[..index].iter().map(|v| pair(inverse, v)).sum();
        2 * other + pair(inverse, &class[index])
    };
    inverses.iter().enumerate().map(row).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_class_is_counted_as_it_is_made() {
        for dim in 1..=3 {
            let mut class = class(dim);
            let made = class.len() as u64;
            class.dedup();
            assert_eq!((class.len() as u64, Some(made)), (made, nassimi_sahni(dim)));
        }
        assert_eq!((nassimi_sahni(0), nassimi_sahni(5)), (None, None));
    }

    #[test]
    fn ways_are_traces_of_powers() {
        let mut power = [1, 0, 0, 1];
        for expected in &WAYS[1..] {
            let [a, b, c, d] = power;
            power = [2 * a + b, a, 2 * c + d, c];
            assert_eq!(power[0] + power[3], *expected);
        }
    }

    #[test]
    fn butterflies_are_counted() {
        let count = |radix, dim| butterfly(&Network::butterfly(radix, dim).unwrap()).unwrap();
        assert_eq!(count(2, 3).exact(), Some(4096));
        assert_eq!(count(2, 4).to_string(), "2!^32");
        assert_eq!(count(3, 2).exact(), Some(46_656));
        assert_eq!((count(2, 16).exact(), count(1 << 8, 2).exact()), (None, None));
    }
}

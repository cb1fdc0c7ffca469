//! An order of the channels: waits that all lead on in it close no cycle.

use crate::formula::Formula;
use rustsat::types::Lit;
use std::collections::BTreeMap;

/// A channel: node and dimension.
pub type Channel = (u32, u32);

/// Channels at most whose order is given by pairs: clauses grow with the third power. Solvers
/// are faster with it by factors of 10 to 100.
const MOST_IN_PAIRS: usize = 200;

/// An order given by pairs.
pub struct Pairs {
    channels: Vec<Channel>,
    /// Literals, for each channel and each one before it in the list, that this one comes first.
    first: Vec<Vec<Lit>>,
}

/// Every wait leads from a channel to a later one: the crosspoint, the channel held, the channel
/// wanted. Gives the order where it is one by pairs. `channels` ascend.
pub fn ascend(
    formula: &mut Formula,
    channels: Vec<Channel>,
    waits: impl Iterator<Item = (Lit, Channel, Channel)>,
) -> Option<Pairs> {
    if channels.len() > MOST_IN_PAIRS {
        number(formula, &channels, waits);
        return None;
    }
    let pairs = Pairs::new(formula, channels);
    for (crosspoint, held, wanted) in waits {
        formula.implies(&[crosspoint], pairs.before(held, wanted));
    }
    Some(pairs)
}

impl Pairs {
    /// Order of each two channels by a literal; of each three, in one order.
    fn new(formula: &mut Formula, channels: Vec<Channel>) -> Self {
        let first = (0..channels.len()).map(|at| (0..at).map(|_| formula.fresh()).collect());
        let pairs = Self { first: first.collect(), channels };
        for c in 0..pairs.channels.len() {
            for b in 0..c {
                for a in 0..b {
                    let (ab, bc, ac) =
                        (pairs.by_place(a, b), pairs.by_place(b, c), pairs.by_place(a, c));
                    formula.implies(&[ab, bc], ac);
                    formula.implies(&[!ab, !bc], !ac);
                }
            }
        }
        pairs
    }

    /// Whether the channel at one place of the list comes before that at another.
    fn by_place(&self, a: usize, b: usize) -> Lit {
        if a < b { self.first[b][a] } else { !self.first[a][b] }
    }

    /// Whether one channel comes before another.
    fn before(&self, one: Channel, other: Channel) -> Lit {
        let place =
            |channel| self.channels.binary_search(&channel).expect("a channel of a representative");
        self.by_place(place(one), place(other))
    }

    /// Breaks the symmetry, where all channels of the k-cube are in the list, and automorphisms
    /// keep what is asked: from the end of the order, the first node to have two channels is node
    /// 0, and they are those over dimension 0 and, before it, 1. Some node is the first, and an
    /// automorphism takes its two channels to these. Gives the dimensions whose order is still
    /// free: a bit each.
    pub fn break_symmetry(&self, formula: &mut Formula, k: u32) -> u32 {
        let behind = |channel| self.before((0, 1), channel);
        formula.clause([behind((0, 0))]);
        for p in 2..k {
            formula.clause([!behind((0, p))]);
        }
        for node in 1..1 << k {
            for p in 0..k {
                for q in 0..p {
                    formula.clause([!behind((node, p)), !behind((node, q))]);
                }
            }
        }
        ((1 << k) - 1) & !0b11
    }
}

/// Every channel has a number, in bits.
fn number(
    formula: &mut Formula,
    channels: &[Channel],
    waits: impl Iterator<Item = (Lit, Channel, Channel)>,
) {
    let bits = u32::BITS - (channels.len() as u32 - 1).leading_zeros();
    let numbers: BTreeMap<Channel, Vec<Lit>> = channels
        .iter()
        .map(|&channel| (channel, (0..bits).map(|_| formula.fresh()).collect()))
        .collect();
    for (crosspoint, held, wanted) in waits {
        less(formula, crosspoint, &numbers[&held], &numbers[&wanted]);
    }
}

/// If `given`, the number `a` is less than `b`; least bits first.
fn less(formula: &mut Formula, given: Lit, a: &[Lit], b: &[Lit]) {
    let mut given = given;
    for (at, (&a, &b)) in a.iter().zip(b).enumerate().rev() {
        // Here a is no more than b; where they are the same, the lower bits decide.
        formula.implies(&[given, a], b);
        if at == 0 {
            formula.implies(&[given], !a);
            formula.implies(&[given], b);
        } else {
            let lower = formula.fresh();
            formula.implies(&[given, a], lower);
            formula.implies(&[given, !b], lower);
            given = lower;
        }
    }
}

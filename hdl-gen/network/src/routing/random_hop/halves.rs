//! Choice among the dimensions that a packet has hops left along, by bits that its source drew.
//!
//! The dimensions are halved, and the halves again, until one is left: X|YZ, Y|Z. A half without
//! hops left is passed over. Where both have some a drawn bit says which: 0 the first, 1 the second.
//! So a way has the odds 1/2 for each bit that was asked, and with n dimensions no open way has less than
//! 1 / 2^ceil(log2 n): halves of a number that is no power of two are not alike.
//!
//! The bits of a draw stand in fields: one for the first bit that a hop asks for, one for the second,
//! and so on. Every hop takes the lowest bit off each field. A hop asks for a b-th bit only where hops
//! are left along more than b dimensions, so each field has a bit less than the one before it.

use crate::routing::{Carried, Condition, Header, HeaderUpdate};
use std::ops::Range;
use turnpike_base::bits::{bits_of, in_words, low_bits};

/// The halves of the dimensions, and the fields of the draw that decides between them.
#[derive(Debug)]
pub(super) struct Halves {
    dimensions: usize,
    /// Header bits of the fields, the first field lowest.
    fields: Vec<Range<u32>>,
    /// The bits of the fields without the highest of each.
    kept: Header,
}

/// Rule of the choice: the dimension, where one half after the other leads to it.
pub(super) struct HalvedRule {
    /// The dimension.
    pub(super) dimension: usize,
    /// Dimensions of the halves that have to be without hops left.
    pub(super) closed: Vec<usize>,
    /// Drawn bits, and their values.
    pub(super) drawn: Condition,
}

/// One halving on the way to a dimension: the other half, and whether the dimension is in the second.
type Halving = (Range<usize>, bool);

/// The first dimension of the second half.
fn middle(of: &Range<usize>) -> usize {
    of.start + of.len() / 2
}

impl Halves {
    /// Halves of two dimensions or more, for routes of at most `longest` hops, at least one along each
    /// dimension; the draw stands in the header from bit `low` up.
    pub(super) fn new(dimensions: usize, longest: u32, mut low: u32) -> Self {
        let most = dimensions.next_power_of_two().ilog2();
        let field = |nth: u32| {
            let bits = low..low + longest - 1 - nth;
            low = bits.end;
            bits
        };
        let fields: Vec<Range<u32>> = (0..most).map(field).collect();
        let kept = |field: &Range<u32>| low_bits(field.end - 1) & !low_bits(field.start);
        let kept = fields.iter().map(kept).fold(0, |all, kept| all | kept);
        Self { dimensions, fields, kept }
    }

    /// Width of the draw, in bits.
    pub(super) fn bits(&self) -> u32 {
        self.fields.iter().map(|field| field.end - field.start).sum()
    }

    /// The dimension to go along, of those whose bit is set in `open`, one or more.
    pub(super) fn choose(&self, open: u32, header: Header) -> usize {
        let mut fields = self.fields.iter();
        let mut left = 0..self.dimensions;
        let any = |half: Range<usize>| open >> half.start & ((1 << half.len()) - 1) != 0;
        while left.len() > 1 {
            let middle = middle(&left);
            let second = match (any(left.start..middle), any(middle..left.end)) {
                (true, true) => fields.next().is_some_and(|field| header >> field.start & 1 == 1),
                (first, _) => !first,
            };
            left = if second { middle..left.end } else { left.start..middle };
        }
        left.start
    }

    /// The choice as rules, of which the first that holds is right, where its dimension is open.
    ///
    /// Each halving on the way to a dimension is decided by the halves or by a bit. A rule in which a bit
    /// decides asks for no more than that bit, so those in which the halves decide come before it, the
    /// first halving counting most.
    pub(super) fn rules(&self) -> Vec<HalvedRule> {
        let ways: Vec<Vec<Halving>> = (0..self.dimensions).map(|d| self.halvings(d)).collect();
        let most = self.fields.len();
        let mut rules = Vec::new();
        // By bit, the first halving's highest: whether a drawn bit decides.
        for by_draw in 0..1usize << most {
            for (dimension, way) in ways.iter().enumerate() {
                if by_draw & ((1 << (most - way.len())) - 1) != 0 {
                    continue;
                }
                let mut fields = self.fields.iter();
                let (mut closed, mut drawn) = (Vec::new(), Condition::value(0, 0));
                for (nth, (other, second)) in way.iter().enumerate() {
                    match by_draw >> (most - 1 - nth) & 1 {
                        0 => closed.extend(other.clone()),
                        _ => {
                            let bit = fields.next().map_or(0, |field| 1 << field.start);
                            drawn = drawn.and_value(bit, if *second { bit } else { 0 });
                        }
                    }
                }
                rules.push(HalvedRule { dimension, closed, drawn });
            }
        }
        rules
    }

    /// The halvings that lead to a dimension, the first one first.
    fn halvings(&self, dimension: usize) -> Vec<Halving> {
        let (mut left, mut way) = (0..self.dimensions, Vec::new());
        while left.len() > 1 {
            let middle = middle(&left);
            let (first, last) = (left.start..middle, middle..left.end);
            let second = dimension >= middle;
            let (own, other) = if second { (last, first) } else { (first, last) };
            way.push((other, second));
            left = own;
        }
        way
    }

    /// The bits of the fields that a hop leaves.
    pub(super) fn left(&self, header: Header) -> Header {
        header >> 1 & self.kept
    }

    /// The header update that also takes the lowest bit off each field.
    pub(super) fn taken_off(&self, carry: HeaderUpdate) -> HeaderUpdate {
        let bits = bits_of(self.kept).into_iter();
        bits.fold(carry, |carry, bit| carry.with(bit, Carried::Bit(bit + 1)))
    }

    /// Meaning of the draw, for readers of the Verilog; `names` are those of the dimensions.
    pub(super) fn legend(&self, names: &[String]) -> Vec<String> {
        if let [field] = &self.fields[..] {
            return vec![
                format!(
                    "From bit {} on a bit for each hop, the next lowest: where both are",
                    field.start
                ),
                format!("left 0 leads along {} and 1 along {}.", names[0], names[1]),
            ];
        }
        let fields = self.fields.iter().map(|field| in_words(field.end - 1, field.start));
        let mut halvings = Vec::new();
        let mut whole: Vec<Range<usize>> = std::iter::once(0..self.dimensions).collect();
        while let Some(left) = whole.pop().filter(|left| left.len() > 1) {
            let (first, second) = (left.start..middle(&left), middle(&left)..left.end);
            let joined = |half: &Range<usize>| names[half.clone()].join(" ");
            halvings.push(format!("{}|{}", joined(&first), joined(&second)));
            whole.extend([second, first].into_iter().filter(|half| half.len() > 1));
        }
        let fields: Vec<String> = fields.collect();
        vec![
            format!("Drawn, a bit of each field for each hop, the next lowest: {}.", fields.join(", ")),
            format!("Dimensions are halved until one is left: {}.", halvings.join(", ")),
            "A half along which nothing is left is passed over. Where both have hops left the bit of"
                .to_owned(),
            "the next field says which, with odds of 1/2 each: 0 the first, 1 the second.".to_owned(),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Choices by rules are those by halves, for any bits and any dimensions that are left.
    #[test]
    fn rules_choose_as_halves_do() {
        for dimensions in 2..=9usize {
            let halves = Halves::new(dimensions, 2 * dimensions as u32, 0);
            let rules = halves.rules();
            let asked = halves.fields.iter().map(|field| field.start);
            let asked: Vec<u32> = asked.collect();
            for (open, drawn) in (1..1u32 << dimensions)
                .flat_map(|open| (0..1u64 << asked.len()).map(move |d| (open, d)))
            {
                let is_open = |dimension: usize| open >> dimension & 1 == 1;
                let bits = asked.iter().enumerate();
                let header = bits.map(|(nth, bit)| (drawn >> nth & 1) << bit).sum();
                let holds = |rule: &&HalvedRule| {
                    is_open(rule.dimension)
                        && !rule.closed.iter().any(|&closed| is_open(closed))
                        && rule.drawn.holds(header)
                };
                let by_rule = rules.iter().find(holds).map(|rule| rule.dimension);
                let chosen = halves.choose(open, header);
                assert_eq!(by_rule, Some(chosen), "{dimensions} {open:b} {drawn:b}");
            }
        }
    }
}

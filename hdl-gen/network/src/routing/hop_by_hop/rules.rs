//! Short route logic for a switch input that sees only some headers: the others are of no
//! account.

use crate::routing::{Header, Output, Rule, Select};
use crate::topology::{Local, Port};

/// Rules at most: a longer chain is larger and slower than a table.
const MOST_RULES: usize = 16;
/// Headers looked at for one list of rules at most: what bounds the time for large networks.
const MOST_WORK: usize = 1 << 18;

/// Outputs by header: a port, or [`EJECT`] and the number of an eject port.
#[derive(Clone, Debug)]
pub struct Ways(Vec<u16>);

const NEVER: u16 = u16::MAX;
/// The first eject port; the others follow.
const EJECT: u16 = 1 << 8;

impl Ways {
    /// No header of `bits` bits has come yet.
    pub fn none(bits: u32) -> Self {
        Self(vec![NEVER; 1 << bits])
    }

    /// The way of a header, if it has one.
    pub(super) fn get(&self, header: Header) -> Option<Output> {
        match self.0.get(header as usize).copied() {
            None | Some(NEVER) => None,
            Some(port) if port < EJECT => Some(Output::Network(Port(port as u8))),
            Some(eject) => Some(Output::Eject(Local((eject - EJECT) as u8))),
        }
    }

    /// Says where a header goes, which fits into the bits.
    ///
    /// # Panics
    /// For one that does not.
    pub fn set(&mut self, header: Header, output: Output) {
        self.0[header as usize] = match output {
            Output::Eject(local) => EJECT + u16::from(local.0),
            Output::Network(port) => port.0.into(),
        };
    }

    /// The ways that are known, by header.
    pub(super) fn known(&self) -> Vec<(Header, Output)> {
        let headers = 0..self.0.len() as u64;
        headers.filter_map(|header| Some((header, self.get(header)?))).collect()
    }

    /// The route logic: rules, or a table where these would be many.
    pub(super) fn select(&self) -> Select {
        match rules(self.known(), self.0.len().ilog2()) {
            Some(rules) => Select::FirstRule { rules, one_hot: false },
            None => self.table(),
        }
    }

    /// The way of every header; of one that never comes, that of the one before it.
    pub(super) fn table(&self) -> Select {
        let mut way = self.known().first().map_or(Output::EJECT, |&(_, output)| output);
        let ways = (0..self.0.len() as u64).map(|header| {
            way = self.get(header).unwrap_or(way);
            way.into()
        });
        Select::Table { low: 0, bits: self.0.len().ilog2(), ways: ways.collect() }
    }
}

/// A first-rule list, greedily: always a rule of as few bits as may be that sends all that it
/// holds for one way, and of these one that holds for most, rather to a port: what is left in
/// the end ejects without a rule. `None` where it would be long, or
/// long to find.
fn rules(mut left: Vec<(Header, Output)>, bits: u32) -> Option<Vec<Rule>> {
    let (mut rules, mut work) = (Vec::new(), 0);
    while let Some(&(_, first)) = left.first() {
        if rules.len() == MOST_RULES {
            return None;
        }
        let one_way = left.iter().all(|&(_, output)| output == first);
        let rule = match one_way {
            // What no rule holds for goes to the first eject port.
            true if first == Output::EJECT => break,
            true => Rule::to(0, 0, first.into()),
            false => shortest(&left, bits, &mut work)?,
        };
        left.retain(|&(header, _)| !rule.holds(header));
        rules.push(rule);
    }
    Some(rules)
}

/// The next rule.
fn shortest(left: &[(Header, Output)], bits: u32, work: &mut usize) -> Option<Rule> {
    for count in 1..=bits {
        let mut best: Option<((usize, bool), Rule)> = None;
        for care in masks(bits, count) {
            *work += left.len();
            if *work > MOST_WORK {
                return None;
            }
            for Group { value, output, size } in groups(left, care, count) {
                let worth = (size, output != Output::EJECT);
                if best.is_none_or(|(most, _)| worth > most) {
                    best = Some((worth, Rule::to(care, value, output.into())));
                }
            }
        }
        if let Some((_, rule)) = best {
            return Some(rule);
        }
    }
    None
}

/// Headers that are alike in some bits, and all go one way.
struct Group {
    value: Header,
    output: Output,
    size: usize,
}

/// Groups of the headers that are alike in the `count` bits of `care`, by these bits ascending.
fn groups(left: &[(Header, Output)], care: Header, count: u32) -> impl Iterator<Item = Group> {
    // By the bits of `care`, moved together.
    let mut groups: Vec<Option<(Group, bool)>> = (0..1usize << count).map(|_| None).collect();
    for &(header, output) in left {
        let (mut place, mut rest) = (0, care);
        for at in 0..count {
            place |= ((header >> rest.trailing_zeros() & 1) as usize) << at;
            rest &= rest - 1;
        }
        match &mut groups[place] {
            Some((group, pure)) => {
                group.size += 1;
                *pure &= group.output == output;
            }
            empty => *empty = Some((Group { value: header & care, output, size: 1 }, true)),
        }
    }
    groups.into_iter().flatten().filter(|(_, pure)| *pure).map(|(group, _)| group)
}

/// The masks of `count` (not 0) of `bits` bits, ascending.
fn masks(bits: u32, count: u32) -> impl Iterator<Item = Header> {
    // The next number with as many bits set (Gosper).
    let next = |&mask: &Header| {
        let low = mask & mask.wrapping_neg();
        let ripple = mask + low;
        Some((ripple ^ mask) >> 2 >> low.trailing_zeros() | ripple)
    };
    std::iter::successors(Some((1 << count) - 1), next).take_while(move |mask| mask >> bits == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn port(at: u8) -> Output {
        Output::Network(Port(at))
    }

    #[test]
    fn masks_of_two_bits() {
        assert_eq!(masks(4, 2).collect::<Vec<_>>(), [3, 5, 6, 9, 10, 12]);
        assert_eq!(masks(3, 3).collect::<Vec<_>>(), [7]);
    }

    /// Bit fixing needs a rule per bit; what never comes costs nothing.
    #[test]
    fn bit_fixing_is_a_rule_per_bit() {
        let mut ways = Ways::none(4);
        ways.set(0, Output::EJECT);
        (1..16u64).for_each(|header| ways.set(header, port(header.trailing_zeros() as u8)));
        let Select::FirstRule { rules, .. } = ways.select() else { panic!("a table") };
        assert_eq!(rules.len(), 4);
        let mut few = Ways::none(4);
        [3, 7, 11].into_iter().for_each(|header| few.set(header, port(2)));
        few.set(12, port(1));
        let Select::FirstRule { rules, .. } = few.select() else { panic!("a table") };
        assert_eq!(rules.len(), 2);
        assert_eq!((rules[0].when.care.count_ones(), rules[1].when.care), (1, 0));
    }

    proptest! {
        #[test]
        fn all_that_comes_goes_its_way(known in prop::collection::btree_map(0..64u64, 0..5u8, 0..64)) {
            let mut ways = Ways::none(6);
            let output = |at: u8| if at == 4 { Output::EJECT } else { port(at) };
            known.iter().for_each(|(&header, &at)| ways.set(header, output(at)));
            let (select, table) = (ways.select(), ways.table());
            for (&header, &at) in &known {
                prop_assert_eq!(select.output(header), output(at));
                prop_assert_eq!(table.output(header), output(at));
            }
        }
    }
}

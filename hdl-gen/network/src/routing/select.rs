//! Route logic: the output of the packet at the head of a queue, as hardware.

use super::{Header, Output, Vc, low_bits};
use crate::topology::{Local, Port};

/// A way out of a switch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RouteDecision {
    /// The output.
    pub output: Output,
    /// The virtual channel; `None` where it follows from the turn
    /// ([`super::Relation::output_vc`]).
    pub vc: Option<Vc>,
}

impl From<Output> for RouteDecision {
    fn from(output: Output) -> Self {
        let vc = output.is_eject().then_some(Vc(0));
        Self { output, vc }
    }
}

/// Condition of route logic on a header: some of its bits have these values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Condition {
    /// The header bits that are looked at; where there are none it always holds.
    pub care: Header,
    /// Values of the bits of `care`; 0 elsewhere.
    pub value: Header,
    /// Header bits of which one or more must be set as well; 0 where none need be.
    pub any: Header,
}

impl Condition {
    /// Condition that this header bit is set.
    pub fn bit(at: u32) -> Self {
        Self::value(1 << at, 1 << at)
    }

    /// The header bits `care` have the value `value`.
    pub fn value(care: Header, value: Header) -> Self {
        Self { care, value, any: 0 }
    }

    /// The condition, and that the header bits `care` have the value `value`.
    #[must_use]
    pub fn and_value(self, care: Header, value: Header) -> Self {
        Self { care: self.care | care, value: self.value | value, ..self }
    }

    /// The condition, and that one of these bits or more is set.
    #[must_use]
    pub fn and_any(self, any: Header) -> Self {
        Self { any, ..self }
    }

    /// The condition on a header that stands `by` bits higher.
    #[must_use]
    pub fn higher(self, by: u32) -> Self {
        Self { care: self.care << by, value: self.value << by, any: self.any << by }
    }

    /// The header bits that are looked at.
    pub fn looks_at(&self) -> Header {
        self.care | self.any
    }

    /// The condition on headers of which no bit outside `mask` is ever set; `None` where it never
    /// holds then.
    pub fn within(&self, mask: Header) -> Option<Self> {
        if self.value & !mask != 0 || (self.any != 0 && self.any & mask == 0) {
            return None;
        }
        let (any, care) = (self.any & mask, self.care & mask);
        Some(match any.count_ones() {
            1 => Self::value(care | any, self.value | any),
            _ => Self { care, any, ..*self },
        })
    }

    /// Whether it holds.
    pub fn holds(&self, header: Header) -> bool {
        header & self.care == self.value && (self.any == 0 || header & self.any != 0)
    }
}

/// A rule of route logic: the way, if a condition holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Rule {
    /// Condition of the rule.
    pub when: Condition,
    /// Route decision where the condition holds.
    pub way: RouteDecision,
}

impl Rule {
    /// To the port, if this header bit is set.
    pub fn bit(at: u32, port: Port) -> Self {
        Self::value(1 << at, 1 << at, port)
    }

    /// To the port, if the header bits `care` have the value `value`.
    pub fn value(care: Header, value: Header, port: Port) -> Self {
        Self::to(care, value, Output::Network(port).into())
    }

    /// To the port, if the condition holds.
    pub fn on(when: Condition, port: Port) -> Self {
        Self { when, way: Output::Network(port).into() }
    }

    /// Rule that decides so if the header bits `care` have the value `value`.
    pub fn to(care: Header, value: Header, way: RouteDecision) -> Self {
        Self { when: Condition::value(care, value), way }
    }

    /// The header bits that are looked at.
    pub fn looks_at(&self) -> Header {
        self.when.looks_at()
    }

    /// The rule for headers of which no bit outside `mask` is ever set; `None` where it never holds
    /// then.
    pub fn within(&self, mask: Header) -> Option<Self> {
        self.when.within(mask).map(|when| Self { when, ..*self })
    }

    /// Whether it holds.
    pub fn holds(&self, header: Header) -> bool {
        self.when.holds(header)
    }
}

/// Route logic of a queue, as hardware.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Select {
    /// The way of the first rule that holds; the first eject port where none does.
    FirstRule {
        /// First to look at first.
        rules: Vec<Rule>,
        /// Each rule is of one bit that is set, and at most one of these bits is ever set, so
        /// that the order is of no account.
        one_hot: bool,
    },
    /// The way by the value of the header's bits `low` to `low + bits - 1`.
    Table {
        /// Lowest bit of the index.
        low: u32,
        /// Width of the index.
        bits: u32,
        /// 2^bits ways.
        ways: Vec<RouteDecision>,
    },
    /// The way that another says; in place of the first eject port the one of the number that the
    /// header holds ([`super::concentrating`]).
    Concentrated {
        /// Route logic that decides on everything but the eject port.
        select: Box<Select>,
        /// The number.
        number: EjectNumber,
    },
}

/// Eject port by a number in the header.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct EjectNumber {
    /// Lowest header bit of the number.
    pub low: u32,
    /// Width of the number, in bits.
    pub bits: u32,
    /// Eject port of number 0: that of the message class.
    pub first: u8,
    /// Eject ports from one number to the next: as many as there are message classes.
    pub stride: u8,
}

impl EjectNumber {
    /// The eject port of a header.
    pub fn output(&self, header: Header) -> Output {
        let number = (header >> self.low & low_bits(self.bits)) as u8;
        Output::Eject(Local(number * self.stride + self.first))
    }

    /// The number of an eject port; `None` for one of another message class.
    pub fn number(&self, Local(local): Local) -> Option<u8> {
        (local % self.stride == self.first % self.stride).then_some(local / self.stride)
    }

    /// The header bits of the number.
    pub fn looks_at(&self) -> Header {
        low_bits(self.bits) << self.low
    }
}

/// [`Select::ways_within`] of rules.
fn rules_within(rules: &[Rule], mask: Header) -> Vec<(RouteDecision, Header)> {
    let mut ways = Vec::new();
    // Bits that may be set where none of the rules so far holds.
    let mut left = mask;
    for rule in rules {
        let Some(Condition { care, value, any }) = rule.when.within(left) else { continue };
        ways.push((rule.way, left & !(care & !value)));
        match (care, any) {
            (0, 0) => return ways,
            (0, any) => left &= !any,
            (care, 0) if care == value && care.is_power_of_two() => left &= !care,
            _ => (),
        }
    }
    ways.push((Output::EJECT.into(), left));
    ways
}

impl Select {
    /// To the port of the first bit that is set, in this order.
    pub fn first_set(order: impl IntoIterator<Item = (u32, Port)>) -> Self {
        let rules = order.into_iter().map(|(bit, port)| Rule::bit(bit, port)).collect();
        Self::FirstRule { rules, one_hot: false }
    }

    /// The way for a header.
    pub fn way(&self, header: Header) -> RouteDecision {
        match self {
            Self::FirstRule { rules, .. } => rules
                .iter()
                .find(|rule| rule.holds(header))
                .map_or(Output::EJECT.into(), |rule| rule.way),
            Self::Table { low, bits, ways } => ways[(header >> low & low_bits(*bits)) as usize],
            Self::Concentrated { select, number } => match select.way(header) {
                way if way.output.is_eject() => number.output(header).into(),
                way => way,
            },
        }
    }

    /// Every way that it can decide on where no header bit outside `mask` is ever set, each with those that may
    /// be set then; some ways more than once. An eject port by number is the first one here.
    pub fn ways_within(&self, mask: Header) -> Vec<(RouteDecision, Header)> {
        match self {
            Self::FirstRule { rules, .. } => rules_within(rules, mask),
            Self::Table { low, bits, ways } => {
                let index = low_bits(*bits) << low;
                let rows = (0..).zip(ways).map(|(row, way)| (row << low, way));
                let reached = rows.filter(|&(row, _)| row & !mask == 0);
                reached.map(|(row, way)| (*way, mask & !index | row)).collect()
            }
            Self::Concentrated { select, .. } => select.ways_within(mask),
        }
    }

    /// Whether it looks the way up.
    pub fn is_table(&self) -> bool {
        match self {
            Self::FirstRule { .. } => false,
            Self::Table { .. } => true,
            Self::Concentrated { select, .. } => select.is_table(),
        }
    }

    /// The rules that it goes by; none where it is a table.
    pub fn rules(&self) -> &[Rule] {
        match self {
            Self::FirstRule { rules, .. } => rules,
            Self::Table { .. } => &[],
            Self::Concentrated { select, .. } => select.rules(),
        }
    }

    /// The route logic by other rules, where it goes by rules: from them and
    /// [`Select::FirstRule`]'s `one_hot`.
    #[must_use]
    pub fn with_rules(self, other: impl FnOnce(Vec<Rule>, bool) -> (Vec<Rule>, bool)) -> Self {
        match self {
            Self::FirstRule { rules, one_hot } => {
                let (rules, one_hot) = other(rules, one_hot);
                Self::FirstRule { rules, one_hot }
            }
            table @ Self::Table { .. } => table,
            Self::Concentrated { select, number } => {
                Self::Concentrated { select: Box::new(select.with_rules(other)), number }
            }
        }
    }

    /// The ways that it knows.
    pub fn ways_mut(&mut self) -> Box<dyn Iterator<Item = &mut RouteDecision> + '_> {
        match self {
            Self::FirstRule { rules, .. } => Box::new(rules.iter_mut().map(|rule| &mut rule.way)),
            Self::Table { ways, .. } => Box::new(ways.iter_mut()),
            Self::Concentrated { select, .. } => select.ways_mut(),
        }
    }

    /// The output for a header.
    pub fn output(&self, header: Header) -> Output {
        self.way(header).output
    }

    /// The virtual channels that ways to an output name, ascending.
    pub fn named_vcs(&self, output: Output) -> Vec<Vc> {
        let ways: Vec<&RouteDecision> = match self {
            Self::FirstRule { rules, .. } => rules.iter().map(|rule| &rule.way).collect(),
            Self::Table { ways, .. } => ways.iter().collect(),
            Self::Concentrated { select, .. } => {
                let plain = if output.is_eject() { Output::EJECT } else { output };
                return select.named_vcs(plain);
            }
        };
        let of_output = ways.into_iter().filter(|way| way.output == output);
        let mut vcs: Vec<Vc> = of_output.filter_map(|way| way.vc).collect();
        vcs.sort_unstable();
        vcs.dedup();
        vcs
    }

    /// The header bits that it looks at.
    pub fn looks_at(&self) -> Header {
        match self {
            Self::FirstRule { rules, .. } => {
                rules.iter().fold(0, |mask, rule| mask | rule.looks_at())
            }
            Self::Table { low, bits, .. } => low_bits(*bits) << low,
            Self::Concentrated { select, number } => select.looks_at() | number.looks_at(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const BITS: u32 = 5;

    fn condition() -> impl Strategy<Value = Condition> {
        let bits = 0..1u64 << BITS;
        (bits.clone(), bits.clone(), bits).prop_map(|(care, value, any)| Condition {
            care,
            value: value & care,
            any: any & !care,
        })
    }

    fn select() -> impl Strategy<Value = Select> {
        let rule = |(when, port)| Rule::on(when, Port(port));
        let rules = prop::collection::vec((condition(), 0..6u8).prop_map(rule), 0..6);
        let by_rules = rules.prop_map(|rules| Select::FirstRule { rules, one_hot: false });
        let way = |port| Output::Network(Port(port)).into();
        let by_table = prop::collection::vec((0..6u8).prop_map(way), 8)
            .prop_map(|ways| Select::Table { low: 1, bits: 3, ways });
        prop_oneof![by_rules, by_table]
    }

    proptest! {
        /// Ways that a header within the mask leads to are among them, with its bits; and where one bit at a
        /// time is looked at, no other way is.
        #[test]
        fn ways_within_a_mask_are_those_of_its_headers(
            select in select(),
            mask in 0..1u64 << BITS,
        ) {
            let ways = select.ways_within(mask);
            let mut led = Vec::new();
            for header in (0..1u64 << BITS).filter(|header| header & !mask == 0) {
                let way = select.way(header);
                led.push(way);
                let has = |(to, left): &(RouteDecision, Header)| *to == way && header & !left == 0;
                prop_assert!(ways.iter().any(has), "{header:b} under {mask:b}: {ways:?}");
            }
            let one = |rule: &Rule| rule.looks_at().count_ones() == 1 && rule.when.value == rule.when.care;
            if select.rules().iter().all(one) {
                prop_assert!(ways.iter().all(|(way, _)| led.contains(way)), "{ways:?}");
            }
        }
    }
}

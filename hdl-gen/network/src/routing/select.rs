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

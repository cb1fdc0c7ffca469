//! Which output the packet at the head of a queue takes, as hardware.

use super::{Header, Output, low_bits};
use crate::topology::Port;

/// A rule of route logic: the port, if all these header bits are set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rule {
    /// The header bits, at least one.
    pub all: Header,
    /// Where the packet goes.
    pub port: Port,
}

impl Rule {
    /// The rule of one header bit.
    pub fn bit(at: u32, port: Port) -> Self {
        Self { all: 1 << at, port }
    }

    /// Whether all its bits are set.
    pub fn holds(&self, header: Header) -> bool {
        header & self.all == self.all
    }
}

/// Which output the packet at the head of a queue takes, as hardware.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Select {
    /// The output of the first rule that holds; `eject` where none does.
    FirstRule {
        /// First to look at first.
        rules: Vec<Rule>,
        /// Each rule is of one bit, and at most one of these bits is ever set, so that the
        /// order is of no account.
        one_hot: bool,
    },
    /// The output by the value of the header's low `bits` bits.
    Table {
        /// Width of the index.
        bits: u32,
        /// 2^bits outputs.
        outputs: Vec<Output>,
    },
}

impl Select {
    /// The port of the first bit that is set, in this order.
    pub fn first_set(order: impl IntoIterator<Item = (u32, Port)>) -> Self {
        let rules = order.into_iter().map(|(bit, port)| Rule::bit(bit, port)).collect();
        Self::FirstRule { rules, one_hot: false }
    }

    /// The output for a header.
    pub fn output(&self, header: Header) -> Output {
        match self {
            Self::FirstRule { rules, .. } => rules
                .iter()
                .find(|rule| rule.holds(header))
                .map_or(Output::Eject, |rule| Output::Network(rule.port)),
            Self::Table { bits, outputs } => outputs[(header & low_bits(*bits)) as usize],
        }
    }

    /// The header bits that it looks at.
    pub fn looks_at(&self) -> Header {
        match self {
            Self::FirstRule { rules, .. } => rules.iter().fold(0, |mask, rule| mask | rule.all),
            Self::Table { bits, .. } => low_bits(*bits),
        }
    }
}

//! Steps between the ports of a terminal and the network: each becomes a module.

use turnpike_base::numbers::gcd;

/// Step from one width to another, by a whole ratio.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Conversion {
    /// Words side by side become one.
    Widen {
        /// Bits of the narrow words.
        narrow: u32,
        /// Narrow words in a wide one, at least 2.
        ratio: u32,
    },
    /// A word becomes several, one after the other.
    Narrow {
        /// Bits of the narrow words.
        narrow: u32,
        /// Narrow words in a wide one, at least 2.
        ratio: u32,
    },
}

impl Conversion {
    /// Bits of the words that come in.
    pub fn from(self) -> u32 {
        match self {
            Self::Widen { narrow, .. } => narrow,
            Self::Narrow { narrow, ratio } => narrow * ratio,
        }
    }

    /// Bits of the words that go out.
    pub fn to(self) -> u32 {
        match self {
            Self::Widen { narrow, ratio } => narrow * ratio,
            Self::Narrow { narrow, .. } => narrow,
        }
    }
}

/// A step between a terminal and the network.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum InterfaceStep {
    /// To words of another width.
    Convert(Conversion),
    /// To another clock, of words of so many bits.
    Cross(u32),
    /// To the addresses of the network, or back, of words of so many bits.
    Address(u32),
    /// By the token buckets of a class of shapers.
    Shape {
        /// Class of the shaper: its place in [`FabricPlan::shapers`](super::FabricPlan::shapers).
        class: usize,
        /// Bits of the words.
        bits: u32,
    },
}

impl InterfaceStep {
    /// Bits of the words that come in.
    pub fn from(self) -> u32 {
        match self {
            Self::Convert(conversion) => conversion.from(),
            Self::Cross(bits) | Self::Address(bits) | Self::Shape { bits, .. } => bits,
        }
    }

    /// Bits of the words that go out.
    pub fn to(self) -> u32 {
        match self {
            Self::Convert(conversion) => conversion.to(),
            Self::Cross(bits) | Self::Address(bits) | Self::Shape { bits, .. } => bits,
        }
    }
}

/// The steps from words of `from` bits to words of `to`: by way of their least common multiple, where
/// they pass from one clock to the other, so that the slower of both has the fewest words to take.
pub(super) fn steps(from: u32, to: u32, crosses: bool) -> Vec<InterfaceStep> {
    let between = common_multiple(from, to);
    let widen = Conversion::Widen { narrow: from, ratio: between / from };
    let narrow = Conversion::Narrow { narrow: to, ratio: between / to };
    let steps = [
        (between > from, InterfaceStep::Convert(widen)),
        (crosses, InterfaceStep::Cross(between)),
        (between > to, InterfaceStep::Convert(narrow)),
    ];
    steps.into_iter().filter(|(is_needed, _)| *is_needed).map(|(_, step)| step).collect()
}

pub(super) fn common_multiple(a: u32, b: u32) -> u32 {
    a / gcd(a.into(), b.into()) as u32 * b
}

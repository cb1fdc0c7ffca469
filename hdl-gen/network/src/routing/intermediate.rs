//! The terminals that packets of two phases go to first: as a user names them, and as the one that
//! a draw means.

use super::{Draw, RoutingError, low_bits};
use crate::topology::{Structure, Terminal, Topology};
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use turnpike_base::bits::{gather, scatter};
use turnpike_base::numbers::digits;

/// The prefix of bits of the address.
const BITS: &str = "bits:";
/// No network has more terminals.
const MOST: u32 = 1 << 20;

/// The terminals that packets of two phases may go to first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Intermediate {
    /// All terminals.
    #[default]
    All,
    /// Terminals of a list: `0,3,8-11`.
    Terminals(BTreeSet<u32>),
    /// Terminals whose addresses differ from the source's in these bits alone: `bits:4-7`.
    Bits(BTreeSet<u32>),
}

/// Fault of the choice of intermediate terminals.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IntermediateError {
    /// No list.
    #[error("use terminals, such as 0,3,8-11, or bits of the address, such as bits:4-7")]
    Text,
    /// A number that comes twice.
    #[error("{0} is there twice")]
    Twice(u32),
    /// No such terminal.
    #[error("there is no terminal {given} to go to first; use 0 to {last}")]
    Terminal {
        /// Terminal that was asked for.
        given: u32,
        /// The last there is.
        last: u32,
    },
    /// A terminal that packets do not both reach and leave.
    #[error(
        "no packet can go to terminal {0} first, which does not both take and send packets at one switch"
    )]
    OneWay(u32),
    /// A set of one terminal, which leaves nothing to draw from.
    #[error("with one terminal to go to first there is nothing to draw; give two or more")]
    One,
    /// Bits where addresses are not seen by their bits.
    #[error(
        "packets go to terminals that differ in bits of the address on hypercubes alone; name terminals"
    )]
    Bits,
    /// No such bit.
    #[error("addresses have no bit {given}; use bits 0 to {last}")]
    Bit {
        /// Bit that was asked for.
        given: u32,
        /// The last there is.
        last: u32,
    },
    /// A relation that has terminals of its own to go to.
    #[error(
        "routing '{0}' says itself where its packets go first; name terminals with two-phase alone"
    )]
    Own(&'static str),
}

impl Intermediate {
    /// All but where a relation says itself where its packets go first.
    ///
    /// # Errors
    /// [`IntermediateError::Own`].
    pub(super) fn none_for(&self, name: &'static str) -> Result<(), RoutingError> {
        match self {
            Self::All => Ok(()),
            _ => Err(IntermediateError::Own(name).into()),
        }
    }

    /// The terminals, ascending, two or more.
    ///
    /// # Errors
    /// [`IntermediateError`] for a terminal that is none, for one alone, and for bits.
    fn terminals(&self, topology: &dyn Topology) -> Result<Vec<Terminal>, RoutingError> {
        let all: Vec<Terminal> = match self {
            Self::Bits(_) => return Err(IntermediateError::Bits.into()),
            Self::Terminals(chosen) => chosen.iter().map(|&number| Terminal(number)).collect(),
            Self::All => topology
                .sources()
                .filter(|&terminal| is_at_one_switch(topology, terminal))
                .collect(),
        };
        for &Terminal(given) in &all {
            if given >= topology.terminals() {
                let last = topology.terminals() - 1;
                return Err(IntermediateError::Terminal { given, last }.into());
            }
            if !is_at_one_switch(topology, Terminal(given)) {
                return Err(IntermediateError::OneWay(given).into());
            }
        }
        if all.len() < 2 {
            return Err(IntermediateError::One.into());
        }
        Ok(all)
    }

    /// Whether every source has the same, seen from where it stands.
    pub(super) fn is_alike(&self) -> bool {
        !matches!(self, Self::Terminals(_))
    }
}

/// Whether a terminal takes packets at the switch where it sends them: they can go on from there.
fn is_at_one_switch(topology: &dyn Topology, terminal: Terminal) -> bool {
    let at = topology.source(terminal).map(|(node, _)| node);
    at.is_some() && at == topology.sink(terminal).map(|(node, _)| node)
}

impl fmt::Display for Intermediate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (prefix, numbers) = match self {
            Self::All => return write!(f, "all"),
            Self::Terminals(numbers) => ("", numbers),
            Self::Bits(numbers) => (BITS, numbers),
        };
        let mut runs: Vec<(u32, u32)> = Vec::new();
        for &number in numbers {
            match runs.last_mut() {
                Some((_, last)) if *last + 1 == number => *last = number,
                _ => runs.push((number, number)),
            }
        }
        let run = |&(from, to): &(u32, u32)| match to - from {
            0 => from.to_string(),
            1 => format!("{from},{to}"),
            _ => format!("{from}-{to}"),
        };
        write!(f, "{prefix}{}", runs.iter().map(run).collect::<Vec<_>>().join(","))
    }
}

impl FromStr for Intermediate {
    type Err = IntermediateError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "all" {
            return Ok(Self::All);
        }
        let (of_bits, list) = match text.strip_prefix(BITS) {
            Some(list) => (true, list),
            None => (false, text),
        };
        let number = |text| digits(text).filter(|&n| n < MOST).ok_or(IntermediateError::Text);
        let mut numbers = BTreeSet::new();
        for part in list.split(',') {
            let (from, to) = match part.split_once('-') {
                Some((from, to)) => (number(from)?, number(to)?),
                None => (number(part)?, number(part)?),
            };
            if from > to {
                return Err(IntermediateError::Text);
            }
            if let Some(twice) = (from..=to).find(|&number| !numbers.insert(number)) {
                return Err(IntermediateError::Twice(twice));
            }
        }
        Ok(if of_bits { Self::Bits(numbers) } else { Self::Terminals(numbers) })
    }
}

/// The terminal that a packet goes to first, by what its source drew.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Via {
    /// The source XOR the draw, whose bits stand at these bits of the address, ascending: as far from
    /// every source.
    Difference(Vec<u32>),
    /// Terminal whose address is the draw: any terminal.
    Address,
    /// Terminal at this place in a list, which has one for each draw.
    Listed(Arc<[Terminal]>),
    /// A terminal between source and destination: of the bits in which they differ, those that are
    /// set in the draw are corrected.
    Between,
    /// A terminal in the box that source and destination span, on a grid with these coordinates, X
    /// first: of the n numbers from the source's coordinate to the destination's, ends included,
    /// the one ⌊d n / 2^b⌋ on from the source's, where d is the next b bits of the draw.
    Within(Vec<Coordinate>),
}

/// A coordinate of a grid's nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Coordinate {
    /// Side of the grid: the coordinate is below it.
    pub side: u32,
    /// Bits of the draw that it takes.
    pub drawn: u32,
}

impl Via {
    /// Rule for the intermediate terminal, and the bits of a draw; on a hypercube by the bits of
    /// addresses. seen by the bits of its address or not.
    ///
    /// # Errors
    /// As [`Intermediate::terminals`]; bits that addresses do not have.
    pub(super) fn of(
        topology: &dyn Topology,
        intermediate: &Intermediate,
    ) -> Result<(Self, u32), RoutingError> {
        let by_bits = matches!(topology.structure(), Structure::Cube);
        let address = topology.address_bits();
        let bits = match intermediate {
            Intermediate::All if by_bits => (0..address).collect(),
            Intermediate::Bits(bits) if by_bits => {
                if let Some(&given) = bits.iter().find(|&&bit| bit >= address) {
                    return Err(IntermediateError::Bit { given, last: address - 1 }.into());
                }
                bits.iter().copied().collect::<Vec<u32>>()
            }
            _ => {
                let terminals = intermediate.terminals(topology)?;
                return Ok(Self::one_of(topology, &terminals));
            }
        };
        let count = bits.len() as u32;
        Ok((Self::Difference(bits), count))
    }

    /// Rule that draws one of these terminals, and the bits of a draw.
    fn one_of(topology: &dyn Topology, terminals: &[Terminal]) -> (Self, u32) {
        let count = terminals.len() as u32;
        let bits = Draw::bits_for(count, count.is_power_of_two());
        if count == 1 << topology.address_bits() {
            return (Self::Address, bits);
        }
        let row = |draw| terminals[Draw(draw).pick(count.into(), bits) as usize];
        (Self::Listed((0..1 << bits).map(row).collect()), bits)
    }

    /// The terminal.
    pub fn terminal(&self, source: Terminal, destination: Terminal, draw: Draw) -> Terminal {
        match self {
            Self::Difference(bits) => Terminal(source.0 ^ scatter(draw.0.into(), bits) as u32),
            Self::Address => Terminal(draw.0),
            Self::Listed(terminals) => terminals[draw.0 as usize],
            Self::Between => Terminal(source.0 ^ draw.0 & (source.0 ^ destination.0)),
            Self::Within(coordinates) => within(coordinates, source, destination, draw),
        }
    }

    /// A draw with which a packet goes to this terminal first, whatever its destination, the first of
    /// several; `None` where there is none, or where it takes a look at the destination.
    pub(super) fn draw_to(&self, source: Terminal, between: Terminal) -> Option<Draw> {
        match self {
            Self::Difference(bits) => {
                let difference = u64::from(source.0 ^ between.0);
                let draw = gather(difference, bits);
                (scatter(draw, bits) == difference).then_some(Draw(draw as u32))
            }
            Self::Address => Some(Draw(between.0)),
            Self::Listed(terminals) => {
                let at = terminals.iter().position(|&listed| listed == between)?;
                Some(Draw(at as u32))
            }
            Self::Between | Self::Within(_) => None,
        }
    }

    /// Whether it goes by how far the destination is from the source, coordinate by coordinate.
    pub fn is_by_offset(&self) -> bool {
        matches!(self, Self::Within(_))
    }

    /// Whether it goes by the difference of source and destination.
    pub fn is_by_difference(&self) -> bool {
        matches!(self, Self::Difference(_) | Self::Between)
    }
}

/// Intermediate terminal of [`Via::Within`].
fn within(
    coordinates: &[Coordinate],
    source: Terminal,
    destination: Terminal,
    Draw(draw): Draw,
) -> Terminal {
    let (mut terminal, mut stride, mut low) = (0, 1, 0);
    for &Coordinate { side, drawn } in coordinates {
        let [from, to] = [source, destination].map(|end| end.0 / stride % side);
        let own = Draw(draw >> low & low_bits(drawn) as u32);
        let steps = own.pick(u128::from(from.abs_diff(to)) + 1, drawn) as u32;
        terminal += stride * if to < from { from - steps } else { from + steps };
        (stride, low) = (stride * side, low + drawn);
    }
    Terminal(terminal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_written_as_they_are_read() {
        for (text, written) in [
            ("all", "all"),
            ("0,3,8-11", "0,3,8-11"),
            ("11,9,8,10,3", "3,8-11"),
            ("4-5", "4,5"),
            ("bits:4-7", "bits:4-7"),
            ("bits:2", "bits:2"),
        ] {
            let read: Intermediate = text.parse().unwrap();
            assert_eq!(read.to_string(), written);
            assert_eq!(written.parse(), Ok(read));
        }
        let wrong = |text: &str| text.parse::<Intermediate>().unwrap_err();
        for text in ["", "x", "1,", "3-1", "-1", "1-", "bits:", "1048576", "0-4294967295"] {
            assert_eq!(wrong(text), IntermediateError::Text, "{text}");
        }
        assert_eq!(wrong("1-4,3"), IntermediateError::Twice(3));
    }
}

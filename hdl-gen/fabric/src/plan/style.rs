//! Styles of a fabric: choices that change its size, clock, latency or ports, never its routes.

use std::fmt;
use std::str::FromStr;
use turnpike_netlist::{RESET, RESET_LOW};

/// A word that names no style.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("there is no {what} '{word}'; use {choices}")]
pub struct UnknownStyle {
    what: &'static str,
    word: String,
    choices: String,
}

/// A style's words on the command line, with what each is.
macro_rules! words {
    ($style:ident, $what:literal, $($variant:ident $word:literal),+) => {
        impl $style {
            /// Every choice, the default first.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The word for it on the command line.
            pub fn word(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }

        impl fmt::Display for $style {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.word())
            }
        }

        impl FromStr for $style {
            type Err = UnknownStyle;

            fn from_str(word: &str) -> Result<Self, UnknownStyle> {
                Self::ALL.iter().copied().find(|s| s.word() == word).ok_or_else(|| {
                    let choices: Vec<&str> = Self::ALL.iter().map(|s| s.word()).collect();
                    UnknownStyle { what: $what, word: word.to_owned(), choices: choices.join(", ") }
                })
            }
        }
    };
}

/// Registers on the way of a flit through a switch, beside its queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Pipeline {
    /// No registers: an arbiter's choice counts in the cycle in which it is made.
    #[default]
    None,
    /// The grant: an arbiter's choice counts from the next cycle on. A cycle more per packet
    /// and hop; the flits behind the first follow one per cycle.
    Grant,
    /// The grant and the flit that leaves next: a packet asks for its output while the one before
    /// it in its queue leaves. A cycle more per hop, and no gap between packets.
    GrantAhead,
    /// The grant and the output: the multiplexed flit too goes through a register. Another
    /// cycle per hop.
    Output,
    /// The grant, the flit that leaves next and the output.
    OutputAhead,
}

words!(
    Pipeline, "pipeline",
    None "0", Grant "1", GrantAhead "1-ahead", Output "2", OutputAhead "2-ahead"
);

/// Timing of an arbiter's choice, and those among whom it is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Granting {
    /// A choice counts in the cycle in which it is made.
    AtOnce,
    /// A choice counts from the next cycle on, and is made among the heads of the other queues.
    Registered,
    /// A choice counts from the next cycle on, and is made among the flits that may leave their queues then.
    Ahead,
}

impl Pipeline {
    /// Cycles that it adds to a hop.
    pub fn registers(self) -> u32 {
        match self {
            Self::None => 0,
            Self::Grant | Self::GrantAhead => 1,
            Self::Output | Self::OutputAhead => 2,
        }
    }

    /// Timing of the arbiters' choices.
    pub fn granting(self) -> Granting {
        match self {
            Self::None => Granting::AtOnce,
            Self::Grant | Self::Output => Granting::Registered,
            Self::GrantAhead | Self::OutputAhead => Granting::Ahead,
        }
    }

    /// Whether arbiters grant out of a register.
    pub fn registers_grant(self) -> bool {
        self.granting() != Granting::AtOnce
    }

    /// Whether a packet asks for its output while the one before it in its queue leaves: the flit
    /// that leaves next stands in a register behind its queue.
    pub fn asks_ahead(self) -> bool {
        self.granting() == Granting::Ahead
    }

    /// Whether outputs send out of a register.
    pub fn registers_output(self) -> bool {
        matches!(self, Self::Output | Self::OutputAhead)
    }

    /// Flits that may be on the way to a queue when it is asked whether it has room.
    pub fn in_flight(self) -> u32 {
        u32::from(self.registers_output())
    }

    /// The least depth of a queue that passes on a flit per cycle.
    pub fn least_depth(self) -> u32 {
        2 + self.in_flight()
    }
}

/// Storage of a queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum QueueStyle {
    /// A memory: LUT-RAM where the device has it; block RAM where it is deep.
    #[default]
    Ram,
    /// Registers, read through a multiplexer; the header and the last-flit mark move up in a
    /// shift register, so that routing starts from flip-flops. Fewest LUTs where there is no
    /// LUT-RAM, as on iCE40.
    Registers,
    /// Shift registers: each LUT shares a cell with its flip-flop. More LUTs, fewest cells.
    Shift,
}

words!(QueueStyle, "queue style", Ram "ram", Registers "registers", Shift "shift");

impl QueueStyle {
    /// The largest depth.
    pub fn most_depth(self) -> u32 {
        match self {
            Self::Ram => 1024,
            Self::Registers | Self::Shift => 8,
        }
    }
}

/// Structure of the crossbar's multiplexers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MuxStyle {
    /// An AND per source and an OR over them: for any technology.
    #[default]
    OneHot,
    /// Stages of one four-input LUT per bit that take in two sources each, kept as modules so
    /// that synthesis leaves them as they are: for iCE40, ECP5 and their like.
    Lut4,
}

words!(MuxStyle, "multiplexer style", OneHot "one-hot", Lut4 "lut4");

/// Form of the terminals' streams in the port list of the whole network.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PortStyle {
    /// A vector per signal, with a slice for each terminal.
    #[default]
    Flat,
    /// A stream for each terminal, named after it.
    Named,
}

words!(PortStyle, "port style", Flat "flat", Named "named");

/// The reset of the whole network, synchronous in either case. Inside it is `rst`, active high.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ResetStyle {
    /// `rst`, active high.
    #[default]
    High,
    /// `aresetn`, active low, as AXI has it.
    Low,
}

words!(ResetStyle, "reset", High "high", Low "low");

impl ResetStyle {
    /// Name of the port of the reset.
    pub fn port(self) -> &'static str {
        match self {
            Self::High => RESET,
            Self::Low => RESET_LOW,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_back_and_others_refused() {
        for &style in Pipeline::ALL {
            assert_eq!(style.word().parse(), Ok(style));
        }
        for &style in QueueStyle::ALL {
            assert_eq!(style.word().parse(), Ok(style));
        }
        for &style in MuxStyle::ALL {
            assert_eq!(style.word().parse(), Ok(style));
        }
        for &style in PortStyle::ALL {
            assert_eq!(style.word().parse(), Ok(style));
        }
        for &style in ResetStyle::ALL {
            assert_eq!(style.word().parse(), Ok(style));
        }
        assert_eq!(Pipeline::ALL[0], Pipeline::default());
        let error = "fifo".parse::<QueueStyle>().unwrap_err().to_string();
        assert_eq!(error, "there is no queue style 'fifo'; use ram, registers, shift");
    }
}

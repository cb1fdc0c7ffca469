//! Interfaces of terminals whose words are of another width than the flits of the network.

use super::{FabricPlan, Parameters, PortStyle, Side, Signal};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use turnpike_base::nearest::Nearest;
use turnpike_network::flows::fits;
use turnpike_network::topology::{Terminal, Topology};

/// Widest word between two converters, in bits.
pub const MOST_BETWEEN: u32 = 4096;

/// Width of terminals, as a user says it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TerminalWidth {
    /// Name of the terminal, or a pattern, in which `*` stands for any letters.
    pub terminals: String,
    /// Bits of its `tdata`, 1 to 1024.
    pub bits: u32,
}

/// A text that says no width of terminals.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("use NAME=BITS, such as uart=8, or cpu*=64")]
pub struct NoTerminalWidth;

impl FromStr for TerminalWidth {
    type Err = NoTerminalWidth;

    fn from_str(text: &str) -> Result<Self, NoTerminalWidth> {
        let (terminals, bits) = text.rsplit_once('=').ok_or(NoTerminalWidth)?;
        let bits = bits.parse().map_err(|_| NoTerminalWidth)?;
        match terminals.is_empty() {
            true => Err(NoTerminalWidth),
            false => Ok(Self { terminals: terminals.to_owned(), bits }),
        }
    }
}

impl fmt::Display for TerminalWidth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.terminals, self.bits)
    }
}

/// Reason that terminals cannot have the widths that were asked for.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum InterfaceError {
    /// A name or pattern of no terminal.
    #[error("a width is for '{name}', and no terminal is called so{nearest}")]
    Terminal {
        /// Name or pattern that was given.
        name: String,
        /// Known name that may have been meant.
        nearest: Nearest,
    },
    /// A width outside its range.
    #[error("terminal {terminal}: width {bits} is out of range; use 1 to 1024")]
    Range {
        /// Name of the terminal.
        terminal: String,
        /// Width that was given.
        bits: u32,
    },
    /// Two widths for one terminal.
    #[error("terminal {terminal} has two widths, {first} and {second}; leave one out")]
    Twice {
        /// Name of the terminal.
        terminal: String,
        /// Width that was given first.
        first: u32,
        /// Width that was given after it.
        second: u32,
    },
    /// Shared ports, whose slices are all of one width.
    #[error(
        "terminals share the ports of the top module, so all are as wide as the network; give each \
         ports of its own (ports named)"
    )]
    Shared,
    /// A width of no whole bytes, beside `tkeep`.
    #[error("terminal {terminal}: tkeep needs whole bytes; use a multiple of 8, not {bits}")]
    Keep {
        /// Name of the terminal.
        terminal: String,
        /// Width that was given.
        bits: u32,
    },
    /// Widths of which none divides the other, without `tkeep`.
    #[error(
        "terminal {terminal}: of {bits} and {width}, the width of the network, neither divides the \
         other; tkeep must then say which bytes are data (keep)"
    )]
    Ratio {
        /// Name of the terminal.
        terminal: String,
        /// Width that was given.
        bits: u32,
        /// Width of the network.
        width: u32,
    },
    /// Widths that have no common multiple of moderate size.
    #[error(
        "terminal {terminal}: words of {between} bits would stand between its {bits} and the {width} \
         of the network, and {MOST_BETWEEN} are the most; use a width that shares more with {width}"
    )]
    Between {
        /// Name of the terminal.
        terminal: String,
        /// Width that was given.
        bits: u32,
        /// Width of the network.
        width: u32,
        /// The least common multiple of both.
        between: u32,
    },
}

/// Widths of terminals that are not that of the network.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Interfaces {
    widths: BTreeMap<Terminal, u32>,
}

impl Interfaces {
    /// The widths that are asked for; those that are the network's are none.
    pub fn new(
        topology: &dyn Topology,
        parameters: &Parameters,
        wishes: &[TerminalWidth],
    ) -> Result<Self, InterfaceError> {
        let topology = topology.intact().unwrap_or(topology);
        let names: Vec<(String, Terminal)> =
            topology.all_terminals().map(|t| (topology.place_label(t), t)).collect();
        let mut widths: BTreeMap<Terminal, u32> = BTreeMap::new();
        for TerminalWidth { terminals, bits } in wishes {
            let fitting = names.iter().filter(|(name, _)| fits(terminals, name));
            let mut any = false;
            for (name, terminal) in fitting {
                any = true;
                check(name, *bits, parameters)?;
                let first = *widths.entry(*terminal).or_insert(*bits);
                if first != *bits {
                    let terminal = name.clone();
                    return Err(InterfaceError::Twice { terminal, first, second: *bits });
                }
            }
            if !any {
                let nearest = Nearest::of(terminals, names.iter().map(|(name, _)| name.as_str()));
                return Err(InterfaceError::Terminal { name: terminals.clone(), nearest });
            }
        }
        widths.retain(|_, bits| *bits != parameters.width);
        match !widths.is_empty() && parameters.ports == PortStyle::Flat {
            true => Err(InterfaceError::Shared),
            false => Ok(Self { widths }),
        }
    }

    /// Whether every terminal is as wide as the network.
    pub fn is_empty(&self) -> bool {
        self.widths.is_empty()
    }

    /// The widths by name, as words of a command line: those of message classes are of one terminal.
    pub fn words(&self, topology: &dyn Topology) -> Vec<TerminalWidth> {
        let topology = topology.intact().unwrap_or(topology);
        let by_name: BTreeMap<String, u32> =
            self.widths.iter().map(|(&t, &bits)| (topology.place_label(t), bits)).collect();
        by_name.into_iter().map(|(terminals, bits)| TerminalWidth { terminals, bits }).collect()
    }
}

/// Whether a terminal may be so wide.
fn check(terminal: &str, bits: u32, parameters: &Parameters) -> Result<(), InterfaceError> {
    let (terminal, width) = (terminal.to_owned(), parameters.width);
    if !(1..=1024).contains(&bits) {
        return Err(InterfaceError::Range { terminal, bits });
    }
    if parameters.keep && !bits.is_multiple_of(8) {
        return Err(InterfaceError::Keep { terminal, bits });
    }
    let between = common_multiple(bits, width);
    if !parameters.keep && between != bits.max(width) {
        return Err(InterfaceError::Ratio { terminal, bits, width });
    }
    match between > MOST_BETWEEN {
        true => Err(InterfaceError::Between { terminal, bits, width, between }),
        false => Ok(()),
    }
}

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

/// The steps from words of `from` bits to words of `to`: by way of their least common multiple.
fn conversions(from: u32, to: u32) -> Vec<Conversion> {
    let between = common_multiple(from, to);
    let widen = Conversion::Widen { narrow: from, ratio: between / from };
    let narrow = Conversion::Narrow { narrow: to, ratio: between / to };
    let steps = [(between > from, widen), (between > to, narrow)];
    steps.into_iter().filter(|(is_needed, _)| *is_needed).map(|(_, step)| step).collect()
}

fn common_multiple(a: u32, b: u32) -> u32 {
    let (mut divisor, mut rest) = (a, b);
    while rest != 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    a / divisor * b
}

impl FabricPlan {
    /// Whether terminals of a network with these parameters can have these widths.
    ///
    /// # Errors
    /// [`InterfaceError`] with the first that cannot.
    pub fn check_widths(
        topology: &dyn Topology,
        parameters: &Parameters,
        widths: &[TerminalWidth],
    ) -> Result<(), InterfaceError> {
        Interfaces::new(topology, parameters, widths).map(drop)
    }

    /// Whether terminals have interfaces between the network and the ports of the top module.
    pub fn has_interfaces(&self) -> bool {
        !self.interfaces.is_empty()
    }

    /// Name of the module of the network: the top module, where there are no interfaces around it.
    pub fn network_name(&self) -> String {
        match self.has_interfaces() {
            true => format!("{}_network", self.name),
            false => self.name.clone(),
        }
    }

    /// Bits of a terminal's `tdata` at the ports of the top module.
    pub fn data_width(&self, terminal: Terminal) -> u32 {
        self.interfaces.widths.get(&terminal).copied().unwrap_or(self.parameters.width)
    }

    /// The conversions between a terminal and the network, in the order in which words pass them.
    pub fn conversions(&self, side: Side, terminal: Terminal) -> Vec<Conversion> {
        let (outer, inner) = (self.data_width(terminal), self.parameters.width);
        match side {
            Side::Source => conversions(outer, inner),
            Side::Sink => conversions(inner, outer),
        }
    }

    /// The signals of a terminal's stream at the ports of the top module.
    pub fn signals_of(&self, side: Side, terminal: Terminal) -> Vec<Signal> {
        let outer = self.data_width(terminal);
        let mut signals = self.signals(side);
        for signal in &mut signals {
            match signal.name {
                "data" => signal.width = outer,
                "keep" => signal.width = outer / 8,
                _ => {}
            }
        }
        signals
    }

    /// The widths of terminals that are not that of the network, by name.
    pub fn terminal_widths(&self) -> Vec<TerminalWidth> {
        self.interfaces.words(self.topology())
    }
}

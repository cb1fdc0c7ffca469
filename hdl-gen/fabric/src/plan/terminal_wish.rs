//! Wishes of users for terminals, by name: `uart=8`, `cpu*=fast_clk`, `mem=0x10`.

use super::interface_error::{InterfaceError, Wish};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use turnpike_base::names::is_basic;
use turnpike_base::nearest::Nearest;
use turnpike_base::numbers;
use turnpike_ends::Ends;
use turnpike_network::flows::fits;
use turnpike_network::topology::Terminal;

/// Width of terminals, as a user says it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TerminalWidth {
    /// Name of the terminal, or a pattern, in which `*` stands for any letters.
    pub terminals: String,
    /// Bits of its `tdata`, 1 to 1024.
    pub bits: u32,
}

/// Clock of terminals, as a user says it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TerminalClock {
    /// Name of the terminal, or a pattern, in which `*` stands for any letters.
    pub terminals: String,
    /// Name of the clock, that of an input of the top module; `clk` is the network's.
    pub clock: String,
}

/// Address of terminals, as a user says it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TerminalAddress {
    /// Name of the terminal, or a pattern, in which `*` stands for any letters.
    pub terminals: String,
    /// Address of the first of them, 0 to [`MOST_ADDRESS`](turnpike_network::description::MOST_ADDRESS);
    /// those of the others follow it.
    pub address: u32,
}

/// Wishes of a user for terminals.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TerminalWishes {
    /// Widths of some.
    pub widths: Vec<TerminalWidth>,
    /// Clocks of some.
    pub clocks: Vec<TerminalClock>,
    /// Addresses of some.
    pub addresses: Vec<TerminalAddress>,
    /// Stages of the synchronisers between two clocks, 2 to 4.
    pub sync_stages: u32,
    /// Cycles that the watchdog of counters waits, 0 to [`MOST_WATCHDOG`](super::counters::MOST_WATCHDOG);
    /// none: there are no counters.
    pub counters: Option<u32>,
    /// Flits that shapers have room for, at least, where they hold each source to the token buckets of its
    /// flows; none: there are no shapers.
    pub shaper: Option<u32>,
    /// Ends of terminals, where they are memory-mapped.
    pub ends: Option<Arc<Ends>>,
}

impl Default for TerminalWishes {
    fn default() -> Self {
        Self {
            widths: Vec::new(),
            clocks: Vec::new(),
            addresses: Vec::new(),
            sync_stages: Self::SYNC_STAGES,
            counters: None,
            shaper: None,
            ends: None,
        }
    }
}

impl TerminalWishes {
    /// Stages of synchronisers, where nothing else is asked for.
    pub const SYNC_STAGES: u32 = 2;

    /// Whether nothing is said of any terminal.
    pub fn is_empty(&self) -> bool {
        let Self { widths, clocks, addresses, sync_stages: _, counters, shaper, ends } = self;
        let none = widths.is_empty() && clocks.is_empty() && addresses.is_empty();
        none && counters.is_none() && shaper.is_none() && ends.is_none()
    }
}

/// A text that says no width of terminals.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("use NAME=BITS, such as uart=8, or cpu*=64")]
pub struct NoTerminalWidth;

/// A text that says no clock of terminals.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "use NAME=CLOCK, such as uart=slow_clk; a clock is called by the input that it becomes: a letter, then \
     letters, digits and single underscores, and no keyword"
)]
pub struct NoTerminalClock;

/// A text that says no address of terminals.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("use NAME=ADDRESS, such as mem=16, or mem=0x10")]
pub struct NoTerminalAddress;

/// A name and what is said of it.
fn split(text: &str) -> Option<(String, &str)> {
    let (terminals, value) = text.rsplit_once('=')?;
    (!terminals.is_empty()).then(|| (terminals.to_owned(), value))
}

impl FromStr for TerminalWidth {
    type Err = NoTerminalWidth;

    fn from_str(text: &str) -> Result<Self, NoTerminalWidth> {
        let (terminals, bits) = split(text).ok_or(NoTerminalWidth)?;
        let bits = bits.parse().map_err(|_| NoTerminalWidth)?;
        Ok(Self { terminals, bits })
    }
}

impl FromStr for TerminalClock {
    type Err = NoTerminalClock;

    fn from_str(text: &str) -> Result<Self, NoTerminalClock> {
        let (terminals, clock) = split(text).ok_or(NoTerminalClock)?;
        match is_basic(clock) {
            true => Ok(Self { terminals, clock: clock.to_owned() }),
            false => Err(NoTerminalClock),
        }
    }
}

impl FromStr for TerminalAddress {
    type Err = NoTerminalAddress;

    fn from_str(text: &str) -> Result<Self, NoTerminalAddress> {
        let (terminals, address) = split(text).ok_or(NoTerminalAddress)?;
        let address = numbers::address(address).ok_or(NoTerminalAddress)?;
        Ok(Self { terminals, address })
    }
}

impl fmt::Display for TerminalWidth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.terminals, self.bits)
    }
}

impl fmt::Display for TerminalClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.terminals, self.clock)
    }
}

impl fmt::Display for TerminalAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.terminals, self.address)
    }
}

/// Values of terminals, by patterns of their names.
///
/// # Errors
/// [`InterfaceError`] for a pattern of no terminal, or two unlike values for one; what `check` says.
pub(super) fn by_terminal<V: Clone + PartialEq + ToString>(
    names: &[(String, Terminal)],
    what: Wish,
    wishes: impl Iterator<Item = (String, V)>,
    check: impl Fn(&str, &V) -> Result<(), InterfaceError>,
) -> Result<BTreeMap<Terminal, V>, InterfaceError> {
    let mut found: BTreeMap<Terminal, V> = BTreeMap::new();
    for (pattern, value) in wishes {
        let mut any = false;
        for (name, terminal) in names.iter().filter(|(name, _)| fits(&pattern, name)) {
            any = true;
            check(name, &value)?;
            let first = found.entry(*terminal).or_insert_with(|| value.clone());
            if *first != value {
                let (terminal, first, second) =
                    (name.clone(), first.to_string(), value.to_string());
                return Err(InterfaceError::Twice { terminal, what, first, second });
            }
        }
        if !any {
            let nearest = Nearest::of(&pattern, names.iter().map(|(name, _)| name.as_str()));
            return Err(InterfaceError::Terminal { name: pattern, what, nearest });
        }
    }
    Ok(found)
}

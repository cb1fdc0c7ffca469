//! Options of what stands between the network and the ports of its terminals.

use super::values;
use clap::{ArgAction, Args};
use turnpike_fabric::plan::counters::MOST_WATCHDOG;
use turnpike_fabric::plan::{TerminalAddress, TerminalClock, TerminalWidth, TerminalWishes};

/// Widths, clocks and addresses of terminals, and counters and shapers at them.
#[derive(Args, Clone, Debug)]
pub struct TerminalOptions {
    /// Bits of tdata of a terminal, where not those of --width: cpu=64; * stands for any letters
    #[arg(long, value_name = "NAME=BITS", value_delimiter = ',')]
    pub terminal_width: Vec<TerminalWidth>,
    /// Clock of a terminal, where not clk, by the name that its port gets: uart=slow_clk; * stands for
    /// any letters
    #[arg(long, value_name = "NAME=CLOCK", value_delimiter = ',')]
    pub terminal_clock: Vec<TerminalClock>,
    /// Address of a terminal on tdest and tid, where not its number: mem=16, or mem=0x10; those of several,
    /// cpu*=32, follow each other
    #[arg(long, value_name = "NAME=ADDRESS", value_delimiter = ',')]
    pub terminal_address: Vec<TerminalAddress>,
    /// Flip-flops of each synchroniser between two clocks, 2 to 4
    #[arg(long, value_name = "N", allow_hyphen_values = true, default_value = "2",
          value_parser = values::whole)]
    pub sync_stages: u32,
    /// Add counters of flits and waits at each terminal, read over AXI4-Lite, and a watchdog
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = false,
          default_missing_value = "true", action = ArgAction::Set, value_name = "BOOL", hide_possible_values = true)]
    pub counters: bool,
    /// Cycles that a flit waits at a terminal before the watchdog raises hang, 0 (never) to 65535; software
    /// may set another
    #[arg(long, value_name = "CYCLES", allow_hyphen_values = true, default_value_t = MOST_WATCHDOG,
          value_parser = values::whole)]
    pub watchdog: u32,
    /// Hold each source to the token buckets of its flows, bandwidth and burst, so that the bounds of
    /// analyze --bounds hold whatever the sources do
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = false,
          default_missing_value = "true", action = ArgAction::Set, value_name = "BOOL", hide_possible_values = true)]
    pub shaper: bool,
    /// Flits that each shaper has room for, at least, 0 to 65536: two packets of the longest have room at any
    /// rate; analyze --bounds says what is needed
    #[arg(long, value_name = "FLITS", allow_hyphen_values = true, default_value = "0",
          value_parser = values::whole)]
    pub shaper_room: u32,
}

impl TerminalOptions {
    /// Wishes for terminals.
    pub fn wishes(&self) -> TerminalWishes {
        TerminalWishes {
            widths: self.terminal_width.clone(),
            clocks: self.terminal_clock.clone(),
            addresses: self.terminal_address.clone(),
            sync_stages: self.sync_stages,
            counters: self.counters.then_some(self.watchdog),
            shaper: self.shaper.then_some(self.shaper_room),
            ends: None,
        }
    }
}

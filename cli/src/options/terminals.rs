//! Options of terminals that are not as the network is.

use super::values;
use clap::Args;
use turnpike_fabric::plan::{TerminalClock, TerminalWidth, TerminalWishes};

/// Widths and clocks of terminals.
#[derive(Args, Clone, Debug)]
pub struct TerminalOptions {
    /// Bits of tdata of a terminal, where not those of --width: cpu=64; * stands for any letters
    #[arg(long, value_name = "NAME=BITS", value_delimiter = ',')]
    pub terminal_width: Vec<TerminalWidth>,
    /// Clock of a terminal, where not clk, by the name that its port gets: uart=slow_clk; * stands for
    /// any letters
    #[arg(long, value_name = "NAME=CLOCK", value_delimiter = ',')]
    pub terminal_clock: Vec<TerminalClock>,
    /// Flip-flops of each synchroniser between two clocks, 2 to 4
    #[arg(long, value_name = "N", allow_hyphen_values = true, default_value = "2",
          value_parser = values::whole)]
    pub sync_stages: u32,
}

impl TerminalOptions {
    /// Wishes for terminals.
    pub fn wishes(&self) -> TerminalWishes {
        TerminalWishes {
            widths: self.terminal_width.clone(),
            clocks: self.terminal_clock.clone(),
            sync_stages: self.sync_stages,
        }
    }
}

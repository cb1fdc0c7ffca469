//! `turnpike simulate`: its options.

use crate::format::FormatOption;
use crate::options::{FabricOptions, values};
use clap::{ArgAction, Args, ValueEnum};
use std::path::PathBuf;

/// What drives the terminals.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Traffic {
    /// Every destination alike.
    #[default]
    Uniform,
    /// The halves of the address change places.
    Transpose,
    /// Every bit of the address inverted.
    BitComplement,
    /// The bits of the address in reverse.
    BitReversal,
    /// One random destination per source.
    Permutation,
    /// Every ordered pair once.
    AllPairs,
    /// A share to few nodes, the rest uniform.
    Hotspot,
}

/// What runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Engine {
    /// The software reference router.
    #[default]
    Reference,
    /// The RTL, in rust-hdl.
    Rtl,
    /// The emitted Verilog, under Verilator.
    Verilator,
}

/// Options of `simulate`.
#[derive(Args, Clone, Debug)]
pub struct SimulateOptions {
    /// The fabric.
    #[command(flatten)]
    pub fabric: FabricOptions,
    /// What drives the terminals: uniform, transpose, bit-complement, bit-reversal,
    /// permutation, all-pairs or hotspot
    #[arg(long, value_enum, default_value_t, hide_possible_values = true)]
    pub traffic: Traffic,
    /// Packets from a CSV file (cycle, source, destination, flits) in place of --traffic
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Flits offered per terminal and cycle, 0 to 1
    #[arg(long, value_name = "LOAD", allow_hyphen_values = true, default_value = "0.1",
          value_parser = values::share)]
    pub load: f64,
    /// Flits of a packet
    #[arg(long, value_name = "FLITS", allow_hyphen_values = true, default_value = "1",
          value_parser = values::positive)]
    pub packet_length: u32,
    /// Seed of everything random
    #[arg(long, value_name = "SEED", allow_hyphen_values = true, default_value = "1",
          value_parser = values::long)]
    pub seed: u64,
    /// Cycles measured
    #[arg(long, value_name = "CYCLES", allow_hyphen_values = true, default_value = "10000",
          value_parser = values::long)]
    pub cycles: u64,
    /// Cycles before those, not measured
    #[arg(long, value_name = "CYCLES", allow_hyphen_values = true, default_value = "1000",
          value_parser = values::long)]
    pub warmup: u64,
    /// Whether packets to their own source are drawn; they are where left out
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = true,
          default_missing_value = "true", action = ArgAction::Set, value_name = "BOOL",
          hide_possible_values = true, overrides_with = "no_self_addressed")]
    pub self_addressed: bool,
    /// The same as --self-addressed=false
    #[arg(long, overrides_with = "self_addressed")]
    pub no_self_addressed: bool,
    /// Labels of the nodes that hotspot traffic goes to, with commas between; node 0 where
    /// left out
    #[arg(long, value_name = "LABELS", value_delimiter = ',')]
    pub hotspot: Vec<String>,
    /// Share of the packets that goes to them, 0 to 1
    #[arg(long, value_name = "SHARE", allow_hyphen_values = true, default_value = "0.5",
          value_parser = values::share)]
    pub hotspot_share: f64,
    /// What runs: reference, rtl or verilator
    #[arg(long, value_enum, default_value_t, hide_possible_values = true)]
    pub engine: Engine,
    /// Write the waveform there
    #[arg(long, value_name = "FILE")]
    pub vcd: Option<PathBuf>,
    /// How to report.
    #[command(flatten)]
    pub format: FormatOption,
}

impl SimulateOptions {
    /// Whether packets to their own source are drawn.
    pub fn draws_self_addressed(&self) -> bool {
        self.self_addressed && !self.no_self_addressed
    }
}

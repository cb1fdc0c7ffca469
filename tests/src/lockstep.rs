//! Lockstep: a fabric's emitted Verilog under Verilator, one digest of its terminals a
//! cycle, to be compared with those of the reference router and of the rust-hdl `Dut`.
//!
//! The stimulus is a text, and what follows from it (when a source waits, when a sink is
//! ready, what a beat carries) is given by formulas that are written twice: in `sim` in
//! Rust and in `tests/tools/lockstep_main.cpp`. The two share nothing but the formulas.

use std::fs;
use std::time::Duration;

use crate::report::Report;
use crate::sources::Sources;
use crate::tools::helper;
use crate::verilator::{BuildOptions, Executable, Verilator};

/// The shape of a fabric's flattened terminals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terminals {
    /// How many.
    pub count: usize,
    /// Bits of `tdata`.
    pub width: usize,
    /// Bits of `tdest`.
    pub address: usize,
    /// Whether outputs carry `tid`.
    pub source_id: bool,
}

/// A fabric under Verilator that prints digests.
#[derive(Debug)]
pub struct Lockstep {
    simulator: Executable,
}

impl Lockstep {
    /// Builds the fabric `sources.top`.
    ///
    /// # Errors
    /// The report, where Verilator warns or the compiler fails.
    pub fn build(
        verilator: &Verilator,
        sources: &Sources,
        terminals: Terminals,
    ) -> Result<Self, Box<Report>> {
        let mut defines = vec![
            ("TERMINALS".to_owned(), terminals.count.to_string()),
            ("WIDTH".to_owned(), terminals.width.to_string()),
            ("ADDRESS_BITS".to_owned(), terminals.address.to_string()),
        ];
        if terminals.source_id {
            defines.push(("SOURCE_ID".to_owned(), "1".to_owned()));
        }
        let options = BuildOptions { defines, ..BuildOptions::default() };
        let simulator = verilator.build(sources, &helper("lockstep_main.cpp"), &options)?;
        Ok(Lockstep { simulator })
    }

    /// Runs a stimulus; gives the digest of each cycle.
    ///
    /// # Errors
    /// What went wrong: a stimulus that cannot be read, a crash, the time limit.
    pub fn run(&self, stimulus: &str, limit: Duration) -> Result<Vec<u64>, String> {
        let file = self.simulator.folder().join("stimulus.txt");
        fs::write(&file, stimulus).map_err(|error| error.to_string())?;
        let run = self.simulator.run(&["stimulus.txt"], limit);
        if !run.success() {
            return Err(format!("{}: {}", run.ending(), run.stderr.trim_end()));
        }
        let digest = |line: &str| u64::from_str_radix(line, 16).map_err(|e| format!("{line}: {e}"));
        run.stdout.lines().map(digest).collect()
    }
}

//! Lockstep: a fabric's emitted Verilog under Verilator, one digest of its terminals a
//! cycle, to be compared with those of the reference router and of the rust-hdl `Dut`.
//!
//! The C++ harness is that of `turnpike simulate --engine verilator`: see
//! [`turnpike_sim_bench::verilated`].

use std::fs;
use std::time::Duration;

pub use turnpike_sim_bench::verilated::{Digests, Terminals};
use turnpike_sim_bench::verilated::{HARNESS, write_harness};

use crate::report::Report;
use crate::sources::Sources;
use crate::verilator::{BuildOptions, Executable, Verilator};

/// A fabric under Verilator that prints digests.
#[derive(Debug)]
pub struct Lockstep {
    simulator: Executable,
}

impl Lockstep {
    /// Builds the fabric `sources.top`, with the macros of its terminals.
    ///
    /// # Errors
    /// The report, where Verilator warns or the compiler fails.
    pub fn build(
        verilator: &Verilator,
        sources: &Sources,
        defines: Vec<(String, String)>,
    ) -> Result<Self, Box<Report>> {
        let options = BuildOptions { defines, ..BuildOptions::default() };
        let harness = tempfile::tempdir().expect("a temporary folder can be made");
        write_harness(harness.path()).expect("a file can be written");
        let main = harness.path().join(HARNESS[0].0);
        let simulator = verilator.build(sources, &main, &options)?;
        Ok(Lockstep { simulator })
    }

    /// Runs a stimulus, in the text that `Stimulus::write` of `sim` writes.
    ///
    /// # Errors
    /// What went wrong: a stimulus that cannot be read or does not fit, a terminal that is
    /// ready or valid under reset or flags an error then, a crash, the time limit.
    pub fn run(&self, stimulus: &str, cycles: u64, limit: Duration) -> Result<Digests, String> {
        let file = self.simulator.folder().join("stimulus.txt");
        fs::write(&file, stimulus).map_err(|error| error.to_string())?;
        let run = self.simulator.run(&["stimulus.txt", &cycles.to_string()], limit);
        if !run.success() {
            return Err(format!("{}: {}", run.ending(), run.stderr.trim_end()));
        }
        Digests::parse(&run.stdout)
    }
}

//! Lockstep: a fabric's emitted Verilog under Verilator, one digest of its terminals a
//! cycle, to be compared with those of the reference router and of the rust-hdl `Dut`.
//!
//! The stimulus is a text, and what follows from it (when a source pauses, when a sink is
//! ready, what a beat carries) is given by formulas that are written twice: in Rust in
//! `sim/src/stimulus` and in C++ in `tests/tools`. The two share nothing but the formulas.

use std::fs;
use std::time::Duration;

use crate::report::Report;
use crate::sources::Sources;
use crate::tools::helper;
use crate::verilator::{BuildOptions, Executable, Verilator};

/// The shape of a fabric's flattened terminals: how many, and the bits of their fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terminals {
    /// How many.
    pub count: usize,
    /// Bits of `tdata`.
    pub data: usize,
    /// Bits of `tdest`.
    pub address: usize,
    /// Bits of `tkeep`, 0 where there is none.
    pub keep: usize,
    /// Bits of `tuser`, 0 where there is none.
    pub user: usize,
    /// Bits of `tid` at the outputs, 0 where there is none.
    pub id: usize,
}

/// A fabric under Verilator that prints digests.
#[derive(Debug)]
pub struct Lockstep {
    simulator: Executable,
}

/// What a run printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digests {
    /// The digest of each cycle, from the first with `rst` low.
    pub digests: Vec<u64>,
    /// Flits that the fabric accepted.
    pub accepted: u64,
    /// Flits that sinks took.
    pub delivered: u64,
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
        let Terminals { count, data, address, keep, user, id } = terminals;
        let always = [("TERMINALS", count), ("DATA_BITS", data), ("ADDRESS_BITS", address)];
        let optional = [("KEEP_BITS", keep), ("USER_BITS", user), ("ID_BITS", id)];
        let defines = always.into_iter().chain(optional.into_iter().filter(|(_, bits)| *bits > 0));
        let options = BuildOptions {
            defines: defines.map(|(name, value)| (name.to_owned(), value.to_string())).collect(),
            ..BuildOptions::default()
        };
        let simulator = verilator.build(sources, &helper("lockstep_main.cpp"), &options)?;
        Ok(Lockstep { simulator })
    }

    /// Runs a stimulus, in the text that `Stimulus::write` of `sim` writes.
    ///
    /// # Errors
    /// What went wrong: a stimulus that cannot be read or does not fit, a terminal that is
    /// ready or valid under reset, an `s_axis_error`, a crash, the time limit.
    pub fn run(&self, stimulus: &str, cycles: u64, limit: Duration) -> Result<Digests, String> {
        let file = self.simulator.folder().join("stimulus.txt");
        fs::write(&file, stimulus).map_err(|error| error.to_string())?;
        let run = self.simulator.run(&["stimulus.txt", &cycles.to_string()], limit);
        if !run.success() {
            return Err(format!("{}: {}", run.ending(), run.stderr.trim_end()));
        }
        parse(&run.stdout)
    }
}

fn parse(output: &str) -> Result<Digests, String> {
    let mut lines: Vec<&str> = output.lines().collect();
    let last = lines.pop().unwrap_or_default();
    let totals = last.strip_prefix("accepted ").and_then(|rest| rest.split_once(" delivered "));
    let number = |text: &str| text.parse::<u64>().map_err(|error| format!("{last}: {error}"));
    let (accepted, delivered) = totals.ok_or_else(|| format!("no totals: `{last}`"))?;
    let (accepted, delivered) = (number(accepted)?, number(delivered)?);
    let digest = |line: &&str| u64::from_str_radix(line, 16).map_err(|e| format!("{line}: {e}"));
    let digests = lines.iter().map(digest).collect::<Result<_, _>>()?;
    Ok(Digests { digests, accepted, delivered })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_is_read_or_refused() {
        let wanted = Digests { digests: vec![1, u64::MAX], accepted: 3, delivered: 2 };
        let text = "0000000000000001\nffffffffffffffff\naccepted 3 delivered 2\n";
        assert_eq!(parse(text), Ok(wanted));
        assert!(parse("0000000000000001\n").unwrap_err().starts_with("no totals"));
        assert!(parse("zz\naccepted 3 delivered 2\n").unwrap_err().starts_with("zz"));
    }
}

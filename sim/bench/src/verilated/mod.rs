//! Lockstep under Verilator: a fabric's emitted Verilog, driven by a [`Stimulus`], with one
//! digest of its terminals a cycle, to be compared with those of the reference router and of
//! the netlist.
//!
//! The stimulus is a text, and what follows from it (when a source pauses, when a sink is
//! ready, what a beat carries) is given by formulas that are written twice: in Rust in
//! [`turnpike_sim_network::stimulus`] and in C++ beside this file. The two share nothing but the formulas.

mod build;
mod compile;
mod find;
mod kept;

pub use build::{Simulator, VerilatedError};
pub use find::Verilator;
pub use kept::Builds;

use std::path::Path;
use std::{fs, io};
use turnpike_fabric::plan::{FabricPlan, Side};
use turnpike_network::topology::Terminal;

/// The C++ harness, file by file; the main comes first.
pub const HARNESS: &[(&str, &str)] = &[
    ("lockstep_main.cpp", include_str!("lockstep_main.cpp")),
    ("stimulus.h", include_str!("stimulus.h")),
    ("port_bits.h", include_str!("port_bits.h")),
    ("hash.h", include_str!("hash.h")),
];

/// Writes the C++ harness into a folder.
///
/// # Errors
/// What the system says.
pub fn write_harness(folder: &Path) -> io::Result<()> {
    HARNESS.iter().try_for_each(|(name, text)| fs::write(folder.join(name), text))
}

/// The shape of a fabric's flattened terminals: how many, and the bits of their fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terminals {
    /// Number of addresses.
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

impl Terminals {
    /// Terminals of a plan's fabric.
    pub fn of(plan: &FabricPlan) -> Self {
        let (topology, p) = (plan.topology(), plan.parameters);
        let address = topology.address_bits() as usize;
        Self {
            count: topology.terminals() as usize,
            data: p.width as usize,
            address,
            keep: p.keep_width() as usize,
            user: p.user_width as usize,
            id: if p.source_id { address } else { 0 },
        }
    }

    /// The macros that the harness is built with: name and value.
    pub fn defines(&self) -> Vec<(String, String)> {
        let Self { count, data, address, keep, user, id } = *self;
        let always = [("TERMINALS", count), ("DATA_BITS", data), ("ADDRESS_BITS", address)];
        let optional = [("KEEP_BITS", keep), ("USER_BITS", user), ("ID_BITS", id)];
        let there = optional.into_iter().filter(|(_, bits)| *bits > 0);
        let all = always.into_iter().chain(there);
        all.map(|(name, value)| (name.to_owned(), value.to_string())).collect()
    }
}

/// The macros that the harness of a plan's fabric is built with: those of its terminals' shape,
/// and where not every terminal has both ports the slices that they have.
pub fn defines(plan: &FabricPlan) -> Vec<(String, String)> {
    let mut all = Terminals::of(plan).defines();
    let terminals = || (0..plan.topology().terminals()).map(Terminal);
    let sources: Vec<_> = terminals().map(|t| plan.slice(Side::Source, t)).collect();
    let sinks: Vec<_> = terminals().map(|t| plan.slice(Side::Sink, t)).collect();
    if sources.iter().chain(&sinks).any(Option::is_none) {
        let number = |slice: Option<u32>| slice.map_or("-1".to_owned(), |slice| slice.to_string());
        for (name, slices) in [("SOURCE_SLICES", sources), ("SINK_SLICES", sinks)] {
            let list: Vec<String> = slices.into_iter().map(number).collect();
            all.push((name.to_owned(), list.join(",")));
        }
    }
    all
}

/// Digests that a run printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digests {
    /// The digest of each cycle, from the first with `rst` low.
    pub digests: Vec<u64>,
    /// Flits that the fabric accepted.
    pub accepted: u64,
    /// Flits that sinks took.
    pub delivered: u64,
}

impl Digests {
    /// Reads what the harness prints.
    ///
    /// # Errors
    /// The line that is not as it should be.
    pub fn parse(output: &str) -> Result<Self, String> {
        let mut lines: Vec<&str> = output.lines().collect();
        let last = lines.pop().unwrap_or_default();
        let totals = last.strip_prefix("accepted ").and_then(|rest| rest.split_once(" delivered "));
        let number = |text: &str| text.parse::<u64>().map_err(|error| format!("{last}: {error}"));
        let (accepted, delivered) = totals.ok_or_else(|| format!("no totals: `{last}`"))?;
        let (accepted, delivered) = (number(accepted)?, number(delivered)?);
        let digest =
            |line: &&str| u64::from_str_radix(line, 16).map_err(|e| format!("{line}: {e}"));
        let digests = lines.iter().map(digest).collect::<Result<_, _>>()?;
        Ok(Self { digests, accepted, delivered })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_is_read_or_refused() {
        let wanted = Digests { digests: vec![1, u64::MAX], accepted: 3, delivered: 2 };
        let text = "0000000000000001\nffffffffffffffff\naccepted 3 delivered 2\n";
        assert_eq!(Digests::parse(text), Ok(wanted));
        assert!(Digests::parse("0000000000000001\n").unwrap_err().starts_with("no totals"));
        assert!(Digests::parse("zz\naccepted 3 delivered 2\n").unwrap_err().starts_with("zz"));
    }
}

//! Kinds of fabric behind one trait: packets in queues ([`FabricPlan`](turnpike_fabric::plan::FabricPlan)),
//! circuits ([`CircuitPlan`](turnpike_circuit::plan::CircuitPlan)), words by a time table
//! ([`SlottedPlan`](turnpike_slotted::SlottedPlan)) and busses ([`BusPlan`](turnpike_bus::BusPlan)). A command that works on any fabric asks this trait, and not
//! which kind it is. A new kind is one file here.

mod bus;
mod circuit;
mod slotted;
mod switched;

use turnpike_emit::origin::Origin;
use turnpike_emit::whole::Folder;
use turnpike_emit::{EmitError, Vlnv};
use turnpike_fabric::board::Board;
use turnpike_netlist::{Design, RtlError};
use turnpike_sim_bench::verify::Check;

/// A fabric of some kind: what is built, what stands beside it, and what is checked.
pub trait Fabric {
    /// Kind of the fabric: `switched`, `circuit`, `slotted` or `bus`.
    fn kind(&self) -> &'static str;
    /// Name of the fabric: its module, and the prefix of its other modules and files.
    fn name(&self) -> &str;
    /// Configuration in its canonical form: the words after `turnpike generate` that make the fabric.
    fn canonical(&self) -> String;
    /// Configuration and files that the fabric was made of, as its manifest says them.
    fn origin(&self) -> Origin;
    /// Terminals, those of failed nodes among them.
    fn terminals(&self) -> u32;
    /// Netlist of the whole fabric.
    ///
    /// # Errors
    /// [`RtlError`] never, unless a builder is wrong.
    fn design(&self) -> Result<Design, RtlError>;
    /// Folder of the fabric with a self-test on `board`, and a FuseSoC core of this vendor, library and
    /// version.
    ///
    /// # Errors
    /// [`EmitError::Selftest`] where there is no room for a self-test.
    fn folder(&self, board: Option<&Board>, vlnv: &Vlnv) -> Result<Folder, EmitError>;
    /// Whether the kind has a self-test for boards.
    fn has_selftest(&self) -> bool {
        true
    }
    /// Names of the checks, in the order in which [`Fabric::check`] makes them.
    fn checks(&self) -> Vec<&'static str>;
    /// Makes every check. `begin` hears of each before it is made.
    fn check(&self, begin: &mut dyn FnMut(&'static str)) -> Vec<Check>;
}

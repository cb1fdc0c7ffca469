//! Slotted fabrics: words that go by a time table, no queues.

use crate::Fabric;
use turnpike_emit::origin::Origin;
use turnpike_emit::whole::Folder;
use turnpike_emit::{EmitError, Vlnv};
use turnpike_fabric::board::Board;
use turnpike_netlist::{Design, RtlError};
use turnpike_sim_bench::verify::Check;
use turnpike_sim_bench::verify::slotted::{SLOTTED_CHECKS, run_slotted};
use turnpike_slotted::SlottedPlan;
use turnpike_slotted::rtl::slotted;

impl Fabric for SlottedPlan {
    fn kind(&self) -> &'static str {
        "slotted"
    }
    fn name(&self) -> &str {
        &self.name
    }
    fn canonical(&self) -> String {
        SlottedPlan::canonical(self)
    }
    fn origin(&self) -> Origin {
        Origin::of_slotted(self)
    }
    fn terminals(&self) -> u32 {
        self.over().topology().terminals()
    }
    fn design(&self) -> Result<Design, RtlError> {
        slotted(self)
    }
    /// Folder without a self-test, whatever the board: see [`Fabric::has_selftest`].
    fn folder(&self, _board: Option<&Board>, vlnv: &Vlnv) -> Result<Folder, EmitError> {
        turnpike_emit::slotted::render(self, vlnv)
    }
    fn has_selftest(&self) -> bool {
        false
    }
    fn checks(&self) -> Vec<&'static str> {
        SLOTTED_CHECKS.to_vec()
    }
    fn check(&self, begin: &mut dyn FnMut(&'static str)) -> Vec<Check> {
        run_slotted(self, begin)
    }
}

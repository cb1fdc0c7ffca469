//! Switched fabrics: packets, in queues.

use crate::Fabric;
use turnpike_emit::formal::Proofs;
use turnpike_emit::origin::Origin;
use turnpike_emit::{EmitError, File, Vlnv};
use turnpike_fabric::board::Board;
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::rtl::fabric::fabric;
use turnpike_netlist::{Design, RtlError};
use turnpike_sim_bench::verify::{self, CHECKS, Check};

impl Fabric for FabricPlan {
    fn kind(&self) -> &'static str {
        "switched"
    }
    fn name(&self) -> &str {
        &self.name
    }
    fn canonical(&self) -> String {
        FabricPlan::canonical(self)
    }
    fn origin(&self) -> Origin {
        Origin::of(self)
    }
    fn terminals(&self) -> u32 {
        self.topology().terminals()
    }
    fn design(&self) -> Result<Design, RtlError> {
        fabric(self)
    }
    fn files(&self, board: Option<&Board>, vlnv: &Vlnv) -> Result<Vec<File>, EmitError> {
        turnpike_emit::render(self, board, vlnv)
    }
    fn proofs(&self) -> Result<Proofs, EmitError> {
        turnpike_emit::proofs(self)
    }
    fn checks(&self) -> &'static [&'static str] {
        &CHECKS
    }
    fn check(&self, begin: &mut dyn FnMut(&'static str)) -> Vec<Check> {
        verify::run(self, begin)
    }
}

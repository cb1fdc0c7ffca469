//! Switched fabrics: packets, in queues.

use crate::Fabric;
use turnpike_emit::origin::Origin;
use turnpike_emit::whole::Folder;
use turnpike_emit::{EmitError, Vlnv};
use turnpike_fabric::board::Board;
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::rtl::interface;
use turnpike_netlist::{Design, RtlError};
use turnpike_sim_bench::verify::{self, Check};

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
        interface::design(self)
    }
    fn folder(&self, board: Option<&Board>, vlnv: &Vlnv) -> Result<Folder, EmitError> {
        turnpike_emit::render(self, board, vlnv)
    }
    fn checks(&self) -> Vec<&'static str> {
        verify::checks_of(self)
    }
    fn check(&self, begin: &mut dyn FnMut(&'static str)) -> Vec<Check> {
        verify::run(self, begin)
    }
}

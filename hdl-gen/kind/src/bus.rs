//! Bus fabrics: shared media in time slots, where words collide.

use crate::Fabric;
use turnpike_bus::BusPlan;
use turnpike_bus::rtl::fabric;
use turnpike_emit::origin::Origin;
use turnpike_emit::whole::Folder;
use turnpike_emit::{EmitError, Vlnv};
use turnpike_fabric::board::Board;
use turnpike_netlist::{Design, RtlError};
use turnpike_sim_bench::verify::Check;
use turnpike_sim_bench::verify::bus::{BUS_CHECKS, run_bus};

impl Fabric for BusPlan {
    fn kind(&self) -> &'static str {
        "bus"
    }
    fn name(&self) -> &str {
        &self.name
    }
    fn canonical(&self) -> String {
        BusPlan::canonical(self)
    }
    fn origin(&self) -> Origin {
        Origin::of_bus(self)
    }
    fn terminals(&self) -> u32 {
        BusPlan::terminals(self)
    }
    fn design(&self) -> Result<Design, RtlError> {
        fabric(self)
    }
    fn folder(&self, board: Option<&Board>, vlnv: &Vlnv) -> Result<Folder, EmitError> {
        turnpike_emit::bus::render(self, board, vlnv)
    }
    fn checks(&self) -> Vec<&'static str> {
        BUS_CHECKS.to_vec()
    }
    fn check(&self, begin: &mut dyn FnMut(&'static str)) -> Vec<Check> {
        run_bus(self, begin)
    }
}

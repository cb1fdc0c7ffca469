//! Circuit fabrics: settings that are known beforehand, no queues.

use crate::Fabric;
use turnpike_circuit::plan::CircuitPlan;
use turnpike_circuit::rtl::circuit;
use turnpike_emit::origin::Origin;
use turnpike_emit::whole::Folder;
use turnpike_emit::{EmitError, Vlnv};
use turnpike_fabric::board::Board;
use turnpike_netlist::{Design, RtlError};
use turnpike_sim_bench::verify::Check;
use turnpike_sim_bench::verify::circuit::{CIRCUIT_CHECKS, run_circuit};

impl Fabric for CircuitPlan {
    fn kind(&self) -> &'static str {
        "circuit"
    }
    fn name(&self) -> &str {
        &self.name
    }
    fn canonical(&self) -> String {
        CircuitPlan::canonical(self)
    }
    fn origin(&self) -> Origin {
        Origin::of_circuit(self)
    }
    fn terminals(&self) -> u32 {
        CircuitPlan::terminals(self)
    }
    fn design(&self) -> Result<Design, RtlError> {
        circuit(self)
    }
    /// Folder without a self-test, whatever the board: see [`Fabric::has_selftest`].
    fn folder(&self, _board: Option<&Board>, vlnv: &Vlnv) -> Result<Folder, EmitError> {
        turnpike_emit::circuit::render(self, vlnv)
    }
    fn has_selftest(&self) -> bool {
        false
    }
    fn checks(&self) -> Vec<&'static str> {
        CIRCUIT_CHECKS.to_vec()
    }
    fn check(&self, begin: &mut dyn FnMut(&'static str)) -> Vec<Check> {
        run_circuit(self, begin)
    }
}

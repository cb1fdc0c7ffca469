//! Emission of circuit fabrics: as [`crate::render`] does it of switched ones.

mod cycles;
mod formal;
mod manifest;
mod testbench;
mod vectors;

pub use vectors::{Vectors, draw};

use crate::part::ModuleGroup;
use crate::whole::{Folder, Whole};
use crate::{EmitError, Vlnv};
use turnpike_circuit::plan::CircuitPlan;
use turnpike_circuit::rtl::circuit;

/// Folder of a circuit fabric with a FuseSoC core of this vendor, library and
/// version.
///
/// # Errors
/// [`EmitError`] never, unless Turnpike is wrong.
pub fn render(plan: &CircuitPlan, vlnv: &Vlnv) -> Result<Folder, EmitError> {
    let name = &plan.name;
    let design = circuit(plan)?;
    let own = ModuleGroup::new(plan.canonical(), None, design.modules().to_vec());
    let vectors = Vectors::of(plan);
    let recording = cycles::record(plan);
    let about = [
        "Self-checking testbench: random words, in every slot, and pauses; then what the reference",
        "model does, cycle for cycle. Ends with PASS or FAIL.",
    ];
    let heading = own.heading(&format!("{name}_tb"), &about);
    let whole = Whole {
        what: "Turnpike circuit fabric",
        design: &design,
        network: &design,
        own: &own,
        testbench: testbench::render(plan, &design, &vectors, &recording, heading)?,
        data: [vectors.files(name), vec![recording.file(name)]].concat(),
        given: Vec::new(),
        selftest: None,
        proofs: formal::proofs(plan, &own)?,
        terminals: None,
        ends: None,
        cocotb: None,
        fields: manifest::fields(plan),
    };
    whole.folder(vlnv)
}

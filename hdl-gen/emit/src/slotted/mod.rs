//! Emission of slotted fabrics: as [`crate::render`] does it of switched ones.

mod cycles;
mod formal;
mod manifest;
mod testbench;

use crate::part::ModuleGroup;
use crate::whole::{Folder, Whole};
use crate::{EmitError, Vlnv};
use turnpike_slotted::SlottedPlan;
use turnpike_slotted::delivery::CONDITION;
use turnpike_slotted::rtl::slotted;

/// Folder of a slotted fabric, and a FuseSoC core of this vendor, library and version.
///
/// # Errors
/// [`EmitError`] never, unless Turnpike is wrong.
pub fn render(plan: &SlottedPlan, vlnv: &Vlnv) -> Result<Folder, EmitError> {
    let design = slotted(plan)?;
    let own = ModuleGroup::new(plan.canonical(), None, design.modules().to_vec());
    let own = own.with_claim(Some(format!("Each word is delivered {CONDITION}.")));
    let about = [
        "Self-checking testbench: every source sends in each of its slots; then what the reference model",
        "does, cycle for cycle: words in their slots and out of them, pauses, resets. Ends with PASS or FAIL.",
    ];
    let recording = cycles::record(plan);
    let heading = own.heading(&format!("{}_tb", plan.name), &about);
    let whole = Whole {
        what: "Turnpike slotted fabric",
        design: &design,
        network: &design,
        own: &own,
        testbench: testbench::render(plan, &design, &recording, heading)?,
        data: vec![recording.file(&plan.name)],
        given: crate::given::files(plan.over()),
        selftest: None,
        proofs: formal::proofs(plan, &own)?,
        terminals: None,
        ends: None,
        cocotb: None,
        fields: manifest::fields(plan),
    };
    whole.folder(vlnv)
}

//! Emission of bus fabrics: as [`crate::render`] does it of switched ones.

mod cycles;
mod formal;
mod manifest;
mod testbench;

use crate::File;
use crate::part::ModuleGroup;
use crate::whole::{Folder, Whole};
use crate::{EmitError, Vlnv};
use turnpike_bus::rtl::fabric;
use turnpike_bus::{BusFlows, BusPlan, selftest};
use turnpike_fabric::board::Board;
use turnpike_fabric::plan::FLOWS_FILE;

fn flows_file(flows: &BusFlows) -> File {
    File { name: FLOWS_FILE.to_owned(), contents: flows.text().to_owned() }
}

/// Folder of a bus fabric with a self-test on `board`, and a FuseSoC core of this
/// vendor, library and version.
///
/// # Errors
/// [`EmitError::Selftest`] where the fabric has no room or no time for a self-test.
pub fn render(plan: &BusPlan, board: Option<&Board>, vlnv: &Vlnv) -> Result<Folder, EmitError> {
    let design = fabric(plan)?;
    let own = ModuleGroup::new(plan.canonical(), None, design.modules().to_vec());
    let about = [
        "Self-checking testbench: every source-destination pair, random words, many words to one",
        "sink; random gaps and back-pressure; then what the reference model does, cycle for cycle.",
        "Ends with PASS or FAIL.",
    ];
    let recording = cycles::record(plan);
    let heading = own.heading(&format!("{}_tb", plan.name), &about);
    let subject = |board| Ok::<_, EmitError>((selftest::subject(plan)?, board));
    let whole = Whole {
        what: "Turnpike bus fabric",
        design: &design,
        network: &design,
        own: &own,
        testbench: testbench::render(plan, &design, &recording, heading)?,
        data: vec![recording.file(&plan.name)],
        given: plan.flows().into_iter().map(flows_file).collect(),
        selftest: board.map(subject).transpose()?,
        proofs: formal::proofs(plan, &own)?,
        terminals: None,
        ends: None,
        cocotb: None,
        fields: manifest::fields(plan),
    };
    whole.folder(vlnv)
}

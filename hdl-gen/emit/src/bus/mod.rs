//! Emission of bus fabrics: as [`crate::render`] does it of switched ones.

mod formal;
mod manifest;
mod testbench;

use crate::part::Part;
use crate::whole::Whole;
use crate::{EmitError, File, formal::Proofs};
use turnpike_bus::BusPlan;
use turnpike_bus::rtl::fabric;

/// All files of a bus fabric, in order of name.
///
/// # Errors
/// [`EmitError`] never, unless Turnpike is wrong.
pub fn render(plan: &BusPlan) -> Result<Vec<File>, EmitError> {
    let name = &plan.name;
    let design = fabric(plan)?;
    let own = Part::new(plan.canonical(), None, design.modules().to_vec());
    let head = |name: &str, about: &[String]| own.heading(name, about);
    let proofs = formal::proofs(plan, &own.modules, &head)?;
    let about = [
        "Self-checking testbench: every source-destination pair, random words, many words to one"
            .to_owned(),
        "sink; random gaps and back-pressure. Ends with PASS or FAIL.".to_owned(),
    ];
    let heading = own.heading(&format!("{name}_tb"), &about);
    let whole = Whole {
        name,
        what: "Turnpike bus fabric",
        configuration: plan.canonical(),
        own: &own,
        clocked: true,
        testbench: testbench::render(plan, &design, heading)?,
        data: Vec::new(),
        proofs: &proofs,
    };
    whole.files(|names| manifest::render(plan, names, &proofs.proofs, &own.digest))
}

/// The proofs of a bus fabric: what [`render`] writes into [`crate::formal::FOLDER`].
///
/// # Errors
/// [`EmitError`] never, unless Turnpike is wrong.
pub fn proofs(plan: &BusPlan) -> Result<Proofs, EmitError> {
    formal::proofs(plan, fabric(plan)?.modules(), &|_, _| Vec::new())
}

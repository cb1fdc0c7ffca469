//! Emission of circuit fabrics: as [`crate::render`] does it of switched ones.

mod formal;
mod manifest;
mod testbench;
mod vectors;

pub use vectors::{Vectors, draw};

use crate::part::Part;
use crate::{ClockFile, CoreFile, EmitError, File, MakefileFile, VERSION, formal::Proofs};
use askama::Template;
use turnpike_circuit::plan::CircuitPlan;
use turnpike_circuit::rtl::circuit;

/// All files of a circuit fabric, in order of name.
///
/// # Errors
/// [`EmitError`] never, unless Turnpike is wrong.
pub fn render(plan: &CircuitPlan) -> Result<Vec<File>, EmitError> {
    let name = &plan.name;
    let design = circuit(plan)?;
    let own = Part::new(plan.canonical(), None, design.modules().to_vec());
    let mut files = own.files()?;
    let names: Vec<String> = files.iter().map(|f| f.name.clone()).collect();
    let head = |name: &str, about: &[String]| own.heading(name, about);
    let proofs = formal::proofs(plan, &own.modules, &head)?;
    let vectors = Vectors::of(plan);
    let mut add = |name: String, contents: String| files.push(File { name, contents });
    add(format!("{name}.f"), names.iter().map(|n| format!("{n}\n")).collect());
    add(format!("{name}.json"), manifest::render(plan, &names, &proofs.proofs, &own.digest)?);
    let about = [
        "Self-checking testbench: random words, in every slot, and pauses. Ends with PASS or"
            .to_owned(),
        "FAIL.".to_owned(),
    ];
    let heading = own.heading(&format!("{name}_tb"), &about);
    add(format!("{name}_tb.v"), testbench::render(plan, &design, &vectors, heading)?);
    let data = vectors.files(name);
    let data_names: Vec<String> = data.iter().map(|file| file.name.clone()).collect();
    data.into_iter().for_each(|File { name, contents }| add(name, contents));
    let selftest = String::new();
    add("Makefile".into(), MakefileFile { name, version: VERSION, selftest }.render()?);
    let summary = format!("Turnpike circuit fabric: {}", plan.canonical());
    let core = CoreFile {
        name,
        version: VERSION,
        summary,
        modules: &names,
        selftest: None,
        data: &data_names,
    };
    add(format!("{name}.core"), core.render()?);
    let clocked = design.top().clocked;
    add(format!("{name}.sdc"), ClockFile { name, clocked }.render()?);
    files.extend(proofs.render()?);
    files.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(files.into_iter().map(File::sealed).collect())
}

/// The proofs of a circuit fabric: what [`render`] writes into [`crate::formal::FOLDER`].
///
/// # Errors
/// [`EmitError`] never, unless Turnpike is wrong.
pub fn proofs(plan: &CircuitPlan) -> Result<Proofs, EmitError> {
    formal::proofs(plan, circuit(plan)?.modules(), &|_, _| Vec::new())
}

//! The folder of a fabric that is not switched: its modules, and the files that stand beside them.

use crate::formal::Proofs;
use crate::part::Part;
use crate::{ClockFile, CoreFile, EmitError, File, MakefileFile, VERSION};
use askama::Template;

/// What a fabric's folder is made of.
pub(crate) struct Whole<'a> {
    /// The fabric's name.
    pub name: &'a str,
    /// What it is, for lists of cores: `Turnpike circuit fabric`.
    pub what: &'static str,
    /// The words that make it.
    pub configuration: String,
    /// Its modules.
    pub own: &'a Part,
    /// Whether there is anything that the clock moves.
    pub clocked: bool,
    /// Its testbench.
    pub testbench: String,
    /// What that reads.
    pub data: Vec<File>,
    /// Its proofs.
    pub proofs: &'a Proofs,
}

impl Whole<'_> {
    /// All files, in order of name. `manifest`: the manifest, from the names of the modules' files.
    pub fn files(
        self,
        manifest: impl FnOnce(&[String]) -> Result<String, serde_json::Error>,
    ) -> Result<Vec<File>, EmitError> {
        let Self { name, what, configuration, own, clocked, testbench, data, proofs } = self;
        let mut files = own.files()?;
        let names: Vec<String> = files.iter().map(|f| f.name.clone()).collect();
        let data_names: Vec<String> = data.iter().map(|file| file.name.clone()).collect();
        files.extend(data);
        let mut add = |name: String, contents: String| files.push(File { name, contents });
        add(format!("{name}.f"), names.iter().map(|n| format!("{n}\n")).collect());
        add(format!("{name}.json"), manifest(&names)?);
        add(format!("{name}_tb.v"), testbench);
        let selftest = String::new();
        add("Makefile".into(), MakefileFile { name, version: VERSION, selftest }.render()?);
        let core = CoreFile {
            name,
            version: VERSION,
            summary: format!("{what}: {configuration}"),
            modules: &names,
            selftest: None,
            data: &data_names,
        };
        add(format!("{name}.core"), core.render()?);
        add(format!("{name}.sdc"), ClockFile { name, clocked }.render()?);
        files.extend(proofs.render()?);
        files.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(files.into_iter().map(File::sealed).collect())
    }
}

//! The folder of a fabric that is not switched: its modules, and the files that stand beside them.

use crate::formal::Proofs;
use crate::manifest::Selftest;
use crate::part::ModuleGroup;
use crate::selftest::{self, Added};
use crate::{ClockFile, CoreFile, EmitError, File, MakefileFile, VERSION, Vlnv};
use askama::Template;

/// Contents of a fabric's folder.
pub(crate) struct Whole<'a> {
    /// The fabric's name.
    pub name: &'a str,
    /// Description of the fabric, for lists of cores: `Turnpike circuit fabric`.
    pub what: &'static str,
    /// The words that make it.
    pub configuration: String,
    /// Modules of the fabric.
    pub own: &'a ModuleGroup,
    /// Whether there is anything that the clock moves.
    pub clocked: bool,
    /// Testbench of the fabric.
    pub testbench: String,
    /// Data files that the testbench reads.
    pub data: Vec<File>,
    /// Maker of the self-test's files, where there is one.
    pub selftest: Option<Adding<'a>>,
    /// Vendor, library and version of its FuseSoC core.
    pub vlnv: &'a Vlnv,
    /// Proofs of the fabric.
    pub proofs: &'a Proofs,
}

/// Maker of a self-test's files, from the names of the modules' files.
pub(crate) type Adding<'a> = &'a dyn Fn(&[String]) -> Result<Added<'a>, EmitError>;

impl Whole<'_> {
    /// All files, in order of name. `manifest`: the manifest, from the names of the modules' files,
    /// and the self-test where one is added.
    pub fn files(
        self,
        manifest: impl FnOnce(&[String], Option<Selftest<'_>>) -> Result<String, serde_json::Error>,
    ) -> Result<Vec<File>, EmitError> {
        let Self { name, what, configuration, own, clocked, testbench, data, selftest, .. } = self;
        let (vlnv, proofs) = (self.vlnv, self.proofs);
        let mut files = own.files()?;
        let names: Vec<String> = files.iter().map(|f| f.name.clone()).collect();
        let data_names: Vec<String> = data.iter().map(|file| file.name.clone()).collect();
        files.extend(data);
        let mut added = selftest.map(|add| add(&names)).transpose()?;
        files.extend(added.iter_mut().flat_map(|added| std::mem::take(&mut added.files)));
        let added = added.as_ref().map(|added| (added.board, added.verilog.as_slice()));
        let listed = added.map(|(board, verilog)| Selftest::new(name, board, verilog));
        let mut add = |name: String, contents: String| files.push(File { name, contents });
        add(format!("{name}.f"), names.iter().map(|n| format!("{n}\n")).collect());
        add(format!("{name}.json"), manifest(&names, listed)?);
        add(format!("{name}_tb.v"), testbench);
        let rules = added.map(|(board, _)| selftest::make_rules(name, board)).transpose()?;
        let selftest = rules.unwrap_or_default();
        let has_proofs = !proofs.proofs.is_empty();
        let makefile = MakefileFile { name, version: VERSION, proofs: has_proofs, selftest };
        add("Makefile".into(), makefile.render()?);
        let core = CoreFile {
            name,
            core: vlnv.of(name),
            summary: format!("{what}: {configuration}"),
            modules: &names,
            selftest: added,
            data: &data_names,
        };
        add(format!("{name}.core"), core.render()?);
        add(format!("{name}.sdc"), ClockFile { name, clocked }.render()?);
        files.extend(proofs.render()?);
        files.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(files.into_iter().map(File::sealed).collect())
    }
}

//! The folder of a fabric of any kind: its modules, and the files that stand beside them.

use crate::formal::Proofs;
use crate::ipxact::Terminals;
use crate::manifest::ends::EndsField;
use crate::manifest::{Fields, Selftest};
use crate::part::ModuleGroup;
use crate::selftest::{self, Added};
use crate::terminals::TerminalMap;
use crate::{
    ClockFile, CoreFile, CrossingsFile, EmitError, File, MakefileFile, VERSION, Vlnv, addresses,
    instance, ipxact, memory_map, registers,
};
use askama::Template;
use serde::Serialize;
use turnpike_ends::Ends;
use turnpike_fabric::board::Board;
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::rtl::selftest::subject::Subject;
use turnpike_netlist::Design;

/// Files of a fabric, in order of name, and the proofs among them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Folder {
    /// Every file.
    pub files: Vec<File>,
    /// Proofs that stand beside the RTL.
    pub proofs: Proofs,
}

/// Contents of a fabric's folder.
pub struct Whole<'a, N, P, T, H> {
    /// Description of the fabric, for lists of cores: `Turnpike circuit fabric`.
    pub what: &'static str,
    /// Netlist of the fabric.
    pub design: &'a Design,
    /// Netlist of its network, without interfaces of terminals around it: the fabric itself where
    /// there are none.
    pub network: &'a Design,
    /// Modules of the fabric.
    pub own: &'a ModuleGroup,
    /// Testbench of the fabric.
    pub testbench: String,
    /// Data files that the testbench reads.
    pub data: Vec<File>,
    /// Files of the user's that the fabric was made of.
    pub given: Vec<File>,
    /// Subject of a self-test and its board, where there is one.
    pub selftest: Option<(Subject, &'a Board)>,
    /// Proofs of the fabric.
    pub proofs: Proofs,
    /// Terminals with addresses, where software and other tools are told of them.
    pub terminals: Option<&'a TerminalMap>,
    /// Plan of a fabric whose terminals have memory-mapped ends, and these.
    pub ends: Option<(&'a FabricPlan, &'a Ends)>,
    /// Example of a test by cocotb, where there is one.
    pub cocotb: Option<String>,
    /// The kind's fields of the manifest.
    pub fields: Fields<N, P, T, H>,
}

impl<N: Serialize, P: Serialize, T: Serialize, H: Serialize> Whole<'_, N, P, T, H> {
    /// The folder, with a FuseSoC core of this vendor, library and version.
    ///
    /// # Errors
    /// [`EmitError`] never, unless Turnpike is wrong.
    pub fn folder(self, vlnv: &Vlnv) -> Result<Folder, EmitError> {
        let Self { what, design, network, own, testbench, data, given, selftest, .. } = self;
        let Self { proofs, terminals, ends, cocotb, fields, .. } = self;
        let name = design.top().name.as_str();
        let board = selftest.as_ref().map(|(_, board)| *board);
        let configuration = own.configuration.clone() + &selftest::words(board);
        let mut files = own.files()?;
        let names: Vec<String> = files.iter().map(|f| f.name.clone()).collect();
        let data_names: Vec<String> = data.iter().map(|file| file.name.clone()).collect();
        files.extend(data);
        files.extend(given);
        let added = selftest
            .map(|(subject, board)| Added::new(&subject, network, own, &names, board))
            .transpose()?;
        let Added { files: added, verilog } = added.unwrap_or_default();
        files.extend(added);
        let others = terminals.map_or(&[][..], |terminals| &terminals.clocks);
        files.push(instance::file(design.top(), others, own)?);
        let addressed = terminals.map(|_| addresses::verilog_name(name));
        let mapped = ends.map(|_| memory_map::verilog_name(name));
        let includes = addressed.into_iter().chain(mapped).chain([instance::name(name)]);
        let includes: Vec<String> = includes.collect();
        if let Some(terminals) = terminals {
            files.extend(addresses::files(name, terminals, own)?);
            files.extend(registers::file(name, terminals, own)?);
        }
        if let Some((plan, ends)) = ends {
            files.extend(memory_map::files(plan, ends, own)?);
        }
        let ends_of = ends.map(|(plan, ends)| Terminals::Ends(plan, ends));
        if let Some(of) = terminals.map(Terminals::Streams).or(ends_of) {
            let lists = (&names[..], &includes[..]);
            let contents = ipxact::render(design.top(), vlnv, &own.configuration, of, lists)?;
            files.push(File { name: format!("{name}.xml"), contents });
        }
        let has_cocotb = cocotb.is_some();
        let test = cocotb.map(|contents| File { name: format!("{name}_cocotb.py"), contents });
        files.extend(test);
        let selftest = board.map(|board| (board, verilog.as_slice()));
        let listed = selftest.map(|(board, verilog)| Selftest::new(name, board, verilog));
        let mut add = |name: String, contents: String| files.push(File { name, contents });
        add(format!("{name}.f"), names.iter().map(|n| format!("{n}\n")).collect());
        let manifest = fields.render(
            (name, &configuration),
            own,
            &names,
            (terminals, ends.map(|(plan, ends)| EndsField::of(plan, ends))),
            listed,
            &proofs.proofs,
        )?;
        add(format!("{name}.json"), manifest);
        add(format!("{name}_tb.v"), testbench);
        let rules = board.map(|board| selftest::make_rules(name, board)).transpose()?;
        let makefile = MakefileFile {
            name,
            version: VERSION,
            proofs: !proofs.proofs.is_empty(),
            cocotb: has_cocotb,
            selftest: rules.unwrap_or_default(),
        };
        add("Makefile".into(), makefile.render()?);
        let core = CoreFile {
            name,
            core: vlnv.of(name),
            summary: format!("{what}: {configuration}"),
            modules: &names,
            includes: &includes,
            selftest,
            data: &data_names,
        };
        add(format!("{name}.core"), core.render()?);
        let clocked = design.top().clocked || !others.is_empty();
        add(format!("{name}.sdc"), ClockFile { name, clocked, others }.render()?);
        if !others.is_empty() {
            add(format!("{name}.xdc"), CrossingsFile { name, others }.render()?);
        }
        files.extend(proofs.render()?);
        files.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Folder { files: files.into_iter().map(File::sealed).collect(), proofs })
    }
}

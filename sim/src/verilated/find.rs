//! Where Verilator is.

use super::VerilatedError;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The variable that names Verilator's program and goes before all else.
const VARIABLE: &str = "TURNPIKE_VERILATOR";

/// An installed Verilator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verilator {
    /// The program.
    pub program: PathBuf,
    /// The package's folder, where the program does not know it by itself.
    pub root: Option<PathBuf>,
}

impl Verilator {
    /// Finds it: what `TURNPIKE_VERILATOR` names; else in the `.venv` that `make tools` makes,
    /// of the current folder or of one above it; else on `PATH`.
    ///
    /// # Errors
    /// [`VerilatedError::Missing`] names what installs it, [`VerilatedError::Variable`] a
    /// variable that names no file.
    pub fn find() -> Result<Self, VerilatedError> {
        if let Some(program) = env::var_os(VARIABLE).filter(|program| !program.is_empty()) {
            let program = PathBuf::from(program);
            return match program.is_file() {
                true => Ok(Self::at(program)),
                false => Err(VerilatedError::Variable { name: VARIABLE, program }),
            };
        }
        let here = env::current_dir().unwrap_or_default();
        let installed = here.ancestors().find_map(Self::in_environment_of);
        installed.or_else(Self::on_path).ok_or(VerilatedError::Missing)
    }

    /// The program there. The package from PyPI is told where it is, for it cannot know.
    fn at(program: PathBuf) -> Self {
        let root = program.parent().and_then(Path::parent);
        let root = root.filter(|root| root.join("include/verilated.h").is_file());
        Self { root: root.map(Path::to_owned), program }
    }

    fn in_environment_of(folder: &Path) -> Option<Self> {
        let root = fs::canonicalize(folder.join(".venv")).ok()?;
        // A stamp is written last: an environment without it is half installed.
        if !root.join(".installed").is_file() {
            return None;
        }
        let libraries = fs::read_dir(root.join("lib")).ok()?.flatten();
        let package = |entry: fs::DirEntry| entry.path().join("site-packages/verilator");
        // The package's script in front of the program needs Perl modules; the program none.
        let program = libraries.map(package).map(|package| package.join("bin/verilator_bin"));
        let program = { program }.find(|program| program.is_file())?;
        Some(Self::at(program))
    }

    fn on_path() -> Option<Self> {
        let path = env::var_os("PATH")?;
        let programs = env::split_paths(&path).map(|folder| folder.join("verilator"));
        let program = { programs }.find(|program| program.is_file())?;
        Some(Self { program, root: None })
    }

    /// The command, without arguments.
    pub(super) fn command(&self) -> Command {
        self.with_root(Command::new(&self.program))
    }

    /// The command, told where the package is.
    pub(super) fn with_root(&self, mut command: Command) -> Command {
        if let Some(root) = &self.root {
            command.env("VERILATOR_ROOT", root);
        }
        command
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_environment_counts_when_it_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let package = folder.path().join(".venv/lib/python3/site-packages/verilator");
        for file in ["bin/verilator_bin", "include/verilated.h"] {
            fs::create_dir_all(package.join(file).parent().unwrap()).unwrap();
            fs::write(package.join(file), "").unwrap();
        }
        assert_eq!(Verilator::in_environment_of(folder.path()), None);
        fs::write(folder.path().join(".venv/.installed"), "").unwrap();
        let found = Verilator::in_environment_of(folder.path()).unwrap();
        assert_eq!(found.root, Some(fs::canonicalize(&package).unwrap()));
        assert_eq!(Verilator::in_environment_of(&package), None);
    }
}

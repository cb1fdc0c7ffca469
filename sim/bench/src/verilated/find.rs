//! Search for Verilator.

use super::VerilatedError;
use std::path::{Path, PathBuf};
use std::process::Command;
use turnpike_flow::find;

/// The variable that names Verilator's program and goes before all else.
const VARIABLE: &str = "TURNPIKE_VERILATOR";

/// An installed Verilator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verilator {
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
        if let Some(program) = find::variable(VARIABLE) {
            return match program.is_file() {
                true => Ok(Self::at(program)),
                false => Err(VerilatedError::Variable { name: VARIABLE, program }),
            };
        }
        let installed = find::environment().and_then(|root| Self::in_environment(&root));
        installed.or_else(Self::on_path).ok_or(VerilatedError::Missing)
    }

    /// The program there. The package from PyPI is told where it is, for it cannot know.
    fn at(program: PathBuf) -> Self {
        let root = program.parent().and_then(Path::parent);
        let root = root.filter(|root| root.join("include/verilated.h").is_file());
        Self { root: root.map(Path::to_owned), program }
    }

    fn in_environment(root: &Path) -> Option<Self> {
        // The package's script in front of the program needs Perl modules; the program none.
        let program = find::package(root, "verilator")?.join("bin/verilator_bin");
        program.is_file().then(|| Self::at(program))
    }

    fn on_path() -> Option<Self> {
        Some(Self { program: find::on_path("verilator")?, root: None })
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
    use std::fs;

    #[test]
    fn the_package_is_told_where_it_is() {
        let root = tempfile::tempdir().unwrap();
        let package = root.path().join("lib/python3/site-packages/verilator");
        assert_eq!(Verilator::in_environment(root.path()), None);
        for file in ["bin/verilator_bin", "include/verilated.h"] {
            fs::create_dir_all(package.join(file).parent().unwrap()).unwrap();
            fs::write(package.join(file), "").unwrap();
        }
        let found = Verilator::in_environment(root.path()).unwrap();
        assert_eq!(found.root, Some(package));
    }
}

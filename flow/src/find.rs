//! Search for a tool: a variable, the environment that `make tools` makes, `PATH`.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// The program that the environment variable `name` names; `None` where it is not set or empty.
pub fn variable(name: &str) -> Option<PathBuf> {
    env::var_os(name).filter(|program| !program.is_empty()).map(PathBuf::from)
}

/// The `.venv` of `make tools`, of the current folder or of the nearest one above it that has
/// a whole one.
pub fn environment() -> Option<PathBuf> {
    env::current_dir().ok()?.ancestors().find_map(environment_of)
}

/// The whole `.venv` of this very folder.
pub fn environment_of(folder: &Path) -> Option<PathBuf> {
    let root = fs::canonicalize(folder.join(".venv")).ok()?;
    // A stamp is written last: an environment without it is half installed.
    root.join(".installed").is_file().then_some(root)
}

/// The folder of a Python package of an environment.
pub fn package(environment: &Path, name: &str) -> Option<PathBuf> {
    let libraries = fs::read_dir(environment.join("lib")).ok()?.flatten();
    let mut folders = libraries.map(|entry| entry.path().join("site-packages").join(name));
    folders.find(|folder| folder.is_dir())
}

/// A program on `PATH`.
pub fn on_path(program: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|dir| dir.join(program)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_environment_counts_when_it_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let package_folder = folder.path().join(".venv/lib/python3/site-packages/thing");
        fs::create_dir_all(&package_folder).unwrap();
        assert_eq!(environment_of(folder.path()), None);
        fs::write(folder.path().join(".venv/.installed"), "").unwrap();
        let root = environment_of(folder.path()).unwrap();
        assert_eq!(package(&root, "thing"), Some(fs::canonicalize(&package_folder).unwrap()));
        assert_eq!(package(&root, "other"), None);
        assert_eq!(environment_of(&package_folder), None);
    }

    #[test]
    fn a_shell_is_on_the_path() {
        assert!(on_path("sh").is_some());
        assert!(on_path("no-such-program-of-turnpike").is_none());
    }
}

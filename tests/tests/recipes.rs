//! Recipes of CONTRIBUTING.md. Beside each stands a patch that follows it, in `tests/recipes/`: it fits
//! the sources as they are, and touches what its recipe names. The long test compiles them.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

fn top() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

fn patches() -> Vec<PathBuf> {
    let folder = fs::read_dir(top().join("tests/recipes")).unwrap();
    let mut patches: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
    patches.sort();
    assert!(patches.len() > 4, "{patches:?}");
    patches
}

fn succeeds(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}:\n{text}");
}

/// The recipe that names a patch: a section of CONTRIBUTING.md.
fn recipe<'a>(contributing: &'a str, patch: &Path) -> &'a str {
    let name = format!("tests/recipes/{}", patch.file_name().unwrap().to_string_lossy());
    let found = contributing.split("\n## ").find(|section| section.contains(&name));
    found.unwrap_or_else(|| panic!("no recipe of CONTRIBUTING.md names {name}"))
}

/// The files that a patch changes or adds.
fn touched(patch: &str) -> impl Iterator<Item = &str> {
    patch.lines().filter_map(|line| line.strip_prefix("+++ b/"))
}

/// Whether a recipe names a file, by the end of its path or by its folder.
fn names(recipe: &str, file: &str) -> bool {
    let ends: Vec<&str> = file.rsplitn(3, '/').collect();
    let (folder, _) = file.rsplit_once('/').unwrap_or_default();
    recipe.contains(&format!("{}/{}", ends[1], ends[0])) || recipe.contains(&format!("`{folder}/`"))
}

#[test]
fn every_recipe_fits_the_sources_and_names_what_changes() {
    let contributing = fs::read_to_string(top().join("CONTRIBUTING.md")).unwrap();
    for patch in patches() {
        succeeds(Command::new("git").args(["apply", "--check"]).arg(&patch).current_dir(top()));
        let recipe = recipe(&contributing, &patch);
        let text = fs::read_to_string(&patch).unwrap();
        assert!(touched(&text).count() > 0, "{}", patch.display());
        for file in touched(&text) {
            assert!(names(recipe, file), "{}: its recipe does not name {file}", patch.display());
        }
    }
    let linked = contributing.matches("(tests/recipes/").count();
    assert_eq!(linked, patches().len(), "a recipe names a patch that is not there");
}

/// Copy of the sources, without what is built.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (name, path) = (entry.file_name(), entry.path());
        if [".git", ".venv", "target"].iter().any(|out| name == *out) {
            continue;
        }
        // Links lead from one folder of the sources to another.
        match entry.file_type().unwrap() {
            kind if kind.is_dir() => copy(&path, &to.join(name)),
            kind if kind.is_symlink() => {
                symlink(fs::read_link(path).unwrap(), to.join(name)).unwrap()
            }
            _ => drop(fs::copy(&path, to.join(name)).unwrap()),
        }
    }
}

#[test]
#[ignore = "compiles the workspace with every recipe followed, minutes; tests over the lists run on it"]
fn every_recipe_compiles_and_passes() {
    // One place, so that nothing piles up beside what is built.
    let folder = top().join("target/recipes");
    let _ = fs::remove_dir_all(&folder);
    copy(top(), &folder);
    for patch in patches() {
        succeeds(Command::new("git").arg("apply").arg(&patch).current_dir(&folder));
    }
    let cargo = |words: &str| {
        let mut command = Command::new(env!("CARGO"));
        command.args(words.split(' ')).current_dir(&folder);
        // What the workspace depends on is compiled already.
        succeeds(command.env("CARGO_TARGET_DIR", top().join("target")));
    };
    cargo("check --release --locked --workspace --all-targets");
    cargo("test --release --locked -p turnpike-network -p turnpike-analysis --lib");
    cargo("test --release --locked -p turnpike-fabric --lib report");
}

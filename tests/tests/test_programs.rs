//! Each crate has one test program, `tests/main.rs`, and that program holds every file beside it:
//! with `autotests = false`, cargo says nothing of a file that no program holds.

use std::fs;
use std::path::Path;

/// Folders with crates, from the top of the project.
const CRATES: &[&str] = &["cli", "flow", "hdl-gen/*", "search", "sim/*", "tests"];

#[test]
fn each_file_of_tests_is_in_the_program() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let below = |folder: &str| -> Vec<_> {
        let entries = fs::read_dir(top.join(folder)).unwrap();
        entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect()
    };
    let crates = CRATES.iter().flat_map(|name| match name.strip_suffix("/*") {
        Some(folder) => below(folder),
        None => vec![top.join(name)],
    });
    let mut files = 0;
    for at in crates {
        let tests = at.join("tests");
        let Ok(entries) = fs::read_dir(&tests) else { continue };
        let program = fs::read_to_string(tests.join("main.rs"))
            .unwrap_or_else(|error| panic!("{}/main.rs: {error}", tests.display()));
        for entry in entries {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            let file = path.extension().is_some_and(|ending| ending == "rs");
            if name == "main" || !file && !path.join("mod.rs").exists() {
                continue;
            }
            assert!(
                program.lines().any(|line| line == format!("mod {name};")),
                "{}: add `mod {name};` to main.rs beside it",
                path.display()
            );
            files += 1;
        }
    }
    assert!(files > 100, "{files}");
}

//! Each crate has one test program, `tests/main.rs`, and that program holds every file beside it:
//! with `autotests = false`, cargo says nothing of a file that no program holds. The parts of
//! `make test-all` run each of them once.

use std::collections::BTreeSet;
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

/// The words behind each `flag` of a recipe.
fn behind<'a>(recipe: &'a str, flag: &str) -> Vec<&'a str> {
    let words: Vec<&str> = recipe.split_whitespace().collect();
    words.windows(2).filter(|pair| pair[0] == flag).map(|pair| pair[1]).collect()
}

/// What one part leaves out is what the others run, and each part is told in the docs.
#[test]
fn the_parts_of_all_tests_leave_nothing_out() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let [makefile, docs] =
        ["Makefile", "docs/tools.md"].map(|file| fs::read_to_string(top.join(file)).unwrap());
    let variable = |name: &str| -> BTreeSet<&str> {
        let line = makefile.lines().find_map(|line| line.strip_prefix(&format!("{name} := ")));
        line.unwrap_or_else(|| panic!("no {name} in the Makefile")).split(' ').collect()
    };
    let (mut crates, mut left_out) = (BTreeSet::new(), BTreeSet::new());
    let (mut modules, mut rest) = (BTreeSet::new(), 0);
    for part in variable("PARTS") {
        assert!(docs.contains(&format!("\n| `{part}` |")), "docs/tools.md does not tell of {part}");
        let head = format!("\ntest-all-{part}: tools ## Part of test-all: ");
        let (_, recipe) = makefile.split_once(&head).unwrap_or_else(|| panic!("no target {head}"));
        let recipe = recipe.split("\n\n").next().unwrap();
        crates.extend(behind(recipe, "-p"));
        left_out.extend(behind(recipe, "--exclude"));
        modules.extend(recipe.split_whitespace().filter(|word| word.ends_with("::")));
        rest += usize::from(recipe.contains("$(LONG:%=--skip %)"));
    }
    assert_eq!(crates, left_out, "each crate is in one part");
    assert_eq!((modules, rest), (variable("LONG"), 1), "each module is in one part");
}

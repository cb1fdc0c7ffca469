//! The library crates do not speak the words of the command line: their errors say what is wrong,
//! and `cli/src/words/` says it in options.

use std::fs;
use std::path::{Path, PathBuf};

/// The folders of the library crates.
const LIBRARIES: &[&str] = &["hdl-gen", "sim", "flow", "search"];

/// Files that hold options all the same, and why.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("hdl-gen/fabric/src/plan/canonical.rs", "the canonical configuration"),
    ("hdl-gen/bus/src/canonical.rs", "the canonical configuration"),
    ("hdl-gen/circuit/src/plan.rs", "the canonical configuration"),
    ("hdl-gen/slotted/src/canonical.rs", "the canonical configuration"),
    ("hdl-gen/emit/src/lib.rs", "why a folder holds a fabric that may deadlock, in its files"),
    ("hdl-gen/emit/src/selftest.rs", "the canonical configuration of a folder, with a self-test"),
    ("hdl-gen/emit/src/origin.rs", "the same, read back"),
    ("hdl-gen/fabric/src/board.rs", "options of nextpnr"),
    ("flow/src/target.rs", "options of nextpnr"),
    ("flow/src/session.rs", "options of nextpnr"),
    ("flow/src/tool.rs", "options of the open tools"),
    ("sim/bench/src/verilated/build.rs", "options of Verilator"),
    ("sim/bench/src/verilated/compile.rs", "options of Verilator"),
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        match path.is_dir() {
            // Tests may say what a user would.
            true if !["tests", "benches", "target"].contains(&name.as_str()) => {
                sources(&path, found)
            }
            false if name.ends_with(".rs") && name != "tests.rs" => found.push(path),
            _ => {}
        }
    }
}

/// The lines of a file that hold an option outside of remarks and tests.
fn options(text: &str) -> Vec<&str> {
    let code = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
    let option = regex::Regex::new(r#"(^|[\s"'`({])--[a-z]"#).unwrap();
    let code = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.filter(|line| option.is_match(line)).collect()
}

#[test]
fn libraries_name_no_options() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut files = Vec::new();
    LIBRARIES.iter().for_each(|folder| sources(&top.join(folder), &mut files));
    assert!(files.len() > 100);
    let mut excepted = Vec::new();
    for file in files {
        let name = file.strip_prefix(top).unwrap().to_string_lossy().replace('\\', "/");
        let text = fs::read_to_string(&file).unwrap();
        let found = options(&text);
        match EXCEPTIONS.iter().any(|(exception, _)| *exception == name) {
            true if !found.is_empty() => excepted.push(name),
            true => {}
            false => assert!(found.is_empty(), "{name}: {found:?}: word it in cli/src/words/"),
        }
    }
    assert_eq!(excepted.len(), EXCEPTIONS.len(), "an exception that is none: {excepted:?}");
}

#[test]
fn an_option_is_found() {
    assert_eq!(options("    #[error(\"leave --failed out\")]").len(), 1);
    assert_eq!(options("    range(\"--width\", 1)").len(), 1);
    assert!(options("    /// As `--width`.\n    let a = b - -c;").is_empty());
}

/// Doc comments whose first word leaves the reader without a subject: a pronoun that reaches back,
/// a question word, a bare "The same" or a preposition that hangs in the air. The noun comes first:
/// "Name of the module", not "Its name" or "What it is called".
const OPENINGS: &str = r"(?x)^(
    (It|Its|They|Their|Them|This|That|These|Those|He|She|Who|Whose|Whom|Whoever|Which|Why|What
        |Whatever|How|However|When|Where|Wherever|There|As|For|Of|In|And|But|So|Or|Then|Too|Not
        |Also|Such|Same|Nobody|Nothing|None|Any|Everything|Something)\b
    |(The|One|Another)\ (same|other|others|rest|latter|former|one|ones|that|who|of|for)\b
    |(The\ first|The\ last|Both|Another|One|Some)[.,:;]
    |(On|From|To|By|With|Without|At)\ (it|them|which|what|whom|where)\b
)";

/// The first lines of the blocks of doc comments of a file, with their numbers from 1.
fn openings(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut before = "";
    for (at, line) in text.lines().enumerate() {
        let line = line.trim_start();
        let marks = ["///", "//!"].into_iter().find(|marks| line.starts_with(marks));
        let marks = marks.filter(|_| !line.starts_with("////")).unwrap_or_default();
        if !marks.is_empty() && marks != before {
            found.push((at + 1, line[marks.len()..].trim()));
        }
        before = marks;
    }
    found
}

#[test]
fn doc_comments_open_with_their_noun() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut files = Vec::new();
    let own = ["cli/src", "tests/src"].map(|folder| top.join(folder));
    LIBRARIES.iter().for_each(|folder| all_sources(&top.join(folder), &mut files));
    own.iter().for_each(|folder| all_sources(folder, &mut files));
    let bad = regex::Regex::new(OPENINGS).unwrap();
    let (mut seen, mut found) = (0, Vec::new());
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let name = file.strip_prefix(top).unwrap().display();
        for (line, opening) in openings(&text) {
            seen += 1;
            if bad.is_match(opening) {
                found.push(format!("{name}:{line}: {opening}"));
            }
        }
    }
    assert!(seen > 5_000, "{seen} doc comments: is the search right?");
    assert!(found.is_empty(), "name the thing first:\n{}", found.join("\n"));
}

/// All sources of crates, those of the tests in them included.
fn all_sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true if !["tests", "benches", "target"]
                .contains(&&*path.file_name().unwrap().to_string_lossy()) =>
            {
                all_sources(&path, found);
            }
            false if path.extension().is_some_and(|ending| ending == "rs") => found.push(path),
            _ => {}
        }
    }
}

#[test]
fn an_opening_without_a_noun_is_found() {
    let bad = regex::Regex::new(OPENINGS).unwrap();
    let text =
        "//! Sums.\n\n/// Its name.\n/// More.\nfn a() {}\n    /// Name.\n//// no\n/// The same.";
    let found = openings(text);
    assert_eq!(found.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [1, 3, 6, 8]);
    let are_bad: Vec<bool> = found.iter().map(|(_, opening)| bad.is_match(opening)).collect();
    assert_eq!(are_bad, [false, true, false, true]);
    for fine in ["One flit.", "The first node.", "By node, its class.", "Whether it is whole."] {
        assert!(!bad.is_match(fine), "{fine}");
    }
}

#[test]
fn the_glossary_has_each_term_once() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/glossary.md");
    let text = fs::read_to_string(path).unwrap();
    let rows = text.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
    let rows = rows.filter(|term| !["term", "---"].contains(term));
    let mut terms: Vec<&str> = rows.flat_map(|row| row.split(", ")).collect();
    assert!(terms.len() > 100, "{} terms", terms.len());
    terms.sort_unstable();
    let twice = terms.windows(2).find(|pair| pair[0] == pair[1]);
    assert_eq!(twice, None, "a term with two meanings: say of what each is");
}

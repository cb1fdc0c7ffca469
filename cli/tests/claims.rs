//! Freedom from deadlock is never claimed without its condition: in no output of any command, and in
//! no file that is written.

use crate::common;

use crate::common::{run, run_in, tree};
use turnpike_base::delivery::{
    CONDITION, CONDITION_OF_CLASSES, CONDITION_OF_PRIORITIES, CONDITION_OF_PRIORITIES_IN_ORDER,
};

/// How outputs claim it, in lower case and with single blanks.
const CLAIMS: &[&str] = &[
    "deadlock-free",
    "deadlock free",
    "free of deadlock",
    "cannot deadlock",
    "no deadlock",
    "free with 1 ",
    "free with 2 ",
    "free, with a certificate",
    "deadlock holds",
    "\"deadlock_free\": true",
];

/// How far behind the claim its condition may stand, in characters.
const NEAR: usize = 400;

/// The claims of a text that stand without [`CONDITION`], and how many have it.
fn claims(text: &str) -> (Vec<String>, usize) {
    claims_under(CONDITION, text)
}

/// The claims of a text that stand without this condition, and how many have it.
fn claims_under(condition: &str, text: &str) -> (Vec<String>, usize) {
    let comments = text.replace("\n//", "\n").replace("\n#", "\n");
    let text = comments.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let (mut bare, mut kept) = (Vec::new(), 0);
    for claim in CLAIMS {
        for (at, _) in text.match_indices(claim) {
            if text[..at].ends_with("not ") {
                continue;
            }
            let behind: String = text[at..].chars().take(NEAR).collect();
            match behind.contains(condition) {
                true => kept += 1,
                false => bare.push(behind),
            }
        }
    }
    (bare, kept)
}

#[test]
fn a_bare_claim_is_seen() {
    for bare in [
        "deadlock-free with 2 VC(s): checked",
        "Free of\n  deadlock.",
        "// x\n// Deadlock\n// free",
    ] {
        let (found, none) = claims(bare);
        assert!(!found.is_empty() && none == 0, "{bare}");
        assert_eq!(claims(&format!("{bare} {CONDITION}")), (vec![], found.len()), "{bare}");
    }
    assert_eq!(claims("NOT deadlock-free"), (vec![], 0));
}

/// Command lines, and how many claims each prints at least.
const LINES: &[(&str, usize)] = &[
    ("analyze hypercube --dim 3 --routing rotation", 1),
    ("analyze hypercube --dim 2 --routing adaptive", 1),
    ("analyze mesh --shape 3x3 --routing west-first", 1),
    ("analyze mesh --shape 2x2 --format json", 1),
    ("analyze hypercube --dim 3 --routing rotation --vcs 1", 0),
    ("verify hypercube --dim 1 --routing ecube", 1),
    ("verify hypercube --dim 1 --routing ecube --format json", 0),
    ("generate hypercube --dim 1 --out a", 1),
    ("generate hypercube --dim 2 --routing adaptive --out b --format json", 1),
    ("generate hypercube --dim 3 --routing rotation --vcs 1 --allow-deadlock --out c", 0),
    ("generate mesh --shape 2x2 --ports named --selftest ulx3s-85f --picture --out d", 1),
    ("generate benes --dim 2 --kind circuit --out e", 0),
    ("generate benes --dim 2 --kind circuit --self-routing --out f --format json", 0),
    ("generate mesh --shape 2x2 --kind slotted --out s", 0),
    ("generate mob --shape 2x2 --out g", 0),
    ("generate ocpc --nodes 4 --protocol rotor --out h --format json", 0),
    ("report hypercube --dim 2 --no-curves --out page.html", 0),
    ("simulate hypercube --dim 2 --cycles 200 --warmup 0", 0),
    ("simulate hypercube --dim 2 --cycles 200 --warmup 0 --reply 1", 0),
    ("simulate hypercube --dim 2 --workload permutation", 0),
    ("sweep hypercube --dim 2 --load 0.1 --seeds 2 --cycles 200 --html page2.html", 0),
    ("compare --dim 2..=3", 0),
    ("compare mesh --shape 2x2", 0),
    ("compare --network hypercube\\ --dim\\ 2", 0),
    ("list", 0),
    ("list --format json", 0),
    ("route hypercube --dim 2 --routing ecube 00 11", 0),
    (
        concat!(
            "design mesh --shape 4x4 --flows ",
            env!("CARGO_MANIFEST_DIR"),
            "/../docs/examples/soc.flows.csv"
        ),
        1,
    ),
    (
        concat!(
            "place mesh --shape 4x4 --flows ",
            env!("CARGO_MANIFEST_DIR"),
            "/../docs/examples/vopd.flows.csv"
        ),
        0,
    ),
    ("search hypercube --dim 2 --vcs 1", 0),
    ("worst hypercube --dim 2", 0),
    ("bsp hypercube --dim 2", 0),
    ("help analyze", 0),
    ("help generate", 0),
];

#[test]
fn no_output_claims_it_without_its_condition() {
    let folder = tempfile::tempdir().unwrap();
    for (line, least) in LINES {
        let words = line.split(' ').collect::<Vec<_>>().join(" ");
        let run = match words.contains("\\ ") {
            // One argument of several words.
            true => common::turnpike_in(
                folder.path(),
                words.replace("\\ ", "\u{1}").split(' ').map(|word| word.replace('\u{1}', " ")),
            ),
            false => run_in(folder.path(), &words),
        };
        assert!(run.code <= 1, "{line}: {}", run.stderr);
        let (bare, kept) = claims(&(run.stdout + &run.stderr));
        assert!(bare.is_empty(), "{line}: {bare:?}");
        assert!(kept >= *least, "{line} claims it {kept} times, not {least}");
    }
    // Every file that they wrote: Verilog, proofs, manifests, cores, pages, pictures.
    let (mut heads, mut manifests, mut pages) = (0, 0, 0);
    for (path, contents) in tree(folder.path()) {
        let Some(contents) = contents else { continue };
        let (bare, kept) = claims(&String::from_utf8_lossy(&contents));
        assert!(bare.is_empty(), "{}: {bare:?}", path.display());
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("v") => heads += kept,
            Some("json") => manifests += kept,
            Some("html") => pages += kept,
            _ => {}
        }
    }
    // The tops of a, b and d; their manifests; figures and section of the page.
    assert_eq!((heads, manifests), (3, 3));
    assert!(pages >= 2, "{pages}");
}

/// Message classes that come after each other have a condition of their own; those without an order
/// have that of any network.
#[test]
fn message_classes_say_what_their_sinks_may_wait_for() {
    let folder = tempfile::tempdir().unwrap();
    let flows = "source,destination,class\n0_0,1_1,ask\n1_1,0_0,say\n";
    for (file, classes, condition) in [
        ("plain", "", CONDITION),
        ("order", "class ask\nclass say after ask\n", CONDITION_OF_CLASSES),
        ("ranked", "class ask priority 2\nclass say\n", CONDITION_OF_PRIORITIES),
        ("both", "class ask\nclass say after ask priority 1\n", CONDITION_OF_PRIORITIES_IN_ORDER),
    ] {
        std::fs::write(folder.path().join(format!("{file}.csv")), format!("{classes}{flows}"))
            .unwrap();
        let mesh = format!("mesh --shape 2x2 --flows {file}.csv");
        for line in [
            format!("analyze {mesh}"),
            format!("analyze {mesh} --format json"),
            format!("verify {mesh}"),
            format!("generate {mesh} --out {file}"),
        ] {
            let run = run_in(folder.path(), &line);
            assert_eq!(run.code, 0, "{line}: {}", run.stderr);
            let (bare, kept) = claims_under(condition, &run.stdout);
            assert!(bare.is_empty(), "{line}: {bare:?}");
            assert!(kept >= 1, "{line}");
        }
        let mut kept_by_files = 0;
        for (path, contents) in tree(&folder.path().join(file)) {
            let Some(contents) = contents else { continue };
            let text = String::from_utf8_lossy(&contents);
            let (bare, kept) = claims_under(condition, &text);
            assert!(bare.is_empty(), "{}: {bare:?}", path.display());
            kept_by_files += kept;
        }
        // The top module and the manifest.
        assert_eq!(kept_by_files, 2, "{file}");
    }
}

/// A table has the condition in a column of its own.
#[test]
fn tables_have_a_column_for_it() {
    for line in ["analyze hypercube --dim 2 --routing ecube", "analyze mesh --shape 2x2"] {
        let csv = run(&format!("{line} --format csv")).stdout;
        let row = &common::rows(&csv)[0];
        assert_eq!((&*row["deadlock_free"], &*row["deadlock_free_condition"]), ("true", CONDITION));
    }
}

/// What other kinds of fabric promise stands in text, JSON and manifest.
#[test]
fn other_kinds_say_what_they_promise() {
    let folder = tempfile::tempdir().unwrap();
    for (line, promise) in [
        ("benes --dim 2 --kind circuit", "No word waits for another"),
        ("butterfly --dim 2 --kind circuit --self-routing", "lost an output of a switch"),
        ("mesh --shape 2x2 --kind slotted", "as long as each sink takes each word in the cycle"),
        ("mob --shape 2x2", CONDITION),
        ("split-hash --side 5 --levels 2 --factor 2", CONDITION),
        ("ocpc --nodes 4 --protocol rotor", "No delivery is promised"),
    ] {
        let text = run_in(folder.path(), &format!("generate {line} --out x --force")).stdout;
        let json =
            run_in(folder.path(), &format!("generate {line} --out x --force --format json")).stdout;
        let report: serde_json::Value = serde_json::from_str(&json).unwrap();
        let name = report["fabric"].as_str().unwrap();
        let manifest = std::fs::read_to_string(folder.path().join(format!("x/{name}.json")));
        let manifest: serde_json::Value = serde_json::from_str(&manifest.unwrap()).unwrap();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for found in [&text, report["delivery"].as_str().unwrap()] {
            assert!(found.contains(promise), "{line}: {found}");
        }
        assert_eq!(manifest["delivery"], report["delivery"], "{line}");
    }
}

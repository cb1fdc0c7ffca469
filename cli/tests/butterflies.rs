//! The table and the picture of the transpose on butterflies, as docs/results.md has them.

use crate::common::run;
use serde_json::Value;
use std::fs;
use std::path::Path;

#[test]
fn the_page_has_what_the_program_gives() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("docs");
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("transpose.svg");
    let line = format!("tables butterflies --format json --svg {}", picture.display());
    let report: Value = serde_json::from_str(&run(&line).stdout).unwrap();
    let rows = report["tables"][0]["rows"].as_array().unwrap();
    let wanted: Vec<String> = rows
        .iter()
        .map(|row| {
            let cells: Vec<&str> =
                row.as_array().unwrap().iter().map(|cell| cell["ours"].as_str().unwrap()).collect();
            let (first, last) = cells.split_at(5);
            format!("| {} | {} |", first.join(" | "), last.join(" of "))
        })
        .collect();
    assert_eq!(wanted.len(), 15);
    let page = fs::read_to_string(docs.join("results.md")).unwrap();
    let (_, section) = page.split_once("## The transpose on butterflies\n").unwrap();
    let section = section.split("\n## ").next().unwrap();
    let lines = section.lines().filter(|line| line.starts_with("| ")).skip(2);
    assert_eq!(lines.collect::<Vec<_>>(), wanted);
    let read = |path: &Path| fs::read_to_string(path).unwrap();
    let kept = docs.join("img/transpose.svg");
    assert!(
        read(&picture) == read(&kept),
        "docs/img/transpose.svg is another picture: draw it with `turnpike tables butterflies --svg`"
    );
}

//! Reports of networks of busses, and the tables of docs/optical.md.

use super::run_in;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// The report of a command that holds, without warnings.
pub fn json(folder: &Path, line: &str) -> Value {
    let run = run_in(folder, &format!("{line} --format json"));
    assert_eq!((run.code, &*run.stderr), (0, ""), "{line}");
    serde_json::from_str(&run.stdout).unwrap()
}

/// That of `simulate`.
pub fn simulated(line: &str) -> Value {
    json(Path::new("."), &format!("simulate {line}"))
}

/// The rows of a table of docs/optical.md whose header begins with this.
pub fn table(header: &str) -> Vec<Vec<String>> {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/optical.md"));
    let page = page.unwrap();
    let from = page.find(header).unwrap_or_else(|| panic!("no {header}"));
    let rows = page[from..].lines().skip(2).take_while(|line| line.starts_with('|'));
    let cells = |row: &str| row.trim_matches('|').split('|').map(|c| c.trim().to_owned()).collect();
    rows.map(cells).collect()
}

/// `mean ± half of its interval (largest)` of a figure over runs.
pub fn with_interval(figure: &Value) -> String {
    let of = |field: &str| figure[field].as_f64().unwrap();
    format!("{:.1} ± {:.1} ({:.0})", of("mean"), of("half_width"), of("largest"))
}

/// Checks that wrong usage is refused with these words, and that nothing is written.
pub fn refused(lines: &[(&str, &str)]) {
    for (line, text) in lines {
        let folder = tempfile::tempdir().unwrap();
        let run = run_in(folder.path(), line);
        assert_eq!((run.code, &*run.stdout), (2, ""), "{line}");
        assert!(run.stderr.contains(text), "{line}: {}", run.stderr);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{line}");
    }
}

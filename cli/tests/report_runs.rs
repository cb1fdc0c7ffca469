//! `report --runs`: curves from runs that a sweep kept.

use crate::common::{Run, refused_in, run_in, tree};
use std::fs;
use std::path::{Path, PathBuf};

const OPTIONS: &str =
    "hypercube --dim 3 --traffic uniform,transpose --load 0.2,0.5 --seeds 3 --cycles 400";

/// A report of these runs; what it says on standard error.
#[track_caller]
fn report(at: &Path, more: &str) -> (String, String) {
    let Run { stderr, code, .. } = run_in(at, &format!("report {OPTIONS} {more} --out page.html"));
    assert_eq!(code, 0, "{stderr}");
    (fs::read_to_string(at.join("page.html")).unwrap(), stderr)
}

fn kept(at: &Path) -> Vec<PathBuf> {
    tree(&at.join("runs")).into_keys().collect()
}

/// What is there is not run again: its file stays. What is missing, damaged or foreign is named and run.
#[test]
fn what_a_sweep_kept_is_not_run_again() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let (wanted, _) = report(at, "");
    assert_eq!(run_in(at, &format!("sweep {OPTIONS} --out runs")).code, 0);
    let before = tree(&at.join("runs"));
    let times = |files: &[PathBuf]| -> Vec<_> {
        files.iter().map(|file| fs::metadata(file).unwrap().modified().unwrap()).collect()
    };
    let files = kept(at);
    assert_eq!(files.len(), 12);
    let first = times(&files);
    let (page, said) = report(at, "--runs runs");
    assert!(page == wanted && said.is_empty(), "{said}");
    assert_eq!(times(&kept(at)), first);

    // By name: transpose at 0.2, three seeds, then at 0.5; then uniform.
    let text = fs::read_to_string(&files[0]).unwrap();
    fs::write(&files[0], &text[..text.len() / 2]).unwrap();
    let value = fs::read_to_string(&files[1]).unwrap();
    let value = value.lines().nth(1).unwrap().replacen("\"version\":\"0.", "\"version\":\"9.", 1);
    fs::write(&files[1], format!("{}\n{value}\n", turnpike_flow::cache::digest(&value))).unwrap();
    fs::copy(&files[3], &files[2]).unwrap();
    files[7..].iter().for_each(|file| fs::remove_file(file).unwrap());
    let (page, said) = report(at, "--runs runs");
    assert!(page == wanted && tree(&at.join("runs")) == before);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 4, "{said}");
    for (line, (file, why)) in lines.iter().zip([
        (&files[0], "is damaged"),
        (&files[1], "is of another version (9."),
        (&files[2], "is another run"),
    ]) {
        let name = file.file_name().unwrap().to_str().unwrap();
        assert!(line.starts_with("note: runs/") && line.contains(name), "{line}");
        assert!(line.contains(why) && line.ends_with("run again"), "{line}");
    }
    let missing = "note: runs: runs of ecube, uniform are missing, 5 at load 0.2 0.5; run now, and kept there";
    assert_eq!(lines[3], missing);
    assert_eq!(report(at, "--runs runs"), (wanted, String::new()));
}

/// Those of a sweep for Slurm are in a folder of its own; a network from a file is known by what is in it.
#[test]
fn runs_of_other_sweeps() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    assert_eq!(run_in(at, "export ring --nodes 4 --out my.topology").code, 0);
    let options = "my.topology --load 0.2 --seeds 2 --cycles 200";
    assert_eq!(run_in(at, &format!("sweep {options} --slurm d --runs-per-task 9")).code, 0);
    assert_eq!(run_in(at, "sweep --slurm d --task 1").code, 0);
    let line = format!("report {options} --out page.html --runs");
    let run = run_in(at, &format!("{line} d/runs"));
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let text = fs::read_to_string(at.join("my.topology")).unwrap();
    fs::write(at.join("my.topology"), format!("{text}# the same, in other words\n")).unwrap();
    let run = run_in(at, &format!("{line} d/runs"));
    assert!(
        run.code == 0 && run.stderr.contains("are missing, 2 at load 0.2; run now"),
        "{}",
        run.stderr
    );
    refused_in(
        at,
        &[(&format!("{line} d"), &["--runs d holds a sweep for Slurm; its runs are in d/runs"])],
    );
}

#[test]
fn folders_that_are_none() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("notes.txt"), "mine").unwrap();
    let line = format!("report {OPTIONS} --out page.html --runs");
    let none: &[&str] = &["is no folder; name one in which turnpike sweep --out kept runs"];
    refused_in(
        folder.path(),
        &[
            (&format!("{line} nowhere"), none),
            (&format!("{line} notes.txt"), none),
            ("report ring --nodes 4 --out x.html --runs . --no-curves", &["--runs", "--no-curves"]),
            (
                "report ring --nodes 4 --out x.html --cycles 100 --no-curves",
                &["--no-curves", "--cycles", "does nothing in"],
            ),
        ],
    );
}

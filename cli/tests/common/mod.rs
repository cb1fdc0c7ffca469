//! Runs the program.
pub mod booksim;
pub mod folders;
pub mod fuzz;
pub mod optical;
pub mod page;
pub mod slurm;
pub mod synth_tools;
pub mod traffic;

use serde_json::Value;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What a run left.
pub struct Run {
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// Exit code.
    pub code: i32,
}

/// `turnpike` with these arguments.
pub fn turnpike<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Run {
    finish(Command::new(env!("CARGO_BIN_EXE_turnpike")).args(args))
}

fn finish(command: &mut Command) -> Run {
    let output = command.output().expect("the program was built for this test");
    let Output { stdout, stderr, status } = output;
    Run {
        stdout: String::from_utf8(stdout).expect("text"),
        stderr: String::from_utf8(stderr).expect("text"),
        code: status.code().expect("it exits"),
    }
}

/// `turnpike` with the words of `line`.
pub fn run(line: &str) -> Run {
    turnpike(line.split_whitespace())
}

/// The report that `turnpike` writes with the words of `line`, of a run that ends well.
#[track_caller]
pub fn json(line: &str) -> Value {
    json_in(Path::new("."), line)
}

/// The report of a run that ends well, in a folder; beside it there may be notes.
#[track_caller]
pub fn json_in(folder: &Path, line: &str) -> Value {
    let run = run_in(folder, &format!("{line} --format json"));
    let is_well = run.code == 0 && run.stderr.lines().all(|said| said.starts_with("note: "));
    assert!(is_well, "{line}: {}: {}", run.code, run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

/// The number that a field of a report is.
#[track_caller]
pub fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// The rows of a CSV, cells by the names of their columns.
pub fn rows(csv: &str) -> Vec<BTreeMap<String, String>> {
    csv::Reader::from_reader(csv.as_bytes()).deserialize().map(Result::unwrap).collect()
}

/// `turnpike` with the words of `line`, in a folder of its own.
pub fn run_in(folder: &Path, line: &str) -> Run {
    run_with(folder, line, &[])
}

/// `turnpike` with these arguments, in a folder of its own.
pub fn turnpike_in<S: AsRef<OsStr>>(folder: &Path, args: impl IntoIterator<Item = S>) -> Run {
    finish(Command::new(env!("CARGO_BIN_EXE_turnpike")).args(args).current_dir(folder))
}

/// `turnpike` with the words of `line` and these environment variables.
pub fn run_with(folder: &Path, line: &str, variables: &[(&str, &str)]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_turnpike"));
    command.args(line.split_whitespace()).current_dir(folder);
    finish(command.envs(variables.iter().copied()))
}

/// Everything in a folder: the contents of files, nothing for folders.
pub fn tree(folder: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(tree(&path));
            found.insert(path, None);
        } else {
            let contents = std::fs::read(&path).unwrap();
            found.insert(path, Some(contents));
        }
    }
    found
}

/// Exit code 2, nothing on standard output, one line on standard error with all of `expected`.
#[track_caller]
pub fn refused(run: &Run, of: &str, expected: &[&str]) {
    assert_eq!(run.code, 2, "{of}: {}", run.stderr);
    assert_eq!(run.stdout, "", "{of}");
    let error = &run.stderr;
    assert!(error.starts_with("error: ") && error.ends_with('\n'), "{of}: {error}");
    assert_eq!(error.lines().count(), 1, "{of}: {error}");
    // A cause is told once.
    let causes: Vec<&str> = error.trim_end().split(": ").collect();
    for (at, cause) in causes.iter().enumerate() {
        assert!(!causes[..at].contains(cause), "{of}: '{cause}' comes twice: {error}");
    }
    for part in expected {
        assert!(error.contains(part), "{of}: no '{part}' in: {error}");
    }
}

/// Each line, run in `folder`, is refused and changes nothing there.
#[track_caller]
pub fn refused_in(folder: &Path, cases: &[(&str, &[&str])]) {
    let before = tree(folder);
    for (line, expected) in cases {
        refused(&run_in(folder, line), line, expected);
        assert!(tree(folder) == before, "{line}: the folder has changed");
    }
}

/// `line` with each of these options is refused in an empty folder.
#[track_caller]
pub fn refused_with(line: &str, cases: &[(&str, &[&str])]) {
    let folder = tempfile::tempdir().unwrap();
    for (options, expected) in cases {
        refused_in(folder.path(), &[(&format!("{line} {options}"), expected)]);
    }
}

/// A folder on a disk of this size that is mounted for a test; `None` where that is not
/// allowed, after saying so loudly.
pub fn small_disk(kilobytes: u32) -> Option<SmallDisk> {
    let folder = tempfile::tempdir().unwrap();
    let mut mount = Command::new("mount");
    mount.args(["-t", "tmpfs", "-o", &format!("size={kilobytes}k"), "tmpfs"]).arg(folder.path());
    let mounted = mount.output().is_ok_and(|output| output.status.success());
    if !mounted {
        use std::io::Write;
        let name = std::thread::current().name().unwrap_or("a test").to_owned();
        // Straight to the stream: the test runner swallows what `eprintln!` prints.
        let line = format!("SKIPPED {name}: no disk can be mounted here\n");
        let _ = std::io::stderr().write_all(line.as_bytes());
    }
    mounted.then_some(SmallDisk { folder })
}

/// See [`small_disk`]; unmounted when dropped.
pub struct SmallDisk {
    folder: tempfile::TempDir,
}

impl SmallDisk {
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.folder.path()).status();
    }
}

/// A program of that name in the folder: a shell script; its path.
pub fn script(folder: &Path, name: &str, body: &str) -> String {
    let path = folder.join(name);
    std::fs::write(path.with_extension("text"), format!("#!/bin/sh\n{body}\n")).unwrap();
    // Not written by this process: a test on another thread that starts a program at that
    // moment would hold it open, and a file that is open for writing cannot be run.
    let mut install = Command::new("install");
    install.args(["-m", "755"]).arg(path.with_extension("text")).arg(&path);
    assert!(install.status().unwrap().success());
    path.to_str().unwrap().to_owned()
}

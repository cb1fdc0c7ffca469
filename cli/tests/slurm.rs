//! `sweep --slurm` on a Slurm that this test starts: a task is killed half way, by Slurm or by the system,
//! the merge says what is missing, and what is submitted again runs no more than that.

use crate::common::{Run, run_in, tree};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;
use turnpike_tests::process::{self, Finished, LIMIT};
use turnpike_tests::require;
use turnpike_tests::slurm::{Cluster, Slurm};

/// Three tasks, one for each load, of eight runs that take a good part of a second each.
const SWEEP: &str = "sweep hypercube --dim 6 --load 0.1,0.2,0.3 --seeds 8 --cycles 250000";
const RUNS: usize = 8;

/// The kept runs of a load, with their times.
fn kept(at: &Path, load: &str) -> BTreeMap<PathBuf, SystemTime> {
    let begin = format!("ecube_uniform_{load}_");
    let of_load = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().starts_with(&begin);
    let files = tree(&at.join("d/runs")).into_keys().filter(of_load);
    files.map(|path| (path.clone(), fs::metadata(path).unwrap().modified().unwrap())).collect()
}

/// `submit.sh`.
fn asked(at: &Path, cluster: &Cluster) -> Finished {
    let mut command = Command::new("/bin/sh");
    command.arg("d/submit.sh").current_dir(at).envs([cluster.variable()]);
    process::run(command.env("TURNPIKE", env!("CARGO_BIN_EXE_turnpike")), LIMIT)
}

/// What it says.
fn submit(at: &Path, cluster: &Cluster) -> String {
    let run = asked(at, cluster);
    assert!(run.success(), "{}", run.log());
    run.stdout
}

fn read(at: &Path, name: &str) -> String {
    let path = at.join("d").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// By Slurm, which knows of it.
#[test]
fn a_task_that_is_cancelled_costs_its_unfinished_runs_alone() {
    killed(|cluster, job| {
        cluster.ask(&format!("scancel --full --signal=KILL {job}_2"));
    });
}

/// By SIGKILL, as where memory runs out: nobody is asked, and nothing can be put in order.
#[test]
#[ignore = "a minute: `make test-all`"]
fn a_task_that_is_killed_costs_its_unfinished_runs_alone() {
    killed(|_, _| {
        let is_task = |line: &str| line.ends_with("sweep --slurm . --task 2 ");
        let processes = fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap());
        let tasks = processes.filter(|process| {
            let line = fs::read(process.path().join("cmdline")).unwrap_or_default();
            is_task(&String::from_utf8_lossy(&line).replace('\0', " "))
        });
        let tasks: Vec<_> =
            tasks.filter_map(|process| process.file_name().into_string().ok()).collect();
        assert_eq!(tasks.len(), 1, "{tasks:?}");
        assert!(Command::new("kill").args(["-s", "KILL", &tasks[0]]).status().unwrap().success());
    });
}

/// One Slurm at a time: the runs of one take all cores.
static ALONE: Mutex<()> = Mutex::new(());

fn killed(kill: impl Fn(&Cluster, &str)) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(slurm) = require::<Slurm>() else { return };
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let wanted = run_in(at, &format!("{SWEEP} --slurm d --runs-per-task {RUNS} --throttle 2"));
    assert_eq!((wanted.code, wanted.stderr.as_str()), (0, ""));
    let cluster = slurm.start();
    let all_ended = || cluster.queue().trim().is_empty();

    let said = submit(at, &cluster);
    print!("{said}");
    let job = said.strip_prefix("tasks 1-3: job ").and_then(|rest| rest.lines().next());
    let job = job.unwrap_or_else(|| panic!("{said}"));
    cluster.wait("task 2 has kept two runs", || kept(at, "0.2").len() >= 2);
    print!("in the queue when task 2 is killed:\n{}", cluster.queue());
    // Nothing is submitted twice.
    let twice = asked(at, &cluster);
    assert!(
        !twice.success() && twice.stderr.contains(&format!("in the queue, of job {job};")),
        "{}",
        twice.log()
    );
    kill(&cluster, job);
    cluster.wait("the tasks and the merge have ended", all_ended);

    let there: Vec<usize> = ["0.1", "0.2", "0.3"].map(|load| kept(at, load).len()).into();
    print!("kept runs by task: {there:?}\n{}", read(at, "logs/merge.txt"));
    assert!((there[0], there[2]) == (RUNS, RUNS) && (2..RUNS).contains(&there[1]), "{there:?}");
    let missing = RUNS - there[1];
    let error = format!("error: {missing} of 24 runs are missing, of tasks 2 of 3 (");
    assert!(read(at, "logs/merge.txt").starts_with(&error), "{}", read(at, "logs/merge.txt"));
    assert!(tree(&at.join("d/reports")).is_empty());
    let merge = run_in(at, "sweep --merge d");
    assert!(merge.code == 2 && merge.stderr.starts_with(&error), "{}", merge.stderr);
    let before: BTreeMap<_, _> = ["0.1", "0.2", "0.3"].iter().flat_map(|l| kept(at, l)).collect();

    let said = submit(at, &cluster);
    print!("{said}");
    assert!(said.starts_with("tasks 2: job "), "{said}");
    cluster.wait("the task and the merge have ended", all_ended);
    let log = read(at, "logs/task_2.txt");
    print!("{log}");
    let line = format!("task 2 of 3: {missing} runs done, {} were there\n", there[1]);
    assert!(log.ends_with(&line), "{log}");
    let after: BTreeMap<_, _> = ["0.1", "0.2", "0.3"].iter().flat_map(|l| kept(at, l)).collect();
    assert_eq!(after.len(), 3 * RUNS);
    assert!(before.iter().all(|(path, time)| after[path] == *time));
    for (format, name) in [("text", "sweep.txt"), ("csv", "sweep.csv"), ("json", "sweep.json")] {
        let plain = run_in(at, &format!("{SWEEP} --format {format} --out here"));
        let Run { stdout: here, stderr, code } = plain;
        assert_eq!((code, stderr.as_str()), (0, ""));
        assert!(read(at, &format!("reports/{name}")) == here, "{name} is another report");
        assert!(run_in(at, &format!("sweep --merge d --format {format}")).stdout == here, "{name}");
    }
    println!("reports/sweep.csv, .txt and .json are those of the sweep at one go");
}

//! Sweeps that `sweep --slurm` writes.

use super::{Run, run_in, tree};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// 24 runs.
pub const SWEEP: &str = "sweep hypercube --dim 3 --routing ecube,rotation --traffic uniform,transpose \
                     --load 0.2,0.6 --seeds 3 --cycles 400";

/// The sweep written to `d`, with five runs to a task: the last has four.
pub fn written(more: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), more);
    folder
}

/// The same into a folder that is there.
pub fn write(at: &Path, more: &str) {
    done(&run_in(at, &format!("{SWEEP} --slurm d --runs-per-task 5 {more}")));
}

/// What a run that went well said.
#[track_caller]
pub fn done(run: &Run) -> String {
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{}", run.stdout);
    run.stdout.clone()
}

/// What a task says.
#[track_caller]
pub fn task(at: &Path, task: u32) -> String {
    done(&run_in(at, &format!("sweep --slurm d --task {task}")))
}

/// The files of the kept runs.
pub fn kept(at: &Path) -> Vec<PathBuf> {
    let files = tree(&at.join("d/runs")).into_keys();
    files.collect()
}

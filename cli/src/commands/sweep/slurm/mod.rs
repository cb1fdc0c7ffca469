//! Sweeps beyond one machine: `--slurm DIR` writes an array job whose tasks keep their runs in the
//! folder, `--merge DIR` makes the report of them.
//!
//! A task is the same program with the same options on a share of the runs, and keeps each as `--out`
//! does. So a task that is killed costs its unfinished runs alone, what is there is not run again, and
//! the report is that of a sweep on one machine, whose runs were all there.

mod collect;
mod job;
mod options;
mod scripts;

pub use collect::{merge, missing, task};
pub use job::FILE as JOB;
pub use options::{SlurmOptions, alone};

use super::{SweepOptions, all_runs};
use crate::{Report, again, words};
use anyhow::{Context, anyhow, bail};
use job::Job;
use std::fs;
use std::path::Path;
use turnpike_emit::folder;

/// Tasks of an array where nothing is said.
const TASKS: u64 = 100;

/// Most tasks of an array: as many as Slurm takes where nobody has set its `MaxArraySize`.
const MOST_TASKS: u64 = 1000;

/// The kept runs, in the folder.
pub const RUNS: &str = "runs";

/// Folder of work that tasks have not finished, a folder each.
const UNFINISHED: &str = "unfinished";

/// Folders that appear when the job is run.
const USED: &[&str] = &[RUNS, UNFINISHED, "logs", "reports"];

/// Writes the folder.
///
/// # Errors
/// What is wrong with the sweep; too many tasks; a folder that holds something else.
pub fn write(shown: &Path, options: &SweepOptions) -> anyhow::Result<Report> {
    let mut job = Job::of(options.again.clone());
    // What is written down, and not what it was written from.
    let sweep = job.options()?;
    sweep.curves.load.listed()?;
    let curves = sweep.all_curves()?;
    if curves.iter().any(|curve| curve.has_files()) {
        job.folder = Some(std::env::current_dir().context("cannot tell the current folder")?);
    }
    let runs = all_runs(&sweep.curves, &curves)?;
    let count = runs.len() as u64;
    job.runs_per_task = match options.slurm.runs_per_task {
        Some(runs) => u64::from(runs),
        None => count.div_ceil(TASKS),
    };
    let tasks = job.tasks(count);
    if tasks > MOST_TASKS {
        bail!(
            "these are {tasks} tasks, of {count} runs; Slurm takes arrays of up to {MOST_TASKS}: use \
             --runs-per-task {} or more",
            count.div_ceil(MOST_TASKS)
        );
    }
    job.digest = job::digest(&runs)?;
    let force = options.force.force;
    check(shown, &job, force)?;
    let files = scripts::files(&job, &runs, &options.slurm)?;
    let wrong = |error: folder::FolderError| match words::of_folder(&error, "--slurm") {
        Some(text) => anyhow!(text),
        None => error.into(),
    };
    folder::write_around(shown, &files, force, USED).map_err(wrong)?;
    for name in [RUNS, "logs", "reports"] {
        let path = shown.join(name);
        fs::create_dir_all(&path).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(Report::holds(format!(
        "{}: {count} runs in {tasks} tasks of up to {}, none run yet\n\
         \x20 which runs are in which task: {}\n\
         \x20 submit, and submit again what is missing then: sh {}\n\
         \x20 the report, once they are there: turnpike sweep --merge {}\n",
        shown.display(),
        job.runs_per_task,
        shown.join(scripts::MANIFEST).display(),
        again::path(&shown.join(scripts::SUBMIT)),
        again::path(shown),
    )))
}

/// Refuses a folder that holds something else than this sweep.
fn check(folder: &Path, job: &Job, force: bool) -> anyhow::Result<()> {
    let shown = folder.display();
    let is_empty = fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none());
    if !folder.is_dir() || is_empty {
        return Ok(());
    }
    if !folder.join(job::FILE).is_file() {
        bail!("{shown} is there, and holds no sweep for Slurm; name another folder");
    }
    if force {
        return Ok(());
    }
    let or = "name another folder, or replace the sweep with --force: runs that are kept stay";
    let there = Job::read(folder).map_err(|error| anyhow!("{error:#}; {or}"))?;
    if there.digest != job.digest {
        bail!("{shown} holds another sweep ({}); {or}", there.line());
    }
    Ok(())
}

//! Use of a folder that was written: running a task, and making the report of all.

use super::super::curve::{Curve, CurveRun, Runs};
use super::super::kept::{self, Kept};
use super::super::{SweepOptions, all_runs, page, report};
use super::job::{self, Job};
use super::{RUNS, UNFINISHED, scripts};
use crate::usage::note;
use crate::{Report, again};
use anyhow::{Context, anyhow, bail};
use std::fs;
use std::path::{Path, PathBuf};

/// A sweep that was written, with what was kept of it.
struct Written<'a> {
    shown: &'a Path,
    job: Job,
    options: SweepOptions,
    curves: Vec<Curve>,
}

impl<'a> Written<'a> {
    /// Reads it, to report as `wanted` says.
    fn read(shown: &'a Path, wanted: Option<&SweepOptions>) -> anyhow::Result<Self> {
        let folder = again::path(shown);
        if !shown.join(job::FILE).is_file() {
            bail!(
                "{} holds no sweep for Slurm: there is no {} in it; write one with `turnpike sweep \
                 TOPOLOGY ... --slurm {folder}`",
                shown.display(),
                job::FILE
            );
        }
        let job = Job::read(shown).map_err(|error| {
            anyhow!(
                "{error:#}; write the sweep again, with --slurm {folder} --force: runs of this version \
                 stay"
            )
        })?;
        let damaged = || shown.join(job::FILE).display().to_string();
        let mut options = job.options().with_context(damaged)?;
        if let Some(SweepOptions { format, html, force, .. }) = wanted {
            (options.format, options.html, options.force) = (*format, html.clone(), *force);
        }
        let curves = job.curves(shown, &options)?;
        Ok(Self { shown, job, options, curves })
    }

    fn all_runs(&self) -> anyhow::Result<Vec<CurveRun<'_>>> {
        all_runs(&self.options.curves, &self.curves)
    }

    /// The kept runs, with a place for what is not finished.
    fn runs(&self, place: &Place) -> anyhow::Result<Runs<'_>> {
        let kept = Kept::within(&self.shown.join(RUNS), &place.0)?;
        Ok(Runs { options: &self.options.curves, kept: Some(kept) })
    }

    /// The places of those that are not there.
    fn missing(&self, runs: &Runs<'_>) -> anyhow::Result<Vec<usize>> {
        let mut missing = Vec::new();
        for (place, run) in self.all_runs()?.iter().enumerate() {
            if !runs.has(run)? {
                missing.push(place);
            }
        }
        Ok(missing)
    }

    /// Tasks of these runs, as `sbatch --array` takes them: such as `3,7-9`.
    fn tasks(&self, runs: &[usize]) -> String {
        let mut tasks: Vec<u64> = runs.iter().map(|&run| self.job.task_of(run)).collect();
        tasks.dedup();
        let ranges = tasks.chunk_by(|one, next| one + 1 == *next).filter_map(|range| {
            let (first, last) = (range.first()?, range.last()?);
            Some(if first == last { first.to_string() } else { format!("{first}-{last}") })
        });
        ranges.collect::<Vec<_>>().join(",")
    }
}

/// A folder for what one job has not finished, which goes with it.
struct Place(PathBuf);

impl Place {
    /// Lock of a task, beside which it does not run a second time.
    fn of_task(shown: &Path, task: u64) -> anyhow::Result<Self> {
        Ok(Self(Self::parent(shown)?.join(format!("task_{task}"))))
    }

    /// The folder of all of them.
    fn parent(shown: &Path) -> anyhow::Result<PathBuf> {
        let parent = shown.join(UNFINISHED);
        kept::make(&parent)?;
        Ok(parent)
    }

    /// A new one: merges may run at the same time.
    fn new(shown: &Path) -> anyhow::Result<Self> {
        let parent = Self::parent(shown)?;
        let folder = tempfile::Builder::new().prefix("merge_").tempdir_in(&parent);
        Ok(Self(folder.map_err(|error| kept::cannot(&parent, &error))?.keep()))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // Not where somebody else uses it, too.
        let _ = fs::remove_dir(&self.0);
    }
}

/// Runs a task: those of its runs that are not there.
///
/// # Errors
/// A folder that holds no such sweep, a task that is none, a folder that cannot be written.
pub fn task(shown: &Path, task: u64) -> anyhow::Result<Report> {
    let written = Written::read(shown, None)?;
    let all = written.all_runs()?;
    let tasks = written.job.tasks(all.len() as u64);
    if task > tasks {
        bail!("--task {task} is none: the sweep in {} has tasks 1 to {tasks}", shown.display());
    }
    let own = &all[written.job.share(task, all.len() as u64)];
    let place = Place::of_task(shown, task)?;
    let runs = written.runs(&place)?;
    let mut there = 0;
    for run in own {
        there += usize::from(runs.has(run)?);
    }
    let done = runs.all_figures(own);
    runs.kept.iter().for_each(|kept| kept.tell("run again"));
    done?;
    let now = own.len() - there;
    Ok(Report::holds(format!("task {task} of {tasks}: {now} runs done, {there} were there\n")))
}

/// The tasks that miss runs; nothing where none does.
///
/// # Errors
/// As [`task`].
pub fn missing(shown: &Path) -> anyhow::Result<Report> {
    let written = Written::read(shown, None)?;
    let place = Place::new(shown)?;
    let runs = written.runs(&place)?;
    let tasks = written.tasks(&written.missing(&runs)?);
    runs.kept.iter().for_each(|kept| kept.tell("it counts as missing"));
    Ok(Report::holds(if tasks.is_empty() { tasks } else { tasks + "\n" }))
}

/// The report, of runs that are all there. What `--saturation` takes is run here: which runs these are
/// depends on what the others say.
///
/// # Errors
/// As [`task`]; runs that are missing.
pub fn merge(shown: &Path, wanted: &SweepOptions) -> anyhow::Result<Report> {
    let written = Written::read(shown, Some(wanted))?;
    let page = page(&written.options)?;
    let place = Place::new(shown)?;
    let runs = written.runs(&place)?;
    let (all, missing) = (written.all_runs()?, written.missing(&runs)?);
    let manifest = scripts::manifest(&written.job, &all)?;
    if let Some(damage) = scripts::damage(&shown.join(scripts::MANIFEST), &manifest) {
        note(format_args!("{damage}; the runs are those of the sweep"));
    }
    if let Some(&first) = missing.first() {
        runs.kept.iter().for_each(|kept| kept.tell("it counts as missing"));
        let CurveRun { curve, load, seed, .. } = all[first];
        bail!(
            "{} of {} runs are missing, of tasks {} of {} (the first: {}, load {load}, seed {seed}); \
             submit these tasks again by: sh {}; then merge again",
            missing.len(),
            all.len(),
            written.tasks(&missing),
            written.job.tasks(all.len() as u64),
            curve.name(),
            again::path(&shown.join(scripts::SUBMIT)),
        );
    }
    report(&written.options, &written.curves, &runs, page)
}

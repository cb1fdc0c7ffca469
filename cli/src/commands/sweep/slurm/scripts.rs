//! The files of the folder: configuration, list of tasks, scripts for `sbatch`.

use super::super::curve::CurveRun;
use super::job::{self, Job};
use super::options::SlurmOptions;
use crate::tabular::{self, Document};
use askama::Template;
use schemars::JsonSchema;
use serde::Serialize;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use turnpike_emit::File as Written;

/// The list of tasks.
pub const MANIFEST: &str = "tasks.csv";

/// The script that submits the others.
pub const SUBMIT: &str = "submit.sh";

/// The array job.
#[derive(Template)]
#[template(path = "slurm/tasks.sbatch.askama", escape = "none")]
struct Tasks<'a> {
    job: &'a Job,
    runs: usize,
    tasks: u64,
    throttle: &'a str,
    options: &'a [String],
}

/// The merge job.
#[derive(Template)]
#[template(path = "slurm/merge.sbatch.askama", escape = "none")]
struct Merge<'a> {
    job: &'a Job,
    options: &'a [String],
}

/// Fields of the submit scripts.
#[derive(Template)]
#[template(path = "slurm/submit.sh.askama", escape = "none")]
struct Submit<'a> {
    job: &'a Job,
    throttle: &'a str,
}

/// The list of tasks: runs go by relation, then pattern, then load, then seed.
#[derive(Serialize, JsonSchema)]
struct Manifest {
    tasks: Vec<TaskRow>,
}

impl Document for Manifest {
    const ROWS: Option<&'static str> = Some("tasks");
}

#[derive(Serialize, JsonSchema)]
struct TaskRow {
    task: u64,
    runs: usize,
    first: Run,
    last: Run,
}

#[derive(Serialize, JsonSchema)]
struct Run {
    routing: String,
    traffic: String,
    load: f64,
    seed: u64,
}

impl Run {
    fn of(run: &CurveRun<'_>) -> Self {
        let curve = run.curve;
        Self {
            routing: curve.plan.relation().name().to_owned(),
            traffic: curve.pattern().to_owned(),
            load: run.load,
            seed: run.seed,
        }
    }
}

/// All files.
///
/// # Errors
/// None: templates and keys are plain.
pub fn files(
    job: &Job,
    runs: &[CurveRun<'_>],
    SlurmOptions { sbatch, throttle, .. }: &SlurmOptions,
) -> anyhow::Result<Vec<Written>> {
    let throttle = &throttle.map(|tasks| format!("%{tasks}")).unwrap_or_default();
    let (options, tasks) = (sbatch, job.tasks(runs.len() as u64));
    let of = |name: &str, contents| Written { name: name.to_owned(), contents };
    // The engine leaves the last line break out.
    let script = |name, text: String| of(name, text + "\n");
    let array = Tasks { job, runs: runs.len(), tasks, throttle, options };
    Ok(vec![
        of(job::FILE, job.text()?),
        of(MANIFEST, manifest(job, runs)?),
        script("tasks.sbatch", array.render()?),
        script("merge.sbatch", Merge { job, options }.render()?),
        script(SUBMIT, Submit { job, throttle }.render()?),
    ])
}

/// The list of tasks.
///
/// # Errors
/// None: its keys are strings.
pub fn manifest(job: &Job, runs: &[CurveRun<'_>]) -> anyhow::Result<String> {
    let row = |task| {
        let own = &runs[job.share(task, runs.len() as u64)];
        let (first, last) = (Run::of(own.first()?), Run::of(own.last()?));
        Some(TaskRow { task, runs: own.len(), first, last })
    };
    tabular::csv(&Manifest { tasks: (1..=job.tasks(runs.len() as u64)).filter_map(row).collect() })
}

/// Fault of a list of tasks that is not as it was written.
pub fn damage(path: &Path, wanted: &str) -> Option<String> {
    let shown = path.display();
    if !path.is_file() {
        return Some(format!("{shown} is missing"));
    }
    // Not all of a file that may be of any length.
    let mut found = Vec::new();
    let most = wanted.len() as u64 + 1;
    let read = File::open(path).and_then(|file| file.take(most).read_to_end(&mut found));
    if let Err(error) = read {
        return Some(format!("{shown} cannot be read: {}", error.kind()));
    }
    let found = String::from_utf8_lossy(&found);
    if found == wanted {
        return None;
    }
    let same = found.lines().zip(wanted.lines()).take_while(|(found, wanted)| found == wanted);
    Some(format!("{shown}:{} is damaged", same.count() + 1))
}

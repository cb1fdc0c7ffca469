//! The configuration in the folder: the command line of the sweep, and a digest of all that its runs
//! depend on, by which a task knows that it runs what was asked.

use super::super::curve::{Curve, CurveRun};
use super::super::{SweepOptions, all_runs, kept};
use crate::commands::Command;
use crate::{Cli, again, input, relation_file, usage};
use anyhow::{Context, bail};
use clap::FromArgMatches;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::ops::Range;
use std::path::{Path, PathBuf};
use turnpike_base::bits::hexadecimal;

/// Name of the job's file.
pub const FILE: &str = "sweep.json";

/// Largest file that is read.
const MOST: u64 = 1 << 20;

/// An array job.
#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// Version of the kept runs.
    pub version: String,
    /// SHA-256 of the settings of all runs.
    pub digest: String,
    /// Runs of each task but the last.
    pub runs_per_task: u64,
    /// Folder in which the files of topology and relations are looked for, if there are any.
    pub folder: Option<PathBuf>,
    /// The words of the command line of the sweep.
    pub command: Vec<String>,
}

/// The version, whatever else is there.
#[derive(Deserialize)]
struct Version {
    version: String,
}

impl Job {
    /// Job of a command line, with nothing else known yet.
    pub fn of(command: Vec<String>) -> Self {
        let version = kept::VERSION.to_owned();
        Self { version, digest: String::new(), runs_per_task: 1, folder: None, command }
    }

    /// Job that the folder holds.
    ///
    /// # Errors
    /// A file that is not there, is damaged or of another version.
    pub fn read(folder: &Path) -> anyhow::Result<Self> {
        let path = folder.join(FILE);
        let text = input::bytes(&path, "sweep", MOST)?;
        let shown = path.display();
        let damaged =
            |error: serde_json::Error| anyhow::anyhow!("{shown}:{} is damaged", error.line());
        let Version { version } = serde_json::from_slice(&text).map_err(damaged)?;
        if version != kept::VERSION {
            bail!("{shown} is of another version ({version}, not {})", kept::VERSION);
        }
        serde_json::from_slice(&text).map_err(damaged)
    }

    /// Text of the job's file.
    ///
    /// # Errors
    /// None: its keys are strings.
    pub fn text(&self) -> anyhow::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// The command line, for people.
    pub fn line(&self) -> String {
        again::line(&self.command)
    }

    /// Number of tasks for so many runs.
    pub fn tasks(&self, runs: u64) -> u64 {
        runs.div_ceil(self.runs_per_task.max(1))
    }

    /// The runs of a task of these, by their places. Tasks count from 1.
    pub fn share(&self, task: u64, runs: u64) -> Range<usize> {
        let end = |task: u64| task.saturating_mul(self.runs_per_task.max(1)).min(runs) as usize;
        end(task.saturating_sub(1))..end(task)
    }

    /// The task of the run at a place.
    pub fn task_of(&self, run: usize) -> u64 {
        run as u64 / self.runs_per_task.max(1) + 1
    }

    /// The options of the sweep.
    ///
    /// # Errors
    /// A command line that is damaged.
    pub fn options(&self) -> anyhow::Result<SweepOptions> {
        let command = crate::command();
        let matches = command.clone().try_get_matches_from(&self.command);
        let matches = matches.map_err(|error| usage::explain(&command, &error))?;
        let Command::Sweep(mut options) = Cli::from_arg_matches(&matches)?.command else {
            bail!("`{}` is no sweep", self.line());
        };
        options.again.clone_from(&self.command);
        if let Some(folder) = &self.folder {
            let network = &mut options.curves.fabric.network;
            if network.unrouted.size.file.path(&network.unrouted.topology).is_some() {
                network.unrouted.topology = within(folder, &network.unrouted.topology);
            }
            let place = |name: &str| match relation_file::path(name) {
                Some(_) => within(folder, name),
                None => name.to_owned(),
            };
            let placed = |names: &String| names.split(',').map(place).collect::<Vec<_>>().join(",");
            network.routing = network.routing.as_ref().map(placed);
        }
        Ok(options)
    }

    /// The curves of these options, of which the digest was made.
    ///
    /// # Errors
    /// As [`SweepOptions::all_curves`]; other curves, since a file has changed.
    pub fn curves(&self, shown: &Path, options: &SweepOptions) -> anyhow::Result<Vec<Curve>> {
        let damaged = || format!("the sweep in {}", shown.display());
        let curves = options.all_curves().with_context(damaged)?;
        if digest(&all_runs(&options.curves, &curves)?)? != self.digest {
            bail!(
                "the sweep in {} is another than was written there: {FILE}, or a file of topology or \
                 relation, has changed since; change it back, or write the sweep anew to another folder",
                shown.display()
            );
        }
        Ok(curves)
    }
}

/// A file as it is named from there.
fn within(folder: &Path, file: &str) -> String {
    folder.join(file).to_string_lossy().into_owned()
}

/// SHA-256 of the settings of all these runs.
///
/// # Errors
/// None: settings are plain.
pub fn digest(runs: &[CurveRun<'_>]) -> anyhow::Result<String> {
    let mut sum = Sha256::new();
    for run in runs {
        sum.update(serde_json::to_string(&run.settings())? + "\n");
    }
    Ok(hexadecimal(&sum.finalize()))
}

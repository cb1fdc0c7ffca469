//! The options of sweeps beyond one machine.

use crate::options::values;
use clap::{Arg, ArgAction, Args, Command, Id};
use std::path::PathBuf;

/// Options for the place of the runs of a sweep, if not here.
#[derive(Args, Clone, Debug, Default)]
pub struct SlurmOptions {
    /// Run nothing, and write an array job for Slurm to this folder: tasks, their list, a merge job,
    /// and submit.sh
    #[arg(long, value_name = "DIR")]
    pub slurm: Option<PathBuf>,
    /// Runs of each task of --slurm. Default: as many as make 100 tasks
    #[arg(long, value_name = "N", allow_hyphen_values = true,
          value_parser = values::positive)]
    pub runs_per_task: Option<u32>,
    /// Tasks of --slurm that run at once, at most. Default: as many as Slurm lets
    #[arg(long, value_name = "N", allow_hyphen_values = true,
          value_parser = values::positive)]
    pub throttle: Option<u32>,
    /// An option of sbatch for the jobs of --slurm, such as --sbatch=--time=2:00:00. May be given
    /// several times
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true,
          value_parser = values::sbatch)]
    pub sbatch: Vec<String>,
    /// Report the sweep that --slurm wrote to this folder, from the runs that its tasks kept there
    #[arg(long, value_name = "DIR")]
    pub merge: Option<PathBuf>,
    /// With --merge, instead of the report: the tasks that miss runs, as sbatch --array takes them
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = false,
          default_missing_value = "true", action = ArgAction::Set, value_name = "BOOL",
          hide_possible_values = true)]
    pub missing: bool,
    /// Run this task of the sweep that --slurm wrote to its folder, as the array job does
    #[arg(long, value_name = "N", allow_hyphen_values = true,
          value_parser = values::positive)]
    pub task: Option<u32>,
}

/// Options that go with `--merge`, and those that go with `--task`.
const WITH_MERGE: &[&str] = &["merge", "missing", "format", "html", "force"];
const WITH_TASK: &[&str] = &["task", "slurm"];

/// Options that go with nothing else: a folder that was written holds all others.
pub struct Alone {
    all: Vec<Id>,
}

/// Options of a command that go with nothing else.
pub fn alone(command: &Command) -> Alone {
    Alone { all: command.get_arguments().map(|arg| arg.get_id().clone()).collect() }
}

impl Alone {
    /// An option as it is then. The topology is asked for later.
    pub fn amended(&self, arg: Arg) -> Arg {
        let others = |with: &'static [&str]| {
            self.all.clone().into_iter().filter(|id| !with.contains(&id.as_str()))
        };
        match arg.get_id().as_str() {
            "merge" => arg.conflicts_with_all(others(WITH_MERGE)),
            "task" => arg.conflicts_with_all(others(WITH_TASK)),
            "topology" => arg.required(false).default_value("").hide_default_value(true),
            _ => arg,
        }
    }
}

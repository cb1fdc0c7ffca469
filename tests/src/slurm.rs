//! Slurm, of one machine: daemons of its own on localhost, which end with the test.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::process::{self, Finished, LIMIT};
use crate::tools::{Tool, helper, on_path};

/// Folders of the daemons, beside `PATH`: that of a user who is not root leaves them out.
const SYSTEM: &[&str] = &["/usr/local/sbin", "/usr/sbin", "/sbin"];

/// An installed Slurm, with the daemons and with munge.
#[derive(Clone, Debug)]
pub struct Slurm(());

impl Tool for Slurm {
    const NAME: &'static str = "Slurm (slurmctld, slurmd, sbatch, munged)";

    fn locate() -> Option<Self> {
        let daemon = |name: &&str| SYSTEM.iter().any(|f| Path::new(f).join(name).is_file());
        let there = |name: &&str| on_path(name).is_some() || daemon(name);
        ["sbatch", "squeue", "scancel", "slurmctld", "slurmd", "munged"]
            .iter()
            .all(there)
            .then_some(Slurm(()))
    }
}

impl Slurm {
    /// Starts the daemons.
    ///
    /// # Panics
    /// Where they do not start; their logs are in the message.
    pub fn start(&self) -> Cluster {
        let base = tempfile::tempdir().unwrap();
        let cluster = Cluster { folder: base.path().join("slurm"), _base: base };
        let owner = std::process::id().to_string();
        let run = script("start", &cluster.folder, &[&owner]);
        assert!(run.success(), "{}", run.log());
        cluster
    }
}

/// `slurm.sh` of the tests.
fn script(what: &str, folder: &Path, more: &[&str]) -> Finished {
    let mut command = Command::new("/bin/sh");
    process::run(command.arg(helper("slurm.sh")).arg(what).arg(folder).args(more), LIMIT)
}

/// A running Slurm. Dropped, it stops, with all of its jobs.
#[derive(Debug)]
pub struct Cluster {
    folder: PathBuf,
    _base: TempDir,
}

impl Drop for Cluster {
    fn drop(&mut self) {
        script("stop", &self.folder, &[]);
    }
}

impl Cluster {
    /// The variable that leads the commands of Slurm there.
    pub fn variable(&self) -> (&'static str, PathBuf) {
        ("SLURM_CONF", self.folder.join("slurm.conf"))
    }

    /// Output of a command of Slurm.
    ///
    /// # Panics
    /// Where it fails.
    pub fn ask(&self, line: &str) -> String {
        let mut words = line.split(' ');
        let mut command = Command::new(words.next().unwrap());
        let run = process::run(command.args(words).envs([self.variable()]), LIMIT);
        assert!(run.success(), "{}", run.log());
        run.stdout
    }

    /// The jobs that are waiting or running, a line each: number or number_task, state, name.
    ///
    /// # Panics
    /// Where Slurm does not say.
    pub fn queue(&self) -> String {
        self.ask("squeue --noheader --array --format=%i,%T,%j")
    }

    /// Waits until this is so.
    ///
    /// # Panics
    /// Where it is not after ten minutes; the daemons' logs are in the message.
    pub fn wait(&self, what: &str, mut is_so: impl FnMut() -> bool) {
        let begun = Instant::now();
        while !is_so() {
            if begun.elapsed() > LIMIT {
                let log =
                    |name| std::fs::read_to_string(self.folder.join(name)).unwrap_or_default();
                let (queue, logs) =
                    (self.queue(), ["slurmctld.log", "slurmd.log"].map(log).concat());
                panic!("waited in vain until {what}; in the queue:\n{queue}\n{logs}");
            }
            thread::sleep(Duration::from_millis(100));
        }
    }
}

//! Runs a program to its end or to its time limit, whichever comes first.

use crate::interrupt::Group;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Time that a tool may run unless the caller says otherwise.
pub const LIMIT: Duration = Duration::from_secs(600);

/// Lines of a tool's output that an error repeats.
const SHOWN: usize = 5;

/// A program that has ended, by itself or by its time limit.
#[derive(Debug)]
pub struct Finished {
    /// The command as typed, for messages.
    pub command: String,
    /// Exit status; `None` where the time limit ended the program.
    pub status: Option<ExitStatus>,
    /// Text of the standard output.
    pub stdout: String,
    /// Text of the standard error.
    pub stderr: String,
    /// Wall time from start to end.
    pub elapsed: Duration,
}

impl Finished {
    /// Whether it ended by itself with exit code 0.
    pub fn success(&self) -> bool {
        self.status.is_some_and(|status| status.success())
    }

    /// The end in words: `exit status: 1`, `signal: 6 (SIGABRT)`, `stopped after 600 s`.
    pub fn ending(&self) -> String {
        match self.status {
            Some(status) => status.to_string(),
            None => format!("stopped after {:.0} s", self.elapsed.as_secs_f64()),
        }
    }

    /// The whole log: the command, what it printed, how it ended.
    pub fn log(&self) -> String {
        let Self { command, stdout, stderr, .. } = self;
        format!("$ {command}\n{stdout}{stderr}\n{}\n", self.ending())
    }

    /// The last lines that say something, of the standard error where it says anything.
    pub fn last_lines(&self) -> String {
        let said = if self.stderr.trim().is_empty() { &self.stdout } else { &self.stderr };
        let lines: Vec<&str> =
            said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        lines[lines.len().saturating_sub(SHOWN)..].join(" | ")
    }

    /// The run, where it went well.
    ///
    /// # Errors
    /// [`ProcessError::Failed`] otherwise; the whole log is then in the file `log`.
    pub fn well(self, what: &str, log: &Path) -> Result<Self, ProcessError> {
        if self.success() {
            return Ok(self);
        }
        if let Some(folder) = log.parent() {
            fs::create_dir_all(folder).map_err(ProcessError::Io)?;
        }
        fs::write(log, self.log()).map_err(ProcessError::Io)?;
        Err(ProcessError::Failed {
            what: what.to_owned(),
            ending: self.ending(),
            said: self.last_lines(),
            log: log.to_owned(),
        })
    }
}

/// Reason that there is no good run.
#[derive(Debug, thiserror::Error)]
pub enum ProcessError {
    /// A program that cannot be started.
    #[error("cannot run {program}: {error}")]
    Start {
        program: String,
        /// Error of the system.
        error: io::Error,
    },
    /// A program that failed or took too long.
    #[error("{what} failed ({ending}): {said} (the whole log is in {})", log.display())]
    Failed {
        /// The tool and what it was to do.
        what: String,
        /// Ending of the program.
        ending: String,
        /// Last lines of its output.
        said: String,
        /// Path of the whole output.
        log: PathBuf,
    },
    /// A pipe, or the log.
    #[error("cannot keep what a tool printed: {0}")]
    Io(io::Error),
}

/// Runs `command` with no standard input and both outputs captured. At the time limit, and on
/// Ctrl-C, it and everything that it started are killed.
///
/// # Errors
/// [`ProcessError::Start`] where the program cannot be started at all; a failure of the
/// program is in what is returned.
pub fn run(command: &mut Command, limit: Duration) -> Result<Finished, ProcessError> {
    let shown = shown(command);
    let start = Instant::now();
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut group = Group::start(command).map_err(|error| {
        let program = command.get_program().to_string_lossy().into_owned();
        ProcessError::Start { program, error }
    })?;
    let child = group.child();
    let stdout = collect(child.stdout.take());
    let stderr = collect(child.stderr.take());
    let mut pause = Duration::from_millis(1);
    let status = loop {
        if let Some(status) = group.try_wait().map_err(ProcessError::Io)? {
            break Some(status);
        }
        if start.elapsed() >= limit {
            group.end().map_err(ProcessError::Io)?;
            break None;
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    };
    let text = |reader: Reader| reader.join().unwrap_or_default();
    let (stdout, stderr) = (text(stdout), text(stderr));
    Ok(Finished { command: shown, status, stdout, stderr, elapsed: start.elapsed() })
}

type Reader = thread::JoinHandle<String>;

/// Reads a pipe to its end on a thread of its own, so that a full pipe never
/// stops the program.
fn collect(pipe: Option<impl Read + Send + 'static>) -> Reader {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What was read before a pipe broke is all there is.
            let _ = pipe.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str, limit: Duration) -> Finished {
        run(Command::new("sh").args(["-c", script]), limit).unwrap()
    }

    #[test]
    fn captures_both_outputs_and_the_exit_code() {
        let finished = sh("echo out; echo err >&2; exit 3", LIMIT);
        assert_eq!(finished.stdout, "out\n");
        assert_eq!(finished.stderr, "err\n");
        assert_eq!(finished.ending(), "exit status: 3");
        assert!(!finished.success());
    }

    #[test]
    fn a_pipe_that_fills_does_not_stop_the_program() {
        let finished =
            sh("head -c 1000000 /dev/zero | tr '\\0' x; head -c 1000000 /dev/zero >&2", LIMIT);
        assert_eq!((finished.stdout.len(), finished.stderr.len()), (1_000_000, 1_000_000));
    }

    #[test]
    fn the_time_limit_ends_grandchildren_too() {
        // The grandchild holds the pipe open: were it left alive, this would take 60 s.
        let finished = sh("echo first; sleep 60 & sleep 60", Duration::from_millis(200));
        assert_eq!(finished.status, None);
        assert!(finished.elapsed < Duration::from_secs(30));
        assert_eq!(finished.stdout, "first\n");
        assert!(finished.ending().starts_with("stopped after"));
    }

    #[test]
    fn a_failure_shows_the_last_lines_and_keeps_the_log() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("logs/run.log");
        let failed = sh("seq 1 100; echo no such cell >&2; exit 1", LIMIT);
        let error = failed.well("Yosys", &log).unwrap_err().to_string();
        assert!(error.starts_with("Yosys failed (exit status: 1): no such cell (the whole log"));
        assert!(error.contains(&*log.to_string_lossy()), "{error}");
        let kept = fs::read_to_string(&log).unwrap();
        assert!(kept.starts_with("$ sh -c seq") && kept.contains("\n100\nno such cell\n"));
        let error = sh("seq 1 100; exit 1", LIMIT).well("Yosys", &log).unwrap_err().to_string();
        assert!(error.contains(": 96 | 97 | 98 | 99 | 100 ("), "{error}");
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let error = run(&mut Command::new("no-such-program-of-turnpike"), LIMIT).unwrap_err();
        assert!(error.to_string().starts_with("cannot run no-such-program-of-turnpike: "));
    }
}

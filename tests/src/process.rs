//! Runs a program to its end or to its time limit, whichever comes first.

use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How long a tool may run unless the caller says otherwise.
pub const LIMIT: Duration = Duration::from_secs(600);

/// A program that has ended, by itself or by its time limit.
#[derive(Debug)]
pub struct Finished {
    /// The command as typed, for messages.
    pub command: String,
    /// How it ended; `None` where the time limit ended it.
    pub status: Option<ExitStatus>,
    /// Everything on its standard output.
    pub stdout: String,
    /// Everything on its standard error.
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
}

/// Runs `command` with no standard input and both outputs captured. At the time
/// limit it and everything that it started are killed.
///
/// # Panics
/// Where the program cannot be started at all.
pub fn run(command: &mut Command, limit: Duration) -> Finished {
    let shown = shown(command);
    let start = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .unwrap_or_else(|error| panic!("cannot start `{shown}`: {error}"));
    let stdout = collect(child.stdout.take().expect("standard output is piped"));
    let stderr = collect(child.stderr.take().expect("standard error is piped"));
    let mut pause = Duration::from_millis(1);
    let status = loop {
        if let Some(status) = child.try_wait().expect("the child can be waited for") {
            break Some(status);
        }
        if start.elapsed() >= limit {
            kill_group(child.id());
            child.wait().expect("the child can be waited for");
            break None;
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    };
    Finished {
        command: shown,
        status,
        stdout: stdout.join().expect("the reader does not panic"),
        stderr: stderr.join().expect("the reader does not panic"),
        elapsed: start.elapsed(),
    }
}

/// Reads a pipe to its end on a thread of its own, so that a full pipe never
/// stops the program.
fn collect(mut pipe: impl Read + Send + 'static) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        pipe.read_to_end(&mut bytes).expect("a pipe can be read");
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Kills the process group that [`run`] made: a compiler that make started must
/// not outlive it. The shell's own `kill` serves, for it is always there.
fn kill_group(group: u32) {
    let kill = format!("kill -9 -{group}");
    let _ = Command::new("sh").args(["-c", &kill]).stderr(Stdio::null()).status();
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captures_both_outputs_and_the_exit_code() {
        let script = "echo out; echo err >&2; exit 3";
        let finished = run(Command::new("sh").args(["-c", script]), LIMIT);
        assert_eq!(finished.stdout, "out\n");
        assert_eq!(finished.stderr, "err\n");
        assert_eq!(finished.ending(), "exit status: 3");
        assert!(!finished.success());
    }

    #[test]
    fn a_pipe_that_fills_does_not_stop_the_program() {
        let script = "head -c 1000000 /dev/zero | tr '\\0' x; head -c 1000000 /dev/zero >&2";
        let finished = run(Command::new("sh").args(["-c", script]), LIMIT);
        assert_eq!((finished.stdout.len(), finished.stderr.len()), (1_000_000, 1_000_000));
    }

    #[test]
    fn the_time_limit_ends_grandchildren_too() {
        // The grandchild holds the pipe open: were it left alive, this would take 60 s.
        let finished = run(
            Command::new("sh").args(["-c", "echo first; sleep 60 & sleep 60"]),
            Duration::from_millis(200),
        );
        assert_eq!(finished.status, None);
        assert!(finished.elapsed < Duration::from_secs(30));
        assert_eq!(finished.stdout, "first\n");
        assert!(finished.ending().starts_with("stopped after"));
    }
}

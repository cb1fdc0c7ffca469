//! Ctrl-C: every child is ended and every temporary folder removed before the process exits.

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::collections::BTreeSet;
use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use turnpike_base::staging;
use turnpike_base::standard_error::say;

/// The exit code after Ctrl-C: 128 and the number of SIGINT, as shells have it.
pub const EXIT_CODE: u8 = 130;

/// The process groups that would outlive the process, each by its leader's number; the folders
/// are in [`staging`]. The lock is held while a child is started or waited for, so that none is
/// missed and no number of a child that is gone is used.
static GROUPS: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

fn groups() -> MutexGuard<'static, BTreeSet<i32>> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on SIGINT, SIGTERM and SIGHUP end the children, remove the temporary folders and
/// exit with [`EXIT_CODE`]. SIGHUP stays ignored where it is (`nohup`).
///
/// # Errors
/// What the system says.
pub fn install() -> io::Result<()> {
    let hang_up = (!is_ignored(SIGHUP)).then_some(SIGHUP);
    let mut signals = Signals::new([SIGINT, SIGTERM].into_iter().chain(hang_up))?;
    thread::spawn(move || {
        for _ in signals.forever() {
            if !ask_to_stop() {
                end_all();
            }
        }
    });
    Ok(())
}

/// Flag that the first signal sets instead of ending the process, where a search wants to report
/// what it has found so far.
static ASKED: Mutex<Option<Arc<AtomicBool>>> = Mutex::new(None);

/// The first signal from now on sets this; the next one ends the process.
pub fn stop_by() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    *ASKED.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&flag));
    flag
}

/// Whether somebody was there to be asked for the first time.
fn ask_to_stop() -> bool {
    let asked = ASKED.lock().unwrap_or_else(PoisonError::into_inner).take();
    asked.is_some_and(|flag| {
        say("stopping; once more to end at once");
        !flag.swap(true, Ordering::Relaxed)
    })
}

fn end_all() -> ! {
    // Never let go of again: nothing starts from here on.
    let groups = groups();
    kill(groups.iter().copied());
    staging::remove_all();
    say("error: interrupted");
    std::process::exit(EXIT_CODE.into());
}

/// Whether whoever started this process lets it ignore the signal. Only Linux says.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}

/// A child in a process group of its own, ended with all that it starts on Ctrl-C and when
/// dropped.
#[derive(Debug)]
pub(crate) struct Group {
    child: Child,
    /// Whether it has been waited for: its number may then be another's.
    ended: bool,
}

impl Group {
    /// Starts `command`.
    pub(crate) fn start(command: &mut Command) -> io::Result<Self> {
        use std::os::unix::process::CommandExt;
        let mut groups = groups();
        let child = command.process_group(0).spawn()?;
        groups.insert(number(&child));
        Ok(Self { child, ended: false })
    }

    /// The child, for its pipes.
    pub(crate) fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Exit status of the group, if it has ended.
    pub(crate) fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        let mut groups = groups();
        let status = self.child.try_wait()?;
        if status.is_some() {
            groups.remove(&number(&self.child));
            self.ended = true;
        }
        Ok(status)
    }

    /// Ends it and all that it started, and waits for it.
    pub(crate) fn end(&mut self) -> io::Result<()> {
        let mut groups = groups();
        if !self.ended {
            kill(std::iter::once(number(&self.child)));
            self.child.wait()?;
            groups.remove(&number(&self.child));
            self.ended = true;
        }
        Ok(())
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // A child that cannot be waited for is not there.
        let _ = self.end();
    }
}

/// Numbers of processes are positive and fit, by POSIX.
fn number(child: &Child) -> i32 {
    child.id() as i32
}

/// Time that a tool may take to end what it started outside its own group, as SymbiYosys does.
const GRACE: Duration = Duration::from_millis(300);

fn kill(groups: impl Iterator<Item = i32>) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let groups: Vec<Pid> = groups.filter_map(Pid::from_raw).collect();
    let send = |signal| {
        for &group in &groups {
            // One that is gone needs no ending.
            let _ = kill_process_group(group, signal);
        }
    };
    send(Signal::TERM);
    if !groups.is_empty() {
        thread::sleep(GRACE);
    }
    send(Signal::KILL);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_known_until_they_end() {
        let mut group = Group::start(Command::new("sleep").arg("60")).unwrap();
        let id = number(group.child());
        assert!(groups().contains(&id));
        assert!(group.try_wait().unwrap().is_none());
        group.end().unwrap();
        assert!(!groups().contains(&id));
    }
}

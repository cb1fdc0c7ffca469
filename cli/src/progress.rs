//! Progress on standard error for anything over a second; nothing where that is no terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::mpsc::{self, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

/// Time that a command may take before it shows its progress.
const QUIET: Duration = Duration::from_secs(1);

/// A progress bar that shows itself after a second and goes away when dropped.
pub struct Progress {
    bar: ProgressBar,
    /// Dropping the sender wakes the thread.
    waiting: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Work of unknown length.
    pub fn spinner(what: impl Into<String>) -> Self {
        let style = ProgressStyle::with_template("{spinner} {msg} [{elapsed}]");
        Self::new(ProgressBar::no_length(), style.ok(), what.into())
    }

    /// Work in `steps` steps.
    pub fn steps(steps: u64, what: impl Into<String>) -> Self {
        let style = ProgressStyle::with_template("{msg} [{bar:40}] {pos}/{len} [{elapsed}]");
        Self::new(ProgressBar::new(steps), style.ok(), what.into())
    }

    /// Work in `steps` steps that take about as long: with the time that is left.
    pub fn timed(steps: u64, what: impl Into<String>) -> Self {
        let style = "{msg} [{bar:40}] {pos}/{len} [{elapsed}, {eta} left]";
        Self::new(ProgressBar::new(steps), ProgressStyle::with_template(style).ok(), what.into())
    }

    fn new(bar: ProgressBar, style: Option<ProgressStyle>, what: String) -> Self {
        bar.set_draw_target(ProgressDrawTarget::hidden());
        if let Some(style) = style {
            bar.set_style(style);
        }
        bar.set_message(what);
        let waiting = std::io::stderr().is_terminal().then(|| {
            let (sender, receiver) = mpsc::channel();
            let bar = bar.clone();
            let thread = std::thread::spawn(move || {
                if receiver.recv_timeout(QUIET) == Err(mpsc::RecvTimeoutError::Timeout) {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                    bar.enable_steady_tick(Duration::from_millis(100));
                }
            });
            (sender, thread)
        });
        Self { bar, waiting }
    }

    /// One step done.
    pub fn step(&self) {
        self.bar.inc(1);
    }

    /// Shows so many steps done in all, of so many.
    pub fn at(&self, done: u64, of: Option<u64>) {
        match of {
            Some(of) => self.bar.set_length(of.max(1)),
            None => self.bar.unset_length(),
        }
        self.bar.set_position(done);
    }

    /// Shows the step that is being done.
    pub fn message(&self, what: impl Into<String>) {
        self.bar.set_message(what.into());
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.waiting.take() {
            drop(sender);
            // The thread only draws: nothing is lost if it failed.
            let _ = thread.join();
        }
        self.bar.finish_and_clear();
    }
}

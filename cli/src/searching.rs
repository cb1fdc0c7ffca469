//! Progress and limits of a search that a solver takes part in.

use crate::format::number;
use crate::options::values;
use crate::progress::Progress;
use clap::Args;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use turnpike_flow::interrupt;
use turnpike_search::solver::Limits;

/// Limits of a search for the least.
#[derive(Args, Clone, Copy, Debug)]
pub struct LimitOptions {
    /// Seed of the moves of local search
    #[arg(long, value_name = "N", allow_hyphen_values = true, default_value = "1",
          value_parser = values::long)]
    pub seed: u64,
    /// Seconds after which it ends with the best so far
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true, default_value = "60",
          value_parser = values::positive)]
    pub time_limit: u32,
}

impl LimitOptions {
    /// Limits of a search that began then.
    pub fn limits(self, searching: &Searching, began: Instant) -> Limits {
        Limits { seed: self.seed, ..searching.limits(began, Some(self.time_limit)) }
    }
}

/// A search that goes on. Its progress goes away when the last of its copies is dropped.
#[derive(Clone)]
pub struct Searching {
    progress: Arc<Mutex<Progress>>,
    /// The search in words, before what it does.
    what: &'static str,
}

impl Searching {
    /// A search that begins, with the progress that is shown already.
    pub fn new(progress: Progress, what: &'static str) -> Self {
        Self { progress: Arc::new(Mutex::new(progress)), what }
    }

    /// Shows what is being done.
    pub fn message(&self, now: &str) {
        let progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        progress.message(format!("{}: {now}", self.what));
    }

    /// Limits that show the solver's conflicts and end with Ctrl-C, and after so many seconds from `began`.
    pub fn limits(&self, began: Instant, seconds: Option<u32>) -> Limits {
        let shown = self.clone();
        let conflicts = move |conflicts: u64| shown.message(&format!("{conflicts} conflicts"));
        Limits {
            deadline: seconds.map(|limit| began + Duration::from_secs(limit.into())),
            interrupt: interrupt::stop_by(),
            progress: Some(Arc::new(conflicts)),
            ..Limits::default()
        }
    }
}

/// Reason that a search came to no end.
pub fn ended(was_stopped: bool) -> &'static str {
    if was_stopped { "It was stopped." } else { "Time was up." }
}

/// Sentence on the least that was found and is not known to be the least: how far it may be from that. `gap` is
/// the difference to the bound, in parts of the bound; `none` what costs no less than the bound.
pub fn not_the_least(
    [what, found, bound]: [&str; 3],
    gap: Option<f64>,
    none: &str,
    was_stopped: bool,
) -> String {
    let ended = ended(was_stopped);
    let Some(gap) = gap else {
        return format!(
            "The least {what} found is {found}; whether there is less is not known. {ended}"
        );
    };
    let percent = number((gap * 1000.0).ceil() / 10.0);
    format!(
        "The least {what} found is {found}, within {percent} % of the least there is: {none} less than \
         {bound}. {ended}"
    )
}

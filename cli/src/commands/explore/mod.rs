//! `turnpike explore`: networks for flows, and which of them are worth building.

mod candidate;
mod figures;
mod grown;
mod question;
mod regular;
mod report;
mod text;

pub use report::REPORT;

use crate::destination::ForceOption;
use crate::format::FormatOption;
use crate::options::values;
use crate::progress::Progress;
use crate::searching::{LimitOptions, Searching, ended};
use crate::{Report, Verdict};
use candidate::Candidate;
use clap::{ArgAction, Args};
use question::Terminals;
use report::Outcome;
use std::path::PathBuf;
use std::time::Instant;
use turnpike_emit::folder;
use turnpike_network::flows::Bandwidth;

/// Options of `explore`.
#[derive(Args, Debug)]
pub struct ExploreOptions {
    /// The flows that the network is for, a CSV file with the columns source, destination and bandwidth (flits per
    /// cycle), and if wanted packet (flits) and latency (cycles); names may be patterns such as cpu*. A
    /// terminal for each name
    #[arg(long, value_name = "FILE")]
    pub flows: PathBuf,
    /// The most inputs of a switch, and the most outputs, those of terminals among them, 3 to 64
    #[arg(long, value_name = "N", allow_hyphen_values = true, default_value = "64",
          value_parser = values::whole)]
    pub switch_ports: u32,
    /// Most flits per cycle over a channel between switches, above 0 and up to 1. Default: 0.75, or as many as the
    /// pair of terminals that has most takes
    #[arg(long, value_name = "LOAD", allow_hyphen_values = true)]
    pub max_load: Option<Bandwidth>,
    /// Keep both ends of a terminal at one switch
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = false,
          default_missing_value = "true", action = ArgAction::Set, value_name = "BOOL",
          hide_possible_values = true)]
    pub together: bool,
    /// A network that is compared with those grown, in its words on the command line, such as 'torus --shape 4x4';
    /// repeatable. Default: a mesh and a ring, each with a switch for each terminal
    #[arg(long = "network", value_name = "WORDS")]
    pub networks: Vec<String>,
    /// Seed and time of the search.
    #[command(flatten)]
    pub limits: LimitOptions,
    /// Write the networks that are worth building to this folder, each with a file NAME.system that builds
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Whether files that are there are overwritten.
    #[command(flatten)]
    pub force: ForceOption,
    /// Format of the report.
    #[command(flatten)]
    pub format: FormatOption,
}

/// Runs it. Whether there is a network where none was found is not decided.
///
/// # Errors
/// Flows that cannot be, a limit out of range, words that name no network, a folder that cannot be written.
pub fn run(options: &ExploreOptions) -> anyhow::Result<Report> {
    let began = Instant::now();
    // Before the search, which may take long.
    if let Some(out) = &options.out {
        folder::check_place(out, options.force.force)?;
    }
    let regular = regular::Words::all(options)?;
    let terminals = Terminals::read(options)?;
    let what = "looking for networks";
    let searching = Searching::new(Progress::spinner(what), what);
    let limits = options.limits.limits(&searching, began);
    // First: of the time that is left they take a share, and what is grown takes the rest.
    let (mut candidates, mut is_cut): (Vec<Candidate>, bool) = (Vec::new(), false);
    let list = regular.list(terminals.names.len());
    for (number, words) in list.iter().enumerate() {
        searching.message(&words.text);
        let limits = limits.share(list.len() - number + 1);
        let (own, is_whole) = words.candidate(options, &terminals, &limits)?;
        candidates.push(own);
        is_cut |= !is_whole;
    }
    let (grown, is_whole) = grown::all(&terminals, &limits, &searching)?;
    candidates.extend(grown);
    is_cut |= !is_whole;
    let was_stopped = limits.is_interrupted();
    let end = is_cut.then(|| ended(was_stopped));
    // Their progress goes away.
    drop((searching, limits));
    let outcome = Outcome::new(options, terminals, candidates, end);
    let is_found = outcome.front().next().is_some();
    if let (Some(out), true) = (&options.out, is_found) {
        folder::write(out, &outcome.files(), options.force.force)?;
    }
    let verdict = match (is_found, was_stopped) {
        (true, _) => Verdict::Holds,
        (false, true) => Verdict::Interrupted,
        (false, false) => Verdict::Undecided,
    };
    options.format.report(&outcome.document(), verdict, || text::report(&outcome, options))
}

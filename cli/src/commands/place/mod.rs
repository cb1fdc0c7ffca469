//! `turnpike place`: the places of terminals on a network that is given, with the least bandwidth times
//! channels.

mod places;
mod report;
pub mod terminals;
mod text;

pub use report::REPORT;

use crate::destination::{Destination, ForceOption};
use crate::format::FormatOption;
use crate::options::{NetworkOptions, UnroutedOptions};
use crate::progress::Progress;
use crate::searching::{LimitOptions, Searching};
use crate::{Report, Verdict};
use clap::Args;
use report::Outcome;
use std::path::PathBuf;
use std::time::Instant;
use terminals::Terminals;
use turnpike_search::placing::search::{Outcome as Answer, place};

/// Options of `place`.
#[derive(Args, Debug)]
pub struct PlaceOptions {
    /// The network, its terminals and its flows. Terminals of --places begin where it says; others that --flows
    /// or --ends names are placed too.
    #[command(flatten)]
    pub unrouted: UnroutedOptions,
    /// A terminal of --places that stays where it is, by its name; * stands for any letters. May be given
    /// several times
    #[arg(long, value_name = "NAME")]
    pub fixed: Vec<String>,
    /// Seed and time of the search.
    #[command(flatten)]
    pub limits: LimitOptions,
    /// Write the places to this file, for --places
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Whether files that are there are overwritten.
    #[command(flatten)]
    pub force: ForceOption,
    /// Format of the report.
    #[command(flatten)]
    pub format: FormatOption,
}

/// Runs it. That no placement keeps all flows within their latencies does not hold.
///
/// # Errors
/// A network or flows that cannot be, fewer places than terminals, a file that cannot be written.
pub fn run(options: &PlaceOptions) -> anyhow::Result<Report> {
    let began = Instant::now();
    // Before the search, which may take long.
    let save = options.save.as_deref();
    let save = save.map(|path| Destination::new(path, "places.csv", options.force)).transpose()?;
    let network = NetworkOptions::of(options.unrouted.clone());
    let what = "looking for places";
    let searching = Searching::new(Progress::spinner(what), what);
    let limits = options.limits.limits(&searching, began);
    let terminals = Terminals::read(&network, &options.fixed, &limits)?;
    let answer = place(&terminals.question, &terminals.known, &limits, |cost, looked_at| {
        let cost = cost.map_or("none yet".to_owned(), text::cost);
        searching.message(&format!("cost {cost}, {looked_at} partial placements"));
    });
    let was_stopped = limits.is_interrupted();
    // Their progress goes away.
    drop((searching, limits));
    let outcome = Outcome::new(options, &network, terminals, answer, was_stopped)?;
    if let (Some(file), Some(found)) = (save, &outcome.found) {
        file.write(&found.places)?;
    }
    let verdict = match &outcome.answer {
        Answer::Found(found) if found.is_least() => Verdict::Holds,
        Answer::None { .. } => Verdict::Fails,
        _ if was_stopped => Verdict::Interrupted,
        _ => Verdict::Undecided,
    };
    options.format.report(&outcome.document(), verdict, || text::report(&outcome, options))
}

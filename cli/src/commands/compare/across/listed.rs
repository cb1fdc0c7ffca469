//! `compare --network`: the networks of a list side by side.

use super::busses::BusRow;
use super::row::NetworkFigures;
use super::write::{AcrossReport, Listed, listed_text};
use crate::Report;
use crate::busses::{BusOptions, FunnelSize};
use crate::commands::compare::CompareOptions;
use crate::config::{self, Configured};
use crate::format::{Format, json};
use crate::options::{NetworkOptions, acts};
use crate::progress::Progress;
use crate::tabular;
use crate::usage::within_words;
use anyhow::{Context, anyhow, bail};
use clap::{CommandFactory, FromArgMatches, Parser};
use std::ffi::OsString;

/// The words of one network.
#[derive(Parser)]
#[command(name = "compare --network", disable_help_flag = true)]
struct Words {
    #[command(flatten)]
    network: NetworkOptions,
    #[command(flatten)]
    bus: BusOptions,
    #[command(flatten)]
    funnels: FunnelSize,
}

/// Runs it.
///
/// # Errors
/// Words that name no network, with the words; numbers out of range; a network beyond memory.
pub fn run(options: &CompareOptions) -> anyhow::Result<Report> {
    let parameters = options.build.apply(options.size.parameters());
    parameters.check()?;
    let wanted: Vec<(&String, Words)> = options
        .networks
        .iter()
        .map(|words| Ok((words, network(words)?)))
        .collect::<anyhow::Result<_>>()?;
    let progress = Progress::steps(wanted.len() as u64, "comparing");
    let (mut rows, mut busses) = (Vec::new(), Vec::new());
    for (words, wanted) in &wanted {
        progress.message((*words).clone());
        let within = || format!("--network '{words}'");
        let Words { network, bus, funnels } = wanted;
        let depth = options.size.depth;
        match BusRow::of(network, bus, funnels, depth, options.seed).with_context(within)? {
            Some(row) => busses.push(row),
            None => {
                let network = network.network().with_context(within)?;
                rows.push(
                    NetworkFigures::of(network, parameters, options.seed).with_context(within)?,
                );
            }
        }
        progress.step();
    }
    let listed = Listed { rows, busses };
    Ok(Report::holds(match options.format.format {
        Format::Json => json(&AcrossReport::listed(options, &listed))?,
        Format::Csv if !listed.busses.is_empty() => {
            bail!("CSV has a line for each switched network; use --format json for busses")
        }
        Format::Csv => tabular::csv(&AcrossReport::listed(options, &listed))?,
        Format::Text => listed_text(&listed, options),
    }))
}

/// The network that these words name, as they do after `turnpike generate`. A system gives its own.
fn network(words: &str) -> anyhow::Result<Words> {
    let own = Words::command();
    let name = own.get_name().to_owned();
    let is_config = |word: &str| word == "--config" || word.starts_with("--config=");
    if words.split_whitespace().any(is_config) {
        bail!("--network '{words}': --config is for all networks; name it outside the words");
    }
    // In the place of the whole command, whose files are read as those of any other.
    let program = crate::command().mut_subcommand("compare", |_| own);
    let line = [program.get_name(), &name].into_iter().chain(words.split_whitespace());
    let line = line.map(OsString::from).collect();
    let within = || format!("--network '{words}'");
    let Configured { command, given, args } = config::apply(program, line).with_context(within)?;
    let parsed = command.clone().try_get_matches_from(args);
    let matches = parsed.map_err(|error| anyhow!("{}: {}", within(), within_words(&error)))?;
    let (_, matches) = matches.subcommand().context("internal error: a command")?;
    let command = command.find_subcommand(&name).context("internal error: a command")?;
    acts::check(command, matches, &given).with_context(within)?;
    Ok(Words::from_arg_matches(matches)?)
}

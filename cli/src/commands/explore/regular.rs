//! Candidates that are regular networks, or others that the user names, with the terminals at the places where the flows take the
//! fewest channels.

use super::ExploreOptions;
use super::candidate::{self, Candidate, FLOWS, system};
use super::question::Terminals;
use crate::commands::place::terminals::Terminals as Placed;
use crate::options::{NetworkOptions, NetworkSize, UnroutedOptions};
use crate::words;
use anyhow::anyhow;
use clap::Parser;
use turnpike_analysis::network::{Network, Wanted};
use turnpike_emit::File;
use turnpike_search::placing::search::{Outcome, place};
use turnpike_search::solver::Limits;

/// Seconds that the search for places of one network takes at most.
const MOST_SECONDS: u32 = 10;

/// Words of a network, as they stand on a command line.
#[derive(Parser)]
#[command(name = "explore --network", no_binary_name = true, disable_help_flag = true)]
struct Line {
    /// The topology.
    #[arg(value_name = "TOPOLOGY|FILE")]
    topology: String,
    #[command(flatten)]
    size: NetworkSize,
}

/// A network to be compared with.
pub struct Words {
    /// The words.
    pub text: String,
    topology: String,
    size: NetworkSize,
}

/// Networks that the user named, or none.
pub struct Regular(Vec<Words>);

impl Regular {
    /// The networks that were named; where none were, a mesh and a ring for so many terminals.
    pub fn list(self, terminals: usize) -> Vec<Words> {
        if !self.0.is_empty() {
            return self.0;
        }
        let side = (1..).find(|side| side * side >= terminals).unwrap_or(1).max(2);
        let other = terminals.div_ceil(side).max(2);
        let nodes = terminals.max(3);
        [format!("mesh --shape {side}x{other}"), format!("ring --nodes {nodes}")]
            .iter()
            .filter_map(|words| Words::of(words).ok())
            .collect()
    }
}

impl Words {
    /// Networks that the options name.
    ///
    /// # Errors
    /// Words that name no network.
    pub fn all(options: &ExploreOptions) -> anyhow::Result<Regular> {
        options.networks.iter().map(|words| Self::of(words)).collect::<Result<_, _>>().map(Regular)
    }

    fn of(text: &str) -> anyhow::Result<Self> {
        let line = Line::try_parse_from(text.split_whitespace()).map_err(|error| {
            // What is wrong, without how `turnpike` is used.
            let whole = error.to_string();
            let wrong = whole.split("\n\n").next().unwrap_or_default().trim();
            anyhow!("--network '{text}': {}", wrong.trim_start_matches("error: "))
        })?;
        Ok(Self { text: text.to_owned(), topology: line.topology, size: line.size })
    }

    /// The network with the terminals at places that the search for them finds.
    ///
    /// # Errors
    /// A network that cannot be, too few places.
    pub fn candidate(
        &self,
        options: &ExploreOptions,
        terminals: &Terminals,
        limits: &Limits,
    ) -> anyhow::Result<Candidate> {
        let network = NetworkOptions::of(UnroutedOptions {
            topology: self.topology.clone(),
            size: self.size.clone(),
            ..terminals.network.unrouted.clone()
        });
        let name = self.name();
        let none = |why: String| Candidate {
            name: name.clone(),
            words: self.text.clone(),
            figures: Err(why),
            files: Vec::new(),
        };
        let within = || format!("--network '{}'", self.text);
        let mut placed = match Placed::read(&network, &[], limits) {
            Ok(placed) => placed,
            Err(error) if options.networks.is_empty() => return Ok(none(words::message(&error))),
            Err(error) => return Err(error.context(within())),
        };
        let limits = limits.within(MOST_SECONDS);
        let found = match place(&placed.question, &placed.known, &limits, |_, _| {}) {
            Outcome::Found(found) => found,
            Outcome::None { .. } => {
                return Ok(none("no places keep all flows within their latencies".to_owned()));
            }
            Outcome::Unknown => return Ok(none("no places were found in time".to_owned())),
        };
        let chosen = placed.at(&found.places)?;
        let both = |wanted: &Wanted| Ok((wanted.intact()?, Network::wanted(wanted)));
        let (intact, built) = network.wanted_of(chosen, both)?;
        let figures = built.map_err(|error| chosen.explained(error));
        let figures = figures.and_then(candidate::figures);
        let places = format!("{name}.places.csv");
        let text = intact.places().map(turnpike_network::places::Places::text).unwrap_or_default();
        let mut keys = vec![("topology", &*self.topology)];
        let size: Vec<&str> = self.text.split_whitespace().skip(1).collect();
        let pairs = size.chunks(2).filter_map(|pair| match pair {
            [key, value] => Some((key.strip_prefix("--")?, *value)),
            _ => None,
        });
        keys.extend(pairs);
        keys.push(("places", &places));
        let files = vec![system(&name, &keys), File { name: places.clone(), contents: text }];
        Ok(Candidate {
            name: name.clone(),
            words: format!("{} --places {places} --flows {FLOWS}", self.text),
            figures: figures.map_err(|error| words::message(&error)),
            files,
        })
    }

    /// Name of its files: the words, with `_` for what no identifier has.
    fn name(&self) -> String {
        let words = self.text.split_whitespace().filter(|word| !word.starts_with("--"));
        let joined = words.collect::<Vec<_>>().join("_");
        joined.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
    }
}

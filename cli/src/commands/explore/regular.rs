//! Candidates that are regular networks, or others that the user names, with the terminals at the places where the flows take the
//! fewest channels.

use super::ExploreOptions;
use super::candidate::{self, Candidate, FLOWS, system};
use super::question::Terminals;
use crate::commands::place::terminals::Terminals as Placed;
use crate::options::{
    ChosenTopology, NetworkOptions, NetworkSize, SizeValues, UnroutedOptions, values,
};
use crate::usage::within_words;
use crate::words;
use anyhow::{Context, anyhow, bail};
use clap::Parser;
use std::time::Duration;
use turnpike_analysis::network::{Network, Wanted};
use turnpike_base::names::check_fabric_name;
use turnpike_emit::File;
use turnpike_search::placing::search::{Outcome, place};
use turnpike_search::solver::Limits;

/// Seconds that the search for places of one network takes at most.
const MOST_SECONDS: u64 = 10;

/// Words of a network, as they stand on a command line.
#[derive(Parser)]
#[command(name = "explore --network", no_binary_name = true, disable_help_flag = true)]
struct Line {
    /// The topology.
    #[arg(value_name = "TOPOLOGY|FILE")]
    topology: String,
    #[command(flatten)]
    values: SizeValues,
    /// Terminals at each switch.
    #[arg(long, allow_hyphen_values = true, value_parser = values::whole)]
    concentration: Option<u32>,
}

/// A network to be compared with.
pub struct Words {
    /// The words.
    pub text: String,
    topology: String,
    size: NetworkSize,
    /// Options of the size, each with its value as it was written.
    options: Vec<(String, String)>,
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
    /// Words that name no network, or one whose files would have the names of another's.
    pub fn all(options: &ExploreOptions) -> anyhow::Result<Regular> {
        let mut all: Vec<Self> = Vec::new();
        for text in &options.networks {
            let own = Self::of(text)?;
            check_fabric_name(&own.name()).with_context(|| format!("--network '{text}'"))?;
            if let Some(other) = all.iter().find(|other| other.name() == own.name()) {
                bail!("--network '{text}' and '{}' have one name; leave one out", other.text);
            }
            all.push(own);
        }
        Ok(Regular(all))
    }

    fn of(text: &str) -> anyhow::Result<Self> {
        let line = Line::try_parse_from(text.split_whitespace())
            .map_err(|error| anyhow!("--network '{text}': {}", within_words(&error)))?;
        let mut options = Vec::new();
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            let Some(option) = word.strip_prefix("--") else { continue };
            let (key, value) = match option.split_once('=') {
                Some(both) => both,
                None => (option, words.next().unwrap_or_default()),
            };
            options.push((key.to_owned(), value.to_owned()));
        }
        let Line { topology, values, concentration } = line;
        let size = NetworkSize { values, concentration, ..NetworkSize::default() };
        Ok(Self { text: text.to_owned(), topology, size, options })
    }

    /// The network with the terminals at places that the search for them finds, and whether that came to its end.
    ///
    /// # Errors
    /// A network that cannot be, too few places.
    pub fn candidate(
        &self,
        options: &ExploreOptions,
        terminals: &Terminals,
        limits: &Limits,
    ) -> anyhow::Result<(Candidate, bool)> {
        let network = NetworkOptions::of(UnroutedOptions {
            topology: self.topology.clone(),
            size: self.size.clone(),
            ..terminals.network.unrouted.clone()
        });
        let name = self.name();
        let none = |why: &str| Candidate {
            name: name.clone(),
            words: self.text.clone(),
            figures: Err(why.to_owned()),
            files: Vec::new(),
            is_grown: false,
        };
        let within = || format!("--network '{}'", self.text);
        let mut placed = match Placed::read(&network, &[], limits) {
            Ok(placed) => placed,
            Err(error) if options.networks.is_empty() => {
                return Ok((none(&words::message(&error)), true));
            }
            Err(error) => return Err(error.context(within())),
        };
        let limits = limits.within(Duration::from_secs(MOST_SECONDS));
        let found = match place(&placed.question, &placed.known, &limits, |_, _| {}) {
            Outcome::Found(found) => found,
            Outcome::None { .. } => {
                return Ok((none("no places keep all flows within their latencies"), true));
            }
            Outcome::Unknown => return Ok((none("no places were found in time"), false)),
        };
        let chosen = placed.at(&found.places)?;
        let both = |wanted: &Wanted| Ok((wanted.intact()?, Network::wanted(wanted)));
        let (intact, built) = network.wanted_of(chosen, both)?;
        let figures = built.map_err(|error| chosen.explained(error));
        let figures = figures.and_then(candidate::figures);
        let places = format!("{name}.places.csv");
        let text = intact.places().map(turnpike_network::places::Places::text).unwrap_or_default();
        // A file of the user's goes with the others.
        let (topology, own) = match &chosen.topology {
            ChosenTopology::Named(name, _) => ((*name).to_owned(), None),
            ChosenTopology::File(file) => {
                let topology = format!("{name}.topology");
                let contents = file.description.text();
                (topology.clone(), Some(File { name: topology, contents }))
            }
        };
        let mut keys = vec![("topology", &*topology)];
        keys.extend(self.options.iter().map(|(key, value)| (&**key, &**value)));
        keys.push(("places", &places));
        let written = [system(&name, &keys), File { name: places.clone(), contents: text }];
        let files = written.into_iter().chain(own).collect();
        let own = Candidate {
            name: name.clone(),
            words: format!("{} --places {places} --flows {FLOWS}", self.text),
            figures: figures.map_err(|error| words::message(&error)),
            files,
            is_grown: false,
        };
        Ok((own, found.is_least()))
    }

    /// Name of its files: topology and values, with `_` for what no identifier has.
    fn name(&self) -> String {
        let values = self.options.iter().map(|(_, value)| value.as_str());
        let words: Vec<&str> = [self.topology.as_str()].into_iter().chain(values).collect();
        let joined = words.join("_");
        joined.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
    }
}

//! Terminals that have flows and want places, and the question where they should be.

use super::places::{self, Place, channels};
use crate::asked::{Asked, anywhere, by_name, named};
use crate::format::counted;
use crate::network_fields::TopologyFields;
use crate::options::{Chosen, NetworkOptions, UnroutedOptions};
use crate::{input, places_file};
use anyhow::{Context, anyhow, bail};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use turnpike_analysis::network::Network;
use turnpike_base::nearest::Nearest;
use turnpike_fabric::plan::{FabricPlan, Parameters};
use turnpike_network::flows::fits;
use turnpike_network::places::{NamedTerminal, PlaceList};
use turnpike_network::topology::concentrated;
use turnpike_network::topology::{Terminal, Topology};
use turnpike_search::placing::question::{Flow as Between, MOST_PLACES, PlacingError, Question};
use turnpike_search::placing::search::{Outcome as Answer, Partial, place};
use turnpike_search::solver::Limits;

/// Terminals, places and the question about them.
pub struct Terminals {
    /// Fields of the network.
    pub topology: TopologyFields,
    /// The network, with as many terminals at each switch as it needs.
    chosen: Chosen,
    /// Names of the terminals.
    pub names: Vec<String>,
    /// Labels of the places.
    pub labels: Vec<String>,
    /// Places of the terminals, where a file says them.
    pub known: Partial,
    pub question: Question,
}

impl Terminals {
    /// Reads the files, and puts the question. Within `limits` it is known whether there are places at all, where
    /// flows have latencies.
    ///
    /// # Errors
    /// A file that cannot be read, names that cannot be, terminals without a place.
    pub fn read(
        network: &NetworkOptions,
        fixed: &[String],
        limits: &Limits,
    ) -> anyhow::Result<Self> {
        let unrouted = &network.unrouted;
        let UnroutedOptions { topology, size, places: path, .. } = unrouted;
        let path = path.as_deref();
        let said = path.map(places_file::read).transpose()?.unwrap_or_default();
        let chosen = Chosen::new(topology, size)?;
        let whole = chosen.intact()?;
        let as_said = said.concentration(&*whole);
        let plain = unrouted.left(whole)?;
        let list = named(network, &said, &*plain)?;
        let names: Vec<String> = list.list().iter().map(|named| named.name.clone()).collect();
        if names.len() > MOST_PLACES {
            bail!("{} terminals are more than the {MOST_PLACES} that are searched", names.len());
        }
        let asked = by_name(&*anywhere(network, &list)?, &list)?;
        let roles = Roles::of(&asked);
        let chosen = match size.concentration {
            Some(_) => chosen,
            None => concentrated(chosen, as_said.max(roles.needed(&*plain, names.len()))),
        };
        let intact = chosen.intact()?;
        let begun = path.map(|path| on(path, &said, &*intact)).transpose()?.unwrap_or_default();
        let left = unrouted.left(intact)?;
        let places = places::of(&*left)?;
        let number = |of: &Terminal| places.iter().position(|place| place.terminal == *of);
        let mut known: Partial = begun.iter().map(|at| Some(number(at)? as u16)).collect();
        let stays = fixed_ones(fixed, path, &names[..known.len()])?;
        if let Some(&at) = stays.iter().find(|&&at| known[at].is_none()) {
            bail!("--fixed: terminal {} is at a node that failed", names[at]);
        }
        known.resize(names.len(), None);
        let may = |terminal: usize, at: usize| {
            let is_there = !stays.contains(&terminal) || known[terminal] == Some(at as u16);
            is_there && roles.fit(terminal, &places[at])
        };
        let allowed: Vec<Vec<bool>> = (0..names.len())
            .map(|terminal| (0..places.len()).map(|at| may(terminal, at)).collect())
            .collect();
        let channels = channels(&*left, &places);
        let put = |flows: &[Between]| {
            let question = Question::new(channels.clone(), flows, allowed.clone());
            question.map_err(|error| in_options(error, size.concentration.is_some()))
        };
        let flows: Vec<Between> = asked.iter().map(|asked| asked.between).collect();
        let labels = places.iter().map(|place| place.label.clone()).collect();
        let topology = TopologyFields::of(&*left);
        let mut all = Self { topology, chosen, names, labels, known, question: put(&flows)? };
        if asked.iter().any(|asked| asked.latency.is_some()) {
            if left.most_delay() > 0 {
                bail!(
                    "place counts no registers of channels (delay), and so not what latencies allow; leave the column \
                     latency out"
                );
            }
            // Those that cost nothing are all the least.
            let free: Vec<Between> =
                flows.iter().map(|flow| Between { weight: 0, ..*flow }).collect();
            match place(&put(&free)?, &all.known, limits, |_, _| {}) {
                Answer::Found(any) => {
                    all.question = put(&all.within(network, &asked, &any.places)?)?;
                }
                // So there are none with latencies.
                Answer::None { .. } => {}
                Answer::Unknown => bail!(
                    "whether any places have a path for each flow was not decided in time; raise --time-limit"
                ),
            }
        }
        Ok(all)
    }

    /// The network with the terminals at these places.
    ///
    /// # Errors
    /// A name that no terminal can have: a fault of this program.
    pub fn at(&mut self, places: &[usize]) -> anyhow::Result<&Chosen> {
        let named = |(name, &place): (&String, &usize)| NamedTerminal {
            line: 0,
            name: name.clone(),
            at: self.labels[place].clone(),
        };
        let list = PlaceList::of(self.names.iter().zip(places).map(named).collect())?;
        self.chosen.place(Path::new("the places found"), list);
        Ok(&self.chosen)
    }

    /// The flows, each with the channels that it may take by its latency, as packets alone take them under the
    /// network's default relation. What they take besides is the same at all places, these among them.
    fn within(
        &mut self,
        network: &NetworkOptions,
        asked: &[Asked],
        anywhere: &[usize],
    ) -> anyhow::Result<Vec<Between>> {
        let built = network.wanted_of(self.at(anywhere)?, Network::wanted);
        let built = built.context("latencies are those under the network's default relation")?;
        let plan = FabricPlan::new(Arc::new(built), Parameters::default(), None)?;
        let within = |asked: &Asked| {
            let Some(latency) = asked.latency else { return Ok(asked.between) };
            let Between { from, to, .. } = asked.between;
            let at_one = plan.zero_load_latency(0).saturating_add(asked.behind);
            if latency < at_one {
                bail!(
                    "the flow from {} to {} asks for a latency of {}, and its packets take {at_one} at one switch",
                    self.names[from],
                    self.names[to],
                    counted(latency, "cycle")
                );
            }
            let most_channels = (latency - at_one) / plan.hop_cycles();
            Ok(Between { most_channels, ..asked.between })
        };
        asked.iter().map(within).collect()
    }
}

/// Terminals that send, and those that take packets, by their numbers.
struct Roles {
    sends: BTreeSet<usize>,
    takes: BTreeSet<usize>,
}

impl Roles {
    fn of(asked: &[Asked]) -> Self {
        Self {
            sends: asked.iter().map(|asked| asked.between.from).collect(),
            takes: asked.iter().map(|asked| asked.between.to).collect(),
        }
    }

    /// Whether packets enter and leave at a place as a terminal needs it.
    fn fit(&self, terminal: usize, place: &Place) -> bool {
        (place.source.is_some() || !self.sends.contains(&terminal))
            && (place.sink.is_some() || !self.takes.contains(&terminal))
    }

    /// Terminals at each switch with which there are enough: for all, for those that send, for those that take
    /// packets and for those that do both.
    fn needed(&self, plain: &dyn Topology, all: usize) -> u32 {
        let Self { sends, takes } = self;
        let sources: BTreeSet<Terminal> = plain.sources().collect();
        let sinks: BTreeSet<Terminal> = plain.sinks().collect();
        let needed = [
            (all, sources.union(&sinks).count()),
            (sends.len(), sources.len()),
            (takes.len(), sinks.len()),
            (sends.intersection(takes).count(), sources.intersection(&sinks).count()),
        ];
        let several = needed.map(|(terminals, places)| terminals.div_ceil(places.max(1)));
        let several = several.into_iter().max().unwrap_or(1).next_power_of_two();
        u32::try_from(several).unwrap_or(u32::MAX).min(concentrated::MOST)
    }
}

/// A topology with so many terminals at each switch, where it takes several: one that has some of its own accord
/// takes no more.
fn concentrated(chosen: Chosen, several: u32) -> Chosen {
    let more = chosen.concentrated(several);
    if more.intact().is_ok() { more } else { more.concentrated(1) }
}

/// Error of a question that cannot be put, with what to do about it.
fn in_options(error: PlacingError, is_concentrated: bool) -> anyhow::Error {
    match error {
        PlacingError::Few { .. } if is_concentrated => anyhow!(
            "{error}; use a larger network, or more terminals at a switch (--concentration)"
        ),
        PlacingError::Few { .. } => anyhow!("{error}; use a larger network"),
        PlacingError::Many(_) => anyhow!("{error}; use a smaller network"),
        PlacingError::Large => error.into(),
    }
}

/// Terminals of the network at the places that a file says, in its order.
fn on(path: &Path, said: &PlaceList, topology: &dyn Topology) -> anyhow::Result<Vec<Terminal>> {
    let places = said.on(topology).map_err(|flaw| input::fault(path, flaw.line, flaw.error))?;
    Ok(said.list().iter().filter_map(|named| places.terminal(&named.name)).collect())
}

/// Numbers of the terminals that stay, of those that a file has placed.
fn fixed_ones(
    fixed: &[String],
    path: Option<&Path>,
    names: &[String],
) -> anyhow::Result<BTreeSet<usize>> {
    let mut stays = BTreeSet::new();
    for pattern in fixed {
        let Some(path) = path else {
            bail!("--fixed keeps terminals where a file has them; add --places FILE");
        };
        let found: Vec<usize> = (0..names.len()).filter(|&at| fits(pattern, &names[at])).collect();
        if found.is_empty() {
            let nearest = Nearest::of(pattern, names.iter().map(String::as_str));
            bail!("--fixed: {} has no terminal '{pattern}'{nearest}", path.display());
        }
        stays.extend(found);
    }
    Ok(stays)
}

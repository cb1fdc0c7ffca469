//! Terminals that have flows and want places, and the question where they should be.

use super::places::{self, Place, channels};
use crate::format::counted;
use crate::network_fields::TopologyFields;
use crate::options::{Chosen, ChosenTopology, NetworkOptions, UnroutedOptions};
use crate::{flows_file, input, places_file};
use anyhow::{Context, anyhow, bail};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use turnpike_analysis::network::Network;
use turnpike_base::nearest::Nearest;
use turnpike_fabric::plan::{FabricPlan, Parameters};
use turnpike_network::flows::{Bandwidth, Flow, fits};
use turnpike_network::places::{NamedTerminal, PlaceList};
use turnpike_network::topology::concentrated;
use turnpike_network::topology::failed::Failed;
use turnpike_network::topology::{self, Terminal, Topology};
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

/// Flow that asks for places.
struct Asked {
    between: Between,
    /// Cycles within which its packets should arrive.
    latency: Option<u32>,
    /// Flits of a packet behind the first.
    behind: u32,
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
        let UnroutedOptions { topology, size, places, failed, .. } = &network.unrouted;
        let said = places.as_deref().map(places_file::read).transpose()?.unwrap_or_default();
        let mut chosen = Chosen::new(topology, size)?;
        let plain = chosen.intact()?;
        let as_said = said.concentration(&*plain);
        let plain = left(plain, failed)?;
        let list = named(network, &said, &*plain)?;
        let names: Vec<String> = list.list().iter().map(|named| named.name.clone()).collect();
        if names.len() > MOST_PLACES {
            bail!("{} terminals are more than the {MOST_PLACES} that are searched", names.len());
        }
        let asked = by_name(network, &list)?;
        let sends: BTreeSet<usize> = asked.iter().map(|asked| asked.between.from).collect();
        let takes: BTreeSet<usize> = asked.iter().map(|asked| asked.between.to).collect();
        if size.concentration.is_none() {
            let needed = as_said.max(needed(&*plain, names.len(), &sends, &takes));
            let more = Chosen::new(topology, size)?.concentrated(needed);
            // A network with several terminals at a switch of its own accord takes no more.
            if more.intact().is_ok() {
                chosen = more;
            }
        }
        let intact = chosen.intact()?;
        let own = places.as_deref().map(|path| on(path, &said, &*intact)).transpose()?;
        let left = left(intact, failed)?;
        let places = places::of(&*left)?;
        let number = |of: &Terminal| places.iter().position(|place| place.terminal == *of);
        let mut known: Partial = own.iter().flatten().map(|at| Some(number(at)? as u16)).collect();
        let stays = fixed_ones(fixed, network, &names[..known.len()])?;
        if let Some(&at) = stays.iter().find(|&&at| known[at].is_none()) {
            bail!("--fixed: terminal {} is at a node that failed", names[at]);
        }
        known.resize(names.len(), None);
        let may = |terminal: usize, at: usize| {
            let place = &places[at];
            let is_there = !stays.contains(&terminal) || known[terminal] == Some(at as u16);
            is_there
                && (place.source.is_some() || !sends.contains(&terminal))
                && (place.sink.is_some() || !takes.contains(&terminal))
        };
        let allowed: Vec<Vec<bool>> = (0..names.len())
            .map(|terminal| (0..places.len()).map(|at| may(terminal, at)).collect())
            .collect();
        let channels = channels(&*left, &places);
        let question = |flows: &[Between]| {
            let question = Question::new(channels.clone(), flows, allowed.clone());
            question.map_err(|error| in_options(error, size.concentration.is_some()))
        };
        let mut flows: Vec<Between> = asked.iter().map(|asked| asked.between).collect();
        let labels = places.iter().map(|place: &Place| place.label.clone()).collect();
        let topology = TopologyFields::of(&*left);
        let mut all = Self { topology, chosen, names, labels, known, question: question(&flows)? };
        if asked.iter().any(|asked| asked.latency.is_some()) {
            if left.most_delay() > 0 {
                bail!(
                    "place counts no registers of channels (delay), and so not what latencies allow; leave the column \
                     latency out"
                );
            }
            // Those that cost nothing are all the least.
            flows.iter_mut().for_each(|flow| flow.weight = 0);
            let anywhere = question(&flows)?;
            match place(&anywhere, &all.known, limits, |_, _| {}) {
                Answer::Found(anywhere) => {
                    let flows = all.within(network, &asked, &anywhere.places)?;
                    all.question = question(&flows)?;
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

/// A network without the nodes that failed.
pub fn left(intact: Box<dyn Topology>, failed: &[String]) -> anyhow::Result<Box<dyn Topology>> {
    Ok(match failed {
        [] => intact,
        failed => Box::new(Failed::new(intact, failed)?),
    })
}

/// Terminals at each switch with which there are enough: for all, for those that send, for those that take
/// packets and for those that do both.
fn needed(
    plain: &dyn Topology,
    all: usize,
    sends: &BTreeSet<usize>,
    takes: &BTreeSet<usize>,
) -> u32 {
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

/// Terminals of the file of places, then those that ends or flows name besides.
fn named(
    network: &NetworkOptions,
    said: &PlaceList,
    topology: &dyn Topology,
) -> anyhow::Result<PlaceList> {
    let UnroutedOptions { flows, ends: ends_path, .. } = &network.unrouted;
    let ends = network.ends()?;
    let flow_list = flows.as_deref().map(flows_file::read).transpose()?;
    let (path, names): (&Path, Vec<(usize, &str)>) = match (&ends, ends_path, &flow_list, flows) {
        (Some(ends), Some(path), ..) => {
            let ports = ends.ports();
            (path, ports.filter_map(|port| Some((ends.line_of(port.name)?, port.name))).collect())
        }
        (_, _, Some(list), Some(path)) => (path, list.names()),
        _ => bail!(
            "place finds places for terminals that have flows, and there are none; add --flows FILE or \
             --ends FILE, or [[flow]] to a system"
        ),
    };
    let mut list = said.list().to_vec();
    let known: BTreeSet<String> = list.iter().map(|named| named.name.clone()).collect();
    for (line, name) in names.into_iter().filter(|(_, name)| !known.contains(*name)) {
        let name = name.to_owned();
        list.push(NamedTerminal { line, name, at: String::new() });
    }
    if list.is_empty() {
        let path = path.display();
        bail!("{path}: flows of patterns alone name no terminal; name them, or add --places FILE");
    }
    let all = PlaceList::of(list).map_err(|flaw| input::fault(path, flaw.line, flaw.error))?;
    let own = all
        .list()
        .iter()
        .find(|named| said.list().is_empty() && topology.terminal(&named.name).is_ok());
    if let Some(NamedTerminal { line, name, .. }) = own {
        let why = format!(
            "'{name}' is a terminal of the network already; give those that are to be placed names of their own, or \
             say with --places where they are"
        );
        return Err(input::fault(path, Some(*line), why));
    }
    Ok(all)
}

/// Terminals of the network at the places that a file says, in its order.
fn on(path: &Path, said: &PlaceList, topology: &dyn Topology) -> anyhow::Result<Vec<Terminal>> {
    let places = said.on(topology).map_err(|flaw| input::fault(path, flaw.line, flaw.error))?;
    Ok(said.list().iter().filter_map(|named| places.terminal(&named.name)).collect())
}

/// Numbers of the terminals that stay, of those that a file has placed.
fn fixed_ones(
    fixed: &[String],
    network: &NetworkOptions,
    names: &[String],
) -> anyhow::Result<BTreeSet<usize>> {
    let mut stays = BTreeSet::new();
    for pattern in fixed {
        let Some(path) = &network.unrouted.places else {
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

/// The flows by the numbers of the terminals. What their names and patterns stand for, a network with room
/// enough says: a star.
fn by_name(network: &NetworkOptions, list: &PlaceList) -> anyhow::Result<Vec<Asked>> {
    const LEAVES: usize = 64;
    let star = &topology::star::KIND;
    let count = list.list().len();
    let (leaves, several) = (count.clamp(2, LEAVES), count.div_ceil(LEAVES).next_power_of_two());
    let at = |(number, named): (usize, &NamedTerminal)| NamedTerminal {
        at: (number % leaves).to_string(),
        ..named.clone()
    };
    let list = PlaceList::of(list.list().iter().enumerate().map(at).collect())?;
    let names: Vec<String> = list.list().iter().map(|named| named.name.clone()).collect();
    let size = star.sizes.of_keys(&[&leaves.to_string()]).expect("a number of nodes");
    let star = Chosen::of(ChosenTopology::Named(star.name, size));
    let mut chosen = star.concentrated(several as u32);
    chosen.place(Path::new("the names"), list);
    let topology = network.wanted_of(&chosen, |wanted| wanted.intact())?;
    let flows = topology.flows().context("internal error: there are no flows")?;
    let number = |stream: Terminal| {
        let label = topology.place_label(stream);
        names.iter().position(|name| *name == label).expect("a terminal of the list")
    };
    let asked = |(flow, weight): (&Flow, Bandwidth)| Asked {
        between: Between {
            from: number(flow.source),
            to: number(flow.destination),
            weight: weight.0,
            most_channels: u32::MAX,
        },
        latency: flow.latency,
        behind: flow.packet_flits.unwrap_or(1) - 1,
    };
    Ok(flows.list().iter().zip(flows.shares()).map(asked).collect())
}

//! Terminals that have flows and want places, and the places that a network has.

use crate::format::counted;
use crate::network_fields::TopologyFields;
use crate::options::{Chosen, ChosenTopology, NetworkOptions, UnroutedOptions};
use crate::{flows_file, input, places_file};
use anyhow::{Context, anyhow, bail};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use turnpike_analysis::network::Network;
use turnpike_base::nearest::Nearest;
use turnpike_fabric::plan::{FabricPlan, Parameters};
use turnpike_network::flows::{Bandwidth, Flow, fits};
use turnpike_network::places::{NamedTerminal, PlaceList};
use turnpike_network::topology::concentrated;
use turnpike_network::topology::failed::Failed;
use turnpike_network::topology::{self, Node, Terminal, Topology};
use turnpike_search::placing::question::{Flow as Between, PlacingError, Question};
use turnpike_search::placing::search::{Outcome as Answer, place};
use turnpike_search::solver::Limits;

/// Terminals, places and the question about them.
pub struct Terminals {
    /// Fields of the network.
    pub topology: TopologyFields,
    /// The network, with as many terminals at each switch as it needs.
    pub chosen: Chosen,
    /// Names of the terminals.
    pub names: Vec<String>,
    /// Labels of the places.
    pub labels: Vec<String>,
    /// Places of the terminals that a file says, where it says those of all.
    pub known: Option<Vec<usize>>,
    pub question: Question,
}

/// Place of a network.
struct Place {
    label: String,
    /// Switch where packets enter.
    source: Option<Node>,
    /// Switch where packets leave.
    sink: Option<Node>,
}

impl Terminals {
    /// Reads the files, and puts the question.
    ///
    /// # Errors
    /// A file that cannot be read, names that cannot be, terminals without a place.
    pub fn read(network: &NetworkOptions, fixed: &[String]) -> anyhow::Result<Self> {
        let UnroutedOptions { topology, size, places, failed, .. } = &network.unrouted;
        let said = places.as_deref().map(places_file::read).transpose()?.unwrap_or_default();
        let list = named(network, &said)?;
        let names: Vec<String> = list.list().iter().map(|named| named.name.clone()).collect();
        let chosen = Chosen::new(topology, size)?;
        let plain = chosen.intact()?;
        let chosen = match size.concentration {
            Some(_) => chosen,
            None => {
                let needed = names.len().div_ceil(plain.terminals().max(1) as usize);
                let needed = needed.next_power_of_two().try_into().unwrap_or(u32::MAX);
                chosen.concentrated(needed.max(said.concentration(&*plain)).min(concentrated::MOST))
            }
        };
        let intact = chosen.intact()?;
        let known = places.as_deref().map(|path| on(path, &said, &*intact)).transpose()?;
        let left: Box<dyn Topology> = match &failed[..] {
            [] => intact,
            failed => Box::new(Failed::new(intact, failed)?),
        };
        let all: Vec<(Terminal, Place)> = found(&*left, chosen.concentration());
        let number = |of: &Terminal| all.iter().position(|(terminal, _)| terminal == of);
        let known: Vec<Option<usize>> = match known {
            Some(terminals) => terminals.iter().map(number).collect(),
            None => Vec::new(),
        };
        let stays = fixed_ones(fixed, &names[..known.len()])?;
        if let Some(&at) = stays.iter().find(|&&at| known[at].is_none()) {
            bail!("--fixed: terminal {} is at a node that failed", names[at]);
        }
        let asked = by_name(network, &list)?;
        let places: Vec<Place> = all.into_iter().map(|(_, place)| place).collect();
        let (sends, takes): (BTreeSet<usize>, BTreeSet<usize>) =
            asked.iter().map(|asked| (asked.between.from, asked.between.to)).unzip();
        let may = |terminal: usize, at: usize| {
            let place = &places[at];
            let is_there = !stays.contains(&terminal) || known[terminal] == Some(at);
            is_there
                && (place.source.is_some() || !sends.contains(&terminal))
                && (place.sink.is_some() || !takes.contains(&terminal))
        };
        let allowed: Vec<Vec<bool>> = (0..names.len())
            .map(|terminal| (0..places.len()).map(|at| may(terminal, at)).collect())
            .collect();
        let channels = channels(&*left, &places);
        let question = |flows: Vec<Between>| {
            let question = Question::new(channels.clone(), &flows, allowed.clone());
            question.map_err(in_options)
        };
        let topology = TopologyFields::of(&*left);
        let question_of_all = question(asked.iter().map(|asked| asked.between).collect())?;
        let labels = places.iter().map(|place| place.label.clone()).collect();
        let known = if known.len() == names.len() { known.into_iter().collect() } else { None };
        let mut all = Self { topology, chosen, names, labels, known, question: question_of_all };
        if asked.iter().any(|asked| asked.latency.is_some()) {
            all.question = question(all.within(network, &asked)?)?;
        }
        Ok(all)
    }

    /// The network with the terminals at these places, and its default relation.
    ///
    /// # Errors
    /// A place that the network does not have: a fault of this program.
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
    /// network's default relation. What they take besides is the same at all places.
    fn within(
        &mut self,
        network: &NetworkOptions,
        asked: &[Asked],
    ) -> anyhow::Result<Vec<Between>> {
        let at_once = Limits { deadline: Some(Instant::now()), ..Limits::default() };
        let Answer::Found(anywhere) = place(&self.question, None, &at_once, |_, _| {}) else {
            // No places will do, whatever the latencies.
            return Ok(asked.iter().map(|asked| asked.between).collect());
        };
        let built = network.wanted_of(self.at(&anywhere.places)?, Network::wanted)?;
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

/// Flow that asks for a place.
struct Asked {
    between: Between,
    /// Cycles within which its packets should arrive.
    latency: Option<u32>,
    /// Flits of a packet behind the first.
    behind: u32,
}

/// Error of a question that cannot be put, with what to do about it.
fn in_options(error: PlacingError) -> anyhow::Error {
    match error {
        PlacingError::Few { .. } => anyhow!(
            "{error}; use a larger network, or more terminals at a switch (--concentration)"
        ),
        PlacingError::Many(_) => anyhow!("{error}; use a smaller network"),
        PlacingError::Large => error.into(),
    }
}

/// Terminals of the file of places, then those that ends or flows name besides.
fn named(network: &NetworkOptions, said: &PlaceList) -> anyhow::Result<PlaceList> {
    let UnroutedOptions { flows, ends: ends_path, .. } = &network.unrouted;
    let ends = network.ends()?;
    let flow_list = flows.as_deref().map(flows_file::read).transpose()?;
    let mut list = said.list().to_vec();
    let known: BTreeSet<String> = list.iter().map(|named| named.name.clone()).collect();
    let names: Vec<(usize, &str)> = match (&ends, &flow_list) {
        (Some(ends), _) => {
            let ports = ends.ports();
            ports.filter_map(|port| Some((ends.line_of(port.name)?, port.name))).collect()
        }
        (None, Some(flows)) => flows.names(),
        (None, None) => bail!(
            "place finds places for terminals that have flows, and there are none; add --flows FILE or \
             --ends FILE, or [[flow]] to a system"
        ),
    };
    let more = names.into_iter().filter(|(_, name)| !known.contains(*name));
    list.extend(more.map(|(line, name)| NamedTerminal {
        line,
        name: name.to_owned(),
        at: String::new(),
    }));
    let path = ends_path.as_ref().or(flows.as_ref());
    if let ([], Some(path)) = (&list[..], path) {
        bail!(
            "{}: flows of patterns alone name no terminal; name them, or add --places FILE",
            path.display()
        );
    }
    PlaceList::of(list).map_err(|flaw| match path {
        Some(path) => input::fault(path, flaw.line, flaw.error),
        None => flaw.into(),
    })
}

/// Terminals of the network at the places that a file says, in its order.
fn on(path: &Path, said: &PlaceList, topology: &dyn Topology) -> anyhow::Result<Vec<Terminal>> {
    let places = said.on(topology).map_err(|flaw| input::fault(path, flaw.line, flaw.error))?;
    Ok(said.list().iter().filter_map(|named| places.terminal(&named.name)).collect())
}

/// Numbers of the terminals that stay.
fn fixed_ones(fixed: &[String], names: &[String]) -> anyhow::Result<BTreeSet<usize>> {
    let mut stays = BTreeSet::new();
    for pattern in fixed {
        let found = (0..names.len()).filter(|&at| fits(pattern, &names[at]));
        let found: Vec<usize> = found.collect();
        stays.extend(&found);
        if found.is_empty() {
            let nearest = Nearest::of(pattern, names.iter().map(String::as_str));
            bail!("--fixed: --places has no terminal '{pattern}'{nearest}");
        }
    }
    Ok(stays)
}

/// Places of a network.
fn found(topology: &dyn Topology, concentration: u32) -> Vec<(Terminal, Place)> {
    let all: BTreeSet<Terminal> = topology.sources().chain(topology.sinks()).collect();
    let bits = concentration.ilog2();
    let place = |terminal: Terminal| {
        let switch = |end: Option<(Node, _)>| end.map(|(node, _)| node);
        let (source, sink) = (switch(topology.source(terminal)), switch(topology.sink(terminal)));
        let node = source.or(sink).unwrap_or(Node(0));
        let own = topology.terminal_label(terminal);
        // A label of a switch stands for that one.
        let is_own = bits == 0 && topology.node(&own).map_or(true, |named| named == node);
        let label = if is_own { own } else { topology.label(node) };
        (terminal, Place { label, source, sink })
    };
    all.into_iter().map(place).collect()
}

/// Channels between places.
fn channels(topology: &dyn Topology, places: &[Place]) -> Vec<Vec<u32>> {
    let row = |from: &Place| {
        let distances = from.source.map(|node| topology.distances(node));
        let to = |to: &Place| Some(distances.as_ref()?[to.sink?.0 as usize]);
        places.iter().map(|place| to(place).unwrap_or(u32::MAX)).collect()
    };
    places.iter().map(row).collect()
}

/// The flows by the numbers of the terminals. What their names and patterns stand for, a network with room
/// enough says: a star.
fn by_name(network: &NetworkOptions, list: &PlaceList) -> anyhow::Result<Vec<Asked>> {
    let star = &topology::star::KIND;
    let count = list.list().len();
    let most = 64;
    let concentration = count.div_ceil(most).next_power_of_two() as u32;
    if concentration > concentrated::MOST {
        return Err(in_options(PlacingError::Many(count)));
    }
    let leaves = count.clamp(2, most);
    let at = |(number, named): (usize, &NamedTerminal)| NamedTerminal {
        at: (number % leaves).to_string(),
        ..named.clone()
    };
    let list = PlaceList::of(list.list().iter().enumerate().map(at).collect())?;
    let names: Vec<String> = list.list().iter().map(|named| named.name.clone()).collect();
    let size = star.sizes.of_keys(&[&leaves.to_string()]).expect("a number of nodes");
    let mut chosen = Chosen::of(ChosenTopology::Named(star.name, size)).concentrated(concentration);
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

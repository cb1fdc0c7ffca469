//! Answer of a search, as a relation that the ordinary analysis measures. Nothing of the encoding
//! is believed.

use crate::encode::Hops;
use crate::question::{Balanced, Measure, Question, Symmetric};
use crate::{cube, encode};
use std::collections::{BTreeMap, BTreeSet};
use turnpike_analysis::network::{Network, NetworkError, Wanted};
use turnpike_analysis::properties::{Balance, ChannelLoad, Load, ShortestPath};
use turnpike_analysis::worst::{WorstCase, WorstError};
use turnpike_network::flows::FlowList;
use turnpike_network::routing::given::{Given, Hops as GivenHops, On};
use turnpike_network::routing::{Draw, walk};
use turnpike_network::topology::{Node, Port, Size, Terminal};

/// A relation that answers a question, or one for each failure.
#[derive(Debug)]
pub struct Found {
    /// Relations of the answer: one for each of [`encode::scenarios`].
    pub relations: Vec<Given>,
    /// Masks: nodes with the same parities of the bits under them route alike, where that was
    /// asked for.
    pub parities: Option<Vec<u32>>,
    /// Whether local search found it, not the solver.
    pub by_local_search: bool,
    /// Figures of the ordinary analysis.
    pub figures: Figures,
}

/// Figures of the ordinary analysis of relations that share crossbars.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Figures {
    /// The most crosspoints of a switch, those of terminals not counted.
    pub crosspoints: u32,
    /// Crosspoints of all switches.
    pub crosspoints_in_all: u32,
    /// The most crosspoints of an output port.
    pub fan_in: u32,
    /// The most crosspoints of an input port.
    pub fan_out: u32,
    /// Virtual channels.
    pub vcs: u32,
    /// The most routes over a channel.
    pub max_load: u32,
    /// The most packets of a permutation over a channel, where that was bounded.
    pub worst_case: Option<u32>,
    /// The largest difference of loads.
    pub imbalance: u32,
    /// Difference of the largest and the least load at the step where it is largest.
    pub imbalance_per_step: u32,
    /// The most channels of a route beyond the distance in the whole cube.
    pub detour: u32,
}

impl Figures {
    /// Value of a measure; the imbalance where `scope` says.
    pub fn of(&self, measure: Measure, scope: Option<Balanced>) -> u32 {
        match (measure, scope) {
            (Measure::Crosspoints, _) => self.crosspoints,
            (Measure::FanIn, _) => self.fan_in,
            (Measure::FanOut, _) => self.fan_out,
            (Measure::Vcs, _) => self.vcs,
            (Measure::MaxLoad, _) => self.max_load,
            (Measure::WorstCase, _) => self.worst_case.unwrap_or(0),
            (Measure::Imbalance, Some(Balanced::PerStep)) => self.imbalance_per_step,
            (Measure::Imbalance, _) => self.imbalance,
        }
    }
}

/// A found relation that does not do what it was found for: a bug in the encoding.
#[derive(Debug, thiserror::Error)]
pub enum AnswerError {
    /// The ordinary analysis refuses it.
    #[error("internal error: the relation found is refused: {0}")]
    Refused(#[from] NetworkError),
    /// A relation whose worst case is not known.
    #[error("internal error: the worst case of the relation found: {0}")]
    WorstCase(#[from] WorstError),
    /// A bound is broken.
    #[error("internal error: the relation found has {what} {value}, more than {most}")]
    Broken {
        /// The measure.
        what: &'static str,
        /// Value of the relation.
        value: u32,
        /// Bound that was asked for.
        most: u32,
    },
}

/// The relations of `hops` under `name`, measured and held against the question.
///
/// # Errors
/// [`AnswerError`].
pub fn found(question: &Question, hops: Vec<Hops>, name: &str) -> Result<Found, AnswerError> {
    let k = question.dimension;
    let relations: Vec<Given> = hops.into_iter().map(|hops| given(k, hops, name)).collect();
    let flows = question.flows.as_ref().map(|pairs| list(k, pairs));
    let wanted = |given| Wanted { flows: flows.as_ref(), ..Wanted::given(given) };
    let networks = relations.iter().map(|given| Network::wanted(&wanted(given)));
    let networks: Vec<Network> = networks.collect::<Result<_, _>>()?;
    let detours: Vec<u32> = networks.iter().map(detour).collect();
    let worst_case = match question.worst_case {
        Some(_) => {
            let of = |given| worst_case(&wanted(given));
            relations.iter().map(of).collect::<Result<Vec<u32>, _>>()?.pop()
        }
        None => None,
    };
    let figures = Figures { worst_case, ..measure(&networks, &detours) };
    let broken = |what, value, most| Err(AnswerError::Broken { what, value, most });
    for (measure, what) in Measure::ALL {
        let value = figures.of(measure, question.balanced);
        if let Some(most) = question.bound(measure).filter(|&most| value > most) {
            return broken(what, value, most);
        }
    }
    for (detour, (_, slack)) in detours.into_iter().zip(encode::scenarios(question)) {
        if detour > slack {
            return broken("a detour of", detour, slack);
        }
    }
    let parities = match &question.symmetric {
        Symmetric::Parities(masks) => Some(masks.clone()),
        _ => None,
    };
    Ok(Found { relations, parities, by_local_search: false, figures })
}

fn given(k: u32, hops: Hops, name: &str) -> Given {
    let port = |p: u32| Port(p as u8);
    let failed = hops.failed.iter().map(|&node| cube::label(k, node)).collect();
    let next = hops.next.into_iter();
    let hops = match hops.by_difference {
        true => GivenHops::ByDifference(
            next.map(|((from, to), p)| (u64::from(from ^ to), port(p))).collect(),
        ),
        false => GivenHops::ByPair(
            next.map(|((from, to), p)| ((Node(from), Terminal(to)), port(p))).collect(),
        ),
    };
    Given {
        name: name.to_owned(),
        on: On::Named("hypercube", Size::of_dim(k)),
        failed,
        remarks: Vec::new(),
        hops,
    }
}

fn measure(networks: &[Network], detours: &[u32]) -> Figures {
    let mut crossbars: BTreeMap<Node, BTreeSet<(Port, Port)>> = BTreeMap::new();
    for network in networks {
        for node in network.topology().all_nodes() {
            let switch = &network.turns().classes[network.turns().class_of(node)];
            crossbars.entry(node).or_default().extend(switch.crosspoints());
        }
    }
    let most = |key: fn(&(Port, Port)) -> Port| {
        let of = |crossbar: &BTreeSet<(Port, Port)>| {
            let mut counts: BTreeMap<Port, u32> = BTreeMap::new();
            crossbar.iter().for_each(|turn| *counts.entry(key(turn)).or_default() += 1);
            counts.into_values().max().unwrap_or(0)
        };
        crossbars.values().map(of).max().unwrap_or(0)
    };
    let sizes = || crossbars.values().map(|crossbar| crossbar.len() as u32);
    let balances = networks.iter().map(|network| {
        let (_, lengths) = ShortestPath::of(network);
        Balance::of(network, lengths.diameter)
    });
    let balances: Vec<Balance> = balances.collect();
    // Relations that draw nothing: loads are whole.
    let whole = |channel: &ChannelLoad| channel.packets.rounded_up() as u32;
    let apart = |load: &Load| whole(&load.most) - whole(&load.least);
    let totals = || balances.iter().map(|balance| &balance.total);
    let steps = balances.iter().flat_map(|balance| &balance.per_step).map(|step| &step.load);
    Figures {
        crosspoints: sizes().max().unwrap_or(0),
        crosspoints_in_all: sizes().sum(),
        fan_in: most(|turn| turn.1),
        fan_out: most(|turn| turn.0),
        vcs: networks.iter().map(|n| u32::from(n.relation().vcs())).max().unwrap_or(1),
        worst_case: None,
        max_load: totals().map(|load| whole(&load.most)).max().unwrap_or(0),
        imbalance: totals().map(apart).max().unwrap_or(0),
        imbalance_per_step: steps.map(apart).max().unwrap_or(0),
        detour: detours.iter().copied().max().unwrap_or(0),
    }
}

/// The most packets of a permutation over a channel.
fn worst_case(wanted: &Wanted<'_>) -> Result<u32, AnswerError> {
    let (cube, relation) = wanted.build()?;
    Ok(WorstCase::of(cube, relation)?.load.rounded_up() as u32)
}

/// The pairs as a list of flows.
fn list(k: u32, pairs: &[(u32, u32)]) -> FlowList {
    let line =
        |&(from, to): &(u32, u32)| format!("{},{}\n", cube::label(k, from), cube::label(k, to));
    let lines: String = pairs.iter().map(line).collect();
    FlowList::parse(&format!("source,destination\n{lines}")).expect("labels make a list")
}

/// The most channels of a route beyond the distance in the whole cube.
fn detour(network: &Network) -> u32 {
    let (topology, relation) = (network.topology(), network.relation());
    let mut most = 0;
    for from in network.sources() {
        for to in topology.destinations(from) {
            let mut switches = 0u32;
            let walked = walk::walk(topology, relation, from, to, Draw::NONE, |_| switches += 1);
            walked.expect("a network's routes arrive");
            most = most.max(switches - 1 - cube::distance(from.0, to.0));
        }
    }
    most
}

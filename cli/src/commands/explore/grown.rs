//! Candidates that are grown for the flows, and the star among them.

use super::candidate::{self, Candidate, FLOWS, system};
use super::figures::{Figures, Measures};
use super::question::Terminals;
use crate::format::counted;
use crate::options::{Chosen, ChosenTopology, TopologyFile};
use crate::searching::Searching;
use anyhow::{Context, bail};
use std::fmt::Write;
use std::sync::Arc;
use turnpike_analysis::network::{Network, Wanted};
use turnpike_emit::File;
use turnpike_network::description::{self, Description, FIRST_LINE, FORMATS, ReadOptions};
use turnpike_network::flows::Bandwidth;
use turnpike_network::routing::given::{Given, Hops, On, Route, Routes};
use turnpike_network::topology::wired::Wired;
use turnpike_network::topology::{Node, Port, Terminal, Topology};
use turnpike_search::growing::layout::{Layout, Switch};
use turnpike_search::growing::search::{MOVES, grow};
use turnpike_search::solver::Limits;

/// Relation that needs no way from each switch to each other.
pub const BY_TABLE: &str = "shortest";

/// The star, where a switch has room for all terminals, and networks grown for the flows: those that no other beats, by
/// their area. Whether the search came to its end, too.
///
/// # Errors
/// A network that the ordinary analysis refuses, or whose figures are others: faults of this program.
pub fn all(
    terminals: &Terminals,
    limits: &Limits,
    searching: &Searching,
) -> anyhow::Result<(Vec<Candidate>, bool)> {
    let question = &terminals.question;
    let mut layouts = Vec::new();
    if (0..2).all(|end| ends(terminals, end) <= question.ports()) {
        layouts.push(Layout::star(question));
    }
    let grown = grow(question, MOVES, limits, |rounds| {
        searching.message(&format!("{} to grow", counted(rounds, "round")));
    });
    layouts.extend(grown.layouts);
    let busiest = Bandwidth(question.busiest()).flits_per_cycle();
    // Which of them are worth a name.
    let mut built: Vec<(Built, Measures)> = Vec::new();
    for layout in &layouts {
        let own = Built::new(terminals, layout)?;
        let measures = own.figures.measures(busiest).context("internal error: packets choose")?;
        if built.iter().all(|(_, known)| *known != measures) {
            built.push((own, measures));
        }
    }
    let all: Vec<Measures> = built.iter().map(|(_, measures)| *measures).collect();
    built.retain(|(_, own)| !all.iter().any(|other| other.beat(own)));
    built.sort_by(|(_, one), (_, other)| one.0[0].total_cmp(&other.0[0]));
    let mut number = 0;
    let named = |(own, _): (Built, Measures)| {
        if own.description.nodes.len() == 1 {
            return own.candidate("star", false);
        }
        number += 1;
        own.candidate(&format!("grown{number}"), true)
    };
    Ok((built.into_iter().map(named).collect(), grown.is_whole))
}

/// Streams of all terminals at an end.
fn ends(terminals: &Terminals, end: usize) -> u32 {
    (0..terminals.names.len()).map(|at| terminals.question.streams(at, end)).sum()
}

/// The network of a layout, as the ordinary analysis has it, without a name yet.
struct Built {
    description: Description,
    routing: Routing,
    figures: Figures,
}

/// The relation of a layout.
enum Routing {
    /// The default of its network, which is one switch.
    Default,
    /// A relation that Turnpike has.
    Named(&'static str),
    Given(Box<Given>),
}

impl Built {
    /// The network, measured.
    ///
    /// # Errors
    /// A network that the analysis refuses, or whose figures are others than the search's: faults of this program.
    fn new(terminals: &Terminals, layout: &Layout) -> anyhow::Result<Self> {
        let description = described(terminals, layout, "grown")?;
        let routing = match given(terminals, layout, &description)? {
            Some(given) => Routing::Given(Box::new(given)),
            // Apart from each other, switches lead nowhere.
            None if description.nodes.len() > 1 => Routing::Named(BY_TABLE),
            None => Routing::Default,
        };
        let file = TopologyFile::of(description.clone());
        let chosen = Chosen::of(ChosenTopology::File(file));
        let on = |wanted: &Wanted| {
            Network::wanted(&match &routing {
                Routing::Default => *wanted,
                Routing::Named(name) => Wanted { routing: Some(name), ..*wanted },
                Routing::Given(given) => Wanted { given: Some(given), ..*wanted },
            })
        };
        let network = terminals.network.wanted_of(&chosen, on);
        let figures = candidate::figures(network.context("the network that was grown is none")?)?;
        if figures.condition.is_none() {
            bail!("internal error: waits of a network that was grown close a cycle");
        }
        let own = layout.counts(&terminals.question);
        if figures.counts != own {
            let counts = figures.counts;
            bail!("internal error: a network that was grown has {counts:?}, and not {own:?}");
        }
        Ok(Self { description, routing, figures })
    }

    /// The network under a name, with its files.
    fn candidate(self, name: &str, is_grown: bool) -> Candidate {
        let description = Arc::new(Description { name: name.to_owned(), ..self.description });
        let topology = description.file_name();
        let mut files = vec![File { name: topology.clone(), contents: description.text() }];
        let routing = match self.routing {
            Routing::Default => None,
            Routing::Named(name) => Some(name.to_owned()),
            Routing::Given(given) => {
                let relation = format!("{name}.relation");
                let given = Given { on: On::Described(description), ..*given };
                files.push(File { name: relation.clone(), contents: given.text() });
                Some(relation)
            }
        };
        let mut keys = vec![("topology", &*topology)];
        keys.extend(routing.as_deref().map(|routing| ("routing", routing)));
        files.push(system(name, &keys));
        let routed = routing.as_ref().map(|routing| format!(" --routing {routing}"));
        let words = format!("{topology}{} --flows {FLOWS}", routed.unwrap_or_default());
        Candidate { name: name.to_owned(), words, figures: Ok(self.figures), files, is_grown }
    }
}

/// The switches, terminals and channels of a layout.
fn described(terminals: &Terminals, layout: &Layout, name: &str) -> anyhow::Result<Description> {
    let switches: Vec<Switch> = layout.switches().into_iter().collect();
    let number = |switch: Switch| switches.iter().position(|&own| own == switch);
    let label = |switch: Switch| number(switch).map(|number| format!("s{number}"));
    let mut text = format!("{FIRST_LINE}\nname {name}\nnode");
    for &switch in &switches {
        write!(text, " {}", label(switch).unwrap_or_default())?;
    }
    text.push('\n');
    for (at, name) in terminals.names.iter().enumerate() {
        let [source, sink] = layout.homes[at].map(|home| label(home).unwrap_or_default());
        match terminals.roles[at] {
            [true, true] if source == sink => writeln!(text, "terminal {name} {source}")?,
            [true, true] => writeln!(text, "terminal {name} {source} {sink}")?,
            [true, false] => writeln!(text, "source {name} {source}")?,
            _ => writeln!(text, "sink {name} {sink}")?,
        }
    }
    for (from, to) in layout.links() {
        let [from, to] = [from, to].map(|switch| label(switch).unwrap_or_default());
        writeln!(text, "channel {from} {to}")?;
    }
    let options = ReadOptions { format: Some(&FORMATS[0]), two_way: false };
    let reading = description::read_with(name, text.as_bytes(), options);
    Ok(reading.context("the network that was grown is none")?.description)
}

/// The relation of a layout; `None` where no packet takes a channel.
fn given(
    terminals: &Terminals,
    layout: &Layout,
    description: &Description,
) -> anyhow::Result<Option<Given>> {
    let topology = Wired::new(description)?;
    let switches: Vec<Switch> = layout.switches().into_iter().collect();
    let node = |switch: Switch| {
        switches.iter().position(|&own| own == switch).map(|number| Node(number as u32))
    };
    let port = |from: Switch, to: Switch| {
        let (from, to) = (node(from)?, node(to)?);
        let leads = |port: &Port| topology.channel(from, *port).is_some_and(|(at, _)| at == to);
        (0..topology.ports()).map(Port).find(leads)
    };
    let mut routes = Routes::new();
    for (pair, route) in terminals.question.pairs().iter().zip(&layout.routes) {
        let ports = route.windows(2).map(|ends| port(ends[0], ends[1]));
        let ports: Vec<Port> =
            ports.collect::<Option<_>>().context("internal error: a channel is missing")?;
        if !ports.is_empty() {
            let ends = (Terminal(pair.from as u32), Terminal(pair.to as u32));
            routes.insert(ends, Route { ports, vc: None });
        }
    }
    Ok((!routes.is_empty()).then(|| Given {
        name: "grown".to_owned(),
        on: On::Described(Arc::new(description.clone())),
        failed: Vec::new(),
        remarks: Vec::new(),
        hops: Hops::ByRoute(routes),
    }))
}

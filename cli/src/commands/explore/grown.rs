//! Candidates that are grown for the flows, and the star among them.

use super::candidate::{self, Candidate, FLOWS, system};
use super::figures::Measures;
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
/// their area.
///
/// # Errors
/// A network that the ordinary analysis refuses, or whose figures are others: faults of this program.
pub fn all(
    terminals: &Terminals,
    limits: &Limits,
    searching: &Searching,
) -> anyhow::Result<Vec<Candidate>> {
    let question = &terminals.question;
    let mut layouts = Vec::new();
    if (0..2).all(|end| ends(terminals, end) <= question.ports()) {
        layouts.push(Layout::star(question));
    }
    let grown = grow(question, MOVES, limits, |rounds| {
        searching.message(&format!("{} to grow", counted(rounds, "round")));
    });
    layouts.extend(grown.layouts);
    // Which of them are worth a name.
    let mut measured: Vec<(Layout, Measures)> = Vec::new();
    for layout in layouts {
        let figures = candidate(terminals, &layout, "grown".to_owned())?.figures;
        let figures = figures.map_err(anyhow::Error::msg)?;
        let busiest = Bandwidth(question.busiest()).flits_per_cycle();
        let measures = figures.measures(busiest).context("internal error: packets choose")?;
        if measured.iter().all(|(_, known)| *known != measures) {
            measured.push((layout, measures));
        }
    }
    let mut layouts: Vec<&(Layout, Measures)> = measured
        .iter()
        .filter(|(_, own)| !measured.iter().any(|(_, other)| other.beat(own)))
        .collect();
    layouts.sort_by(|(_, one), (_, other)| one.0[0].total_cmp(&other.0[0]));
    let mut number = 0;
    let mut named = |(layout, _): &(Layout, Measures)| {
        let is_star = layout.switches().len() == 1;
        number += usize::from(!is_star);
        let name = if is_star { "star".to_owned() } else { format!("grown{number}") };
        let own = candidate(terminals, layout, name)?;
        Ok(Candidate { is_whole: grown.is_whole, is_grown: !is_star, ..own })
    };
    layouts.into_iter().map(&mut named).collect()
}

/// Streams of all terminals at an end.
fn ends(terminals: &Terminals, end: usize) -> u32 {
    (0..terminals.names.len()).map(|at| terminals.question.streams(at, end)).sum()
}

/// The network of a layout, as the ordinary analysis has it.
fn candidate(terminals: &Terminals, layout: &Layout, name: String) -> anyhow::Result<Candidate> {
    let description = described(terminals, layout, &name)?;
    let text = description.text();
    let topology = description.file_name();
    let given = given(terminals, layout, &description)?;
    let mut files = vec![File { name: topology.clone(), contents: text }];
    let relation = format!("{name}.relation");
    let mut keys = vec![("topology", &*topology)];
    // Apart from each other, some switches lead nowhere; with one alone the default does.
    let is_apart = given.is_none() && layout.switches().len() > 1;
    match &given {
        Some(given) => {
            keys.push(("routing", &relation));
            files.push(File { name: relation.clone(), contents: given.text() });
        }
        None if is_apart => keys.push(("routing", BY_TABLE)),
        None => {}
    }
    files.push(system(&name, &keys));
    let routed = keys.iter().find(|(key, _)| *key == "routing");
    let routed = routed.map(|(key, value)| format!(" --{key} {value}")).unwrap_or_default();
    let words = format!("{topology}{routed} --flows {FLOWS}");
    let chosen = Chosen::of(ChosenTopology::File(TopologyFile::of(description)));
    let routing = is_apart.then_some(BY_TABLE);
    let on =
        |wanted: &Wanted| Network::wanted(&Wanted { given: given.as_ref(), routing, ..*wanted });
    let network = terminals.network.wanted_of(&chosen, on);
    let network = network.context("the network that was grown is none")?;
    let figures = candidate::figures(network)?;
    if figures.condition.is_none() {
        bail!("internal error: waits of a network that was grown close a cycle");
    }
    let own = layout.counts(&terminals.question);
    if figures.counts != own {
        bail!("internal error: a network that was grown has {:?}, and not {own:?}", figures.counts);
    }
    let (is_grown, is_whole) = (true, true);
    Ok(Candidate { name, words, figures: Ok(figures), files, is_grown, is_whole })
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

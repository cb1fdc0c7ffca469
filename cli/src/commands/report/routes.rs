//! The routes between all terminals, as the page's script takes them. A route is what leaves a switch
//! hop by hop: output, virtual channel, header. Routes that end alike share their ends, and sources
//! whose routes are the same words share those: a script that has a source and a destination tries
//! the words of the source, and exactly one leads there.

use crate::commands::route::title;
use crate::network_fields::NetworkFields;
use serde::Serialize;
use std::collections::HashMap;
use turnpike_emit::picture::MOST_NODES;
use turnpike_fabric::plan::FabricPlan;
use turnpike_network::routing::walk::{self, Step};
use turnpike_network::routing::walker::State;
use turnpike_network::routing::{Draw, Input, Output};
use turnpike_network::topology::{Node, Port, Terminal, Topology};

/// Most pairs of terminals.
const MOST_PAIRS: usize = 1 << 21;
/// Most hops, and most words of all sources together: some 600 kB each.
const MOST_HOPS: usize = 50_000;
const MOST_WORDS: usize = 100_000;

/// No channel, no switch, no further hop.
const NONE: i64 = -1;

/// Data that the script reads.
#[derive(Serialize)]
pub struct Routes {
    /// Text that a route's first line begins with.
    title: String,
    /// Whether there are routes along flows alone.
    flows: bool,
    /// Whether virtual channels are told apart.
    several_vcs: bool,
    /// The names of network ports. Eject ports have the numbers after them.
    ports: Vec<String>,
    /// The labels of nodes.
    nodes: Vec<String>,
    /// By node and port: where the channel ends, as node times ports plus input port.
    wires: Vec<i64>,
    /// Label; where it sends and by which inject port; where it takes packets, by which eject port of
    /// what name.
    terminals: Vec<(String, i64, String, i64, u8, String)>,
    /// Headers as they are shown.
    headers: Vec<String>,
    /// Four numbers each: output, virtual channel, header on arrival, and the hop after it.
    hops: Vec<i64>,
    /// First hops.
    words: Vec<Vec<u32>>,
    /// Two numbers for each source: its terminal, and its words.
    sources: Vec<u32>,
}

/// The routes of a fabric, and what is left out.
pub fn of(plan: &FabricPlan) -> (Option<Routes>, Option<String>) {
    let (topology, relation) = (plan.topology(), plan.relation());
    let (senders, takers) = (topology.sources().count(), topology.sinks().count());
    if topology.nodes() > MOST_NODES || senders * takers > MOST_PAIRS {
        let why = format!(
            "routes, of a network of more than {MOST_NODES} nodes or {MOST_PAIRS} pairs of terminals \
             (turnpike route shows each)"
        );
        return (None, Some(why));
    }
    let mut pool = Pool::default();
    let mut of_sources: Vec<(Terminal, Vec<u32>)> = Vec::new();
    for source in topology.sources() {
        let sinks = topology.destinations(source);
        let words: Vec<u32> = sinks.map(|sink| pool.word(plan, source, sink)).collect();
        of_sources.push((source, words));
        if pool.hops.len() > MOST_HOPS {
            of_sources.pop();
            break;
        }
    }
    let wires = wires(topology);
    let (words, sources) = match shared(plan, &pool, &of_sources, &wires) {
        Some(all) => (vec![all], of_sources.iter().flat_map(|(source, _)| [source.0, 0]).collect()),
        None => distinct(of_sources),
    };
    let carried = sources.len() / 2;
    let left_out = (carried < senders).then(|| {
        format!(
            "routes from {} of the {senders} sources: those from the first {carried} are there \
             (turnpike route shows each)",
            senders - carried
        )
    });
    let draw = relation.is_randomised().then(|| (0, relation.draw_count()));
    let routes = Routes {
        title: title(&NetworkFields::of(topology, relation), draw),
        flows: topology.flows().is_some(),
        several_vcs: relation.vcs() > 1,
        ports: (0..topology.ports()).map(|port| topology.port_name(Port(port))).collect(),
        nodes: topology.all_nodes().map(|node| topology.label(node)).collect(),
        wires,
        terminals: terminals(topology),
        headers: pool.headers,
        hops: pool.hops.concat(),
        words,
        sources,
    };
    (Some(routes), left_out)
}

/// By node and port, where its channel ends.
fn wires(topology: &dyn Topology) -> Vec<i64> {
    let ports = i64::from(topology.ports());
    let end = |node, port| match topology.channel(node, Port(port)) {
        Some((to, input)) => i64::from(to.0) * ports + i64::from(input.0),
        None => NONE,
    };
    topology
        .all_nodes()
        .flat_map(|node| (0..topology.ports()).map(move |port| end(node, port)))
        .collect()
}

fn terminals(topology: &dyn Topology) -> Vec<(String, i64, String, i64, u8, String)> {
    let terminal = |number| {
        let terminal = Terminal(number);
        // Numbers of streams leave gaps.
        let is_there = topology.flows().is_none() || topology.is_terminal(terminal);
        let label = if is_there { topology.terminal_label(terminal) } else { String::new() };
        let (sends, inject) = Input::of(topology, terminal)
            .map_or((NONE, String::new()), |(node, input)| {
                (node.0.into(), input.name(topology, node))
            });
        let local = topology.sink(terminal).map_or(0, |(_, local)| local.0);
        let (takes, eject) = Output::of(topology, terminal)
            .map_or((NONE, String::new()), |(node, output)| {
                (node.0.into(), output.name(topology, node))
            });
        (label, sends, inject, takes, local, eject)
    };
    (0..topology.terminals()).map(terminal).collect()
}

/// Hops, each once.
#[derive(Default)]
struct Pool {
    hops: Vec<[i64; 4]>,
    known: HashMap<[i64; 4], u32>,
    met: HashMap<State, u32>,
    headers: Vec<String>,
    known_headers: HashMap<String, i64>,
    steps: Vec<Step>,
}

impl Pool {
    /// The first hop of a route, with all after it.
    fn word(&mut self, plan: &FabricPlan, source: Terminal, destination: Terminal) -> u32 {
        let (topology, relation) = (plan.topology(), plan.relation());
        let mut steps = std::mem::take(&mut self.steps);
        steps.clear();
        let visit = |step: &Step| steps.push(*step);
        walk::walk(topology, relation, source, destination, Draw::NONE, visit)
            .expect("a network's routes arrive: all were walked when it was built");
        // From a state that was met before the route is the same: a packet's way on depends on its
        // state alone.
        let state = |step: &Step| State {
            node: step.node,
            input: step.input,
            vc: step.vc,
            header: step.header,
        };
        let known = steps.iter().position(|step| self.met.contains_key(&state(step)));
        let mut next = known.map_or(NONE, |at| self.met[&state(&steps[at])].into());
        for step in steps[..known.unwrap_or(steps.len())].iter().rev() {
            let output = match step.hop.output {
                Output::Network(port) => i64::from(port.0),
                Output::Eject(local) => i64::from(topology.ports()) + i64::from(local.0),
            };
            let width = relation.header_bits(step.input) as usize;
            let header = self.header(format!("{:0width$b}", step.header));
            let number = self.hop([output, step.hop.vc.0.into(), header, next]);
            self.met.insert(state(step), number);
            next = number.into();
        }
        self.steps = steps;
        u32::try_from(next).expect("a route has a hop")
    }

    fn hop(&mut self, hop: [i64; 4]) -> u32 {
        let number = self.hops.len() as u32;
        let known = *self.known.entry(hop).or_insert(number);
        if known == number {
            self.hops.push(hop);
        }
        known
    }

    fn header(&mut self, header: String) -> i64 {
        if let Some(&known) = self.known_headers.get(&header) {
            return known;
        }
        let number = self.headers.len() as i64;
        self.headers.push(header.clone());
        self.known_headers.insert(header, number);
        number
    }

    /// End of a word's route from a node: the node, and the eject port; `None` where there is no
    /// such route.
    fn end(&self, wires: &[i64], ports: i64, start: Node, word: u32) -> Option<(i64, i64)> {
        let (mut node, mut at) = (i64::from(start.0), word);
        loop {
            let [output, _, _, next] = self.hops[at as usize];
            if output >= ports {
                return Some((node, output - ports));
            }
            let end = wires[(node * ports + output) as usize];
            if end == NONE {
                return None;
            }
            (node, at) = (end / ports, u32::try_from(next).ok()?);
        }
    }
}

/// All words, where the first of them that leads from a source to a destination is the route there,
/// for every pair; `None` where it is not, or where they are so many that trying takes long.
fn shared(
    plan: &FabricPlan,
    pool: &Pool,
    of_sources: &[(Terminal, Vec<u32>)],
    wires: &[i64],
) -> Option<Vec<u32>> {
    let topology = plan.topology();
    if topology.flows().is_some() {
        // A word of another source may lead where this one has no flow.
        return None;
    }
    let ports = i64::from(topology.ports());
    let mut all: Vec<u32> = of_sources.iter().flat_map(|(_, words)| words).copied().collect();
    all.sort_unstable();
    all.dedup();
    if all.len() > 8 * of_sources.len().max(8) {
        return None;
    }
    for (source, words) in of_sources {
        let (node, _) = topology.source(*source)?;
        let mut first: HashMap<(i64, i64), u32> = HashMap::new();
        for &word in &all {
            if let Some(end) = pool.end(wires, ports, node, word) {
                first.entry(end).or_insert(word);
            }
        }
        for (sink, word) in topology.sinks().zip(words) {
            let (node, local) = topology.sink(sink)?;
            if first.get(&(node.0.into(), local.0.into())) != Some(word) {
                return None;
            }
        }
    }
    Some(all)
}

/// The words of each source, those of several alike once; of as many sources as there is room for.
fn distinct(of_sources: Vec<(Terminal, Vec<u32>)>) -> (Vec<Vec<u32>>, Vec<u32>) {
    let (mut all, mut sources): (Vec<Vec<u32>>, Vec<u32>) = (Vec::new(), Vec::new());
    let mut known: HashMap<Vec<u32>, u32> = HashMap::new();
    let mut room = MOST_WORDS;
    for (source, mut words) in of_sources {
        words.sort_unstable();
        let number = match known.get(&words) {
            Some(&number) => number,
            None if words.len() > room => break,
            None => {
                room -= words.len();
                let number = all.len() as u32;
                known.insert(words.clone(), number);
                all.push(words);
                number
            }
        };
        sources.extend([source.0, number]);
    }
    (all, sources)
}

//! Names in files of routes, and what they stand for in a network.

use super::error::Fault;
use rustc_hash::FxHashMap;
use turnpike_base::nearest::Nearest;
use turnpike_network::description::{Description, Name};

/// Most names that an unknown one is compared with.
const COMPARED: usize = 1000;

/// Switches, terminals and links of a network, by name.
pub struct Names<'a> {
    description: &'a Description,
    switches: FxHashMap<&'a str, u32>,
    /// Terminals that take packets.
    sinks: FxHashMap<&'a str, u32>,
    /// By switch, the terminals that take packets there.
    sinks_at: Vec<Vec<u32>>,
    /// By switch, the links that leave it.
    out: Vec<Vec<u32>>,
    /// By switch, the links that arrive.
    into: Vec<Vec<u32>>,
}

/// Names as they were given, and as they stand in Verilog: the former first.
fn by_name<'a>(names: impl Iterator<Item = (u32, &'a Name)> + Clone) -> FxHashMap<&'a str, u32> {
    let given = names.clone().map(|(at, name)| (crate::model::shown(name), at));
    let mut all: FxHashMap<&str, u32> = FxHashMap::default();
    for (name, at) in given.chain(names.map(|(at, name)| (&*name.identifier, at))) {
        all.entry(name).or_insert(at);
    }
    all
}

impl<'a> Names<'a> {
    pub fn new(description: &'a Description) -> Self {
        let Description { nodes, terminals, channels, .. } = description;
        let mut names = Self {
            description,
            switches: by_name((0..).zip(nodes)),
            sinks: by_name(
                (0..)
                    .zip(terminals)
                    .filter(|(_, terminal)| terminal.sink.is_some())
                    .map(|(at, terminal)| (at, &terminal.name)),
            ),
            sinks_at: vec![Vec::new(); nodes.len()],
            out: vec![Vec::new(); nodes.len()],
            into: vec![Vec::new(); nodes.len()],
        };
        for (at, terminal) in (0..).zip(terminals) {
            if let Some(sink) = terminal.sink {
                names.sinks_at[sink].push(at);
            }
        }
        for (at, channel) in (0..).zip(channels) {
            names.out[channel.from.node].push(at);
            names.into[channel.to.node].push(at);
        }
        names
    }

    fn unknown<'n>(
        what: &'static str,
        name: &str,
        known: impl Iterator<Item = &'n str> + Clone,
    ) -> Fault {
        let nearest = Nearest::of(name, known.clone().take(COMPARED));
        let remedy = match known.clone().next() {
            Some(first) => format!("name one such as {first}"),
            None => "there is none".to_owned(),
        };
        Fault::Unknown { what, name: name.to_owned(), nearest, remedy }
    }

    /// Name of a switch.
    pub fn switch_name(&self, switch: u32) -> &'a str {
        crate::model::shown(&self.description.nodes[switch as usize])
    }

    /// Name of a terminal.
    pub fn terminal_name(&self, terminal: u32) -> &'a str {
        crate::model::shown(&self.description.terminals[terminal as usize].name)
    }

    /// The switch of a name.
    pub fn switch(&self, name: &str) -> Result<u32, Fault> {
        let known = self.description.nodes.iter().map(crate::model::shown);
        self.switches.get(name).copied().ok_or_else(|| Self::unknown("switch", name, known))
    }

    /// The terminals that take packets and are called so, or are at a switch that is.
    pub fn destinations(&self, name: &str) -> Result<Vec<u32>, Fault> {
        if let Some(&terminal) = self.sinks.get(name) {
            return Ok(vec![terminal]);
        }
        let at = self.switches.get(name).map(|&switch| &self.sinks_at[switch as usize]);
        match at.filter(|at| !at.is_empty()) {
            Some(at) => Ok(at.clone()),
            None => {
                let sinks =
                    self.description.terminals.iter().filter(|terminal| terminal.sink.is_some());
                let known = sinks.map(|terminal| crate::model::shown(&terminal.name));
                Err(Self::unknown("destination", name, known))
            }
        }
    }

    /// Whether packets to a terminal leave at a switch.
    pub fn leaves_at(&self, terminal: u32, switch: u32) -> bool {
        self.description.terminals[terminal as usize].sink == Some(switch as usize)
    }

    /// The link that leaves a switch by a port, or to a switch, of this name.
    pub fn out(&self, switch: u32, name: &str) -> Result<u32, Fault> {
        let Description { channels, .. } = self.description;
        let links = &self.out[switch as usize];
        let port = links.iter().find(|&&link| channels[link as usize].from.port == name);
        let to = self.switches.get(name);
        let leads =
            |&&link: &&u32| to.is_some_and(|&to| channels[link as usize].to.node == to as usize);
        let mut leading = links.iter().filter(leads);
        match (leading.next(), leading.next(), port) {
            (Some(&link), None, _) | (None, _, Some(&link)) => Ok(link),
            (Some(_), Some(_), _) => {
                let ports = links.iter().filter(leads).map(|&l| &*channels[l as usize].from.port);
                let ports = ports.collect::<Vec<_>>().join(", ");
                let from = self.switch_name(switch).to_owned();
                Err(Fault::Ambiguous { from, to: name.to_owned(), ports })
            }
            (None, _, None) => {
                let known = links
                    .iter()
                    .map(|&link| self.switch_name(channels[link as usize].to.node as u32));
                Err(Self::unknown("next hop of that switch", name, known))
            }
        }
    }

    /// The links that arrive at a switch by a port, or from a switch, of this name.
    pub fn into(&self, switch: u32, name: &str) -> Result<Vec<u32>, Fault> {
        let Description { channels, .. } = self.description;
        let links = &self.into[switch as usize];
        let from = self.switches.get(name);
        let comes = |link: &u32| {
            let channel = &channels[*link as usize];
            channel.to.port == name || from.is_some_and(|&from| channel.from.node == from as usize)
        };
        let found: Vec<u32> = links.iter().copied().filter(comes).collect();
        if found.is_empty() {
            let known =
                links.iter().map(|&l| self.switch_name(channels[l as usize].from.node as u32));
            return Err(Self::unknown("input of that switch", name, known));
        }
        Ok(found)
    }
}

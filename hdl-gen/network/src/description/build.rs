//! Builds a description, and sees to it that it holds together.

use super::addresses::Addresses;
use super::degrees::Degrees;
use super::names::{identifier, of_texts};
use super::{
    Channel, Description, DescriptionError, End, Fault, MOST_DELAY, MOST_NODES, MOST_PORT_NAMES,
    MOST_TERMINALS, Terminal,
};
use std::collections::{HashMap, HashSet};
use turnpike_base::names;
use turnpike_base::nearest::Nearest;

/// Most names that an unknown one is compared with.
const COMPARED: usize = 1000;

/// A description as it is read. Lines are for messages; `None` where there are none.
#[derive(Default)]
pub struct Builder {
    name: Option<String>,
    nodes: Names,
    terminals: Names,
    at: Vec<(Option<usize>, Option<usize>)>,
    addresses: Addresses,
    links: Vec<Link>,
    degrees: Degrees,
    /// Ports that come first, in this order.
    ports: Vec<String>,
    words: Words,
    /// Whether each channel is a link; with how many channels that changed.
    two_way: Option<usize>,
}

/// Words of a format, with which messages of the builder give examples.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words {
    /// A node.
    pub node: &'static str,
    /// A terminal at a node.
    pub terminal: &'static str,
}

impl Default for Words {
    /// Words of Turnpike's own format.
    fn default() -> Self {
        Self { node: "node a", terminal: "terminal cpu NODE" }
    }
}

/// Names as they were given.
#[derive(Default)]
struct Names {
    numbers: HashMap<String, usize>,
    all: Vec<String>,
}

impl Names {
    /// Adds a name; `None` where it is there already.
    fn add(&mut self, text: &str) -> Option<usize> {
        let number = self.all.len();
        if self.numbers.contains_key(text) {
            return None;
        }
        self.numbers.insert(text.to_owned(), number);
        self.all.push(text.to_owned());
        Some(number)
    }
}

/// An end as it is given: a node, and the port where that is named.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LooseEnd {
    /// The node.
    pub node: usize,
    /// The port; the builder names it where `None`.
    pub port: Option<String>,
}

struct Link {
    ends: [LooseEnd; 2],
    /// Whether there is a channel back, by the same ports.
    both_ways: bool,
    /// Registers there, and back.
    delays: [u32; 2],
    line: Option<usize>,
}

/// The ports of the nodes that are in use, with the line of each.
#[derive(Default)]
struct Ports {
    lines: HashMap<End, Option<usize>>,
    /// Per node, the number at which to look for a free port.
    next: HashMap<usize, usize>,
}

impl Builder {
    /// A builder whose messages speak as a format does, and which makes each channel a link where
    /// `two_way` asks for it.
    pub(super) fn of(words: Words, two_way: bool) -> Self {
        Self { words, two_way: two_way.then_some(0), ..Self::default() }
    }

    /// The network's name.
    ///
    /// # Errors
    /// [`Fault::Name`] for what cannot begin a module's name, [`Fault::NameAgain`].
    pub fn name(&mut self, name: &str) -> Result<(), Fault> {
        names::check_identifier(name)?;
        match self.name.replace(name.to_owned()) {
            None => Ok(()),
            Some(_) => Err(Fault::NameAgain),
        }
    }

    /// Adds a node.
    ///
    /// # Errors
    /// [`Fault::Twice`], [`Fault::Nodes`].
    pub fn node(&mut self, name: &str) -> Result<usize, Fault> {
        if self.nodes.all.len() == MOST_NODES {
            return Err(Fault::Nodes);
        }
        self.nodes.add(name).ok_or_else(|| Fault::Twice("node", name.to_owned()))
    }

    /// The node of this name.
    ///
    /// # Errors
    /// [`Fault::Node`] where there is none.
    pub fn find(&self, name: &str) -> Result<usize, Fault> {
        self.nodes.numbers.get(name).copied().ok_or_else(|| {
            let known = self.nodes.all.iter().take(COMPARED).map(String::as_str);
            let nearest = Nearest::of(name, known);
            Fault::Node { node: name.to_owned(), nearest }
        })
    }

    /// The node of this name, added where there is none.
    ///
    /// # Errors
    /// [`Fault::Nodes`].
    pub fn node_or_new(&mut self, name: &str) -> Result<usize, Fault> {
        match self.nodes.numbers.get(name) {
            Some(&number) => Ok(number),
            None => self.node(name),
        }
    }

    /// Adds a terminal that sends from a node and receives at one.
    ///
    /// # Errors
    /// [`Fault::Twice`], [`Fault::Terminals`].
    pub fn terminal(
        &mut self,
        name: &str,
        source: Option<usize>,
        sink: Option<usize>,
    ) -> Result<(), Fault> {
        if self.terminals.all.len() == MOST_TERMINALS {
            return Err(Fault::Terminals);
        }
        let Some(_) = self.terminals.add(name) else {
            return Err(Fault::Twice("terminal", name.to_owned()));
        };
        self.at.push((source, sink));
        Ok(())
    }

    /// Gives the terminal that was added last an address, at most [`MOST_ADDRESS`](super::MOST_ADDRESS).
    ///
    /// # Errors
    /// [`Fault::AddressTwice`].
    pub fn address(&mut self, address: u32, line: Option<usize>) -> Result<(), Fault> {
        self.addresses.add(self.at.len().saturating_sub(1), address, line)
    }

    /// Names ports, which keep this order and come before all others.
    ///
    /// # Errors
    /// [`Fault::Twice`], and what is wrong with a name.
    pub fn port(&mut self, name: &str) -> Result<(), Fault> {
        check_port(name)?;
        if self.ports.iter().any(|port| port == name) {
            return Err(Fault::Twice("port", name.to_owned()));
        }
        self.ports.push(name.to_owned());
        Ok(())
    }

    /// Adds a channel, and with `both_ways` one back that leaves by the port where the first
    /// arrives, and arrives at the port where the first leaves. `delays` are the registers there and
    /// back.
    ///
    /// # Errors
    /// [`Fault::Loop`], [`Fault::Ports`], [`Fault::Delay`], and what is wrong with the names of ports.
    pub fn link(
        &mut self,
        from: LooseEnd,
        to: LooseEnd,
        both_ways: bool,
        delays: [u32; 2],
        line: Option<usize>,
    ) -> Result<(), Fault> {
        if from.node == to.node {
            return Err(Fault::Loop(self.shown(from.node)));
        }
        if let Some(delay) = delays.into_iter().find(|&delay| delay > MOST_DELAY) {
            return Err(Fault::Delay(delay.to_string()));
        }
        for port in [&from, &to].into_iter().filter_map(|end| end.port.as_ref()) {
            check_port(port)?;
        }
        let both_ways = match &mut self.two_way {
            Some(turned) => {
                *turned += usize::from(!both_ways);
                true
            }
            None => both_ways,
        };
        let added = self.degrees.add(from.node, to.node, both_ways);
        added.map_err(|node| Fault::Ports(self.shown(node)))?;
        self.links.push(Link { ends: [from, to], both_ways, delays, line });
        Ok(())
    }

    /// The description, in which every port has a name.
    ///
    /// # Errors
    /// A port that two channels use; too many of them; no terminals.
    pub fn finish(self, default_name: &str) -> Result<Description, DescriptionError> {
        if self.nodes.all.is_empty() {
            return Err(Fault::NoNode(self.words.node).into());
        }
        if self.two_way == Some(0) {
            return Err(Fault::BothWays.into());
        }
        let mut channels = self.channels()?;
        let mut ports = self.ports.clone();
        let mut named: HashSet<&String> = self.ports.iter().collect();
        for channel in &channels {
            let ends = [&channel.from.port, &channel.to.port].into_iter();
            ports.extend(ends.filter(|port| named.insert(port)).cloned());
        }
        let place: HashMap<&String, usize> = ports.iter().zip(0..).collect();
        channels.sort_by_cached_key(|channel| (channel.from.node, place[&channel.from.port]));
        if ports.len() > MOST_PORT_NAMES {
            return Err(Fault::PortNames.into());
        }
        let terminals = of_texts(&self.terminals.all);
        let addresses = self.addresses.by_number(&terminals)?;
        let terminal = |(number, (name, (source, sink)))| {
            let address = addresses.get(&number).copied();
            Terminal { name, source, sink, address }
        };
        let terminals = terminals.into_iter().zip(self.at).enumerate();
        let terminals: Vec<Terminal> = terminals.map(terminal).collect();
        if terminals.iter().all(|terminal| terminal.source.is_none()) {
            return Err(Fault::Without("sends", self.words.terminal).into());
        }
        if terminals.iter().all(|terminal| terminal.sink.is_none()) {
            return Err(Fault::Without("receives", self.words.terminal).into());
        }
        if terminals.len() == 1 {
            return Err(Fault::Alone.into());
        }
        let name = self.name.unwrap_or_else(|| default_name_of(default_name));
        Ok(Description { name, nodes: of_texts(&self.nodes.all), terminals, ports, channels })
    }

    /// The channels: ports that were named first, then those that were not, in the order of the
    /// lines.
    fn channels(&self) -> Result<Vec<Channel>, DescriptionError> {
        let mut ports: [Ports; 2] = Default::default();
        let [outputs, inputs] = &mut ports;
        for link in &self.links {
            for (at, end) in link.ends.iter().enumerate() {
                let Some(port) = &end.port else { continue };
                let own = End { node: end.node, port: port.clone() };
                let leaves = at == 0;
                if leaves || link.both_ways {
                    self.take(outputs, "output", own.clone(), link.line)?;
                }
                if !leaves || link.both_ways {
                    self.take(inputs, "input", own, link.line)?;
                }
            }
        }
        let mut channels = Vec::new();
        for link in &self.links {
            let mut ends = Vec::new();
            for (at, end) in link.ends.iter().enumerate() {
                let (out, into) = (at == 0 || link.both_ways, at == 1 || link.both_ways);
                let port = end.port.clone();
                let node = end.node;
                let port = port.unwrap_or_else(|| free(outputs, inputs, node, out, into));
                ends.push(End { node, port });
            }
            let [from, to] = <[End; 2]>::try_from(ends).expect("a link has two ends");
            let [there, back] = link.delays;
            channels.push(Channel { from: from.clone(), to: to.clone(), delay: there });
            if link.both_ways {
                channels.push(Channel { from: to, to: from, delay: back });
            }
        }
        Ok(channels)
    }

    fn take(
        &self,
        ports: &mut Ports,
        way: &'static str,
        end: End,
        line: Option<usize>,
    ) -> Result<(), DescriptionError> {
        let (node, port) = (self.shown(end.node), end.port.clone());
        match ports.lines.insert(end, line) {
            None => Ok(()),
            Some(before) => {
                let fault = Fault::PortTwice { way, port, node, line: before };
                Err(DescriptionError { line, fault: Box::new(fault) })
            }
        }
    }

    /// A node as the user calls it.
    pub(super) fn shown(&self, node: usize) -> String {
        self.nodes.all[node].clone()
    }
}

fn check_port(port: &str) -> Result<(), Fault> {
    names::check_identifier(port).map_err(Fault::Port)?;
    let mut terminals = ["inject", "eject"].into_iter().filter_map(|p| port.strip_prefix(p));
    match terminals.any(|rest| rest.bytes().all(|b| b.is_ascii_digit())) {
        true => Err(Fault::TerminalPort(port.to_owned())),
        false => Ok(()),
    }
}

/// The next port `p0`, `p1`, ... of a node that no channel uses.
fn free(outputs: &mut Ports, inputs: &mut Ports, node: usize, out: bool, into: bool) -> String {
    // Ports of links and of channels one way are counted apart: a channel takes no input's name.
    let from = match (out, into) {
        (true, true) => {
            let of = |ports: &Ports| ports.next.get(&node).copied().unwrap_or(0);
            of(outputs).max(of(inputs))
        }
        (true, false) => outputs.next.get(&node).copied().unwrap_or(0),
        _ => inputs.next.get(&node).copied().unwrap_or(0),
    };
    let is_free = |number: &usize| {
        let end = End { node, port: format!("p{number}") };
        let leaves = out && outputs.lines.contains_key(&end);
        let arrives = into && inputs.lines.contains_key(&end);
        !leaves && !arrives
    };
    let number = (from..).find(is_free).expect("numbers do not end");
    let end = End { node, port: format!("p{number}") };
    let port = end.port.clone();
    if out {
        outputs.lines.insert(end.clone(), None);
        outputs.next.insert(node, number + 1);
    }
    if into {
        inputs.lines.insert(end, None);
        inputs.next.insert(node, number + 1);
    }
    port
}

/// A name for modules out of a file's.
fn default_name_of(text: &str) -> String {
    let identifier = identifier(text);
    match names::check_identifier(&identifier) {
        Ok(()) => identifier,
        Err(_) => format!("net_{identifier}"),
    }
}

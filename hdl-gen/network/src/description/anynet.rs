//! BookSim's `anynet` files: a line per router, with the nodes and routers that it is linked
//! with. A node there is a terminal here, and a router a node. Links go both ways.
//!
//! A number behind a connection is its latency in cycles: of a channel to a router one way, of that
//! to a node both ways; 1 where there is none. What a router's lines say last of a channel counts, as
//! in BookSim. Of a channel each cycle beyond the first is a register on it. Of a terminal it is not kept, which a remark says where it is not 1.

use super::build::{Builder, LooseEnd, Words};
use super::{Description, DescriptionError, Fault, MOST_DELAY, Reading, Remark};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write;

/// End of a connection.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Thing {
    Router(u32),
    Node(u32),
}

const WORDS: Words = Words { node: "router 0", terminal: "router 0 node 0" };

pub(super) fn read(text: &str, default_name: &str) -> Result<Reading, DescriptionError> {
    let mut routers: BTreeMap<u32, usize> = BTreeMap::new();
    // By number: terminals, with their router and line.
    let mut nodes: BTreeMap<u32, (u32, usize)> = BTreeMap::new();
    let mut links: Vec<(u32, u32, usize)> = Vec::new();
    let mut known = HashSet::new();
    // Registers from one router to another, as said last.
    let mut delays_of: HashMap<(u32, u32), u32> = HashMap::new();
    let mut latencies = Latencies::default();
    for (number, line) in (1..).zip(text.lines()) {
        let at = |fault| DescriptionError::at(number, fault);
        let things = things(line).map_err(at)?;
        let Some((&(head, _), rest)) = things.split_first() else { continue };
        if let Thing::Router(router) = head {
            routers.entry(router).or_insert(number);
        }
        for &(thing, cycles) in rest {
            let (router, node) = match (head, thing) {
                (Thing::Router(a), Thing::Router(b)) => {
                    if a == b {
                        return Err(at(Fault::Loop(format!("router {a}"))));
                    }
                    routers.entry(b).or_insert(number);
                    delays_of.insert((a, b), delay_of(cycles.unwrap_or(1)).map_err(at)?);
                    if known.insert((a.min(b), a.max(b))) {
                        links.push((a.min(b), a.max(b), number));
                    }
                    continue;
                }
                (Thing::Router(router), Thing::Node(node))
                | (Thing::Node(node), Thing::Router(router)) => (router, node),
                (Thing::Node(_), Thing::Node(_)) => {
                    let text = "a node is linked with a router, not with a node".to_owned();
                    return Err(at(Fault::Syntax(text)));
                }
            };
            latencies.add(number, cycles.unwrap_or(1));
            routers.entry(router).or_insert(number);
            let (before, line) = *nodes.entry(node).or_insert((router, number));
            if before != router {
                let text = format!(
                    "node {node} is at router {before} already, by line {line}; a node has one \
                     router"
                );
                return Err(at(Fault::Syntax(text)));
            }
        }
    }
    if routers.is_empty() {
        return Err(Fault::Empty("a line looks like 'router 0 node 0 router 1'").into());
    }
    let mut builder = Builder::of(WORDS, false);
    let mut places = BTreeMap::new();
    for (router, line) in routers {
        let at = |fault| DescriptionError::at(line, fault);
        places.insert(router, builder.node(&router.to_string()).map_err(at)?);
    }
    for (node, (router, line)) in nodes {
        let place = Some(places[&router]);
        let at = |fault| DescriptionError::at(line, fault);
        builder.terminal(&format!("t{node}"), place, place).map_err(at)?;
    }
    for (a, b, line) in links {
        let delays = [(a, b), (b, a)].map(|way| delays_of.get(&way).copied().unwrap_or(0));
        let [a, b] = [a, b].map(|router| LooseEnd { node: places[&router], port: None });
        let linked = builder.link(a, b, true, delays, Some(line));
        linked.map_err(|fault| DescriptionError::at(line, fault))?;
    }
    let remarks = latencies.remark().into_iter().collect();
    Ok(Reading { description: builder.finish(default_name)?, remarks })
}

/// Registers on a channel of so many cycles; one that takes none is none.
fn delay_of(cycles: u32) -> Result<u32, Fault> {
    match cycles.checked_sub(1).filter(|&delay| delay <= MOST_DELAY) {
        Some(delay) => Ok(delay),
        None => Err(Fault::Syntax(format!(
            "a channel of {cycles} cycles: it takes 1 to {}",
            MOST_DELAY + 1
        ))),
    }
}

/// Latencies of terminals other than one cycle.
#[derive(Default)]
struct Latencies {
    connections: usize,
    /// Line and cycles of the first such latency.
    first: Option<(usize, u32)>,
}

impl Latencies {
    fn add(&mut self, line: usize, cycles: u32) {
        if cycles != 1 {
            self.connections += 1;
            self.first.get_or_insert((line, cycles));
        }
    }

    fn remark(self) -> Option<Remark> {
        let connections = self.connections;
        self.first.map(|(line, cycles)| Remark::Latencies { connections, line, cycles })
    }
}

/// The routers and nodes of a line, each with the latency of its connection, where that is said.
fn things(line: &str) -> Result<Vec<(Thing, Option<u32>)>, Fault> {
    let mut words = line.split_ascii_whitespace().peekable();
    let mut things = Vec::new();
    while let Some(word) = words.next() {
        let make = match word.to_ascii_lowercase().as_str() {
            "router" => Thing::Router,
            "node" => Thing::Node,
            _ => {
                let text = format!("'{word}' stands where 'router' or 'node' is expected");
                return Err(Fault::Syntax(text));
            }
        };
        let number = |text: &str| text.parse::<u32>().ok();
        let Some(number_of) = words.next().and_then(number) else {
            return Err(Fault::Syntax(format!("'{word}' is followed by its number")));
        };
        // Not after the first, which is no connection.
        let cycles = words.peek().copied().and_then(number).filter(|_| !things.is_empty());
        if cycles.is_some() {
            words.next();
        }
        things.push((make(number_of), cycles));
    }
    Ok(things)
}

/// The file that says it: routers and nodes by number.
///
/// # Errors
/// [`Fault::Syntax`] for what the format cannot say: channels one way, terminals that only send
/// or only receive.
pub(super) fn write(description: &Description) -> Result<String, Fault> {
    let cannot = |what: &str| Fault::Syntax(format!("anynet cannot say {what}"));
    let mut ends: BTreeMap<(usize, usize), i64> = BTreeMap::new();
    for channel in &description.channels {
        let (from, to) = (channel.from.node, channel.to.node);
        *ends.entry((from.min(to), from.max(to))).or_default() += if from < to { 1 } else { -1 };
    }
    if ends.values().any(|&balance| balance != 0) {
        return Err(cannot("channels that lead one way alone"));
    }
    if description.channels.len() != 2 * ends.len() {
        return Err(cannot("two links between the same routers"));
    }
    let mut lines = vec![String::new(); description.nodes.len()];
    for (number, terminal) in description.terminals.iter().enumerate() {
        match (terminal.source, terminal.sink) {
            (Some(source), Some(sink)) if source == sink => {
                let _ = write!(lines[source], " node {number}");
            }
            _ => return Err(cannot("terminals that do not send and receive at one router")),
        }
    }
    let delays: HashMap<(usize, usize), u32> =
        description.channels.iter().map(|c| ((c.from.node, c.to.node), c.delay)).collect();
    for (a, b) in ends.into_keys() {
        let _ = write!(lines[a], " router {b}");
        // A latency counts one way: the way back is said by the other router.
        for (from, to) in [(a, b), (b, a)] {
            let delay = delays.get(&(from, to)).copied().filter(|&delay| delay > 0);
            let Some(delay) = delay else { continue };
            if from == b {
                let _ = write!(lines[from], " router {to}");
            }
            let _ = write!(lines[from], " {}", delay + 1);
        }
    }
    let lines = lines.into_iter().enumerate();
    Ok(lines.map(|(router, rest)| format!("router {router}{rest}\n")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_go_both_ways_and_are_said_once() {
        let text = "router 0 node 0 node 1 router 1 15\n\nRouter 1 node 2 router 0 3\nrouter 7 \
                    router 1\nnode 3 router 7\n";
        let Reading { description: net, remarks } = read(text, "any").unwrap();
        assert_eq!(remarks, []);
        // 15 cycles from router 0 to router 1, 3 back, and one each way from there to router 7.
        let delays: Vec<u32> = net.channels.iter().map(|channel| channel.delay).collect();
        assert_eq!(delays, [14, 2, 0, 0]);
        assert_eq!((net.nodes.len(), net.terminals.len(), net.channels.len()), (3, 4, 4));
        let at: Vec<_> = net.terminals.iter().map(|t| t.source).collect();
        assert_eq!(at, [Some(0), Some(0), Some(1), Some(2)]);
        assert_eq!((&*net.name, &*net.nodes[2].identifier), ("any", "7"));
        let written = write(&net).unwrap();
        let again = read(&written, "any").unwrap().description;
        assert_eq!((again.channels, write(&net).unwrap()), (net.channels, written));
    }

    /// BookSim's own example, and a latency at a node; one cycle is what a channel takes.
    #[test]
    fn latencies_are_remarked() {
        let remarks = |text: &str| read(text, "any").unwrap().remarks;
        let text = "node 0 router 0\nnode 1 router 1\nrouter 0 router 1 15 router 2\n";
        let net = read(text, "any").unwrap();
        let delays: Vec<u32> = net.description.channels.iter().map(|c| c.delay).collect();
        assert_eq!((net.remarks, delays), (Vec::new(), vec![14, 0, 0, 0]));
        // Named again from the same router, a channel is as that says; from the other one it stays.
        let again = |line: &str| -> Vec<u32> {
            let net = read(&format!("{text}{line}\n"), "any").unwrap().description;
            net.channels.iter().take(2).map(|channel| channel.delay).collect()
        };
        assert_eq!(again("router 0 router 1 3"), [2, 0]);
        assert_eq!(again("router 0 router 1"), [0, 0]);
        assert_eq!(again("router 1 router 0"), [14, 0]);
        let text = "router 0 node 0 1 node 1 5 router 1 1\nrouter 1 router 0 2\n";
        assert_eq!(remarks(text), [Remark::Latencies { connections: 1, line: 1, cycles: 5 }]);
        assert_eq!(
            remarks(text)[0].to_string(),
            "1 connection of a terminal with a latency (the first in line 1, of 5 cycles): these are \
             not used, a terminal is at its switch"
        );
        assert_eq!(remarks("router 0 node 0 1 node 1 router 1 1\n"), []);
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, message) in [
            (
                "router 0 node 0\nnode 0 router 1",
                "line 2: node 0 is at router 0 already, by line 1",
            ),
            ("node 0 node 1", "line 1: a node is linked with a router, not with a node"),
            ("router x", "line 1: 'router' is followed by its number"),
            ("switch 1", "line 1: 'switch' stands where 'router' or 'node' is expected"),
            ("router 1 router 1", "line 1: router 1 is linked with itself"),
            ("router 0 router 1 66", "line 1: a channel of 66 cycles: it takes 1 to 65"),
            ("router 0 router 1 0", "line 1: a channel of 0 cycles: it takes 1 to 65"),
            ("\n\n", "the file is empty"),
            ("router 0 router 1", "no terminal sends; give one, such as 'router 0 node 0'"),
        ] {
            let error = read(text, "any").unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}

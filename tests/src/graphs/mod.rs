//! Graphs as other programs read them from files, and whether a network is the same.

pub mod graphviz;
pub mod networkx;

use std::collections::{BTreeMap, HashMap};
use turnpike_network::description::Description;

/// A graph as another program has it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Graph {
    pub nodes: Vec<GraphNode>,
    pub edges: Vec<GraphEdge>,
    /// Whether edges go one way.
    pub directed: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GraphNode {
    /// Name of the node.
    pub name: String,
    /// Value of the attribute `terminals`; empty where it has none.
    pub terminals: String,
    /// Value of the attribute `role`; empty where it has none.
    pub role: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GraphEdge {
    /// The names of its nodes: where it leaves, where it arrives.
    pub ends: [String; 2],
    /// The ports there; `None` where they are not said.
    pub ports: [Option<String>; 2],
}

/// Difference between a network and a graph; `None` where there is none: its nodes, how many
/// terminals of which role each of them has, how many edges there are from each node to each, and
/// the ports that are said.
pub fn difference(network: &Description, graph: &Graph) -> Option<String> {
    let name = |node: usize| {
        let name = &network.nodes[node];
        name.original.as_ref().unwrap_or(&name.identifier).as_str()
    };
    let mut own: BTreeMap<&str, [u32; 3]> =
        (0..network.nodes.len()).map(|node| (name(node), [0; 3])).collect();
    for terminal in &network.terminals {
        let (role, node) = match (terminal.source, terminal.sink) {
            (Some(node), Some(_)) => (0, node),
            (Some(node), None) => (1, node),
            (None, node) => (2, node?),
        };
        own.get_mut(name(node))?[role] += 1;
    }
    let mut others = BTreeMap::new();
    for node in &graph.nodes {
        let count = if node.terminals.is_empty() { Ok(1) } else { node.terminals.parse() };
        let role = ["terminal", "source", "sink"].into_iter().position(|role| role == node.role);
        let (Ok(count), Some(role)) = (count, role.or(node.role.is_empty().then_some(0))) else {
            return Some(format!("{node:?} has no such terminals"));
        };
        let mut counts = [0; 3];
        counts[role] = count;
        if others.insert(node.name.as_str(), counts).is_some() {
            return Some(format!("{node:?} stands twice"));
        }
    }
    if own != others {
        return Some(format!("nodes with terminals {own:?}, not {others:?}"));
    }
    let mut channels: BTreeMap<[&str; 2], usize> = BTreeMap::new();
    // By node and port: where a channel leads that leaves there.
    let mut leaving = HashMap::new();
    for channel in &network.channels {
        let ends = [name(channel.from.node), name(channel.to.node)];
        *channels.entry(ends).or_default() += 1;
        leaving.insert((ends[0], channel.from.port.as_str()), (ends[1], channel.to.port.as_str()));
    }
    let arriving: HashMap<_, _> = leaving.iter().map(|(from, to)| (*to, *from)).collect();
    let mut edges: BTreeMap<[&str; 2], usize> = BTreeMap::new();
    for GraphEdge { ends: [tail, head], ports: [out, into] } in &graph.edges {
        let mut ways = vec![(tail.as_str(), out, head.as_str(), into)];
        if !graph.directed {
            ways.push((head, into, tail, out));
        }
        for (tail, out, head, into) in ways {
            *edges.entry([tail, head]).or_default() += 1;
            let leads = |port: &String| leaving.get(&(tail, port.as_str())).copied();
            let comes = |port: &String| arriving.get(&(head, port.as_str())).copied();
            let is_right = match (out, into) {
                (Some(out), Some(into)) => leads(out) == Some((head, into.as_str())),
                (Some(out), None) => leads(out).is_some_and(|to| to.0 == head),
                (None, Some(into)) => comes(into).is_some_and(|from| from.0 == tail),
                (None, None) => true,
            };
            if !is_right {
                return Some(format!("no channel from {tail} {out:?} to {head} {into:?}"));
            }
        }
    }
    (channels != edges).then(|| format!("channels {channels:?}, not {edges:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnpike_network::description::read;

    #[test]
    fn each_difference_is_found() {
        let text = "digraph { a [terminals=2]; b [role=sink]; a:x -> b:y; a -> b; b -> a }";
        let network = read("x.dot", text.as_bytes()).unwrap();
        let node = |name: &str, terminals: &str, role: &str| GraphNode {
            name: name.into(),
            terminals: terminals.into(),
            role: role.into(),
        };
        let edge = |tail: &str, out: Option<&str>, head: &str, into: Option<&str>| GraphEdge {
            ends: [tail.into(), head.into()],
            ports: [out.map(Into::into), into.map(Into::into)],
        };
        let graph = Graph {
            nodes: vec![node("a", "2", ""), node("b", "", "sink")],
            edges: vec![
                edge("a", Some("x"), "b", Some("y")),
                edge("a", None, "b", None),
                edge("b", None, "a", None),
            ],
            directed: true,
        };
        assert_eq!(difference(&network, &graph), None);
        let changes: [fn(&mut Graph); 10] = [
            |graph| graph.nodes[0].terminals = "1".into(),
            |graph| graph.nodes[0].terminals = "one".into(),
            |graph| graph.nodes[1].role.clear(),
            |graph| graph.nodes[1].name = "c".into(),
            |graph| drop(graph.nodes.pop()),
            |graph| drop(graph.edges.pop()),
            |graph| graph.edges.push(graph.edges[1].clone()),
            |graph| graph.edges[0].ports[1] = Some("z".into()),
            |graph| graph.edges[2].ports[0] = Some("x".into()),
            |graph| graph.directed = false,
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let mut other = graph.clone();
            change(&mut other);
            assert!(difference(&network, &other).is_some(), "change {number}");
        }
    }
}

//! DOT, the language of Graphviz (graphviz.org/doc/info/lang.html). The parsers that there are
//! for Rust are under the GPL, or say nothing of the line that is wrong.
//!
//! `a -- b` is a link, `a -> b` a channel. A port stands behind a colon (`a:east`) or in
//! `tailport` and `headport`. A node's `terminals` says how many terminals it has, 1 where it does
//! not say; `role` as in GraphML. Other attributes are how it is drawn, and are not kept.

mod lex;

use super::build::{Builder, LooseEnd};
use super::graphml::{Role, roles};
use super::{Description, DescriptionError, Fault};
use lex::{Token, Word, tokens};
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;

/// Deepest nesting of subgraphs.
const DEEPEST: usize = 64;
/// What may stand behind a colon and is no port: the side of a node at which an edge is drawn.
const COMPASS: [&str; 10] = ["n", "ne", "e", "se", "s", "sw", "w", "nw", "c", "_"];

/// Attributes: the last value of each.
type Attributes = BTreeMap<String, (String, usize)>;

pub(super) fn read(text: &str, default_name: &str) -> Result<Description, DescriptionError> {
    let tokens = tokens(text)?;
    let last_line = tokens.last().map_or(1, |token| token.line);
    let mut parser = Parser {
        tokens: tokens.into_iter().peekable(),
        last_line,
        builder: Builder::default(),
        nodes: Vec::new(),
        directed: false,
        strict: false,
        edges: HashSet::new(),
    };
    parser.graph()?;
    let Parser { mut builder, nodes, .. } = parser;
    for (number, (name, attributes)) in nodes.iter().enumerate() {
        let value = |key: &str| attributes.get(key).map(|(value, _)| value.as_str());
        let line = attributes.values().map(|(_, line)| *line).max();
        let at = |fault| DescriptionError { line, fault: Box::new(fault) };
        let role = Role::read(value("terminals"), value("role")).map_err(at)?;
        role.add(&mut builder, name, number).map_err(at)?;
    }
    builder.finish(default_name)
}

struct Parser {
    tokens: std::iter::Peekable<std::vec::IntoIter<Token>>,
    last_line: usize,
    builder: Builder,
    /// By number: names and attributes.
    nodes: Vec<(String, Attributes)>,
    directed: bool,
    /// An edge that is there already is not another.
    strict: bool,
    edges: HashSet<(usize, usize)>,
}

/// The end of an edge statement: a node with its port, or the nodes of a subgraph.
struct Place {
    nodes: Vec<usize>,
    port: Option<String>,
}

/// Defaults of a scope.
#[derive(Clone, Default)]
struct Defaults {
    node: Attributes,
    edge: Attributes,
}

impl Parser {
    fn line(&mut self) -> usize {
        self.tokens.peek().map_or(self.last_line, |token| token.line)
    }

    fn wrong(&mut self, expected: &str) -> DescriptionError {
        let found = self.tokens.peek().map_or("the end".to_owned(), |t| t.word.shown());
        let text = format!("{found} stands where {expected} is expected");
        DescriptionError::at(self.line(), Fault::Syntax(text))
    }

    /// Takes a mark, if it is next.
    fn mark(&mut self, mark: char) -> bool {
        self.tokens.next_if(|token| token.word == Word::Mark(mark)).is_some()
    }

    /// Takes a keyword, if it is next.
    fn keyword(&mut self, keyword: &str) -> bool {
        let is = |token: &Token| match &token.word {
            Word::Id { text, bare: true } => text.eq_ignore_ascii_case(keyword),
            _ => false,
        };
        self.tokens.next_if(is).is_some()
    }

    /// Takes a name, if one is next.
    fn id(&mut self) -> Option<String> {
        let token = self.tokens.next_if(|token| matches!(token.word, Word::Id { .. }))?;
        match token.word {
            Word::Id { text, .. } => Some(text),
            _ => None,
        }
    }

    fn graph(&mut self) -> Result<(), DescriptionError> {
        if self.tokens.peek().is_none() {
            return Err(Fault::Empty("a DOT file begins with 'graph {' or 'digraph {'").into());
        }
        self.strict = self.keyword("strict");
        self.directed = match (self.keyword("graph"), self.keyword("digraph")) {
            (true, _) => false,
            (_, true) => true,
            _ => return Err(self.wrong("'graph' or 'digraph'")),
        };
        let _name = self.id();
        if !self.mark('{') {
            return Err(self.wrong("'{'"));
        }
        self.statements(&mut Defaults::default(), 0, &mut Vec::new())?;
        match self.tokens.peek() {
            None => Ok(()),
            Some(_) => Err(self.wrong("the end of the file: one graph to a file")),
        }
    }

    /// Up to and with the closing brace. Adds the nodes that it names to `members`.
    fn statements(
        &mut self,
        defaults: &mut Defaults,
        depth: usize,
        members: &mut Vec<usize>,
    ) -> Result<(), DescriptionError> {
        while !self.mark('}') {
            if self.tokens.peek().is_none() {
                return Err(self.wrong("'}'"));
            }
            self.statement(defaults, depth, members)?;
            while self.mark(';') || self.mark(',') {}
        }
        Ok(())
    }

    fn statement(
        &mut self,
        defaults: &mut Defaults,
        depth: usize,
        members: &mut Vec<usize>,
    ) -> Result<(), DescriptionError> {
        for key in ["graph", "node", "edge"] {
            if self.keyword(key) {
                let attributes = self.attributes()?;
                match key {
                    "node" => defaults.node.extend(attributes),
                    "edge" => defaults.edge.extend(attributes),
                    _ => {}
                }
                return Ok(());
            }
        }
        let line = self.line();
        let mut places = vec![self.place(defaults, depth)?];
        if self.mark('=') {
            // An attribute of the graph, which named no node.
            self.forget(&places[0]);
            return self.id().map(drop).ok_or_else(|| self.wrong("a value"));
        }
        while let Some(token) = self.tokens.next_if(|t| matches!(t.word, Word::Edge { .. })) {
            if token.word != (Word::Edge { directed: self.directed }) {
                let (is, not) = if self.directed { ("->", "--") } else { ("--", "->") };
                let text = format!("'{not}' stands in a graph whose edges are '{is}'");
                return Err(DescriptionError::at(token.line, Fault::Syntax(text)));
            }
            places.push(self.place(defaults, depth)?);
        }
        let attributes = self.attributes()?;
        if let [Place { nodes, .. }] = &places[..] {
            for &node in nodes {
                self.nodes[node].1.extend(attributes.clone());
            }
        }
        let edge: Attributes = defaults.edge.clone().into_iter().chain(attributes).collect();
        for pair in places.windows(2) {
            self.edges(&pair[0], &pair[1], &edge, line)?;
        }
        members.extend(places.into_iter().flat_map(|place| place.nodes));
        Ok(())
    }

    /// Takes back a node that was none.
    fn forget(&mut self, place: &Place) {
        if let [node] = place.nodes[..]
            && node + 1 == self.nodes.len()
        {
            self.builder.forget_last_node();
            self.nodes.pop();
        }
    }

    fn place(&mut self, defaults: &Defaults, depth: usize) -> Result<Place, DescriptionError> {
        let line = self.line();
        let is_subgraph = self.keyword("subgraph");
        if is_subgraph {
            let _name = self.id();
        }
        if self.mark('{') {
            if depth == DEEPEST {
                let text = format!("subgraphs are nested more than {DEEPEST} deep");
                return Err(DescriptionError::at(line, Fault::Syntax(text)));
            }
            let mut nodes = Vec::new();
            self.statements(&mut defaults.clone(), depth + 1, &mut nodes)?;
            let mut known = HashSet::new();
            nodes.retain(|&node| known.insert(node));
            return Ok(Place { nodes, port: None });
        }
        if is_subgraph {
            return Err(self.wrong("'{'"));
        }
        let Some(name) = self.id() else { return Err(self.wrong("a node or an edge")) };
        let at = |fault| DescriptionError::at(line, fault);
        let node = self.builder.node_or_new(&name).map_err(at)?;
        if node == self.nodes.len() {
            let line = |(key, (value, _)): (&String, &(String, usize))| {
                (key.clone(), (value.clone(), line))
            };
            self.nodes.push((name, defaults.node.iter().map(line).collect()));
        }
        let mut port = None;
        while self.mark(':') {
            let Some(text) = self.id() else { return Err(self.wrong("a port")) };
            if port.is_none() && !COMPASS.contains(&text.as_str()) {
                port = Some(text);
            }
        }
        Ok(Place { nodes: vec![node], port })
    }

    fn attributes(&mut self) -> Result<Attributes, DescriptionError> {
        let mut attributes = Attributes::new();
        while self.mark('[') {
            while !self.mark(']') {
                let line = self.line();
                let Some(key) = self.id() else { return Err(self.wrong("an attribute")) };
                let value = match self.mark('=') {
                    true => self.id().ok_or_else(|| self.wrong("a value"))?,
                    false => "true".to_owned(),
                };
                attributes.insert(key, (value, line));
                while self.mark(';') || self.mark(',') {}
            }
        }
        Ok(attributes)
    }

    /// The edges from each node of a place to each of the next.
    fn edges(
        &mut self,
        from: &Place,
        to: &Place,
        attributes: &Attributes,
        line: usize,
    ) -> Result<(), DescriptionError> {
        let port = |place: &Place, key: &str| {
            let named = attributes.get(key).map(|(value, _)| value.clone());
            let named = named.filter(|port| !COMPASS.contains(&port.as_str()));
            place.port.clone().or(named)
        };
        let (out, into) = (port(from, "tailport"), port(to, "headport"));
        for &a in &from.nodes {
            for &b in &to.nodes {
                let pair = if self.directed { (a, b) } else { (a.min(b), a.max(b)) };
                if !self.edges.insert(pair) && self.strict {
                    continue;
                }
                let [a, b] = [(a, &out), (b, &into)]
                    .map(|(node, port)| LooseEnd { node, port: port.clone() });
                let linked = self.builder.link(a, b, !self.directed, Some(line));
                linked.map_err(|fault| DescriptionError::at(line, fault))?;
            }
        }
        Ok(())
    }
}

/// The file that says it.
///
/// # Errors
/// As of GraphML.
pub(super) fn write(description: &Description) -> Result<String, Fault> {
    let roles = roles(description, "DOT")?;
    let mut text = format!("digraph {} {{\n", description.name);
    for (node, role) in description.nodes.iter().zip(roles) {
        let Role { role, count } = role;
        let _ = write!(text, "  \"{}\" [terminals={count}", node.identifier);
        if role != "terminal" {
            let _ = write!(text, ", role={role}");
        }
        text.push_str("];\n");
    }
    for channel in &description.channels {
        let end = |end: &super::End| {
            format!("\"{}\":\"{}\"", description.nodes[end.node].identifier, end.port)
        };
        let _ = writeln!(text, "  {} -> {};", end(&channel.from), end(&channel.to));
    }
    text.push_str("}\n");
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(net: &Description) -> Vec<(usize, usize)> {
        net.channels.iter().map(|channel| (channel.from.node, channel.to.node)).collect()
    }

    #[test]
    fn a_graph_becomes_a_network() {
        let text = "graph g { rankdir=LR; node [shape=box terminals=0]; hub;\n\
                    node [terminals=2]; a; b\n  hub -- { a b:x } [color=red]; a:n -- b }";
        let net = read(text, "g").unwrap();
        assert_eq!((net.nodes.len(), net.terminals.len()), (3, 4));
        assert_eq!(ends(&net), [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]);
        let text = "strict digraph { a -> b -> c -> a; a -> b; a:east -> c [headport=west] }";
        let net = read(text, "g").unwrap();
        assert_eq!(ends(&net), [(0, 1), (0, 2), (1, 2), (2, 0)]);
        assert_eq!((&*net.channels[1].from.port, &*net.channels[1].to.port), ("east", "west"));
        let again = read(&write(&net).unwrap(), "g").unwrap();
        assert_eq!(again, net);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (text, message) in [
            ("graph {\n a -> b }", "line 2: '->' stands in a graph whose edges are '--'"),
            ("graph {\n a -- a }", "line 2: a is linked with itself"),
            ("graph { a -- }", "line 1: '}' stands where a node or an edge is expected"),
            ("graph { a -- b", "line 1: the end stands where '}' is expected"),
            ("tree {}", "line 1: 'tree' stands where 'graph' or 'digraph' is expected"),
            ("graph { a [terminals=x]; a -- b }", "line 1: terminals 'x' is no number"),
            ("graph {} graph {}", "line 1: 'graph' stands where the end of the file"),
            ("digraph { a:x -> b\n a:x -> c }", "line 2: output port 'x' of a is in use already"),
            ("", "the file is empty"),
        ] {
            let error = read(text, "g").unwrap_err().to_string();
            assert!(error.starts_with(message), "{text}: {error}");
        }
        let deep = format!("graph {{ {} a {} }}", "{".repeat(5000), "}".repeat(5000));
        assert!(read(&deep, "g").unwrap_err().to_string().contains("nested"));
    }
}

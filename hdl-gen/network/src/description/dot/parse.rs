//! The statements of a DOT file.

use super::attributes::{ADDRESS, Attributes, KEY, OF_EDGES, OF_NODES, PORTS, known};
use super::edges::{Edges, Place, Said, Wrong};
use super::lex::{IdKind, Token, Word};
use super::scope::{Group, Scopes};
use crate::description::build::Builder;
use crate::description::{DescriptionError, Fault};

/// Deepest nesting of subgraphs.
const DEEPEST: usize = 64;
const KEYWORDS: [&str; 6] = ["strict", "graph", "digraph", "subgraph", "node", "edge"];

/// Whether a name is a keyword, and no name unless it stands in quotes.
pub(super) fn is_keyword(name: &str) -> bool {
    KEYWORDS.iter().any(|keyword| name.eq_ignore_ascii_case(keyword))
}

/// Contents of a file.
pub(super) struct Graph {
    /// The nodes, in a builder.
    pub builder: Builder,
    /// By node: its name and its attributes.
    pub nodes: Vec<(String, Attributes)>,
    pub edges: Edges,
    /// The graph's `ports`, with their line.
    pub ports: Option<(String, usize)>,
}

/// Reads a file.
///
/// # Errors
/// What is no DOT, with its line; what no network has.
pub(super) fn parse(tokens: Vec<Token>, builder: Builder) -> Result<Graph, DescriptionError> {
    let last_line = tokens.last().map_or(1, |token| token.line);
    let mut parser = Parser {
        tokens: tokens.into_iter().peekable(),
        last_line,
        scopes: Scopes::new(),
        graph: Graph { builder, nodes: Vec::new(), edges: Edges::default(), ports: None },
    };
    parser.graph()?;
    Ok(parser.graph)
}

struct Parser {
    tokens: std::iter::Peekable<std::vec::IntoIter<Token>>,
    last_line: usize,
    scopes: Scopes,
    graph: Graph,
}

/// Operand of an edge: what it leaves, or leads to.
enum Operand {
    /// Nodes of a list, with their ports.
    List(Vec<Place>),
    /// The nodes of a subgraph.
    Group(Group),
}

impl Parser {
    fn line(&mut self) -> usize {
        self.tokens.peek().map_or(self.last_line, |token| token.line)
    }

    fn wrong(&mut self, expected: &str) -> DescriptionError {
        let (found, remedy) = match self.tokens.peek() {
            None => ("the end".to_owned(), String::new()),
            Some(Token { word, .. }) => match word {
                Word::Id { text, kind: IdKind::Bare } if is_keyword(text) => (
                    word.shown(),
                    format!("; it is a keyword: in quotes, \"{text}\", it is a name"),
                ),
                _ => (word.shown(), String::new()),
            },
        };
        let text = format!("{found} stands where {expected} is expected{remedy}");
        DescriptionError::at(self.line(), Fault::Syntax(text))
    }

    /// Takes a mark, if it is next.
    fn mark(&mut self, mark: char) -> bool {
        self.tokens.next_if(|token| token.word == Word::Mark(mark)).is_some()
    }

    fn is_mark(&mut self, mark: char) -> bool {
        self.tokens.peek().is_some_and(|token| token.word == Word::Mark(mark))
    }

    /// Takes a keyword, if it is next.
    fn keyword(&mut self, keyword: &str) -> bool {
        let is = |token: &Token| match &token.word {
            Word::Id { text, kind: IdKind::Bare } => text.eq_ignore_ascii_case(keyword),
            _ => false,
        };
        self.tokens.next_if(is).is_some()
    }

    /// Takes an id, if one is next.
    fn id(&mut self) -> Option<(String, IdKind)> {
        let is = |token: &Token| match &token.word {
            Word::Id { text, kind } => *kind != IdKind::Bare || !is_keyword(text),
            _ => false,
        };
        match self.tokens.next_if(is)?.word {
            Word::Id { text, kind } => Some((text, kind)),
            _ => None,
        }
    }

    /// Takes an id that names something of the network, or is a value that says something of it.
    fn name(&mut self, expected: &str) -> Result<String, DescriptionError> {
        let line = self.line();
        match self.id() {
            None => Err(self.wrong(expected)),
            Some((text, IdKind::Html)) => {
                let text = format!("{text} is HTML, where {expected} is expected; use quotes");
                Err(DescriptionError::at(line, Fault::Syntax(text)))
            }
            Some((text, _)) => Ok(text),
        }
    }

    fn graph(&mut self) -> Result<(), DescriptionError> {
        if self.tokens.peek().is_none() {
            return Err(Fault::Empty("a DOT file begins with 'graph {' or 'digraph {'").into());
        }
        self.graph.edges.strict = self.keyword("strict");
        self.graph.edges.directed = match (self.keyword("graph"), self.keyword("digraph")) {
            (true, _) => false,
            (_, true) => true,
            _ => return Err(self.wrong("'graph' or 'digraph'")),
        };
        let _name = self.id();
        if !self.mark('{') {
            return Err(self.wrong("'{'"));
        }
        self.statements()?;
        match self.tokens.peek() {
            None => Ok(()),
            Some(Token { line, word }) => {
                let text = format!("{} stands behind the graph; a file holds one", word.shown());
                Err(DescriptionError::at(*line, Fault::Syntax(text)))
            }
        }
    }

    /// Up to and with the closing brace.
    fn statements(&mut self) -> Result<(), DescriptionError> {
        while !self.mark('}') {
            if self.tokens.peek().is_none() {
                return Err(self.wrong("'}'"));
            }
            self.statement()?;
            self.mark(';');
        }
        Ok(())
    }

    fn statement(&mut self) -> Result<(), DescriptionError> {
        for key in ["graph", "node", "edge"] {
            if self.keyword(key) {
                if !self.is_mark('[') {
                    return Err(self.wrong("'['"));
                }
                let mut attributes = self.attributes()?;
                let scope = self.scopes.inner();
                match key {
                    "node" => {
                        if let Some((_, line)) = attributes.remove(ADDRESS) {
                            let text = "each node has an address of its own; say it at the node";
                            return Err(DescriptionError::at(line, Fault::Syntax(text.to_owned())));
                        }
                        scope.node.extend(attributes);
                    }
                    "edge" => {
                        // No edge is the same as all others.
                        attributes.remove(KEY);
                        scope.edge.extend(attributes);
                    }
                    _ => self.graph_attribute(attributes.remove(PORTS)),
                }
                return Ok(());
            }
        }
        let line = self.line();
        let Some(first) = self.operand(true)? else { return Ok(()) };
        let mut operands = vec![first];
        while let Some(token) = self.tokens.next_if(|t| matches!(t.word, Word::Edge { .. })) {
            if token.word != (Word::Edge { directed: self.graph.edges.directed }) {
                let directed = self.graph.edges.directed;
                let (is, not) = if directed { ("->", "--") } else { ("--", "->") };
                let text = format!("'{not}' stands in a graph whose edges are '{is}'");
                return Err(DescriptionError::at(token.line, Fault::Syntax(text)));
            }
            operands.extend(self.operand(false)?);
        }
        let attributes = self.attributes()?;
        match &operands[..] {
            [Operand::List(places)] => {
                for place in places {
                    self.graph.nodes[place.node].1.extend(attributes.clone());
                }
            }
            [Operand::Group(_)] => {
                if let Some((name, (_, line))) = attributes.iter().find(|(key, _)| is_of_nodes(key))
                {
                    let text = format!(
                        "'{name}' behind a subgraph is for none of its nodes in DOT; write node \
                         [{name}=...] in it, before them"
                    );
                    return Err(DescriptionError::at(*line, Fault::Syntax(text)));
                }
            }
            _ => {}
        }
        operands.windows(2).try_for_each(|pair| self.edges(&pair[0], &pair[1], &attributes, line))
    }

    fn graph_attribute(&mut self, ports: Option<(String, usize)>) {
        if self.scopes.depth() == 0 && ports.is_some() {
            self.graph.ports = ports;
        }
    }

    /// A subgraph, or nodes with commas between them. `None` for an attribute of the graph, which
    /// may stand where a statement begins.
    fn operand(&mut self, begins: bool) -> Result<Option<Operand>, DescriptionError> {
        if let Some(group) = self.subgraph()? {
            return Ok(Some(Operand::Group(group)));
        }
        let mut places = Vec::new();
        loop {
            let line = self.line();
            let begins = begins && places.is_empty();
            let Some((name, kind)) = self.id() else {
                let expected = if begins { "a statement" } else { "a node" };
                return Err(self.wrong(expected));
            };
            if begins && self.mark('=') {
                let value = self.value(&name)?;
                if let Some((PORTS, text)) = value {
                    self.graph_attribute(Some((text, line)));
                }
                return Ok(None);
            }
            if kind == IdKind::Html {
                let text = format!("{name} is HTML, and no name of a node; use quotes");
                return Err(DescriptionError::at(line, Fault::Syntax(text)));
            }
            places.push(self.node(name, line)?);
            if !self.mark(',') {
                return Ok(Some(Operand::List(places)));
            }
        }
    }

    fn subgraph(&mut self) -> Result<Option<Group>, DescriptionError> {
        let line = self.line();
        let is_subgraph = self.keyword("subgraph");
        let name = if is_subgraph { self.id().map(|(name, _)| name) } else { None };
        if !self.mark('{') {
            return if is_subgraph { Err(self.wrong("'{'")) } else { Ok(None) };
        }
        let at = |text: String| DescriptionError::at(line, Fault::Syntax(text));
        if self.scopes.depth() == DEEPEST {
            return Err(at(format!("subgraphs are nested more than {DEEPEST} deep")));
        }
        if !self.scopes.open(name) {
            return Err(at("there are too many subgraphs with names".to_owned()));
        }
        self.statements()?;
        Ok(Some(self.scopes.close()))
    }

    /// A node, and what stands behind its name.
    fn node(&mut self, name: String, line: usize) -> Result<Place, DescriptionError> {
        let nodes = &mut self.graph.nodes;
        let node = self.graph.builder.node_or_new(&name);
        let node = node.map_err(|fault| DescriptionError::at(line, fault))?;
        if node == nodes.len() {
            let default = |key| {
                let value = self.scopes.default(|scope| &scope.node, key)?;
                Some((key, (value, line)))
            };
            nodes.push((name, OF_NODES.into_iter().filter_map(default).collect()));
        }
        self.scopes.name_node(node);
        let mut port: Option<String> = None;
        for _ in 0..2 {
            if self.mark(':') {
                let text = self.name("a port")?;
                port = Some(port.map_or(text.clone(), |port| format!("{port}:{text}")));
            }
        }
        Ok(Place { node, port })
    }

    fn attributes(&mut self) -> Result<Attributes, DescriptionError> {
        let mut attributes = Attributes::new();
        while self.mark('[') {
            while !self.mark(']') {
                let line = self.line();
                let Some((key, _)) = self.id() else { return Err(self.wrong("an attribute")) };
                if !self.mark('=') {
                    return Err(self.wrong("'='"));
                }
                if let Some((key, value)) = self.value(&key)? {
                    attributes.insert(key, (value, line));
                }
                let _ = self.mark(';') || self.mark(',');
            }
        }
        Ok(attributes)
    }

    /// The value of an attribute; `None` for one that says nothing of a network.
    fn value(&mut self, key: &str) -> Result<Option<(&'static str, String)>, DescriptionError> {
        match known(key) {
            Some(key) => Ok(Some((key, self.name("a value")?))),
            None => match self.id() {
                Some(_) => Ok(None),
                None => Err(self.wrong("a value")),
            },
        }
    }

    /// The edges from each node of an operand to each of the next.
    fn edges(
        &mut self,
        from: &Operand,
        to: &Operand,
        own: &Attributes,
        line: usize,
    ) -> Result<(), DescriptionError> {
        let Self { scopes, graph: Graph { builder, edges, .. }, .. } = self;
        let at = |fault| DescriptionError::at(line, fault);
        let places = |operand: &Operand| match operand {
            Operand::List(places) => places.clone(),
            Operand::Group(group) => {
                let place = |&node| Place { node, port: None };
                scopes.nodes(group).iter().map(place).collect()
            }
        };
        let (from, to) = (places(from), places(to));
        let default = |key: &str| scopes.default(|scope| &scope.edge, key);
        let defaults = OF_EDGES.map(|key| (key, default(key)));
        let default = |key: &str| {
            defaults.iter().find(|(own, _)| *own == key).and_then(|(_, value)| value.clone())
        };
        let said = Said { own, default: &default, line };
        for a in &from {
            for b in &to {
                if a.node == b.node {
                    return Err(at(Fault::Loop(builder.shown(a.node))));
                }
                edges.add(a, b, &said).map_err(|wrong| {
                    at(match wrong {
                        Wrong::Ports(node) => Fault::Ports(builder.shown(node)),
                        Wrong::Beside => Fault::Syntax(format!(
                            "there is an edge between {} and {} already, and the graph is strict; \
                             leave 'key' out",
                            builder.shown(a.node),
                            builder.shown(b.node)
                        )),
                        Wrong::Many => Fault::Syntax("there are too many edges".to_owned()),
                    })
                })?;
            }
        }
        Ok(())
    }
}

/// Whether an attribute says something of a node.
fn is_of_nodes(attribute: &str) -> bool {
    OF_NODES.contains(&attribute) || attribute == ADDRESS
}

//! Subgraphs: their nodes, and the attributes that nodes and edges have there by default. One that
//! has a name can be opened again within the same graph, and is what it was.

use super::attributes::Attributes;
use std::collections::{HashMap, HashSet};

/// Most subgraphs with a name of their own.
const MOST_NAMED: usize = 1 << 16;

/// A subgraph.
#[derive(Default)]
pub(super) struct Subgraph {
    name: Option<String>,
    /// The nodes, by number, in the order in which they were named there.
    nodes: Vec<usize>,
    known: HashSet<usize>,
    /// Subgraphs with a name, while they are not open.
    within: HashMap<String, Subgraph>,
    /// Defaults of nodes.
    pub node: Attributes,
    /// Defaults of edges.
    pub edge: Attributes,
}

/// The graph, and the subgraphs in it that are open.
pub(super) struct Scopes {
    /// The graph first, the innermost last.
    open: Vec<Subgraph>,
    named: usize,
}

/// The nodes of a subgraph in a statement.
pub(super) enum Group {
    /// Nodes of a subgraph with a name, which the statement may open again.
    Named(String),
    /// Nodes of a subgraph without a name.
    Nameless(Vec<usize>),
}

impl Scopes {
    pub(super) fn new() -> Self {
        Self { open: vec![Subgraph::default()], named: 0 }
    }

    /// Number of subgraphs that are open.
    pub(super) fn depth(&self) -> usize {
        self.open.len() - 1
    }

    /// Opens a subgraph; `false` where there would be too many.
    pub(super) fn open(&mut self, name: Option<String>) -> bool {
        let before = name.as_ref().and_then(|name| self.inner().within.remove(name));
        self.named += usize::from(name.is_some() && before.is_none());
        self.open.push(before.unwrap_or_else(|| Subgraph { name, ..Subgraph::default() }));
        self.named <= MOST_NAMED
    }

    /// Closes the innermost one.
    pub(super) fn close(&mut self) -> Group {
        let closed = self.open.pop().expect("one is open");
        match closed.name.clone() {
            None => Group::Nameless(closed.nodes),
            Some(name) => {
                self.inner().within.insert(name.clone(), closed);
                Group::Named(name)
            }
        }
    }

    /// The nodes of a group that was closed within the innermost one.
    pub(super) fn nodes<'a>(&'a self, group: &'a Group) -> &'a [usize] {
        let named = |name: &String| self.open.last()?.within.get(name);
        match group {
            Group::Nameless(nodes) => nodes,
            Group::Named(name) => named(name).map_or(&[], |subgraph| &subgraph.nodes),
        }
    }

    pub(super) fn inner(&mut self) -> &mut Subgraph {
        self.open.last_mut().expect("the graph is open")
    }

    /// Notes that a node is named in the innermost one, and so is in all around it.
    pub(super) fn name_node(&mut self, node: usize) {
        // The graph itself has all.
        for subgraph in self.open[1..].iter_mut().rev() {
            if !subgraph.known.insert(node) {
                break;
            }
            subgraph.nodes.push(node);
        }
    }

    /// The default of an attribute, that of the innermost one which has any.
    pub(super) fn default(
        &self,
        of: impl Fn(&Subgraph) -> &Attributes,
        attribute: &str,
    ) -> Option<String> {
        let mut values = self.open.iter().rev().filter_map(|scope| of(scope).get(attribute));
        values.next().map(|(value, _)| value.clone())
    }
}

//! Edges, and which of them are one: an edge that has a `key` is the same wherever its nodes and its
//! key stand again, and in a strict graph there is one between two nodes.

use super::attributes::{Attributes, DELAY, HEAD_PORT, KEY, TAIL_PORT};
use crate::description::degrees::Degrees;
use std::collections::HashMap;

/// Most times that edges are named: a few statements may name millions again and again.
const MOST_NAMED: usize = 1 << 22;

/// An edge.
pub(super) struct Edge {
    /// Places at which the edge leaves and arrives.
    pub ends: [Place; 2],
    /// Registers on the edge, as they stand there.
    pub delay: Option<String>,
    /// The line that named it last.
    pub line: usize,
}

/// An end of an edge: a node, and the port that stands there, with the compass point behind it.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub node: usize,
    pub port: Option<String>,
}

/// Attributes that an edge statement gives each of its edges.
pub(super) struct Said<'a> {
    /// Attributes in brackets.
    pub own: &'a Attributes,
    /// By default.
    pub default: &'a dyn Fn(&str) -> Option<String>,
    pub line: usize,
}

/// Reason that an edge cannot be added.
pub(super) enum Wrong {
    /// More channels at a node than there may be.
    Ports(usize),
    /// An edge beside another, in a strict graph.
    Beside,
    /// More than [`MOST_NAMED`].
    Many,
}

/// All edges.
#[derive(Default)]
pub(super) struct Edges {
    pub all: Vec<Edge>,
    pub directed: bool,
    pub strict: bool,
    degrees: Degrees,
    /// By nodes and key; in a strict graph by nodes alone, too.
    known: HashMap<(usize, usize, Option<String>), usize>,
    named: usize,
}

impl Edges {
    /// An edge from one place to another, which may be there already.
    ///
    /// # Errors
    /// [`Wrong`].
    pub(super) fn add(&mut self, from: &Place, to: &Place, said: &Said<'_>) -> Result<(), Wrong> {
        self.named += 1;
        if self.named > MOST_NAMED {
            return Err(Wrong::Many);
        }
        let pair = match self.directed {
            true => (from.node, to.node),
            false => (from.node.min(to.node), from.node.max(to.node)),
        };
        let key = said.own.get(KEY).map(|(key, _)| key.clone());
        let id = (pair.0, pair.1, key);
        if let Some(&edge) = self.known.get(&id) {
            self.say(edge, from, to, said);
            return Ok(());
        }
        let alone = (pair.0, pair.1, None);
        if self.strict && self.known.contains_key(&alone) {
            return Err(Wrong::Beside);
        }
        self.degrees.add(from.node, to.node, !self.directed).map_err(Wrong::Ports)?;
        let edge = self.all.len();
        if self.strict {
            self.known.insert(alone, edge);
        }
        if id.2.is_some() {
            self.known.insert(id, edge);
        }
        let end =
            |place: &Place, attribute| Place { node: place.node, port: (said.default)(attribute) };
        let ends = [end(from, TAIL_PORT), end(to, HEAD_PORT)];
        let delay = (said.default)(DELAY);
        self.all.push(Edge { ends, delay, line: said.line });
        self.say(edge, from, to, said);
        Ok(())
    }

    /// Ports of an edge as a statement says them: an attribute goes before what stands at the node.
    fn say(&mut self, edge: usize, from: &Place, to: &Place, said: &Said<'_>) {
        let Edge { ends, delay, line } = &mut self.all[edge];
        *line = said.line;
        if let Some((own, _)) = said.own.get(DELAY) {
            *delay = Some(own.clone());
        }
        let turned = ends[0].node != from.node;
        for (place, at) in [(from, usize::from(turned)), (to, usize::from(!turned))] {
            if place.port.is_some() {
                ends[at].port.clone_from(&place.port);
            }
        }
        for (attribute, at) in [(TAIL_PORT, 0), (HEAD_PORT, 1)] {
            if let Some((port, _)) = said.own.get(attribute) {
                ends[at].port = Some(port.clone());
            }
        }
    }
}

//! Walks many routes. Where one comes to a state that another was in, both go on alike: it is
//! walked no further. Routes join on their way to one destination, so they are walked destination by
//! destination, and those to the last one are all that is remembered.

use super::walk::{RouteError, Step, walk};
use super::{Draw, Header, Input, Output, Relation, Vc};
use crate::topology::{Node, Terminal, Topology};
use rustc_hash::FxHashMap;

/// A packet's way so far, as far as it matters for what follows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// Switch, by its node.
    pub node: Node,
    /// Input by which the packet came.
    pub input: Input,
    /// Virtual channel on which the packet came.
    pub vc: Vc,
    /// Header with which the packet came.
    pub header: Header,
}

/// Walks the routes of a deterministic relation.
pub struct Walker<'a> {
    topology: &'a dyn Topology,
    relation: &'a Relation,
    remembers: bool,
    /// The destination of the last route.
    destination: Option<Terminal>,
    /// States on the way there, and the channels that are left.
    known: FxHashMap<State, u32>,
    /// States of the route that is walked.
    trail: Vec<State>,
}

impl<'a> Walker<'a> {
    /// A walker that remembers where it has been: for routes from many sources, which join. Those
    /// from a few orbit representatives seldom do.
    pub fn new(topology: &'a dyn Topology, relation: &'a Relation, remembers: bool) -> Self {
        let (known, trail) = (FxHashMap::default(), Vec::new());
        Self { topology, relation, remembers, destination: None, known, trail }
    }

    /// Walks a route and calls `visit` on each step from a state that no route before was in.
    /// Gives the channels of the whole route.
    ///
    /// # Errors
    /// [`RouteError`] where the route does not arrive.
    ///
    /// # Panics
    /// For a source that sends nothing ([`Topology::source`]).
    pub fn walk(
        &mut self,
        source: Terminal,
        destination: Terminal,
        draw: Draw,
        mut visit: impl FnMut(&Step),
    ) -> Result<u32, RouteError> {
        let Self { topology, relation, .. } = *self;
        if !self.remembers {
            let mut switches = 0u32;
            walk(topology, relation, source, destination, draw, |step| {
                switches += 1;
                visit(step);
            })?;
            return Ok(switches.saturating_sub(1));
        }
        if self.destination.replace(destination) != Some(destination) {
            self.known.clear();
        }
        // What is wrong with a route is said by walking it alone.
        let wrong = || match walk(topology, relation, source, destination, draw, |_| ()) {
            Err(error) => Err(error),
            Ok(()) => unreachable!("a route is the same with others and alone"),
        };
        let start = Input::of(topology, source).expect("routes are from terminals that send");
        let (sink, header) =
            (Output::of(topology, destination), relation.inject(source, destination, draw));
        let mut state = State { node: start.0, input: start.1, vc: Vc(0), header };
        self.trail.clear();
        let mut ahead = loop {
            if let Some(&channels) = self.known.get(&state).filter(|_| !self.trail.is_empty()) {
                break Some(channels);
            }
            if self.trail.len() > relation.most_switches(topology.nodes()) as usize {
                return wrong();
            }
            let State { node, input, vc, header } = state;
            let hop = relation.hop(node, input, vc, header);
            visit(&Step { node, input, vc, header, hop });
            self.trail.push(state);
            let port = match hop.output {
                Output::Network(port) => port,
                Output::Eject(_) if Some((node, hop.output)) == sink => break None,
                Output::Eject(_) => return wrong(),
            };
            let Some((node, input)) = topology.channel(node, port) else { return wrong() };
            state = State { node, input: Input::Network(input), vc: hop.vc, header: hop.header };
        };
        for state in self.trail.drain(..).rev() {
            let channels = ahead.map_or(0, |channels| channels + 1);
            ahead = Some(channels);
            // No other route enters where this one did, for this destination.
            if !state.input.is_inject() {
                self.known.insert(state, channels);
            }
        }
        Ok(ahead.unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::walk::route;
    use crate::routing::{RELATIONS, build};
    use crate::topology::TOPOLOGIES;
    use std::collections::HashSet;

    /// Every step of every route is visited, once, and lengths are those of the routes alone.
    #[test]
    fn what_is_remembered_changes_nothing() {
        for kind in TOPOLOGIES {
            let topology = kind.build(kind.sizes.small()[0]).unwrap();
            for name in RELATIONS.iter().map(|relation| relation.name) {
                let Ok(relation) = build(name, &*topology) else { continue };
                if relation.choices().is_some() {
                    continue;
                }
                let mut walker = Walker::new(&*topology, &relation, true);
                let (mut visited, mut steps) = (Vec::new(), HashSet::new());
                let key = |step: &Step| (step.node, step.input, step.vc, step.header);
                for destination in topology.sinks() {
                    for source in topology.sources() {
                        let visit = |step: &Step| visited.push(key(step));
                        let channels = walker.walk(source, destination, Draw::NONE, visit).unwrap();
                        let alone =
                            route(&*topology, &relation, source, destination, Draw::NONE).unwrap();
                        assert_eq!(channels as usize + 1, alone.len());
                        steps.extend(alone.iter().map(key));
                    }
                }
                assert_eq!(visited.len(), steps.len(), "{} {name}: a step twice", kind.name);
                assert_eq!(visited.into_iter().collect::<HashSet<_>>(), steps);
            }
        }
    }
}

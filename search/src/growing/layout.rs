//! Networks as switches, with the routes of the pairs.

use super::area::Counts;
use super::question::Question;
use super::state::State;
use std::collections::BTreeSet;

/// Number of a switch.
pub type Switch = u16;
/// Channel from one switch to another.
pub type Link = (Switch, Switch);

/// Switches of the terminals, and routes of the pairs. What no route takes is not there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// By terminal, the switch where its packets enter, and the one where those for it leave.
    pub homes: Vec<[Switch; 2]>,
    /// By pair of the question, the switches that its packets pass, the first and the last among them.
    pub routes: Vec<Vec<Switch>>,
}

impl Layout {
    /// All terminals at one switch.
    pub fn star(question: &Question) -> Self {
        let homes = vec![[0; 2]; question.terminals()];
        Self { homes, routes: vec![vec![0]; question.pairs().len()] }
    }

    /// All sources at one switch, all sinks at another, and a channel from there to here.
    pub fn bus(question: &Question) -> Self {
        let homes = vec![[0, 1]; question.terminals()];
        Self { homes, routes: vec![vec![0, 1]; question.pairs().len()] }
    }

    /// Layout with so many terminals at each switch, and a channel for each two switches between which there are flows.
    pub fn spread(question: &Question, several: usize) -> Self {
        let homes: Vec<[Switch; 2]> =
            (0..question.terminals()).map(|at| [(at / several.max(1)) as Switch; 2]).collect();
        let route = |from: Switch, to: Switch| if from == to { vec![from] } else { vec![from, to] };
        let routes = question.pairs().iter();
        let routes = routes.map(|pair| route(homes[pair.from][0], homes[pair.to][1])).collect();
        Self { homes, routes }
    }

    /// Figures of its hardware.
    pub fn counts(&self, question: &Question) -> Counts {
        State::new(question, self.clone()).counts()
    }

    /// Switches that packets pass.
    pub fn switches(&self) -> BTreeSet<Switch> {
        self.routes.iter().flatten().copied().collect()
    }

    /// Channels between switches.
    pub fn links(&self) -> BTreeSet<Link> {
        self.routes.iter().flat_map(|route| links(route)).collect()
    }
}

/// Channels of a route.
pub(super) fn links(route: &[Switch]) -> impl Iterator<Item = Link> {
    route.windows(2).map(|ends| (ends[0], ends[1]))
}

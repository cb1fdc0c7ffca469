//! Routes that change one at a time, with what they take.

use super::figures::{Figures, Output, Queue, Route};
use super::question::{Channel, Question};
use std::collections::{BTreeMap, BTreeSet};
use turnpike_network::topology::Port;

/// Routes, and what they take.
pub(super) struct State<'a> {
    pub(super) question: &'a Question,
    /// The routes, one for each demand.
    pub(super) routes: Vec<Route>,
    /// Load of each channel.
    pub(super) loads: Vec<u64>,
    /// Flows that go from a queue to an output, where there are any.
    feeds: BTreeMap<(Queue, Output), u32>,
    /// Queues that feed an output.
    fan_in: BTreeMap<Output, u64>,
    queues: BTreeMap<Queue, u32>,
    inputs: u64,
}

impl<'a> State<'a> {
    /// State of these routes.
    pub(super) fn new(question: &'a Question, start: &[Route]) -> Self {
        let mut state = Self {
            question,
            routes: start.to_vec(),
            loads: vec![0; question.channels.len()],
            feeds: BTreeMap::new(),
            fan_in: BTreeMap::new(),
            queues: BTreeMap::new(),
            inputs: 0,
        };
        (0..start.len()).for_each(|at| state.count(at, true));
        state
    }

    /// Gives a demand another route. Gives the one that it had.
    pub(super) fn replace(&mut self, at: usize, route: Route) -> Route {
        self.count(at, false);
        let old = std::mem::replace(&mut self.routes[at], route);
        self.count(at, true);
        old
    }

    /// Counts the route of a demand, or takes it away.
    fn count(&mut self, at: usize, adds: bool) {
        let (question, route) = (self.question, self.routes[at].clone());
        let demand = &question.demands[at];
        for &channel in &route.channels {
            let load = &mut self.loads[channel];
            *load = if adds { *load + demand.load } else { *load - demand.load };
        }
        let hops = demand.hops(&route);
        for queue in hops.iter().map(|(queue, _)| *queue) {
            if let Queue::Channel(..) = queue {
                tally(&mut self.queues, queue, adds);
            }
        }
        for (queue, output) in hops {
            if tally(&mut self.feeds, (queue, output), adds) {
                let inputs = self.fan_in.entry(output).or_default();
                let counted = |inputs: u64| if inputs > 1 { inputs } else { 0 };
                self.inputs -= counted(*inputs);
                *inputs = if adds { *inputs + 1 } else { *inputs - 1 };
                self.inputs += counted(*inputs);
            }
        }
    }

    /// Figures of the routes.
    pub(super) fn figures(&self) -> Figures {
        let mut layers = vec![1; self.question.classes];
        for queue in self.queues.keys() {
            if let Queue::Channel(_, class, layer) = *queue {
                layers[class] = layers[class].max(layer + 1);
            }
        }
        Figures {
            max_load: self.loads.iter().copied().max().unwrap_or(0),
            multiplexer_inputs: self.inputs,
            queues: self.queues.len() as u64,
            vcs: layers.iter().sum::<usize>() as u64,
        }
    }

    /// Whether no waits close a cycle with those of a demand's route.
    pub(super) fn is_free(&self, at: usize) -> bool {
        let route = &self.routes[at];
        let Some(&first) = route.channels.first() else { return true };
        let streams = &self.question.demands[at].streams;
        streams.iter().all(|stream| {
            let start = Queue::Channel(first, stream.class, route.layer);
            // Depth first: a queue is open while those behind it are looked at.
            let (mut open, mut done) = (BTreeSet::from([start]), BTreeSet::new());
            let mut stack = vec![(start, self.onward(start))];
            while let Some((queue, onward)) = stack.last_mut() {
                match onward.pop() {
                    None => {
                        open.remove(queue);
                        done.insert(*queue);
                        stack.pop();
                    }
                    Some(next) if open.contains(&next) => return false,
                    Some(next) if done.contains(&next) => {}
                    Some(next) => {
                        open.insert(next);
                        stack.push((next, self.onward(next)));
                    }
                }
            }
            true
        })
    }

    /// Queues that packets in a queue wait for.
    fn onward(&self, queue: Queue) -> Vec<Queue> {
        let Queue::Channel(_, class, layer) = queue else { return Vec::new() };
        let all = self.feeds.range((queue, Output::Channel(0))..);
        all.map(|(key, _)| *key)
            .take_while(|(from, _)| *from == queue)
            .filter_map(|(_, to)| match to {
                Output::Channel(channel) => Some(Queue::Channel(channel, class, layer)),
                Output::Eject(_) => None,
            })
            .collect()
    }
}

/// Counts one more or one less. Whether there is now one and was none, or the reverse.
fn tally<K: Ord + Copy>(counts: &mut BTreeMap<K, u32>, key: K, adds: bool) -> bool {
    let count = counts.entry(key).or_default();
    *count = if adds { *count + 1 } else { *count - 1 };
    match *count {
        0 => counts.remove(&key).is_some(),
        count => adds && count == 1,
    }
}

impl Question {
    /// Whether these routes, one for each demand, are within the bounds and wait in no cycle.
    pub fn is_answered_by(&self, routes: &[Route]) -> bool {
        let fits = |(at, route): (usize, &Route)| {
            let (demand, reach) = (&self.demands[at], &self.reach[at]);
            let inside = |channel: &usize| reach.channels.binary_search(channel).is_ok();
            let ends = route.channels.iter().map(|&channel| self.channels[channel]);
            let arrives = ends.clone().try_fold(demand.from, |node, channel| {
                (channel.from == node).then_some(channel.to)
            });
            arrives == Some(demand.to)
                && route.channels.iter().all(inside)
                && route.channels.len() <= reach.longest as usize
                && route.layer < self.layers()
        };
        if routes.len() != self.demands.len() || !routes.iter().enumerate().all(fits) {
            return false;
        }
        let state = State::new(self, routes);
        state.figures().are_within(self) && (0..routes.len()).all(|at| state.is_free(at))
    }

    /// The route of a demand by these ports, on the first virtual channel; `None` where there is no such
    /// channel.
    pub fn route(&self, demand: usize, ports: &[Port]) -> Option<Route> {
        let mut at = self.demands[demand].from;
        let mut channels = Vec::new();
        for &port in ports {
            let key = |channel: &Channel| (channel.from, channel.port);
            let number = self.channels.binary_search_by_key(&(at, port), key).ok()?;
            channels.push(number);
            at = self.channels[number].to;
        }
        Some(Route { channels, layer: 0 })
    }
}

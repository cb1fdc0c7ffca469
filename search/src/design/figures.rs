//! Figures of routes, counted from the routes alone.

use super::question::{Demand, Measure, Question};
use super::state::State;
use turnpike_network::topology::Terminal;

/// The route of a demand.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Route {
    /// Numbers of its channels, in order.
    pub channels: Vec<usize>,
    /// Virtual channel that it keeps to, from 0 in each message class.
    pub layer: usize,
}

/// Figures of routes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Figures {
    /// Value of [`Measure::MaxLoad`].
    pub max_load: u64,
    /// Value of [`Measure::MultiplexerInputs`].
    pub multiplexer_inputs: u64,
    /// Value of [`Measure::Queues`].
    pub queues: u64,
    /// Value of [`Measure::Vcs`].
    pub vcs: u64,
}

/// An output of a switch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Output {
    /// Channel, by its number.
    Channel(usize),
    /// Stream out of the network.
    Eject(Terminal),
}

/// A queue that feeds outputs of a switch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Queue {
    /// Virtual channel of a channel: its number, the message class, and the virtual channel in it.
    Channel(usize, usize, usize),
    /// Stream into the network.
    Inject(Terminal),
}

impl Figures {
    /// Figures of these routes, one for each demand.
    pub fn of(question: &Question, routes: &[Route]) -> Self {
        State::new(question, routes).figures()
    }

    /// Whether they are within the bounds of a question.
    pub fn are_within(&self, question: &Question) -> bool {
        question.bounds.iter().all(|(&measure, &most)| self.value(measure) <= most)
    }

    /// Value of a measure.
    pub fn value(&self, measure: Measure) -> u64 {
        match measure {
            Measure::MaxLoad => self.max_load,
            Measure::MultiplexerInputs => self.multiplexer_inputs,
            Measure::Queues => self.queues,
            Measure::Vcs => self.vcs,
        }
    }
}

impl Demand {
    /// Queues that the packets of this route stand in, each with the output that it then feeds.
    pub(super) fn hops(&self, route: &Route) -> Vec<(Queue, Output)> {
        let mut hops = Vec::new();
        for stream in &self.streams {
            let queue = |&channel: &usize| Queue::Channel(channel, stream.class, route.layer);
            let onward = route.channels.windows(2);
            hops.extend(onward.map(|pair| (queue(&pair[0]), Output::Channel(pair[1]))));
            for &(source, sink) in &stream.flows {
                let first = route.channels.first().map(|&first| Output::Channel(first));
                hops.push((Queue::Inject(source), first.unwrap_or(Output::Eject(sink))));
                hops.extend(route.channels.last().map(|last| (queue(last), Output::Eject(sink))));
            }
        }
        hops
    }
}

//! The formula of a question: its solutions are routes.

use super::figures::{Output, Queue, Route};
use super::question::{Measure, Question};
use crate::encode::order;
use crate::formula::{Formula, TooLarge};
use crate::solver::Model;
use rustsat::types::Lit;
use std::collections::BTreeMap;
use turnpike_network::topology::Node;

/// A question as a formula.
pub struct Encoding {
    pub formula: Formula,
    /// Whether the route of each demand takes a channel of its reach.
    takes: Vec<Vec<(usize, Lit)>>,
    /// Whether it keeps to each virtual channel; nothing where there is one.
    keeps: Vec<Vec<Lit>>,
}

impl Encoding {
    /// The formula.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn new(question: &Question) -> Result<Self, TooLarge> {
        let mut formula = Formula::default();
        let mut takes = Vec::new();
        for demand in 0..question.demands.len() {
            takes.push(path(&mut formula, question, demand));
            formula.check_size()?;
        }
        let layers = question.layers();
        let keeps: Vec<Vec<Lit>> = takes
            .iter()
            .map(|_| {
                let lits: Vec<Lit> =
                    (0..layers).filter(|_| layers > 1).map(|_| formula.fresh()).collect();
                if layers > 1 {
                    formula.exactly_one(&lits);
                }
                lits
            })
            .collect();
        let mut encoding = Self { formula, takes, keeps };
        encoding.loads(question);
        encoding.formula.check_size()?;
        encoding.switches(question)?;
        encoding.layers(question);
        encoding.formula.check_size()?;
        Ok(encoding)
    }

    /// Bounds the load of each channel.
    fn loads(&mut self, question: &Question) {
        let Some(&most) = question.bounds.get(&Measure::MaxLoad) else { return };
        let mut on: BTreeMap<usize, Vec<(Lit, u64)>> = BTreeMap::new();
        for (demand, takes) in question.demands.iter().zip(&self.takes) {
            for &(channel, takes) in takes {
                on.entry(channel).or_default().push((takes, demand.load));
            }
        }
        on.values().for_each(|takes| self.formula.weigh_at_most(takes, most));
    }

    /// Each demand with the virtual channels that it may keep to, and what says that it does: nothing
    /// where there is one.
    fn kept(&self, demand: usize) -> Vec<(usize, Vec<Lit>)> {
        match &self.keeps[demand][..] {
            [] => vec![(0, Vec::new())],
            lits => lits.iter().enumerate().map(|(layer, &lit)| (layer, vec![lit])).collect(),
        }
    }

    /// Switches on the routes: waits close no cycle, and queues and multiplexers are bounded.
    fn switches(&mut self, question: &Question) -> Result<(), TooLarge> {
        let mut feeds: BTreeMap<(Output, Queue), Lit> = BTreeMap::new();
        let mut queues: BTreeMap<Queue, Lit> = BTreeMap::new();
        let counts = |measure| question.bounds.contains_key(&measure);
        let (inputs, queued) = (counts(Measure::MultiplexerInputs), counts(Measure::Queues));
        for (at, demand) in question.demands.iter().enumerate() {
            let kept = self.kept(at);
            let Self { formula, takes, .. } = self;
            formula.check_size()?;
            let mut leaving: BTreeMap<Node, Vec<(usize, Lit)>> = BTreeMap::new();
            for &(channel, lit) in &takes[at] {
                leaving.entry(question.channels[channel].from).or_default().push((channel, lit));
            }
            for stream in &demand.streams {
                for &(channel, lit) in &takes[at] {
                    let ends = question.channels[channel];
                    for (layer, keeps) in &kept {
                        let queue = Queue::Channel(channel, stream.class, *layer);
                        let here: Vec<Lit> = [lit].into_iter().chain(keeps.clone()).collect();
                        if queued {
                            let used = *queues.entry(queue).or_insert_with(|| formula.fresh());
                            formula.implies(&here, used);
                        }
                        for &(next, onward) in leaving.get(&ends.to).into_iter().flatten() {
                            let key = (Output::Channel(next), queue);
                            let feed = *feeds.entry(key).or_insert_with(|| formula.fresh());
                            formula.implies(&[&here[..], &[onward]].concat(), feed);
                        }
                        for &(_, sink) in stream.flows.iter().filter(|_| inputs) {
                            if ends.to == demand.to {
                                let key = (Output::Eject(sink), queue);
                                let feed = *feeds.entry(key).or_insert_with(|| formula.fresh());
                                formula.implies(&here, feed);
                            }
                        }
                    }
                    for &(source, _) in stream.flows.iter().filter(|_| inputs) {
                        if ends.from == demand.from {
                            let key = (Output::Channel(channel), Queue::Inject(source));
                            let feed = *feeds.entry(key).or_insert_with(|| formula.fresh());
                            formula.implies(&[lit], feed);
                        }
                    }
                }
                for &(source, sink) in stream.flows.iter().filter(|_| inputs) {
                    if demand.from == demand.to {
                        let key = (Output::Eject(sink), Queue::Inject(source));
                        let feed = *feeds.entry(key).or_insert_with(|| formula.fresh());
                        formula.clause([feed]);
                    }
                }
            }
        }
        if let Some(&most) = question.bounds.get(&Measure::Queues) {
            let used: Vec<Lit> = queues.into_values().collect();
            self.formula.at_most(&used, most as usize);
        }
        if let Some(&most) = question.bounds.get(&Measure::MultiplexerInputs) {
            self.multiplexers(&feeds, most);
        }
        self.no_cycles(question, &feeds)
    }

    /// Bounds the inputs of all multiplexers: an input counts where its output has another.
    fn multiplexers(&mut self, feeds: &BTreeMap<(Output, Queue), Lit>, most: u64) {
        let mut outputs: BTreeMap<Output, Vec<Lit>> = BTreeMap::new();
        for (&(output, _), &feed) in feeds {
            outputs.entry(output).or_default().push(feed);
        }
        let formula = &mut self.formula;
        let mut counted = Vec::new();
        for feeds in outputs.values().filter(|feeds| feeds.len() > 1) {
            // Whether the output has several inputs: then each of them counts.
            let several = formula.fresh();
            for (at, &one) in feeds.iter().enumerate() {
                feeds[..at].iter().for_each(|&other| formula.implies(&[one, other], several));
            }
            for &feed in feeds {
                let counts = formula.fresh();
                formula.implies(&[feed, several], counts);
                counted.push(counts);
            }
        }
        formula.at_most(&counted, most as usize);
    }

    /// Waits close no cycle on any virtual channel of any message class.
    fn no_cycles(
        &mut self,
        question: &Question,
        feeds: &BTreeMap<(Output, Queue), Lit>,
    ) -> Result<(), TooLarge> {
        let name = |channel: usize| {
            let channel = question.channels[channel];
            (channel.from.0, u32::from(channel.port.0))
        };
        let mut waits: BTreeMap<(usize, usize), Vec<_>> = BTreeMap::new();
        for (key, &feed) in feeds {
            if let (Output::Channel(wanted), Queue::Channel(held, class, layer)) = *key {
                let own = waits.entry((class, layer)).or_default();
                own.push((feed, name(held), name(wanted)));
            }
        }
        for waits in waits.into_values() {
            let mut channels: Vec<order::Channel> =
                waits.iter().flat_map(|&(_, held, wanted)| [held, wanted]).collect();
            channels.sort_unstable();
            channels.dedup();
            order::ascend(&mut self.formula, channels, waits.into_iter());
            self.formula.check_size()?;
        }
        Ok(())
    }

    /// Bounds the virtual channels of all classes together. Those of a class are used from the first.
    fn layers(&mut self, question: &Question) {
        let layers = question.layers();
        if layers == 1 {
            return;
        }
        let formula = &mut self.formula;
        let mut used: Vec<Vec<Lit>> = Vec::new();
        for _ in 0..question.classes {
            let own: Vec<Lit> = (0..layers).map(|_| formula.fresh()).collect();
            own.windows(2).for_each(|pair| formula.implies(&[pair[1]], pair[0]));
            formula.clause([own[0]]);
            used.push(own);
        }
        for (demand, keeps) in question.demands.iter().zip(&self.keeps) {
            for (layer, &keeps) in keeps.iter().enumerate() {
                for stream in &demand.streams {
                    formula.implies(&[keeps], used[stream.class][layer]);
                }
            }
        }
        let all: Vec<Lit> = used.into_iter().flatten().collect();
        formula.at_most(&all, question.vcs() as usize);
    }

    /// The routes of a model, one for each demand.
    pub fn read(&self, question: &Question, model: &Model) -> Vec<Route> {
        let route = |(at, takes): (usize, &Vec<(usize, Lit)>)| {
            let demand = &question.demands[at];
            let mut channels = Vec::new();
            let mut node = demand.from;
            while node != demand.to {
                let next = takes.iter().find(|&&(channel, lit)| {
                    question.channels[channel].from == node && model.holds(lit)
                });
                let &(channel, _) = next.expect("a channel leads on from each node of a path");
                channels.push(channel);
                node = question.channels[channel].to;
            }
            let layer = self.keeps[at].iter().position(|&lit| model.holds(lit)).unwrap_or(0);
            Route { channels, layer }
        };
        self.takes.iter().enumerate().map(route).collect()
    }
}

/// A path for a demand: whether it takes each channel of its reach. Beside the path there may be
/// circles, which only take up room: a path alone is a solution wherever one with circles is.
fn path(formula: &mut Formula, question: &Question, at: usize) -> Vec<(usize, Lit)> {
    let (demand, reach) = (&question.demands[at], &question.reach[at]);
    let takes: Vec<(usize, Lit)> =
        reach.channels.iter().map(|&channel| (channel, formula.fresh())).collect();
    if demand.from == demand.to {
        return takes;
    }
    let (mut leaving, mut entering): (BTreeMap<Node, Vec<Lit>>, BTreeMap<Node, Vec<Lit>>) =
        Default::default();
    for &(channel, lit) in &takes {
        let ends = question.channels[channel];
        leaving.entry(ends.from).or_default().push(lit);
        entering.entry(ends.to).or_default().push(lit);
    }
    for node in
        leaving.keys().chain(entering.keys()).copied().collect::<std::collections::BTreeSet<_>>()
    {
        let of = |map: &BTreeMap<Node, Vec<Lit>>| map.get(&node).cloned().unwrap_or_default();
        let (out, into) = (of(&leaving), of(&entering));
        formula.at_most_one(&out);
        formula.at_most_one(&into);
        if node == demand.from {
            formula.clause(out.iter().copied());
        } else {
            for &lit in &out {
                formula.clause(into.iter().copied().chain([!lit]));
            }
        }
        if node == demand.to {
            formula.clause(into.iter().copied());
        } else {
            for &lit in &into {
                formula.clause(out.iter().copied().chain([!lit]));
            }
        }
    }
    if reach.longest > reach.shortest {
        let all: Vec<Lit> = takes.iter().map(|&(_, lit)| lit).collect();
        formula.at_most(&all, reach.longest as usize);
    }
    takes
}

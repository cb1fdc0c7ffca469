//! Outputs and headers that a packet must leave a switch with, read from the routes of the
//! relation.

use super::{FabricPlan, OutputVcPlan, SwitchPlan};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use turnpike_analysis::states::every_step;
use turnpike_base::bits::gather;
use turnpike_network::routing::walk::{RouteError, Step};
use turnpike_network::routing::{Header, Input, Output, Vc};
use turnpike_network::topology::{Node, Port};

/// The (output, VC)s that a packet may take, as indices, each with those bits of the header from
/// there on that count. One, but where packets choose.
pub type Ways = BTreeMap<usize, Header>;

/// By queue and the header bits that it stores, the first at bit 0.
pub type Expected = Vec<BTreeMap<Header, Ways>>;

/// Reason that no such table can be made.
#[derive(Debug, thiserror::Error)]
pub enum ExpectedError {
    /// A route that does not arrive.
    #[error(transparent)]
    Route(#[from] RouteError),
    /// A relation that does not say one thing for one header.
    #[error("{switch} sends header {header:b} of {queue} two ways")]
    TwoWays {
        /// The switch.
        switch: String,
        /// The queue.
        queue: String,
        /// The header.
        header: Header,
    },
}

/// A class of switches while routes are walked.
struct Class {
    queue_of: BTreeMap<(Input, Vc), usize>,
    lane_of: BTreeMap<(Output, Vc), usize>,
    /// By lane.
    counts: Vec<Header>,
    /// Nodes of a class may offer a choice each, but not two between them.
    known: FxHashMap<(Node, usize, Header), Ways>,
}

impl Class {
    fn new(plan: &FabricPlan, switch: &SwitchPlan) -> Self {
        let queues = switch.queues.iter().enumerate();
        let lanes = switch.output_vcs.iter().enumerate();
        Self {
            queue_of: queues.map(|(at, q)| ((switch.inputs[q.input].input, q.vc), at)).collect(),
            lane_of: lanes
                .map(|(at, lane)| ((switch.outputs[lane.output].output, lane.vc), at))
                .collect(),
            counts: switch.output_vcs.iter().map(|lane| counting(plan, switch, lane)).collect(),
            known: FxHashMap::default(),
        }
    }

    /// Takes note of a step from a node of the class; a queue and a header with two ways are the
    /// error.
    fn visit(&mut self, site: Node, step: &Step) -> Result<(), (usize, Header)> {
        let queue = self.queue_of[&(step.input, step.vc)];
        let lane = self.lane_of[&(step.hop.output, step.hop.vc)];
        let next = step.hop.header & self.counts[lane];
        let ways = self.known.entry((site, queue, step.header)).or_default();
        match *ways.entry(lane).or_insert(next) == next {
            true => Ok(()),
            false => Err((queue, step.header)),
        }
    }

    /// Table of the class, over the header bits that queues store.
    fn expected(self, switch: &SwitchPlan, chooses: bool) -> Result<Expected, (usize, Header)> {
        let mut expected: Expected = vec![BTreeMap::new(); switch.queues.len()];
        for ((_, queue, header), ways) in self.known {
            let header = gather(header, &switch.queues[queue].header);
            let first = expected[queue].entry(header).or_insert_with(|| ways.clone());
            if *first != ways || !chooses && ways.len() > 1 {
                return Err((queue, header));
            }
        }
        Ok(expected)
    }
}

/// Hops that the relation takes at the switches of each class, from its routes; where packets
/// choose, from every step that one can take. where packets choose, from every step that one can
/// take. Nothing of it is taken from the route logic. One walk of all routes.
///
/// # Errors
/// [`ExpectedError`] never, unless the relation is wrong.
pub fn expected(plan: &FabricPlan) -> Result<Vec<Expected>, ExpectedError> {
    let (topology, network) = (plan.topology(), plan.network());
    let (relation, symmetry) = (network.relation(), network.symmetry());
    let two_ways = |class: usize, (queue, header): (usize, Header)| ExpectedError::TwoWays {
        switch: plan.switches[class].name.clone(),
        queue: plan.switches[class].queues[queue].name.clone(),
        header,
    };
    let mut classes: Vec<Class> = plan.switches.iter().map(|s| Class::new(plan, s)).collect();
    let mut wrong = None;
    let mut visit = |site: Node, step: &Step| {
        let class = network.turns().class_of(step.node);
        if let Err(place) = classes[class].visit(site, step) {
            wrong = Some(two_ways(class, place));
        }
    };
    let chooses = relation.choices().is_some();
    if chooses {
        every_step(topology, relation, symmetry, |_, _, _, step| {
            visit(symmetry.site(topology, step.node), step);
        })?;
    } else {
        network.each_step(|step| visit(Node(0), step))?;
    }
    if let Some(wrong) = wrong {
        return Err(wrong);
    }
    let of_class = |(class, noted): (usize, Class)| {
        let expected = noted.expected(&plan.switches[class], chooses);
        expected.map_err(|place| two_ways(class, place))
    };
    classes.into_iter().enumerate().map(of_class).collect()
}

/// The header bits that count after an (output, VC): those that a queue at the end of its channel
/// stores, at any switch of the class.
pub fn counting(plan: &FabricPlan, switch: &SwitchPlan, lane: &OutputVcPlan) -> Header {
    let Output::Network(port) = switch.outputs[lane.output].output else { return 0 };
    let topology = plan.topology();
    let own = topology.all_nodes().filter(|&node| plan.switch_of(node).name == switch.name);
    // Of all nodes of a class, channels of one port end at one input of few classes.
    let ends = own.filter_map(|node| {
        let (to, input) = topology.channel(node, port)?;
        Some((plan.class_of(to), input))
    });
    let ends: BTreeSet<(usize, Port)> = ends.collect();
    let queues = ends.iter().flat_map(|&(class, input)| {
        let end = &plan.switches[class];
        let queues = end.queues.iter().filter(move |queue| {
            end.inputs[queue.input].input == Input::Network(input) && queue.vc == lane.vc
        });
        queues.flat_map(|queue| &queue.header)
    });
    queues.fold(0, |mask, bit| mask | 1 << bit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Parameters;
    use std::sync::Arc;
    use turnpike_analysis::network::Network;

    /// Hops at a switch, read from routes alone, are those of its route logic and header updates,
    /// and every turn that is built is taken. Header bits that no later queue stores do not count.
    #[test]
    fn expectations_are_what_the_plan_builds() {
        for (topology, dimension, routing) in [
            ("hypercube", 4, "ecube"),
            ("hypercube", 4, "rotation"),
            ("hypercube", 3, "adaptive"),
            ("directed-cube", 3, "adaptive"),
            ("directed-cube", 4, "static"),
            ("ccc", 3, "two-stage"),
            ("arc-cube", 2, "shortest"),
        ] {
            let network = Network::new(topology, dimension, Some(routing), None).unwrap();
            let plan = FabricPlan::new(Arc::new(network), Parameters::default(), None).unwrap();
            for (expected, switch) in expected(&plan).unwrap().into_iter().zip(&plan.switches) {
                let mut taken = BTreeSet::new();
                assert_eq!(expected.len(), switch.queues.len());
                for (queue, (stored, headers)) in switch.queues.iter().zip(expected).enumerate() {
                    assert!(!headers.is_empty(), "{}: {}", switch.name, stored.name);
                    for (packed, ways) in headers {
                        let header = (0..).zip(&stored.header);
                        let header = header.fold(0, |h, (at, bit)| h | (packed >> at & 1) << bit);
                        let lane = |output: Output, vc| {
                            let is = |l: &OutputVcPlan| {
                                switch.outputs[l.output].output == output && l.vc == vc
                            };
                            switch.output_vcs.iter().position(is).unwrap()
                        };
                        let way = stored.select.way(header);
                        let mut wanted = vec![lane(way.output, way.vc.unwrap())];
                        let choice = stored.choice.iter();
                        let open = choice.flat_map(|choice| choice.open(header, way));
                        wanted.extend(open.map(|way| lane(Output::Network(way.port), way.vc)));
                        wanted.sort_unstable();
                        wanted.dedup();
                        let found: Vec<usize> = ways.keys().copied().collect();
                        assert_eq!(found, wanted, "{}: {} {header:b}", switch.name, stored.name);
                        for (at, next) in ways {
                            let lane = &switch.output_vcs[at];
                            let source = lane.sources.iter().find(|s| s.queue == queue).unwrap();
                            let counts = counting(&plan, switch, lane);
                            assert_eq!(next, source.carry.apply(header) & counts);
                            taken.insert((queue, at));
                        }
                    }
                }
                let built = switch.output_vcs.iter().enumerate();
                let built = built.flat_map(|(at, l)| l.sources.iter().map(move |s| (s.queue, at)));
                assert_eq!(taken, built.collect(), "{}", switch.name);
            }
        }
        // At a channel's end the queue of that VC says what counts: all that it stores.
        let network = Network::new("hypercube", 3, Some("ecube"), None).unwrap();
        let plan = FabricPlan::new(Arc::new(network), Parameters::default(), None).unwrap();
        let switch = &plan.switches[0];
        let masks = switch.output_vcs.iter().map(|lane| counting(&plan, switch, lane));
        assert_eq!(masks.collect::<Vec<_>>(), [0b110, 0b100, 0, 0], "dim0 to dim2, eject");
    }
}

//! What must become of a packet at a switch, read from the routes of the relation.

use super::{EmitError, gather};
use crate::plan::{FabricPlan, OutputVcPlan, SwitchPlan};
use crate::routing::states::every_step;
use crate::routing::walk::{Step, walk};
use crate::routing::{Header, Input, Output, Vc};
use crate::topology::Node;
use std::collections::BTreeMap;

/// The lanes that a packet may take, each with the whole header from there on. One, but where
/// packets choose.
pub(super) type Ways = BTreeMap<usize, Header>;

/// By queue and the header bits that it stores.
pub(super) type Expected = Vec<BTreeMap<Header, Ways>>;

/// What the relation does at the switches of a class, from its routes; where packets choose, from
/// every step that one can take.
pub(super) fn expected(plan: &FabricPlan, class: usize) -> Result<Expected, EmitError> {
    let (topology, network) = (plan.topology(), &plan.network);
    let (relation, symmetry) = (network.relation(), network.symmetry());
    let switch = &plan.switches[class];
    let queue_of: BTreeMap<(Input, Vc), usize> = switch
        .queues
        .iter()
        .enumerate()
        .map(|(at, q)| ((switch.inputs[q.input].input, q.vc), at))
        .collect();
    let lane_of: BTreeMap<(Output, Vc), usize> = switch
        .output_vcs
        .iter()
        .enumerate()
        .map(|(at, lane)| ((switch.outputs[lane.output].output, lane.vc), at))
        .collect();
    let counts: Vec<Header> = switch.output_vcs.iter().map(|l| counting(plan, switch, l)).collect();
    // Nodes of a class may offer a choice each, but not two between them.
    let mut known: BTreeMap<(Node, usize, Header), Ways> = BTreeMap::new();
    let mut wrong = None;
    let mut visit = |site: Node, step: &Step| {
        if network.turns().class_of(step.node) != class {
            return;
        }
        let queue = queue_of[&(step.input, step.vc)];
        let lane = lane_of[&(step.hop.output, step.hop.vc)];
        let next = step.hop.header & counts[lane];
        let ways = known.entry((site, queue, step.header)).or_default();
        if *ways.entry(lane).or_insert(next) != next {
            wrong = Some((queue, step.header));
        }
    };
    let chooses = relation.adaptive().is_some();
    if chooses {
        every_step(topology, relation, symmetry, |_, _, step| {
            visit(symmetry.site(topology, step.node), step);
        })?;
    } else {
        for source in network.sources() {
            for destination in topology.terminal_nodes() {
                walk(topology, relation, source, destination, |step| visit(Node(0), step))?;
            }
        }
    }
    let mut expected: Expected = vec![BTreeMap::new(); switch.queues.len()];
    for ((_, queue, header), ways) in known {
        let header = gather(header, &switch.queues[queue].header);
        let first = expected[queue].entry(header).or_insert_with(|| ways.clone());
        if *first != ways || !chooses && ways.len() > 1 {
            wrong = Some((queue, header));
        }
    }
    match wrong {
        None => Ok(expected),
        Some((queue, header)) => Err(EmitError::Expectation(format!(
            "{} sends header {header:b} of {} two ways",
            switch.name, switch.queues[queue].name
        ))),
    }
}

/// The header bits that count after a lane: those that some queue at its end stores.
pub(super) fn counting(plan: &FabricPlan, switch: &SwitchPlan, lane: &OutputVcPlan) -> Header {
    let Output::Network(port) = switch.outputs[lane.output].output else { return 0 };
    let topology = plan.topology();
    let mut ends = topology.all_nodes().filter_map(|node| topology.channel(node, port));
    let Some((_, end)) = ends.next() else { return 0 };
    let queues = plan.switches.iter().flat_map(|s| s.queues.iter().map(move |q| (s, q)));
    queues
        .filter(|(s, q)| s.inputs[q.input].input == Input::Network(end) && q.vc == lane.vc)
        .flat_map(|(_, q)| &q.header)
        .fold(0, |mask, bit| mask | 1 << bit)
}

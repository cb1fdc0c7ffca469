//! Whether the route logic of the planned switches does what the relation says.

use super::{PlanError, QueuePlan, SwitchPlan};
use std::collections::BTreeMap;
use turnpike_analysis::network::Network;
use turnpike_network::routing::choice::ChosenWay;
use turnpike_network::routing::{HeaderUpdate, Input, Output, Vc};
use turnpike_network::topology::Port;

/// Holds the reduced route logic against the relation, for every header that reaches a switch:
/// one walk of all routes, for the switches of all classes.
///
/// # Errors
/// [`PlanError::Logic`] where they disagree.
pub(super) fn check(network: &Network, switches: &[SwitchPlan]) -> Result<(), PlanError> {
    let by_queue: Vec<BTreeMap<(Input, Vc), &QueuePlan>> = switches
        .iter()
        .map(|plan| plan.queues.iter().map(|q| ((plan.inputs[q.input].input, q.vc), q)).collect())
        .collect();
    let used = network.turns().classes.iter().map(|class| class.header_masks.len());
    debug_assert!(by_queue.iter().map(BTreeMap::len).eq(used));
    let mut result = Ok(());
    let relation = network.relation();
    // Switches of a class carry headers alike.
    let mut carries: BTreeMap<(usize, Input, Vc, Port, Vc), HeaderUpdate> = BTreeMap::new();
    // Steps are walked without an error: they were before.
    let _ = network.each_step(|step| {
        if result.is_err() {
            return;
        }
        let class = network.turns().class_of(step.node);
        let queue = by_queue[class][&(step.input, step.vc)];
        let hop = step.hop;
        let carried = match hop.output {
            Output::Network(port) => carries
                .entry((class, step.input, step.vc, port, hop.vc))
                .or_insert_with(|| relation.carry(step.node, step.input, step.vc, (port, hop.vc)))
                .apply(step.header),
            Output::Eject(_) => hop.header,
        };
        let chosen = |way: &ChosenWay| hop.output == Output::Network(way.port) && hop.vc == way.vc;
        let way = queue.select.way(step.header);
        let choice = queue.choice.as_ref();
        let by_choice = choice.is_some_and(|choice| choice.open(step.header, way).any(chosen));
        let logic = match by_choice {
            true => (hop.output, hop.vc),
            false => (way.output, way.vc.unwrap_or(Vc(0))),
        };
        // Nor may the logic choose more than the relation does.
        let offered = choice.map_or(0, |choice| choice.open(step.header, way).count());
        let choices = relation.choices_of(step.input, step.vc);
        let meant =
            choices.map_or(0, |c| c.hops(step.node, step.input, step.vc, step.header).len());
        if (logic, carried) != ((hop.output, hop.vc), hop.header) || offered != meant {
            result = Err(PlanError::Logic {
                relation: relation.name().to_owned(),
                queue: queue.name.clone(),
                header: step.header,
                logic,
                carried,
                hop,
            });
        }
    });
    result
}

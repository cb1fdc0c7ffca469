//! Checks that need no hardware: routes, symmetry, turns, the deadlock certificate. All is walked
//! again, whatever was found when the network was built.

use super::Outcome;
use std::collections::{BTreeMap, BTreeSet};
use turnpike_analysis::certificate;
use turnpike_analysis::deadlock::{Cycle, DeadlockVerdict};
use turnpike_analysis::states::every_step;
use turnpike_analysis::symmetry::Symmetry;
use turnpike_analysis::turns::Turn;
use turnpike_fabric::plan::FabricPlan;
use turnpike_network::routing::Select;
use turnpike_network::routing::walk::{Step, route, walk};
use turnpike_network::topology::Topology;

/// Every route arrives, and at every switch the route logic that is built, the relation and
/// the relation's definition (a function of the header alone, where it has one) agree.
pub fn routes(plan: &FabricPlan) -> Outcome {
    let (topology, relation) = (plan.topology(), plan.relation());
    let sources = plan.network().sources();
    // By the node, or its site.
    let mut definitions: BTreeMap<usize, Option<Select>> = BTreeMap::new();
    let (mut routes, mut headers, mut wrong) = (0u64, 0u64, None);
    for &source in &sources {
        let pairs = topology.destinations(source).map(|destination| (source, destination));
        for ((_, destination), draw) in relation.with_each_route(pairs) {
            walk(topology, relation, source, destination, draw, |step| {
                headers += 1;
                let class = plan.switch_of(step.node);
                let of = |q: &&turnpike_fabric::plan::QueuePlan| {
                    (class.inputs[q.input].input, q.vc) == (step.input, step.vc)
                };
                let logic = class.queues.iter().find(of).map(|q| q.select.output(step.header));
                let site = plan.network().symmetry().index(topology, step.node);
                let definition =
                    definitions.entry(site).or_insert_with(|| relation.oblivious_select(step.node));
                let defined = definition.as_ref().map(|d| d.output(step.header));
                let agrees =
                    logic == Some(step.hop.output) && defined.is_none_or(|d| d == step.hop.output);
                if !agrees && wrong.is_none() {
                    wrong = Some((step.node, step.header));
                }
            })
            .map_err(|error| error.to_string())?;
            routes += 1;
        }
    }
    if let Some((node, header)) = wrong {
        let label = topology.label(node);
        return Err(format!("route logic and relation disagree at {label}, header {header:#b}"));
    }
    let by = match (plan.network().symmetry().is_by_translation(), &*sources) {
        (false, _) => String::new(),
        (true, [source]) => format!(", from node {} for all", source.0),
        (true, several) => format!(", from {} nodes for all", several.len()),
    };
    let forms = match definitions.values().all(Option::is_some) {
        true => "route logic, relation and its definition agree",
        false => "route logic and relation agree",
    };
    Ok(format!("{routes} routes arrive{by}; {forms} on {headers} headers at queues"))
}

/// Whether some nodes stand for all; `None` where they do not.
pub fn symmetry(plan: &FabricPlan) -> Option<Outcome> {
    let network = plan.network();
    let topology = network.topology();
    if !network.symmetry().is_by_translation() {
        return None;
    }
    Some(match Symmetry::of(topology, network.relation()) {
        Ok(found) if found == *network.symmetry() => {
            let sources: Vec<String> = network.sources().iter().map(|n| n.0.to_string()).collect();
            let routes = sources.len() * topology.sinks().count();
            let from = if sources.len() == 1 { "node" } else { "nodes" };
            let sources = sources.join(", ");
            Ok(format!("every route is the translate of one of {routes} from {from} {sources}"))
        }
        Ok(_) => Err("taken for symmetric, but is not".to_owned()),
        Err(error) => Err(error.to_string()),
    })
}

/// Every turn that is built has a witness whose route takes it.
pub fn turns(plan: &FabricPlan) -> Outcome {
    let (topology, relation) = (plan.topology(), plan.relation());
    if relation.choices().is_some() {
        return turns_by_choice(plan);
    }
    let mut count = 0;
    for (class, turns) in plan.switches.iter().zip(&plan.network().turns().classes) {
        for turn in &class.turns {
            let name = || format!("{turn:?} of {}", class.name);
            let Some(witness) = turns.turns.get(turn) else {
                return Err(format!("no witness for {}", name()));
            };
            let steps =
                route(topology, relation, witness.source, witness.destination, witness.draw);
            let steps = steps.map_err(|error| error.to_string())?;
            let takes = steps.iter().any(|s| {
                let (input, output) = ((s.input, s.vc), (s.hop.output, s.hop.vc));
                s.node == witness.at
                    && input == (turn.input, turn.input_vc)
                    && output == (turn.output, turn.output_vc)
            });
            if !takes {
                return Err(format!("the witness of {} does not take it", name()));
            }
            count += 1;
        }
    }
    Ok(format!("{count} turns, each taken by the route of its witness"))
}

/// Every turn that is built is one that some packet can choose, and the other way round.
fn turns_by_choice(plan: &FabricPlan) -> Outcome {
    let (topology, network) = (plan.topology(), plan.network());
    let mut found = vec![BTreeSet::new(); plan.switches.len()];
    let mut steps = 0u64;
    every_step(topology, network.relation(), network.symmetry(), |_, _, _, step| {
        let Step { node, input, vc: input_vc, hop, .. } = *step;
        let turn = Turn { input, input_vc, output: hop.output, output_vc: hop.vc };
        found[network.turns().class_of(node)].insert(turn);
        steps += 1;
    })
    .map_err(|error| error.to_string())?;
    let mut count = 0;
    for (class, found) in plan.switches.iter().zip(&found) {
        let built: BTreeSet<Turn> = class.turns.iter().copied().collect();
        if let Some(turn) = built.symmetric_difference(found).next() {
            return Err(format!("{turn:?} of {} is built and not taken, or not built", class.name));
        }
        count += built.len();
    }
    Ok(format!("{count} turns, just those of the {steps} steps that packets can choose"))
}

/// The certificate, by its independent checker; or the cycle, drawn.
pub fn deadlock(plan: &FabricPlan) -> Outcome {
    let (topology, relation) = (plan.topology(), plan.relation());
    match plan.network().verdict() {
        DeadlockVerdict::Free(proof) => match certificate::check(topology, relation, proof) {
            Ok(routes) => {
                let condition = plan.deadlock_free_condition().unwrap_or_default();
                let (numbers, vcs) = (proof.numbers.len(), relation.vcs());
                let what = match relation.choices() {
                    None => format!("channel numbers ascend along {routes} routes"),
                    Some(_) if relation.has_escape() => format!(
                        "numbers of escape channels ascend, from wherever packets choose, along \
                         {routes} routes"
                    ),
                    Some(_) => {
                        let drawn = if relation.is_randomised() { " and draws" } else { "" };
                        format!("channel numbers ascend along every route of {routes} pairs{drawn}")
                    }
                };
                Ok(format!("{numbers} {what}, {vcs} virtual channel(s); free {condition}"))
            }
            Err(error) => Err(error.to_string()),
        },
        DeadlockVerdict::Cyclic(cycle) => {
            Err(format!("packets can wait in a cycle: {}", draw(topology, cycle)))
        }
    }
}

/// `0000 -dim3-> 1000 -dim2-> ... -> 0000`.
fn draw(topology: &dyn Topology, cycle: &Cycle) -> String {
    let channels = &cycle.channels;
    let step = |c: &turnpike_analysis::deadlock::WaitingChannel| {
        format!("{} -{}-> ", topology.label(c.from), topology.port_name(c.output))
    };
    let start = channels.first().map(|c| topology.label(c.from));
    channels.iter().map(step).collect::<String>() + &start.unwrap_or_default()
}

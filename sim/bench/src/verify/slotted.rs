//! Checks of a slotted fabric.

use super::{Check, Outcome};
use crate::testbench::run;
use crate::testbench::slotted::SlottedBench;
use std::collections::{HashMap, HashSet};
use turnpike_network::routing::walk::walk;
use turnpike_network::routing::{Draw, Input, Output};
use turnpike_network::topology::{Node, Port};
use turnpike_schedule::time_table::check::Marks;
use turnpike_sim_rtl::dut::Dut;
use turnpike_slotted::rtl::slotted;
use turnpike_slotted::switches::SlottedSwitch;
use turnpike_slotted::{SlottedFlow, SlottedPlan};

/// Names of the checks, in the order of [`run_slotted`].
pub const SLOTTED_CHECKS: [&str; 3] = ["time table", "slot tables", "random traffic"];
/// Terminal-cycles of random traffic, and the fewest and most cycles.
const TERMINAL_CYCLES: u64 = 1 << 16;
const CYCLES: (u64, u64) = (2000, 8000);

/// Makes every check. `begin` hears of each before it is made.
pub fn run_slotted(plan: &SlottedPlan, begin: &mut dyn FnMut(&'static str)) -> Vec<Check> {
    let check = |check| {
        begin(check);
        let outcome = match check {
            "time table" => time_table(plan),
            "slot tables" => slot_tables(plan),
            _ => random(plan),
        };
        Check::of(check, Ok(outcome))
    };
    SLOTTED_CHECKS.into_iter().map(check).collect()
}

/// Whether no two words take one channel in one slot, along the routes of the relation.
fn time_table(plan: &SlottedPlan) -> Outcome {
    let (topology, relation) = (plan.over().topology(), plan.over().relation());
    let mut marks = Marks::new(plan.frame());
    for flow in plan.flows() {
        for &start in &flow.starts {
            let mut route = Vec::new();
            walk(topology, relation, flow.source, flow.destination, Draw::NONE, |step| {
                if route.is_empty() {
                    route.push((step.node, Err(step.input)));
                }
                route.push((step.node, Ok(step.hop.output)));
            })
            .map_err(|error| error.to_string())?;
            marks.word(start, route).map_err(|error| error.to_string())?;
        }
    }
    Ok(format!(
        "{} words of {} flows in a frame of {}, each along its route: no two take one channel in one slot",
        plan.words(),
        plan.flows().len(),
        plan.frame()
    ))
}

/// Whether the slot tables bring each word to its sink in its time, and have no entry besides.
fn slot_tables(plan: &SlottedPlan) -> Outcome {
    let switches: HashMap<Node, &SlottedSwitch> =
        plan.switches().iter().map(|switch| (switch.node, switch)).collect();
    let mut ends: HashMap<(Node, Port), (Node, Input)> = HashMap::new();
    for switch in plan.switches() {
        for &input in &switch.inputs {
            let Input::Network(port) = input else { continue };
            let from = plan.over().channel_into(switch.node, port);
            ends.insert(from.ok_or("an input without a channel")?, (switch.node, input));
        }
    }
    let mut used = HashSet::new();
    for flow in plan.flows() {
        for &start in &flow.starts {
            follow(plan, &switches, &ends, flow, start, &mut used)?;
        }
    }
    let outputs = plan.switches().iter().flat_map(|switch| &switch.outputs);
    let entries = outputs.map(|output| output.slots.iter().flatten().count()).sum::<usize>();
    if entries != used.len() {
        return Err(format!("{entries} entries, and words take {} of them", used.len()));
    }
    let crosspoints: usize = plan.switches().iter().map(SlottedSwitch::crosspoints).sum();
    Ok(format!(
        "{} words come to their sinks when they should, by the tables of the plan; each of {entries} entries of the tables of {} \
         switches, and of {crosspoints} crosspoints, is of some word",
        plan.words(),
        plan.switches().len()
    ))
}

/// Follows the word of a flow that starts in a slot; `used` gathers the entries that it takes.
fn follow(
    plan: &SlottedPlan,
    switches: &HashMap<Node, &SlottedSwitch>,
    ends: &HashMap<(Node, Port), (Node, Input)>,
    flow: &SlottedFlow,
    start: u32,
    used: &mut HashSet<(Node, Output, u32)>,
) -> Result<(), String> {
    let topology = plan.over().topology();
    let label = |terminal| topology.terminal_label(terminal);
    let lost = |what: &str| {
        let (from, to) = (label(flow.source), label(flow.destination));
        Err(format!("the word of {from} to {to} that starts in slot {start}: {what}"))
    };
    let Some(mut at) = Input::of(topology, flow.source) else { return lost("no source") };
    for place in 0..flow.cycles {
        let slot = (start + place) % plan.frame();
        let Some(switch) = switches.get(&at.0) else { return lost("no switch") };
        let Ok(input) = switch.inputs.binary_search(&at.1) else { return lost("no input") };
        let takes = |output: &&turnpike_slotted::switches::SlottedOutput| {
            output.slots[slot as usize] == Some(input)
        };
        let mut taking = switch.outputs.iter().filter(takes);
        let (Some(output), None) = (taking.next(), taking.next()) else {
            return lost("not one output takes it");
        };
        used.insert((switch.node, output.output, slot));
        let is_last = place + 1 == flow.cycles;
        match output.output {
            Output::Network(port) if !is_last => match ends.get(&(switch.node, port)) {
                Some(&end) => at = end,
                None => return lost("its channel leads nowhere"),
            },
            Output::Eject(_) if is_last => {
                let sink = Output::of(topology, flow.destination);
                if sink != Some((switch.node, output.output)) {
                    return lost("comes to another sink");
                }
            }
            _ => return lost("comes too early or too late"),
        }
    }
    Ok(())
}

/// Random words and resets, against the reference model in every cycle.
fn random(plan: &SlottedPlan) -> Outcome {
    let terminals = plan.over().sources().len().max(1) as u64;
    let cycles = (TERMINAL_CYCLES / terminals).clamp(CYCLES.0, CYCLES.1);
    let design = slotted(plan).map_err(|error| error.to_string())?;
    let bench = SlottedBench::new(plan, cycles, 1);
    let bench = run(Dut::new(&design), bench, None).map_err(|error| error.to_string())?;
    Ok(format!(
        "{cycles} cycles as the reference model, {} words delivered, each in its cycle",
        bench.delivered
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::CheckVerdict;
    use turnpike_slotted::testing::plans;

    #[test]
    fn small_fabrics_hold() {
        for plan in plans().iter().step_by(3) {
            let checks = run_slotted(plan, &mut |_| ());
            assert!(checks.iter().all(|c| c.verdict == CheckVerdict::Holds), "{checks:#?}");
        }
    }
}

//! Checks of a circuit fabric.

use super::{Check, Outcome};
use crate::testbench::circuit::{CircuitBench, Op};
use crate::testbench::run;
use std::collections::BTreeSet;
use turnpike_circuit::plan::{CircuitPlan, Control};
use turnpike_circuit::rtl::circuit;
use turnpike_circuit::rtl::registers::Address;
use turnpike_emit::circuit::draw;
use turnpike_netlist::Design;
use turnpike_schedule::network::{Lead, Network};
use turnpike_sim_rtl::dut::Dut;

/// Names of the checks, in the order of [`run_circuit`].
pub const CIRCUIT_CHECKS: [&str; 3] = ["links", "drawn permutations", "random traffic"];
/// Cycles of random traffic.
const CYCLES: u64 = 4000;
/// Permutations that are drawn, at most.
const DRAWN: u32 = 64;

/// Makes every check. `begin` hears of each before it is made.
pub fn run_circuit(plan: &CircuitPlan, begin: &mut dyn FnMut(&'static str)) -> Vec<Check> {
    let design = circuit(plan).expect("the builders are right");
    let mut checks = Vec::new();
    for check in CIRCUIT_CHECKS {
        begin(check);
        let outcome = match check {
            "links" => Ok(links(&plan.network)),
            "drawn permutations" => match plan.control {
                Control::Memory(slots) => drawn(plan, &design, slots),
                Control::Baked(_) | Control::SelfRouting => {
                    Err("there is no settings memory".to_owned())
                }
            },
            _ => Ok(random(plan, &design)),
        };
        checks.push(Check::of(check, outcome));
    }
    checks
}

/// Whether the links after each stage lead to every input of the next, or to every sink, once.
fn links(network: &Network) -> Outcome {
    let mut count = 0;
    for stage in 0..network.stages() {
        let (mut inputs, mut sinks) = (BTreeSet::new(), BTreeSet::new());
        for switch in 0..network.switches(stage) {
            for port in 0..network.outputs(stage) {
                let place = turnpike_schedule::network::Place { switch, port };
                let fresh = match network.lead(stage, place) {
                    Some(Lead::Input(to)) => inputs.insert((to.switch, to.port)),
                    Some(Lead::Sink(sink)) => sinks.insert(sink),
                    None => false,
                };
                if !fresh {
                    return Err(format!("stage {stage}, switch {switch}, output {port}: no link"));
                }
                count += 1;
            }
        }
        let next = network.switches(stage + 1) * network.inputs(stage + 1);
        let ends = if next == 0 { network.terminals() } else { next };
        if (inputs.len() + sinks.len()) as u32 != ends {
            return Err(format!("after stage {stage}: {ends} ends, {count} links"));
        }
    }
    Ok(format!("{count} links, each to an end of its own"))
}

/// Drawn permutations, written over the bus: each has to be seen at the sinks. Why there is nothing
/// to look at, where none passes whole.
fn drawn(plan: &CircuitPlan, design: &Design, slots: u32) -> Result<Outcome, String> {
    let whole = draw(plan, DRAWN).into_iter().filter(|(permutation, _)| permutation.is_whole());
    let whole: Vec<_> = whole.collect();
    if whole.is_empty() {
        return Err("no drawn permutation passes this network whole".to_owned());
    }
    let (map, layout) = (plan.map(), plan.layout());
    let (mut script, mut wanted) = (Vec::new(), BTreeSet::new());
    for chunk in whole.chunks(slots as usize) {
        for (slot, (permutation, settings)) in (0..).zip(chunk) {
            let words = layout.encode(settings, permutation);
            let write = |(word, data)| Op::Write(map.address(slot, word), data);
            script.extend((0..).zip(words).map(write));
            let mut sources = vec![0; plan.terminals() as usize];
            permutation.connections().for_each(|c| sources[c.sink as usize] = c.source);
            wanted.insert(sources);
        }
        script.push(Op::Write(Address::Count.bytes(), chunk.len() as u32));
        script.push(Op::Write(Address::Swap.bytes(), 1));
        script.extend([Op::Run(8), Op::Swapped, Op::Run(2 * slots + plan.latency())]);
    }
    let bench = CircuitBench::with_script(plan, script);
    let bench = match run(Dut::new(design), bench, None) {
        Ok(bench) => bench,
        Err(error) => return Ok(Err(error.to_string())),
    };
    Ok(match wanted.iter().find(|sources| !bench.seen.contains(*sources)) {
        Some(sources) => Err(format!("the sinks never take from {sources:?}")),
        None => Ok(format!(
            "{} permutations of a sample, written over AXI4-Lite, each seen at the sinks",
            wanted.len()
        )),
    })
}

/// Random words, pauses, resets and bus accesses, against the reference model in every cycle.
fn random(plan: &CircuitPlan, design: &Design) -> Outcome {
    let bench = CircuitBench::new(plan, CYCLES, 1);
    let bench = run(Dut::new(design), bench, None).map_err(|error| error.to_string())?;
    let swaps = match plan.control {
        Control::Memory(_) => format!(", {} swaps", bench.swaps),
        Control::SelfRouting => {
            format!(", words lost in {} cycles, as they should", bench.conflicts)
        }
        Control::Baked(_) => String::new(),
    };
    Ok(format!("{CYCLES} cycles as the reference model, {} words{swaps}", bench.delivered))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::CheckVerdict;
    use turnpike_circuit::testing::plans;

    #[test]
    fn every_small_fabric_holds() {
        for plan in plans().iter().step_by(7) {
            let checks = run_circuit(plan, &mut |_| ());
            assert!(checks.iter().all(|c| c.verdict != CheckVerdict::Fails), "{checks:#?}");
            assert_eq!(checks[0].verdict, CheckVerdict::Holds);
        }
    }
}

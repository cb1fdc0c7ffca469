//! Checks of a bus fabric.

use super::{Check, Outcome};
use crate::testbench::bus::BusBench;
use crate::testbench::run;
use std::collections::BTreeSet;
use turnpike_bus::rtl::fabric;
use turnpike_bus::rtl::flows::receiver_name;
use turnpike_bus::{BusFlows, BusPlan, Funnels, Grid, Layout};
use turnpike_sim_rtl::dut::Dut;

/// Names of the checks, in the order of [`run_bus`].
pub const BUS_CHECKS: [&str; 2] = ["busses", "random traffic"];
/// Terminal-cycles of random traffic, and the fewest and most cycles.
const TERMINAL_CYCLES: u64 = 1 << 16;
const CYCLES: (u64, u64) = (1000, 8000);

/// Makes every check. `begin` hears of each before it is made.
pub fn run_bus(plan: &BusPlan, begin: &mut dyn FnMut(&'static str)) -> Vec<Check> {
    let check = |check| {
        begin(check);
        let outcome = match check {
            "busses" => match &plan.layout {
                Layout::Lines => busses(&plan.grid),
                Layout::OneBus(flows) => hears_its_own(plan, flows),
                Layout::Leveled(network) => funnels(network),
            },
            _ => random(plan),
        };
        Check::of(check, Ok(outcome))
    };
    BUS_CHECKS.into_iter().map(check).collect()
}

/// Whether every node is on one bus of each dimension, at its coordinate, and busses taken in the
/// order of the dimensions lead from each of some nodes to every node.
fn busses(grid: &Grid) -> Outcome {
    for dimension in 0..grid.dimensions() {
        let mut seen = BTreeSet::new();
        for line in 0..grid.lines(dimension) {
            for (at, node) in (0..).zip(grid.line(dimension, line)) {
                if !seen.insert(node) || grid.coordinate(node, dimension) != at {
                    return Err(format!(
                        "{}: node {node} is not once at {at}",
                        grid.name(dimension)
                    ));
                }
            }
        }
        if seen.len() as u32 != grid.nodes() {
            return Err(format!("{}: {} nodes on busses", grid.name(dimension), seen.len()));
        }
    }
    let mut pairs = 0;
    let mut longest = 0;
    for source in [0, grid.nodes() - 1] {
        for sink in 0..grid.nodes() {
            let (mut at, mut from, mut taken) = (source, 0, 0);
            while let Some(dimension) = grid.next_dimension(at, sink, from) {
                at = grid.along(at, dimension, grid.coordinate(sink, dimension));
                (from, taken) = (dimension + 1, taken + 1);
            }
            if at != sink {
                return Err(format!("from {source} for {sink}: comes to {at}"));
            }
            longest = longest.max(taken);
            pairs += 1;
        }
    }
    Ok(format!(
        "{} nodes on {} busses each; {pairs} pairs, from the first and the last node, over at most \
         {longest} busses",
        grid.nodes(),
        grid.dimensions()
    ))
}

/// Whether every node that is built hears one bus, and busses, by every function in turn, lead from
/// each of some sources to every sink.
fn funnels(funnels: &Funnels) -> Outcome {
    let network = funnels.network();
    for level in 0..network.levels() {
        let mut seen = BTreeSet::new();
        for &receiver in funnels.busses(level).iter().flat_map(|bus| &bus.receivers) {
            if !seen.insert(receiver) {
                return Err(format!("level {level}: node {receiver} hears two busses"));
            }
        }
        if !seen.iter().copied().eq(funnels.built(level)) {
            return Err(format!("level {level}: {} nodes hear busses", seen.len()));
        }
    }
    let mut ways = 0;
    for source in [0, network.nodes() - 1] {
        for sink in 0..network.nodes() {
            for turn in 0..network.functions(1) {
                let mut at = source;
                for level in (0..network.levels()).rev() {
                    let taps = funnels.taps(level, at);
                    let Some(tap) = taps.get((turn % taps.len().max(1) as u32) as usize) else {
                        return Err(format!("level {}: node {at} has no busses", level + 1));
                    };
                    let bus = &funnels.busses(level)[tap.bus as usize];
                    if bus.senders.get(tap.at as usize) != Some(&at) {
                        return Err(format!("level {}: node {at} is on no bus", level + 1));
                    }
                    let part = sink / network.group(level) % network.side();
                    at = bus.receivers[part as usize];
                }
                if at != sink {
                    return Err(format!("from {source} for {sink}: comes to {at}"));
                }
                ways += 1;
            }
        }
    }
    Ok(format!(
        "{} sources and sinks; {ways} ways from the first and the last source, of every function of \
         the funnels to level 1, over {} busses each",
        network.nodes(),
        network.levels()
    ))
}

/// Whether each sink of a bus for flows hears as many senders as have a flow to it, by the ports of its
/// receiver in the netlist.
fn hears_its_own(plan: &BusPlan, flows: &BusFlows) -> Outcome {
    let design = fabric(plan).map_err(|error| error.to_string())?;
    let mut heard = 0;
    for sink in flows.sinks() {
        let count = flows.of_sink(sink).len() as u32;
        let name = receiver_name(plan, count);
        let module = design.modules().iter().find(|module| module.name == name);
        let ports = module.and_then(|module| {
            let mut ports = module.ports();
            ports.find(|(_, info)| info.name == "send").map(|(net, _)| net.width)
        });
        if ports != Some(count) {
            return Err(format!("sink {sink}: {count} senders, and a receiver of {ports:?}"));
        }
        heard += count;
    }
    match heard as usize == flows.pairs().len() {
        true => Ok(format!(
            "{} sinks on one bus hear {heard} senders in all: those of their flows",
            flows.sinks().len()
        )),
        false => Err(format!("{heard} crosspoints for {} flows", flows.pairs().len())),
    }
}

/// Random words, pauses and resets, against the reference model in every cycle.
fn random(plan: &BusPlan) -> Outcome {
    let cycles = (TERMINAL_CYCLES / u64::from(plan.terminals())).clamp(CYCLES.0, CYCLES.1);
    let design = fabric(plan).map_err(|error| error.to_string())?;
    let bench = BusBench::new(plan, cycles, 1);
    let bench = run(Dut::new(&design), bench, None).map_err(|error| error.to_string())?;
    let counts = bench.counts;
    Ok(format!(
        "{cycles} cycles as the reference model, {} words delivered; of {} sent on busses {} were \
         alone, and {} of these taken",
        bench.delivered, counts.sent, counts.understood, counts.taken
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::CheckVerdict;
    use turnpike_bus::testing::plans;

    #[test]
    fn some_small_fabrics_hold() {
        for plan in plans().iter().step_by(5) {
            let checks = run_bus(plan, &mut |_| ());
            assert!(checks.iter().all(|c| c.verdict == CheckVerdict::Holds), "{checks:#?}");
        }
    }
}

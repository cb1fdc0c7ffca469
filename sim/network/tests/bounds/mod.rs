//! Bounds of latency: against an adversary, and their steps against the checker.

mod adversary;
mod heads;
mod steps;

use std::collections::BTreeSet;
use turnpike_base::random::Random;
use turnpike_bounds::{Bounds, bounds};
use turnpike_fabric::plan::{FabricPlan, Parameters, Pipeline};
use turnpike_fabric::testing::{plan_for, plan_of};

/// Networks with a few terminals each: one virtual channel and two, routes drawn, several terminals
/// at a switch.
const NETWORKS: &[&str] = &[
    "mesh 3x3 dimension-order",
    "mesh 4x2 dimension-order",
    "torus 4x3 dimension-order",
    "hypercube 3 rotation",
    "hypercube 2 two-phase",
    "ring 5 dimension-order",
    "fat-tree 2_3 up-down",
    "star 4 direct",
    "mesh 2x2 dimension-order concentrated 2",
    // One switch, and a line to one sink.
    "wired alone shortest",
    "wired gathered shortest",
];

const RATES: [&str; 5] = ["0.01", "0.02", "0.03", "0.05", "0.07"];
const LENGTHS: [usize; 7] = [1, 1, 2, 3, 4, 6, 13];

/// Random flows from these sources to these sinks, as a file; `None` where no flow came out.
fn drawn(random: &mut Random, [sources, sinks]: &[Vec<String>; 2]) -> Option<String> {
    let mut pick = |below: usize| random.below(below as u32) as usize;
    let (is_one_length, length) = (pick(2) == 0, LENGTHS[pick(LENGTHS.len())]);
    let (has_classes, is_hot) = (pick(4) == 0, pick(3) == 0);
    // Bursts that keep a source busy through all of a trial.
    let is_saturated = pick(3) == 0;
    let mut text = String::new();
    let mut seen = BTreeSet::new();
    for _ in 0..2 + pick(10) {
        let from = &sources[pick(sources.len())];
        let to = &sinks[if is_hot && pick(3) > 0 { 0 } else { pick(sinks.len()) }];
        let class = if has_classes { ["a,", "b,"][pick(2)] } else { "" };
        if from == to || !seen.insert((from, to, class)) {
            continue;
        }
        let packet = if is_one_length { length } else { LENGTHS[pick(LENGTHS.len())] };
        let packets = if is_saturated && pick(3) > 0 { 200 } else { 1 + pick(3) * pick(4) };
        let burst = packet * packets;
        let rate = RATES[pick(RATES.len())];
        text += &format!("{from},{to},{class}{rate},{packet},{burst}\n");
    }
    let class = if has_classes { ",class" } else { "" };
    let has_both = [",a,", ",b,"].iter().all(|class| text.contains(class));
    let lines = match (has_classes && has_both).then(|| pick(3)) {
        Some(0) => "class a priority 1\nclass b\n",
        Some(1) => "class a\nclass b priority 15\n",
        _ => "",
    };
    let head = format!("{lines}source,destination{class},bandwidth,packet,burst\n");
    (!text.is_empty()).then_some(head + &text)
}

/// Random switches.
fn built(random: &mut Random) -> Parameters {
    let pipeline = Pipeline::ALL[random.below(Pipeline::ALL.len() as u32) as usize];
    let depth = pipeline.least_depth() + random.below(6);
    Parameters { width: 1, pipeline, depth, ..Parameters::default() }
}

/// A random fabric for flows, with its bounds.
fn fabric(random: &mut Random) -> (FabricPlan, Bounds) {
    let name = NETWORKS[random.below(NETWORKS.len() as u32) as usize];
    let parameters = built(random);
    let all = plan_of(name, parameters);
    let topology = all.topology();
    let label = |end| topology.terminal_label(end);
    let ends: [Vec<String>; 2] =
        [topology.sources().map(label).collect(), topology.sinks().map(label).collect()];
    let flows = std::iter::repeat_with(|| drawn(random, &ends)).flatten().next();
    let plan = plan_for(name, &flows.expect("some come out"), parameters);
    let bounds = bounds(&plan).unwrap();
    (plan, bounds)
}

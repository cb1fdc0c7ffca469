//! Quality of the matching of packets to channels in adaptive switches: the packets that the RTL's allocator serves in
//! a cycle, as a share of those that a maximum matching would serve in the same states, in random
//! states of a switch and under load; and what
//! the allocator, and the rule that an adaptive queue holds one packet, cost in throughput.
//!
//! `cargo run --release -p turnpike-sim-network --example matching [topology dimension ...]`

use std::sync::Arc;
use turnpike_analysis::network::Network;
use turnpike_fabric::plan::{FabricPlan, Parameters};
use turnpike_network::topology::Terminal;
use turnpike_sim_network::reference::{Allocator, Beat, Matched, Reference};
use turnpike_sim_network::terminals::TerminalSet;
use turnpike_sim_network::traffic::random::Random;

/// Cycles before the counting, and counted.
const WARM_UP: u64 = 2_000;
const CYCLES: u64 = 6_000;
/// Random states of a switch.
const STATES: u32 = 100_000;

/// Uniform traffic at `load` flits per terminal and cycle, 1 being saturation: what the allocator
/// matched, and the flits delivered per terminal and cycle.
fn run(mut reference: Reference, load: f64, flits: u32) -> (Matched, f64) {
    let nodes = reference.terminals();
    let (all, mut random) = (TerminalSet::all(nodes), Random::new(1));
    // By source: destination and flits left of the packet on offer; packets behind it.
    let mut sources = vec![(0, 0, 0u64); nodes as usize];
    let often = (load / f64::from(flits) * f64::from(u32::MAX)) as u32;
    let mut delivered = 0;
    for cycle in 0..WARM_UP + CYCLES {
        if cycle == WARM_UP {
            reference.measure_matching();
            delivered = 0;
        }
        for (terminal, (destination, left, behind)) in (0..nodes).zip(&mut sources) {
            *behind += u64::from(load >= 1.0 || random.below(u32::MAX) < often);
            if *left == 0 && *behind > 0 {
                (*destination, *left, *behind) = (random.below(nodes), flits, *behind - 1);
            }
            let beat =
                Beat { packet: terminal, destination: Terminal(*destination), last: *left == 1 };
            if *left > 0 && reference.offer(terminal, beat) {
                *left -= 1;
            }
        }
        delivered += reference.clock(&all).len();
    }
    let throughput = delivered as f64 / CYCLES as f64 / f64::from(nodes);
    (reference.matched().unwrap_or_default(), throughput)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut networks = Vec::new();
    while let (Some(topology), Some(dimension)) = (arguments.next(), arguments.next()) {
        networks.push((topology, dimension.parse()?));
    }
    if networks.is_empty() {
        let all = [("hypercube", 4), ("hypercube", 6), ("directed-cube", 4), ("directed-cube", 6)];
        networks = all.map(|(topology, dimension)| (topology.to_owned(), dimension)).to_vec();
    }
    println!("network            flits  load   matched / maximum   switch cycles short");
    for (topology, dimension) in &networks {
        let network = Network::new(topology, *dimension, Some("adaptive"), None)?;
        let plan = FabricPlan::new(Arc::new(network), Parameters::default(), None)?;
        let name = format!("{topology} {dimension}");
        let share = |part: u64, of: u64| 100.0 * part as f64 / of.max(1) as f64;
        let Matched { matched, possible, short, cycles } =
            Matched::of_random_states(&plan, STATES, 1)?;
        println!(
            "{name:<18} random states {:>15.2} %   {:>17.2} %",
            share(matched, possible),
            share(short, cycles)
        );
        for flits in [1, 4, 16] {
            for load in [0.1, 0.3, 1.0] {
                let (matched, _) = run(Reference::new(&plan)?, load, flits);
                let Matched { matched, possible, short, cycles } = matched;
                println!(
                    "{name:<18} {flits:>5}  {load:<4}  {:>15.2} %   {:>17.2} %",
                    share(matched, possible),
                    share(short, cycles)
                );
            }
        }
    }
    println!();
    println!("flits delivered per terminal and cycle at saturation");
    println!("network            flits    RTL   maximum   RTL, queues shared   escape alone");
    for (topology, dimension) in &networks {
        let plan = |routing| -> Result<FabricPlan, Box<dyn std::error::Error>> {
            let network = Network::new(topology, *dimension, Some(routing), None)?;
            Ok(FabricPlan::new(Arc::new(network), Parameters::default(), None)?)
        };
        let adaptive = plan("adaptive")?;
        let escape = plan(if topology == "hypercube" { "ecube" } else { "static" })?;
        let name = format!("{topology} {dimension}");
        for flits in [1, 4, 16] {
            let rtl = run(Reference::new(&adaptive)?, 1.0, flits).1;
            let maximum = Reference::with_allocator(&adaptive, Allocator::Maximum)?;
            let maximum = run(maximum, 1.0, flits).1;
            let mut shared = Reference::new(&adaptive)?;
            shared.share_adaptive_queues();
            let shared = run(shared, 1.0, flits).1;
            let alone = run(Reference::new(&escape)?, 1.0, flits).1;
            println!(
                "{name:<18} {flits:>5}  {rtl:.3}     {maximum:.3}                {shared:.3}          {alone:.3}"
            );
        }
    }
    Ok(())
}

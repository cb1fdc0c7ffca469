//! The RTL of the whole fabric against the reference router, every output in every
//! cycle. Effort is bounded: large cubes are run for less.

use super::Outcome;
use crate::testbench::fabric::{Until, run_fabric};
use crate::testbench::terminals::FabricDut;
use turnpike_base::hash::hash;
use turnpike_fabric::plan::FabricPlan;
use turnpike_network::flows::end_word;
use turnpike_network::topology::Terminal;
use turnpike_sim_network::stimulus::{Stimulus, StimulusPacket};
use turnpike_sim_network::traffic::{Ends, TrafficConfig, synthetic};

/// Nodes up to which all pairs are run.
const ALL_PAIRS_NODES: u32 = 32;
/// Packets in all, about, beyond that.
const SAMPLED_PACKETS: u32 = 2_048;
/// Node-cycles of random traffic, about.
const NODE_CYCLES: u64 = 1 << 16;
/// Flits of the longest packet among all pairs.
const LONGEST: u32 = 64;
/// More cycles than any delivery takes.
const MOST_CYCLES: u64 = 1_000_000;

fn run(plan: &FabricPlan, stimulus: Stimulus, until: Until) -> Result<(u64, u64, u64), String> {
    let circuit = FabricDut::new(plan).map_err(|error| error.to_string())?;
    let run = run_fabric(circuit, plan, &stimulus, until, None);
    let recording = run.map_err(|error| error.to_string())?;
    Ok((recording.digests.len() as u64, recording.accepted, recording.delivered))
}

/// A packet from every terminal to every terminal, all released at once, of 1 to 4 × depth flits.
pub fn all_pairs(plan: &FabricPlan) -> Outcome {
    let topology = plan.topology();
    let nodes = topology.terminals();
    let longest = (4 * plan.parameters.depth).min(LONGEST);
    let mut stimulus = Stimulus::new(plan, 1);
    let pairs = match nodes <= ALL_PAIRS_NODES {
        true => {
            stimulus = stimulus.with_all_pairs(longest);
            "all pairs".to_owned()
        }
        false => {
            let each = (SAMPLED_PACKETS / nodes).max(2);
            for (source, list) in (0u64..).zip(&mut stimulus.packets) {
                let to: Vec<Terminal> = topology.destinations(Terminal(source as u32)).collect();
                let addresses = if topology.flows().is_some() { to.len() as u32 } else { nodes };
                list.extend((0..u64::from(each)).filter(|_| addresses > 0).map(|i| {
                    let draw = hash(1, &[source, i]);
                    let flits = 1 + (draw >> 32) as u32 % longest;
                    let drawn = draw as u32 % addresses;
                    let flow = topology.flows().map(|_| to[drawn as usize].0);
                    StimulusPacket { release: 0, destination: flow.unwrap_or(drawn), flits }
                }));
            }
            let sources = topology.sources().count();
            format!("each of {sources} {}s to {each} random ones", end_word(topology))
        }
    };
    stimulus = stimulus.between_live(plan.topology());
    let (packets, flits) = stimulus.size();
    let (until, end) = match plan.network().certificate() {
        Some(_) => (Until::Delivered(MOST_CYCLES), "all delivered"),
        None => (Until::Cycle(2_000), "deadlock included"),
    };
    let (cycles, ..) = run(plan, stimulus, until)?;
    Ok(format!(
        "{pairs} on the RTL, {packets} packets of up to {longest} flits ({flits} flits), \
         {end}, equal to the reference router over {cycles} cycles"
    ))
}

/// Packets of 4 × depth flits at random, with pauses and back-pressure, and resets in the middle.
pub fn random_traffic(plan: &FabricPlan) -> Outcome {
    let nodes = plan.topology().terminals();
    let cycles = (NODE_CYCLES / u64::from(nodes)).clamp(100, 3_000);
    let packet_flits = 4 * plan.parameters.depth;
    let config =
        TrafficConfig { load: 0.6, packet_flits: packet_flits.into(), ..TrafficConfig::default() };
    let mut traffic =
        synthetic(Ends::of(plan.topology()), &config).map_err(|error| error.to_string())?;
    let stimulus = Stimulus::new(plan, 2).with_pauses(0.2, 0.3).with_traffic(&mut *traffic, cycles);
    let stimulus = stimulus.with_resets(cycles);
    let (cycles, accepted, delivered) = run(plan, stimulus, Until::Cycle(cycles))?;
    Ok(format!(
        "packets of {packet_flits} flits on the RTL under back-pressure and two resets, {accepted} \
         flits in and {delivered} out, equal to the reference router over {cycles} cycles"
    ))
}

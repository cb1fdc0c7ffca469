//! Whether packets starve: at saturation, with packets longer than any queue, no packet may
//! grow older than a limit: of classes of unlike priorities no packet of the highest, for the others
//! may wait as long as that has flits to send. Run on the reference router, which the other checks hold the RTL
//! to.

use super::Outcome;
use turnpike_analysis::properties::Balance;
use turnpike_fabric::plan::FabricPlan;
use turnpike_network::flows::Flows;
use turnpike_network::topology::Terminal;
use turnpike_sim_network::reference::{Beat, Reference};
use turnpike_sim_network::terminals::TerminalSet;
use turnpike_sim_network::traffic::random::Random;

/// Node-cycles of a run, about.
const NODE_CYCLES: u64 = 1 << 22;
/// Nodes up to which there is a run.
const MOST_NODES: u32 = 1 << 12;

/// Ages of packets in a run at saturation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ages {
    /// Cycles run.
    pub cycles: u64,
    /// Packets delivered.
    pub delivered: u64,
    /// The greatest age, from a packet's first beat on offer to its last flit at the output;
    /// of packets still under way, their age so far. Of the highest priority, where there are several.
    pub oldest: u64,
    /// Whether all stood still.
    pub stuck: bool,
}

/// Runs a saturated fabric: every source always has a packet of `flits` flits on offer, to a
/// random terminal. Ends early where all stands still or a packet is older than `limit`.
///
/// # Errors
/// What the reference router does not take.
pub fn saturate(plan: &FabricPlan, flits: u32, cycles: u64, limit: u64) -> Result<Ages, String> {
    let mut reference = Reference::new(plan).map_err(|error| error.to_string())?;
    let nodes = reference.terminals();
    let all = TerminalSet::all(nodes);
    let senders: Vec<Terminal> = plan.topology().sources().collect();
    let topology = plan.topology();
    let sinks = |source| topology.destinations(source).collect::<Vec<Terminal>>();
    let to: Vec<Vec<Terminal>> = match topology.flows() {
        None => vec![topology.sinks().collect(); 1],
        Some(_) => (0..topology.terminals()).map(Terminal).map(sinks).collect(),
    };
    let mut random = Random::new(1);
    // By packet: when it was first offered; `None` where there is no such packet, or it may starve.
    let mut births: Vec<Option<u64>> = Vec::new();
    let mut free: Vec<u32> = Vec::new();
    // By source: packet, destination, beats sent.
    let mut sources: Vec<Option<(u32, Terminal, u32)>> = vec![None; nodes as usize];
    let mut ages = Ages { cycles: 0, delivered: 0, oldest: 0, stuck: false };
    let mut still = 0;
    for cycle in 0..cycles {
        ages.cycles = cycle + 1;
        for &Terminal(terminal) in &senders {
            let source = &mut sources[terminal as usize];
            let (packet, destination, sent) = *source.get_or_insert_with(|| {
                let packet = free.pop().unwrap_or_else(|| {
                    births.push(None);
                    births.len() as u32 - 1
                });
                births[packet as usize] = goes_first(plan, terminal).then_some(cycle);
                let sinks = to.get(terminal as usize).unwrap_or(&to[0]);
                (packet, sinks[random.below(sinks.len() as u32) as usize], 0)
            });
            let last = sent + 1 == flits;
            if reference.offer(terminal, Beat { packet, destination, last }) {
                *source = (!last).then_some((packet, destination, sent + 1));
            }
        }
        for delivery in reference.clock(&all).iter().filter(|d| d.flit.last) {
            let birth = births[delivery.flit.packet as usize].take();
            ages.oldest = ages.oldest.max(cycle - birth.unwrap_or(cycle));
            ages.delivered += 1;
            free.push(delivery.flit.packet);
        }
        still = if reference.progressed() { 0 } else { still + 1 };
        ages.stuck = still == 2;
        if cycle % 64 == 0 || ages.stuck || cycle + 1 == cycles {
            let oldest = births.iter().flatten().min().map_or(0, |birth| cycle - birth);
            ages.oldest = ages.oldest.max(oldest);
        }
        if ages.stuck || ages.oldest > limit {
            break;
        }
    }
    Ok(ages)
}

/// Whether no packet of a terminal gives way to those of a higher priority.
fn goes_first(plan: &FabricPlan, terminal: u32) -> bool {
    let flows = plan.topology().flows().filter(|flows| flows.have_priorities());
    flows.is_none_or(|flows| {
        let own = flows.classes()[flows.class_of(Terminal(terminal))].priority;
        flows.classes().iter().all(|class| class.priority <= own)
    })
}

/// The age limit: four times what it takes when at every switch of the longest route the packet of
/// every other source there goes first, on each virtual channel; and as much more as the
/// busiest channel carries more than the mean.
pub fn age_limit(plan: &FabricPlan, flits: u32) -> u64 {
    let lanes = plan.switches.iter().flat_map(|s| &s.output_vcs);
    let fan_in = lanes.map(|lane| lane.sources.len()).max().unwrap_or(1) as u64;
    let vcs = u64::from(plan.relation().vcs());
    let hops = u64::from(plan.longest_route()) + 1;
    let load = Balance::of(plan.network(), u32::MAX).total.most_by_mean.max(1.0);
    ((4 * hops * (fan_in + 1) * vcs * u64::from(flits)) as f64 * load).ceil() as u64
}

/// Packets of 4 × depth flits at saturation. `Err`: why there is no run.
///
/// # Errors
/// A network that is too large.
pub fn check(plan: &FabricPlan) -> Result<Outcome, String> {
    let nodes = plan.topology().terminals();
    if nodes > MOST_NODES {
        return Err(format!("run up to {MOST_NODES} nodes"));
    }
    let flits = 4 * plan.parameters.depth;
    let limit = age_limit(plan, flits);
    let cycles = (NODE_CYCLES / u64::from(nodes)).clamp(500, 50_000).max(limit * 5 / 4);
    Ok(saturate(plan, flits, cycles, limit).and_then(|ages| {
        let Ages { cycles, delivered, oldest, stuck } = ages;
        if stuck {
            return Err(format!(
                "packets of {flits} flits at saturation stand still in cycle {cycles}"
            ));
        }
        if oldest > limit {
            return Err(format!(
                "a packet of {flits} flits is {oldest} cycles old; the limit is {limit}"
            ));
        }
        let topology = plan.topology();
        let of = match topology.flows().is_some_and(Flows::have_priorities) {
            true => " of the highest priority",
            false => "",
        };
        Ok(format!(
            "{delivered} packets of {flits} flits at saturation over {cycles} cycles, none{of} older \
             than {oldest}; the limit is {limit}"
        ))
    }))
}

#[cfg(test)]
mod tests {
    use super::super::tests::plan;
    use super::*;

    #[test]
    fn a_cycle_of_channels_stands_still_or_grows_old() {
        let plan = plan("rotation", 4, Some(1));
        assert!(check(&plan).unwrap().is_err());
    }

    #[test]
    fn ages_are_measured() {
        let plan = plan("rotation", 4, None);
        let ages = saturate(&plan, 16, 5_000, u64::MAX).unwrap();
        assert!(!ages.stuck && ages.delivered > 1_000, "{ages:?}");
        assert!(ages.oldest > 16, "{ages:?}");
        // A limit that is too tight is seen at once.
        let tight = saturate(&plan, 16, 5_000, 17).unwrap();
        assert!(tight.cycles < 200 && tight.oldest > 17, "{tight:?}");
    }
}

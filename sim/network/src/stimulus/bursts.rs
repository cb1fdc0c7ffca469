//! Random traffic for runs that are held cycle for cycle: short packets and long ones, quiet spells and floods,
//! pauses and back-pressure. One seed gives the same everywhere.

use super::{Stimulus, StimulusPacket};
use turnpike_base::hash::hash;
use turnpike_fabric::plan::FabricPlan;
use turnpike_network::topology::Terminal;

/// Marks the draws of this file among those of one seed.
const PACKET: u64 = 100;
const SPELL: u64 = 101;
const START: u64 = 102;
const PATTERN: u64 = 103;

/// Cycles for which a source keeps its rate, and all of them the pattern of their destinations.
const SPELL_CYCLES: u64 = 256;
/// Spells of four in which all packets go to the terminal opposite, and in which all sources send to one.
const OPPOSITE: u64 = 1;
const TO_ONE: u64 = 3;

/// Traffic for `cycles` cycles: uniform destinations, the own one included, and one packet in
/// twelve to an address without a terminal, where there are any. In every second spell all
/// packets go to the terminal opposite (counted from the other end), or all sources send to one.
/// Three packets of four have 1 to 4 flits, the others up to four times a queue's depth; those to
/// the terminal opposite have one and come all at once. So packets that may take several outputs
/// meet often where others choose in the same cycle. Two resets cut into it.
pub fn bursts(plan: &FabricPlan, seed: u64, cycles: u64) -> Stimulus {
    let mut stimulus = Stimulus::new(plan, seed).with_pauses(0.15, 0.3);
    let nodes = u64::from(stimulus.terminals());
    let topology = plan.topology();
    for (source, list) in (0..).zip(&mut stimulus.packets) {
        // Where there are flows, just of these; else addresses that failed are drawn, too.
        let flows = topology.flows().map(|_| {
            topology.destinations(Terminal(source as u32)).map(|to| to.0).collect::<Vec<_>>()
        });
        let number = flows.as_ref().map_or(nodes, |flows| flows.len() as u64);
        if number == 0 {
            continue;
        }
        // The sources begin one after the other.
        let mut release = hash(seed, &[START, source]) % 32;
        for index in 0.. {
            let key = hash(seed, &[PACKET, source, index]);
            let spell = release / SPELL_CYCLES;
            let most = if key.is_multiple_of(4) { 4 * u64::from(plan.parameters.depth) } else { 4 };
            let flits = if spell % 4 == OPPOSITE { 1 } else { 1 + (key >> 2) % most };
            list.push(StimulusPacket {
                release,
                destination: {
                    let drawn = match spell % 4 {
                        OPPOSITE => number - 1 - source % number,
                        TO_ONE => hash(seed, &[PATTERN, spell]) % number,
                        _ => (key >> 32) % number,
                    } as u32;
                    flows.as_ref().map_or(drawn, |flows| flows[drawn as usize])
                },
                flits: flits as u32,
            });
            // From a flood (all at once) to eight cycles a flit.
            let pace = match spell % 4 {
                OPPOSITE => 1,
                _ => [1, 1, 2, 8][(hash(seed, &[SPELL, source, spell]) % 4) as usize],
            };
            release += flits * pace;
            if release >= cycles {
                break;
            }
        }
    }
    stimulus.with_misaddressed(plan, 12).with_resets(cycles)
}

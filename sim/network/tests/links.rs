//! Links with registers: full rate, and what a standstill costs.

use turnpike_fabric::plan::{Parameters, Pipeline};
use turnpike_fabric::testing::plan_of;
use turnpike_network::topology::Terminal;
use turnpike_sim_network::reference::{Beat, Reference};
use turnpike_sim_network::terminals::TerminalSet;

/// Cycles that the sink stands still: longer than it takes to fill all.
const STANDSTILL: u64 = 300;

/// Cycles without a flit at the sink of a packet without end from one switch to the next, once the
/// first flit is there: while the sink takes all, and after a standstill.
fn gaps(parameters: Parameters) -> [u64; 2] {
    let plan = plan_of("hypercube 1 ecube", parameters);
    let mut model = Reference::new(&plan).unwrap();
    let (none, all) = (TerminalSet::none(2), TerminalSet::all(2));
    let beat = Beat { packet: 1, destination: Terminal(1), last: false };
    let cycle = |model: &mut Reference, sinks: &TerminalSet| {
        model.offer(0, beat);
        let there = model.m_flit(1).is_some();
        model.clock(sinks);
        u64::from(!there)
    };
    while cycle(&mut model, &all) == 1 {}
    let flowing = (0..STANDSTILL).map(|_| cycle(&mut model, &all)).sum();
    for _ in 0..STANDSTILL {
        cycle(&mut model, &none);
    }
    [flowing, (0..STANDSTILL).map(|_| cycle(&mut model, &all)).sum()]
}

/// A flit per cycle at any number of registers, and any depth at which there is one without. After a standstill the queue runs
/// empty where it has less than what comes and goes over the link meanwhile (docs/hardware.md).
#[test]
fn a_link_runs_at_full_rate() {
    for (pipeline, register) in [(Pipeline::None, 0), (Pipeline::Grant, 0), (Pipeline::Output, 1)] {
        for link_registers in [0, 1, 2, 5] {
            for depth in [2, 3, 4, 5, 6, 8, 11, 12, 13, 14] {
                let parameters =
                    Parameters { pipeline, link_registers, depth, ..Parameters::default() };
                if parameters.check().is_err() || depth < 2 + pipeline.registers() {
                    continue;
                }
                let wanted = (2 * (link_registers + register) + 2).saturating_sub(depth);
                let found = gaps(parameters);
                assert_eq!(found, [0, wanted.into()], "{pipeline} {link_registers} {depth}");
            }
        }
    }
}

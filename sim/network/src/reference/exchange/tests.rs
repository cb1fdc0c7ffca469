use super::super::layout::Layout;
use super::super::{Allocator, Beat, Reference};
use crate::measure::Crossing;
use crate::terminals::TerminalSet;
use rayon::ThreadPoolBuilder;
use std::collections::BTreeSet;
use turnpike_base::hash::hash;
use turnpike_fabric::plan::{FabricPlan, Parameters, Pipeline};
use turnpike_fabric::testing::{ADAPTIVE_FABRICS, every_fabric, plan_of};
use turnpike_network::topology::Terminal;

/// Reference router in parts, as that of a large network, where packets have no choice.
fn in_parts(plan: &FabricPlan) -> Reference {
    let mut layout = Layout::new(plan).unwrap();
    (layout.is_large, layout.least_part) = (true, 1);
    let mut model = Reference::of(plan, layout, Allocator::Rtl).unwrap();
    model.parts.many_flits = 8;
    model
}

/// Packets of up to 5 flits from every terminal to any, most of the time more than the network takes, to sinks
/// that are not always ready; a reset half way.
fn run(mut model: Reference, cycles: u64) -> (Vec<u64>, Vec<Crossing>) {
    let terminals = model.terminals();
    model.count_crossings();
    let idle = (0, Terminal(0), 0);
    let mut sending = vec![idle; terminals as usize];
    let (mut packet, mut seen) = (0, Vec::new());
    for cycle in 0..cycles {
        let draw = |what: u64, below: u64| hash(1, &[cycle, what]) % below;
        if cycle == cycles / 2 {
            model.reset();
            sending.fill(idle);
        }
        let mut sinks = TerminalSet::none(terminals);
        // In any order.
        let turn = |at: u32| if cycle % 2 == 0 { at } else { terminals - 1 - at };
        for terminal in (0..terminals).map(turn) {
            let (id, destination, left) = &mut sending[terminal as usize];
            let of = |what: u64, below: u64| draw(u64::from(terminal) << 3 | what, below);
            sinks.set(terminal, of(0, 4) != 0);
            if *left == 0 && of(1, 8) < 7 {
                // Addresses of no terminal, too.
                *destination = Terminal(of(2, u64::from(terminals) + 1) as u32);
                packet += 1;
                (*id, *left) = (packet, 1 + of(3, 5) as u32);
            }
            let beat = Beat { packet: *id, destination: *destination, last: *left == 1 };
            if *left > 0 && model.offer(terminal, beat) {
                *left -= 1;
            }
        }
        for terminal in 0..terminals {
            let flit = model.m_flit(terminal).map_or(0, |flit| 1 + u64::from(flit.packet));
            seen.push(flit << 1 | u64::from(model.s_ready(terminal)));
        }
        for delivery in model.clock(&sinks) {
            let flit = delivery.flit;
            let word = hash(0, &[flit.packet.into(), flit.beat.into(), flit.last.into()]);
            seen.push(cycle << 32 | u64::from(delivery.terminal));
            seen.push(word);
        }
        let counts = [model.flits(), model.flit_hops(), model.misaddressed()];
        seen.extend(counts.into_iter().chain([model.largest_queue().into()]));
        seen.push(model.progressed().into());
        let lengths =
            (0..model.layout.nodes as u32).flat_map(|node| (0..64).map(move |q| (node, q)));
        seen.extend(lengths.map(|(node, queue)| u64::from(model.queue_len(node, queue))));
    }
    (seen, model.crossings().collect())
}

/// Parts together do, one thread after the other or several at once, what one part does with all
/// switches.
#[test]
fn parts_do_what_one_does() {
    let more = [
        "hypercube 6 ecube",
        "hypercube 6 rotation",
        "directed-cube 5 random-static",
        "mesh 17x8 dimension-order",
    ];
    let fabrics = every_fabric().chain(more);
    let built = fabrics.flat_map(|fabric| Pipeline::ALL.iter().map(move |&p| (fabric, p)));
    let adaptive = ADAPTIVE_FABRICS.iter().map(|&fabric| (fabric, Pipeline::None));
    let pools =
        [1, 3].map(|threads| ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
    // Plans of several parts; with wide headers, of several kinds of switch, with a shorter part at the end.
    let (mut several, mut wide, mut kinds, mut short) = (0, 0, 0, 0);
    let registers = [0, 2];
    let built =
        built.flat_map(|(fabric, pipeline)| registers.map(|links| (fabric, pipeline, links)));
    let adaptive = adaptive.map(|(fabric, pipeline)| (fabric, pipeline, 0));
    for (at, (fabric, pipeline, link_registers)) in built.chain(adaptive).enumerate() {
        let parameters = Parameters { pipeline, link_registers, depth: 4, ..Default::default() };
        let plan = plan_of(fabric, parameters);
        let model = in_parts(&plan);
        if model.parts.iter().count() > 1 {
            several += 1;
            wide += u32::from(model.is_wide);
            kinds += u32::from(model.layout.classes.len() > 1);
            let lengths: BTreeSet<_> = model.parts.iter().map(|part| part.outputs.len()).collect();
            short += u32::from(lengths.len() > 1);
        }
        let expected = run(Reference::new(&plan).unwrap(), 200);
        let found = pools[at % pools.len()].install(|| run(model, 200));
        assert!(found == expected, "{fabric} {pipeline} {link_registers}");
    }
    let covered = [several, wide, kinds, short];
    assert!(covered.iter().all(|&plans| plans > 2), "{covered:?}");
}

//! Adaptive switches: what their rules promise.

use super::super::{Beat, Reference};
use super::*;
use crate::terminals::TerminalSet;
use crate::traffic::random::Random;
use std::collections::BTreeSet;
use turnpike_fabric::plan::Parameters;
use turnpike_network::routing::choice::ADAPTIVE_VC;
use turnpike_network::topology::Terminal;

fn reference(topology: &str, dimension: u32, depth: u32) -> Reference {
    let network = Network::new(topology, dimension, Some("adaptive"), None).unwrap();
    let parameters = Parameters { depth, ..Parameters::default() };
    let plan = FabricPlan::new(Arc::new(network), parameters, None).unwrap();
    Reference::new(&plan).unwrap()
}

/// The most packets that any adaptive queue holds at once, at saturation with packets of one
/// flit to five; all of them arrive in the end.
fn most_packets_in_a_queue(reference: &mut Reference, cycles: u64) -> usize {
    let nodes = reference.terminals();
    let (all, mut random) = (TerminalSet::all(nodes), Random::new(1));
    let mut sending = vec![(0, 0, 0); nodes as usize];
    let (mut packet, mut most) = (0, 0);
    for cycle in 0.. {
        for (terminal, (id, destination, left)) in (0..nodes).zip(&mut sending) {
            if *left == 0 && cycle < cycles {
                packet += 1;
                (*id, *destination, *left) = (packet, random.below(nodes), 1 + random.below(5));
            }
            let last = *left == 1;
            let beat = Beat { packet: *id, destination: Terminal(*destination), last };
            if *left > 0 && reference.offer(terminal, beat) {
                *left -= 1;
            }
        }
        reference.clock(&all);
        let class = &reference.layout.classes[0];
        let fields = reference.layout.fields;
        for (node, index) in (0..nodes as usize).flat_map(|n| (0..64).map(move |i| (n, i))) {
            let Some(&(input, vc)) = class.queues.get(index) else { continue };
            if !input.is_inject() && vc == ADAPTIVE_VC {
                let (part, queue) = reference.parts.of(fields.at(node, index));
                let flits = part.queues.flits(queue);
                let packets: BTreeSet<u32> = flits.map(Flit::packet).collect();
                most = most.max(packets.len());
            }
        }
        if cycle > cycles && !reference.progressed() {
            assert_eq!(reference.flits(), 0, "all arrive");
            break;
        }
    }
    most
}

/// Duato's condition is kept by the rule that an adaptive queue is ready for a first flit
/// only when it is empty, and not without it.
#[test]
fn adaptive_queues_hold_flits_of_one_packet() {
    for depth in [2, 4] {
        let mut with = reference("hypercube", 3, depth);
        assert_eq!(most_packets_in_a_queue(&mut with, 2_000), 1);
        let mut without = reference("hypercube", 3, depth);
        without.share_adaptive_queues();
        assert!(most_packets_in_a_queue(&mut without, 2_000) > 1);
    }
}

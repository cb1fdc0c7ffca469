//! The reference router against the rules, against a plain model, and under saturation.

use crate::common::naive::Naive;
use crate::common::{Model, Packet, Receiver, Sender, random_packets, random_packets_in};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use turnpike_analysis::deadlock::WaitingChannel;
use turnpike_base::hash::hash;
use turnpike_fabric::plan::{FabricPlan, Parameters, Pipeline};
use turnpike_fabric::testing::{plan, plan_deep, plan_of, plan_with, whole_fabrics};
use turnpike_network::routing::Draw;
use turnpike_network::routing::walk::route;
use turnpike_network::topology::Terminal;
use turnpike_sim_network::reference::{Beat, Reference};
use turnpike_sim_network::terminals::TerminalSet;

/// Whether something happens at a terminal in a cycle, `percent` of the time.
fn happens(seed: u64, what: u64, terminal: u32, cycle: u64, percent: u64) -> bool {
    hash(seed, &[what, terminal.into(), cycle]) % 100 < percent
}

/// Every pair alone in the network takes exactly the zero-load latency.
#[test]
fn zero_load_latency_of_every_pair() {
    let builds = Pipeline::ALL.iter().flat_map(|&pipeline| {
        [0, 1, 3].map(|link_registers| Parameters {
            pipeline,
            link_registers,
            ..Default::default()
        })
    });
    for (parameters, fabric) in builds.flat_map(|p| whole_fabrics().map(move |f| (p, f))) {
        let plan = plan_of(fabric, parameters);
        let (topology, relation) = (plan.topology(), plan.relation());
        for source in topology.sources() {
            for destination in topology.sinks() {
                let draw = plan.generator(source).map_or(Draw::NONE, |first| first.draw());
                let route = route(topology, relation, source, destination, draw).unwrap();
                let hops = route.len() - 1;
                let mut model = Reference::new(&plan).unwrap();
                let all = TerminalSet::all(topology.terminals());
                assert!(model.offer(source.0, Beat { packet: 9, destination, last: true }));
                model.clock(&all);
                let mut cycles = 1;
                while model.m_flit(destination.0).is_none() {
                    assert!(model.clock(&all).is_empty());
                    cycles += 1;
                }
                assert_eq!(cycles, plan.route_latency(&route), "{fabric:?}");
                assert_eq!(model.flit_hops(), hops as u64);
                assert_eq!(model.clock(&all).len(), 1);
                assert_eq!(model.flits(), 0);
            }
        }
    }
}

/// Drives the model and the plain one alike and holds every output of every cycle equal.
fn lockstep(plan: &FabricPlan, seed: u64, sources: u64, sinks: u64, cycles: u64) -> usize {
    let nodes = plan.topology().terminals();
    let most = 4 * plan.parameters.depth;
    let packets = random_packets_in(plan, seed, (cycles as u32 * nodes / 8).max(1), most);
    let mut fast = Reference::new(plan).unwrap();
    let mut naive = Naive::new(plan);
    let mut senders = [Sender::new(nodes, &packets), Sender::new(nodes, &packets)];
    let mut receiver = Receiver::new(nodes, plan.keeps_order());
    for cycle in 0..cycles {
        let mut m_tready = TerminalSet::none(nodes);
        for t in 0..nodes {
            assert_eq!(fast.s_ready(t), naive.s_ready(t), "s_tready {t}, cycle {cycle}");
            assert_eq!(fast.m_flit(t), Model::m_flit(&naive, t), "m {t}, cycle {cycle}");
            m_tready.set(t, happens(seed, 1, t, cycle, sinks));
            if happens(seed, 0, t, cycle, sources) {
                senders[0].offer(&mut fast, &packets, t);
                senders[1].offer(&mut naive, &packets, t);
            }
        }
        let delivered = fast.clock(&m_tready).to_vec();
        assert_eq!(delivered, naive.clock(&m_tready), "cycle {cycle}");
        for node in plan.topology().all_nodes() {
            for queue in 0..plan.switch_of(node).queues.len() {
                let lengths =
                    (fast.queue_len(node.0, queue) as usize, naive.queue_len(node, queue));
                assert_eq!(lengths.0, lengths.1, "queue {queue} of {node:?}, cycle {cycle}");
            }
        }
        delivered.iter().for_each(|d| receiver.take(&packets, d));
    }
    receiver.packets
}

#[test]
fn equals_the_plain_model_cycle_for_cycle() {
    let mut delivered = 0;
    for fabric in whole_fabrics() {
        for (depth, sources, sinks, link_registers) in [
            (2, 100, 100, 0),
            (4, 60, 90, 0),
            (3, 90, 40, 0),
            (4, 15, 100, 0),
            (2, 100, 100, 1),
            (4, 90, 60, 3),
        ] {
            let parameters = Parameters { depth, link_registers, ..Parameters::default() };
            let plan = plan_of(fabric, parameters);
            delivered += lockstep(&plan, 5, sources, sinks, 400);
        }
    }
    assert!(delivered > 5_000, "{delivered}");
    // With a cycle of waiting packets both stand still alike.
    lockstep(&plan_with("rotation", 4, Some(1), 2), 1, 100, 100, 400);
}

/// Sends all packets and runs until they have arrived; the cycles that it took, or `None`
/// where nothing moves any more.
fn drain(plan: &FabricPlan, packets: &[Packet], seed: u64, sinks: u64) -> Option<u64> {
    let nodes = plan.topology().terminals();
    let mut model = Reference::new(plan).unwrap();
    let mut sender = Sender::new(nodes, packets);
    let mut receiver = Receiver::new(nodes, plan.keeps_order());
    let mut still = 0;
    while receiver.packets < packets.len() {
        let cycle = model.cycle();
        let mut m_tready = TerminalSet::none(nodes);
        for t in 0..nodes {
            sender.offer(&mut model, packets, t);
            m_tready.set(t, happens(seed, 1, t, cycle, sinks));
        }
        model.clock(&m_tready).iter().for_each(|d| receiver.take(packets, d));
        still = if model.progressed() { 0 } else { still + 1 };
        if still == 1000 {
            return None;
        }
    }
    assert_eq!(model.flits(), 0);
    (0..nodes).for_each(|n| assert!((0..64).all(|q| model.queue_len(n, q) == 0)));
    Some(model.cycle())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 64,
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..ProptestConfig::default()
    })]

    /// All that is sent arrives, in order for each pair, whole, whatever the sinks do.
    #[test]
    fn nothing_is_lost_torn_or_reordered(
        fabric in prop::sample::select(whole_fabrics().collect::<Vec<_>>()),
        depth in 2u32..6,
        link_registers in 0u32..4,
        seed: u64,
        count in 1u32..400,
        sinks in 20u64..=100,
    ) {
        let plan = plan_of(fabric, Parameters { depth, link_registers, ..Parameters::default() });
        let packets = random_packets_in(&plan, seed, count, 4 * depth);
        prop_assert!(drain(&plan, &packets, seed, sinks).is_some());
    }
}

/// One VC under rotation deadlocks at saturation; the dateline's second VC cures it.
#[test]
fn one_vc_deadlocks_and_the_dateline_does_not() {
    let packets = random_packets(1, 16, 2000, 16);
    assert_eq!(drain(&plan_with("rotation", 4, Some(1), 4), &packets, 0, 100), None);
    assert!(drain(&plan_with("rotation", 4, None, 4), &packets, 0, 100).is_some());
}

/// The routes that the analysis names as a cycle stop each other, with nothing else sent.
#[test]
fn the_routes_of_the_cycle_deadlock() {
    for (routing, k) in [("rotation", 3), ("rotation", 4), ("thacker", 4)] {
        let plan = plan_with(routing, k, Some(1), 4);
        let cycle = plan.network().single_vc_cycle().unwrap();
        let packet = |c: &WaitingChannel| Packet {
            source: c.source.0,
            destination: c.destination.0,
            flits: 64,
        };
        let packets: Vec<_> = cycle.channels.iter().map(packet).collect();
        let packets = packets.repeat(20);
        assert_eq!(drain(&plan, &packets, 0, 100), None, "{routing} {k}");
        assert!(drain(&plan_with(routing, k, None, 4), &packets, 0, 100).is_some());
    }
}

/// At saturation no packet waits for ever: its age, from the acceptance of its first flit to
/// its last at the sink, stays below a bound.
#[test]
fn no_packet_starves_at_saturation() {
    for (routing, k) in [("rotation", 3), ("rotation", 4), ("rotation", 5), ("thacker", 4)] {
        let plan = plan(routing, k);
        assert!(plan.relation().vcs() > 1);
        let nodes = 1 << k;
        let flits = 4 * plan.parameters.depth;
        let count = nodes * 1500;
        let mut packets = random_packets(3, nodes, count, 1);
        packets.iter_mut().for_each(|p| p.flits = flits);
        let mut model = Reference::new(&plan).unwrap();
        let mut sender = Sender::new(nodes, &packets);
        let all = TerminalSet::all(nodes);
        let mut accepted = vec![None; packets.len()];
        let (mut oldest, mut delivered) = (0, 0);
        while model.cycle() < 20_000 {
            let cycle = model.cycle();
            for t in 0..nodes {
                let next = sender.queues[t as usize].last().copied();
                if sender.offer(&mut model, &packets, t)
                    && let Some(id) = next
                {
                    accepted[id as usize].get_or_insert(cycle);
                }
            }
            for d in model.clock(&all).iter().filter(|d| d.flit.last) {
                oldest = oldest.max(cycle - accepted[d.flit.packet as usize].take().unwrap());
                delivered += 1;
            }
        }
        // Those still under way count as well.
        let waiting = accepted.iter().flatten().map(|a| model.cycle() - a).max();
        let oldest = oldest.max(waiting.unwrap_or(0));
        assert!(oldest < u64::from(nodes * flits * 4), "{routing} {k}: {oldest} cycles");
        assert!(delivered > u64::from(nodes) * 400, "{routing} {k}: {delivered} packets");
    }
}

/// The arbiter takes sources in turn, starting with the first, and holds a packet's lock.
#[test]
fn sources_of_eject_take_turns_packet_by_packet() {
    let plan = plan("ecube", 2);
    let mut model = Reference::new(&plan).unwrap();
    let all = TerminalSet::all(4);
    // To node 0 from itself (inject), from 1 (dim0), from 2 (dim1): two flits each, always.
    let (mut sent, mut order) = ([0u32; 4], Vec::new());
    for _ in 0..40 {
        for t in 0..3 {
            let beat =
                Beat { packet: t, destination: Terminal(0), last: sent[t as usize] % 2 == 1 };
            sent[t as usize] += u32::from(model.offer(t, beat));
        }
        order.extend(model.clock(&all).iter().map(|d| (d.flit.packet, d.flit.beat)));
    }
    // Alone for its first two cycles, inject's first packet goes first; then all take turns.
    let expected = [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)];
    let cycle: Vec<_> = expected.iter().copied().cycle().take(order.len()).collect();
    assert_eq!(order, cycle);
    assert!(order.len() > 35);
}

/// A choice is held from the moment it is made, though its flit cannot leave yet.
#[test]
fn a_grant_is_held_while_the_sink_is_not_ready() {
    let plan = plan("ecube", 2);
    let mut model = Reference::new(&plan).unwrap();
    let none = TerminalSet::none(4);
    // From 2 over dim1 first; inject of node 0 would come first in the round robin.
    assert!(model.offer(2, Beat { packet: 2, destination: Terminal(0), last: true }));
    model.clock(&none);
    model.clock(&none);
    assert_eq!(model.m_flit(0).map(|f| f.packet), Some(2));
    assert!(model.offer(0, Beat { packet: 0, destination: Terminal(0), last: true }));
    for _ in 0..5 {
        model.clock(&none);
        assert_eq!(model.m_flit(0).map(|f| f.packet), Some(2));
    }
    let all = TerminalSet::all(4);
    assert_eq!(model.clock(&all)[0].flit.packet, 2);
    assert_eq!(model.m_flit(0).map(|f| f.packet), Some(0));
}

/// A queue takes `depth` flits and is not ready in the cycle in which a full one pops.
#[test]
fn ready_looks_at_the_start_of_the_cycle() {
    let plan = plan_with("ecube", 1, None, 2);
    let mut model = Reference::new(&plan).unwrap();
    let (none, all) = (TerminalSet::none(2), TerminalSet::all(2));
    let beat = Beat { packet: 0, destination: Terminal(0), last: true };
    assert!(model.offer(0, beat));
    assert!(!model.offer(0, beat), "one beat a cycle");
    model.clock(&none);
    assert!(model.offer(0, beat));
    model.clock(&none);
    assert!(!model.s_ready(0));
    assert_eq!(model.clock(&all).len(), 1);
    assert!(model.s_ready(0));
    assert_eq!(model.largest_queue(), 2);
}

/// Every flit inside is in one queue, and each queue is known by its place in the plan.
#[test]
fn queues_hold_what_is_inside() {
    for &fabric in &["hypercube 3 ecube", "ccc 3 two-stage"] {
        let plan = plan_deep(fabric, 4);
        let (topology, stages) = (plan.topology(), plan.registers_injection());
        assert!(!stages, "a flit in the injector's register is in no queue");
        let mut model = Reference::new(&plan).unwrap();
        let packets = random_packets(1, topology.terminals(), 500, 6);
        let mut sender = Sender::new(topology.terminals(), &packets);
        let all = TerminalSet::all(topology.terminals());
        let mut most = 0;
        for _ in 0..300 {
            for t in 0..topology.terminals() {
                sender.offer(&mut model, &packets, t);
            }
            model.clock(&all);
            let lengths = topology.all_nodes().flat_map(|node| {
                let queues = plan.switch_of(node).queues.len();
                (0..queues).map(move |queue| (node.0, queue))
            });
            let lengths: Vec<u32> = lengths.map(|(n, q)| model.queue_len(n, q)).collect();
            assert_eq!(u64::from(lengths.iter().sum::<u32>()), model.flits(), "{fabric:?}");
            most = most.max(lengths.into_iter().max().unwrap());
        }
        assert_eq!(most, model.largest_queue());
        assert!(most > 1);
        assert_eq!(model.queue_len(topology.nodes(), 0), 0, "no such node");
        assert_eq!(model.queue_len(0, 64), 0, "no such queue");
    }
    let mut model = Reference::new(&plan("ecube", 3)).unwrap();
    assert!(model.offer(5, Beat { packet: 1, destination: Terminal(2), last: true }));
    model.clock(&TerminalSet::none(8));
    let inject = 0;
    let found: Vec<u32> = (0..8).map(|node| model.queue_len(node, inject)).collect();
    assert_eq!(found, [0, 0, 0, 0, 0, 1, 0, 0]);
}

/// A packet to an address that is no node is consumed whole.
#[test]
fn misaddressed_packets_never_enter() {
    let plan = plan("rotation", 2);
    let mut model = Reference::new(&plan).unwrap();
    let all = TerminalSet::all(4);
    // What is remembered of a packet from the next terminal says nothing of an address behind the last.
    assert!(model.offer(2, Beat { packet: 9, destination: Terminal(0), last: true }));
    while model.clock(&all).is_empty() {}
    for last in [false, false, true] {
        assert!(model.offer(1, Beat { packet: 0, destination: Terminal(4), last }));
        model.clock(&all);
    }
    assert_eq!((model.flits(), model.misaddressed()), (0, 1));
    assert!(!model.offer(4, Beat { packet: 0, destination: Terminal(0), last: true }));
    assert!(!model.s_ready(4) && model.m_flit(4).is_none());
}

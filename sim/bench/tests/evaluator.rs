//! The evaluator against a plain interpreter of its own, on random netlists and on the parts.

#[path = "common/interpreter.rs"]
mod interpreter;

use interpreter::{Bits, Interpreter};
use proptest::prelude::*;
use std::sync::Arc;
use turnpike_base::hash::hash;
use turnpike_fabric::rtl::arbiter::arbiter;
use turnpike_fabric::rtl::fifo::{self, fifo};
use turnpike_netlist::{Design, Module, NetKind};
use turnpike_sim_bench::testbench::random_netlist::{Shape, random_netlist, random_network};
use turnpike_sim_rtl::eval::Evaluator;

/// Random words with long runs of equal bits among them, so that carries travel.
fn input(seed: u64, cycle: u64, port: u64, width: u32) -> Vec<u64> {
    let word = |i| match hash(seed, &[cycle, port, i, 1]) % 4 {
        0 => 0,
        1 => u64::MAX,
        _ => hash(seed, &[cycle, port, i, 2]),
    };
    (0..u64::from(width.div_ceil(64))).map(word).collect()
}

fn to_bits(words: impl Iterator<Item = u64>, width: u32) -> Bits {
    let all = words.flat_map(|w| (0..64).map(move |i| w >> i & 1 == 1));
    let bits: Bits = all.collect();
    assert!(!bits[width as usize..].contains(&true), "bits above the width");
    bits[..width as usize].to_vec()
}

/// Every net of every instance in every cycle, before and after the edge.
fn lockstep(module: &Arc<Module>, seed: u64, cycles: u64) {
    let design = Design::new(module).unwrap();
    let (mut evaluator, mut ports) = (Evaluator::new(&design), Evaluator::of_ports(&design));
    let mut interpreter = Interpreter::new(module);
    for cycle in 0..cycles {
        let reset = hash(seed, &[cycle]).is_multiple_of(8);
        evaluator.set_reset(reset);
        ports.set_reset(reset);
        interpreter.set_reset(reset);
        for (net, info) in module.ports().filter(|(_, info)| info.kind == NetKind::Input) {
            let words = input(seed, cycle, net.index.into(), net.width);
            let all = words.iter().flat_map(|w| (0..64).map(move |i| w >> i & 1 == 1));
            interpreter.set(net, all.take(net.width as usize).collect());
            evaluator.set(evaluator.port(&info.name).unwrap(), &words);
            ports.set(ports.port(&info.name).unwrap(), &words);
        }
        assert_eq!(evaluator.settle(), ports.settle());
        compare(&evaluator, &mut interpreter, cycle);
        same_ports(&evaluator, &ports, cycle);
        assert_eq!(evaluator.clock(), ports.clock());
        interpreter.clock();
        compare(&evaluator, &mut interpreter, cycle);
        same_ports(&evaluator, &ports, cycle);
    }
}

fn compare(evaluator: &Evaluator, interpreter: &mut Interpreter, cycle: u64) {
    let mut expected = Vec::new();
    interpreter.all("", &mut expected);
    assert_eq!(expected.len(), evaluator.net_count());
    for (name, bits) in expected {
        let net = evaluator.find(&name).unwrap();
        let width = evaluator.width(net);
        assert_eq!(to_bits(evaluator.get(net), width), bits, "{name}, cycle {cycle}");
    }
}

/// What is compiled for its ports alone has the same nets at the top, and no others.
fn same_ports(all: &Evaluator, ports: &Evaluator, cycle: u64) {
    for (net, info) in all.nets(0) {
        assert!(all.get(net).eq(ports.get(net)), "{}, cycle {cycle}", info.name);
    }
    assert!((1..all.scopes().len()).all(|scope| ports.nets(scope).next().is_none()));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_netlists_mean_the_same_compiled_and_interpreted(
        seed: u64, wires in 1u32..30, registers in 0u32..6, memories in 0u32..3,
        tables in 0u32..3, levels in 0u32..3, width in 1u32..200, nesting in 0u32..5,
        known: bool,
    ) {
        let shape = Shape { wires, registers, memories, tables, levels, width, nesting, known };
        lockstep(&random_netlist(seed, &shape), seed, 8);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    /// More than 64 instances, so that what is alike in all of them takes more than a word.
    #[test]
    fn many_instances_mean_the_same_compiled_and_interpreted(
        seed: u64, instances in 1u32..140, wires in 1u32..12, registers in 0u32..4,
        memories in 0u32..2, tables in 0u32..2, levels in 0u32..2, width in 1u32..90,
        known: bool,
    ) {
        let nesting = 3;
        let shape = Shape { wires, registers, memories, tables, levels, width, nesting, known };
        lockstep(&random_network(seed, &shape, instances), seed, 5);
    }
}

#[test]
fn the_same_seed_gives_the_same_netlist() {
    let shape = Shape::default();
    assert_eq!(random_netlist(7, &shape), random_netlist(7, &shape));
    assert_ne!(random_netlist(7, &shape), random_netlist(8, &shape));
}

#[test]
fn parts_mean_the_same_compiled_and_interpreted() {
    for depth in [2, 5, 32, 33] {
        lockstep(&fifo("t", 70, fifo::Shape::ram(depth)).unwrap(), 1, 150);
    }
    for n in [2, 3, 7] {
        lockstep(&arbiter("t", n).unwrap(), 2, 100);
    }
}

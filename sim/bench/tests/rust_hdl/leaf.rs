//! Queue, arbiter, multiplexer, injector, switch and 2-cube in rust-hdl's own language, each beside the netlist's in one
//! `Simulation`: every output that counts is the same in every cycle, and no fault of the description goes unseen.

use rust_hdl::core::prelude::{Bits, check_all, generate_verilog};
use std::collections::BTreeMap;
use std::sync::Arc;
use turnpike_fabric::plan::{FabricPlan, MuxStyle, Parameters};
use turnpike_fabric::rtl::fabric::fabric;
use turnpike_fabric::rtl::fifo::{self, fifo};
use turnpike_fabric::rtl::injector::injector;
use turnpike_fabric::rtl::mux::{Stages, mux};
use turnpike_fabric::rtl::switch::{Parts, switch};
use turnpike_fabric::rtl::{arbiter::arbiter, fifo::THERMOMETER_DEPTH};
use turnpike_fabric::testing::{plan, plan_of};
use turnpike_netlist::{Design, Module};
use turnpike_sim_rust_hdl::leaf::arbiter::Arbiter;
use turnpike_sim_rust_hdl::leaf::cube::Cube;
use turnpike_sim_rust_hdl::leaf::fifo::Fifo;
use turnpike_sim_rust_hdl::leaf::injector::Injector;
use turnpike_sim_rust_hdl::leaf::mux::Mux;
use turnpike_sim_rust_hdl::leaf::side_by_side::{Leaf, Shape, hold};
use turnpike_sim_rust_hdl::leaf::switch::Switch;
use turnpike_sim_rust_hdl::leaf::terminals::hold_with_terminals;

const CYCLES: u64 = 5_000;

/// Values of ports by name.
type Values = BTreeMap<String, u64>;

/// Holds a module to the netlist's, and sees each of its faults found.
fn held<L: Leaf + Send + 'static>(
    name: &str,
    module: &Arc<Module>,
    shape: Shape,
    faults: &[&str],
    leaf: impl Fn(Option<usize>) -> L,
) {
    let design = Design::new(module).unwrap();
    let run = |fault| {
        let run = hold(leaf(fault), &design, shape, CYCLES, 1);
        run.unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    let held = run(None).unwrap_or_else(|difference| panic!("{name}: {difference}"));
    assert_eq!((held.cycles, held.resets), (CYCLES, CYCLES / 331), "{name}");
    // Every output counted, and moved; but no address of a cube is without a terminal.
    assert!(!held.outputs.is_empty());
    for (output, seen) in &held.outputs {
        let least = if output == "s_axis_error" { 0 } else { CYCLES / 50 };
        let enough = seen.compared > CYCLES / 10 && seen.changes > least;
        assert!(enough, "{name}: {output}: {seen:?}");
    }
    for (number, fault) in faults.iter().enumerate() {
        let difference = run(Some(number)).map(|_| ()).expect_err(&format!("{name}: {fault}"));
        println!("{name}: {fault}: {difference}");
    }
}

/// All are in the subset of Rust that rust-hdl makes Verilog of, and its checks find no open input and no loop.
#[test]
fn rust_hdl_makes_verilog_of_them() {
    fn verilog(mut leaf: impl Leaf) {
        leaf.connect_all();
        check_all(&leaf).unwrap();
        let text = generate_verilog(&leaf);
        assert!(text.contains("module top(") && text.contains("endmodule"), "{text}");
        for (name, _) in leaf.outputs() {
            assert!(text.contains(&format!("{name} = ")), "{name}:\n{text}");
        }
    }
    verilog(Fifo::<Bits<13>, 5, 3>::new(None));
    verilog(Arbiter::<5, 3>::new(None));
    verilog(Mux::<5, 11>::new(None));
    verilog(Injector::<3, 33>::new(None));
    verilog(Switch::new(None));
    verilog(Cube::new(None));
}

/// Random values as they are.
fn any(_cycle: u64, _values: &mut Values, _before: &Values) {}

fn queue<const DEPTH: usize, const P: usize>() {
    let depth = DEPTH as u32;
    for shift in [false, true] {
        let shape = fifo::Shape { shift, ..fifo::Shape::ram(depth) };
        assert!(depth <= THERMOMETER_DEPTH);
        let name = format!("queue of {DEPTH}, shift {shift}");
        let faults = &Fifo::<Bits<13>, DEPTH, P>::FAULTS;
        held(&name, &fifo("t", 13, shape).unwrap(), any, faults, Fifo::<Bits<13>, DEPTH, P>::new);
    }
}

#[test]
fn queues() {
    queue::<2, 2>();
    queue::<3, 2>();
    queue::<4, 3>();
    queue::<5, 3>();
    queue::<8, 4>();
}

/// Queues with a binary count: up to 32 words in a memory that is read in the same cycle, beyond that a block RAM
/// behind two words of flip-flops.
#[test]
fn deep_queues() {
    let faults = &Fifo::<Bits<13>, 12, 4>::FAULTS;
    let module = fifo("t", 13, fifo::Shape::ram(12)).unwrap();
    held("queue of 12", &module, any, faults, Fifo::<Bits<13>, 12, 4>::new);
    let faults = &Fifo::<Bits<13>, 33, 6>::FAULTS;
    let module = fifo("t", 13, fifo::Shape::ram(33)).unwrap();
    held("queue of 33", &module, any, faults, Fifo::<Bits<13>, 33, 6>::new);
}

/// Any requests for a while; then requests that stay until their packet is done, as a switch's do.
fn requests(cycle: u64, values: &mut Values, before: &Values) {
    if cycle / 128 % 2 == 1 {
        let stays = before["grant"];
        *values.get_mut("request").unwrap() |= stays;
    }
}

#[test]
fn arbiters() {
    fn of<const N: usize, const B: usize>() {
        let (name, module) = (format!("arbiter of {N}"), arbiter("t", N as u32).unwrap());
        held(&name, &module, requests, &Arbiter::<N, B>::FAULTS, Arbiter::<N, B>::new);
    }
    of::<2, 2>();
    of::<3, 2>();
    of::<5, 3>();
    // Beyond 8 the netlist searches by a carry chain.
    of::<9, 4>();
}

/// Select with one bit set at most.
fn one_hot<const N: u64>(cycle: u64, values: &mut Values, _before: &Values) {
    let select = values.get_mut("select").unwrap();
    *select = match cycle % 7 {
        0 => 0,
        _ => 1 << (*select % N),
    };
}

#[test]
fn multiplexers() {
    fn of<const N: usize>(shape: Shape) {
        for style in [MuxStyle::OneHot, MuxStyle::Lut4] {
            let module = mux("t", N as u32, 11, style, &mut Stages::default()).unwrap();
            let name = format!("multiplexer of {N}, {style:?}");
            held(&name, &module, shape, &Mux::<N, 11>::FAULTS, Mux::<N, 11>::new);
        }
    }
    of::<2>(one_hot::<2>);
    of::<3>(one_hot::<3>);
    of::<5>(one_hot::<5>);
}

/// Packets of four flits in the mean, and an address that stays for a while.
fn packets(cycle: u64, values: &mut Values, _before: &Values) {
    let flit = values.get_mut("in_flit").unwrap();
    if !cycle.is_multiple_of(2) {
        *flit &= (1 << 32) - 1;
    }
    let address = values.get_mut("address").unwrap();
    *address = cycle / 500 % (1 << 3);
}

#[test]
fn injectors() {
    let plan = plan("ecube", 3);
    let class = &plan.injectors[0];
    let width = plan.flit_width();
    assert_eq!(width, 33);
    let module = injector(&plan, class).unwrap();
    held("injector", &module, packets, &Injector::<3, 33>::FAULTS, Injector::<3, 33>::new);
}

/// Plan of a 2-cube with `ecube` and 8 bits of data.
fn cube_plan() -> FabricPlan {
    plan_of("hypercube 2 ecube", Parameters { width: 8, ..Parameters::default() })
}

/// Flits of packets of two flits in the mean: the header is another where a packet has ended.
fn flits(_cycle: u64, values: &mut Values, before: &Values) {
    let Some(inject) = before.get("inject_in_header") else { return };
    let ended = |input: &str| {
        let port = |name: &str| before[&format!("{input}_in_{name}")];
        port("valid") & port("ready") & port("flit") >> 8 == 1
    };
    if !ended("inject") {
        values.insert("inject_in_header".to_owned(), *inject);
    }
    if !ended("dim0") {
        values.insert("dim0_in_header".to_owned(), before["dim0_in_header"]);
    }
}

#[test]
fn switches() {
    let plan = cube_plan();
    let module = switch(&plan, &plan.switches[0], &mut Parts::new(&plan)).unwrap();
    held("switch", &module, flits, &Switch::FAULTS, Switch::new);
}

/// Sources that keep what they offer until it is taken, packets of four flits in the mean, and sinks that take all for a
/// while, then a quarter.
fn terminals(cycle: u64, values: &mut Values, before: &Values) {
    let port = |name: &str| before.get(name).copied().unwrap_or_default();
    let waits = port("s_axis_tvalid") & !port("s_axis_tready");
    let random = port("s_axis_tdata");
    let kept =
        [("s_axis_tvalid", 1), ("s_axis_tlast", 1), ("s_axis_tdest", 2), ("s_axis_tdata", 8)];
    *values.get_mut("s_axis_tlast").unwrap() &= random >> 4;
    if (cycle / 256).is_multiple_of(2) {
        *values.get_mut("s_axis_tvalid").unwrap() |= random >> 12;
    }
    let ready = values.get_mut("m_axis_tready").unwrap();
    match cycle / 128 % 3 {
        0 => *ready = 0xf,
        1 => *ready &= random >> 20,
        _ => {}
    }
    for (name, bits) in kept {
        let value = values.get_mut(name).unwrap();
        for terminal in (0..4).filter(|terminal| waits >> terminal & 1 == 1) {
            let mask = ((1 << bits) - 1) << (bits * terminal);
            *value = *value & !mask | port(name) & mask;
        }
        *value &= (1 << (4 * bits)) - 1;
    }
}

/// A whole fabric of these modules does what the netlist's does, at each terminal in each cycle.
#[test]
fn cubes() {
    let module = Arc::clone(fabric(&cube_plan()).unwrap().top());
    let faults: Vec<&str> = Cube::FAULTS.iter().chain(&Switch::FAULTS).copied().collect();
    held("cube", &module, terminals, &faults, Cube::new);
}

/// Sources and sinks by rust-hdl's FIFO widgets, around a cube of these modules and around the netlist's.
#[test]
fn cubes_among_widgets() {
    let design = fabric(&cube_plan()).unwrap();
    let run = |fault| hold_with_terminals(Cube::new(fault), &design, CYCLES, 1).unwrap();
    let delivered = run(None).unwrap_or_else(|difference| panic!("{difference}"));
    assert_eq!((delivered.cycles, delivered.misused), (CYCLES, false));
    assert!(delivered.flits.iter().all(|&flits| flits > CYCLES / 10), "{delivered:?}");
    assert!(delivered.waits > CYCLES / 10 && delivered.full > CYCLES / 10, "{delivered:?}");
    println!("{delivered:?}");
    for (number, fault) in Cube::FAULTS.iter().chain(&Switch::FAULTS).enumerate() {
        let difference = run(Some(number)).map(|_| ()).expect_err(fault);
        println!("widgets around a cube: {fault}: {difference}");
    }
}

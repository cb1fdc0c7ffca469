//! Queue, arbiter, multiplexer and injector in rust-hdl's own language, each beside the netlist's in one `Simulation`:
//! every output that counts is the same in every cycle, and no fault of the description goes unseen.

use rust_hdl::core::prelude::{Bits, check_all, generate_verilog};
use std::collections::BTreeMap;
use std::sync::Arc;
use turnpike_fabric::plan::MuxStyle;
use turnpike_fabric::rtl::fifo::{self, fifo};
use turnpike_fabric::rtl::injector::injector;
use turnpike_fabric::rtl::mux::{Stages, mux};
use turnpike_fabric::rtl::{arbiter::arbiter, fifo::THERMOMETER_DEPTH};
use turnpike_fabric::testing::plan;
use turnpike_netlist::{Design, Module};
use turnpike_sim_rust_hdl::leaf::arbiter::Arbiter;
use turnpike_sim_rust_hdl::leaf::fifo::Fifo;
use turnpike_sim_rust_hdl::leaf::injector::Injector;
use turnpike_sim_rust_hdl::leaf::mux::Mux;
use turnpike_sim_rust_hdl::leaf::side_by_side::{Leaf, Shape, hold};

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
    // Every output counted, and moved.
    assert!(!held.outputs.is_empty());
    for (output, seen) in &held.outputs {
        assert!(
            seen.compared > CYCLES / 4 && seen.changes > CYCLES / 50,
            "{name}: {output}: {seen:?}"
        );
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

//! The parts of a switch, each against its model.

use turnpike_fabric::plan::Granting;
use turnpike_fabric::rtl::arbiter::{arbiter, arbiter_of};
use turnpike_fabric::rtl::fifo::{DISTRIBUTED_DEPTH, Shape, THERMOMETER_DEPTH, fifo};
use turnpike_netlist::Design;
use turnpike_sim_bench::testbench::arbiter::ArbiterBench;
use turnpike_sim_bench::testbench::fifo::FifoBench;
use turnpike_sim_bench::testbench::run;
use turnpike_sim_rtl::dut::Dut;
use turnpike_sim_rtl::testing::lockstep::lockstep;

/// Below, at and above the depths where the storage changes and where the pointers wrap.
#[test]
fn queues_of_every_kind_equal_a_deque() {
    for depth in [2, 3, 4, 5, 7, 8, 31, 32, 33, 34, 64, 65, 100, 1000, 1024] {
        let widths: &[u32] = if depth > 40 { &[33] } else { &[1, 33, 65, 130] };
        for &width in widths {
            for shift in [false, true] {
                for in_flight in 0..5 {
                    if shift && depth > THERMOMETER_DEPTH || depth < 2 + in_flight {
                        continue;
                    }
                    equals_a_deque(width, Shape { shift, in_flight, ..Shape::ram(depth) });
                }
            }
            if depth > DISTRIBUTED_DEPTH {
                equals_a_deque(width, Shape { in_front: false, ..Shape::ram(depth) });
            }
        }
    }
}

fn equals_a_deque(width: u32, shape: Shape) {
    let dut = Dut::new(&Design::new(&fifo("t", width, shape).unwrap()).unwrap());
    let cycles = 3_000 + 40 * u64::from(shape.depth);
    let bench = FifoBench::new(&dut, shape, cycles, u64::from(shape.depth * width));
    let bench = run(dut, bench, None).unwrap_or_else(|e| panic!("{shape:?} x {width}: {e}"));
    assert!(bench.delivered > cycles / 8, "{shape:?} x {width}: {}", bench.delivered);
    // One word in and one word out per cycle, for a whole phase.
    assert!(bench.longest_stream >= 60, "{shape:?} x {width}: {}", bench.longest_stream);
}

#[test]
fn arbiters_of_every_size_equal_their_model_and_are_fair() {
    for n in 1..=12 {
        for granting in [Granting::AtOnce, Granting::Registered, Granting::Ahead] {
            if n == 1 && granting == Granting::AtOnce {
                continue;
            }
            let module = arbiter_of(granting, "t", n);
            let dut = Dut::new(&Design::new(&module.unwrap()).unwrap());
            let bench = ArbiterBench::new(&dut, granting, n, 4_000, u64::from(n));
            let bench = run(dut, bench, None).unwrap_or_else(|e| panic!("{n}: {e}"));
            assert!(bench.packets > 400, "{n}: {}", bench.packets);
        }
    }
}

#[test]
fn parts_mean_the_same_evaluated_and_interpreted() {
    for depth in [2, 5, 32, 33] {
        lockstep(&fifo("t", 70, Shape::ram(depth)).unwrap(), 1, 150).unwrap();
    }
    for n in [2, 3, 7] {
        lockstep(&arbiter("t", n).unwrap(), 2, 100).unwrap();
    }
}

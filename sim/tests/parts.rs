//! The parts of a switch in rust-hdl's simulation, each against its model.

use turnpike_hdl_gen::rtl::{arbiter::arbiter, fifo::fifo};
use turnpike_sim::dut::Dut;
use turnpike_sim::testbench::arbiter::ArbiterBench;
use turnpike_sim::testbench::fifo::FifoBench;
use turnpike_sim::testbench::run;

/// Below, at and above the depths where the storage changes and where the pointers wrap.
#[test]
fn queues_of_every_kind_equal_a_deque() {
    for depth in [2, 3, 4, 5, 7, 8, 31, 32, 33, 34, 64, 65, 100, 1000, 1024] {
        let widths: &[u32] = if depth > 40 { &[33] } else { &[1, 33, 65, 130] };
        for &width in widths {
            let dut = Dut::new(&fifo("t", width, depth).unwrap());
            let cycles = 3_000 + 40 * u64::from(depth);
            let bench = FifoBench::new(&dut, depth, cycles, u64::from(depth * width));
            let bench = run(dut, bench, None).unwrap_or_else(|e| panic!("{depth}x{width}: {e}"));
            assert!(bench.delivered > cycles / 8, "{depth}x{width}: {}", bench.delivered);
            // One word in and one word out per cycle, for a whole phase.
            assert!(bench.longest_stream >= 60, "{depth}x{width}: {}", bench.longest_stream);
        }
    }
}

#[test]
fn arbiters_of_every_size_equal_their_model_and_are_fair() {
    for n in 2..=12 {
        let dut = Dut::new(&arbiter("t", n).unwrap());
        let bench = ArbiterBench::new(&dut, n, 4_000, u64::from(n));
        let bench = run(dut, bench, None).unwrap_or_else(|e| panic!("{n}: {e}"));
        assert!(bench.packets > 500, "{n}: {}", bench.packets);
    }
}

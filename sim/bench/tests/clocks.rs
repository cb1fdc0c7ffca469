//! Fabrics whose terminals are in clocks of their own.

use crate::common::every_field;
use crate::common::mutant::{mutants, replace};
use std::sync::Arc;
use turnpike_fabric::plan::{FabricPlan, Parameters, ResetStyle, TerminalWishes};
use turnpike_fabric::rtl::clocks::{async_depth, async_fifo};
use turnpike_fabric::rtl::interface;
use turnpike_fabric::testing::{CLOCK_FABRICS, is_every, network, plan_of, sample};
use turnpike_netlist::clocks::clocks;
use turnpike_netlist::{Crossing, Design, Expr, Item, Module};
use turnpike_sim_bench::testbench::interfaces::{Work, run_interfaces};
use turnpike_sim_bench::testbench::late::late_synchronisers;
use turnpike_sim_bench::verify::{clocks as paths, interfaces};
use turnpike_sim_rtl::dut::Dut;

#[test]
fn words_arrive_whatever_the_clocks() {
    let low = Parameters { reset: ResetStyle::Low, ..every_field() };
    let fabrics = CLOCK_FABRICS.iter().map(|fabric| (*fabric, every_field()));
    for (fabric, parameters) in fabrics.chain([(CLOCK_FABRICS[1], low)]) {
        let plan = plan_of(fabric, parameters);
        for check in [paths::check, interfaces::check] {
            let figure = check(&plan);
            assert!(figure.is_ok(), "{fabric}: {figure:?}");
        }
    }
}

#[test]
fn synchronisers_have_the_stages_that_are_asked_for() {
    for stages in 2..=4 {
        let clocks = vec!["0*=io_clk".parse().unwrap()];
        let wishes = TerminalWishes { clocks, sync_stages: stages, ..TerminalWishes::default() };
        let parameters =
            Parameters { ports: turnpike_fabric::plan::PortStyle::Named, ..every_field() };
        let network = Arc::new(network("hypercube 2 ecube"));
        let plan = FabricPlan::with_interfaces(network, parameters, &wishes, None).unwrap();
        let module = async_fifo("x", 8, stages).unwrap();
        let stages_of = |module: &Module| {
            let all = module.nets.iter();
            all.filter(|net| net.crossing == Some(Crossing::Synchroniser)).count() as u32
        };
        let ends: Vec<u32> = module.instances().map(|end| stages_of(&end.module)).collect();
        assert_eq!(ends, [stages, stages]);
        for check in [paths::check, interfaces::check] {
            assert!(check(&plan).is_ok());
        }
    }
    assert_eq!([2, 3, 4].map(async_depth), [8, 16, 16]);
}

/// Words that go in and come out of a queue between two clocks whose edges are so many steps apart, of
/// which both sides offer and take in every cycle, in so many steps.
fn throughput(queue: &Design, periods: [u64; 2], steps: u64) -> u64 {
    let mut dut = Dut::new(&late_synchronisers(queue).unwrap());
    let [in_clk, in_rst, out_clk, out_rst, valid, ready, out] =
        ["in_clk", "in_rst", "out_clk", "out_rst", "in_valid", "out_ready", "out_valid"]
            .map(|port| dut.port(port));
    let mut taken = 0;
    for step in 0..2 * steps {
        let reset = u64::from(step < 50);
        dut.set(in_rst, reset);
        dut.set(out_rst, reset);
        for (clock, period) in [(in_clk, periods[0]), (out_clk, periods[1])] {
            dut.set(clock, u64::from(step % period == 0));
        }
        dut.set(valid, 1);
        dut.set(ready, 1);
        dut.settle();
        // The first words take the time of the synchronisers.
        if step >= steps && step % periods[1] == 0 {
            taken += dut.get(out);
        }
        dut.clock();
    }
    taken
}

/// At any ratio of the clocks a word passes in each cycle of the slower one, even where synchronisers
/// settle late.
#[test]
fn a_queue_has_the_depth_for_full_rate() {
    for stages in 2..=4 {
        let queue = Design::new(&async_fifo("x", 4, stages).unwrap()).unwrap();
        for periods in [[1, 1], [2, 3], [3, 2], [1, 7], [7, 1], [5, 7], [4, 4]] {
            let steps = 4 * 210 * 6;
            let slower = periods[0].max(periods[1]);
            let taken = throughput(&queue, periods, steps);
            // The last word of the time that is counted may be late.
            assert!(taken + 1 >= steps / slower, "{stages} {periods:?}: {taken}");
        }
    }
}

/// What every crossing of a fabric stands or falls with: a synchroniser taken out, a pointer that
/// crosses as a number, a reset of the other clock. The check of paths finds each.
#[test]
fn every_path_past_a_synchroniser_is_found() {
    let plan = plan_of(CLOCK_FABRICS[0], every_field());
    let top = interface::design(&plan).unwrap();
    assert!(clocks(&top).is_ok());
    let mut tried = 0;
    for module in top.modules() {
        let stages: Vec<usize> = (0..module.nets.len())
            .filter(|&at| module.nets[at].crossing == Some(Crossing::Synchroniser))
            .collect();
        for at in stages {
            let mut direct = Module::clone(module);
            direct.nets[at].crossing = None;
            let found = clocks(&replace(&top, &direct));
            // The first stage is the one that takes on another clock's bits.
            let is_first = module.nets[at].name.ends_with("sync1");
            assert_eq!(found.is_err(), is_first, "{}.{}", module.name, module.nets[at].name);
            tried += u32::from(is_first);
        }
        let mut waits = Module::clone(module);
        for net in waits.nets.iter_mut().filter(|net| net.crossing == Some(Crossing::Still)) {
            net.crossing = None;
            tried += 1;
        }
        if waits != **module {
            assert!(clocks(&replace(&top, &waits)).is_err(), "{}", module.name);
        }
    }
    // Of the top, each reset and clock of what it places exchanged with another.
    let own = top.top();
    let domains = own.instances().map(|instance| instance.domain);
    let domains: Vec<_> = domains.filter(|domain| domain.clock.is_some()).collect();
    for (at, item) in own.items.iter().enumerate() {
        let Item::Instance(instance) = item else { continue };
        for other in &domains {
            let mut changed = Module::clone(own);
            let Item::Instance(placed) = &mut changed.items[at] else { unreachable!() };
            placed.domain.clock = other.clock;
            if instance.domain.clock.is_some() && instance.domain.clock != other.clock {
                let found = clocks(&Design::new(&Arc::new(changed)).unwrap());
                assert!(found.is_err(), "{} in another clock", instance.name);
                tried += 1;
            }
        }
    }
    assert!(tried > 20, "{tried}");
}

/// Operators of the queue and of the resets exchanged one by one, and registers that a reset misses.
#[test]
fn every_fault_of_a_crossing_is_found_out() {
    let plan = plan_of("hypercube 1 ecube as 0=io_clk", every_field());
    let top = interface::design(&plan).unwrap();
    let is_found = |mutant: &Module| {
        let mutated = late_synchronisers(&replace(&top, mutant)).unwrap();
        (0..96).any(|seed| {
            let (eagerness, reset) = (2 + seed % 7, Some(20 + 17 * seed));
            let work = Work { packets: 24, eagerness, reset, reset_edges: 1 + seed % 2, seed };
            run_interfaces(&mut Dut::new(&mutated), &plan, work).is_err()
        })
    };
    let (mut caught, mut survivors) = (0, Vec::new());
    let crossings = top
        .modules()
        .iter()
        .filter(|module| ["_async_", "_reset_"].iter().any(|kind| module.name.contains(kind)));
    for module in crossings {
        for (mutant, what) in sample("mutants", &mutants(module).collect::<Vec<_>>()) {
            match is_found(&mutant) {
                true => caught += 1,
                false => survivors.push(what),
            }
        }
    }
    assert!(survivors.is_empty(), "{caught} caught; not:\n{}", survivors.join("\n"));
    let least = if is_every() { 20 } else { 5 };
    assert!(caught > least, "{caught}");
}

/// A pointer that crosses as a number and not in Gray code is found out, where synchronisers settle late.
#[test]
fn a_pointer_that_is_not_in_gray_code_is_found_out() {
    let plan = plan_of("hypercube 1 ecube as 0=io_clk", every_field());
    let top = interface::design(&plan).unwrap();
    let writer = top.modules().iter().find(|m| m.name.ends_with("_async_writer_8")).unwrap();
    let mut plain = Module::clone(writer);
    let net = |name: &str| {
        let index = writer.nets.iter().position(|net| net.name == name).unwrap() as u32;
        turnpike_netlist::Net { index, width: writer.nets[index as usize].width }
    };
    let (in_gray, next) = (net("in_gray"), net("next"));
    for item in &mut plain.items {
        if let Item::Registers(list) = item {
            for register in list.iter_mut().filter(|register| register.net == in_gray) {
                register.next = Expr::Net(next);
            }
        }
    }
    let late = late_synchronisers(&replace(&top, &plain)).unwrap();
    let work = Work { packets: 24, eagerness: 8, reset: None, reset_edges: 2, seed: 1 };
    assert!(run_interfaces(&mut Dut::new(&late), &plan, work).is_err());
}

//! The self-test of a board, simulated: it passes on a fabric that is right, ends
//! whatever the fabric does, and sees faults.

mod busses;
mod overtaking;
mod parts;

use crate::common::mutant::{mutant, replace};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use turnpike_analysis::network::Network;
use turnpike_fabric::board::{BOARDS, Board};
use turnpike_fabric::plan::{FabricPlan, Parameters, PortStyle, ResetStyle};
use turnpike_fabric::rtl::fabric::fabric;
use turnpike_fabric::rtl::selftest::cast::Cast;
use turnpike_fabric::rtl::selftest::fault::Fault;
use turnpike_fabric::rtl::selftest::most_cycles;
use turnpike_fabric::rtl::selftest::pattern::Pattern;
use turnpike_fabric::rtl::selftest::source::source;
use turnpike_fabric::rtl::selftest::subject::Subject;
use turnpike_fabric::rtl::selftest::top::top;
use turnpike_fabric::testing::plan_of;
use turnpike_netlist::Design;
use turnpike_sim_bench::testbench::{Bench, Failure, Flow, run};
use turnpike_sim_rtl::dut::Dut;
use turnpike_sim_rtl::eval::{Evaluator, NetId};

fn plan(routing: &str, k: u32, vcs: Option<u8>, parameters: Parameters) -> FabricPlan {
    let network = Network::new("hypercube", k, Some(routing), vcs).unwrap();
    FabricPlan::new(Arc::new(network), parameters, None).unwrap()
}

fn on_board(plan: &FabricPlan, board: &Board) -> Design {
    top(&Subject::of(plan).unwrap(), &fabric(plan).unwrap(), board).unwrap()
}

/// Watches the pins of a board until the test is done.
struct Watcher {
    pins: [NetId; 4],
    button: Option<(NetId, bool)>,
    /// Cycles in which the button is down.
    pressed: std::ops::Range<u64>,
    most: u64,
    cycle: u64,
    /// Cycles in which `done` was high before the button was.
    done_before: u64,
    /// `done`, `pass`, `fail`, `led` at the end.
    seen: [u64; 4],
}

impl Watcher {
    fn new(dut: &Dut, most: u32) -> Self {
        let button = [("restart", 1), ("restart_n", 0)];
        let button = button.iter().find_map(|&(pin, down)| Some((dut.find_port(pin)?, down == 1)));
        Self {
            pins: ["done", "pass", "fail", "led"].map(|pin| dut.port(pin)),
            button,
            pressed: 0..0,
            most: most.into(),
            cycle: 0,
            done_before: 0,
            seen: [0; 4],
        }
    }
}

impl Bench<Dut> for Watcher {
    fn drive(&mut self, circuit: &mut Dut) -> Result<(), Failure> {
        if let Some((pin, high)) = self.button {
            circuit.set(pin, u64::from(self.pressed.contains(&self.cycle) == high));
        }
        Ok(())
    }

    fn check(&mut self, circuit: &Dut) -> Result<Flow, Failure> {
        self.seen = self.pins.map(|pin| circuit.get(pin));
        let [done, pass, fail, _] = self.seen;
        assert!(pass & fail == 0 && pass <= done, "pass is neither early nor wrong");
        self.cycle += 1;
        let ends = done == 1 && self.cycle > self.pressed.end + 3;
        self.done_before += u64::from(done == 1 && !ends);
        assert!(self.cycle <= self.most, "not done after {} cycles", self.most);
        Ok(if ends { Flow::Done } else { Flow::On })
    }
}

/// Runs a self-test to its end; the cycles that it took, and the fault if it failed.
fn outcome(top: &Design, cast: &Cast) -> (u64, Option<Fault>) {
    let dut = Dut::new(top);
    let watcher = Watcher::new(&dut, most_cycles(cast));
    let watcher = run(dut, watcher, None).unwrap();
    let [_, pass, fail, led] = watcher.seen;
    assert_eq!(pass + fail, 1, "done says pass or fail");
    let (fault, _) = Fault::ALL[(led & 7) as usize];
    assert_eq!(fail == 1, fault != Fault::None);
    (watcher.cycle, (fail == 1).then_some(fault))
}

#[test]
fn fabrics_that_are_right_pass() {
    let base = Parameters::default();
    let narrow = Parameters { width: 8, ..base };
    let wide = Parameters { width: 128, depth: 2, ..base };
    let all = Parameters {
        width: 40,
        depth: 9,
        source_id: true,
        user_width: 3,
        keep: true,
        ..Parameters::default()
    };
    let fabrics = [
        ("ecube", 1, Parameters { width: 4, ..base }),
        ("ecube", 2, base),
        ("ecube", 3, narrow),
        ("rotation", 2, all),
        ("rotation", 3, base),
        ("rotation", 3, wide),
        ("thacker", 4, Parameters { width: 10, ..base }),
    ];
    for ((routing, k, parameters), board) in fabrics.into_iter().zip(BOARDS.iter().cycle()) {
        let plan = plan(routing, k, None, parameters);
        let (cycles, fault) = outcome(&on_board(&plan, board), &Cast::at_every_address(k));
        println!("{} on {}: {cycles} cycles", plan.canonical(), board.name);
        assert_eq!(fault, None, "{} on {}", plan.canonical(), board.name);
        // What `docs/selftest.md` says.
        assert!((3_800..6_000).contains(&cycles), "{}: {cycles}", plan.canonical());
    }
}

/// Addresses without a terminal, terminals that only send or only take packets, several at a switch,
/// failed nodes, trees, named ports.
#[test]
fn fabrics_of_any_terminals_pass() {
    let base = Parameters::default();
    let named = Parameters { ports: PortStyle::Named, reset: ResetStyle::Low, ..base };
    let fabrics = [
        ("wired mixed shortest", base),
        ("wired mixed shortest", Parameters { source_id: true, ..named }),
        ("hypercube 2 ecube without 10", base),
        ("hypercube 3 around_111.relation", named),
        ("mesh 3x2 dimension-order concentrated 2", base),
        ("ring 3 dimension-order", named),
        ("tree 3_2 up-down", base),
        ("arc-cube 2 shortest", base),
    ];
    for ((fabric, parameters), board) in fabrics.into_iter().zip(BOARDS.iter().cycle()) {
        let plan = plan_of(fabric, parameters);
        let (cycles, fault) = outcome(&on_board(&plan, board), &Cast::of(&plan));
        println!("{}: {cycles} cycles", plan.canonical());
        assert_eq!(fault, None, "{}", plan.canonical());
    }
}

/// Packets that choose their way, or draw it, overtake each other.
#[test]
fn fabrics_whose_packets_overtake_pass() {
    let base = Parameters::default();
    let all = Parameters { width: 40, source_id: true, user_width: 3, keep: true, ..base };
    let fabrics = [
        ("hypercube 2 adaptive", base),
        ("hypercube 3 adaptive", all),
        ("mesh 3x2 odd-even", base),
        ("fat-tree 2_3 adaptive", base),
        ("hypercube 3 two-phase", base),
        ("mesh 4x2 two-phase", all),
    ];
    for ((fabric, parameters), board) in fabrics.into_iter().zip(BOARDS.iter().cycle()) {
        let plan = plan_of(fabric, parameters);
        assert!(!plan.keeps_order());
        let (cycles, fault) = outcome(&on_board(&plan, board), &Cast::of(&plan));
        println!("{}: {cycles} cycles", plan.canonical());
        assert_eq!(fault, None, "{}", plan.canonical());
    }
}

/// The dependency graph of `rotation` has a cycle with one VC from k = 3 on, and the test
/// drives the fabric into it.
#[test]
fn a_deadlock_is_a_time_out() {
    let plan = plan("rotation", 3, Some(1), Parameters::default());
    assert!(!plan.is_deadlock_free());
    let (cycles, fault) = outcome(&on_board(&plan, &BOARDS[0]), &Cast::at_every_address(3));
    assert_eq!(fault, Some(Fault::Timeout));
    // At the limit, but for the reset and the registers on the way to the pins.
    assert!(
        (1 << 16..u64::from(most_cycles(&Cast::at_every_address(3)))).contains(&cycles),
        "{cycles}"
    );
    assert_eq!(most_cycles(&Cast::at_every_address(3)), (1 << 16) + 32);
}

#[test]
fn the_button_starts_the_test_again() {
    let plan = plan("ecube", 2, None, Parameters::default());
    for board in BOARDS.iter().filter(|board| board.button.is_some()) {
        let dut = Dut::new(&on_board(&plan, board));
        let untouched = run(Dut::new(&on_board(&plan, board)), Watcher::new(&dut, 10_000), None);
        let untouched = untouched.unwrap().cycle;
        let watcher = Watcher { pressed: 5_000..5_010, ..Watcher::new(&dut, 20_000) };
        let watcher = run(dut, watcher, None).unwrap();
        assert!(watcher.done_before > 100, "{}: it was done before", board.name);
        assert_eq!(watcher.seen, [1, 1, 0, 0]);
        // Two cycles for the button to come in step; then as after power-on.
        assert_eq!(watcher.cycle, 5_010 + 2 + untouched, "{}", board.name);
    }
}

#[test]
fn a_fabric_too_narrow_is_refused_with_the_least_width() {
    for (k, least) in [(1, 4), (2, 6), (3, 8), (4, 10)] {
        let at = |width| {
            let plan = plan("ecube", k, None, Parameters { width, ..Parameters::default() });
            Subject::of(&plan)
        };
        assert!(at(least).is_ok());
        let error = at(least - 1).unwrap_err().to_string();
        assert!(error.contains(&format!("use {least} or more")), "{error}");
    }
}

/// Every bit of a beat is seen with both values, and no two are always equal or always unequal:
/// nothing that happens to one bit, and no exchange of two, can go unseen. Packets of one beat
/// come up, and long ones.
#[test]
fn every_bit_of_a_beat_counts() {
    for (k, width) in [(2, 6), (2, 32), (3, 8), (4, 64), (5, 1024)] {
        let parameters =
            Parameters { width, user_width: 5, keep: width % 8 == 0, ..Default::default() };
        let pattern = Pattern::new(&plan("ecube", k, None, parameters)).unwrap();
        let cast = Cast::at_every_address(k);
        let mut source =
            Evaluator::new(&Design::new(&source("t", pattern, &cast).unwrap()).unwrap());
        let port = |name: &str| source.port(name).unwrap();
        let (clear, ready, seed, slot) =
            (port("clear"), port("tready"), port("seed"), port("slot"));
        let (valid, last, word) = (port("tvalid"), port("tlast"), port("word"));
        source.set_reset(true);
        source.set(seed, &[0x9e37]);
        source.set(clear, &[1]);
        source.clock();
        source.set_reset(false);
        for terminal in 0..1 << k {
            source.set(slot, &[terminal]);
            source.clock();
        }
        source.set(clear, &[0]);
        source.set(ready, &[1]);
        let mut seen: Vec<Vec<bool>> = vec![Vec::new(); pattern.word as usize];
        let (mut lengths, mut beats) = (Vec::new(), 0);
        for _ in 0..8_000 {
            source.clock();
            if source.get_low(valid) == 0 {
                continue;
            }
            for (bit, seen) in (0..).zip(&mut seen) {
                seen.push(source.get_bits(word, bit, 1) == 1);
            }
            beats += 1;
            if source.get_low(last) == 1 {
                lengths.push(std::mem::take(&mut beats));
            }
        }
        assert_eq!(lengths.len(), 256, "k={k}: packets");
        let distinct: HashSet<u32> = lengths.into_iter().collect();
        assert!(distinct.contains(&1) && distinct.iter().any(|&n| n > 8), "k={k}: {distinct:?}");
        assert!(
            distinct.len() > 4 && distinct.iter().all(|n| (1..=16).contains(n)),
            "{distinct:?}"
        );
        // Columns that begin with 0, so that a complement is equal to its original.
        let column = |bits: &Vec<bool>| bits.iter().map(|bit| bit ^ bits[0]).collect::<Vec<bool>>();
        let columns: HashSet<Vec<bool>> = seen.iter().map(column).collect();
        assert_eq!(columns.len(), seen.len(), "k={k}, width {width}: two bits alike");
        assert!(!columns.contains(&vec![false; seen[0].len()]), "a bit that never changes");
    }
}

/// The same as [`outcome`] by the evaluator alone: faster.
fn evaluate(top: &Design, address: u32) -> (u32, Option<Fault>) {
    let mut evaluator = Evaluator::new(top);
    let [done, fail, led] = ["done", "fail", "led"].map(|pin| evaluator.port(pin).unwrap());
    for cycle in 0..most_cycles(&Cast::at_every_address(address)) {
        evaluator.clock();
        if evaluator.get_low(done) == 1 {
            let (fault, _) = Fault::ALL[(evaluator.get_low(led) & 7) as usize];
            return (cycle, (evaluator.get_low(fail) == 1).then_some(fault));
        }
    }
    panic!("not done in time");
}

/// Operators of the fabric exchanged one by one: each such fault must be found, unless it only
/// makes the fabric slower, all but `unseen`. Every `step`th operator of a module.
fn exchanged_operators(routing: &str, step: usize, unseen: usize) {
    let parameters = Parameters { width: 8, depth: 3, ..Default::default() };
    let plan = plan(routing, 2, None, parameters);
    let top = on_board(&plan, &BOARDS[0]);
    let (usual, fault) = evaluate(&top, 2);
    assert_eq!(fault, None);
    let mut found: HashMap<Fault, u32> = HashMap::new();
    let mut missed = Vec::new();
    for module in fabric(&plan).unwrap().modules() {
        for (mutant, what) in (0..).step_by(step).map_while(|at| mutant(module, at)) {
            match evaluate(&replace(&top, &mutant), 2) {
                (_, Some(fault)) => *found.entry(fault).or_default() += 1,
                (cycles, None) if cycles > usual => println!("slower, {cycles} cycles: {what}"),
                (_, None) => missed.push(what),
            }
        }
    }
    println!("{routing}: found {found:?}, missed {}", missed.len());
    assert!(missed.len() <= unseen, "found {found:?}, not:\n{}", missed.join("\n"));
    assert!(found.values().sum::<u32>() as usize > 60 / step, "{found:?}");
}

#[test]
fn exchanged_operators_are_found() {
    exchanged_operators("ecube", 5, 0);
}

#[test]
#[ignore = "a minute: `make test-all`"]
fn every_exchanged_operator_is_found() {
    exchanged_operators("ecube", 1, 0);
    exchanged_operators("rotation", 1, 0);
    // When something is drawn, and which of two packets goes first: no packet is wrong.
    exchanged_operators("two-phase", 1, 11);
}

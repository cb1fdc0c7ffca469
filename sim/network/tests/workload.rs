//! Workloads, run.

use std::sync::Arc;
use turnpike_fabric::plan::{FabricPlan, Parameters, Pipeline};
use turnpike_fabric::testing::{plan, plan_with};
use turnpike_sim_network::stimulus::{ReferenceModel, record};
use turnpike_sim_network::workload::kinds::WORKLOADS;
use turnpike_sim_network::workload::{
    Pipelined, Schedule, WorkloadConfig, WorkloadError, WorkloadOutcome, WorkloadReport,
    WorkloadRun, run,
};

fn config(workload: &str, pipelined: Option<(u64, u32)>) -> WorkloadConfig {
    let pipelined = pipelined.map(|(interval, rounds)| Pipelined { interval, rounds });
    WorkloadConfig { workload: workload.to_owned(), pipelined, ..WorkloadConfig::default() }
}

fn run_of(plan: &FabricPlan, config: &WorkloadConfig) -> WorkloadRun {
    let schedule = Schedule::draw(plan.network(), config).unwrap();
    run(plan, config, &schedule, true, &mut |_| ()).unwrap()
}

fn report(plan: &FabricPlan, config: &WorkloadConfig) -> WorkloadReport {
    run_of(plan, config).report
}

/// `run` refuses a second delivery and a wrong place, so every message delivered is every
/// message delivered exactly once.
#[test]
fn every_message_is_delivered_exactly_once() {
    let plan = plan("rotation", 4);
    for kind in WORKLOADS {
        for pipelined in [None, Some((3, 20))] {
            for (message_flits, acknowledge, self_addressed) in
                [(1, false, true), (1, true, false), (5, true, true)]
            {
                // The fixed permutations keep some terminals in place.
                let self_addressed = self_addressed || kind.is_fixed();
                let base = config(kind.name, pipelined);
                let config = WorkloadConfig { message_flits, acknowledge, self_addressed, ..base };
                let WorkloadRun { report, delivered, .. } = run_of(&plan, &config);
                let rounds = pipelined.map_or(1, |(_, rounds)| u64::from(rounds));
                assert_eq!(report.outcome, WorkloadOutcome::Delivered);
                assert_eq!(report.messages, 16 * rounds);
                assert_eq!(report.delivered_messages, report.messages);
                let acknowledged = acknowledge.then_some(report.messages);
                assert_eq!(report.acknowledged_messages, acknowledged);
                assert_eq!(delivered.len() as u64, report.messages);
                let last = delivered.iter().map(|cycle| cycle.unwrap()).max().unwrap();
                assert_eq!(report.delivery_cycles, last);
                let (all, network) = (report.latency.unwrap(), report.network_latency.unwrap());
                assert!(network.mean <= all.mean && all.p99 <= all.max);
                assert_eq!(report.round_trip.is_some(), acknowledge);
            }
        }
    }
}

/// Alone in the network, messages take the zero-load latency, and back.
#[test]
fn times_are_those_of_the_routes() {
    let plan = plan("ecube", 3);
    // All that send to themselves, but for two that change places: no message meets another.
    let config = WorkloadConfig { acknowledge: true, ..config("permutation", None) };
    let schedule = (0..).map(|seed| {
        Schedule::draw(plan.network(), &WorkloadConfig { seed, ..config.clone() }).unwrap()
    });
    let moved = |s: &Schedule| (0..).zip(s.round(0)).filter(|&(from, &to)| from != to).count();
    let schedule = schedule.take(100_000).find(|s| moved(s) == 2).unwrap();
    let hops = (0..8u32).zip(schedule.round(0)).map(|(from, to)| (from ^ to).count_ones()).max();
    let found = run(&plan, &config, &schedule, false, &mut |_| ()).unwrap().report;
    let there = u64::from(plan.zero_load_latency(hops.unwrap()));
    assert_eq!(found.delivery_cycles, there);
    assert_eq!(found.latency.unwrap().max, there);
    assert_eq!(found.round_time.unwrap().max, there);
    // An acknowledgement starts in the cycle after the delivery.
    assert_eq!(found.round_trip.unwrap().max, 2 * there + 1);
    assert_eq!(found.acknowledgement_cycles, Some(2 * there + 1));
    assert_eq!(found.cycles, 2 * there + 2);
    assert_eq!(found.most_unacknowledged, Some(1));
    assert_eq!(found.largest_acknowledgement_queue, Some(1));
}

/// All cross the same dimension in the same cycle: no message waits.
#[test]
fn the_complement_takes_the_diameter() {
    let plan = plan("ecube", 6);
    let report = report(&plan, &config("bit-complement", None));
    assert_eq!(report.delivery_cycles, u64::from(plan.zero_load_latency(6)));
    assert_eq!(report.hops_per_flit, Some(6.0));
}

/// Rounds far apart are single shots: but for whose turn it is, they do not see each other.
#[test]
fn rounds_far_apart_are_single_shots() {
    let plan = plan("rotation", 5);
    for kind in &WORKLOADS[..3] {
        let far = report(&plan, &config(kind.name, Some((10_000, 200))));
        let single =
            (0..200).map(|seed| report(&plan, &WorkloadConfig { seed, ..config(kind.name, None) }));
        let (mut latency, mut time) = (0.0, 0.0);
        for report in single {
            latency += report.latency.unwrap().mean / 200.0;
            time += report.round_time.unwrap().mean / 200.0;
            assert_eq!(report.round_time.unwrap().max, report.delivery_cycles);
        }
        let near = |a: f64, b: f64| (a - b).abs() < 0.02 * b;
        assert!(near(far.latency.unwrap().mean, latency), "{}: {latency}", kind.name);
        assert!(near(far.round_time.unwrap().mean, time), "{}: {time}", kind.name);
        let pipeline = far.pipeline.unwrap();
        assert_eq!((pipeline.backlog_growth, pipeline.keeps_up), (Some(0.0), Some(true)));
        assert_eq!(pipeline.sustained_throughput, pipeline.offered_throughput);
    }
}

/// A backlog that grows by a few in 100 of what is released grows without end: no network that
/// keeps up. (Before, at most 5 % were let pass.)
#[test]
fn slow_growth_is_not_keeping_up() {
    let plan = plan("rotation", 4);
    let workload = |interval, message_flits| WorkloadConfig {
        message_flits,
        ..config("random", Some((interval, 3000)))
    };
    for (message_flits, interval, keeps_up) in [(5, 8, false), (10, 17, false), (8, 24, true)] {
        let pipeline = report(&plan, &workload(interval, message_flits)).pipeline.unwrap();
        assert_eq!(pipeline.keeps_up, Some(keeps_up), "{pipeline:?}");
        let growth = pipeline.backlog_growth.unwrap();
        assert!(if keeps_up { growth < 0.005 } else { (0.02..0.05).contains(&growth) }, "{growth}");
    }
}

#[test]
fn what_is_too_fast_is_said() {
    let plan = plan("rotation", 4);
    for (message_flits, interval, keeps_up) in [(1, 4, true), (8, 2, false), (8, 40, true)] {
        let base = config("random", Some((interval, 200)));
        let found = report(&plan, &WorkloadConfig { message_flits, ..base });
        let pipeline = found.pipeline.unwrap();
        assert_eq!(pipeline.keeps_up, Some(keeps_up), "{found:?}");
        let growth = pipeline.backlog_growth.unwrap();
        let share = pipeline.sustained_throughput / pipeline.offered_throughput;
        // What is released is delivered or stays behind.
        assert!((growth + share - 1.0).abs() < 0.05, "{found:?}");
        assert_eq!(found.delivered_messages, 16 * 200);
    }
    assert_eq!(report(&plan, &config("random", Some((4, 7)))).pipeline.unwrap().keeps_up, None);
}

/// At saturation, on the shortest queues, over a network that needs its virtual channels.
/// With a limit to what a terminal holds to acknowledge, the same messages deadlock.
#[test]
fn acknowledgements_do_not_deadlock_as_terminals_take_everything() {
    let plan = plan_with("rotation", 4, None, 2);
    for kind in &WORKLOADS[..3] {
        let base = config(kind.name, Some((1, 500)));
        let config = WorkloadConfig { acknowledge: true, message_flits: 4, ..base };
        let found = report(&plan, &config);
        assert_eq!(found.outcome, WorkloadOutcome::Delivered, "{}", kind.name);
        assert_eq!(found.acknowledged_messages, Some(16 * 500));
        assert_eq!(found.pipeline.unwrap().keeps_up, Some(false));
        let held = found.largest_acknowledgement_queue.unwrap();
        let bound = u64::from(found.most_unacknowledged.unwrap());
        assert!(1 < held && held <= bound, "{held} of {bound}");

        let found = report(&plan, &WorkloadConfig { room: Some(1), ..config.clone() });
        assert_eq!(found.outcome, WorkloadOutcome::Deadlocked, "{}", kind.name);
        assert!(found.delivered_messages < 16 * 500);
        assert_eq!(found.largest_acknowledgement_queue, Some(1));
        // Room for the bound is as good as no limit.
        let room = Some(bound as u32);
        let found = report(&plan, &WorkloadConfig { room, ..config });
        assert_eq!(found.outcome, WorkloadOutcome::Delivered);
        assert_eq!(found.largest_acknowledgement_queue, Some(held));
    }
}

/// Without its virtual channels, the network itself deadlocks, and the run ends and says so.
#[test]
fn a_network_that_deadlocks_is_said() {
    let plan = plan_with("rotation", 4, Some(1), 2);
    let config = WorkloadConfig { message_flits: 16, ..config("random", Some((1, 2000))) };
    let found = report(&plan, &config);
    assert_eq!(found.outcome, WorkloadOutcome::Deadlocked);
    assert!(found.delivered_messages < found.messages);
}

/// What was sent, as a stimulus, is the same run again: every packet, acknowledgements too.
#[test]
fn the_record_gives_the_same_run() {
    for pipeline in [Pipeline::None, Pipeline::Grant, Pipeline::Output] {
        let parameters = Parameters { pipeline, ..Parameters::default() };
        let network = Arc::clone(plan("rotation", 3).network());
        let plan = FabricPlan::new(network, parameters, None).unwrap();
        for kind in WORKLOADS {
            let base = config(kind.name, Some((2, 40)));
            let config = WorkloadConfig { acknowledge: true, message_flits: 3, ..base };
            let mut first = run_of(&plan, &config);
            let stimulus = first.stimulus(&plan, 1).unwrap();
            let mut model = ReferenceModel::new(&plan, &stimulus).unwrap();
            let cycles = first.report.cycles;
            let again = record(&mut model, &stimulus, cycles);
            assert_eq!((again.accepted, again.delivered), (8 * 40 * 4, 8 * 40 * 4));
            // Not a cycle sooner.
            let mut model = ReferenceModel::new(&plan, &stimulus).unwrap();
            assert!(record(&mut model, &stimulus, cycles - 1).delivered < 8 * 40 * 4);
            assert_eq!(model.reference().flit_hops(), {
                let per_flit = first.report.hops_per_flit.unwrap();
                (per_flit * f64::from(8 * 40 * 4)).round() as u64
            });
        }
    }
}

#[test]
fn runs_repeat_and_seeds_differ() {
    let plan = plan("ecube", 5);
    let run = |seed| run_of(&plan, &WorkloadConfig { seed, ..config("random", Some((2, 10))) });
    assert_eq!(run(1), run(1));
    assert_ne!(run(1).delivered, run(2).delivered);
}

#[test]
fn what_is_out_of_range_is_refused() {
    let plan = plan("ecube", 3);
    let base = config("random", Some((4, 10)));
    for (config, text) in [
        (config("randm", None), "did you mean 'random'?"),
        (config("random", Some((0, 10))), "interval 0 is out of range; use 1 to"),
        (config("random", Some((1, 0))), "rounds 0 is out of range"),
        (config("random", Some((1, 3_000_000))), "from each of 8 terminals; use 1 to 2097152"),
        (config("random", Some((1_000_000, 2000))), "use 1 to 1001, or a shorter interval"),
        (WorkloadConfig { message_flits: 0, ..base.clone() }, "packet length 0"),
        (WorkloadConfig { room: Some(0), ..base.clone() }, "room for 0 messages"),
    ] {
        let error = Schedule::draw(plan.network(), &config).unwrap_err().to_string();
        assert!(error.contains(text), "{error}");
    }
    let schedule = Schedule::draw(plan.network(), &config("random", None)).unwrap();
    let error = run(&plan, &base, &schedule, false, &mut |_| ()).unwrap_err();
    assert_eq!(error, WorkloadError::Schedule { schedule: 8 });
}

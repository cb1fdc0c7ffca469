//! Jobs: messages go when what they wait for is over, and no run is below the least time.

use turnpike_base::random::Random;
use turnpike_fabric::plan::{FabricPlan, Parameters, Pipeline};
use turnpike_fabric::testing::{plan_of, plan_with};
use turnpike_network::topology::Topology;
use turnpike_sim_network::job::collective::{self, COLLECTIVES};
use turnpike_sim_network::job::{Job, JobOutcome, JobReport, Message, MessageTimes, run};

const FABRICS: &[&str] = &[
    "hypercube 3 ecube",
    "hypercube 3 adaptive",
    "hypercube 3 two-phase",
    "mesh 3x3 dimension-order",
    "torus 4x4 dimension-order",
    "fat-tree 2_3 up-down",
    "ring 5 up-down",
    "slim-fly 3_1 shortest",
];

fn of(fabric: &str) -> FabricPlan {
    plan_of(fabric, Parameters::default())
}

/// A fabric with registers and queues of several kinds, each with a number of messages.
fn built(fabric: &str) -> Vec<(FabricPlan, u32)> {
    let plain = Parameters::default();
    let registers = [
        Parameters { pipeline: Pipeline::Grant, ..plain },
        Parameters { pipeline: Pipeline::Output, depth: 8, ..plain },
        Parameters { link_registers: 2, depth: 8, ..plain },
    ];
    // Packets that choose do without.
    let registers = registers.iter().filter(|_| !fabric.ends_with("adaptive"));
    let shallow = Parameters { depth: 2, ..plain };
    let all = [1, 2, 3, 10, 40, 200].map(|count| (plain, count)).into_iter();
    let all = all.chain([(shallow, 60)]).chain(registers.map(|&parameters| (parameters, 60)));
    all.map(|(parameters, count)| (plan_of(fabric, parameters), count)).collect()
}

fn ran(plan: &FabricPlan, job: &Job) -> (JobReport, Vec<MessageTimes>) {
    run(plan, job, &mut |_| {}).unwrap()
}

/// Messages between terminals that are drawn, some behind up to three others that their source knows of.
fn drawn(topology: &dyn Topology, random: &mut Random, count: u32) -> Vec<Message> {
    let [sources, sinks]: [Vec<u32>; 2] = [
        topology.sources().map(|terminal| terminal.0).collect(),
        topology.sinks().map(|terminal| terminal.0).collect(),
    ];
    let mut messages: Vec<Message> = Vec::new();
    for _ in 0..count {
        let source = sources[random.below(sources.len() as u32) as usize];
        let known = |message: &&(u32, &Message)| {
            [message.1.source, message.1.destination].contains(&source)
        };
        let known: Vec<u32> = (0..)
            .zip(&messages)
            .collect::<Vec<_>>()
            .iter()
            .filter(known)
            .map(|(at, _)| *at)
            .collect();
        let mut after: Vec<u32> = (0..random.below(4))
            .filter_map(|_| known.get(random.below(known.len() as u32) as usize).copied())
            .collect();
        after.sort_unstable();
        after.dedup();
        messages.push(Message {
            source,
            destination: sinks[random.below(sinks.len() as u32) as usize],
            flits: 1 + random.below(12),
            after,
            delay: u64::from(random.below(3) * random.below(30)),
        });
    }
    messages
}

/// Every message is released a delay after the last of those that it waits for, and sent after those that its
/// source was to send before; no run is below the least time.
#[test]
fn messages_keep_their_order_and_no_run_is_below_the_least() {
    let mut random = Random::new(7);
    let mut equal = 0;
    for fabric in FABRICS {
        for (plan, count) in built(fabric) {
            let messages = drawn(plan.topology(), &mut random, count);
            let job = Job::new("file", messages.clone()).unwrap();
            let (report, times) = ran(&plan, &job);
            assert_eq!(report.outcome, JobOutcome::Delivered);
            assert_eq!(report.delivered_messages, u64::from(count));
            let last = times.iter().filter_map(|times| times.delivered).max().unwrap();
            assert_eq!(report.cycles, last + 1);
            assert!(report.least_cycles <= report.cycles, "{fabric} {count}: {report:?}");
            equal += u32::from(report.least_cycles == report.cycles);
            for (own, time) in messages.iter().zip(&times) {
                let [released, accepted, delivered] =
                    [time.released, time.accepted, time.delivered].map(Option::unwrap);
                assert!(released <= accepted && accepted + u64::from(own.flits) - 1 < delivered);
                let mut may = 0;
                for &other in &own.after {
                    let (before, times) = (&messages[other as usize], &times[other as usize]);
                    may = may.max(match before.destination == own.source {
                        true => times.delivered.unwrap() + 1,
                        // At least: it may have stood still in between.
                        false => times.accepted.unwrap() + u64::from(before.flits),
                    });
                }
                let by_taking = own
                    .after
                    .iter()
                    .all(|&other| messages[other as usize].destination == own.source);
                assert!(released >= may + own.delay);
                assert!(!by_taking || released == may + own.delay, "{fabric}: {own:?} {time:?}");
            }
            let mut by_source: Vec<(u32, u64, u32, u64)> = (0..)
                .zip(messages.iter().zip(&times))
                .map(|(at, (own, t))| (own.source, t.released.unwrap(), at, t.accepted.unwrap()))
                .collect();
            by_source.sort_unstable();
            for pair in by_source.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
                assert!(pair[0].3 < pair[1].3, "{fabric}: {pair:?}");
            }
        }
    }
    // The bound is reached, by those that are few at least.
    assert!(equal >= FABRICS.len() as u32, "{equal}");
}

/// Around a ring that is the network's own no two messages share a channel, so the least is what it takes.
#[test]
fn what_meets_nobody_takes_the_least_time() {
    let plan = of("ring 5 dimension-order");
    for name in ["all-gather-ring", "all-reduce-ring"] {
        for flits in [1, 5] {
            let job = collective::find(name).ok().unwrap().job(plan.topology(), flits).unwrap();
            let (report, _) = ran(&plan, &job);
            assert_eq!(report.cycles, report.least_cycles, "{name} {flits}");
        }
    }
}

#[test]
fn every_collective_ends_on_every_network() {
    for fabric in ["hypercube 3 adaptive", "mesh 4x4 dimension-order", "fat-tree 2_3 up-down"] {
        let plan = of(fabric);
        for collective in COLLECTIVES {
            let job = collective.job(plan.topology(), 3).unwrap();
            let (report, times) = ran(&plan, &job);
            assert_eq!(report.outcome, JobOutcome::Delivered, "{fabric} {}", collective.name);
            assert!(report.least_cycles <= report.cycles);
            assert!(times.iter().all(|times| times.delivered.is_some()));
            assert_eq!(ran(&plan, &job).0, report);
        }
    }
}

/// Cycles in which nothing is to do are left out, and change no time.
#[test]
fn long_waits_shift_what_comes_after_them() {
    for fabric in FABRICS {
        let plan = of(fabric);
        let times = |delay: u64| {
            let mut random = Random::new(3);
            let mut messages = drawn(plan.topology(), &mut random, 30);
            for message in &mut messages {
                message.after.clear();
                message.delay = 0;
            }
            // All of the second half wait for one of the first, which nothing else is behind.
            let (source, destination) = (messages[0].source, messages[0].destination);
            messages.push(Message {
                source: destination,
                destination: source,
                flits: 2,
                after: vec![0],
                delay,
            });
            let (_, times) = ran(&plan, &Job::new("file", messages).unwrap());
            let last = times[30];
            [last.released, last.accepted, last.delivered].map(|cycle| cycle.unwrap() - delay)
        };
        assert_eq!(times(1_000), times(5_000), "{fabric}");
        assert_eq!(times(1_000), times(1_000_000_000), "{fabric}");
    }
}

/// A network without a certificate deadlocks under a job as under other packets, and says so.
#[test]
fn deadlock_is_said() {
    let plan = plan_with("rotation", 6, Some(1), 4);
    let all = collective::find("all-to-all").ok().unwrap().job(plan.topology(), 64).unwrap();
    let (report, times) = ran(&plan, &all);
    assert_eq!(report.outcome, JobOutcome::Deadlocked);
    assert!(report.delivered_messages < report.messages);
    assert!(times.iter().any(|times| times.delivered.is_none()));
    let cured = plan_with("rotation", 6, None, 4);
    assert_eq!(ran(&cured, &all).0.outcome, JobOutcome::Delivered);
}

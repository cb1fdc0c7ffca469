//! Rules of the options of traffic: `simulate`, `sweep` and `report`.

use super::When::{In, NoHotspots, Of, OfClasses, With, Without};
use super::kind::BUSSES;
use super::{Idle, Rule, idle};

pub(super) const SIMULATE: super::When = In(&["simulate"]);
const UNBOUNDED: &str = "on busses a workload runs to its last delivery, in queues without bound";
const MESSAGES: &str = "a workload is a number of messages, to the last delivery";
const FROM_FILE: &str = "the packets of a trace are those of its file";
const IN_ITS_CYCLE: &str = "a trace says in which cycle each packet is released";
const ONE_PACKET: &str = "on the machine of steps packets wait in step 0, and the last decides";
const PATTERN: &str = "a pattern names who sends to whom";
const ALONG_FLOWS: &str = "packets go along the flows";
const NO_CURVES: &str = "no traffic is run without curves";

pub(super) const ON_BUSSES: &[Idle] = &[idle(&[SIMULATE, Of(BUSSES)], UNBOUNDED)];
pub(super) const WORKLOAD: &[Idle] = &[idle(&[SIMULATE, With("workload")], MESSAGES)];
pub(super) const TRACE: &[Idle] = &[idle(&[SIMULATE, With("trace")], FROM_FILE)];
const RELEASED: &[Idle] = &[idle(&[SIMULATE, With("trace")], IN_ITS_CYCLE)];
pub(super) const MACHINE: &[Idle] = &[idle(&[SIMULATE, With("machine")], ONE_PACKET)];
pub(super) const NAMED: &[Idle] = &[idle(&[SIMULATE, With("pattern")], PATTERN)];
pub(super) const NO_RUNS: &[Idle] = &[idle(&[In(&["report"]), With("no_curves")], NO_CURVES)];
const FLOWS: &[Idle] = &[
    idle(&[In(&["simulate", "sweep", "report"]), With("flows")], ALONG_FLOWS),
    idle(&[In(&["simulate", "sweep", "report"]), With("places")], ALONG_FLOWS),
];
const HOTSPOTS: &[Idle] =
    &[idle(&[In(&["simulate", "sweep", "report"]), NoHotspots], "no packet goes to hotspots")];

const fn traffic(id: &'static str, idle: &'static [&'static [Idle]]) -> Rule {
    Rule::new("Traffic", id, idle)
}

/// Rules of the options of traffic.
pub const RULES: &[Rule] = &[
    traffic(
        "traffic",
        &[
            ON_BUSSES,
            WORKLOAD,
            TRACE,
            NAMED,
            NO_RUNS,
            FLOWS,
            &[idle(&[OfClasses("traffic")], "each class has a pattern of its own")],
        ],
    )
    .short(),
    traffic("trace", &[ON_BUSSES, WORKLOAD, MACHINE, NAMED]),
    traffic("load", &[ON_BUSSES, WORKLOAD, TRACE, MACHINE, NO_RUNS]).short(),
    traffic(
        "packet_length",
        &[
            ON_BUSSES,
            TRACE,
            MACHINE,
            NO_RUNS,
            &[idle(&[OfClasses("packet-length")], "each class has lengths of its own")],
        ],
    )
    .short(),
    traffic("class", &[ON_BUSSES, WORKLOAD, TRACE, MACHINE, NAMED, FLOWS, NO_RUNS]),
    traffic("burst", &[ON_BUSSES, WORKLOAD, TRACE, MACHINE, FLOWS, NO_RUNS]),
    traffic("reply", &[ON_BUSSES, WORKLOAD, MACHINE, NO_RUNS]),
    traffic(
        "reply_room",
        &[
            ON_BUSSES,
            WORKLOAD,
            MACHINE,
            NO_RUNS,
            &[idle(&[Without(&["reply"])], "it is for replies")],
        ],
    ),
    traffic(
        "outstanding",
        &[
            ON_BUSSES,
            WORKLOAD,
            RELEASED,
            MACHINE,
            NO_RUNS,
            &[idle(&[Without(&["reply"])], "it is for requests that are answered")],
        ],
    ),
    traffic(
        "precision",
        &[
            ON_BUSSES,
            WORKLOAD,
            MACHINE,
            NO_RUNS,
            &[
                idle(&[SIMULATE, With("trace")], "a trace is measured to its last delivery"),
                idle(
                    &[In(&["sweep"]), With("slurm")],
                    "the runs of its tasks are known beforehand",
                ),
            ],
        ],
    ),
    traffic("self_addressed", &[ON_BUSSES, TRACE, NAMED, FLOWS, NO_RUNS]),
    traffic("no_self_addressed", &[ON_BUSSES, TRACE, NAMED, FLOWS, NO_RUNS]),
    traffic("hotspot", &[ON_BUSSES, WORKLOAD, TRACE, NAMED, FLOWS, NO_RUNS, HOTSPOTS]),
    traffic("hotspot_share", &[ON_BUSSES, WORKLOAD, TRACE, NAMED, FLOWS, NO_RUNS, HOTSPOTS]),
    traffic("allocator", &[ON_BUSSES, WORKLOAD, MACHINE, NO_RUNS]),
];

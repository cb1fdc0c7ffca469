//! Rules of the options of commands: workloads, the machine of steps, files, tools.

use super::When::{In, Is, IsNot, Of, With, Without};
use super::kind::{BUSSES, CHANNELS, NO_FUNNELS, QUEUELESS};
use super::traffic::{MACHINE, NAMED, NO_RUNS, ON_BUSSES, SIMULATE, TRACE, WORKLOAD};
use super::{Idle, Kind, Rule, idle};

const CIRCUIT: &[Kind] = &[Kind::Circuit];
const SLOTTED: &[Kind] = &[Kind::Slotted];

const NO_WORKLOAD: &str = "it is for workloads";
const NO_MACHINE: &str = "it is for the machine of steps";
const NO_CHANNELS: &str = "busses have no channels to load, to draw or to merge";
const NOT_WRITTEN: &str = "no file is written that could be there";

const SENT: &[Idle] = &[idle(&[In(&["schedule"]), With("flows")], "the flows are what is sent")];
const OF_WORKLOADS: &[Idle] = &[idle(&[SIMULATE, Without(&["workload"])], NO_WORKLOAD)];
const OF_MACHINE: &[Idle] = &[idle(&[SIMULATE, Of(CHANNELS), Without(&["machine"])], NO_MACHINE)];
/// Files of what each packet had.
const PACKETS: &[Idle] = &[
    idle(&[SIMULATE, Of(BUSSES)], "what busses carried stands in the report alone"),
    idle(&[SIMULATE, With("workload")], "what a workload carried stands in the report alone"),
    idle(&[SIMULATE, With("machine")], "what the machine carried stands in the report alone"),
];
const ANALYZE_BUSSES: &[Idle] = &[idle(&[In(&["analyze"]), Of(BUSSES)], NO_CHANNELS)];
const WHOLE: &[Idle] = &[
    idle(&[In(&["synth"]), Of(CIRCUIT)], "a circuit fabric is measured whole"),
    idle(
        &[In(&["synth"]), Of(SLOTTED)],
        "a slotted fabric is measured whole, and module by module",
    ),
];
const SWITCHED_ALONE: &[Idle] = &[
    idle(&[In(&["generate"]), Of(QUEUELESS)], "it is for --kind switched"),
    idle(&[In(&["generate"]), Of(BUSSES)], "it is for --kind switched"),
];
const SYNTHESIS: &[Idle] =
    &[idle(&[In(&["compare"]), Without(&["synth"])], "it is for the runs of synthesis")];
const SLURM: &[Idle] =
    &[idle(&[In(&["sweep"]), Without(&["slurm"])], "it is for the tasks of Slurm")];
const WRITTEN_DOWN: &[Idle] =
    &[idle(&[In(&["sweep"]), With("slurm")], "nothing is run here, and there is no report yet")];
const MISSING: &[Idle] =
    &[idle(&[In(&["sweep"]), With("missing")], "tasks are listed in place of the report")];
/// Bounds of a search.
const KEPT_ANYHOW: &str = "a bound that the answer may keep without it";

const fn workload(id: &'static str, idle: &'static [&'static [Idle]]) -> Rule {
    Rule::new("Workload", id, idle)
}

const fn machine(id: &'static str, idle: &'static [&'static [Idle]]) -> Rule {
    Rule::new("Machine of steps", id, idle)
}

const fn output(id: &'static str, idle: &'static [&'static [Idle]]) -> Rule {
    Rule::new("Output", id, idle)
}

/// Rule of an option of few commands, under "Options".
const fn own(id: &'static str, idle: &'static [&'static [Idle]]) -> Rule {
    Rule::new("", id, idle)
}

/// Rules of the options of commands.
pub const RULES: &[Rule] = &[
    workload("workload", &[TRACE, MACHINE, NAMED]).short(),
    workload("collective", &[]).short(),
    workload(
        "piece",
        &[&[idle(&[In(&["job"]), With("messages")], "messages of a file have their own lengths")]],
    ),
    workload(
        "messages",
        &[&[idle(&[In(&["job"]), With("collective")], "a collective operation has its own")]],
    )
    .short(),
    workload(
        "h",
        &[&[
            idle(&[SIMULATE, Of(CHANNELS)], "it is for networks of busses (ocpc, mob, split-hash)"),
            idle(&[SIMULATE, IsNot("workload", &["h-relation"])], "other workloads say it"),
        ]],
    ),
    workload(
        "two_phase",
        &[&[
            idle(
                &[SIMULATE, Of(CHANNELS)],
                "it is for networks of busses (ocpc, mob), and others take --routing two-phase",
            ),
            idle(
                &[SIMULATE, Of(&[Kind::SplitHash])],
                "packets of split-hash go by the Funnel Algorithm",
            ),
            idle(
                &[SIMULATE, Is("protocol", &["schedule"])],
                "a time table says the way of every word",
            ),
        ]],
    ),
    workload("interval", &[ON_BUSSES, OF_WORKLOADS]),
    workload(
        "rounds",
        &[
            ON_BUSSES,
            OF_WORKLOADS,
            &[idle(&[SIMULATE, Without(&["interval"])], "it is how often a workload starts")],
        ],
    ),
    workload("acknowledge", &[ON_BUSSES, OF_WORKLOADS]),
    workload(
        "acknowledgement_room",
        &[
            ON_BUSSES,
            OF_WORKLOADS,
            &[idle(&[SIMULATE, Without(&["acknowledge"])], "it is for acknowledgements")],
        ],
    ),
    machine("machine", &[ON_BUSSES]),
    machine("queueing", &[ON_BUSSES, OF_MACHINE]),
    machine("barrier", &[ON_BUSSES, OF_MACHINE]),
    machine("drawn", &[ON_BUSSES, OF_MACHINE]),
    machine("runs", &[OF_MACHINE, NO_RUNS])
        .unseen("of report: runs that are kept are not run again"),
    own("pattern", &[ON_BUSSES, ANALYZE_BUSSES, WORKLOAD, TRACE, SENT]).short(),
    own(
        "seed",
        &[
            &[
                idle(
                    &[In(&["generate", "verify", "synth"]), Of(NO_FUNNELS)],
                    "split&hash networks alone have funnels",
                ),
                idle(
                    &[SIMULATE, With("trace"), Is("engine", &["reference"])],
                    "the packets of a trace are those of its file",
                ),
                idle(&[In(&["compare"]), Without(&["across", "networks"])], "no traffic is run"),
            ],
            NO_RUNS,
        ],
    )
    .unseen("what is drawn may come out alike"),
    own("cycles", &[ON_BUSSES, WORKLOAD, MACHINE, NO_RUNS]).short(),
    own("warmup", &[ON_BUSSES, WORKLOAD, MACHINE, NO_RUNS]),
    own("engine", &[ON_BUSSES, MACHINE]).short(),
    output(
        "vcd",
        &[
            ON_BUSSES,
            MACHINE,
            &[idle(&[SIMULATE, IsNot("engine", &["rtl"])], "a waveform is one of the RTL")],
        ],
    ),
    output("samples", &[PACKETS]),
    output("pairs", &[PACKETS]),
    output("sources", &[PACKETS]),
    output("histogram", &[PACKETS]),
    output("channels", &[PACKETS]),
    output(
        "svg",
        &[
            ANALYZE_BUSSES,
            &[
                idle(
                    &[In(&["analyze"]), With("pattern")],
                    "the picture is of the network, not of a pattern",
                ),
                idle(
                    &[In(&["analyze"]), With("collapse")],
                    "the picture is of the network as it is",
                ),
                idle(&[In(&["analyze"]), With("bounds")], "bounds are numbers alone"),
                idle(
                    &[In(&["compare"]), Without(&["synth", "across"])],
                    "figures of these alone are drawn",
                ),
                idle(
                    &[In(&["tables"]), IsNot("paper", &["butterflies"])],
                    "the table of butterflies alone is drawn",
                ),
            ],
        ],
    ),
    output(
        "force",
        &[
            &[
                idle(&[In(&["analyze", "compare", "tables"]), Without(&["svg"])], NOT_WRITTEN),
                idle(
                    &[
                        SIMULATE,
                        Without(&["vcd", "samples", "pairs", "sources", "histogram", "channels"]),
                    ],
                    NOT_WRITTEN,
                ),
                idle(&[In(&["sweep"]), Without(&["html", "slurm"])], NOT_WRITTEN),
                idle(&[In(&["search"]), Without(&["save", "proof"])], NOT_WRITTEN),
                idle(&[In(&["design", "place", "worst"]), Without(&["save"])], NOT_WRITTEN),
                idle(&[In(&["audit"]), Without(&["certificate", "save", "stopped"])], NOT_WRITTEN),
                idle(&[In(&["schedule"]), Without(&["image"])], NOT_WRITTEN),
                idle(&[In(&["explore", "export"]), Without(&["out"])], NOT_WRITTEN),
            ],
            MISSING,
        ],
    )
    .unseen("a permission: it acts on a file that is there")
    .for_some(),
    output("format", &[WRITTEN_DOWN, MISSING]).short(),
    own("out", &[WRITTEN_DOWN]).short(),
    own("html", &[WRITTEN_DOWN, MISSING]),
    own("name", &[]).short(),
    own("vendor", &[]),
    own("library", &[]),
    own("core_version", &[]),
    own("allow_deadlock", &[SWITCHED_ALONE]).unseen("a permission: most fabrics cannot deadlock"),
    own("picture", &[SWITCHED_ALONE]),
    own(
        "selftest",
        &[&[idle(&[In(&["generate"]), Of(QUEUELESS)], "it is for --kind switched and for busses")]],
    ),
    own("formal", &[]).short(),
    own("limit", &[&[idle(&[In(&["verify"]), Without(&["formal"])], "it is for proofs")]])
        .speed("how long a proof may take"),
    own("target", &[]).short(),
    own(
        "part",
        &[
            WHOLE,
            &[idle(
                &[In(&["synth"]), Of(&[Kind::SplitHash])],
                "its nodes are not alike, each with busses of its own, and it is measured whole",
            )],
        ],
    )
    .short(),
    own(
        "crossbar",
        &[WHOLE, &[idle(&[In(&["synth"]), Of(BUSSES)], "a bus fabric has no crossbar")]],
    ),
    own("seeds", &[SYNTHESIS, NO_RUNS]),
    own("no_cache", &[SYNTHESIS]).speed("how long it takes"),
    own("collapse", &[ANALYZE_BUSSES]),
    own(
        "bounds",
        &[
            ANALYZE_BUSSES,
            &[
                idle(&[In(&["analyze"]), With("pattern")], "bounds are of flows, not of a pattern"),
                idle(&[In(&["analyze"]), With("collapse")], "bounds are of flows"),
            ],
        ],
    ),
    own("all", &[]),
    own(
        "draw",
        &[&[idle(
            &[In(&["route"]), With("all")],
            "the paths are those of the topology, under no relation",
        )]],
    ),
    own(
        "across",
        &[&[idle(
            &[In(&["compare"]), With("networks")],
            "each network of a list has its own words",
        )]],
    ),
    own("networks", &[]),
    own(
        "synth",
        &[&[
            idle(&[In(&["compare"]), With("across")], "relations of one topology are synthesised"),
            idle(
                &[In(&["compare"]), With("networks")],
                "relations of one topology are synthesised",
            ),
        ]],
    ),
    own("saturation", &[NO_RUNS]).unseen("with --load auto it is found without being asked"),
    own("no_curves", &[]),
    own("slurm", &[]),
    own("runs_per_task", &[SLURM]),
    own("throttle", &[SLURM]),
    own("sbatch", &[SLURM]),
    own("task", &[SLURM]),
    own("merge", &[]),
    own(
        "missing",
        &[&[idle(&[In(&["sweep"]), Without(&["merge"])], "it is for a sweep that was written")]],
    ),
    own("up_to", &[]).short(),
    own(
        "in_turn",
        &[&[
            idle(
                &[In(&["schedule"]), Of(&[Kind::Switched])],
                "it is for networks of circuits, and a time table has none",
            ),
            idle(
                &[In(&["schedule"]), With("self_routing")],
                "words find their way by their destinations",
            ),
            idle(&[In(&["schedule"]), With("reduced")], "a reduced network is set at once"),
        ]],
    ),
    own(
        "image",
        &[&[idle(
            &[In(&["schedule"]), Of(&[Kind::Switched])],
            "it is for networks of circuits, and a time table has none",
        )]],
    ),
    own(
        "conflicts",
        &[&[idle(
            &[In(&["schedule"]), Of(CIRCUIT), IsNot("kind", &["switched"])],
            "settings are found without a solver",
        )]],
    )
    .speed("how long a solver may search"),
    own("save", &[]).unseen("of audit: there is something to mend only with a deadlock"),
    own("proof", &[]).unseen("there is one only where no relation exists"),
    own("max_crosspoints", &[]).short().unseen(KEPT_ANYHOW),
    own("max_fan_out", &[]).unseen(KEPT_ANYHOW),
    own("max_fan_in", &[]).unseen(KEPT_ANYHOW),
    own("max_load", &[]).short().unseen(KEPT_ANYHOW),
    own("max_multiplexer_inputs", &[]).unseen(KEPT_ANYHOW),
    own("max_queues", &[]).unseen(KEPT_ANYHOW),
    own("max_worst_case", &[]).unseen(KEPT_ANYHOW),
    own("any_failure", &[]),
    own("detour", &[]),
    own("fixed", &[]),
    own("switch_ports", &[]).short(),
    own("together", &[]),
    own("symmetric", &[]),
    own("parities", &[&[idle(&[In(&["search"]), With("symmetric")], "all nodes are alike")]]),
    own("balanced", &[]),
    own(
        "imbalance",
        &[&[idle(&[In(&["search"]), Without(&["balanced"])], "it is for loads that are balanced")]],
    ),
    own("minimal_rotations", &[]).unseen(KEPT_ANYHOW),
    own("minimize", &[]).short(),
    own("time_limit", &[]).speed("how long it searches"),
    own("routes", &[]).short(),
    own("audited_as", &[]),
    own(
        "own_vcs",
        &[&[idle(&[In(&["audit"]), Without(&["flows"])], "message classes stand in the flows")]],
    ),
    own("switching", &[]).short(),
    own("certificate", &[]).short().unseen("there is one only without a deadlock"),
    own("stopped", &[]).unseen("packets stop only where there is a deadlock"),
];

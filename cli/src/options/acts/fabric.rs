//! Rules of the options that make a fabric: network, routing, switches, ports, circuits, busses.

use super::When::{In, Is, IsNot, NoFile, Of, With, Without};
use super::kind::{BUSSES, CHANNELS, GRIDS, NO_FUNNELS};
use super::{Idle, Kind, Rule, When, idle};

const CIRCUIT: &[Kind] = &[Kind::Circuit];
const SWITCHED: &[Kind] = &[Kind::Switched];
const SLOTTED: &[Kind] = &[Kind::Slotted];
const SEVERAL_BUSSES: &[Kind] = &[Kind::Mob, Kind::SplitHash];

const NO_QUEUES: &str = "a circuit fabric has no queues and no routes";
const NO_ROUTES: &str = "a network of busses has no routes";
const NO_SWITCHES: &str = "a bus fabric has no switches of channels";
const NETWORK_ALONE: &str = "figures of busses are of the network alone";
const UNBOUNDED: &str = "on busses a workload runs to its last delivery, in queues without bound";
const ONE_WIDTH_AND_CLOCK: &str =
    "figures are of the network, whose flits have one width and one clock, and its own addresses";
const PATTERN: &str = "the load of a pattern is one of routes, whatever the switches";
const COLLAPSED: &str = "what a butterfly becomes is a matter of its routes, whatever the switches";
const STEPS: &str = "the machine of steps has no switches, and queues without bound";
const OWN_WORDS: &str = "each network of a list has its own words";
const FIXED_LIST: &str = "the networks of this comparison are a fixed list, each by its dimension";
const EVERY_PATH: &str = "the paths are those of the topology, under no relation";
const ALL_TO_ALL: &str = "it is of packets from all to all";
const NO_TABLE: &str = "it is for networks of circuits, and a time table has none";

/// Beside the words of other networks.
const LISTED: &[Idle] = &[idle(&[In(&["compare"]), With("networks")], OWN_WORDS)];
const ACROSS: &[Idle] = &[idle(&[In(&["compare"]), With("across")], FIXED_LIST)];
const ALL_PATHS: &[Idle] = &[idle(&[In(&["route"]), With("all")], EVERY_PATH)];
/// Fabrics that have no routes.
const RELATION: &[Idle] = &[
    idle(&[Of(BUSSES)], NO_ROUTES),
    idle(&[In(&["schedule"]), Of(CIRCUIT), IsNot("kind", &["switched"])], NO_QUEUES),
    idle(&[Of(CIRCUIT)], NO_QUEUES),
];
/// Modes that look at no switches.
const ROUTES: &[Idle] = &[
    idle(&[In(&["analyze"]), With("collapse")], COLLAPSED),
    idle(&[In(&["analyze"]), With("pattern")], PATTERN),
    idle(&[In(&["simulate"]), With("machine")], STEPS),
];
/// Bounds of latency, which are of channels without registers.
const BOUNDED: &[Idle] = &[idle(
    &[In(&["analyze"]), With("bounds")],
    "there are no bounds of channels with registers yet",
)];
/// Uses of busses that make no fabric of them.
const BUS_FIGURES: &[Idle] = &[
    idle(&[In(&["compare"]), Of(BUSSES)], NETWORK_ALONE),
    idle(&[In(&["analyze"]), Of(BUSSES)], NETWORK_ALONE),
    idle(&[In(&["simulate"]), Of(BUSSES)], UNBOUNDED),
];
/// Uses of busses without queues; `compare` asks their depth.
const BUS_DEPTH: &[Idle] = &[
    idle(&[In(&["analyze"]), Of(BUSSES)], NETWORK_ALONE),
    idle(&[In(&["simulate"]), Of(BUSSES)], UNBOUNDED),
];
const SWITCHES: &[Idle] = &[idle(&[Of(BUSSES)], NO_SWITCHES), idle(&[Of(CIRCUIT)], NO_QUEUES)];
const QUEUES: &[Idle] = &[idle(&[Of(CIRCUIT)], NO_QUEUES)];
/// Options of queues.
const UNQUEUED: &[Idle] =
    &[idle(&[Of(SLOTTED)], "a slotted fabric has no queues, and no word waits in it")];
/// Options of what stands between terminals and a network with back-pressure.
const NO_BACK_PRESSURE: &[Idle] =
    &[idle(&[Of(SLOTTED)], "it is for networks with back-pressure, and a slotted fabric has none")];
const ONE_ROUTE: &[Idle] = &[idle(&[Of(SLOTTED)], "its words have one route for each pair")];
const STYLES: &[Idle] = &[idle(
    &[In(&["compare"]), Without(&["synth", "across", "networks"])],
    "it changes no figure of a switch that is not synthesised",
)];
/// Uses that are of packets from every terminal to every terminal.
const FOR_FLOWS: &[Idle] = &[
    idle(&[In(&["simulate"]), With("workload")], ALL_TO_ALL),
    idle(&[In(&["analyze"]), With("collapse")], ALL_TO_ALL),
    idle(&[In(&["bsp"])], ALL_TO_ALL),
];
/// Commands that look at the network alone, whatever stands between it and its terminals.
const OF_THE_NETWORK: When = In(&["analyze", "simulate", "sweep", "job", "bsp", "report"]);
/// Widths and clocks of terminals, which the network itself has not.
const INTERFACES: &[Idle] = &[idle(&[OF_THE_NETWORK], ONE_WIDTH_AND_CLOCK)];
/// Counters, which change no figure of the network.
const COUNTERS: &[Idle] =
    &[idle(&[OF_THE_NETWORK], "counters only look on: every figure is as without them")];
/// Shapers, which hold packets before they are released.
const SHAPERS: &[Idle] = &[
    idle(
        &[In(&["simulate", "sweep", "job", "bsp", "report"])],
        "figures are of packets from their release on, and shapers hold them before",
    ),
    idle(
        &[In(&["analyze"]), Without(&["bounds"])],
        "shapers hold packets before they enter the network, and of that bounds alone say something",
    ),
    idle(&[Without(&["flows"])], "shapers are for flows, and there are none"),
];
const ALIKE: &[Idle] = &[
    idle(&[In(&["worst"])], "channels are loaded alike whatever their virtual channels"),
    idle(&[In(&["schedule"])], "words that never meet need no virtual channels"),
    idle(&[Of(SLOTTED)], "words that never meet need no virtual channels"),
];
const ONE_VC: &[Idle] = &[idle(&[Without(&["vcs"])], "each class has one virtual channel")];
const SHAPED: &[Idle] = &[idle(&[Without(&["shaper"])], "there are no shapers")];
/// Options of what stands around the network, which is synthesised with the whole alone.
const AROUND: &[Idle] =
    &[idle(&[In(&["synth"]), IsNot("part", &["fabric"])], "it is of the whole fabric")];
const COUNTED: &[Idle] = &[idle(&[Without(&["counters"])], "there are no counters")];
const CLOCKS: &[Idle] =
    &[idle(&[Without(&["terminal_clock"])], "all terminals are in the clock of the network")];
/// Options of streams, which memory-mapped ends say themselves, or have not.
const OF_STREAMS: &[Idle] = &[idle(
    &[With("ends")],
    "the words between memory-mapped ends are as wide as these need, and theirs alone",
)];
const FILES: &[Idle] = &[idle(&[NoFile], "it is for files, and this network is none")];
/// Options of circuit fabrics.
const OF_CIRCUITS: &[Idle] = &[
    idle(&[Of(BUSSES)], "a network of busses makes a bus fabric"),
    idle(
        &[In(&["generate", "verify", "synth", "bsp"]), Of(SWITCHED), IsNot("kind", &["circuit"])],
        "switched fabrics have nothing of the sort",
    ),
];
const OF_SETTINGS: &[Idle] =
    &[idle(&[Of(SLOTTED)], "it is for networks of circuits, and a time table has none")];
const OF_SCHEDULES: &[Idle] = &[idle(&[In(&["schedule"]), Of(SWITCHED)], NO_TABLE)];
const OF_BUSSES: &[Idle] =
    &[idle(&[Of(CHANNELS)], "protocols are for networks of busses (ocpc, mob, split-hash)")];
const BY_FUNNELS: &[Idle] = &[idle(
    &[In(&["simulate"]), Of(&[Kind::SplitHash])],
    "packets of split-hash go by the Funnel Algorithm",
)];
const OF_FUNNELS: &[Idle] = &[idle(&[Of(NO_FUNNELS)], "split&hash networks alone have funnels")];

const fn network(id: &'static str, idle: &'static [&'static [Idle]]) -> Rule {
    Rule::new("Network", id, idle)
}

const fn routing(id: &'static str, idle: &'static [&'static [Idle]]) -> Rule {
    Rule::new("Routing", id, idle)
}

const fn switches(id: &'static str, idle: &'static [&'static [Idle]]) -> Rule {
    Rule::new("Switches", id, idle)
}

const fn ports(id: &'static str, idle: &'static [&'static [Idle]]) -> Rule {
    Rule::new("Ports", id, idle)
}

const fn circuits(id: &'static str, idle: &'static [&'static [Idle]]) -> Rule {
    Rule::new("Circuits", id, idle)
}

const fn busses(id: &'static str, idle: &'static [&'static [Idle]]) -> Rule {
    Rule::new("Busses", id, idle)
}

/// Rule of the parameters of topologies, whose list says which takes which; `--dim` has its own.
pub const SIZE: Rule = SIZE_BY_DEFAULT.short();
/// Rule of those that may be left out.
pub const SIZE_BY_DEFAULT: Rule = network("", &[LISTED, ACROSS]);

/// Rules of the options of fabrics.
pub const RULES: &[Rule] = &[
    Rule::new("", "topology", &[LISTED, ACROSS]),
    network("dim", &[LISTED]).short(),
    network(
        "concentration",
        &[
            &[
                idle(&[Of(BUSSES)], "a node of a bus is one terminal"),
                idle(
                    &[Of(CIRCUIT)],
                    "a network of circuits has one terminal at each end of a link",
                ),
            ],
            ALL_PATHS,
            LISTED,
            ACROSS,
        ],
    ),
    network(
        "as_format",
        &[&[idle(&[Of(BUSSES)], "it is for files, and this network is none")], LISTED, ACROSS],
    ),
    network("two_way", &[LISTED, ACROSS, FILES]),
    network("side", &[OF_FUNNELS]),
    network("factor", &[OF_FUNNELS]),
    routing("routing", &[RELATION, ALL_PATHS, LISTED, ACROSS]).short(),
    routing("phases", &[RELATION, ONE_ROUTE, ALL_PATHS]),
    routing("intermediate", &[RELATION, ONE_ROUTE, ALL_PATHS]),
    routing("route_seed", &[RELATION, ALL_PATHS]),
    network(
        "places",
        &[
            RELATION,
            ALL_PATHS,
            FOR_FLOWS,
            &[idle(&[In(&["schedule"])], "it sends along routes by the names of the topology")],
        ],
    ),
    routing(
        "flows",
        &[
            ALL_PATHS,
            FOR_FLOWS,
            &[
                idle(&[With("ends")], "flows are those between the ends"),
                idle(&[Of(SEVERAL_BUSSES)], "it is for one bus of all nodes (ocpc)"),
                idle(
                    &[In(&["synth"]), Of(BUSSES), Is("part", &["node"])],
                    "nodes of a bus for flows are not alike",
                ),
                idle(
                    &[In(&["generate", "verify", "synth"]), With("self_routing")],
                    "words that find their way have no schedule",
                ),
            ],
        ],
    ),
    routing(
        "ends",
        &[
            RELATION,
            ALL_PATHS,
            FOR_FLOWS,
            &[
                idle(&[In(&["schedule"])], "a time table has no message classes"),
                idle(&[Of(SLOTTED)], "its sinks take each word as it comes, and ends may wait"),
            ],
        ],
    ),
    routing(
        "classes",
        &[
            RELATION,
            ALL_PATHS,
            FOR_FLOWS,
            &[idle(&[Without(&["flows", "ends"])], "message classes are those of flows")],
        ],
    ),
    routing("failed", &[RELATION]),
    routing("vcs", &[RELATION, ALL_PATHS, ROUTES, ALIKE]),
    routing("vc_allocation", &[RELATION, ALL_PATHS, ROUTES, ALIKE, ONE_VC]),
    switches("depth", &[QUEUES, UNQUEUED, BUS_DEPTH, ROUTES]).short(),
    switches("pipeline", &[SWITCHES, UNQUEUED, ROUTES, STYLES]),
    switches("link_registers", &[SWITCHES, UNQUEUED, ROUTES, STYLES, BOUNDED]),
    switches("queue", &[SWITCHES, UNQUEUED, ROUTES, STYLES]),
    switches("mux", &[SWITCHES, UNQUEUED, ROUTES, STYLES]),
    switches("goal", &[SWITCHES, UNQUEUED, ROUTES]),
    switches(
        "draw_seed",
        &[
            QUEUES,
            UNQUEUED,
            BUS_FIGURES,
            ROUTES,
            &[idle(
                &[Of(GRIDS), Is("protocol", &["rotor"])],
                "senders that take turns draw nothing",
            )],
        ],
    ),
    ports("width", &[OF_STREAMS, BUS_FIGURES, ROUTES]).short(),
    ports(
        "source_id",
        &[
            OF_STREAMS,
            QUEUES,
            &[idle(&[Of(SLOTTED)], "its sinks are always told from whom a word is")],
            BUS_FIGURES,
            ROUTES,
        ],
    ),
    ports("user_width", &[OF_STREAMS, SWITCHES, ROUTES]),
    ports("keep", &[OF_STREAMS, SWITCHES, ROUTES]),
    ports("terminal_width", &[OF_STREAMS, SWITCHES, NO_BACK_PRESSURE, INTERFACES, AROUND])
        .for_some(),
    ports("terminal_clock", &[OF_STREAMS, SWITCHES, NO_BACK_PRESSURE, INTERFACES, AROUND])
        .for_some(),
    ports("terminal_address", &[OF_STREAMS, SWITCHES, NO_BACK_PRESSURE, INTERFACES, AROUND])
        .for_some(),
    ports("sync_stages", &[SWITCHES, NO_BACK_PRESSURE, INTERFACES, AROUND, CLOCKS]).for_some(),
    ports("counters", &[SWITCHES, NO_BACK_PRESSURE, COUNTERS, AROUND]).for_some(),
    ports("watchdog", &[SWITCHES, NO_BACK_PRESSURE, COUNTERS, AROUND, COUNTED]).for_some(),
    ports("shaper", &[OF_STREAMS, SWITCHES, NO_BACK_PRESSURE, SHAPERS, AROUND]).for_some(),
    ports("shaper_room", &[OF_STREAMS, SWITCHES, NO_BACK_PRESSURE, SHAPERS, AROUND, SHAPED])
        .for_some(),
    ports("ports", &[OF_STREAMS, SWITCHES, ROUTES]),
    ports("reset", &[BUS_FIGURES, ROUTES]),
    circuits("kind", &[&[idle(&[Of(BUSSES)], "a network of busses makes a bus fabric")]]).short(),
    circuits(
        "slots",
        &[&[
            idle(&[Of(BUSSES)], "a network of busses makes a bus fabric"),
            idle(
                &[
                    In(&["generate", "verify", "synth", "bsp"]),
                    Of(SWITCHED),
                    IsNot("kind", &["circuit", "slotted"]),
                ],
                "switched fabrics have nothing of the sort",
            ),
            idle(&[With("baked")], "a fixed schedule has the slots that it needs"),
            idle(
                &[In(&["generate", "verify", "synth"]), Of(CIRCUIT), With("flows")],
                "a fixed schedule has the slots that it needs",
            ),
            idle(
                &[In(&["generate", "verify", "synth", "bsp"]), With("self_routing")],
                "words that find their way have no schedule",
            ),
            idle(
                &[In(&["schedule"]), Of(CIRCUIT), Without(&["image"])],
                "it is of the fabric that an image is for",
            ),
        ]],
    ),
    circuits(
        "baked",
        &[
            OF_CIRCUITS,
            OF_SETTINGS,
            &[
                idle(&[With("self_routing")], "words that find their way have no schedule"),
                idle(&[With("flows")], "the flows are the schedule"),
            ],
        ],
    ),
    circuits(
        "self_routing",
        &[
            OF_CIRCUITS,
            OF_SETTINGS,
            OF_SCHEDULES,
            &[idle(
                &[In(&["schedule"]), With("reduced")],
                "a reduced network is not set by the bits of destinations",
            )],
        ],
    ),
    circuits(
        "stages_per_register",
        &[
            OF_CIRCUITS,
            OF_SETTINGS,
            OF_SCHEDULES,
            &[idle(
                &[In(&["schedule"]), Of(CIRCUIT), Without(&["image"])],
                "it is of the fabric that an image is for",
            )],
        ],
    ),
    circuits("reduced", &[OF_CIRCUITS, OF_SETTINGS, OF_SCHEDULES]),
    busses("protocol", &[OF_BUSSES, BY_FUNNELS]).short(),
    busses(
        "window",
        &[
            OF_BUSSES,
            BY_FUNNELS,
            &[idle(
                &[IsNot("protocol", &["window", "thinning"])],
                "other protocols have no slots or words to choose",
            )],
        ],
    ),
    busses(
        "exponent",
        &[
            OF_BUSSES,
            BY_FUNNELS,
            &[idle(
                &[Is("protocol", &["window", "thinning", "rotor", "schedule"])],
                "it is for --protocol backoff",
            )],
        ],
    ),
    busses("batches", &[OF_FUNNELS]),
    busses("hashing", &[OF_FUNNELS]),
    busses("medium", &[OF_FUNNELS]),
    busses("on_livelock", &[OF_FUNNELS]),
];

//! Command lines that run by themselves: each command with each kind of fabric and in each of its modes.
//! Networks have a few nodes.

/// A folder of the run, in a line; it holds the files of [`super::files`].
pub const HERE: &str = "{here}";
/// A folder of all runs, in a line; it holds a sweep for Slurm and one that was kept.
pub const KEPT: &str = "{kept}";

/// A fabric of circuits.
const BENES: &str = "benes --dim 2 --kind circuit";
/// A slotted fabric.
const SLOTTED: &str = "hypercube --dim 2 --kind slotted";
/// Networks of busses.
const OCPC: &str = "ocpc --nodes 4";
const MOB: &str = "mob --shape 2x2";
const SPLIT_HASH: &str = "split-hash --side 4 --levels 2 --factor 2";

/// A switched fabric.
const HYPERCUBE: &str = "hypercube --dim 2";

/// Relations whose packets choose, that draw for each packet, that draw their routes, and that take
/// several virtual channels against deadlock.
const RELATIONS: &[&str] = &[
    "hypercube --dim 2 --routing adaptive",
    "hypercube --dim 2 --routing two-phase",
    "hypercube --dim 2 --routing random-static",
    "hypercube --dim 3 --routing rotation",
];
/// Options that depend on the relation.
const OF_RELATIONS: &[&str] = &["Routing", "draw_seed", "allocator"];

/// Networks of other sizes, and from files.
const SIZES: &[&str] = &[
    "mesh --shape 2x2",
    "ring --nodes 4",
    "butterfly --dim 2",
    "fat-tree --arity 2 --levels 2",
    "dragonfly --routers 2 --globals 1 --terminals 1",
    "{here}/net.graphml",
    "{here}/net.txt",
];
/// Heading of the options that depend on the topology.
const OF_SIZES: &[&str] = &["Network"];

/// Other controls of circuits, and other protocols of busses.
const CONTROLS: &[&str] = &[
    "benes --dim 2 --kind circuit --baked bit-reversal",
    "benes --dim 2 --kind circuit --self-routing",
    "benes --dim 2 --kind circuit --flows {here}/rows.csv",
    "ocpc --nodes 4 --protocol window",
    "ocpc --nodes 4 --protocol rotor",
];
/// Options that depend on the control or the protocol.
const OF_CONTROLS: &[&str] =
    &["slots", "baked", "self_routing", "reduced", "protocol", "window", "exponent", "draw_seed"];

/// A network for flows of message classes.
const OF_CLASSES: &str = "hypercube --dim 2 --flows {here}/kinds.csv";

/// A use of a command.
#[derive(Clone, Debug)]
pub struct Case {
    /// Name of the command.
    pub command: &'static str,
    /// Words behind it.
    pub line: String,
    /// Ids of the options that are tried, or headings of groups of them; all where there are none.
    pub tried: &'static [&'static str],
}

/// Every use that is tried.
pub fn all() -> Vec<Case> {
    let mut all = Vec::new();
    let mut add = |command, fabrics: &[&str], tail: &str, tried| {
        for fabric in fabrics {
            let line = format!("{fabric} {tail}").trim().to_owned();
            all.push(Case { command, line, tried });
        }
    };
    const GENERATE: &str = "--out {here}/fabric";
    const SYNTH: &str = "--target xilinx7";
    const BSP: &str = "--up-to 4 --runs 1";
    const SIMULATE: &str = "--cycles 200 --warmup 20 --load 0.4";
    const REPORT: &str = "--cycles 100 --load 0.4 --seeds 1 --out {here}/page.html";
    for (command, tail) in [
        ("generate", GENERATE),
        ("verify", ""),
        ("synth", SYNTH),
        ("analyze", ""),
        ("bsp", BSP),
        ("job", "--collective broadcast"),
        ("simulate", SIMULATE),
        ("sweep", "--cycles 100 --load 0.4 --seeds 1 --warmup 20"),
        ("report", REPORT),
        ("worst", ""),
        ("schedule", "--pattern permutation:2"),
        ("export", ""),
    ] {
        add(command, &[HYPERCUBE], tail, &[]);
        add(command, SIZES, tail, OF_SIZES);
        if command != "export" {
            add(command, RELATIONS, tail, OF_RELATIONS);
        }
        if !["worst", "schedule", "export"].contains(&command) {
            add(command, &["hypercube --dim 2 --vcs 2"], tail, &["vc_allocation"]);
        }
    }
    for (command, tail) in [
        ("verify", ""),
        ("synth", SYNTH),
        ("simulate", SIMULATE),
        ("report", REPORT),
        ("worst", ""),
        ("schedule", ""),
        ("route", "00_ask 01_ask"),
        ("job", "--messages {here}/asks.csv"),
    ] {
        add(command, &[OF_CLASSES], tail, &["classes"]);
    }
    for (command, tail) in [("generate", GENERATE), ("verify", ""), ("synth", SYNTH)] {
        add(command, &[BENES, OCPC, SPLIT_HASH, SLOTTED], tail, &[]);
        add(command, CONTROLS, tail, OF_CONTROLS);
    }
    for (command, tail) in
        [("generate", GENERATE), ("verify", ""), ("synth", "--target xilinx7 --part fabric")]
    {
        let named = "hypercube --dim 1 --ports named";
        add(
            command,
            &[named],
            tail,
            &["terminal_width", "terminal_clock", "terminal_address", "counters"],
        );
        add(command, &[&format!("{named} --counters")], tail, &["watchdog"]);
        add(command, &[&format!("{named} --flows {{here}}/slow.csv")], tail, &["shaper"]);
        let shaped = format!("{named} --flows {{here}}/slow.csv --shaper");
        add(command, &[&shaped], tail, &["shaper_room"]);
        add(command, &[&format!("{named} --terminal-clock *=io_clk")], tail, &["sync_stages"]);
    }
    add("bsp", &[BENES], BSP, &[]);
    add("design", SIZES, "--flows {here}/every.csv", OF_SIZES);
    add("place", SIZES, "--flows {here}/cores.csv", OF_SIZES);
    add("analyze", &[OCPC, MOB, SPLIT_HASH], "", &[]);
    add("report", &["hypercube --dim 1"], "--out {here}/page.html", &["no_curves"]);
    add(
        "search",
        &["hypercube --dim 3 --balanced per-step --max-crosspoints 3"],
        "",
        &["imbalance"],
    );
    // One of the few questions that the solver alone answers with no.
    const NONE: &str =
        "--symmetric rotations --minimal-rotations --balanced per-step --imbalance 1";
    add("search", &["hypercube --dim 8"], NONE, &["proof"]);
    for more in MODES {
        let (command, line) = more.split_once(' ').unwrap_or((more, ""));
        add(command, &[line], "", &[]);
    }
    all
}

/// Modes of commands.
const MODES: &[&str] = &[
    "list",
    "schema",
    "completions bash",
    "man",
    "tables heller",
    "tables butterflies --svg {here}/there.svg",
    "generate hypercube --dim 2 --out {here}/edited",
    "generate hypercube --dim 3 --vcs 1 --routing rotation --out {here}/fabric",
    "generate benes --dim 2 --out {here}/fabric",
    "generate hypercube --dim 2 --flows {here}/kinds.csv --out {here}/fabric",
    "generate hypercube --dim 2 --ends {here}/ends.csv --out {here}/fabric",
    "synth hypercube --dim 2 --target ice40-hx8k",
    "compare --dim 1 --synth ice40-hx8k --routing ecube",
    "verify hypercube --dim 1 --formal",
    "synth benes --dim 2 --target xilinx7",
    "synth ocpc --nodes 4 --target xilinx7 --part node",
    "analyze hypercube --dim 2 --pattern transpose",
    "analyze butterfly --dim 2",
    "analyze butterfly --dim 2 --collapse",
    "analyze hypercube --dim 2 --svg {here}/there.svg",
    "bsp benes --dim 2 --up-to 4 --runs 1",
    "route hypercube --dim 2 00 11",
    "route hypercube --dim 2 --routing two-phase 00 11",
    "route hypercube --dim 2 --routing random-static 00 11",
    "route hypercube --dim 3 --routing rotation 000 111",
    "route hypercube --dim 2 --vcs 2 00 11",
    "route hypercube --dim 2 00 11 --all",
    "route mesh --shape 2x2 0_0 1_1",
    "route ring --nodes 4 0 2",
    "route butterfly --dim 2 0 3",
    "route fat-tree --arity 2 --levels 2 0 3",
    "route dragonfly --routers 2 --globals 1 --terminals 1 0 2",
    "route {here}/net.graphml a b",
    "route {here}/net.txt t0 t1",
    "compare --dim 2",
    "compare mesh --shape 2x2",
    "compare ring --nodes 4",
    "compare butterfly --dim 2",
    "compare fat-tree --arity 2 --levels 2",
    "compare dragonfly --routers 2 --globals 1 --terminals 1",
    "compare {here}/net.graphml",
    "compare {here}/net.txt",
    "compare --dim 3 --across",
    "compare --dim 2 --across --svg {here}/there.svg",
    "compare --network mesh~--shape~2x2",
    "compare --network ocpc~--nodes~4",
    "compare --dim 2 --synth xilinx7 --routing ecube",
    "report hypercube --dim 2 --no-curves --out {here}/page.html",
    "report hypercube --dim 2 --no-curves --out {here}/there.svg",
    "report hypercube --dim 2 --traffic hotspot --cycles 100 --load 0.4 --seeds 1 --out {here}/page.html",
    "report hypercube --dim 2 --reply 1 --cycles 100 --load 0.4 --seeds 1 --out {here}/page.html",
    "report hypercube --dim 2 --cycles 100 --load auto:8 --seeds 1 --out {here}/page.html",
    "simulate hypercube --dim 2 --traffic hotspot --cycles 200 --warmup 20 --load 0.4",
    "simulate hypercube --dim 2 --reply 2 --cycles 200 --warmup 20 --load 0.4",
    "simulate hypercube --dim 2 --class a:share=1,traffic=shuffle,packet-length=2 --cycles 200",
    "simulate hypercube --dim 2 --flows {here}/flows.csv --cycles 200",
    "analyze hypercube --dim 2 --flows {here}/kinds.csv",
    "analyze hypercube --dim 2 --flows {here}/buckets.csv --bounds",
    "analyze hypercube --dim 1 --flows {here}/slow.csv --bounds --ports named",
    "analyze hypercube --dim 1 --flows {here}/slow.csv --bounds --ports named --shaper",
    "simulate hypercube --dim 2 --trace {here}/trace.csv",
    "simulate hypercube --dim 2 --pattern transpose --cycles 200",
    "simulate hypercube --dim 2 --engine rtl --cycles 100",
    "simulate hypercube --dim 2 --engine rtl --cycles 100 --vcd {here}/there.svg",
    "simulate hypercube --dim 2 --workload random",
    "simulate hypercube --dim 2 --workload random --interval 4",
    "simulate hypercube --dim 2 --workload random --acknowledge",
    "job hypercube --dim 2 --messages {here}/job.csv",
    "simulate hypercube --dim 3",
    "simulate hypercube --dim 3 --machine steps",
    "simulate hypercube --dim 3 --machine steps --traffic hotspot",
    "simulate hypercube --dim 3 --machine steps --routing two-phase",
    "simulate ocpc --nodes 4 --workload permutation",
    "simulate ocpc --nodes 4 --workload h-relation --h 3 --protocol window",
    "simulate ocpc --nodes 4 --workload h-relation --h 3 --protocol rotor",
    "simulate ocpc --nodes 4 --workload permutation --protocol schedule",
    "simulate mob --shape 2x2 --workload permutation",
    "simulate split-hash --side 4 --levels 2 --factor 2",
    "simulate split-hash --side 4 --levels 2 --factor 2 --workload h-relation",
    "simulate split-hash --side 8 --levels 2 --factor 2 --batches 1 --on-livelock stop",
    "sweep hypercube --dim 2 --traffic hotspot --cycles 100 --load 0.4 --seeds 1",
    "sweep hypercube --dim 2 --reply 1 --cycles 100 --load 0.4 --seeds 1",
    "sweep hypercube --dim 2 --cycles 100 --load 0.4 --seeds 1 --html {here}/there.svg",
    "sweep hypercube --dim 2 --cycles 100 --load auto:8 --seeds 1",
    "sweep hypercube --dim 2 --cycles 100 --load 0.4 --seeds 2 --slurm {here}/job",
    "sweep --merge {kept}/job",
    "sweep --merge {kept}/job --missing",
    "explore --flows {here}/rates.csv --time-limit 2 --switch-ports 4",
    "explore --flows {here}/rates.csv --time-limit 2 --out {here}/fabric",
    "place hypercube --dim 2",
    "place hypercube --dim 2 --flows {here}/cores.csv --places {here}/far.csv",
    "place hypercube --dim 2 --flows {here}/cores.csv --save {here}/there.svg",
    "design hypercube --dim 2",
    "design hypercube --dim 2 --flows {here}/every.csv",
    "design hypercube --dim 2 --flows {here}/flows.csv --save {here}/there.svg",
    "search hypercube --dim 2",
    "search hypercube --dim 3",
    "search hypercube --dim 2 --symmetric",
    "search hypercube --dim 2 --save {here}/there.svg",
    "audit {here}/net.graphml --routes {here}/hops.csv",
    "audit {here}/net.graphml --routes {here}/hops.csv --flows {here}/classes.csv",
    "worst hypercube --dim 2 --save {here}/there.svg",
    "export hypercube --dim 2 --out {here}/there.svg",
    "schedule hypercube --dim 2 --flows {here}/flows.csv",
    "schedule benes --dim 2 --pattern bit-reversal",
    "schedule benes --dim 2 --pattern bit-reversal --image {here}/new.image",
    "schedule benes --dim 2 --pattern bit-reversal --image {here}/there.svg",
    "schedule benes --dim 2 --pattern bit-reversal --self-routing",
    "schedule benes --dim 2 --pattern bit-reversal --reduced",
    "schedule clos --shape 2,2,2 --pattern bit-reversal",
];

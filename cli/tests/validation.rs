//! docs/validation.md: its figures of BookSim are those of docs/data/booksim.csv, its figures of Turnpike
//! come out again in short runs, and the closed forms hold.

mod common;

use common::{json, number, run_in};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("docs")
}

/// A network of the page.
struct Network {
    name: &'static str,
    /// Topology and size here.
    topology: &'static str,
    /// The queues here that are closest to BookSim's.
    depth: u32,
    /// Cycles of BookSim for each channel between two routers.
    booksim_channel: f64,
    /// Cycles of a flit to its own terminal here.
    own: f64,
}

const NETWORKS: [Network; 3] = [
    Network {
        name: "hypercube6",
        topology: "hypercube --dim 6",
        depth: 8,
        booksim_channel: 3.0,
        own: 1.0,
    },
    Network {
        name: "mesh8x8",
        topology: "mesh --shape 8x8",
        depth: 8,
        booksim_channel: 3.0,
        own: 2.0,
    },
    Network {
        name: "torus8x8",
        topology: "torus --shape 8x8",
        depth: 4,
        booksim_channel: 4.0,
        own: 2.0,
    },
];

fn network(name: &str) -> &'static Network {
    NETWORKS.iter().find(|network| network.name == name).unwrap_or_else(|| panic!("{name}"))
}

impl Network {
    /// Cycles of a packet over so many channels of BookSim, alone.
    fn booksim(&self, channels: f64, flits: f64) -> f64 {
        5.0 + self.booksim_channel * channels + flits - 1.0
    }

    /// Cycles of a packet over so many channels here, alone.
    fn ours(&self, channels: f64, flits: f64, pipeline: f64) -> f64 {
        self.own + channels + pipeline * (channels + 1.0) + flits - 1.0
    }
}

/// A line of the figures of BookSim.
#[derive(serde::Deserialize)]
struct Measured {
    network: String,
    traffic: String,
    flits: u32,
    load: f64,
    latency: Option<f64>,
    routers: f64,
    accepted: f64,
}

/// One network under one traffic: its lines of latency, in the order of loads, and that of load 1.
struct Case {
    curve: Vec<Measured>,
    full: Measured,
}

fn cases() -> Vec<Case> {
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_path(docs().join("data/booksim.csv"))
        .unwrap();
    let (mut cases, mut curve) = (Vec::new(), Vec::new());
    for line in reader.deserialize() {
        let line: Measured = line.unwrap();
        if line.latency.is_some() {
            curve.push(line);
        } else {
            assert_eq!(line.load, 1.0);
            cases.push(Case { curve: std::mem::take(&mut curve), full: line });
        }
    }
    assert!(curve.is_empty());
    assert_eq!(cases.len(), 22, "three networks, four patterns but one, packets of 1 and 4");
    cases
}

impl Case {
    fn stable(&self) -> f64 {
        self.curve.last().unwrap().load
    }

    /// The line at the multiple of 0.05 that is closest to this share of the last stable load.
    fn at(&self, share: f64) -> &Measured {
        let steps = (share * self.stable() / 0.05 - 0.5 - 1e-9).ceil().max(1.0);
        self.curve.iter().find(|line| (line.load - steps * 0.05).abs() < 1e-9).unwrap()
    }

    /// The cells that name it in a table of the page.
    fn name(&self) -> [String; 3] {
        let Measured { network, traffic, flits, .. } = &self.full;
        [network.clone(), traffic.clone(), flits.to_string()]
    }
}

/// The rows of the first table under a heading of the page.
fn table(heading: &str) -> Vec<Vec<String>> {
    let page = fs::read_to_string(docs().join("validation.md")).unwrap();
    let (_, section) = page.split_once(&format!("\n## {heading}\n")).expect(heading);
    let lines = section.lines().skip_while(|line| !line.starts_with('|'));
    let rows = lines.take_while(|line| line.starts_with('|')).skip(2);
    let cells = |line: &str| -> Vec<String> {
        line.trim_matches('|').split('|').map(|cell| cell.trim().replace('`', "")).collect()
    };
    rows.map(cells).collect()
}

fn figure(cell: &str) -> f64 {
    cell.parse().unwrap_or_else(|_| panic!("{cell:?} is no figure"))
}

/// Both figures of a cell such as `14.55 (0.54)`.
fn pair(cell: &str) -> (f64, f64) {
    let (first, second) = cell.trim_end_matches(')').split_once(" (").expect(cell);
    (figure(first), figure(second))
}

/// A fraction such as `1/7`, or a whole number.
fn fraction(cell: &str) -> f64 {
    let (above, below) = cell.split_once('/').unwrap_or((cell, "1"));
    figure(above) / figure(below)
}

/// A short run of a case here. Its seed is not that of the page.
fn short(network: &Network, case: &Case, load: f64, options: &str) -> Value {
    let Measured { traffic, flits, .. } = &case.full;
    let line = format!(
        "simulate {} --traffic {traffic} --packet-length {flits} --load {load} {options}",
        network.topology
    );
    json(&format!("{line} --seed 2 --cycles 6000 --warmup 2000"))
}

/// Mean latency of a run, and how much of it is waiting.
fn latency(network: &Network, run: &Value) -> (f64, f64) {
    let mean = number(&run["latency"]["mean"]);
    let flits = number(&run["traffic"]["packet_flits"]);
    let alone = network.ours(number(&run["hops_per_flit"]), flits, number(&run["pipeline"]));
    (mean, mean - alone)
}

#[test]
fn the_figures_of_booksim_are_those_of_the_data() {
    let (latencies, throughputs) = (table("Latency"), table("Throughput"));
    let cases = cases();
    assert_eq!((latencies.len(), throughputs.len()), (cases.len(), cases.len()));
    for ((case, latency), throughput) in cases.iter().zip(&latencies).zip(&throughputs) {
        let network = network(&case.full.network);
        let flits = f64::from(case.full.flits);
        assert_eq!((&latency[..3], &throughput[..3]), (&case.name()[..], &case.name()[..]));
        for (share, column) in [(0.5, 5), (0.8, 8)] {
            let line = case.at(share);
            let mean = line.latency.unwrap();
            let waiting = (mean - network.booksim(line.routers - 1.0, flits)).max(0.0);
            assert_eq!(latency[column], format!("{:.2}", line.load), "{latency:?}");
            assert_eq!(latency[column + 1], format!("{mean:.2} ({waiting:.2})"), "{latency:?}");
        }
        assert_eq!(throughput[4], format!("{:.2}", case.stable()), "{throughput:?}");
        assert_eq!(throughput[6], format!("{:.3}", case.full.accepted), "{throughput:?}");
        // At the lowest load a packet of one flit all but never waits, so that this is BookSim's pipeline.
        let line = &case.curve[0];
        let alone = network.booksim(line.routers - 1.0, flits);
        let waiting = line.latency.unwrap() - alone;
        assert!(waiting > -0.01 && (flits > 1.0 || waiting < 0.4), "{latency:?}: {waiting}");
    }
}

#[test]
fn latencies_come_out_again() {
    for (case, row) in cases().iter().zip(table("Latency")) {
        let network = network(&row[0]);
        let flits = figure(&row[2]);
        let options = format!("--depth {}", network.depth);
        let run = short(network, case, 0.01, &options);
        let hops = number(&run["hops_per_flit"]);
        let (booksim, ours) = (figure(&row[3]), figure(&row[4]));
        let channels = ours - network.own - flits + 1.0;
        assert!((hops - channels).abs() < 0.15, "{row:?}: {hops}");
        assert_eq!(booksim, network.booksim(channels, flits), "{row:?}");
        assert!(latency(network, &run).1.abs() < 0.3, "{row:?}");
        for column in [5, 8] {
            let run = short(network, case, figure(&row[column]), &options);
            let (_, waiting) = latency(network, &run);
            let (mean, wanted) = pair(&row[column + 2]);
            assert!((mean - wanted - ours).abs() < 0.1, "{row:?}");
            assert!((waiting - wanted).abs() < 0.05 + 0.12 * wanted, "{row:?}: {waiting}");
        }
    }
}

#[test]
fn throughputs_come_out_again() {
    for (case, row) in cases().iter().zip(table("Throughput")) {
        let network = network(&row[0]);
        let options = format!("--depth {}", network.depth);
        let accepted = number(&short(network, case, 1.0, &options)["accepted_throughput"]);
        let wanted = figure(&row[7]);
        assert!((accepted - wanted).abs() < 0.01, "{row:?}: {accepted}");
        // The last load that is not saturated is carried; a step on is not.
        let last = figure(&row[5]);
        let lag = |load: f64| {
            let run = short(network, case, load, &options);
            1.0 - number(&run["accepted_throughput"]) / number(&run["offered_throughput"])
        };
        assert!(lag(last) < 0.05, "{row:?}: {}", lag(last));
        assert!(last == 1.0 || lag(last + 0.05) > 0.005, "{row:?}: {}", lag(last + 0.05));
        assert!(last <= fraction(&row[3]) + 1e-9, "{row:?}");
    }
}

/// Terminal (x, y) of 8x8 to three on in each dimension.
fn tornado() -> String {
    let mut text = String::new();
    for (y, x) in (0..64).map(|node| (node / 8, node % 8)) {
        writeln!(text, "{x}_{y} {}_{}", (x + 3) % 8, (y + 3) % 8).unwrap();
    }
    text
}

#[test]
fn bounds_are_those_of_channel_loads() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("tornado.pattern"), tornado()).unwrap();
    for row in table("Throughput") {
        let (network, traffic) = (network(&row[0]), &row[1]);
        let worst = json(&format!("worst {}", network.topology));
        let worst_load = number(&worst["max_channel_load"]);
        let load = if traffic == "uniform" {
            number(&worst["uniform_channel_load"])
        } else {
            let pattern = if traffic == "tornado" { "tornado.pattern" } else { traffic };
            let line = format!("analyze {} --pattern {pattern} --format json", network.topology);
            let run = run_in(folder.path(), &line);
            let report: Value = serde_json::from_str(&run.stdout).expect(&run.stderr);
            let load = number(&report["pattern"]["max_link_load"]);
            assert!(load <= worst_load, "{row:?}");
            load
        };
        assert!((fraction(&row[3]) - 1.0 / load.max(1.0)).abs() < 1e-9, "{row:?}: {load}");
    }
}

/// What queues of other depths carry, and the pipeline that waits for credits as BookSim's does.
#[test]
fn what_explains_a_difference_moves_it() {
    let cases = cases();
    let case = |name: &str, traffic: &str, flits: &str| {
        let wanted = [name, traffic, flits].map(str::to_owned);
        cases.iter().find(|case| case.name() == wanted).unwrap()
    };
    let accepted = |row: &[String], case: &Case, options: &str, cell: &str| {
        let run = short(network(&case.full.network), case, 1.0, options);
        let accepted = number(&run["accepted_throughput"]);
        assert!((accepted - figure(cell)).abs() < 0.015, "{row:?}: {options}: {accepted}");
    };
    for row in table("Queues") {
        let case = case(&row[0], "uniform", &row[1]);
        assert_eq!(row[2], format!("{:.3}", case.full.accepted));
        for (cell, depth) in row[3..].iter().zip(4..) {
            accepted(&row, case, &format!("--depth {depth}"), cell);
        }
        // BookSim's carry what some queue here of 5 to 8 flits carries.
        assert!(figure(&row[4]) < case.full.accepted && case.full.accepted < figure(&row[7]));
    }
    for row in table("Credits at load 1") {
        let case = case("torus8x8", &row[0], "4");
        assert_eq!(row[2], format!("{:.3}", case.full.accepted));
        accepted(&row, case, "--pipeline 2 --depth 3", &row[1]);
        accepted(&row, case, "--pipeline 2 --depth 4", &row[3]);
        accepted(&row, case, "--depth 4", &row[4]);
    }
    let network = network("torus8x8");
    let mut below = 0;
    for row in table("Credits") {
        let case = case("torus8x8", &row[0], "4");
        let load = figure(&row[1]);
        let line = case.curve.iter().find(|line| line.load == load).unwrap();
        let waited = line.latency.unwrap() - network.booksim(line.routers - 1.0, 4.0);
        assert_eq!(row[3], format!("{waited:.2}"));
        let pipelines = ["--pipeline 2 --depth 3", "--pipeline 2 --depth 4", "--depth 4"];
        for (cell, options) in [&row[2], &row[4], &row[5]].into_iter().zip(pipelines) {
            let run = short(network, case, load, options);
            if cell == "saturated" {
                let lag = number(&run["offered_throughput"]) - number(&run["accepted_throughput"]);
                assert!(lag > 0.0 && latency(network, &run).1 > 20.0, "{row:?}: {options}");
            } else {
                let waited = latency(network, &run).1;
                let wanted = figure(cell);
                // Close to saturation a short run is far from the mean.
                assert!((waited - wanted).abs() < 0.3 * wanted, "{row:?}: {waited}");
            }
        }
        // BookSim's credits hold back more than the faster pipeline. They hold back less than the slower one,
        // but for one row.
        assert!(figure(&row[4]) < waited, "{row:?}");
        below += usize::from(row[2] == "saturated" || waited < figure(&row[2]));
    }
    assert_eq!(below, table("Credits").len() - 1);
}

/// A link that sixteen sources share, under a load of its own. Packets of n flits come with equal odds in
/// each cycle from each source: the mean of what they wait, by the second moment of what comes in a cycle.
fn waiting(flits: f64, load: f64) -> f64 {
    let sources = 16.0;
    let packets = load / flits;
    let pairs = (sources - 1.0) / sources * packets * packets;
    let work = flits * flits * (pairs + packets);
    (work - load) / (2.0 * (1.0 - load)) + flits * pairs / (2.0 * packets)
}

#[test]
fn a_hot_link_is_a_queue_with_a_closed_form() {
    let folder = tempfile::tempdir().unwrap();
    let sources = 16;
    let mut pattern = String::new();
    (1..=sources).for_each(|source| writeln!(pattern, "{source} 0").unwrap());
    fs::write(folder.path().join("hot.pattern"), pattern).unwrap();
    let rows = table("One hot link");
    assert_eq!(rows.len(), 6);
    for row in rows {
        let (flits, load) = (figure(&row[0]), figure(&row[1]));
        let wanted = waiting(flits, load);
        let poisson = flits * load / (2.0 * (1.0 - load));
        assert_eq!(row[2], format!("{poisson:.3}"), "{row:?}");
        assert_eq!(row[3], format!("{wanted:.3}"), "{row:?}");
        let (low, high) = row[5].split_once(" to ").unwrap();
        assert!(figure(low) < wanted && wanted < figure(high), "{row:?}");
        assert!(figure(low) < figure(&row[4]) && figure(&row[4]) < figure(high), "{row:?}");
        let line = format!(
            "simulate star --nodes {} --pattern hot.pattern --load {} --packet-length {flits} \
             --cycles 60000 --seed 2 --format json",
            sources + 1,
            load / f64::from(sources)
        );
        let run = run_in(folder.path(), &line);
        let run: Value = serde_json::from_str(&run.stdout).expect(&run.stderr);
        // Two channels and the terminal's switch: three cycles, and one for each further flit.
        let waited = number(&run["latency"]["mean"]) - 3.0 - (flits - 1.0);
        assert!((waited - wanted).abs() < 0.08 * wanted + 0.01, "{row:?}: {waited}");
    }
}

#[test]
fn pipelines_take_the_cycles_that_they_are_said_to() {
    let cases = cases();
    let rows = table("Pipelines");
    assert_eq!(rows.len(), NETWORKS.len());
    for (network, row) in NETWORKS.iter().zip(rows) {
        let wanted = [network.name, "bit-complement", "1"].map(str::to_owned);
        let case = cases.iter().find(|case| case.name() == wanted).unwrap();
        let channels = figure(&row[1]);
        assert_eq!((&*row[0], figure(&row[2])), (network.name, network.booksim(channels, 1.0)));
        for (cell, pipeline) in row[3..].iter().zip([0.0, 1.0, 2.0]) {
            assert_eq!(figure(cell), network.ours(channels, 1.0, pipeline), "{row:?}");
            let run = short(network, case, 0.01, &format!("--pipeline {pipeline:.0}"));
            assert!((number(&run["hops_per_flit"]) - channels).abs() < 0.15, "{row:?}");
            let (_, waiting) = latency(network, &run);
            assert!(waiting.abs() < 0.3, "{row:?}: {waiting}");
        }
    }
}

//! docs/validation.md: its figures of BookSim are those of docs/data/booksim.csv, its figures of Turnpike
//! come out again in short runs, and the closed forms hold.

use crate::common::booksim::*;
use crate::common::{json, number, run_in};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// A random regular network: what packets wait here, and what is accepted at load 1.
#[test]
fn the_figures_of_a_random_regular_network_come_out_again() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("docs");
    let file = docs.join("data/random_regular_64.anynet");
    let run = |load: &str, cycles: u32| {
        json(&format!(
            "simulate {} --routing shortest --depth 8 --load {load} --cycles {cycles}",
            file.display()
        ))
    };
    let rows = table("A random regular network");
    assert_eq!(rows.len(), 3);
    for row in rows {
        let run = run(&row[0], 20_000);
        let waited = number(&run["latency"]["mean"]) - number(&run["hops_per_flit"]) - 2.0;
        assert_eq!(row[2], format!("{waited:.2}"), "{row:?}");
    }
    let accepted = number(&run("1", 10_000)["accepted_throughput"]);
    let page = fs::read_to_string(docs.join("validation.md")).unwrap();
    assert!(page.contains(&format!("At load 1 {accepted:.3} is accepted here")), "{accepted}");
}

/// Sum of the latencies on the way, in the mean of all pairs of terminals of a tree in BookSim's format.
fn mean_way(anynet: &str) -> f64 {
    let number = |word: &str| word.parse::<usize>().unwrap();
    // Of each router: those that it has links to, with the cycles to them.
    let links = |line: &str| -> Vec<(usize, usize)> {
        let words: Vec<&str> = line.split_whitespace().collect();
        words[4..].chunks(3).map(|link| (number(link[1]), number(link[2]))).collect()
    };
    let links: Vec<_> = anynet.lines().map(links).collect();
    let mut sum = 0;
    for source in 0..links.len() {
        let mut ahead = vec![(source, source, 0)];
        while let Some((at, before, cycles)) = ahead.pop() {
            sum += cycles;
            let onward = links[at].iter().filter(|(next, _)| *next != before);
            ahead.extend(onward.map(|&(next, latency)| (next, at, cycles + latency)));
        }
    }
    sum as f64 / links.len().pow(2) as f64
}

/// Links with latencies: what packets wait here, and what is accepted beyond saturation.
#[test]
fn the_figures_of_links_with_latencies_come_out_again() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("docs");
    let file = docs.join("data/tree_32.anynet");
    let run = |depth: &str, load: &str, seed: u64| {
        json(&format!(
            "simulate {} --depth {depth} --load {load} --cycles 100000 --warmup 20000 --seed {seed}",
            file.display()
        ))
    };
    let alone = 1.0 + mean_way(&fs::read_to_string(&file).unwrap());
    assert_eq!(format!("{alone:.2}"), "19.85");
    let (waits, accepted) =
        (table("Links with latencies"), table("Accepted over links with latencies"));
    assert_eq!((waits.len(), accepted.len()), (4, 5));
    for row in waits {
        let seeds = 1..=5u64;
        let sum: f64 = seeds.map(|seed| number(&run("32", &row[0], seed)["latency"]["mean"])).sum();
        assert_eq!(row[2], format!("{:.2}", sum / 5.0 - alone), "{row:?}");
    }
    for row in accepted {
        let accepted = number(&run(&row[1], &row[0], 1)["accepted_throughput"]);
        assert_eq!(row[3], format!("{accepted:.3}"), "{row:?}");
    }
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
            let load = share_of(&throughput[5], share);
            assert_eq!(latency[column], format!("{load:.3}"), "{latency:?}");
            let cell = case.latency(load, figure(&latency[4]));
            assert_eq!(latency[column + 1], cell, "{latency:?}");
        }
        assert_eq!(throughput[4], case.saturation(), "{throughput:?}");
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
        // At the lower end all is accepted. A step beyond the upper one it is not.
        let lag = |load: f64| {
            let run = short(network, case, load, &options);
            1.0 - number(&run["accepted_throughput"]) / number(&run["offered_throughput"])
        };
        let (low, high) = ends(&row[5]).unwrap_or((1.0, 1.0));
        assert!(lag(low) < 0.02, "{row:?}: {}", lag(low));
        assert!(high == 1.0 || lag(high + 0.05) > 0.005, "{row:?}: {}", lag(high + 0.05));
        assert!(low <= fraction(&row[3]) + 1e-9, "{row:?}");
        let booksim = ends(&row[4]).unwrap_or((1.0, 1.0));
        if row[0] != "torus8x8" {
            assert!(booksim.0 <= high && low <= booksim.1, "{row:?}");
        }
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
    let mut overlap = 0;
    for row in table("Credits and saturation") {
        let case = case("torus8x8", &row[0], &row[1]);
        assert_eq!(row[2], case.saturation());
        let [booksim, usual] = [&row[2], &row[5]].map(|cell| ends(cell).unwrap());
        let pipelines: Vec<(f64, f64)> = row[3..5].iter().filter_map(|cell| ends(cell)).collect();
        // BookSim saturates between the slower pipeline and none at all.
        assert!(pipelines[0].0 < booksim.1 && booksim.0 < usual.1, "{row:?}");
        overlap += u32::from(pipelines.iter().any(|p| p.0 < booksim.1 && booksim.0 < p.1));
    }
    assert_eq!(overlap, 6);
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

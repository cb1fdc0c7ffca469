//! docs/validation.md: the loads at which networks saturate here, latency at shares of them, and the options
//! that explain a difference, to the digit. It takes no figure of BookSim but from docs/data/booksim.csv.
//! `TURNPIKE_BLESS=1 cargo test --release -p turnpike validation_saturation:: -- --ignored` writes the
//! tables of the page anew.

use crate::common::booksim::*;
use crate::common::{json, number};
use turnpike_fabric::testing::sample;

/// What a case is run with: its network, traffic and packets, and options.
fn words(case: &Case, options: &str) -> String {
    let Measured { network: name, traffic, flits, .. } = &case.full;
    let topology = network(name).topology;
    format!("{topology} {options} --traffic {traffic} --packet-length {flits}")
}

/// The queues closest to BookSim's.
fn usual(case: &Case) -> String {
    format!("--depth {}", network(&case.full.network).depth)
}

/// Between which loads it saturates.
fn saturation(case: &Case, options: &str) -> String {
    let words = words(case, options);
    let line = format!("sweep {words} --load 0.05 --saturation --seeds 3 --cycles 20000");
    let found = &json(&line)["rows"][0]["saturation"];
    match &found["high"] {
        high if high.is_null() => "none".to_owned(),
        high => format!("{:.3} to {:.3}", number(&found["low"]), number(high)),
    }
}

/// Mean latency and what of it is waiting.
fn waiting(case: &Case, load: f64, options: &str) -> (f64, f64) {
    let run = json(&format!("simulate {} --load {load}", words(case, options)));
    latency(network(&case.full.network), &run)
}

fn case_of<'a>(cases: &'a [Case], name: [&str; 3]) -> &'a Case {
    cases.iter().find(|case| case.name() == name).unwrap()
}

#[test]
fn saturation_comes_out_again_where_it_is_found_soon() {
    let cases = cases();
    let rows = table("Throughput");
    let soon = [["hypercube6", "bit-complement", "1"], ["hypercube6", "transpose", "4"]];
    for name in sample("cases", &soon) {
        let case = case_of(&cases, name);
        let row = rows.iter().find(|row| row[..3] == name).unwrap();
        assert_eq!(saturation(case, &usual(case)), row[5], "{row:?}");
    }
}

#[test]
#[ignore = "34 searches for saturation: half an hour and more"]
fn the_tables_come_out_again() {
    let cases = cases();
    let mut throughputs = table("Throughput");
    for (case, row) in cases.iter().zip(&mut throughputs) {
        row[4] = case.saturation();
        row[5] = saturation(case, &usual(case));
        let full = json(&format!("simulate {} --load 1", words(case, &usual(case))));
        row[7] = format!("{:.3}", number(&full["accepted_throughput"]));
    }
    hold("Throughput", &throughputs);

    let mut latencies = table("Latency");
    for ((case, row), throughput) in cases.iter().zip(&mut latencies).zip(&throughputs) {
        for (share, column) in [(0.5, 5), (0.8, 8)] {
            let load = share_of(&throughput[5], share);
            let (mean, waited) = waiting(case, load, &usual(case));
            row[column] = format!("{load:.3}");
            row[column + 1] = case.latency(load, figure(&row[4]));
            row[column + 2] = format!("{mean:.2} ({:.2})", waited.max(0.0));
            // Between two loads as BookSim's is, waiting here is close to what is measured.
            let below = (load / 0.05 + 1e-9).floor() * 0.05;
            let point = |load: f64| (load, waiting(case, load, &usual(case)).1.max(0.0));
            if row[column + 1] != "saturated" && load - below > 1e-9 {
                let off = between(point(below), point(below + 0.05), load) - waited;
                assert!(off.abs() < 0.05 + 0.02 * waited, "{row:?}: {off}");
            }
        }
    }
    hold("Latency", &latencies);

    let mut queues = table("Queues and waiting");
    for row in &mut queues {
        let case = case_of(&cases, [&row[0], &row[1], "4"]);
        let latency = latencies.iter().find(|latency| latency[..3] == case.name()).unwrap();
        let load = figure(&latency[8]);
        row[2] = format!("{load:.3}");
        row[3] = format!("{:.2}", case.waiting(load).unwrap());
        for (cell, depth) in row[4..].iter_mut().zip(4..) {
            *cell = format!("{:.2}", waiting(case, load, &format!("--depth {depth}")).1);
        }
    }
    hold("Queues and waiting", &queues);

    let mut torus = table("Credits and saturation");
    for row in &mut torus {
        let case = case_of(&cases, ["torus8x8", &row[0], &row[1]]);
        row[2] = case.saturation();
        // Packets of one flit leave a queue every second cycle at any depth.
        if row[1] != "1" {
            row[3] = saturation(case, "--pipeline 2 --depth 3");
        }
        row[4] = saturation(case, "--pipeline 2 --depth 4");
        row[5] = throughputs.iter().find(|found| found[..3] == case.name()).unwrap()[5].clone();
    }
    hold("Credits and saturation", &torus);
}

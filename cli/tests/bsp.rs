//! `bsp`, as the program prints it.

use crate::common::run;
use serde_json::Value;

fn json(line: &str) -> Value {
    let run = run(&format!("bsp {line} --format json"));
    assert_eq!((run.code, &*run.stderr), (0, ""), "{line}");
    serde_json::from_str(&run.stdout).unwrap()
}

/// A crossbar passes a permutation in each cycle: g is 1, and nothing is off.
#[test]
fn a_crossbar_takes_a_cycle_for_each_word() {
    let report = json("butterfly --dim 1 --radix 8 --up-to 32 --runs 3");
    let number = |field: &str| report[field].as_f64().unwrap();
    assert!((number("g") - 1.0).abs() < 1e-9, "{}", report["g"]);
    assert!(number("residual") < 1e-9, "{}", report["residual"]);
    // What `simulate` calls the zero-load latency, and the cycle of the last delivery.
    assert!(number("l") >= 1.0 && number("l") < 4.0, "{}", report["l"]);
    let hs: Vec<u64> =
        report["rows"].as_array().unwrap().iter().map(|row| row["h"].as_u64().unwrap()).collect();
    assert_eq!(hs, [1, 2, 4, 8, 16, 32]);
}

/// Two ways to the same figure: one superstep of one word is a workload of one permutation.
#[test]
fn a_superstep_is_a_workload() {
    let report = json("hypercube --dim 4 --up-to 2 --runs 1 --seed 9");
    let line = "simulate hypercube --dim 4 --workload permutation --seed 9 --format json";
    let workload: Value = serde_json::from_str(&run(line).stdout).unwrap();
    let cycles = workload["delivery_cycles"].as_u64().unwrap() + 1;
    assert_eq!(report["rows"][0]["least_cycles"], cycles);
    let row = &report["rows"][0];
    let fitted = report["g"].as_f64().unwrap() + report["l"].as_f64().unwrap();
    assert!((row["fitted_cycles"].as_f64().unwrap() - fitted).abs() < 1e-9);
    // Fewer words than there are can pass the bisection of a ring in a cycle.
    let ring = json("ring --nodes 16 --runs 2");
    assert!(ring["g"].as_f64() > report["g"].as_f64(), "{ring}");
}

#[test]
fn numbers_out_of_range_are_refused() {
    for (line, text) in [
        ("hypercube --dim 3 --up-to 1", "--up-to 1 is out of range; use 2 to 4096"),
        ("hypercube --dim 3 --up-to 4097", "use 2 to 4096"),
        ("hypercube --dim 3 --runs 0", "--runs 0 is out of range; use 1 to 100"),
    ] {
        let run = run(&format!("bsp {line}"));
        assert_eq!(run.code, 2, "{line}");
        assert!(run.stderr.contains(text), "{line}: {}", run.stderr);
    }
}

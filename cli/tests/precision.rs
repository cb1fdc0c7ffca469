//! `--precision` of `simulate` and `sweep`: runs that go on until the mean latency is known.

use crate::common::{json, number, run};
use serde_json::Value;
use std::fs;

const CUBE: &str = "hypercube --dim 4 --routing rotation";

/// Half the interval of the mean latency, over the mean.
fn found(mean: &Value, low: &Value, high: &Value) -> f64 {
    let [mean, low, high] = [mean, low, high].map(number);
    (mean - low).max(high - mean) / mean
}

/// A run ends at the first length that is precise, and is the run of that length.
#[test]
fn a_run_ends_where_its_mean_is_precise() {
    let mut cycles = Vec::new();
    for (asked, share) in [("10%", 0.1), ("1%", 0.01), ("0.003", 0.003)] {
        let report = json(&format!("simulate {CUBE} --load 0.3 --precision {asked}"));
        let ends = &report["latency_interval"];
        let found = found(&report["latency"]["mean"], &ends["low"], &ends["high"]);
        assert!(found <= share, "{asked}: {found}");
        assert_eq!((&report["precision"], &report["precise"]), (&share.into(), &true.into()));
        let measured = report["measured_cycles"].as_u64().unwrap();
        cycles.push(measured);
        let mut same = json(&format!("simulate {CUBE} --load 0.3 --cycles {measured}"));
        assert_eq!((&same["precision"], &same["precise"]), (&Value::Null, &Value::Null));
        same["precision"] = share.into();
        same["precise"] = true.into();
        assert_eq!(report, same);
    }
    assert!(cycles.is_sorted() && cycles[0] < cycles[2], "{cycles:?}");
    assert!(cycles.iter().all(|n| n % 2500 == 0 && (n / 2500).is_power_of_two()), "{cycles:?}");
}

/// A run that is not precise in 64 times its first length says so; one that saturates has no mean to wait for.
#[test]
fn what_is_not_reached_is_said() {
    let line = format!("simulate {CUBE} --load 0.3 --precision 0.1% --cycles 600");
    let report = json(&line);
    assert_eq!((&report["precise"], &report["measured_cycles"]), (&false.into(), &38_400.into()));
    let text = run(&line).stdout;
    assert!(text.contains(" %, 0.1 % asked for; --cycles 76800 goes on from there\n"), "{text}");
    assert!(!text.contains("--cycles auto"), "{text}");
    let report = json("simulate mesh --shape 4x4 --load 1 --precision 1% --cycles 3000");
    assert_eq!((&report["verdict"], &report["precise"]), (&"saturated".into(), &Value::Null));
    assert_eq!(report["measured_cycles"], 3000);
    let text = run("simulate mesh --shape 4x4 --load 0 --precision 1% --cycles 600").stdout;
    assert!(text.contains("precision: there is no mean latency, 1 % asked for\n"), "{text}");
}

/// Each point of a sweep ends by itself, and is that of a sweep of its length. What is kept is not run again.
#[test]
fn points_end_each_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let options = "mesh --shape 4x4 --seeds 3 --cycles 600";
    let line = format!(
        "sweep {options} --load 0.05,0.4,1 --precision 1% --out {}",
        folder.path().display()
    );
    let report = json(&line);
    let lengths: Vec<u64> = report["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let (load, cycles) = (&row["traffic"]["offered_load"], &row["run_cycles"]);
            let cycles = cycles.as_u64().unwrap();
            if row["verdict"] == "saturated" {
                assert_eq!(row["precise"], Value::Null);
                return cycles;
            }
            let mean = &row["latency"]["mean"];
            assert!(found(&mean["value"], &mean["low"], &mean["high"]) <= 0.01, "{row}");
            let same = format!("sweep mesh --shape 4x4 --seeds 3 --load {load} --cycles {cycles}");
            let same = json(&same)["rows"][0].clone();
            assert_eq!((&row["latency"], &row["precise"]), (&same["latency"], &true.into()));
            let shorter = cycles / 2;
            let shorter =
                format!("sweep mesh --shape 4x4 --seeds 3 --load {load} --cycles {shorter}");
            let mean = json(&shorter)["rows"][0]["latency"]["mean"].clone();
            let is_precise = mean["low"].is_number()
                && found(&mean["value"], &mean["low"], &mean["high"]) <= 0.01;
            assert!(cycles == 600 || !is_precise, "{load}: {cycles}");
            cycles
        })
        .collect();
    assert!(lengths[0] != lengths[1] && lengths[2] <= 600, "{lengths:?}");
    let kept = || fs::read_dir(folder.path()).unwrap().count();
    let before = kept();
    assert_eq!(json(&line), report);
    assert_eq!(kept(), before);
    let line = format!("sweep {options} --load 0.5 --precision 0.1%");
    let text = run(&line).stdout;
    let words = "  mean not within 0.1 % after runs of 38400 cycles, load 0.5; --cycles 76800 goes on from there\n";
    assert!(text.contains(words) && text.contains(", mean to 0.1 %, seeds 1 to 3\n"), "{text}");
    assert!(text.contains("load  cycles  verdict "), "{text}");
}

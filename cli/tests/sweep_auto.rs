//! `sweep --load auto`: points that place themselves around the load at which a network saturates.

use crate::common::{json, number, refused_in, refused_with, rows, run, run_in, tree};
use serde_json::Value;
use std::fs;

const SHORT: &str = "sweep hypercube --dim 3 --routing ecube,rotation --traffic uniform,hotspot --seeds 2 \
                     --cycles 1000 --load auto:12";

/// The rows of each curve.
fn curves(report: &Value) -> Vec<Vec<Value>> {
    let name = |row: &Value| {
        [&row["configuration"]["routing"], &row["traffic"]["pattern"]].map(ToString::to_string)
    };
    let rows = report["rows"].as_array().unwrap();
    rows.chunk_by(|a, b| name(a) == name(b)).map(<[Value]>::to_vec).collect()
}

fn loads(curve: &[Value]) -> Vec<f64> {
    curve.iter().map(|row| number(&row["traffic"]["offered_load"])).collect()
}

/// Every curve has loads of its own, around the load at which it saturates, which it says.
#[test]
fn each_curve_has_its_own_points() {
    let report = json(SHORT);
    let curves = curves(&report);
    assert_eq!(curves.len(), 4);
    for (at, curve) in curves.iter().enumerate() {
        let (saturation, loads) = (&curve[0]["saturation"], loads(curve));
        let ends = [number(&saturation["low"]), number(&saturation["high"])];
        let middle = (ends[0] + ends[1]) / 2.0;
        assert_eq!(loads.len(), 12, "{loads:?}");
        for (load, share) in [(loads[0], 0.1), (loads[8], 0.98), (loads[9], 1.02), (loads[11], 1.5)]
        {
            let wanted = (middle * share).min(1.0);
            assert!((load / wanted - 1.0).abs() < 1e-3, "{load} is not {share} of {middle}");
        }
        for (row, load) in curve.iter().zip(&loads) {
            assert_eq!(row["saturation"], *saturation);
            // Short runs do not always tell.
            if *load < 0.9 * ends[0] || *load > 1.1 * ends[1] {
                let wrong = if *load < middle { "saturated" } else { "steady" };
                assert_ne!(row["verdict"], wrong, "{row}");
            }
        }
        assert!(curves[..at].iter().all(|other| self::loads(other) != loads), "{loads:?}");
    }
    // What is asked for anyway changes nothing.
    assert_eq!(json(&format!("{SHORT} --saturation")), report);
    let csv = rows(&run(&format!("{SHORT} --format csv")).stdout);
    let of_csv: Vec<f64> =
        csv.iter().map(|row| row["traffic_offered_load"].parse().unwrap()).collect();
    assert_eq!(of_csv, curves.iter().flat_map(|curve| loads(curve)).collect::<Vec<_>>());
}

/// Of 16 points, at least 5 stand where latency is between a fifth more than under no load and five times
/// that; of as many that stand evenly, few do.
#[test]
fn the_bend_is_drawn() {
    let line = "sweep mesh --shape 4x4 --seeds 2 --cycles 8000 --load";
    let bent = |loads: &str| {
        let report = json(&format!("{line} {loads}"));
        let latencies = report["rows"].as_array().unwrap().iter();
        let latencies: Vec<f64> =
            latencies.filter_map(|row| row["latency"]["mean"]["value"].as_f64()).collect();
        latencies.iter().filter(|&&mean| (1.2..5.0).contains(&(mean / latencies[0]))).count()
    };
    let (auto, even) = (bent("auto"), bent("0.0625..=1:0.0625"));
    assert!(auto >= 5 && even < 5, "{auto} points on the bend, of even loads {even}");
}

/// The runs of the bisection are kept as well as those of the points.
#[test]
fn kept_runs_are_not_run_again() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let without = run(&format!("{SHORT} --format json")).stdout;
    let line = format!("{SHORT} --format json --out runs");
    let first = run_in(at, &line);
    assert_eq!(first.code, 0, "{}", first.stderr);
    assert_eq!(first.stderr.lines().count(), 4, "a note for each curve: {}", first.stderr);
    assert!(first.stderr.lines().all(|line| line.contains("is not decided between loads")));
    assert!(first.stdout == without);
    let kept = tree(&at.join("runs"));
    assert!(kept.len() > 4 * 12 * 2, "{}", kept.len());
    // As after an interruption: a third of them is there, of bisections and of points.
    let names: Vec<_> = kept.keys().collect();
    names
        .iter()
        .enumerate()
        .filter(|(at, _)| at % 3 > 0)
        .for_each(|(_, f)| fs::remove_file(f).unwrap());
    let again = run_in(at, &line);
    assert_eq!((again.code, again.stderr), (0, first.stderr));
    assert!(again.stdout == without && tree(&at.join("runs")) == kept);
}

/// A page of a sweep and one on a fabric have these points.
#[test]
fn pages_have_the_same_points() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let options = "mesh --shape 3x3 --seeds 2 --cycles 1000 --load auto:8";
    let sweep = run_in(at, &format!("sweep {options} --format csv --html sweep.html"));
    assert_eq!(sweep.code, 0, "{}", sweep.stderr);
    let report = run_in(at, &format!("report {options} --out report.html"));
    assert_eq!((report.code, report.stderr), (0, sweep.stderr));
    for name in ["sweep.html", "report.html"] {
        let page = fs::read_to_string(at.join(name)).unwrap();
        assert!(page.contains(&sweep.stdout), "{name}");
        assert!(page.contains(&format!("{options} ")) || page.contains("--load auto:8"), "{name}");
    }
}

/// One that carries all that can be offered has points up to 1, and one that deadlocks has even steps.
#[test]
fn without_saturation_they_go_to_one() {
    let ring =
        json("sweep ring --nodes 6 --traffic neighbour --seeds 2 --cycles 1000 --load auto:8");
    let curve = &curves(&ring)[0];
    assert_eq!(loads(curve), [0.1, 0.5797, 0.8037, 0.9083, 0.9572, 0.98, 1.0]);
    assert!(
        curve[0]["saturation"]["high"].is_null() && curve[6]["verdict"] == "steady",
        "{curve:?}"
    );
    let line = "sweep hypercube --dim 4 --routing rotation --vcs 1 --depth 2 --packet-length 16 --cycles 2000 \
                --seeds 2 --load auto:8";
    let stuck = run(&format!("{line} --format json"));
    assert_eq!(stuck.code, 1, "{}", stuck.stderr);
    let stuck: Value = serde_json::from_str(&stuck.stdout).unwrap();
    assert_eq!(loads(&curves(&stuck)[0]), [0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0]);
    assert!(
        curves(&stuck)[0].iter().any(|row| row["deadlocked_runs"].as_u64() > Some(0)),
        "{stuck}"
    );
}

#[test]
fn what_is_wrong_is_said() {
    let right: &[&str] = &["--load", "use auto, or with a number of points auto:8 to auto:64"];
    refused_with(
        "sweep hypercube --dim 3",
        &[
            ("--load auto:7", right),
            ("--load auto:65", right),
            ("--load auto:many", right),
            ("--load auto:", right),
            ("--load auto,0.3", right),
            (
                "--load 0.3,auto",
                &["'auto' is no load from 0 to 1", "with commas between them, or auto"],
            ),
            ("--load aut", &["'aut' is no load from 0 to 1", "or auto"]),
            (
                "--load auto --slurm d",
                &["--slurm writes down all runs before the first", "give the loads"],
            ),
            (
                "--load auto:64 --routing ecube,rotation,adaptive,two-phase \
                 --traffic uniform,transpose,shuffle,hotspot,rotation,bit-complement,bit-reversal,permutation \
                 --seeds 1 --html x.html",
                &["at most 2000 points", "these are 2048", "loads 64"],
            ),
        ],
    );
    // A folder that was changed by hand, too.
    let folder = tempfile::tempdir().unwrap();
    let line = "sweep hypercube --dim 3 --load 0.1 --slurm d";
    assert_eq!(run_in(folder.path(), line).code, 0);
    let job = folder.path().join("d/sweep.json");
    let text = fs::read_to_string(&job).unwrap();
    fs::write(&job, text.replace("\"0.1\"", "\"auto\"")).unwrap();
    refused_in(folder.path(), &[("sweep --merge d", &["--slurm writes down all runs"])]);
}

//! Flits per second of `synth --part fabric`: those of `simulate`, at the clock of tools that stand for
//! the real ones.

use crate::common::synth_tools::{NEXTPNR, YOSYS};
use crate::common::{Run, json, number, rows, run_with, script};
use serde_json::Value;
use std::fs;
use std::path::Path;

const MESH: &str = "mesh --shape 2x2 --width 8";
const SYNTH: &str = "--part fabric --target ice40-hx8k --seeds 3";

/// `synth` in a folder, whose clock is 2 MHz: the median of its seeds.
fn synth(folder: &Path, line: &str) -> Run {
    let [yosys, nextpnr] =
        [("yosys", YOSYS), ("nextpnr", NEXTPNR)].map(|(name, body)| script(folder, name, body));
    let cache = folder.join("cache");
    let own = [
        ("XDG_CACHE_HOME", cache.to_str().unwrap()),
        ("TURNPIKE_YOSYS", &*yosys),
        ("TURNPIKE_NEXTPNR_ICE40", &*nextpnr),
    ];
    let run = run_with(folder, &format!("synth {line}"), &own);
    assert_eq!((run.code, &*run.stderr), (0, ""), "{line}");
    run
}

fn result(folder: &Path, line: &str) -> Value {
    let run = synth(folder, &format!("{line} --format json"));
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    report["results"][0].clone()
}

/// Four terminals of 8 bits at 2 MHz.
#[test]
fn a_fabric_carries_what_simulate_says_at_its_clock() {
    let folder = tempfile::tempdir().unwrap();
    let result = result(folder.path(), &format!("{MESH} {SYNTH}"));
    let throughput = &result["throughput"];
    assert_eq!(
        (&throughput["traffic"], &throughput["seed"]),
        (&"uniform".into(), &1.into()),
        "{result}"
    );
    let luts = number(&result["whole"]["luts"]);
    for (name, flits) in [("one_flit", 1), ("four_flits", 4)] {
        let line = format!(
            "simulate {MESH} --load 1 --packet-length {flits} --warmup 2000 --cycles 20000"
        );
        let simulated = json(&line);
        let rate = &throughput[name];
        for field in ["accepted_throughput", "accepted_throughput_interval"] {
            assert_eq!(rate[field], simulated[field], "{name}: {result}");
        }
        let mflit = number(&rate["accepted_throughput"]) * 4.0 * 2.0;
        for (field, wanted) in [
            ("gflit_per_s", mflit / 1e3),
            ("gbit_per_s", mflit / 1e3 * 8.0),
            ("mflit_per_s_per_lut", mflit / luts),
        ] {
            let found = number(&rate[field]);
            assert!((found / wanted - 1.0).abs() < 1e-9, "{name} {field}: {found}, not {wanted}");
        }
    }
    let csv = synth(folder.path(), &format!("{MESH} {SYNTH} --format csv"));
    let of_csv = &rows(&csv.stdout)[0]["throughput_four_flits_gflit_per_s"];
    assert_eq!(*of_csv, throughput["four_flits"]["gflit_per_s"].to_string());
    let text = synth(folder.path(), &format!("{MESH} {SYNTH}")).stdout;
    assert!(text.contains("load 1, traffic uniform, seed 1, 20000 cycles after 2000"), "{text}");
    assert!(text.contains("Mflit/s per LUT"), "{text}");
}

/// What is missing, and the reason where there is a clock.
#[test]
fn what_carries_no_flits_says_why() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("own.csv"), "source,destination\n0_0,1_1\n1_1,0_0\n").unwrap();
    let asked = "source,destination,bandwidth\n0_0,1_1,0.25\n";
    fs::write(folder.path().join("asked.csv"), asked).unwrap();
    for (line, wanted) in [
        (format!("{MESH} --target ice40-hx8k --seeds 1"), ""),
        (format!("{MESH} --part fabric --target ice40-hx8k --seeds 0"), ""),
        (format!("{MESH} {SYNTH} --flows own.csv"), "traffic flows"),
        (format!("{MESH} {SYNTH} --flows asked.csv"), "not measured: the flows have bandwidths"),
        (
            "hypercube --dim 4 --routing rotation --vcs 1 --part fabric --target ice40-hx8k --seeds 1"
                .to_owned(),
            "not measured: the network deadlocks",
        ),
        (
            "ocpc --nodes 4 --target ice40-hx8k --seeds 1".to_owned(),
            "not measured: flits per second are those of switched fabrics",
        ),
        (
            "benes --dim 2 --kind circuit --target ice40-hx8k --seeds 1".to_owned(),
            "not measured: flits per second are those of switched fabrics",
        ),
    ] {
        let text = synth(folder.path(), &line).stdout;
        let said = text.lines().find(|line| line.contains("throughput"));
        assert_eq!(said.is_some(), !wanted.is_empty(), "{line}: {text}");
        assert!(said.unwrap_or_default().contains(wanted), "{line}: {text}");
        let is_switched = !["ocpc", "benes"].iter().any(|name| line.starts_with(name));
        if is_switched {
            let throughput = &result(folder.path(), &line)["throughput"];
            assert_eq!(throughput.is_null(), wanted != "traffic flows", "{line}: {throughput}");
        }
    }
}

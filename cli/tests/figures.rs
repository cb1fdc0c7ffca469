//! Figures, as the program prints them.

mod common;

use common::run;
use serde_json::Value;

fn json(line: &str) -> Value {
    let run = run(&format!("{line} --format json"));
    assert_eq!((run.code, &*run.stderr), (0, ""), "{line}");
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
fn analyze_has_every_field() {
    let analysis = json("analyze hypercube --dim 4 --routing rotation");
    for field in [
        "schema_version",
        "topology",
        "routing",
        "dimension",
        "nodes",
        "channels",
        "crosspoints_per_switch",
        "terminal_crosspoints",
        "max_fan_in",
        "max_fan_out",
        "full_crosspoints_no_uturn",
        "virtual_channels",
        "queues_per_switch",
        "deadlock_free",
        "average_distance",
        "diameter",
        "average_route_length",
        "longest_route",
        "switch_classes",
        "properties",
    ] {
        assert!(!analysis[field].is_null(), "{field}");
    }
    let class = &analysis["switch_classes"][0];
    assert_eq!(class["nodes"], 16);
    assert_eq!(class["fan_in"]["dim3"], 2);
    let turn = &class["turns"][0];
    assert_eq!((&turn["input"], &turn["output"]), (&"inject".into(), &"dim0".into()));
    assert!(turn["route"]["nodes"].as_array().unwrap().len() > 1);
    for property in ["shortest_path", "port_bound", "oblivious", "balance", "failure"] {
        assert!(analysis["properties"][property]["holds"].is_boolean(), "{property}");
    }
    assert_eq!(analysis["properties"]["oblivious"]["output_port_by"], "node-and-destination");
}

#[test]
fn expected_figures_for_k_2_to_14() {
    for k in 2..=14u64 {
        for routing in ["rotation", "ecube"] {
            let a = json(&format!("analyze hypercube --dim {k} --routing {routing}"));
            let rotation = routing == "rotation";
            assert_eq!(a["crosspoints_per_switch"], k * (k - 1) / 2, "{routing} k={k}");
            let fan = if rotation { (k - 1).div_ceil(2) } else { k - 1 };
            assert_eq!((&a["max_fan_in"], &a["max_fan_out"]), (&fan.into(), &fan.into()));
            assert_eq!(a["virtual_channels"], if rotation && k >= 3 { 2 } else { 1 });
            assert_eq!(a["queues_per_switch"], if rotation && k >= 3 { 2 * (k - 1) } else { k });
            assert_eq!(a["full_crosspoints_no_uturn"], k * (k - 1));
            assert_eq!(a["terminal_crosspoints"], 2 * k + 1);
            assert_eq!(a["deadlock_free"], true);
            assert_eq!(a["nodes"], 1u64 << k);
            assert_eq!(a["channels"], k << k);
            assert_eq!(a["diameter"], k);
            assert_eq!(a["average_distance"], k as f64 / 2.0);
            assert_eq!(a["average_route_length"], a["average_distance"]);
        }
    }
}

/// Columns of the comparison are those of the analysis.
#[test]
fn compare_agrees_with_analyze() {
    let comparison = json("compare --dim 2..=6 --width 64");
    let rows = comparison["rows"].as_array().unwrap();
    // The same relations in each dimension, and thacker in dimension 4 alone.
    let in_dimension_2 = rows.iter().filter(|row| row["dimension"] == 2).count();
    assert!(in_dimension_2 > 1);
    assert_eq!(rows.len(), 5 * in_dimension_2 + 1);
    let thacker = rows.iter().filter(|row| row["routing"] == "thacker");
    assert_eq!(thacker.map(|row| row["dimension"].clone()).collect::<Vec<_>>(), [4]);
    for row in rows {
        let (k, routing) = (&row["dimension"], row["routing"].as_str().unwrap());
        let analysis = json(&format!("analyze hypercube --dim {k} --routing {routing} --width 64"));
        for (name, value) in row.as_object().unwrap().iter().filter(|(n, _)| !n.starts_with("load"))
        {
            assert_eq!(value, &analysis[name], "{name} of {routing} k={k}");
        }
    }
    let csv = run("compare --dim 2..7 --width 64 --format csv").stdout;
    assert_eq!(csv.lines().count(), rows.len() + 1);
    let cells = csv.lines().map(|line| line.split(',').count());
    assert!(cells.collect::<std::collections::BTreeSet<_>>().len() == 1);
}

#[test]
fn a_fabric_that_can_deadlock_exits_with_1() {
    for format in ["text", "json", "csv"] {
        for routing in ["rotation", "thacker"] {
            let line = format!("analyze hypercube --dim 4 --routing {routing} --vcs 1");
            let run = run(&format!("{line} --format {format}"));
            assert_eq!((run.code, &*run.stderr), (1, ""), "{line} {format}");
            assert!(!run.stdout.is_empty());
        }
    }
    let run = run("analyze hypercube --dim 4 --routing rotation --vcs 1 --format json");
    let analysis: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(analysis["deadlock_free"], false);
    assert!(analysis["certificate"].is_null());
    assert!(analysis["deadlock_cycle"].as_array().unwrap().len() >= 3);
}

#[test]
fn the_default_relation_is_ecube() {
    assert_eq!(json("analyze hypercube --dim 3")["routing"], "ecube");
    assert_eq!(json("route hypercube --dim 3 000 111")["routing"], "ecube");
}

#[test]
fn analysis_of_the_16_cube_is_there() {
    let analysis = json("analyze hypercube --dim 16 --routing rotation");
    assert_eq!(analysis["crosspoints_per_switch"], 120);
    assert_eq!(analysis["invariant"], true);
}

/// Nobody reads: the program ends quietly.
#[test]
fn a_broken_pipe_is_no_panic() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_turnpike"))
        .args(["analyze", "hypercube", "--dim", "12", "--routing", "rotation", "--format", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn tables_say_the_same_in_every_format() {
    let report = json("tables heller");
    let tables = report["tables"].as_array().unwrap();
    let cells: Vec<&Value> = tables
        .iter()
        .flat_map(|table| {
            let keys = table["keys"].as_u64().unwrap() as usize;
            let rows = table["rows"].as_array().unwrap().iter();
            rows.flat_map(move |row| row.as_array().unwrap().iter().skip(keys))
        })
        .collect();
    let csv = run("tables heller --format csv").stdout;
    let (header, lines) = csv.split_once('\n').unwrap();
    assert_eq!(header, "table,row,column,ours,memo,differs");
    assert_eq!(lines.lines().count(), cells.len());
    for (line, cell) in lines.lines().zip(&cells) {
        let memo = cell["memo"].as_str().unwrap_or_default();
        let end = format!(",{},{memo},{}", cell["ours"].as_str().unwrap(), cell["differs"]);
        assert!(line.ends_with(&end), "{line}");
    }
    let differ = cells.iter().filter(|cell| cell["differs"] == true).count();
    let printed = cells.iter().filter(|cell| !cell["memo"].is_null()).count();
    let last = format!("{differ} of {printed} figures differ from the memo's.\n");
    assert!(run("tables heller").stdout.ends_with(&last), "{last}");
}

/// The same figures as `analyze` and `simulate` report, and the sums.
#[test]
fn compare_across_agrees_with_the_other_commands() {
    let all = json("compare --across --dim 3..=4 --seed 3");
    let cycles = &all["measured_cycles"];
    let groups = all["equal_dimension"].as_array().unwrap();
    assert_eq!(groups.len(), 2);
    assert_eq!(all["nearest_processors"][0]["cube_dimension"], 3);
    for row in groups[1]["rows"].as_array().unwrap() {
        let (topology, routing) = (row["topology"].as_str().unwrap(), &row["routing"]);
        let fabric = format!("{topology} --dim 4 --routing {}", routing.as_str().unwrap());
        let a = json(&format!("analyze {fabric}"));
        for name in ["crosspoints_per_switch", "queues_per_switch", "diameter"] {
            assert_eq!(row[name], a[name], "{fabric}: {name}");
        }
        assert_eq!(row["links"], a["channels"], "{fabric}");
        let whole = |field: &Value| field.as_u64().unwrap();
        let classes = a["switch_classes"].as_array().unwrap();
        for (total, each) in [("crosspoints", "crosspoints"), ("queue_bits", "queue_bits")] {
            let sum: u64 = classes.iter().map(|c| whole(&c["nodes"]) * whole(&c[each])).sum();
            assert_eq!(whole(&row[total]), sum, "{fabric}: {total}");
        }
        let measured = json(&format!(
            "simulate {fabric} --load 1 --seed 3 --cycles {cycles} --warmup {}",
            all["warm_up_cycles"]
        ));
        assert_eq!(row["saturation_throughput"], measured["accepted_throughput"], "{fabric}");
    }
}

#[test]
fn compare_across_draws() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("across.svg");
    json(&format!("compare --across --dim 3 --width 1 --depth 2 --svg {}", file.display()));
    let picture = std::fs::read_to_string(file).unwrap();
    for part in ["<svg", "directed-cube, static", "clever-dccc, two-stage", "flits per cycle"] {
        assert!(picture.contains(part), "{part}");
    }
}

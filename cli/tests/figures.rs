//! Figures, as the program prints them.

use crate::common;

use crate::common::{json, run, turnpike};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Minimal rotation on the 4-cube, every figure by hand: k = 4, N = 16.
#[test]
fn every_figure_of_an_analysis_is_its_definition() {
    let analysis = json("analyze hypercube --dim 4 --routing rotation");
    let wanted = [
        ("schema_version", 3.into()),
        ("topology", "hypercube".into()),
        ("routing", "rotation".into()),
        ("dimension", 4.into()),
        ("nodes", 16.into()),
        // A channel each way per dimension: 4 out of each node.
        ("channels", 64.into()),
        ("crosspoints_per_switch", 6.into()),
        // Inject to 4 dimensions, 4 dimensions to eject, inject to eject.
        ("terminal_crosspoints", 9.into()),
        // (k - 1) / 2, rounded up.
        ("max_fan_in", 2.into()),
        ("max_fan_out", 2.into()),
        ("full_crosspoints", 16.into()),
        ("full_crosspoints_no_uturn", 12.into()),
        ("virtual_channels", 2.into()),
        // As many certificate numbers: dim2 and dim3 are taken again after the dateline.
        ("queues_per_switch", 6.into()),
        // Four flits of 33 bits each, and 10 header bits that are still looked at.
        ("queue_bits_per_switch", (4 * (6 * 33 + 10)).into()),
        ("injection_queues_per_switch", 1.into()),
        ("injection_queue_bits_per_switch", (4 * (33 + 8)).into()),
        // Eject joins 6 queues and inject, as does the full crossbar; its network ports, of any
        // queue but their own port's and of inject, 4 x (6 + 1) less the 6 queues.
        ("full_multiplexer_inputs_no_uturn", (7 + 4 * 7 - 6).into()),
        ("deadlock_free", true.into()),
        ("routes_checked", 256.into()),
        // C(4, d) nodes at distance d: half of the bits differ on average.
        ("average_distance", 2.0.into()),
        ("average_route_length", 2.0.into()),
        ("diameter", 4.into()),
        ("longest_route", 4.into()),
        ("invariant", true.into()),
        ("adaptive", false.into()),
    ];
    for (field, value) in wanted {
        let value: Value = value;
        assert_eq!(analysis[field], value, "{field}");
    }
    let classes = analysis["switch_classes"].as_array().unwrap();
    assert_eq!((classes.len(), &classes[0]["nodes"]), (1, &16.into()));

    let properties = &analysis["properties"];
    let holds = |name: &str| properties[name]["holds"].as_bool();
    let verdicts = ["shortest_path", "port_bound", "oblivious", "balance", "failure"].map(holds);
    assert_eq!(verdicts, [true, true, true, true, false].map(Some));
    assert_eq!(properties["oblivious"]["output_port_by"], "node-and-destination");
    assert_eq!(properties["port_bound"]["bound"], 2);
    assert_eq!(properties["port_bound"]["fan_in_holds"], true);
    // 256 routes of 2 channels over 64 channels; of the pairs at distance 1 or more, 2 or more,
    // 3 or more and 4 one channel each in that step.
    assert_eq!(properties["balance"]["total"]["mean"], 256.0 * 2.0 / 64.0);
    for (step, pairs) in [240.0, 176.0, 80.0, 16.0].into_iter().enumerate() {
        assert_eq!(properties["balance"]["per_step"][step]["mean"], pairs / 64.0);
    }
    // 15 x 14 pairs of others; from each node 6 routes have 1 node between, 4 have 2, 1 has 3.
    let failure = &properties["failure"];
    assert_eq!((&failure["pairs"], &failure["lost_most"]), (&210.into(), &17.into()));
    assert_eq!(failure["lost_least"], 6 + 4 * 2 + 3);
}

/// The counts of a switch are those of its turns; its certificate ascends along each; and each
/// has a witness that goes from node to node by the ports that it names.
#[test]
fn the_figures_of_a_switch_are_counts_of_its_turns() {
    let analysis = json("analyze hypercube --dim 4 --routing rotation");
    let class = &analysis["switch_classes"][0];
    let numbers = analysis["certificate"]["numbers"].as_array().unwrap();
    let number = |port: &Value, vc: &Value| {
        let mut of = numbers.iter().filter(|n| (&n["output"], &n["vc"]) == (port, vc));
        of.next().unwrap()["number"].as_u64().unwrap()
    };
    let (mut crosspoints, mut queues) = (BTreeSet::new(), BTreeSet::new());
    let mut feeding: BTreeMap<String, BTreeSet<(String, u64)>> = BTreeMap::new();
    for turn in class["turns"].as_array().unwrap() {
        let text = |field: &str| turn[field].as_str().unwrap().to_owned();
        let (input, output) = (text("input"), text("output"));
        let queue = (input.clone(), turn["input_vc"].as_u64().unwrap_or(0));
        feeding.entry(output.clone()).or_default().insert(queue.clone());
        if input != "inject" && output != "eject" {
            let [before, after] = [("input", "input_vc"), ("output", "output_vc")]
                .map(|(port, vc)| number(&turn[port], &turn[vc]));
            assert!(before < after, "{turn}");
        }
        if input != "inject" {
            queues.insert(queue);
        }
        crosspoints.insert((input, output));
        let route = &turn["route"];
        let nodes = route["nodes"].as_array().unwrap().iter();
        let nodes: Vec<u32> =
            nodes.map(|node| u32::from_str_radix(node.as_str().unwrap(), 2).unwrap()).collect();
        let ports = route["ports"].as_array().unwrap().iter();
        let bits =
            ports.map(|port| 1 << port.as_str().unwrap()["dim".len()..].parse::<u32>().unwrap());
        let steps = nodes.windows(2).map(|step| step[0] ^ step[1]);
        assert!(steps.eq(bits), "{turn}");
    }
    let network = |(input, output): &&(String, String)| input != "inject" && output != "eject";
    let of_network = crosspoints.iter().filter(network).count();
    assert_eq!(analysis["crosspoints_per_switch"], of_network);
    assert_eq!(analysis["terminal_crosspoints"], crosspoints.len() - of_network);
    assert_eq!(analysis["queues_per_switch"], queues.len());
    let joined = feeding.values().map(BTreeSet::len).filter(|&sources| sources > 1);
    assert_eq!(analysis["multiplexer_inputs"], joined.sum::<usize>());
    for (port, fan_in) in class["fan_in"].as_object().unwrap() {
        let from = crosspoints.iter().filter(network).filter(|(_, output)| output == port);
        assert_eq!(fan_in, from.count(), "{port}");
    }
    for (port, fan_out) in class["fan_out"].as_object().unwrap() {
        let to = crosspoints.iter().filter(network).filter(|(input, _)| input == port);
        assert_eq!(fan_out, to.count(), "{port}");
    }
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
    // The same relations in each dimension, but thacker in dimension 4 alone, and random-path up to 5,
    // where pairs have no more paths than it tells apart.
    let in_dimension_2 = rows.iter().filter(|row| row["dimension"] == 2).count();
    assert!(in_dimension_2 > 1);
    assert_eq!(rows.len(), 5 * in_dimension_2 + 1 - 1);
    let dimensions = |routing: &str| -> Vec<u64> {
        let of = rows.iter().filter(|row| row["routing"] == routing);
        of.map(|row| row["dimension"].as_u64().unwrap()).collect()
    };
    assert_eq!(dimensions("thacker"), [4]);
    assert_eq!(dimensions("random-path"), [2, 3, 4, 5]);
    assert_eq!(dimensions("random-hop"), [2, 3, 4, 5, 6]);
    for row in rows {
        let (k, routing) = (&row["dimension"], row["routing"].as_str().unwrap());
        let analysis = json(&format!("analyze hypercube --dim {k} --routing {routing} --width 64"));
        for (name, value) in row.as_object().unwrap().iter().filter(|(n, _)| !n.starts_with("load"))
        {
            assert_eq!(value, &analysis[name], "{name} of {routing} k={k}");
        }
    }
    let csv = run("compare --dim 2..7 --width 64 --format csv").stdout;
    assert_eq!(common::rows(&csv).len(), rows.len());
}

#[test]
fn a_fabric_that_can_deadlock_exits_with_1() {
    for format in ["text", "json", "csv"] {
        for routing in ["rotation", "thacker"] {
            let line = format!("analyze hypercube --dim 4 --routing {routing} --vcs 1");
            let run = run(&format!("{line} --format {format}"));
            assert_eq!((run.code, &*run.stderr), (1, ""), "{line} {format}");
            let says = match format {
                "text" => "NOT free with 1 virtual channel",
                "json" => "\"deadlock_free\": false",
                _ => ",false,",
            };
            assert!(run.stdout.contains(says), "{line} {format}: {}", run.stdout);
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
    assert_eq!(header, "schema_version,table,row,column,ours,memo,differs");
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
    let rows = all["rows"].as_array().unwrap();
    let group = |at: &'static str, dimension: u32| {
        let within =
            move |row: &&Value| row["compared_at"] == at && row["cube_dimension"] == dimension;
        rows.iter().filter(within)
    };
    assert!(group("processors", 3).count() > 2 && group("dimension", 3).count() > 2);
    assert!(group("dimension", 4).count() > 2);
    for row in group("dimension", 4) {
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

/// The same of networks of a list, of any size and routing.
#[test]
fn compare_of_a_list_agrees_with_the_other_commands() {
    let networks = ["mesh --shape 4x2", "hypercube --dim 3 --routing rotation", "ring --nodes 8"];
    let words = networks.map(|network| ["--network", network]).concat();
    let arguments = [&["compare", "--seed", "3", "--format", "json"][..], &words].concat();
    let all: Value = serde_json::from_str(&turnpike(arguments).stdout).unwrap();
    let rows = all["rows"].as_array().unwrap();
    assert_eq!(rows.len(), networks.len());
    for (row, network) in rows.iter().zip(networks) {
        let a = json(&format!("analyze {network}"));
        for name in ["topology", "routing", "crosspoints_per_switch", "diameter"] {
            assert_eq!(row[name], a[name], "{network}: {name}");
        }
        let cycles = &all["measured_cycles"];
        let measured = json(&format!(
            "simulate {network} --load 1 --seed 3 --cycles {cycles} --warmup {cycles}"
        ));
        assert_eq!(row["saturation_throughput"], measured["accepted_throughput"], "{network}");
    }
    assert_eq!((&rows[0]["shape"], &rows[2]["size"]), (&"4x2".into(), &8.into()));
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

/// Of large grids by formula, k nodes a side. Mesh: 2(k^2 - 1)/3k channels on average, k(k/2)^2 packets over
/// the middle of each row. Torus, k even: k/4 a dimension; an upward channel is used by packets that go 1 to
/// k/2 up, a downward one by those that go 1 to k/2 - 1 down.
#[test]
fn large_grids_meet_the_formulas() {
    for k in [128u64, 256] {
        let mesh = json(&format!("analyze mesh --shape {k}x{k}"));
        let balance = &mesh["properties"]["balance"]["total"];
        let mean = 2.0 * (k * k - 1) as f64 / (3 * k) as f64;
        assert!((mesh["average_distance"].as_f64().unwrap() - mean).abs() < 1e-9);
        assert_eq!(mesh["diameter"], 2 * (k - 1));
        assert_eq!(mesh["channels"], 4 * k * (k - 1));
        assert_eq!(balance["most"]["packets"], k * (k / 2).pow(2));
        assert_eq!(balance["most"]["from"], format!("{}_0", k / 2 - 1));
        assert_eq!(balance["least"]["packets"], k * (k - 1));
        assert_eq!(mesh["switch_classes"].as_array().unwrap().len(), 9);
        assert_eq!(mesh["crosspoints_per_switch"], 8);
        let torus = json(&format!("analyze torus --shape {k}x{k}"));
        let balance = &torus["properties"]["balance"]["total"];
        assert_eq!(torus["average_distance"], (k / 2) as f64);
        let (up, down) = (k / 2 * (k / 2 + 1) / 2, (k / 2 - 1) * (k / 2) / 2);
        assert_eq!(balance["most"]["packets"], k * up);
        assert_eq!(balance["least"]["packets"], k * down);
        for grid in [&mesh, &torus] {
            assert_eq!((&grid["deadlock_free"], &grid["by_row"]), (&true.into(), &true.into()));
            assert_eq!(
                (&grid["invariant"], &grid["certificate"]["by_row"]),
                (&false.into(), &true.into())
            );
            assert_eq!(grid["properties"]["failure"]["pairs"], (k * k - 1) * (k * k - 2));
            let nodes =
                grid["switch_classes"].as_array().unwrap().iter().map(|class| &class["nodes"]);
            assert_eq!(nodes.map(|n| n.as_u64().unwrap()).sum::<u64>(), k * k);
        }
    }
}

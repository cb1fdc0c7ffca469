//! `synth` and `compare --synth` with the real tools, on switches of the 2-cube.

use crate::common;

use crate::common::{Run, run_with, tree};
use std::fs;
use std::path::Path;
use turnpike_flow::liberty::Liberty;
use turnpike_flow::tool::{NEXTPNR_ECP5, NEXTPNR_ICE40, YOSYS};
use turnpike_tests::tools::{require_found, require_ok};

/// The words, run in this folder, with its cache there.
fn cached(folder: &Path, line: &str, more: &[(&str, &str)]) -> Run {
    let project = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let cache = folder.join("cache");
    let home = [("XDG_CACHE_HOME", cache.to_str().unwrap())];
    run_with(Path::new(project), line, &[&home[..], more].concat())
}

fn succeeds(run: &Run) -> &str {
    assert_eq!((run.code, &*run.stderr), (0, ""), "{}", run.stdout);
    &run.stdout
}

fn value(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap()
}

/// Numbers as `N`, runs of blanks as one, and what the tools call themselves and their cells
/// left out.
fn masked(text: &str) -> String {
    let mut masked = String::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.first() {
            Some(&"from" | &"to") => masked += "CELL",
            _ if line.contains("Yosys") || line.contains("Version") => masked += "TOOL",
            _ => {
                let line = words.join(" ");
                for (at, letter) in line.char_indices() {
                    let digit = letter.is_ascii_digit();
                    let again = digit && line[..at].ends_with(|c: char| c.is_ascii_digit());
                    masked.extend((!again).then_some(if digit { 'N' } else { letter }));
                }
            }
        }
        masked.push('\n');
    }
    masked
}

const ICE40: &str = "synth hypercube --dim 2 --width 8 --target ice40-hx8k --seeds 2";

#[test]
fn a_switch_is_measured_once_and_kept() {
    if !require_found(&[&YOSYS, &NEXTPNR_ICE40]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let json = format!("{ICE40} --format json");
    let first = cached(folder.path(), &json, &[]);
    let report = value(succeeds(&first));
    let result = &report["results"][0];
    let number = |pointer: &str| result.pointer(pointer).and_then(|n| n.as_f64()).unwrap();
    let (min, median, max) =
        (number("/clock/min_mhz"), number("/clock/median_mhz"), number("/clock/max_mhz"));
    assert!(20.0 < min && min <= median && median <= max && max < 400.0, "{report}");
    assert_eq!(result["clock"]["runs"].as_array().unwrap().len(), 2);
    assert!(number("/clock/critical_path/levels") >= 1.0);
    let (luts, cells) = (number("/whole/luts"), number("/logic_cells"));
    // Each register stands in a cell of its own or behind a look-up table.
    assert!(luts > 50.0 && cells >= luts && cells >= number("/whole/flip_flops"), "{report}");
    for part in ["multiplexers", "queues", "arbiters"] {
        assert!(number(&format!("/parts/{part}/luts")) > 0.0, "{part}: {report}");
    }
    assert_eq!(number("/parts/multiplexers/flip_flops"), 0.0);

    // From here on Yosys says its version and does nothing else.
    let version = report["tools"][0].as_str().unwrap();
    let idle = common::script(folder.path(), "idle", &format!("echo '{version}'"));
    let variable = [("TURNPIKE_YOSYS", &*idle)];
    let again = cached(folder.path(), &json, &variable);
    assert_eq!(succeeds(&again), first.stdout);
    let text = cached(folder.path(), ICE40, &variable);
    let wanted = "\
hypercube --dim N --routing ecube --width N --depth N --name hypercube_N_ecube_wN
iceN-hxNk: Lattice iCEN HXNK, place and route
TOOL
TOOL

hypercube_N_ecube_wN_switch
LUTs flip-flops LUT-RAM block RAM carry
whole, flattened N N N N N
multiplexers, alone N N N N N
queues, alone N N N N N
arbiters, alone N N N N N
rest, alone N N N N N
logic cells: N, packed
clock: N.N MHz, median of N placement(s), N.N to N.N
critical path at N.N MHz: N.N ns, N.N in cells and N.N in wires, N levels
CELL
CELL
";
    assert_eq!(masked(succeeds(&text)), wanted, "{}", text.stdout);

    // A damaged entry is made again, and nothing else is left in the cache.
    let entries: Vec<_> = tree(&folder.path().join("cache/turnpike/synth")).into_keys().collect();
    assert!(entries.iter().all(|path| path.extension().is_some_and(|e| e == "json")));
    entries.iter().for_each(|path| fs::write(path, "{").unwrap());
    assert_eq!(succeeds(&cached(folder.path(), &json, &[])), first.stdout);
    for path in &entries {
        assert!(fs::read_to_string(path).unwrap().len() > 64, "{}", path.display());
    }
}

#[test]
fn ecp5_is_placed_and_routed() {
    if !require_found(&[&YOSYS, &NEXTPNR_ECP5]) {
        return;
    }
    // In the user's own cache folder: there nextpnr keeps itself, compiled.
    let line = "synth hypercube --dim 2 --width 4 --target ecp5-85k --seeds 1 --no-cache \
                --format csv";
    let run = common::run(line);
    let rows = common::rows(succeeds(&run));
    let of = |name: &str| rows[0][name].as_str();
    assert_eq!((of("top"), of("target")), ("hypercube_2_ecube_w4_switch", "ecp5-85k"));
    assert!(of("whole_lut_rams").parse::<u64>().unwrap() > 0, "{}", run.stdout);
    assert!(of("clock_median_mhz").parse::<f64>().unwrap() > 50.0, "{}", run.stdout);
}

#[test]
fn standard_cells_have_an_area() {
    if !require_found(&[&YOSYS]) || require_ok(Liberty::osu018()).is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let line = "synth hypercube --dim 2 --width 4 --target osu018 --format json";
    let run = cached(folder.path(), line, &[]);
    let report = value(succeeds(&run));
    let area = |part: &str| report["results"][0].pointer(part).unwrap()["area_um2"].as_f64();
    let whole = area("/whole").unwrap();
    let parts = ["multiplexers", "queues", "arbiters", "rest"];
    let sum: f64 = parts.iter().filter_map(|part| area(&format!("/parts/{part}"))).sum();
    // The parts need not add up, but they are the same logic.
    assert!(whole > 1000.0 && (0.8..1.3).contains(&(sum / whole)), "{whole} {sum}");
    assert!(report["results"][0]["clock"].is_null());
}

/// Relation, crossbar and virtual channels of each row of a comparison.
const RELATIONS: [(&str, &str, u64); 13] = [
    ("ecube", "routed", 1),
    ("ecube", "full", 1),
    ("rotation", "routed", 2),
    ("rotation", "full", 2),
    ("rotation", "full", 1),
    ("random-static", "routed", 1),
    ("random-static", "full", 1),
    ("random-path", "routed", 3),
    ("random-path", "full", 3),
    ("two-phase", "routed", 2),
    ("two-phase", "full", 2),
    ("romm", "routed", 2),
    ("romm", "full", 2),
];

#[test]
fn relations_stand_beside_full_crossbars() {
    stand_beside_full_crossbars("--routing ecube,rotation", &RELATIONS[..5]);
}

#[test]
#[ignore = "two minutes: `make test-all`"]
fn every_relation_stands_beside_full_crossbars() {
    stand_beside_full_crossbars("", &RELATIONS);
}

fn stand_beside_full_crossbars(only: &str, wanted: &[(&str, &str, u64)]) {
    if !require_found(&[&YOSYS, &NEXTPNR_ICE40]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let svg = folder.path().join("compare.svg");
    let line = format!(
        "compare --dim 3 {only} --width 1 --depth 2 --synth ice40-hx8k --seeds 1 --format json --svg {}",
        svg.display()
    );
    let run = cached(folder.path(), &line, &[]);
    let report = value(succeeds(&run));
    let rows = report["rows"].as_array().unwrap();
    let key = |row: &serde_json::Value| {
        let text = |name: &str| row[name].as_str().unwrap().to_owned();
        (text("routing"), text("crossbar"), row["virtual_channels"].as_u64().unwrap())
    };
    let keys: Vec<_> = rows.iter().map(key).collect();
    let wanted: Vec<_> = wanted.iter().map(|&(r, c, v)| (r.to_owned(), c.to_owned(), v)).collect();
    assert_eq!(keys, wanted);
    for row in rows {
        let number = |name: &str| row[name].as_f64();
        assert!(number("luts").unwrap() > 0.0 && number("multiplexer_luts").unwrap() > 0.0);
        assert!(number("median_mhz").unwrap() > 20.0, "{row}");
        let routed = row["crossbar"] == "routed";
        assert_eq!(number("fabric_luts").is_some(), routed, "{row}");
        assert_eq!(number("size_by_full").is_some(), routed, "{row}");
        if routed {
            // Where packets draw every turn is taken, back as well, which this full crossbar leaves out.
            let draws = !row["draw_seed"].is_null();
            let by_full = number("multiplexers_by_full").unwrap();
            assert!(draws || by_full < 1.0, "{row}");
            assert!(number("fabric_luts") > number("luts").map(|luts| 4.0 * luts), "{row}");
        }
    }
    let picture = fs::read_to_string(svg).unwrap();
    let axes = ["dimension k", "look-up tables (LUTs)", "clock (MHz), median"];
    let lines = ["ecube", "rotation, full crossbar", "rotation, full crossbar, one VC"];
    for part in ["<svg"].into_iter().chain(axes).chain(lines) {
        assert!(picture.contains(part), "{part}");
    }
}

#[test]
fn a_fabric_too_large_says_what_would_fit() {
    if !require_found(&[&YOSYS, &NEXTPNR_ICE40]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let line = "synth hypercube --dim 6 --width 1 --depth 2 --target ice40-hx8k --part fabric";
    let run = cached(folder.path(), line, &[]);
    let parts = ["hypercube_6_ecube_w1_d2 needs", "ICESTORM_LC", "times the 7680 of ice40-hx8k"];
    common::refused(&run, line, &parts);
    common::refused(&run, line, &["a fabric of --dim ", " would fit, by the size of its switches"]);
}

/// A node has one receiver and one sender of each bus; nodes and the busses' wires are the fabric.
/// Without placements there is no clock.
#[test]
fn a_node_of_a_bus_is_measured_alone() {
    if !require_found(&[&YOSYS, &NEXTPNR_ECP5]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let line = "synth mob --shape 3x2 --width 4 --target ecp5-85k --seeds 0 --format json";
    let whole = value(succeeds(&cached(folder.path(), line, &[])));
    let node = value(succeeds(&cached(folder.path(), &format!("{line} --part node"), &[])));
    assert_eq!((&whole["part"], &node["part"]), (&"fabric".into(), &"node".into()));
    for report in [&whole, &node] {
        assert!(report["clock"].is_null(), "{report}");
    }
    let instances = |report: &serde_json::Value, module: &str| {
        let name = format!("mob_3x2_backoff_w4_{module}");
        let mut rows = report["modules"].as_array().unwrap().iter();
        rows.find(|row| row["module"] == *name).map(|row| row["instances"].as_u64().unwrap())
    };
    for module in ["node", "x_receiver", "y_receiver", "x_sender"] {
        let found = [&whole, &node].map(|report| instances(report, module));
        assert_eq!(found, [Some(6), Some(1)], "{module}: {node}");
    }
    let flip_flops = |report: &serde_json::Value| report["whole"]["flip_flops"].as_u64().unwrap();
    // Beside the nodes the fabric has the register that tells slots apart.
    assert_eq!(flip_flops(&whole), 6 * flip_flops(&node) + 1);
}

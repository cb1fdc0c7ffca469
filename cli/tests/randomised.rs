//! Relations that draw for each packet: figures that follow from their definition, the table of the
//! manual, bad input.

use crate::common::{json, refused_in, run, run_in};
use serde_json::Value;
use std::fs;
use std::path::Path;
use turnpike_fabric::testing::sample;

/// In each phase every channel of the cube carries half a packet of a permutation on average, whatever
/// the permutation: k/2 channels for each of N packets, over k N channels.
#[test]
fn two_phases_spread_every_permutation() {
    for k in [2, 4, 6] {
        for pattern in ["transpose", "bit-complement", "bit-reversal", "permutation:3"] {
            for phases in ["ecube", "rotation,ecube"] {
                let report = json(&format!(
                    "analyze hypercube --dim {k} --routing two-phase --phases {phases} --pattern \
                     {pattern}"
                ));
                let channels = k << k;
                assert_eq!(report["pattern"]["max_link_load"], 1, "{k} {pattern} {phases}");
                assert_eq!(report["pattern"]["links_used"], channels, "{k} {pattern} {phases}");
            }
        }
        let report =
            json(&format!("analyze hypercube --dim {k} --pattern transpose --routing ecube"));
        assert_eq!(report["pattern"]["max_link_load"], 1 << (k / 2 - 1), "{k}");
    }
}

/// Ways along a row of N switches and back are longer than N; those of a torus of one dimension, too.
#[test]
fn rows_of_one_dimension_are_routed() {
    for (network, longest) in
        [("mesh --shape 4", 6), ("mesh --shape 16", 30), ("torus --shape 8", 8)]
    {
        let report = json(&format!("analyze {network} --routing two-phase"));
        assert_eq!(report["longest_route"], longest, "{network}");
        assert_eq!(report["deadlock_free"], true, "{network}");
    }
}

/// Crosspoints and inputs of multiplexers, as the manual has them.
#[test]
fn the_table_of_the_manual_is_what_the_program_says() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("docs");
    let page = fs::read_to_string(docs.join("randomised.md")).unwrap();
    for k in [4, 7] {
        let cells = ["ecube", "rotation", "romm", "two-phase"].map(|routing| {
            let report = json(&format!("analyze hypercube --dim {k} --routing {routing}"));
            let figure = |name: &str| report[name].as_u64().unwrap();
            format!("{}, {}", figure("crosspoints_per_switch"), figure("multiplexer_inputs"))
        });
        let row = format!("| {k} | {} |", cells.join(" | "));
        assert!(page.contains(&row), "{row}");
    }
}

/// Relations that draw from shortest paths on a mesh of 4x4 and on the 6-cube, as the manual has them: cost,
/// saturation, and loads, which follow from the odds.
#[test]
fn shortest_paths_side_by_side() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("docs");
    let page = fs::read_to_string(docs.join("randomised.md")).unwrap();
    let mesh = ["dimension-order", "o1turn", "random-path", "random-hop"];
    let mesh = mesh.map(|routing| ("mesh --shape 4x4", routing));
    let cube = ["ecube", "romm", "random-hop", "two-phase"];
    let cube = cube.map(|routing| ("hypercube --dim 6", routing));
    let all = [mesh, cube].concat();
    for (network, routing) in sample("relations", &all) {
        let network = format!("{network} --routing {routing}");
        let report = json(&format!("analyze {network}"));
        assert_eq!(report["deadlock_free"], true, "{network}");
        let cells = ["transpose", "uniform"].map(|traffic| {
            let of = |depth: u32| {
                let run = json(&format!(
                    "simulate {network} --traffic {traffic} --load 1 --cycles 4000 --warmup 1000 --depth {depth}"
                ));
                format!("{:.3}", run["accepted_throughput"].as_f64().unwrap())
            };
            format!("{}, {}", of(4), of(32))
        });
        let worst = json(&format!("worst {network}"));
        let row = format!(
            "| `{routing}` | {}, {} | {} | {} | {} |",
            report["crosspoints_per_switch"],
            report["multiplexer_inputs"],
            cells.join(" | "),
            worst["worst_case_throughput_exact"].as_str().unwrap(),
            worst["uniform_channel_load_exact"].as_str().unwrap(),
        );
        assert!(page.contains(&row), "{row}");
    }
}

/// Virtual channels by negative hops, on cubes and meshes: what is built does what the relation says, and
/// no packet waits for ever.
#[test]
fn drawn_hops_verify() {
    let all = ["hypercube --dim 3", "mesh --shape 2x2x2"];
    sample("networks", &all).into_iter().for_each(drawn_hops_hold);
}

#[test]
#[ignore = "half a minute: `make test-all`"]
fn drawn_hops_by_direction_in_three_dimensions_verify() {
    drawn_hops_hold("mesh --shape 5x2x2");
}

fn drawn_hops_hold(network: &str) {
    let report = json(&format!("verify {network} --routing random-hop"));
    assert_eq!(report["holds"], true, "{network}");
}

/// The worst permutation of bit fixing takes it its load and half of the dimensions more, as
/// docs/results.md has it.
#[test]
fn steps_of_the_worst_permutation() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("docs");
    let page = fs::read_to_string(docs.join("results.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let json_in = |line: &str| -> Value {
        let ran = run_in(folder.path(), &format!("{line} --format json"));
        assert_eq!(ran.code, 0, "{line}: {}", ran.stderr);
        serde_json::from_str(&ran.stdout).unwrap()
    };
    for k in 4..=12 {
        let worst = json_in(&format!("worst hypercube --dim {k} --save w.pattern --force"));
        let load = worst["max_channel_load"].as_u64().unwrap();
        let machine = "--routing ecube --machine steps --pattern w.pattern";
        let ran = json_in(&format!("simulate hypercube --dim {k} {machine}"));
        let of = |name: &str| ran["summary"][name]["largest"].as_u64().unwrap();
        let (steps, queue) = (of("steps"), of("longest_queue"));
        assert_eq!(steps, load + k / 2, "{k}");
        let row = format!("| {k} | {load} | {steps}; {queue} |");
        assert!(page.contains(&row), "{row}");
    }
}

/// Independent intermediate terminals beside a random permutation of them, as docs/results.md has them:
/// the mean and the largest of 100 runs.
#[test]
fn a_permutation_of_intermediate_terminals_beside_independent_draws() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("docs");
    let page = fs::read_to_string(docs.join("results.md")).unwrap();
    for k in [4, 6, 8, 10, 12] {
        let ran = ["independent", "permutation"].map(|drawn| {
            json(&format!(
                "simulate hypercube --dim {k} --routing two-phase --machine steps --barrier \
                 --traffic transpose --runs 100 --drawn {drawn}"
            ))
        });
        let cell = |figure: &str| {
            let of = |report: &Value| {
                let found = &report["summary"][figure];
                format!("{:.2} ({})", found["mean"].as_f64().unwrap(), found["largest"])
            };
            ran.iter().map(of).collect::<Vec<_>>().join(" | ")
        };
        let figures = ["first_phase_steps", "second_phase_steps", "max_link_load", "max_delay"];
        let row = format!("| {k} | {} |", figures.map(cell).join(" | "));
        assert!(page.contains(&row), "{row}");
        for report in &ran {
            assert_eq!(report["summary"]["violations"], 0);
            let load = report["summary"]["first_phase_mean_link_load"].as_f64().unwrap();
            assert!((load - 0.5).abs() < 0.03, "{load}");
        }
    }
}

/// One packet from each terminal: steps of the machine and cycles of the fabric, as docs/results.md has
/// them, with queues of 4 and of 32 flits.
#[test]
fn what_finite_queues_cost_one_packet_each() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("docs");
    let page = fs::read_to_string(docs.join("results.md")).unwrap();
    for k in sample("dimensions", &[6, 8, 10, 4]) {
        for pattern in ["transpose", "bit-complement"] {
            let cube = format!("simulate hypercube --dim {k} --routing ecube");
            let steps = json(&format!("{cube} --machine steps --traffic {pattern}"));
            let steps = &steps["summary"]["steps"]["largest"];
            for depth in [4, 32] {
                let cycles = json(&format!("{cube} --workload {pattern} --depth {depth}"));
                let cycles = &cycles["delivery_cycles"];
                let row = format!("| {k} | `ecube` | {pattern} | {steps} | {cycles} |");
                assert!(page.contains(&row), "{row}");
            }
        }
    }
    // Seeds 1 to 20, rounded to a digit.
    for depth in sample("depths", &[4, 32]) {
        let line = format!(
            "simulate hypercube --dim 6 --routing two-phase --workload transpose --depth {depth}"
        );
        let cycles = (1..=20).map(|seed| json(&format!("{line} --draw-seed {seed}")));
        let cycles = cycles.map(|report| report["delivery_cycles"].as_u64().unwrap());
        let cycles: Vec<u64> = cycles.collect();
        let mean = cycles.iter().sum::<u64>() as f64 / 20.0;
        let cell = format!("| {mean:.1} ({}) |", cycles.iter().max().unwrap());
        let row = "| 6 | `two-phase` | transpose | 10.8 (12) ";
        assert!(page.contains(&format!("{row}{cell}")), "{cell}");
    }
}

/// Bits 2 and up are enough for the load of all terminals, and with the h highest bits of k the worst load is
/// 2^floor((k-h-1)/2); the page's table is what comes out.
#[test]
fn fewer_terminals_to_go_to_first() {
    let page = std::fs::read_to_string("../docs/randomised.md").unwrap();
    for k in 3..=6u32 {
        for h in 1..=k {
            let bits = format!("bits:{}-{}", k - h, k - 1);
            let network = format!("hypercube --dim {k} --routing two-phase --intermediate {bits}");
            let load = json(&format!("worst {network}"))["max_channel_load"].as_f64().unwrap();
            assert_eq!(load, f64::from(1u32 << ((k - h).saturating_sub(1) / 2)), "{network}");
            let report = json(&format!("analyze {network}"));
            let figure = |name: &str| report[name].as_u64().unwrap();
            let shown = match h {
                1 => format!("`bits:{}`", k - 1),
                h if h == k => "all".to_owned(),
                _ => format!("`{bits}`"),
            };
            let row = format!(
                "| {k} | {shown} | {load} | {}, {} | {} |",
                figure("crosspoints_per_switch"),
                figure("multiplexer_inputs"),
                figure("longest_route")
            );
            assert!(k % 2 == 1 || page.contains(&row), "{row}");
        }
    }
}

#[test]
fn what_does_not_go_says_so() {
    let cube = "analyze hypercube --dim 3";
    let case = |options: &str, said: &'static [&'static str]| (format!("{cube} {options}"), said);
    let mut cases = vec![
        case("--routing ecube --phases ecube", &["'ecube' has no phases", "leave --phases and"]),
        case("--phases ecube", &["has no phases"]),
        case("--routing two-phase --phases ecube,foo", &["unknown routing 'foo'"]),
        case("--routing two-phase --phases adaptive", &["cannot go by 'adaptive'"]),
        case("--routing two-phase --phases romm", &["cannot go by 'romm'"]),
        case("--routing romm --phases random-static", &["cannot go by 'random-static'"]),
        case("--routing romm --intermediate 0,1", &["--intermediate", "'romm' says itself where"]),
        case(
            "--routing ecube --intermediate 0,1",
            &["'ecube' has no phases", "--intermediate out"],
        ),
        case("--routing two-phase --intermediate 0,8", &["no terminal 8", "use 0 to 7"]),
        case("--routing two-phase --intermediate 3", &["give two or more"]),
        case("--routing two-phase --intermediate bits:3", &["no bit 3; use bits 0 to 2"]),
        case("--routing two-phase --intermediate 0,1-3,2", &["2 is there twice"]),
        case("--routing two-phase --intermediate ,", &["use terminals, such as 0,3,8-11"]),
        case("--routing two-phase --phases a,b,c", &["two relations with a comma between them"]),
        case("--routing two-phase --failed 001", &["does not go around failed nodes"]),
        case("--routing two-phase --route-seed 3", &["leave --route-seed out"]),
        case("--draw-seed 4", &["draws nothing", "leave --draw-seed out"]),
    ];
    let other = |line: &str, said: &'static [&'static str]| (line.to_owned(), said);
    cases.extend([
        other(
            "analyze mesh --shape 30x20 --routing two-phase --phases up-down",
            &["tables", "16777216"],
        ),
        other("analyze mesh --shape 30x20 --routing two-phase", &["too many routes"]),
        other(
            "analyze torus --shape 4x4 --routing two-phase --intermediate bits:0",
            &["on hypercubes alone"],
        ),
        other("simulate ocpc --nodes 8 --intermediate 0,1", &["--intermediate"]),
        other("analyze mesh --shape 32x16 --routing two-phase", &["too many routes"]),
        other("analyze hypercube --dim 14 --routing romm", &["too many routes"]),
        other(
            "analyze mesh --shape 100x100 --routing romm",
            &["routing 'romm' goes up to 4096 nodes, not 10000"],
        ),
        other("analyze mesh --shape 32x16 --routing romm", &["too many routes"]),
        other(
            "analyze mesh --shape 6x6 --routing romm --phases up-down",
            &["the tables would have", "smaller"],
        ),
        other("analyze mesh --shape 4x4 --routing romm --phases west-first", &["'west-first'"]),
        other("analyze torus --shape 4x4 --routing romm", &["unknown routing 'romm' for torus"]),
        other("route hypercube --dim 3 --draw 1 000 111", &["draws nothing", "leave --draw out"]),
        other("route hypercube --dim 3 --routing romm --draw 9 000 111", &["are 0 to 7"]),
        other("analyze mesh --shape 4x4x2 --routing o1turn", &["of 2 dimensions, not 3"]),
        other(
            "analyze mesh --shape 5 --routing random-hop",
            &["one path for each pair", "'dimension-order'"],
        ),
        other(
            "analyze mesh --shape 12x12 --routing random-hop",
            &["21 of them here", "at most 16", "'dimension-order'"],
        ),
        other(
            "analyze hypercube --dim 8 --routing random-hop",
            &["18 of them here", "at most 16", "'ecube'"],
        ),
        other("analyze mesh --shape 9x9 --routing random-hop", &["too many routes"]),
        other("analyze mesh --shape 4x4x4 --routing random-hop", &["too many routes"]),
        other("analyze torus --shape 4x4 --routing random-hop", &["unknown routing 'random-hop'"]),
        other("analyze mesh --shape 6x6 --routing random-path", &["has 252", "'random-hop'"]),
        other("analyze hypercube --dim 6 --routing random-path", &["has 720", "or 'random-hop'"]),
        other(
            "analyze mesh --shape 4x4x4 --routing random-path",
            &["has 140; use a smaller network\n"],
        ),
        other("analyze torus --shape 4x4 --routing o1turn", &["unknown routing 'o1turn'"]),
        other(
            "analyze clos --shape 3,2,4 --routing two-phase",
            &["there are 3; use a power of two"],
        ),
        other("analyze benes --dim 1 --routing two-phase", &["one path for each pair"]),
        other(
            "analyze benes --dim 3 --routing two-phase --phases shortest",
            &["'two-phase' has no phases", "leave --phases and"],
        ),
        other("simulate mesh --shape 3x3 --pattern transpose", &["needs a power of two"]),
        other("simulate mesh --shape 3x3 --pattern nothing.txt", &["nothing.txt"]),
        other(
            "simulate mesh --shape 4x4 --pattern transpose --traffic uniform",
            &["--traffic does nothing in `simulate --pattern`"],
        ),
        other("schedule hypercube --dim 3 --routing romm --pattern transpose", &["draws its way"]),
    ]);
    let folder = tempfile::tempdir().unwrap();
    for (line, said) in &cases {
        refused_in(folder.path(), &[(line.as_str(), said)]);
    }
}

/// The words of the configuration make the fabric again, with other draws where another seed is given.
#[test]
fn the_configuration_makes_the_fabric_again() {
    let folder = tempfile::tempdir().unwrap();
    let out = |name: &str| folder.path().join(name);
    let top = |name: &str| fs::read_to_string(out(name).join("two.v")).unwrap();
    let options = "generate hypercube --dim 2 --routing two-phase --phases rotation,ecube --name two --draw-seed";
    for (seed, name) in [(7, "one"), (8, "other")] {
        assert_eq!(run(&format!("{options} {seed} --out {}", out(name).display())).code, 0);
    }
    assert_ne!(top("one"), top("other"));
    let manifest = fs::read_to_string(out("one").join("two.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["draws"]["count"], 4);
    assert_eq!(manifest["draws"]["seed"], 7);
    assert_eq!(manifest["draws"]["phases"][0], "rotation");
    let words = manifest["configuration"].as_str().unwrap();
    assert!(
        words.contains("--phases rotation,ecube") && words.contains("--draw-seed 7"),
        "{words}"
    );
    assert_eq!(run(&format!("generate {words} --out {}", out("again").display())).code, 0);
    assert_eq!(top("one"), top("again"));
}

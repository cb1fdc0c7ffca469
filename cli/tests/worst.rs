//! `worst`, as the program prints it, and the figures of docs/worst.md.

use crate::common;

use crate::common::{refused_in, run, run_in};
use serde_json::Value;
use std::fs;
use std::path::Path;
use turnpike_network::routing;
use turnpike_network::topology::TOPOLOGIES;

/// Terminals of the networks whose figures are computed again.
const AGAIN: u64 = 256;

fn json(folder: &Path, line: &str) -> Value {
    let run = run_in(folder, &format!("{line} --format json"));
    assert_eq!((run.code, &*run.stderr), (0, ""), "{line}");
    serde_json::from_str(&run.stdout).unwrap()
}

/// A channel moves a packet in a step: the machine takes no fewer steps than the load.
#[test]
fn the_machine_takes_as_many_steps_as_the_load() {
    let folder = tempfile::tempdir().unwrap();
    for network in [
        "hypercube --dim 6 --routing ecube",
        "hypercube --dim 7 --routing rotation",
        "hypercube --dim 4 --routing thacker",
        "directed-cube --dim 5 --routing static",
        "mesh --shape 8x4",
        "torus --shape 5x5",
        "butterfly --dim 5",
        "fat-tree --arity 2 --levels 4",
    ] {
        let load =
            &json(folder.path(), &format!("worst {network} --save w.pattern"))["max_channel_load"];
        for queueing in ["first-come", "farthest-first"] {
            let line = format!(
                "simulate {network} --machine steps --queueing {queueing} --pattern w.pattern"
            );
            let summary = &json(folder.path(), &line)["summary"];
            let steps = summary["steps"]["largest"].as_u64().unwrap();
            assert!(steps >= load.as_u64().unwrap(), "{network}: {steps} steps, load {load}");
            assert_eq!(summary["max_link_load"]["largest"], *load, "{network}");
        }
    }
}

/// What is saved is a pattern, and counted as one it has the load that was reported. Time tables take
/// it, and have as many slots at least.
#[test]
fn the_saved_permutation_has_the_load() {
    let folder = tempfile::tempdir().unwrap();
    let mut saved = 0;
    for kind in TOPOLOGIES {
        let size = kind.sizes.small().into_iter().nth(1).expect("a second size");
        for relation in routing::of_kind(kind) {
            let network = format!("{} {size} --routing {}", kind.name, relation.name);
            let line = format!("worst {network} --save w.pattern --format json");
            let found = run_in(folder.path(), &line);
            if found.code == 2 {
                continue;
            }
            let report: Value = serde_json::from_str(&found.stdout).unwrap();
            let load = &report["max_channel_load"];
            let pattern = json(folder.path(), &format!("analyze {network} --pattern w.pattern"));
            assert_eq!(&pattern["pattern"]["max_link_load"], load, "{network}");
            let sent = report["permutation"].as_array().unwrap().len();
            assert_eq!(pattern["pattern"]["messages"], sent);
            let exact = report["max_channel_load_exact"].as_str().unwrap();
            let inverse = report["worst_case_throughput_exact"].as_str().unwrap();
            let parts = |text: &str| -> (u64, u64) {
                let (over, under) = text.split_once('/').unwrap_or((text, "1"));
                (over.parse().unwrap(), under.parse().unwrap())
            };
            let ((over, under), turned) = (parts(exact), parts(inverse));
            let wanted = if over > under { (under, over) } else { (1, 1) };
            assert_eq!(turned, wanted, "{network}");
            saved += 1;
        }
    }
    assert!(saved > 30, "{saved}");
    let network = "hypercube --dim 4 --routing rotation";
    let load = json(folder.path(), &format!("worst {network} --save w.pattern"));
    let table = json(folder.path(), &format!("schedule {network} --pattern w.pattern"));
    let slots = table["slot_count"].as_u64().unwrap();
    assert!(slots >= load["max_channel_load"].as_u64().unwrap(), "{slots}");
}

#[test]
fn text_and_csv_say_the_same() {
    let text = run("worst hypercube --dim 4 --routing romm").stdout;
    assert!(text.contains("worst permutation  13/8 = 1.625"), "{text}");
    assert!(text.contains("8/13 = 0.6154"), "{text}");
    assert!(text.contains("That channel is "), "{text}");
    let csv = common::rows(&run("worst hypercube --dim 4 --routing romm --format csv").stdout);
    assert_eq!((csv.len(), &*csv[0]["max_channel_load"]), (1, "1.625"));
    assert_eq!(csv[0]["max_channel_load_exact"], "13/8");
    let alone = run("worst butterfly --dim 1").stdout;
    assert!(alone.contains("No packet uses a channel"), "{alone}");
}

#[test]
fn what_does_not_go_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let adaptive = ["choose their way under 'adaptive'", "oblivious"];
    let cases: &[(&str, &[&str])] = &[
        ("worst hypercube --dim 3 --routing adaptive", &adaptive),
        ("worst hypercube --dim 3 --routing adaptive --save w.pattern", &adaptive),
        ("worst hypercube --dim 21", &["dimension 21 is out of range"]),
        ("worst hypercube --dim 3 --save none/w.pattern", &["none"]),
        ("worst", &["<TOPOLOGY|FILE>"]),
    ];
    refused_in(folder.path(), cases);
    fs::write(folder.path().join("mine"), "000 111\n").unwrap();
    let run = run_in(folder.path(), "worst hypercube --dim 3 --save mine");
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("--force"), "{}", run.stderr);
    assert_eq!(fs::read_to_string(folder.path().join("mine")).unwrap(), "000 111\n");
}

fn page() -> String {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("docs");
    fs::read_to_string(docs.join("worst.md")).unwrap()
}

/// The cells of the table below a heading, without its head.
fn table<'a>(page: &'a str, heading: &str) -> Vec<Vec<&'a str>> {
    let (_, section) = page.split_once(&format!("\n## {heading}\n")).expect("a heading");
    let section = section.split("\n## ").next().unwrap();
    let lines = section.lines().filter(|line| line.starts_with("| ")).skip(2);
    lines.map(|line| line.trim_matches('|').split('|').map(str::trim).collect()).collect()
}

/// The rows of small networks, computed again.
#[test]
fn the_page_has_what_the_program_gives() {
    let (page, folder) = (page(), tempfile::tempdir().unwrap());
    let (mut again, mut all) = (0, 0);
    for row in table(&page, "Relations side by side") {
        let [network, terminals, worst, uniform, least, mean] = row[..] else { panic!("{row:?}") };
        all += 1;
        let most = if network.contains("two-phase") { 64 } else { AGAIN };
        if terminals.parse::<u64>().unwrap() > most {
            continue;
        }
        let report = json(folder.path(), &format!("worst {}", network.trim_matches('`')));
        let sent = report["permutation"].as_array().unwrap().len();
        assert_eq!(sent.to_string(), terminals, "{network}");
        let figure = |field: &str| report[field].as_str().unwrap().to_owned();
        let found = [
            "max_channel_load_exact",
            "uniform_channel_load_exact",
            "worst_case_throughput_exact",
            "uniform_throughput_exact",
        ];
        assert_eq!(found.map(figure), [worst, uniform, least, mean], "{network}");
        again += 1;
    }
    assert!(again > 15 && again < all, "{again} of {all}");
}

#[test]
fn the_page_has_the_loads_of_the_hypercube() {
    let (page, folder) = (page(), tempfile::tempdir().unwrap());
    let rows = table(&page, "The hypercube by dimension");
    let dims: Vec<u32> = rows.iter().map(|row| row[0].parse().unwrap()).collect();
    assert_eq!(dims[..11], (2..=12).collect::<Vec<_>>());
    for row in rows.iter().filter(|row| row[0].parse::<u32>().unwrap() <= 9) {
        let load = |routing: &str| {
            let line = format!("worst hypercube --dim {} --routing {routing}", row[0]);
            json(folder.path(), &line)["max_channel_load"].as_u64().unwrap()
        };
        let (ecube, rotation) = (load("ecube"), load("rotation"));
        assert_eq!([ecube.to_string(), rotation.to_string()], [row[2], row[3]], "{row:?}");
        let smaller = match ecube.cmp(&rotation) {
            std::cmp::Ordering::Less => "`ecube`",
            std::cmp::Ordering::Equal => "both",
            std::cmp::Ordering::Greater => "`rotation`",
        };
        assert_eq!(row[4], smaller, "{row:?}");
    }
}

/// No fabric carries more of the worst permutation than the bound: a tenth above it is saturated, and
/// where one channel is busiest a tenth below it is not, whatever the queues. Where all are as busy, a
/// tenth below is saturated, too.
#[test]
fn fabrics_keep_to_the_bound() {
    let folder = tempfile::tempdir().unwrap();
    for (network, reached) in [
        ("hypercube --dim 5", true),
        ("hypercube --dim 5 --routing rotation", true),
        ("mesh --shape 4x4 --routing o1turn", true),
        ("torus --shape 5x4", true),
        ("butterfly --dim 4", true),
        ("directed-cube --dim 4", true),
        ("hypercube --dim 4 --routing two-phase", false),
        ("benes --dim 3 --routing two-phase", false),
    ] {
        let worst = json(folder.path(), &format!("worst {network} --save w.pattern --force"));
        let bound = worst["worst_case_throughput"].as_f64().unwrap();
        for depth in [4, 1024] {
            let verdict = |load: f64| {
                let line = format!(
                    "simulate {network} --pattern w.pattern --load {load} --depth {depth} \
                     --cycles 20000 --warmup 4000"
                );
                json(folder.path(), &line)["verdict"].as_str().unwrap().to_owned()
            };
            let above = if reached { 1.1 } else { 0.9 };
            assert_eq!(verdict(above * bound), "saturated", "{network}, depth {depth}");
            if reached {
                assert_ne!(verdict(0.9 * bound), "saturated", "{network}, depth {depth}");
            }
        }
    }
}

//! What `simulate` and `sweep` say of flows: latencies that they ask for, and figures of their message classes.

use crate::common::folders::with_files;
use crate::common::{Run, run_in};
use serde_json::Value;
use std::fs;
use std::path::Path;

const NETWORKS: [&str; 4] = [
    "mesh --shape 4x4",
    "mesh --shape 4x4 --routing o1turn --pipeline 1",
    "mesh --shape 4x4 --routing adaptive",
    "torus --shape 4x4 --routing two-phase",
];

fn report(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|e| panic!("{e}: {}", run.stderr))
}

/// Writes `f.csv`: packets of three flits, a hundredth of what a link carries.
fn asks_for(folder: &Path, latency: u64) {
    let text = format!(
        "source,destination,bandwidth,packet,latency\n1_0,3_2,0.01,3,{latency}\n0_0,0_1,0.01,3,\n"
    );
    fs::write(folder.join("f.csv"), text).unwrap();
}

/// A flow that meets no other takes what `analyze` says it takes at least, and no cycle less is possible.
#[test]
fn an_empty_network_has_the_least_latency() {
    let here = with_files(&[]);
    for network in NETWORKS {
        let of = |command: &str, latency: u64| {
            asks_for(here.path(), latency);
            let run =
                run_in(here.path(), &format!("{command} {network} --flows f.csv --format json"));
            (run.code, report(&run))
        };
        let (code, found) = of("analyze", 1);
        let flow = &found["flows"]["distant"][0];
        assert_eq!((code, &flow["source"], &flow["latency_cycles"]), (1, &"1_0".into(), &1.into()));
        let least = flow["least_cycles"].as_u64().unwrap();
        assert_eq!(of("analyze", least - 1).0, 1, "{network}");
        let (code, found) = of("analyze", least);
        assert_eq!(
            (code, found["flows"]["distant"].as_array().unwrap().len()),
            (0, 0),
            "{network}"
        );

        let simulate = "simulate --cycles 20000 --seed 1";
        let (code, found) = of(simulate, least - 1);
        let late = &found["late_flows"][0];
        assert_eq!((code, &late["destination"]), (1, &"3_2".into()), "{network}");
        assert_eq!(late["packets"], late["late_packets"], "{network}: each is late");
        let worst = late["worst_cycles"].as_u64().unwrap();
        let (code, found) = of(simulate, worst);
        assert_eq!((code, found["late_flows"].as_array().unwrap().len()), (0, 0), "{network}");
        // Two packets of the flow may wait for each other, and those that draw may go round about.
        let (_, found) = of(simulate, least);
        let late = found["late_flows"][0]["late_packets"].as_u64().unwrap_or(0);
        assert!(late < found["measured_delivered_packets"].as_u64().unwrap() / 2, "{network}");
    }
}

/// Two flows share a channel: each by itself would be in time.
#[test]
fn packets_that_wait_for_others_are_late() {
    let rows = "source,destination,bandwidth,packet,latency\n0,4,0.45,8,12\n1,5,0.45,8,12\n";
    let here = with_files(&[("f.csv", rows)]);
    let line = "mesh --shape 6 --flows f.csv";
    assert_eq!(run_in(here.path(), &format!("analyze {line}")).code, 1);
    fs::write(here.path().join("f.csv"), rows.replace(",12", ",14")).unwrap();
    assert_eq!(run_in(here.path(), &format!("analyze {line}")).code, 0);
    for engine in ["reference", "rtl"] {
        let run = run_in(here.path(), &format!("simulate {line} --seed 1 --engine {engine}"));
        assert_eq!((run.code, &*run.stderr), (1, ""));
        assert!(run.stdout.contains("Flows with packets that are LATE"), "{}", run.stdout);
        assert!(run.stdout.contains("0 to 4") && run.stdout.contains("1 to 5"), "{}", run.stdout);
    }
}

/// Message classes have figures of their own: those of their flows together.
#[test]
fn message_classes_are_told_apart() {
    let text = fs::read_to_string("../docs/examples/soc.classes.csv").unwrap();
    let here = with_files(&[("f.csv", &text)]);
    let line = "simulate mesh --shape 4x4 --flows f.csv --cycles 5000 --seed 1";
    let run = run_in(here.path(), &format!("{line} --pairs pairs.csv --format json"));
    let found = report(&run);
    let pairs = fs::read_to_string(here.path().join("pairs.csv")).unwrap();
    for (at, class) in ["request", "reply"].into_iter().enumerate() {
        let (mut packets, mut sum) = (0, 0.0);
        for row in pairs.lines().filter(|row| row.split(',').next().unwrap().ends_with(class)) {
            let fields: Vec<&str> = row.split(',').collect();
            packets += fields[2].parse::<u64>().unwrap();
            sum += fields[4].parse::<f64>().unwrap() * fields[2].parse::<f64>().unwrap();
        }
        let of = &found["classes"][at];
        assert_eq!((&of["name"], &of["share"]), (&class.into(), &0.5.into()));
        assert_eq!(of["measured_delivered_packets"].as_u64(), Some(packets));
        let mean = of["latency"]["mean"].as_f64().unwrap();
        assert!(packets > 1000 && (mean - sum / packets as f64).abs() < 1e-9, "{class}: {mean}");
    }
    let said = run_in(here.path(), line).stdout;
    assert!(said.contains("class reply: share 0.5, flows, packets of 1 flit"), "{said}");
    let csv = run_in(here.path(), &format!("{line} --format csv")).stdout;
    assert_eq!(csv.lines().count(), 3, "{csv}");
}

/// A reply is held to the latency of its flow, from the cycle in which its terminal may send it.
#[test]
fn replies_are_held_to_the_latency_of_their_flow() {
    let here = with_files(&[]);
    let of = |command: &str, latency: u64| {
        let text = format!(
            "class request\nclass reply after request\nsource,destination,class,bandwidth,packet,latency\n\
             1_0,3_2,request,0.01,3,\n3_2,1_0,reply,0.01,3,{latency}\n"
        );
        fs::write(here.path().join("f.csv"), text).unwrap();
        let line = format!("{command} mesh --shape 4x4 --flows f.csv --format json");
        let run = run_in(here.path(), &line);
        (run.code, report(&run))
    };
    let (_, found) = of("analyze", 1);
    let least = found["flows"]["distant"][0]["least_cycles"].as_u64().unwrap();
    let simulate = "simulate --reply 3 --cycles 20000 --seed 1";
    let (code, found) = of(simulate, least - 1);
    let late = &found["late_flows"][0];
    assert_eq!(
        (code, &late["source"], &late["destination"]),
        (1, &"3_2_reply".into(), &"1_0_reply".into())
    );
    let replies = &found["request_reply"]["replies"]["measured_packets"];
    assert_eq!((&late["packets"], &late["late_packets"]), (replies, replies), "each is late");
    let worst = found["request_reply"]["replies"]["latency"]["max"].as_u64();
    assert_eq!(late["worst_cycles"].as_u64(), worst);
    // Requests meet no others, so that nothing holds a reply up.
    let (code, found) = of(simulate, least);
    assert_eq!((code, worst, found["late_flows"].as_array().unwrap().len()), (0, Some(least), 0));
    let class = &found["classes"][1];
    assert_eq!((&class["name"], class["share"].to_string().as_str()), (&"reply".into(), "0.0"));
}

/// Figures of a message class at a point are those of a run at its load.
#[test]
fn sweep_tells_message_classes_apart() {
    let text = fs::read_to_string("../docs/examples/soc.classes.csv").unwrap();
    let here = with_files(&[("f.csv", &text)]);
    let of = |command: &str, more: &str| {
        let line = format!("{command} mesh --shape 4x4 --flows f.csv --cycles 3000 {more}");
        run_in(here.path(), &line)
    };
    let sweep = "--load 0.2,0.6 --seeds 1";
    let swept = report(&of("sweep", &format!("{sweep} --format json")));
    for (row, load) in swept["rows"].as_array().unwrap().iter().zip(["0.2", "0.6"]) {
        let run = report(&of("simulate", &format!("--load {load} --seed 1 --format json")));
        for (at, class) in ["request", "reply"].into_iter().enumerate() {
            let (point, single) = (&row["classes"][at], &run["classes"][at]);
            assert_eq!((&point["name"], &single["name"]), (&class.into(), &class.into()));
            for field in ["share", "offered_load", "pattern", "packet_flits"] {
                assert_eq!(point[field], single[field], "{class} at {load}: {field}");
            }
            assert_eq!(point["accepted_throughput"]["value"], single["accepted_throughput"]);
            assert_eq!(point["latency"]["mean"]["value"], single["latency"]["mean"], "{class}");
        }
    }
    let csv = of("sweep", &format!("{sweep} --format csv")).stdout;
    assert_eq!(csv.lines().count(), 5, "{csv}");
    let said = of("sweep", sweep).stdout;
    assert!(said.contains("class reply, from release"), "{said}");
}

/// Packets that are late at one load and not at another: counted over all seeds, the worst flow named, in
/// every format and on the page; runs that were kept say the same.
#[test]
fn sweep_says_what_is_late() {
    let rows = "source,destination,bandwidth,packet,latency\n0,4,0.45,8,14\n1,5,0.45,8,14\n";
    let here = with_files(&[("f.csv", rows), ("free.csv", &rows.replace(",14\n", ",\n"))]);
    let of = |flows: &str, more: &str| {
        let line =
            format!("sweep mesh --shape 6 --flows {flows}.csv --load 0.01,1 --seeds 2 {more}");
        let run = run_in(here.path(), &format!("{line} --cycles 4000"));
        assert_eq!((run.code, &*run.stderr), (0, ""), "{more}");
        run
    };
    let found = report(&of("f", "--format json"));
    let [low, high] = [0, 1].map(|at| &found["rows"][at]);
    assert_eq!((&low["late_packets"], &low["late_flows"]), (&0.into(), &Value::Array(vec![])));
    let flows = high["late_flows"].as_array().unwrap();
    let late = flows.iter().map(|flow| flow["late_packets"].as_u64().unwrap()).sum::<u64>();
    assert!(flows.len() == 2 && late > 100, "{flows:?}");
    assert_eq!(high["late_packets"], late);
    assert_eq!(high["traffic"]["pattern"], "flows");
    assert_eq!(high["traffic"]["packet_flits"], Value::Null);
    // One seed alone is what `simulate` says of it.
    let count = |seed: u32| -> u64 {
        let line = "simulate mesh --shape 6 --flows f.csv --load 1 --cycles 4000 --format json";
        let found = report(&run_in(here.path(), &format!("{line} --seed {seed}")));
        let flows = found["late_flows"].as_array().unwrap().iter();
        flows.map(|flow| flow["late_packets"].as_u64().unwrap()).sum()
    };
    assert_eq!(count(1) + count(2), late);
    let said = of("f", "--out kept --html page.html").stdout;
    assert!(said.contains("later than flows allow") && said.contains("1 to 5"), "{said}");
    assert!(said.contains("traffic flows, seeds 1 to 2"), "{said}");
    assert_eq!(of("f", "--out kept").stdout, said);
    let page = fs::read_to_string(here.path().join("page.html")).unwrap();
    assert!(page.contains("Packets later than their flows allow"));
    let csv = of("f", "--format csv").stdout;
    let columns: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    assert!(columns.contains(&"late_packets"), "{csv}");
    of("f", "--slurm jobs");
    let tasks = fs::read_to_string(here.path().join("jobs/tasks.csv")).unwrap();
    assert!(tasks.contains(",flows,") && !tasks.contains("uniform"), "{tasks}");
    let free = of("free", "--format json");
    assert_eq!(report(&free)["rows"][0]["late_packets"], Value::Null);
    assert!(!of("free", "").stdout.contains("later than"));
}

/// The units of the load and of what is accepted, in the text and on the axes of the page; and no line
/// of equal figures where a load is none in flits.
#[test]
fn sweep_says_its_units() {
    let ends = [("1_0", "3_2"), ("0_0", "0_1")];
    let rows = |columns: &str, more: &str| {
        let row = |(source, sink)| format!("{source},{sink}{more}\n");
        format!("source,destination{columns}\n{}", ends.map(row).concat())
    };
    let here = with_files(&[
        ("plain.csv", &rows("", "")),
        ("classes.csv", &rows(",class", ",request")),
        ("bandwidths.csv", &rows(",bandwidth", ",0.2")),
        ("both.csv", &rows(",class,bandwidth", ",request,0.2")),
    ]);
    let bandwidths = "Load: 1 is what the bandwidths of the flows ask for. Accepted: ";
    for (flows, line, across, end, has_diagonal) in [
        (
            "plain",
            "Load and accepted throughput in ",
            "flits per terminal and cycle",
            "terminal",
            true,
        ),
        (
            "classes",
            "Load and accepted throughput in ",
            "flits per stream and cycle",
            "stream",
            true,
        ),
        ("bandwidths", bandwidths, "1: the bandwidths of the flows", "terminal", false),
        ("both", bandwidths, "1: the bandwidths of the flows", "stream", false),
    ] {
        let run = run_in(
            here.path(),
            &format!(
                "sweep mesh --shape 4x4 --flows {flows}.csv --load 0.2 --seeds 1 --cycles 2000 \
                 --html {flows}.html"
            ),
        );
        let line = format!("{line}flits per {end} and cycle.");
        assert!(run.stdout.contains(&line), "{flows}: {}", run.stdout);
        let page = fs::read_to_string(here.path().join(format!("{flows}.html"))).unwrap();
        for said in [
            &line,
            &format!("offered load ({across})"),
            &format!("accepted (flits per {end} and cycle)"),
        ] {
            assert!(page.contains(said), "{flows}: {said}");
        }
        assert_eq!(page.contains("class=\"ideal\""), has_diagonal, "{flows}");
        assert_eq!(page.contains("The thin line"), has_diagonal, "{flows}");
    }
}

/// The figures in words, and flows without a latency, which nothing holds to one.
#[test]
fn what_is_late_is_named() {
    let rows = "source,destination,bandwidth,latency\n0,3,0.1,4\n1,2,0.1,\n";
    let here = with_files(&[("f.csv", rows), ("free.csv", &rows.replace(",4\n", ",\n"))]);
    let said = run_in(here.path(), "analyze mesh --shape 4 --flows f.csv").stdout;
    let named = "flows that ask for LESS latency than an empty network has: 0 to 3 (4, takes 5)";
    assert!(said.contains(named), "{said}");
    let free = run_in(here.path(), "simulate mesh --shape 4 --flows free.csv --format json");
    assert_eq!((free.code, report(&free).get("late_flows")), (0, None));
}

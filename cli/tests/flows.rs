//! Networks for flows, as a user asks for them.

use crate::common::folders::{made_again, with_files};
use crate::common::page::{cells, parsed, said};
use crate::common::{json, number, refused_in, run, run_in, tree};
use std::fs;

const SOC: &str = "../docs/examples/soc.flows.csv";

#[test]
fn what_is_saved_stands_beside_all_to_all() {
    let report = json(&format!("analyze mesh --shape 4x4 --flows {SOC}"));
    let whole = json("analyze mesh --shape 4x4");
    assert!(report["properties"].is_null() && whole["flows"].is_null());
    let flows = &report["flows"];
    assert_eq!(flows["count"], 20);
    let of =
        |name: &str| [&flows["built"], &flows["all_pairs"]].map(|totals| number(&totals[name]));
    for name in ["channels", "turns", "multiplexer_inputs", "arbiters", "queues", "queue_bits"] {
        let [built, all] = of(name);
        assert!(built > 0.0 && built < 0.7 * all, "{name}: {built} of {all}");
    }
    // A 4x4 mesh from all to all: 48 channels, and the figures of its classes.
    assert_eq!(of("channels")[1], 48.0);
    assert_eq!(of("multiplexer_inputs")[1], 172.0);
    assert_eq!(report["averages_over"], "the flows");
}

/// The table of docs/flows.md: what its files take, as `analyze` counts it.
#[test]
fn the_table_of_savings_is_counted() {
    let documented = fs::read_to_string("../docs/flows.md").unwrap();
    for (file, flows) in [
        ("pipeline.flows.csv", 14),
        ("soc.flows.csv", 20),
        ("soc.classes.csv", 16),
        ("corners.classes.csv", 96),
    ] {
        let line = format!("analyze mesh --shape 4x4 --flows ../docs/examples/{file}");
        let found = &json(&line)["flows"];
        let built = &found["built"];
        assert_eq!(found["count"], flows, "{file}");
        let cells = format!("| {} | {} |", built["multiplexer_inputs"], built["queues"]);
        let row = documented.lines().find(|row| row.starts_with(&format!("| [{file}]")));
        assert!(row.is_some_and(|row| row.contains(&cells)), "{file}: {cells}");
    }
}

/// What is written has the figures of what is built, in the report and in the head of the top module.
#[test]
fn what_is_written_counts_what_is_built() {
    let here = with_files(&[
        ("few.csv", &fs::read_to_string(SOC).unwrap()),
        ("classes.csv", &fs::read_to_string("../docs/examples/soc.classes.csv").unwrap()),
        ("one.csv", "source,destination\n0_0,2_0\n"),
    ]);
    for (file, switches, terminals) in [
        ("few.csv", 16, "12 terminals"),
        ("classes.csv", 16, "10 terminals with 20 streams"),
        ("one.csv", 3, "2 terminals"),
    ] {
        let line = format!("mesh --shape 4x4 --flows {file}");
        let report = run_in(here.path(), &format!("analyze {line} --format json")).stdout;
        let report: serde_json::Value = serde_json::from_str(&report).unwrap();
        let built = &report["flows"]["built"];
        assert_eq!(built["switches"], switches, "{file}");
        let channels = &built["channels"];
        let out = file.replace(".csv", "");
        let text = run_in(here.path(), &format!("generate {line} --out {out}")).stdout;
        let count = format!("{channels} channels, {terminals}");
        assert!(text.contains(&count), "{file}: {text}");
        let head = format!("{terminals} at {switches} switches, {channels} channels.");
        let files = tree(&here.path().join(&out));
        let has_it = |contents: &Option<Vec<u8>>| {
            contents.as_ref().is_some_and(|text| String::from_utf8_lossy(text).contains(&head))
        };
        assert_eq!(files.values().filter(|contents| has_it(contents)).count(), 1, "{file}: {head}");
    }
}

/// From all to all a large network has too many routes to be worth it, but where rows tell of all.
#[test]
fn all_to_all_is_left_out_where_it_costs_more_than_the_answer() {
    let here = with_files(&[("f.csv", "source,destination\n0_0,31_31\n")]);
    for (routing, there) in [("dimension-order", true), ("west-first", false)] {
        let line = format!("analyze mesh --shape 32x32 --routing {routing} --flows f.csv");
        let run = run_in(here.path(), &format!("{line} --format json"));
        let report: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(!report["flows"]["all_pairs"].is_null(), there, "{routing}");
        assert_eq!(run.stderr.contains("is not set beside"), !there, "{}", run.stderr);
    }
}

/// Three flows of 0.4 on one channel, each on links of its own at the ends.
#[test]
fn a_channel_that_is_asked_too_much_does_not_hold() {
    let text = "source,destination,bandwidth\n0,3,0.4\n1,4,0.4\n2,5,0.4\n";
    let here = with_files(&[("much.csv", text), ("fits.csv", &text.replace("0.4", "0.3"))]);
    let line = "analyze mesh --shape 6 --flows";
    let much = run_in(here.path(), &format!("{line} much.csv"));
    assert_eq!(much.code, 1, "{}", much.stderr);
    let expected =
        "largest load: 1.2 flits per cycle on x_plus of 2, MORE than the 1 that it carries";
    let said = much.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains(expected), "{}", much.stdout);
    for flow in ["0 to 3 (0.4)", "1 to 4 (0.4)", "2 to 5 (0.4)"] {
        assert!(said.contains(flow), "{}", much.stdout);
    }
    assert_eq!(run_in(here.path(), &format!("{line} fits.csv")).code, 0);
}

/// The worst that flows do beside each other, with message classes and without: what is saved is made of
/// flows, and has that load as a pattern.
#[test]
fn the_worst_case_is_one_of_flows() {
    let here = with_files(&[
        ("three.csv", "source,destination\n0,3\n1,4\n2,5\n0,1\n"),
        ("soc.csv", &fs::read_to_string(SOC).unwrap()),
        ("classes.csv", &fs::read_to_string("../docs/examples/soc.classes.csv").unwrap()),
    ]);
    for (line, worst, uniform) in [
        // All three cross one channel; terminal 0 sends there every second time.
        ("mesh --shape 6 --flows three.csv", Some("3"), Some("5/2")),
        ("mesh --shape 4x4 --flows soc.csv", None, None),
        ("mesh --shape 4x4 --routing o1turn --flows soc.csv", None, None),
        ("mesh --shape 4x4 --flows classes.csv", None, None),
    ] {
        let report = |line: &str| -> serde_json::Value {
            let run = run_in(here.path(), &format!("{line} --format json"));
            assert_eq!((run.code, &*run.stderr), (0, ""), "{line}");
            serde_json::from_str(&run.stdout).unwrap()
        };
        let found = report(&format!("worst {line} --save w.pattern --force"));
        let load = &found["max_channel_load"];
        let all = report(&format!("worst {}", line.split(" --flows").next().unwrap()));
        assert!(number(load) >= 1.0 && number(load) <= number(&all["max_channel_load"]), "{line}");
        let is = |name: &str, wanted: Option<&str>| {
            wanted.is_none_or(|wanted| found[name].as_str() == Some(wanted))
        };
        assert!(is("max_channel_load_exact", worst), "{line}: {load}");
        assert!(is("uniform_channel_load_exact", uniform), "{line}: {found}");
        let pattern = report(&format!("analyze {line} --pattern w.pattern"));
        assert_eq!(&pattern["pattern"]["max_link_load"], load, "{line}");
    }
}

/// The page has the loads that the flows ask for, what they save, and routes along them alone.
#[test]
fn a_page_is_of_the_flows() {
    let text = "source,destination,bandwidth\n0,3,0.4\n1,4,0.25\n2,5,0.25\n";
    let here = with_files(&[
        ("fits.csv", text),
        ("much.csv", &text.replace("0.25", "0.4")),
        ("words.csv", "source,destination,words\n0,3,1\n0,4,1\n0,5,1\n1,0,7\n"),
    ]);
    let loads = |file: &str, code: i32| {
        let line = format!("report mesh --shape 6 --flows {file} --no-curves --out x.html --force");
        let run = run_in(here.path(), &line);
        assert_eq!(run.code, code, "{}", run.stderr);
        let text = fs::read_to_string(here.path().join("x.html")).unwrap();
        let page = parsed(&text);
        let routes: serde_json::Value = serde_json::from_str(&said(&page, "routes")).unwrap();
        // Two numbers for each source: its terminal, and its list of words.
        let sources = routes["sources"].as_array().unwrap().chunks(2);
        let words = sources.map(|pair| &routes["words"][pair[1].as_u64().unwrap() as usize]);
        let routes = words.map(|words| words.as_array().unwrap().len()).sum::<usize>();
        (cells(&page, "loads"), said(&page, "flows"), routes)
    };
    let (rows, flows, routes) = loads("fits.csv", 0);
    assert_eq!(rows[0], ["0.9", "1", "2 -x_plus-> 3"]);
    assert_eq!(rows[1], ["0.65", "1", "1 -x_plus-> 2"]);
    assert_eq!(rows.iter().map(|row| row[1].parse::<u32>().unwrap()).sum::<u32>(), 10);
    assert!(flows.contains("3 flows from 3 sources to 3 sinks"), "{flows}");
    assert_eq!(routes, 3);
    let (rows, ..) = loads("much.csv", 1);
    assert_eq!(rows[0][0], "1.2");
    // Thirds of a flit per cycle come to a flit again.
    let (rows, _, routes) = loads("words.csv", 0);
    assert_eq!((&*rows[0][0], &*rows[0][1]), ("1", "4"));
    assert_eq!(routes, 4);
}

/// Replies go on the class after that of their requests; the flows of that class carry nothing else.
#[test]
fn replies_go_on_the_class_after() {
    let flows = "--flows ../docs/examples/soc.classes.csv";
    let line = format!("simulate mesh --shape 4x4 {flows} --reply 4 --cycles 20000 --seed 3");
    for room in ["", " --reply-room 1"] {
        let report = json(&format!("{line}{room}"));
        let answered = &report["request_reply"];
        assert_eq!(
            answered["requests"]["measured_packets"],
            answered["replies"]["measured_packets"]
        );
        assert!(number(&answered["round_trip"]["mean"]) > 10.0, "{report}");
        assert_eq!(report["outcome"], "drained");
    }
}

#[test]
fn a_folder_is_made_again_from_its_own_flows() {
    let flows = fs::read_to_string(SOC).unwrap();
    let here = with_files(&[("my flows.csv", &flows)]);
    let made = made_again(here.path(), "generate mesh --shape 4x4 --flows my~flows.csv");
    assert_eq!(made["flows"]["file"], "flows.csv");
}

/// The load is of the bandwidths: 20 flows of 0.05 or 0.1, over the eleven terminals that send.
#[test]
fn flows_are_the_traffic() {
    let line = format!("simulate mesh --shape 4x4 --flows {SOC} --cycles 20000 --seed 3");
    for (load, wanted) in [(" --load 1", 1.1), (" --load 0.5", 0.55), ("", 1.1)] {
        let report = json(&format!("{line}{load}"));
        let sources =
            number(&json(&format!("analyze mesh --shape 4x4 --flows {SOC}"))["flows"]["sources"]);
        let offered = number(&report["offered_throughput"]) * sources;
        assert!((offered - wanted).abs() < 0.05, "{load}: {offered}");
        assert_eq!(report["traffic"]["pattern"], "flows");
        assert_eq!(report["verdict"], "steady");
    }
    let said = run(&line).stdout;
    assert!(said.contains("load 1 of their bandwidths"), "{said}");
    let machine = run(&format!("simulate mesh --shape 4x4 --flows {SOC} --machine steps"));
    assert_eq!(machine.code, 0, "{}", machine.stderr);
    assert!(machine.stdout.contains("a packet of each flow"), "{}", machine.stdout);
}

/// Classes in networks of their own: as much hardware as the two networks have alone.
#[test]
fn separate_classes_are_networks_beside_each_other() {
    let rows = ["0_0,1_1,ask\n1_0,1_1,ask\n", "1_1,0_0,say\n1_1,1_0,say\n"];
    let of = |rows: &[&str]| format!("source,destination,class\n{}", rows.concat());
    let here = with_files(&[
        ("plain.csv", "source,destination\n0_0,1_1\n"),
        ("both.csv", &of(&rows)),
        ("ask.csv", &of(&rows[..1])),
        ("say.csv", &of(&rows[1..])),
    ]);
    let built = |options: &str| {
        let run = run_in(
            here.path(),
            &format!("analyze mesh --shape 2x2 --flows {options} --format json"),
        );
        let report: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        report["flows"]["built"].clone()
    };
    let [both, ask, say] = ["both.csv --classes separate", "ask.csv", "say.csv"].map(built);
    for figure in ["switches", "channels", "turns", "queues", "queue_bits", "multiplexer_inputs"] {
        assert_eq!(number(&both[figure]), number(&ask[figure]) + number(&say[figure]), "{figure}");
    }
    assert_eq!(both["virtual_channels"], 1);
    assert_eq!(built("both.csv")["virtual_channels"], 2);
    let line = "generate mesh --shape 2x2 --flows both.csv --classes separate --failed 0_1_say";
    let manifest = made_again(here.path(), line);
    assert!(manifest["name"].as_str().unwrap().contains("separate"), "{manifest}");
    let words = manifest["configuration"].as_str().unwrap();
    assert!(words.contains(" --classes separate --failed 0_1_say "), "{words}");
    // At the edges of a mesh some ways have no channel: the full crossbar has none there either.
    for options in ["--classes separate", "--routing west-first", "--routing adaptive"] {
        let line = format!("verify mesh --shape 2x2 --flows both.csv {options}");
        let verified = run_in(here.path(), &line);
        assert_eq!(verified.code, 0, "{line}: {}", verified.stdout);
    }
    refused_in(
        here.path(),
        &[
            ("analyze mesh --shape 2x2 --classes separate", &["--classes", "those of flows"]),
            (
                "analyze mesh --shape 2x2 --flows plain.csv --classes separate",
                &["give each flow a class"],
            ),
        ],
    );
}

#[test]
fn what_is_wrong_is_said_and_nothing_is_written() {
    let here = with_files(&[
        ("good.csv", "source,destination\n0_0,1_1\n"),
        ("bad.csv", "source,destination\n0_0,1_1\n0_0,7_7\n"),
        ("twice.csv", "source,destination\n0_0,1_1\n*,1_1\n"),
        ("none.csv", "source,destination\n"),
        ("itself.csv", "source,destination\n1,1\n"),
        ("ends.csv", "source,destination\n0,1\n"),
        ("ab.csv", "source,destination,class\n0,1,a\n"),
        (
            "thirds.csv",
            "source,destination,bandwidth\n0,1,0.333333334\n2,1,0.333333333\n3,1,0.333333333\n",
        ),
        ("binary.csv", "source,destination\n\u{0}"),
    ]);
    let mesh = "generate mesh --shape 2x2 --flows";
    let good = "mesh --shape 2x2 --flows good.csv";
    refused_in(
        here.path(),
        &[
            (
                &format!("{mesh} bad.csv"),
                &["bad.csv:3: no terminal that takes packets is called '7_7'"],
            ),
            (
                &format!("{mesh} twice.csv"),
                &["twice.csv:3: the flow from 0_0 to 1_1 stands in line 2"],
            ),
            (
                &format!("{mesh} none.csv"),
                &["none.csv: no flows; give source,destination on a line"],
            ),
            (&format!("{mesh} good.csv --selftest ulx3s-85f"), &["--selftest", "--flows"]),
            (&format!("{mesh} missing.csv"), &["cannot read the flows missing.csv"]),
            (&format!("{mesh} ."), &["no regular file"]),
            (&format!("route {good} 1_1 0_0"), &["1_1"]),
            (&format!("simulate {good} --traffic transpose"), &["--traffic", "--flows"]),
            (&format!("simulate {good} --burst 8"), &["--burst", "--flows"]),
            (&format!("simulate {good} --class a:share=1"), &["--class", "--flows"]),
            (&format!("simulate {good} --reply 2"), &["class reply after request"]),
            (&format!("simulate {good} --no-self-addressed"), &["--no-self-addressed", "--flows"]),
            (&format!("sweep {good} --hotspot 0_0"), &["--hotspot", "--flows"]),
            (&format!("simulate {good} --workload permutation"), &["--flows"]),
            (&format!("bsp {good}"), &["--flows"]),
            (&format!("report {good} --traffic uniform --out x.html"), &["--traffic", "--flows"]),
            (&format!("schedule {good} --pattern good.csv"), &["--pattern", "--flows"]),
            ("schedule mesh --shape 2x2", &["add --pattern PATTERN|FILE or --flows FILE"]),
            ("schedule benes --dim 2", &["add --pattern PATTERN|FILE or --flows FILE"]),
            (
                "schedule benes --dim 2 --flows thirds.csv",
                &["no frame of up to 1024 slots", "to 1"],
            ),
            ("schedule mesh --shape 4 --flows thirds.csv", &["no frame of up to 1024 slots"]),
            ("generate benes --dim 2 --kind circuit --flows ab.csv", &["no message classes"]),
            (
                "generate benes --dim 2 --kind circuit --flows ends.csv --slots 4",
                &["--slots", "--flows"],
            ),
            (
                "generate benes --dim 2 --kind circuit --flows ends.csv --baked transpose",
                &["--baked", "--flows"],
            ),
            (
                "generate benes --dim 2 --kind circuit --flows ends.csv --self-routing",
                &["--flows", "--self-routing"],
            ),
            ("generate benes --dim 2 --kind circuit --flows bad.csv", &["bad.csv:2: no terminal"]),
            (&format!("analyze {good} --pattern transpose"), &["no patterns but files"]),
            ("generate mob --shape 2x2 --flows good.csv", &["one bus", "leave --flows out"]),
            ("simulate ocpc --nodes 4 --workload permutation --flows ends.csv", &["--flows"]),
            ("analyze ocpc --nodes 1025 --flows ends.csv", &["at most 1024 nodes", "1025"]),
            ("analyze ocpc --nodes 4 --flows itself.csv", &["itself.csv: ", "node 1 to itself"]),
            ("generate ocpc --nodes 4 --flows ab.csv", &["no message classes"]),
            ("generate ocpc --nodes 4 --flows itself.csv", &["node 1 to itself"]),
            ("generate ocpc --nodes 4 --flows bad.csv", &["bad.csv:2: no terminal"]),
        ],
    );
}

/// Local ports are counted with 8 bits: streams of 40 terminals in 8 classes are refused, not wrapped.
#[test]
fn more_streams_than_a_switch_may_have_are_refused() {
    let terminals: String = (0..40).map(|at| format!("terminal t{at} hub\n")).collect();
    let hub = format!("turnpike-topology 1\nnode hub\n{terminals}");
    let rows: String = (0..8).map(|class| format!("*,*,c{class}\n")).collect();
    let of = |classes: usize| {
        let rows: String = rows.lines().take(classes).map(|row| format!("{row}\n")).collect();
        format!("source,destination,class\n{rows}")
    };
    let here = with_files(&[
        ("hub.topology", &hub),
        ("eight.csv", &of(8)),
        ("two.csv", &of(2)),
        ("one.csv", &of(1)),
    ]);
    let line = "hub.topology --flows";
    let said = "40 terminals at hub, each with a stream for each of";
    refused_in(
        here.path(),
        &[
            (&format!("analyze {line} eight.csv"), &[said, "8 message classes", "64 streams"]),
            (&format!("generate {line} two.csv"), &[said, "2 message classes", "fewer classes"]),
        ],
    );
    let one = run_in(here.path(), &format!("analyze {line} one.csv"));
    assert_eq!(one.code, 0, "{}", one.stderr);
}

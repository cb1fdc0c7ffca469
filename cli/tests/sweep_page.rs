//! The page of `sweep --html`: whole, by itself, with the figures of the report, and the same bytes.

use crate::common::page::cells;
use crate::common::{run, run_in, turnpike_in};
use roxmltree::{Document, Node, ParsingOptions};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use turnpike_cli::format::number;

const SHORT: &str = "sweep hypercube --dim 3 --routing ecube,rotation --traffic uniform,transpose \
     --load 0.2,0.5..=1:0.25 --seeds 3 --cycles 600 --saturation";
const POINTS: usize = 16;

#[track_caller]
fn made(folder: &Path, line: &str, name: &str) -> String {
    let run = run_in(folder, line);
    assert_eq!((run.code, &*run.stderr), (0, ""), "{line}");
    fs::read_to_string(folder.join(name)).unwrap()
}

/// The page of `SHORT`.
fn page() -> String {
    let folder = tempfile::tempdir().unwrap();
    made(folder.path(), &format!("{SHORT} --html x.html"), "x.html")
}

#[track_caller]
fn parsed(page: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(page, options).unwrap_or_else(|wrong| panic!("{wrong}"))
}

fn elements<'a>(within: Node<'a, 'a>, name: &'static str) -> Vec<Node<'a, 'a>> {
    within.descendants().filter(|node| node.tag_name().name() == name).collect()
}

/// What a reader finds there.
fn words(node: Node<'_, '_>) -> String {
    node.descendants().filter(Node::is_text).filter_map(|node| node.text()).collect()
}

fn by_id<'a>(page: &'a Document<'a>, id: &str) -> Node<'a, 'a> {
    let found = page.descendants().find(|node| node.attribute("id") == Some(id));
    found.unwrap_or_else(|| panic!("no {id}"))
}

fn of_class<'a>(within: Node<'a, 'a>, class: &str) -> Vec<Node<'a, 'a>> {
    let has = |node: &Node<'_, '_>| {
        node.attribute("class").is_some_and(|all| all.split(' ').any(|one| one == class))
    };
    within.descendants().filter(has).collect()
}

/// A figure of the JSON report as people see it.
fn shown(figure: &Value) -> String {
    let of = |end: &str| figure[end].as_f64().map(number);
    match (of("value"), of("low"), of("high")) {
        (Some(value), Some(low), Some(high)) => format!("{value} [{low}, {high}]"),
        (value, ..) => value.unwrap_or_else(|| "-".to_owned()),
    }
}

/// Each row of the table, and each marker of a chart, is a point of the JSON report; the CSV is that of
/// `--format csv`.
#[test]
fn every_point_is_there_with_its_figures() {
    let text = page();
    let page = parsed(&text);
    let report: Value =
        serde_json::from_str(&run(&format!("{SHORT} --format json")).stdout).unwrap();
    let rows = report["rows"].as_array().unwrap();
    assert_eq!(rows.len(), POINTS);
    let table = elements(by_id(&page, "points"), "tr");
    assert_eq!(table.len(), 2 + POINTS);
    for (row, line) in rows.iter().zip(&table[2..]) {
        let cells: Vec<String> = elements(*line, "td").into_iter().map(words).collect();
        let verdict = row["verdict"].as_str().unwrap();
        assert!(cells[3].starts_with(verdict), "{} is {verdict}", cells[3]);
        let mut wanted = vec![
            row["routing"].as_str().unwrap().to_owned(),
            row["traffic"]["pattern"].as_str().unwrap().to_owned(),
            number(row["traffic"]["offered_load"].as_f64().unwrap()),
            cells[3].clone(),
            shown(&row["accepted_throughput"]),
        ];
        for from in ["latency", "network_latency"] {
            wanted.extend(["mean", "p50", "p95", "p99"].map(|of| shown(&row[from][of])));
        }
        assert_eq!(cells, wanted);
    }
    for (chart, figure) in [
        ("mean", "/latency/mean"),
        ("p95", "/latency/p95"),
        ("p99", "/latency/p99"),
        ("throughput", "/accepted_throughput"),
    ] {
        let points = of_class(by_id(&page, &format!("figure-{chart}")), "point");
        assert_eq!(points.len(), POINTS, "{chart}");
        for (row, point) in rows.iter().zip(points) {
            let said = words(elements(point, "title")[0]);
            let load = number(row["traffic"]["offered_load"].as_f64().unwrap());
            let of = format!(
                "{}, {}, load {load}: ",
                row["routing"].as_str().unwrap(),
                row["traffic"]["pattern"].as_str().unwrap()
            );
            assert!(said.starts_with(&of), "{said}: no {of}");
            let figure = row.pointer(figure).unwrap();
            let figure = if figure["value"].is_null() { "no figure".into() } else { shown(figure) };
            assert!(said.contains(&figure), "{said}: no {figure}");
            assert!(said.contains(row["verdict"].as_str().unwrap()), "{said}");
            // Full or hollow, with a cross or without: not by colour.
            let sign = |class: &str| of_class(point, class).len();
            let wanted = match row["verdict"].as_str().unwrap() {
                "steady" => (1, 0, 0),
                "saturated" => (0, 1, 1),
                _ => (0, 1, 0),
            };
            assert_eq!((sign("full"), sign("hollow"), sign("cross")), wanted, "{said}");
        }
    }
    assert_eq!(words(by_id(&page, "csv")), run(&format!("{SHORT} --format csv")).stdout);
    let saturation = run(SHORT).stdout;
    let found: Vec<&str> =
        saturation.lines().filter_map(|l| l.split("saturation: ").nth(1)).collect();
    assert_eq!(found.len(), 4);
    let all = words(page.root_element());
    assert!(found.iter().all(|found| all.contains(found)), "{found:?}");
    let decided = rows.iter().filter(|row| !row["saturation"]["high"].is_null()).count() / 4;
    assert!(decided > 0);
    assert_eq!(of_class(page.root_element(), "bracket").len(), 4 * decided, "in four charts");
}

/// Requests, replies and classes have tables with the figures of the JSON report; where there are none, no table.
#[test]
fn parts_of_the_packets_have_tables() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let short = "sweep mesh --shape 3x3 --routing dimension-order,west-first --load 0.05,0.9 --seeds 2 --cycles 600";
    let line =
        format!("{short} --reply 2 --class a:share=0.25 --class b:share=0.75,packet-length=4");
    let text = made(at, &format!("{line} --html x.html"), "x.html");
    let report: Value =
        serde_json::from_str(&run(&format!("{line} --format json")).stdout).unwrap();
    let (mut replies, mut classes) = (Vec::new(), Vec::new());
    for row in report["rows"].as_array().unwrap() {
        let point = || {
            let [routing, pattern] = [&row["routing"], &row["traffic"]["pattern"]];
            let load = number(row["traffic"]["offered_load"].as_f64().unwrap());
            [routing, pattern].map(|of| of.as_str().unwrap().to_owned()).into_iter().chain([load])
        };
        let latency = |of: &Value| ["mean", "p50", "p95", "p99"].map(|name| shown(&of[name]));
        let of = &row["request_reply"];
        for (words, accepted, name) in [
            ("requests, from release", shown(&of["request_throughput"]), "requests"),
            ("replies, from release", shown(&of["reply_throughput"]), "replies"),
            ("round trip", "-".to_owned(), "round_trip"),
        ] {
            let cells = point().chain([words.to_owned(), accepted]).chain(latency(&of[name]));
            replies.push(cells.collect::<Vec<_>>());
        }
        for class in row["classes"].as_array().unwrap() {
            let name = class["name"].as_str().unwrap().to_owned();
            let load = number(class["offered_load"].as_f64().unwrap());
            let accepted = shown(&class["accepted_throughput"]);
            let cells = point().chain([name, load, accepted]).chain(latency(&class["latency"]));
            classes.push(cells.collect::<Vec<_>>());
        }
    }
    assert_eq!((replies.len(), classes.len()), (12, 8));
    let page = parsed(&text);
    for (id, wanted) in [("replies", replies), ("classes", classes)] {
        assert_eq!(cells(&page, id), wanted);
        let copies = |node: &Node<'_, '_>| node.attribute("data-copies") == Some(id);
        assert_eq!(page.descendants().filter(copies).count(), 1, "{id}");
    }
    let without = made(at, &format!("{short} --html y.html"), "y.html");
    for id in ["replies", "classes"] {
        assert!(!without.contains(&format!("id=\"{id}")), "{id}");
    }
}

/// Nothing is asked of any other place, and everything has a name.
#[test]
fn it_stands_alone_and_is_accessible() {
    let text = page();
    let page = parsed(&text);
    let namespaces =
        ["xmlns=\"http://www.w3.org/1999/xhtml\"", "xmlns=\"http://www.w3.org/2000/svg\""];
    let rest = namespaces.iter().fold(text.clone(), |text, of| text.replace(of, ""));
    for banned in ["http://", "https://", "url(", "@import", "@font-face", "NaN", "inf,"] {
        assert!(!rest.contains(banned), "{banned}");
    }
    assert!(text.len() < 150_000, "{} bytes", text.len());
    let scripts = elements(page.root_element(), "script");
    assert_eq!(scripts.len(), 1);
    assert!((50..=400).contains(&words(scripts[0]).lines().count()));
    let mut ids = BTreeSet::new();
    for node in page.descendants().filter(Node::is_element) {
        for attribute in node.attributes() {
            let name = attribute.name();
            assert!(!["src", "href", "style"].contains(&name) && !name.starts_with("on"), "{name}");
        }
        assert!(node.attribute("id").is_none_or(|id| ids.insert(id)), "an id twice");
    }
    for node in page.descendants() {
        for of in ["aria-labelledby", "aria-describedby"] {
            assert!(node.attribute(of).is_none_or(|id| ids.contains(id)), "{of}");
        }
    }
    let charts = of_class(page.root_element(), "chart");
    assert_eq!(charts.len(), 4);
    for chart in charts {
        let texts: Vec<Node<'_, '_>> = chart.children().filter(Node::is_element).take(2).collect();
        assert_eq!(
            texts.iter().map(|n| n.tag_name().name()).collect::<Vec<_>>(),
            ["title", "desc"]
        );
        assert!(words(texts[1]).contains("rotation, transpose"), "{}", words(texts[1]));
        let lines = of_class(chart, "line").len();
        let dashes: BTreeSet<_> = of_class(chart, "line")
            .iter()
            .filter_map(|l| l.attribute("stroke-dasharray"))
            .collect();
        assert_eq!(dashes.len(), lines, "each curve has dashes of its own");
    }
    for button in elements(page.root_element(), "button") {
        assert!(!words(button).trim().is_empty());
        if let Some(id) = button.attribute("data-copies") {
            assert!(ids.contains(id), "{id}");
        }
    }
    for name in ["input", "textarea"] {
        for field in elements(page.root_element(), name) {
            let label = field.ancestors().any(|node| node.tag_name().name() == "label");
            assert!(label || field.has_attribute("aria-label"), "{name} has a label");
        }
    }
    let shows = |node: &Node<'_, '_>| node.has_attribute("data-shows");
    assert_eq!(page.descendants().filter(shows).count(), 4);
    assert_eq!(elements(page.root_element(), "html")[0].attribute("lang"), Some("en"));
    for scheme in ["prefers-color-scheme: dark", "@media print"] {
        assert!(text.contains(scheme), "{scheme}");
    }
}

/// Wherever it is written, with kept runs or without, by options or a configuration file; and by the
/// command that it shows.
#[test]
fn the_same_command_gives_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let line = "sweep mesh --shape 3x3 --load 0.1,0.3 --seeds 2 --seed 9 --cycles 400";
    let first = made(at, &format!("{line} --html one.html"), "one.html");
    fs::write(at.join("c.toml"), "seeds = 2\nseed = 9\nshape = \"3x3\"\ncycles = 400\n").unwrap();
    let config =
        "sweep mesh --load 0.1,0.3 --config c.toml --html two.html --out runs --format csv";
    for times in 0..2 {
        assert!(made(at, config, "two.html") == first, "time {times}");
    }
    let page = parsed(&first);
    let command = words(by_id(&page, "command"));
    assert_eq!(command, format!("turnpike {line} --html sweep.html"));
    let again = command.strip_prefix("turnpike ").unwrap();
    assert!(made(at, again, "sweep.html") == first);
    let all = words(page.root_element());
    assert!(all.contains(&format!("Turnpike {}. Seeds 9 to 10", env!("CARGO_PKG_VERSION"))));
    assert!(all.contains("configuration: mesh --shape 3x3 --routing dimension-order"), "{all}");
}

/// Names of files are text, whatever is in them.
#[test]
fn names_are_escaped() {
    let folder = tempfile::tempdir().unwrap();
    let name = "it's <b>&amp;\"]]>.relation";
    let relation = "turnpike-relation 1\nname mine\ntopology hypercube\ndimension 2\nby difference\n\
                    01 dim0\n10 dim1\n11 dim1\n";
    fs::write(folder.path().join(name), relation).unwrap();
    let fixed = "sweep hypercube --dim 2 --load 0.1 --seeds 1 --cycles 100 --html x.html --routing";
    let run = turnpike_in(folder.path(), fixed.split(' ').chain([name]));
    assert_eq!((run.code, &*run.stderr), (0, ""));
    let text = fs::read_to_string(folder.path().join("x.html")).unwrap();
    let page = parsed(&text);
    let command = words(by_id(&page, "command"));
    assert!(command.contains(r#"--routing 'it'\''s <b>&amp;"]]>.relation'"#), "{command}");
    assert!(elements(page.root_element(), "b").is_empty());
    assert!(words(page.root_element()).contains("1 for each point"));
}

/// A deadlock is shown as one, and the page is written all the same.
#[test]
fn a_deadlock_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let line = "sweep hypercube --dim 4 --routing rotation --vcs 1 --depth 2 --packet-length 16 \
                --cycles 2000 --load 0.9 --seeds 2 --html x.html";
    assert_eq!(run_in(folder.path(), line).code, 1);
    let text = fs::read_to_string(folder.path().join("x.html")).unwrap();
    let page = parsed(&text);
    assert!(words(by_id(&page, "points")).contains("DEADLOCKED"));
    let point = of_class(by_id(&page, "figure-mean"), "point")[0];
    assert!(words(point).contains("DEADLOCKED"));
    assert_eq!(of_class(point, "cross").len(), 1);
}

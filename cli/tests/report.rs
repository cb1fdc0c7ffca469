//! The page of `report`: whole, by itself, with the figures of the other commands, and the same bytes.

use crate::common;

use crate::common::page::{by_id, cells, parsed, said, words};
use crate::common::{Run, refused_in, run, run_in, small_disk};
use roxmltree::Node;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

#[track_caller]
fn made(folder: &Path, line: &str, name: &str) -> String {
    let Run { stderr, code, .. } = run_in(folder, line);
    assert_eq!((code, &*stderr), (0, ""), "{line}");
    fs::read_to_string(folder.join(name)).unwrap()
}

const SHORT: &str = "report mesh --shape 3x3 --load 0.1,0.3 --seeds 2 --cycles 400 --out";

#[test]
fn the_same_command_gives_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let first = made(at, &format!("{SHORT} one.html"), "one.html");
    fs::write(at.join("c.toml"), "seeds = 2\nshape = \"3x3\"\ncycles = 400\n").unwrap();
    let config = "report mesh --config c.toml --load 0.1,0.3 --out two.html";
    assert!(made(at, config, "two.html") == first);
    let page = parsed(&first);
    let command = said(&page, "command");
    assert_eq!(
        command,
        "turnpike report mesh --shape 3x3 --load 0.1,0.3 --seeds 2 --cycles 400 --out report.html"
    );
    assert!(made(at, command.strip_prefix("turnpike ").unwrap(), "report.html") == first);
}

/// Every turn with its witness, every channel of the certificate, and the loads, are those of the
/// report of `analyze`.
#[test]
fn figures_are_those_of_analyze() {
    let folder = tempfile::tempdir().unwrap();
    let line = "hypercube --dim 4 --routing rotation";
    let text = made(folder.path(), &format!("report {line} --no-curves --out x.html"), "x.html");
    let page = parsed(&text);
    let analysis = common::json(&format!("analyze {line}"));
    let turns = analysis["switch_classes"][0]["turns"].as_array().unwrap();
    let rows = cells(&page, "turns");
    assert_eq!(rows.len(), turns.len());
    for (row, turn) in rows.iter().zip(turns) {
        let nodes = turn["route"]["nodes"].as_array().unwrap();
        assert_eq!(turn["at"], row[3]);
        assert_eq!((&nodes[0], &nodes[nodes.len() - 1]), (&json!(row[4]), &json!(row[5])));
        assert!(row[1].starts_with(turn["input"].as_str().unwrap()), "{row:?}");
        assert!(row[2].starts_with(turn["output"].as_str().unwrap()), "{row:?}");
    }
    let numbers = analysis["certificate"]["numbers"].as_array().unwrap();
    assert_eq!(cells(&page, "channels").len(), numbers.len());
    // 128 packets of 256 pairs on each of the 64 channels, to 16 sinks.
    assert_eq!(cells(&page, "loads"), [["0.5", "64", "0000 -dim0-> 0001"]]);
    assert!(by_id(&page, "points").is_none(), "--no-curves");
    let loads = made(folder.path(), "report mesh --shape 4x4 --no-curves --out y.html", "y.html");
    // 4 columns: 2 on each side of the middle, from 4 rows of sources to half of all nodes.
    let loads = cells(&parsed(&loads), "loads");
    assert_eq!(loads, [["1", "16", "1_0 -x_plus-> 2_0"], ["0.75", "32", "0_0 -x_plus-> 1_0"]]);
}

/// Nothing is asked of any other place, and everything has a name.
#[test]
fn it_stands_alone_and_is_accessible() {
    let folder = tempfile::tempdir().unwrap();
    let text = made(folder.path(), &format!("{SHORT} x.html"), "x.html");
    let page = parsed(&text);
    let namespaces =
        ["xmlns=\"http://www.w3.org/1999/xhtml\"", "xmlns=\"http://www.w3.org/2000/svg\""];
    let mut rest = namespaces.iter().fold(text.clone(), |text, of| text.replace(of, ""));
    // What a script makes elements of, and no address.
    rest = rest.replace("createElementNS(\"http://www.w3.org/2000/svg\"", "");
    for banned in ["http://", "https://", "@import", "@font-face", "NaN", "src="] {
        assert!(!rest.contains(banned), "{banned}");
    }
    let script = page.descendants().filter(|node| node.tag_name().name() == "script");
    let lines: Vec<usize> = script
        .filter(|script| script.attribute("type").is_none())
        .map(|script| words(script).lines().count())
        .collect();
    assert_eq!(lines.len(), 1);
    assert!((100..=400).contains(&lines[0]), "{} lines", lines[0]);
    let mut ids = BTreeSet::new();
    for node in page.descendants().filter(Node::is_element) {
        assert!(node.attribute("id").is_none_or(|id| ids.insert(id)), "an id twice");
        assert!(!node.attributes().any(|of| of.name() == "style" || of.name().starts_with("on")));
    }
    for node in page.descendants() {
        for of in ["aria-labelledby", "aria-describedby", "data-copies"] {
            assert!(node.attribute(of).is_none_or(|id| ids.contains(id)), "{of}");
        }
        if let Some(part) = node.attribute("href") {
            assert!(ids.contains(part.strip_prefix('#').unwrap()), "{part}");
        }
        let is_picture = node.attribute("class") == Some("picture");
        let titled =
            || node.children().filter(|n| ["title", "desc"].contains(&n.tag_name().name()));
        assert!(!is_picture || titled().count() == 2, "a picture has a title and a description");
        let labelled = || node.ancestors().any(|node| node.tag_name().name() == "label");
        let is_field = ["select", "input"].contains(&node.tag_name().name());
        assert!(!is_field || node.has_attribute("aria-label") || labelled(), "a field has a label");
    }
}

/// Channels of one way are arrows: what a line ends in is in its picture, whatever else is on the page.
#[test]
fn channels_of_one_way_end_in_arrowheads() {
    let folder = tempfile::tempdir().unwrap();
    // The second has a cycle, and its arrows.
    for network in ["benes --dim 2", "hypercube --dim 4 --routing rotation --vcs 1"] {
        let line = format!("report {network} --no-curves --force --out x.html");
        assert_eq!(run_in(folder.path(), &line).stderr, "");
        let text = fs::read_to_string(folder.path().join("x.html")).unwrap();
        let page = parsed(&text);
        let mut ends = 0;
        for line in page.descendants() {
            let Some(end) = line.attribute("marker-end") else { continue };
            let name = end.strip_prefix("url(#").and_then(|name| name.strip_suffix(')')).unwrap();
            let all = page.descendants().filter(|node| node.attribute("id") == Some(name));
            let markers: Vec<Node> = all.collect();
            assert_eq!(markers.len(), 1, "{network}: {name}");
            assert_eq!(markers[0].tag_name().name(), "marker");
            let picture = |node: Node| {
                let of = |node: &Node| node.attribute("class") == Some("picture");
                node.ancestors().find(of).map(|node| node.id())
            };
            assert_eq!(picture(markers[0]), picture(line));
            ends += 1;
        }
        assert!(ends > 0, "{network}");
    }
}

#[test]
fn too_large_a_network_says_what_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let line = "report hypercube --dim 11 --no-curves --out x.html";
    let Run { stdout, stderr, code } = run_in(folder.path(), line);
    assert_eq!((code, &*stderr), (0, ""));
    let text = fs::read_to_string(folder.path().join("x.html")).unwrap();
    let page = parsed(&text);
    for missing in
        ["the network, drawn: a picture shows at most 1024 nodes", "routes, of a network of"]
    {
        assert!(stdout.contains(missing), "{stdout}");
        assert!(said(&page, "left-out").contains(missing));
    }
    assert!(by_id(&page, "routes").is_none());
    assert_eq!(cells(&page, "turns").len(), 1 + 11 * 2 + 11 * 10 / 2);
    assert!(text.len() < 100_000);
}

/// A report of `synth` of the fabric of these words.
fn synth(configuration: &Value) -> Value {
    let cells = json!({
        "cells": 1, "luts": 2, "flip_flops": 3, "lut_rams": 4, "block_rams": 5, "carries": 6,
        "area_um2": null,
    });
    json!({
        "schema_version": 2, "configuration": configuration, "target": "ice40-hx8k", "tools": ["Yosys"],
        "part": "switch", "crossbar": "routed",
        "results": [{ "top": "top_of_it", "whole": cells, "logic_cells": 7, "clock": null }],
    })
}

#[test]
fn area_is_of_the_same_fabric() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let configuration = |line: &str| common::json(line)["configuration"].clone();
    let same = synth(&configuration("analyze ring --nodes 4"));
    fs::write(at.join("same.json"), same.to_string()).unwrap();
    let line = "report ring --nodes 4 --no-curves --out x.html --synth";
    let text = made(at, &format!("{line} same.json --synth same.json"), "x.html");
    let rows = cells(&parsed(&text), "areas");
    assert_eq!(rows, [["top_of_it", "routed", "1", "2", "3", "4", "5", "6", "7", "-", "-"]]);
    assert!(by_id(&parsed(&text), "areas2").is_some());
    let other = synth(&configuration("analyze ring --nodes 4 --depth 8"));
    fs::write(at.join("other.json"), other.to_string()).unwrap();
    let mut old = same.clone();
    old["schema_version"] = json!(1);
    fs::write(at.join("old.json"), old.to_string()).unwrap();
    fs::write(at.join("none.json"), "{}").unwrap();
    fs::write(at.join("text.json"), "LUTs: 3").unwrap();
    fs::write(at.join("x.html"), "mine").unwrap();
    for (file, wrong) in [
        ("other.json", "other.json is of another fabric: it is of 'ring --nodes 4 --"),
        ("old.json", "its schema_version is 1, not 2"),
        ("none.json", "it has no schema_version"),
        (
            "text.json",
            "text.json is no report of a switched fabric by turnpike synth --format json",
        ),
        ("missing.json", "cannot read the report of synth missing.json"),
    ] {
        let line = format!("report ring --nodes 4 --no-curves --out y.html --synth {file}");
        let Run { stderr, code, .. } = run_in(at, &line);
        assert_eq!(code, 2, "{file}");
        assert!(stderr.contains(wrong), "{file}: {stderr}");
        assert!(!at.join("y.html").exists());
    }
}

#[test]
fn bad_input_is_refused_before_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir(at.join("folder")).unwrap();
    fs::write(at.join("mine.html"), "mine").unwrap();
    for (line, wrong) in [
        ("report hypercube --dim 3", "--out"),
        (
            "report hypercube --dim 3 --out folder",
            "it is a folder; name a file, such as report.html",
        ),
        ("report hypercube --dim 3 --out no/x.html", "there is no folder no"),
        (
            "report hypercube --dim 3 --out mine.html",
            "mine.html is there, and turnpike did not write it; name another file, or replace it with \
             --force",
        ),
        (
            "report hypercube --dim 3 --out x.html --synth x.html",
            "name the same file x.html; name two",
        ),
        ("report hypercube --dim 3 --load 1.5 --out x.html", "'1.5' is no load from 0 to 1"),
        ("report hypercube --dim 3 --load 0..=1:0.0001 --out x.html", "these are"),
        (
            "report hypercube --dim 3 --load 0..=1:0.0004 --seeds 1 --out x.html",
            "shows at most 2000",
        ),
        (
            "report hypercube --dim 3 --load 0..=1:0.0008 --seeds 1 --class a:share=0.5 \
             --class b:share=0.5 --out x.html",
            "these are 2502 (relations 1, patterns 1, loads 1251, classes 2)",
        ),
        ("report hypercube --dim 3 --traffic unifrom --out x.html", "uniform"),
        ("report hypercube --dim 3 --routing ecube,rotation --out x.html", "ecube,rotation"),
        ("report hypercubes --dim 3 --out x.html", "hypercube"),
        ("report hypercube --dim 21 --out x.html", "20"),
        ("report mesh --shape 3x2 --traffic transpose --out x.html", "transpose"),
    ] {
        let Run { stderr, code, stdout } = run_in(at, line);
        assert_eq!((code, &*stdout), (2, ""), "{line}");
        assert!(stderr.starts_with("error: ") && stderr.contains(wrong), "{line}: {stderr}");
        assert!(!at.join("x.html").exists(), "{line}");
    }
    assert_eq!(fs::read_to_string(at.join("mine.html")).unwrap(), "mine");
    let forced = "report ring --nodes 3 --no-curves --force --out mine.html";
    assert!(made(at, forced, "mine.html").starts_with("<!DOCTYPE html>"));
    // What it wrote it replaces; what somebody edited it does not.
    assert_eq!(run_in(at, &forced.replace("--force ", "")).code, 0);
    fs::write(at.join("mine.html"), "edited").unwrap();
    let edited = run_in(at, &forced.replace("--force ", ""));
    assert!(edited.stderr.contains("was edited since turnpike wrote it"), "{}", edited.stderr);
}

#[test]
fn a_full_disk() {
    let Some(disk) = small_disk(16) else { return };
    let full: &[&str] = &["cannot write x.html", "No space left"];
    refused_in(disk.path(), &[("report ring --nodes 5 --no-curves --out x.html", full)]);
}

#[test]
fn a_fabric_that_can_deadlock_does_not_hold() {
    let folder = tempfile::tempdir().unwrap();
    let line = "report hypercube --dim 4 --routing rotation --vcs 1 --no-curves --out x.html";
    assert_eq!(run_in(folder.path(), line).code, 1);
    let text = fs::read_to_string(folder.path().join("x.html")).unwrap();
    let page = parsed(&text);
    assert!(said(&page, "deadlock").starts_with("NOT free with 1 virtual channel"));
    let analysis = run("analyze hypercube --dim 4 --routing rotation --vcs 1 --format json").stdout;
    let analysis: Value = serde_json::from_str(&analysis).unwrap();
    let cycle = analysis["deadlock_cycle"].as_array().unwrap();
    let rows = cells(&page, "channels");
    assert_eq!(rows.len(), cycle.len());
    for (row, wait) in rows.iter().zip(cycle) {
        assert_eq!(wait["to"], row[3]);
    }
}

/// A colour `#rrggbb` in CIELAB (CIE 15:2004), D65.
fn lab(colour: &str) -> [f64; 3] {
    let part = |at: usize| f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
    let linear = |c: f64| if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) };
    let [r, g, b] = [1, 3, 5].map(|at| linear(part(at)));
    let x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047;
    let y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
    let z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883;
    let f = |t: f64| if t > 0.008856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 };
    [116.0 * f(y) - 16.0, 500.0 * (f(x) - f(y)), 200.0 * (f(y) - f(z))]
}

/// The colours of loads are told apart, on light and on dark paper: 25 apart in CIELAB, of which 2 are
/// just seen.
#[test]
fn loads_have_colours_that_differ() {
    let folder = tempfile::tempdir().unwrap();
    let page = made(folder.path(), "report mesh --shape 3x3 --no-curves --out x.html", "x.html");
    let of = |theme: usize| -> Vec<[f64; 3]> {
        let colour = |level: usize| {
            let name = format!("--load{level}: ");
            let at = page.match_indices(&name).nth(theme).unwrap().0 + name.len();
            lab(&page[at..at + 7])
        };
        (0..=6).map(colour).collect()
    };
    for theme in [0, 1] {
        let colours = of(theme);
        for (i, one) in colours.iter().enumerate() {
            for (j, other) in colours[..i].iter().enumerate() {
                let apart: f64 = one.iter().zip(other).map(|(a, b)| (a - b).powi(2)).sum();
                assert!(apart.sqrt() >= 25.0, "theme {theme}: {i} and {j} are {}", apart.sqrt());
            }
        }
    }
}

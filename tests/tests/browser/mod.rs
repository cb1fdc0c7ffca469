//! The pages of `report` and of `sweep --html`, shown by a real browser.

mod shown;

use serde_json::{Value, json};
use shown::{Shown, turnpike};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use thirtyfour::Key;
use turnpike_fabric::testing::sample;
use turnpike_tests::browser::Chromium;
use turnpike_tests::require;

/// A page of these words, in a folder of its own.
fn made(line: &str, option: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.html");
    turnpike(&format!("{line} {option} {}", file.display()));
    (folder, file)
}

fn reported(line: &str) -> (TempDir, PathBuf) {
    made(&format!("report {line}"), "--out")
}

/// A report of `synth` of the fabric of these words, as the tools would give it.
fn synthesised(line: &str, folder: &Path) -> PathBuf {
    let analysis: Value =
        serde_json::from_str(&turnpike(&format!("analyze {line} --format json"))).unwrap();
    let cells = json!({
        "cells": 1234, "luts": 567, "flip_flops": 89, "lut_rams": 4, "block_rams": 0, "carries": 12,
        "area_um2": null,
    });
    let clock = json!({ "median_mhz": 123.5, "min_mhz": 120.25, "max_mhz": 130.0 });
    let result = json!({ "top": "a_switch", "whole": cells, "logic_cells": 600, "clock": clock });
    let report = json!({
        "schema_version": 2, "configuration": analysis["configuration"], "target": "ice40-hx8k",
        "tools": ["Yosys 0.1", "nextpnr 0.2"], "part": "switch", "crossbar": "routed",
        "results": [result],
    });
    let file = folder.join("synth.json");
    fs::write(&file, report.to_string()).unwrap();
    file
}

#[test]
fn each_part_of_a_report_is_there() {
    let Some(chromium) = require::<Chromium>() else { return };
    let line = "hypercube --dim 3 --routing rotation";
    let folder = tempfile::tempdir().unwrap();
    let synth = synthesised(line, folder.path());
    let (_page, file) = reported(&format!(
        "{line} --traffic uniform,transpose --load 0.2,0.8 --seeds 2 --cycles 500 --synth {}",
        synth.display()
    ));
    let page = Shown::open(&chromium, &file);
    for (selector, count) in [
        ("#figure-network [data-node]", 8),
        ("#figure-network [data-channel]", 12),
        ("#loads tbody tr", 1),
        (".crossbar .crosspoint", 10),
        ("#figure-mean .point", 4),
        ("#figure-throughput .interval", 2),
        ("#figure-throughput .point", 4),
        ("#points tbody tr", 4),
        ("#areas tbody tr", 1),
        ("#from option", 8),
    ] {
        // The clones of a route that is shown are of the picture as well.
        let over = page.count(&selector.replace("#figure-network", ".over"));
        let over = if selector.contains("network") { over } else { 0 };
        assert_eq!(page.count(selector) - over, count, "{selector}");
    }
    let area = page.text("#areas tbody");
    for figure in ["a_switch", "567", "600", "123.5, 120.25 to 130"] {
        assert!(area.contains(figure), "{area}: no {figure}");
    }
    let analysis = turnpike(&format!("analyze {line}"));
    let certificate = page.text("#deadlock");
    for said in certificate.lines().map(str::trim).filter(|said| !said.is_empty()) {
        assert!(analysis.contains(said), "{said}");
    }
    assert!(
        page.text("#command").starts_with("turnpike report hypercube --dim 3 --routing rotation")
    );
    // A curve that is switched off, and on again.
    let shown = "return document.querySelectorAll('#figure-mean .curve:not(.off)').length";
    assert_eq!(page.script(shown), 2);
    page.click("input[data-shows='0']");
    assert_eq!(page.script(shown), 1);
    page.click("input[data-shows='0']");
    assert_eq!(page.script(shown), 2);
    page.click("[data-saves='network.svg']");
    let picture = page.saved("network.svg");
    assert!(picture.starts_with("<svg") && picture.contains("111") && !picture.contains("var("));
    page.close();
}

/// Whatever pair a reader picks, the page shows what `turnpike route` prints, header for header.
#[test]
fn a_picked_route_is_that_of_route() {
    let Some(chromium) = require::<Chromium>() else { return };
    let all = [
        "hypercube --dim 3 --routing rotation",
        "hypercube --dim 3 --routing two-phase",
        "mesh --shape 4x3",
        "ccc --dim 3",
        "fat-tree --arity 2 --levels 2",
        "ring --nodes 5 --concentration 2",
        "mesh --shape 3x3 --failed 1_1",
        concat!(
            "mesh --shape 4x4 --flows ",
            env!("CARGO_MANIFEST_DIR"),
            "/../docs/examples/soc.classes.csv"
        ),
    ];
    for line in sample("networks", &all) {
        let (_page, file) = reported(&format!("{line} --no-curves"));
        let page = Shown::open(&chromium, &file);
        let all = page.script(
            "const [from, to] = ['from', 'to'].map((id) => document.getElementById(id));
             const found = [];
             const pairs = [...from.options].flatMap((a) => {
               from.value = a.value;
               from.dispatchEvent(new Event('change'));
               return [...to.options].map((b) => [a, b]);
             });
             for (const [a, b] of pairs) {
               from.value = a.value;
               from.dispatchEvent(new Event('change'));
               to.value = b.value;
               to.dispatchEvent(new Event('change'));
               const rows = [...document.querySelectorAll('#hops tbody tr')];
               const cells = rows.map((row) => [...row.cells].map((cell) => cell.textContent));
               found.push([a.text, b.text, document.getElementById('said').textContent, cells]);
             }
             return found;",
        );
        let all = all.as_array().unwrap();
        assert!(all.len() >= 16, "{line}: {} pairs", all.len());
        for pair in all.iter().step_by(1 + all.len() / 200) {
            let [source, destination] = [0, 1].map(|at| pair[at].as_str().unwrap());
            let wanted = turnpike(&format!("route {line} {source} {destination}"));
            let (said, table) = wanted.split_once("\n\n").unwrap();
            assert_eq!(pair[2], said);
            let hops: Vec<Vec<String>> = serde_json::from_value(pair[3].clone()).unwrap();
            let rows = table.lines().skip(1).map(|row| row.split("  ").map(str::trim));
            let rows =
                rows.map(|row| row.filter(|cell| !cell.is_empty()).map(str::to_owned).collect());
            assert_eq!(
                hops,
                rows.collect::<Vec<Vec<String>>>(),
                "{line}: {source} to {destination}"
            );
        }
        page.close();
    }
}

#[test]
fn a_reader_points_and_types() {
    let Some(chromium) = require::<Chromium>() else { return };
    let (_page, file) = reported("mesh --shape 3x3 --load 0.1,0.3 --seeds 2 --cycles 400");
    let page = Shown::open(&chromium, &file);
    let told = || page.text("#figure-network output");
    // From node to node, and along the channels of one.
    page.tab_to("#figure-network .picture");
    page.press(Key::Right);
    let node = told();
    page.press(Key::Down);
    let channel = told();
    page.press(Key::Up);
    assert_eq!(told(), node);
    let name = node.split(',').next().unwrap();
    assert!(channel.contains(name) && channel.contains("-> "), "{node}: {channel}");
    page.point_at("#figure-network [data-node='4']");
    assert_eq!(told(), "1_1, load of its channels 2.6667");
    page.point_at("#figure-network [data-channel='0:0']");
    assert_eq!(told(), "0_0 -x_plus-> 1_0, load 0.6667; 1_0 -x_minus-> 0_0, load 0.6667");
    page.point_at(".crossbar .crosspoint");
    let witness = page.text(".crossbar output");
    assert!(witness.contains("a packet from"), "{witness}");
    page.point_at("#figure-mean .point");
    assert!(
        page.text("#figure-mean output").starts_with("dimension-order, uniform, load 0.1: mean ")
    );
    // A route picked by the keyboard alone: the first from node 2_2.
    page.tab_to("#from");
    page.press(Key::End);
    page.tab_to("#to");
    page.press(Key::Home);
    let wanted = turnpike("route mesh --shape 3x3 2_2 0_0");
    assert_eq!(page.text("#said"), wanted.lines().next().unwrap());
    assert_eq!(page.count(".over .node"), 5);
    assert_eq!(page.count(".over .link"), 4);
    page.tab_to("#figure-mean .point");
    page.press(Key::Right);
    let next = page.text("#figure-mean output");
    assert!(next.starts_with("dimension-order, uniform, load 0.3: "), "{next}");
    page.close();
}

/// What is not there is said, and a cycle is shown by the names of its channels.
#[test]
fn a_cycle_is_shown_by_its_channels() {
    let Some(chromium) = require::<Chromium>() else { return };
    let line = "hypercube --dim 3 --routing rotation --vcs 1";
    let (_page, file) = reported(&format!("{line} --no-curves"));
    let page = Shown::open(&chromium, &file);
    let analysis: Value =
        serde_json::from_str(&turnpike(&format!("analyze {line} --format json"))).unwrap();
    let cycle = analysis["deadlock_cycle"].as_array().unwrap();
    assert_eq!(page.count("#channels tbody tr"), cycle.len() as u64);
    assert_eq!(page.count("#figure-network .cycle"), cycle.len() as u64);
    let shown = page.text("#channels tbody");
    for wait in cycle {
        let [from, output, to] = ["from", "output", "to"].map(|of| wait[of].as_str().unwrap());
        assert!(shown.contains(&format!("{from} -{output}-> {to}")), "{shown}");
    }
    page.close();
}

/// Says how long it took: a busy machine decides no test.
#[test]
fn a_thousand_nodes_are_shown() {
    let Some(chromium) = require::<Chromium>() else { return };
    for line in sample("networks", &["hypercube --dim 10", "mesh --shape 32x32"]) {
        let (_page, file) = reported(&format!("{line} --no-curves"));
        let bytes = fs::metadata(&file).unwrap().len();
        assert!(bytes < 2_000_000, "{line}: {bytes} bytes");
        let page = Shown::open(&chromium, &file);
        let time = page.milliseconds();
        println!("report {line}: {bytes} bytes, shown after {time:.0} ms");
        assert!(page.count("#figure-network [data-node]") >= 1024);
        page.click("#from option:nth-child(7)");
        let source = page.text("#from option:nth-child(7)");
        let last = page.text("#to option:last-child");
        let wanted = turnpike(&format!("route {line} {source} {last}"));
        assert_eq!(page.text("#said"), wanted.lines().next().unwrap());
        page.close();
    }
}

#[test]
fn a_sweep_is_shown() {
    let Some(chromium) = require::<Chromium>() else { return };
    let line = "sweep hypercube --dim 3 --routing ecube,rotation --load 0.1..=0.5:0.1 --seeds 2 --cycles 500";
    let (_page, file) = made(line, "--html");
    let page = Shown::open(&chromium, &file);
    println!("{line}: shown after {:.0} ms", page.milliseconds());
    assert_eq!(page.count("#points tbody tr"), 10);
    page.point_at("#figure-mean .point");
    assert!(page.text("#figure-mean output").starts_with("ecube, uniform, load 0.1: mean "));
    page.tab_to("#figure-mean .point");
    page.press(Key::Right);
    let next = page.text("#figure-mean output");
    assert!(next.starts_with("ecube, uniform, load 0.2: "), "{next}");
    page.click("input[value='p99']");
    assert_eq!(page.script("return document.getElementById('figure-mean').hidden"), true);
    assert_eq!(page.script("return document.getElementById('figure-p99').hidden"), false);
    page.click("[data-saves='throughput.svg']");
    assert!(page.saved("throughput.svg").contains("rotation, uniform"));
    page.close();
}

#[test]
fn tables_of_parts_are_copied() {
    let Some(chromium) = require::<Chromium>() else { return };
    let line = "sweep mesh --shape 3x3 --load 0.05 --seeds 2 --cycles 500 --reply 2 --class a:share=0.25 \
                --class b:share=0.75";
    let (_page, file) = made(line, "--html");
    let page = Shown::open(&chromium, &file);
    for (id, rows) in [("replies", 3), ("classes", 2)] {
        assert_eq!(page.count(&format!("#{id} tbody tr")), rows);
        page.click(&format!("[data-copies='{id}']"));
        let status = page.answer(&format!("p:has([data-copies='{id}']) [role=status]"));
        assert_eq!(status, "Copied.", "{id}");
    }
    page.close();
}

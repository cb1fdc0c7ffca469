//! Audits of what other programs write, and certificates that another program checks.

use crate::common::{refused, run_in};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use turnpike_audit::certificate::check;
use turnpike_tests::floogen::Floogen;
use turnpike_tests::python::Python;
use turnpike_tests::require;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/examples")
}

/// Reads certificates, a character 0 between, and prints for each whether it holds.
const DRIVER: &str = "import sys\nsys.path.insert(0, sys.argv[1])\nimport check_certificate\n\
    text = open(sys.argv[2], encoding='utf-8', newline='').read()\n\
    for one in text.split('\\0'):\n    print(int(check_certificate.check(one) is None))\n";

/// A certificate damaged in each field: words changed, left out and added, lines left out, twice and in
/// another order.
fn damaged(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut all = vec![text.to_owned(), text.trim_end().to_owned(), format!("{text}\n")];
    let with = |at: usize, new: &[String]| {
        let mut lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        lines.splice(at..=at, new.iter().cloned());
        // The number of lines is right, or the damage would be that alone.
        let last = lines.len() - 1;
        if lines[last].starts_with("end ") {
            lines[last] = format!("end {last}");
        }
        lines.join("\n") + "\n"
    };
    for (at, line) in lines.iter().enumerate() {
        let line = (*line).to_owned();
        all.push(with(at, &[]));
        all.push(with(at, &[line.clone(), line.clone()]));
        all.push(with(at, &[format!("{line} ")]));
        if let Some(next) = lines.get(at + 1) {
            let mut swapped = lines.clone();
            swapped.swap(at, at + 1);
            all.push(swapped.join("\n") + "\n");
            assert_ne!(*next, "");
        }
        let words: Vec<&str> = line.split(' ').collect();
        for place in 0..words.len() {
            let mut changed = |word: Option<String>| {
                let mut words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
                match word {
                    Some(word) => words[place] = word,
                    None => drop(words.remove(place)),
                }
                all.push(with(at, &[words.join(" ")]));
            };
            changed(None);
            let fields =
                words[place].split([':', ',']).filter_map(|field| field.parse::<i64>().ok());
            for field in fields {
                for new in [field - 1, field + 1, field + 100, 0] {
                    changed(Some(words[place].replacen(&field.to_string(), &new.to_string(), 1)));
                }
            }
            for new in ["", "x", "-", "escape", "all", "some", "0", "1:0", "0:0,0"] {
                changed(Some(new.to_owned()));
            }
        }
    }
    all
}

#[test]
fn the_two_checkers_agree_on_what_is_damaged() {
    let Some(python) = require::<Python>() else { return };
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("line.dot", "graph line { a -- b -- c }");
    write("line.csv", "switch,destination,next\na,b,b\na,c,b\nb,a,a\nb,c,c\nc,a,b\nc,b,b\n");
    write(
        "soc.csv",
        "class request\nclass reply after request\nsource,destination,class\n\
         a,c,request\nb,c,request\nc,a,reply\nc,b,reply\n",
    );
    // Two virtual channels, of which the first is an escape, and the other is free to go round.
    write("pair.dot", "digraph { a -> b -> c -> a; b -> a; c -> b; a -> c }");
    write(
        "escape.csv",
        "switch,destination,next\na,b,b:0\na,b,c:1\na,c,c:0\na,c,b:1\nb,a,a:0\nb,a,c:1\nb,c,c:0\n\
         b,c,a:1\nc,a,a:0\nc,a,b:1\nc,b,b:0\nc,b,a:1\n",
    );
    let mut held = 0;
    for line in [
        "audit line.dot --routes line.csv",
        "audit line.dot --routes line.csv --flows soc.csv --own-vcs",
        "audit pair.dot --routes escape.csv",
        "audit pair.dot --routes escape.csv --switching packets",
    ] {
        let run = run_in(folder.path(), &format!("{line} --certificate c --force"));
        assert_eq!((run.code, &*run.stderr), (0, ""), "{line}: {}", run.stdout);
        let text = fs::read_to_string(folder.path().join("c")).unwrap();
        let all = damaged(&text);
        write("all", &all.join("\0"));
        let mut driver = Command::new(python.path());
        driver.args(["-c", DRIVER]).arg(examples()).arg(folder.path().join("all"));
        let output = driver.output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        let said: Vec<&str> = said.lines().collect();
        assert_eq!(said.len(), all.len(), "{}", String::from_utf8_lossy(&output.stderr));
        for (text, said) in all.iter().zip(&said) {
            let own = check(text);
            assert_eq!(own.is_ok(), *said == "1", "{line}: {own:?}\n{text}");
            held += u32::from(own.is_ok());
        }
        assert_eq!(said[0], "1");
        let wrong = said.iter().filter(|said| **said == "0").count();
        assert!(wrong > all.len() / 2, "{line}: {wrong} of {} are refused", all.len());
        println!("{line}: {} certificates, {wrong} refused", all.len());
    }
    // Names, and numbers with room between them, may be others.
    assert!(held > 20, "{held}");
}

/// Configurations of FlooGen whose routers send some packets to another interface, and what is said: a
/// memory at the edge is met in the row or column of the sender, whatever memory is meant.
const ELSEWHERE: &[(&str, &str)] = &[
    ("axi_mesh_xy", "from cluster_ni_0_1 to hbm_ni_0 go to hbm_ni_1 at router_0_1"),
    ("axi_mesh_yx", "from cluster_ni_1_0 to hbm_ni_0 go to hbm_ni_1 at router_1_0"),
    ("nw_mesh_mixed", "from cluster_ni_0_1 to hbm_ni_0 go to hbm_ni_1 at router_0_1"),
    ("nw_mesh_xy", "from cluster_ni_0_1 to hbm_ni_0 go to hbm_ni_1 at router_0_1"),
    ("nw_mesh_yx", "from cluster_ni_1_0 to hbm_ni_0 go to hbm_ni_1 at router_1_0"),
    ("occamy_mesh_xy", "from cluster_ni_0_1 to hbm_ni_0 go to hbm_ni_1 at router_0_1"),
];

/// Each configuration that comes with FlooGen: deadlock-free, or refused for what its routers do.
#[test]
fn every_example_of_floogen() {
    let Some(floogen) = require::<Floogen>() else { return };
    let all = floogen.examples();
    assert!(all.len() >= 16, "{all:?}");
    for configuration in all {
        let folder = tempfile::tempdir().unwrap();
        let [top, package] = floogen.rtl(&configuration, folder.path());
        let line = format!("audit {} --routes {} --as floogen", top.display(), package.display());
        let run = run_in(folder.path(), &line);
        let name = configuration.file_stem().unwrap().to_string_lossy().into_owned();
        match ELSEWHERE.iter().find(|(other, _)| *other == name) {
            Some((_, said)) => refused(&run, &name, &[said]),
            None => {
                assert_eq!(run.code, 0, "{name}: {}{}", run.stdout, run.stderr);
                assert!(run.stdout.contains("\nDeadlock-free "), "{name}: {}", run.stdout);
            }
        }
    }
}

/// Six routers in a ring, each with a cluster that asks all others, in FlooGen's own language.
fn ring_of_six() -> String {
    let mut text =
        "name: ring\ndescription: ring\nnetwork_type: axi\nrouting:\n  route_algo: ID\n  \
        use_id_table: true\nprotocols:\n"
            .to_owned();
    for (name, bits) in [("axi_in", 4), ("axi_out", 2)] {
        text += &format!(
            "  - {{name: {name}, protocol: AXI4, data_width: 64, addr_width: 48, id_width: {bits}, \
             user_width: 1, type_prefix: }}\n"
        );
    }
    text += "endpoints:\n";
    for at in 0..6 {
        text += &format!(
            "  - {{name: ep{at}, addr_range: {{start: {}, size: 65536}}, mgr_port_protocol: [axi_in], \
             sbr_port_protocol: [axi_out]}}\n",
            at * 65536
        );
    }
    text += "routers:\n";
    (0..6).for_each(|at| text += &format!("  - {{name: r{at}, degree: 3}}\n"));
    text += "connections:\n";
    for at in 0..6 {
        text += &format!("  - {{src: ep{at}, dst: r{at}, dst_dir: 2}}\n");
        text += &format!("  - {{src: r{at}, dst: r{}, src_dir: 0, dst_dir: 1}}\n", (at + 1) % 6);
    }
    text
}

#[test]
fn the_ring_of_six_of_floogen() {
    let Some(floogen) = require::<Floogen>() else { return };
    let folder = tempfile::tempdir().unwrap();
    let configuration = folder.path().join("ring.yml");
    fs::write(&configuration, ring_of_six()).unwrap();
    let out = folder.path().join("out");
    let [top, _] = floogen.rtl(&configuration, &out);
    let line = format!("audit {} --format json", top.display());
    let run = run_in(folder.path(), &line);
    assert_eq!(run.code, 1, "{}", run.stderr);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(report["verdict"], "deadlock");
    assert_eq!(report["deadlock"].as_array().unwrap().len(), 6);
    assert_eq!(report["deadlock"][0]["holder"], "r0 -> r1 (VC 0)");
    assert_eq!(report["stopped"].as_array().unwrap().len(), 6);
    assert_eq!(report["mending"]["moves"].as_array().unwrap().len(), 3);
    assert_eq!(report["mending"]["added_vcs"], 1);
    assert_eq!(report["mending"]["added_vcs_proven"], true);
    assert_eq!(report["mending"]["moves_proven"], true);
}

/// Without directions FlooGen numbers the ports of responses in another order than those of requests,
/// and both look into one table.
#[test]
fn a_ring_of_floogen_without_directions_is_refused() {
    let Some(floogen) = require::<Floogen>() else { return };
    let folder = tempfile::tempdir().unwrap();
    let configuration = folder.path().join("ring.yml");
    let text = ring_of_six().replace(", dst_dir: 2", "").replace(", src_dir: 0, dst_dir: 1", "");
    fs::write(&configuration, text).unwrap();
    let [top, _] = floogen.rtl(&configuration, &folder.path().join("out"));
    let run = run_in(folder.path(), &format!("audit {}", top.display()));
    refused(&run, "ring", &["go to", "change the entry there"]);
}

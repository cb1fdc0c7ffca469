//! `audit`, as the program prints it.

use crate::common::{refused, refused_in, run_in};
use serde_json::Value;
use std::fs;
use std::path::Path;

const RING: &str = "graph ring { a -- b -- c -- d -- a }";
const AROUND: &str = "switch,destination,next\na,b,b\na,c,b\na,d,d\nb,c,c\nb,d,c\nb,a,a\n\
    c,d,d\nc,a,d\nc,b,b\nd,a,a\nd,b,a\nd,c,c\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("ring.dot"), RING).unwrap();
    fs::write(folder.path().join("ring.csv"), AROUND).unwrap();
    folder
}

fn examples() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/examples"))
}

/// The ring of docs/audit.md, and its certificate with virtual channels.
#[test]
fn a_ring_stops_and_a_dateline_mends_it() {
    let run = run_in(examples(), "audit ring.dot --routes ring.csv");
    assert_eq!((run.code, &*run.stderr), (1, ""));
    assert!(
        run.stdout.starts_with("ring: 6 switches, 12 channels, 6 terminals\n"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("Deadlock: 6 wait for each other for ever"), "{}", run.stdout);
    assert!(
        run.stdout.contains("a -> b holds a packet from a to c, which waits for b -> c"),
        "{}",
        run.stdout
    );
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ring.certificate");
    let line = format!(
        "audit ring.dot --routes ring_dateline.csv --format json --certificate {}",
        file.display()
    );
    let run = run_in(examples(), &line);
    assert_eq!((run.code, &*run.stderr), (0, ""), "{}", run.stdout);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(report["verdict"], "deadlock-free");
    assert_eq!(report["channels"], 24);
    let text = fs::read_to_string(file).unwrap();
    assert!(
        text.starts_with("turnpike-certificate 1\nnetwork ring\nswitching wormhole\nrule all\n")
    );
}

/// A relation of Turnpike's on a network from a file: what the audit says stops, stops in `simulate`.
#[test]
fn packets_that_stop_here_stop_in_simulate() {
    let folder = folder();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let mut relation = "turnpike-relation 1\nname by_hops\ntopology ring\n".to_owned();
    for (at, name) in (0..).zip(["a", "b", "c", "d"]) {
        for steps in 1..4 {
            let to = ["a", "b", "c", "d"][(at + steps) % 4];
            // Links are numbered as they stand in the file: a's second one leads to d.
            let port = u32::from((steps < 3) == (at > 0));
            relation += &format!("{name} {to} p{port}\n");
        }
    }
    write("by_hops.relation", &relation);
    let run = run_in(
        folder.path(),
        "audit ring.dot --routes by_hops.relation --stopped t.csv --save mended.csv",
    );
    assert_eq!((run.code, &*run.stderr), (1, ""), "{}", run.stdout);
    assert!(run.stdout.contains("In simulation 4 packets stop"), "{}", run.stdout);
    assert!(run.stdout.contains("Mended by 1 virtual channel more on each link (no fewer do)"));
    let line = "simulate ring.dot --routing by_hops.relation --vcs 1 --trace t.csv --format json";
    let simulated = run_in(folder.path(), line);
    assert_eq!(simulated.code, 1, "{}{}", simulated.stdout, simulated.stderr);
    assert!(simulated.stdout.contains("deadlock"), "{}", simulated.stdout);
    // The mended tables are certified.
    let run = run_in(folder.path(), "audit ring.dot --routes mended.csv");
    assert_eq!((run.code, &*run.stderr), (0, ""), "{}", run.stdout);
}

/// Messages that wait for each other at terminals stop a network without a circle of channels.
#[test]
fn classes_that_share_channels_stop() {
    let folder = folder();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("line.dot", "graph line { a -- b -- c }");
    write("line.csv", "switch,destination,next\na,b,b\na,c,b\nb,a,a\nb,c,c\nc,a,b\nc,b,b\n");
    let flows = "class request\nclass reply after request\nsource,destination,class\n\
        a,c,request\nc,a,request\na,c,reply\nc,a,reply\n";
    write("soc.csv", flows);
    let run = run_in(folder.path(), "audit line.dot --routes line.csv --flows soc.csv");
    assert_eq!((run.code, &*run.stderr), (1, ""), "{}", run.stdout);
    assert!(
        run.stdout.contains("that took a request, waits until it has sent a reply"),
        "{}",
        run.stdout
    );
    let run = run_in(folder.path(), "audit line.dot --routes line.csv --flows soc.csv --own-vcs");
    assert_eq!((run.code, &*run.stderr), (0, ""), "{}", run.stdout);
    assert!(run.stdout.contains("sinks of the last message classes"), "{}", run.stdout);
    write("plain.csv", "source,destination\na,c\n");
    let line = "audit line.dot --routes line.csv --flows plain.csv --own-vcs";
    refused_in(folder.path(), &[(line, &["no message classes", "leave it out"])]);
}

#[test]
fn what_cannot_be_audited_is_refused() {
    let folder = folder();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("hole.csv", &AROUND.replace("c,a,d\n", ""));
    write("loop.csv", &AROUND.replace("b,d,c", "b,d,a").replace("a,d,d", "a,d,b"));
    write("flows.csv", "source,destination\na,e\n");
    let cases: &[(&str, &[&str])] = &[
        ("audit ring.dot", &["ring.dot", "--as", "csv"]),
        ("audit ring.dot --as csv", &["takes the routes from a file of their own", "--routes"]),
        ("audit ring.dot --routes hole.csv", &["no next hop at c", "from c to a"]),
        ("audit ring.dot --routes loop.csv", &["never arrive", "to d"]),
        ("audit ring.dot --routes none.csv", &["none.csv"]),
        ("audit ring.dot --routes ring.csv --flows flows.csv", &["flows.csv:2", "'e'"]),
        ("audit ring.dot --routes ring.csv --own-vcs", &["does nothing", "--flows FILE"]),
    ];
    refused_in(folder.path(), cases);
    refused(&crate::common::run("audit"), "audit", &["NETWORK"]);
}

//! Traffic that no command takes, and traffic on each engine.

use super::json;
use serde_json::Value;

/// Reports of a line of `simulate` on the reference router and on the RTL, without what names the engine; and
/// the comparison, which finds them equal cycle for cycle.
#[track_caller]
pub fn on_both_engines(line: &str) -> ([Value; 2], Value) {
    let mut reports = ["", " --engine rtl"].map(|engine| json(&format!("{line}{engine}")));
    let comparison = reports[1]["comparison"].take();
    assert_eq!(comparison["equal"], true, "{line}");
    for report in &mut reports {
        let report = report.as_object_mut().unwrap();
        report.remove("engine");
        report.remove("comparison");
    }
    (reports, comparison)
}

/// Options of traffic that are wrong on any hypercube of three dimensions, each with what the error says.
pub const BAD_TRAFFIC: &[(&str, &[&str])] = &[
    ("--packet-length 0", &["'0'", "--packet-length", "from 1"]),
    ("--packet-length 1048577", &["--packet-length 1048577", "1 to 1048576"]),
    ("--packet-length 1:0.7,5:0.2", &["'1:0.7,5:0.2'", "the shares sum to 0.9, not to 1"]),
    ("--packet-length 0:0.5,5:0.5", &["'0' is no length", "from 1"]),
    ("--packet-length 5:0.5,5:0.5", &["--packet-length", "length 5 stands there twice"]),
    ("--packet-length 1:0.5,5", &["--packet-length", "length 5 has no share"]),
    ("--packet-length 1:0.5,1048577:0.5", &["--packet-length 1048577", "1 to 1048576"]),
    ("--reply 0", &["'0'", "--reply", "from 1"]),
    ("--reply 1048577", &["--reply 1048577", "1 to 1048576"]),
    ("--reply 1 --reply-room 0", &["'0'", "--reply-room", "from 1"]),
    ("--reply-room 2", &["--reply-room does nothing", "add --reply FLITS"]),
    ("--reply 1 --outstanding 0", &["'0'", "--outstanding", "from 1"]),
    ("--precision 0", &["'0'", "--precision", "such as 2%"]),
    ("--precision 60%", &["'60%'", "from 0.01% to 50%"]),
    ("--outstanding 2", &["--outstanding does nothing", "add --reply FLITS"]),
    ("--class a", &["--class", "'a' says nothing of a class", "NAME:share=SHARE"]),
    ("--class a:share=1 --class a:share=1", &["class a stands there twice"]),
    ("--class a:share=0.5 --class b:share=0.4", &["the classes sum to 0.9, not to 1"]),
    ("--class a:", &["'a:' says nothing of a class", "NAME:share=SHARE"]),
    ("--class a:share=1,3", &["'3' says nothing of a class", "packet-length=FLITS"]),
    ("--class 1a:share=1", &["class '1a'", "begins with a letter"]),
    ("--class a:share=2", &["class a has the share 2", "up to 1"]),
    ("--class a:share=1,lod=0.1", &["class a", "unknown 'lod'", "share, traffic, packet-length"]),
    ("--class a:share=1,traffic=unifrom", &["class a", "did you mean 'uniform'?"]),
    (
        "--class a:share=1,packet-length=1048577",
        &["class a", "packet length 1048577 is out of range", "1 to 1048576"],
    ),
    (
        "--load 0.001 --class a:share=0.0000001 --class b:share=0.9999999",
        &["class a offers 0.0000000001", "0.000000001 at least"],
    ),
    (
        "--traffic shuffle --class a:share=1,traffic=transpose",
        &["each class has a pattern of its own", "leave --traffic out"],
    ),
    (
        "--packet-length 7 --class a:share=0.5,packet-length=1 --class b:share=0.5,packet-length=2",
        &["each class has lengths of its own", "leave --packet-length out"],
    ),
    (
        "--class a:share=1,traffic=transpose --hotspot 000",
        &["--hotspot does nothing", "add --traffic hotspot"],
    ),
];

//! The tools under their ordinary names, as the program finds them.

use std::fs;
use std::process::Command;

use turnpike_flow::tool::{TOOLS, YOSYS};
use turnpike_tests::process::{self, LIMIT};
use turnpike_tests::tools::require_found;

#[test]
fn every_tool_is_found_and_says_its_version() {
    require_found(TOOLS);
}

/// What people and other programs ask of a Yosys.
#[test]
fn yosys_is_a_command() {
    if !require_found(&[&YOSYS]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let text = "module flip (input clk, input d, output reg q);\n  \
                always @(posedge clk) q <= d;\nendmodule\n";
    fs::write(folder.path().join("flip.v"), text).unwrap();
    fs::write(folder.path().join("prep.ys"), "prep -top flip\n").unwrap();
    fs::write(folder.path().join("bad.ys"), "prep -top flop\n").unwrap();
    let yosys = |arguments: &[&str]| {
        let mut command = Command::new(YOSYS.program().unwrap());
        process::run(command.current_dir(folder.path()).args(arguments), LIMIT)
    };
    let quiet = yosys(&["-q", "-s", "prep.ys", "-p", "stat; write_json flip.json", "flip.v"]);
    assert!(quiet.success() && quiet.stdout.is_empty(), "{}", quiet.log());
    assert!(fs::read_to_string(folder.path().join("flip.json")).unwrap().contains("\"flip\""));
    let logged = yosys(&["-ql", "run.log", "-o", "flip.il", "flip.v", "prep.ys"]);
    assert!(logged.success() && folder.path().join("flip.il").is_file(), "{}", logged.log());
    assert!(fs::read_to_string(folder.path().join("run.log")).unwrap().contains("PREP pass"));
    let bad = yosys(&["-q", "flip.v", "bad.ys"]);
    assert_eq!(bad.ending(), "exit status: 1");
    assert!(bad.stdout.is_empty() && bad.stderr.contains("ERROR: "), "{}", bad.log());
}

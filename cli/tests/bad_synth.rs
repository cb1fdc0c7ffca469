//! `synth` with bad input, with tools that are missing, wrong or failing, and with Ctrl-C.

use crate::common;

use crate::common::{refused, refused_in, run_with, script, tree};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const SYNTH: &str = "synth hypercube --dim 2 --target ice40-hx8k";

#[test]
fn wrong_words() {
    refused_in(
        tempfile::tempdir().unwrap().path(),
        &[
            ("synth hypercube --dim 2", &["--target"]),
            (
                "synth hypercube --dim 2 --target ice40",
                &["unknown target 'ice40'", "did you mean 'ice40-hx8k'?", "xilinx7, osu018"],
            ),
            ("compare --dim 2 --synth ecp5", &["unknown target 'ecp5'", "'ecp5-85k'"]),
            (&format!("{SYNTH} --seeds 101"), &["--seeds", "0 to 100"]),
            ("synth hypercube --dim 2 --target osu018 --seeds 3", &["osu018", "nothing is placed"]),
            ("compare --dim 2 --synth xilinx7 --seeds 3", &["xilinx7", "nothing is placed"]),
            (&format!("{SYNTH} --part half"), &["'half'", "switch, fabric, node"]),
            (&format!("{SYNTH} --part node"), &["--part node is for bus fabrics"]),
            (&format!("{SYNTH} --part fabric --crossbar full"), &["use --part switch"]),
            ("synth hypercube --dim 11 --target xilinx7", &["limited to dimension 10"]),
            ("compare --dim 2 --seeds 3", &["--synth"]),
            ("compare --dim 2 --svg x.svg", &["--synth"]),
            ("compare --dim 2 --synth xilinx7 --svg no/x.svg", &["no/x.svg", "no folder no"]),
            ("compare --dim 2 --synth xilinx7 --svg .", &["it is a folder"]),
        ],
    );
}

/// Runs `synth` in a folder of its own, where no tool is but what is named.
fn with_tools(folder: &Path, line: &str, tools: &[(&str, &str)]) -> common::Run {
    let cache = folder.join("cache");
    let own = [("PATH", "/nowhere"), ("XDG_CACHE_HOME", cache.to_str().unwrap())];
    run_with(folder, line, &[&own[..], tools].concat())
}

#[test]
fn a_missing_tool_names_what_installs_it() {
    let folder = tempfile::tempdir().unwrap();
    let run = with_tools(folder.path(), SYNTH, &[]);
    refused(&run, SYNTH, &["yosys is missing", "`make tools` in Turnpike's folder installs it"]);
    let yosys = script(folder.path(), "yosys", "echo 'Yosys 0.70'");
    let run = with_tools(folder.path(), SYNTH, &[("TURNPIKE_YOSYS", &yosys)]);
    refused(&run, SYNTH, &["nextpnr-ice40 is missing; `apt-get install nextpnr-ice40`"]);
    let run = with_tools(folder.path(), SYNTH, &[("TURNPIKE_YOSYS", "/no/yosys")]);
    refused(&run, SYNTH, &["TURNPIKE_YOSYS names /no/yosys, which is no file", "unset it"]);
    let line = "synth hypercube --dim 2 --target osu018";
    let cells = [("TURNPIKE_YOSYS", &*yosys), ("TURNPIKE_OSU018", "/no/cells.lib")];
    let run = with_tools(folder.path(), line, &cells);
    refused(&run, line, &["/no/cells.lib is missing", "`apt-get install qflow-tech-osu018`"]);
}

#[test]
fn a_tool_of_a_wrong_version() {
    let folder = tempfile::tempdir().unwrap();
    for (says, parts) in [
        ("Yosys 0.9 (git sha1 1979e0b)", ["yosys 0.9 is too old", "use 0.23 or newer"]),
        ("I am a teapot", ["is not yosys", "`I am a teapot`"]),
    ] {
        let yosys = script(folder.path(), "yosys", &format!("echo '{says}'"));
        let run = with_tools(folder.path(), SYNTH, &[("TURNPIKE_YOSYS", &yosys)]);
        refused(&run, SYNTH, &parts);
    }
}

#[test]
fn a_failing_tool_shows_its_last_lines_and_keeps_its_log() {
    let folder = tempfile::tempdir().unwrap();
    let body = "[ \"$1\" = -V ] && echo 'Yosys 0.70' && exit\n\
                echo 'reading the design'\necho 'ERROR: the bits have run out' >&2\nexit 3";
    let yosys = script(folder.path(), "yosys", body);
    let line = "synth hypercube --dim 2 --target xilinx7";
    let run = with_tools(folder.path(), line, &[("TURNPIKE_YOSYS", &yosys)]);
    let wanted = ["yosys of hypercube_2_ecube_switch failed", "exit status: 3"];
    refused(&run, line, &wanted);
    refused(&run, line, &["ERROR: the bits have run out", "the whole log is in "]);
    let (_, log) = run.stderr.split_once("the whole log is in ").unwrap();
    let log = fs::read_to_string(log.trim_end().trim_end_matches(')')).unwrap();
    assert!(log.contains("reading the design\nERROR: the bits have run out\n"), "{log}");
    assert!(!folder.path().join("cache/turnpike/synth").exists(), "a failure is not kept");
}

/// Ctrl-C while a tool runs: it and what it started are ended, temporary folders are gone, the
/// cache holds what was done before.
#[test]
fn ctrl_c_ends_everything() {
    let folder = tempfile::tempdir().unwrap();
    let temporary = folder.path().join("tmp");
    fs::create_dir(&temporary).unwrap();
    let pid = folder.path().join("pid");
    // The tool is a shell with a child, as the drivers of some tools are.
    let body = format!(
        "[ \"$1\" = -V ] && echo 'Yosys 0.70' && exit\n/bin/sleep 300 & echo $! > {0}.new\n\
         /bin/mv {0}.new {0}\nwait",
        pid.display()
    );
    let yosys = script(folder.path(), "yosys", &body);
    let cache = folder.path().join("cache");
    let kept = cache.join("turnpike/synth/kept.json");
    fs::create_dir_all(kept.parent().unwrap()).unwrap();
    fs::write(&kept, "as it was").unwrap();
    let mut turnpike = Command::new(env!("CARGO_BIN_EXE_turnpike"))
        .args("synth hypercube --dim 2 --target xilinx7".split(' '))
        .current_dir(folder.path())
        .env("TURNPIKE_YOSYS", yosys)
        .env("XDG_CACHE_HOME", &cache)
        .env("TMPDIR", &temporary)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let until = |what: &str, done: &mut dyn FnMut() -> bool| {
        let start = Instant::now();
        while !done() {
            assert!(start.elapsed() < Duration::from_secs(30), "{what} takes too long");
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    until("the tool's start", &mut || pid.exists());
    let child = fs::read_to_string(&pid).unwrap().trim().to_owned();
    let alive = || {
        let stat = fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
        // One that has ended but was not waited for yet is a zombie.
        !stat.is_empty() && !stat.contains(") Z ")
    };
    assert!(alive() && !tree(&temporary).is_empty());
    let interrupt = format!("kill -INT {}", turnpike.id());
    assert!(Command::new("sh").args(["-c", &interrupt]).status().unwrap().success());
    let mut code = None;
    until("the end", &mut || {
        code = turnpike.try_wait().unwrap().map(|status| status.code());
        code.is_some()
    });
    assert_eq!(code, Some(Some(130)));
    until("the tool's end", &mut || !alive());
    assert!(tree(&temporary).is_empty(), "{:?}", tree(&temporary).keys());
    let entries: Vec<_> = tree(&cache.join("turnpike/synth")).into_iter().collect();
    assert_eq!(entries, [(kept, Some(b"as it was".to_vec()))]);
}

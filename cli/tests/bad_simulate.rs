//! Bad input of `simulate` and `verify`: exit code 2, one line that says what would be right,
//! nothing changed on disk.

use crate::common::traffic::BAD_TRAFFIC;
use crate::common::{refused, refused_in, refused_with, run_in, run_with, small_disk, tree};
use std::fs;

const CUBE: &str = "simulate hypercube --dim 3";

/// `CUBE` with each of these options is refused in an empty folder.
#[track_caller]
fn check(cases: &[(&str, &[&str])]) {
    refused_with(CUBE, cases);
}

#[test]
fn loads_lengths_and_counts() {
    check(&[
        ("--load 1.01", &["'1.01'", "--load", "0 to 1"]),
        ("--load -0.1", &["'-0.1'", "--load", "0 to 1"]),
        ("--load NaN", &["'NaN'", "--load", "0 to 1"]),
        ("--load 1e-300", &["'1e-300'", "--load", "0.000000001 to 1"]),
        ("--load much", &["'much'", "--load", "0 to 1"]),
        ("--load", &["--load"]),
        ("--workload random --class a:share=1", &["--workload", "--class", "does nothing in"]),
        ("--trace t.csv --class a:share=1", &["--trace", "--class", "does nothing in"]),
        ("--pattern transpose --class a:share=1", &["--pattern", "--class", "does nothing in"]),
        ("--precision 2% --engine rtl", &["--precision", "reference router"]),
        ("--precision 2% --cycles auto", &["--precision", "leave --cycles auto out"]),
        ("--reply 1 --reply-room 1 --engine rtl", &["--reply-room", "reference router"]),
        ("--workload random --reply 1", &["--workload", "--reply", "does nothing in"]),
        ("--machine steps --reply 1", &["--machine", "--reply", "does nothing in"]),
        ("--burst 0.5", &["'0.5'", "--burst", "1 to 1000000"]),
        ("--burst NaN", &["'NaN'", "--burst", "1 to 1000000"]),
        ("--cycles 0", &["--cycles 0", "from 1"]),
        ("--cycles many", &["'many'", "--cycles", "whole number"]),
        ("--cycles 18446744073709551615", &["--cycles", "up to 1000000000"]),
        ("--warmup 18446744073709551615", &["--warmup", "up to 1000000000"]),
        ("--warmup 1000000001", &["--warmup", "up to 1000000000"]),
        ("--warmup -1", &["'-1'", "--warmup", "whole number"]),
        ("--seed x", &["'x'", "--seed", "whole number"]),
    ]);
}

#[test]
fn traffic() {
    check(BAD_TRAFFIC);
}

#[test]
fn names() {
    check(&[
        ("--traffic unifrom", &["'unifrom'", "did you mean 'uniform'?", "bit-complement"]),
        ("--traffic bitreversal", &["did you mean 'bit-reversal'?"]),
        ("--self-addressed --no-self-addressed", &["--self-addressed", "cannot be used with"]),
        ("--traffic transpose --failed 000", &["'transpose'", "power of two", "not 7"]),
        ("--workload transpose --failed 000", &["'transpose'", "power of two", "not 7"]),
        ("--engine rlt", &["'rlt'", "--engine", "reference, rtl, verilator"]),
        ("--routing rotaton", &["did you mean 'rotation'?"]),
        ("--trafic uniform", &["'--trafic'", "did you mean '--traffic'?"]),
    ]);
}

#[test]
fn workloads() {
    check(&[
        ("--workload permutaton", &["'permutaton'", "did you mean 'permutation'?", "local"]),
        ("--workload", &["--workload"]),
        ("--workload random --interval 0", &["--interval 0", "use 1 to 1000000000"]),
        ("--workload random --interval 1000000001", &["--interval", "use 1 to 1000000000"]),
        ("--workload random --interval -1", &["'-1'", "--interval", "whole number"]),
        ("--workload random --interval 4 --rounds 0", &["'0'", "--rounds", "from 1"]),
        (
            "--workload random --interval 4 --rounds 2097153",
            &["--rounds 2097153", "each of 8 terminals", "use 1 to 2097152"],
        ),
        (
            "--workload random --interval 1000000 --rounds 1002",
            &["--rounds 1002 every 1000000 cycles", "use 1 to 1001", "shorter --interval"],
        ),
        ("--workload random --rounds 4", &["--rounds", "add --interval"]),
        ("--workload random --packet-length 0", &["'0'", "--packet-length"]),
        (
            "--workload random --packet-length 1:0.5,2:0.5",
            &["--packet-length 1:0.5,2:0.5", "one length", "--traffic"],
        ),
        ("--workload random --packet-length 1048577", &["--packet-length 1048577", "1 to 1048576"]),
        ("--workload random --traffic uniform", &["--workload", "--traffic"]),
        ("--workload random --load 0.3", &["--workload", "--load"]),
        ("--workload random --burst 4", &["--workload", "--burst"]),
        ("--workload random --trace t.csv", &["--workload", "--trace"]),
        ("--workload random --cycles 10", &["--workload", "--cycles"]),
        ("--workload random --hotspot 000", &["--workload", "--hotspot"]),
        ("--workload transpose --no-self-addressed", &["000", "leave --no-self-addressed out"]),
        ("--workload random --acknowledgement-room 1", &["add --acknowledge"]),
        ("--workload random --acknowledge --acknowledgement-room 0", &["'0'", "from 1"]),
        (
            "--workload random --acknowledge --acknowledgement-room 1 --engine rtl",
            &["--acknowledgement-room", "leave --engine out"],
        ),
        ("--interval 4", &["--interval does nothing", "add --workload NAME"]),
        ("--rounds 4", &["--rounds does nothing", "add --workload NAME"]),
        ("--acknowledge", &["--acknowledge does nothing", "add --workload NAME"]),
        ("--workload random --vcd x.vcd", &["--vcd", "--engine rtl"]),
    ]);
}

#[test]
fn the_machine_of_steps() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("much.pattern"), "000 111 1048577\n").unwrap();
    let much = "--machine steps --pattern much.pattern";
    let line = format!("{CUBE} {much}");
    refused_in(folder.path(), &[(&line, &["1048577 packets", "1048576", "--pattern"])]);
    check(&[
        ("--machine stepped", &["'stepped'", "--machine", "steps"]),
        ("--barrier", &["--barrier does nothing", "add --machine steps"]),
        ("--runs 2", &["--runs does nothing", "add --machine steps"]),
        ("--drawn permutation", &["--drawn does nothing", "add --machine steps"]),
        ("--machine steps --drawn twice", &["'twice'", "independent, permutation"]),
        (
            "--machine steps --drawn permutation --routing ecube",
            &["'ecube'", "--drawn", "two-phase"],
        ),
        ("--machine steps --drawn permutation --routing romm", &["'romm'", "--drawn", "two-phase"]),
        (
            "--machine steps --drawn permutation --routing two-phase --intermediate 0,3",
            &["'two-phase'", "over all terminals"],
        ),
        ("--queueing farthest-first", &["--queueing does nothing", "add --machine steps"]),
        ("--pattern transposed", &["'transposed'", "no such pattern", "transpose"]),
        ("--pattern transpose --trace t.csv", &["--pattern", "--trace"]),
        ("--pattern transpose --workload random", &["--pattern", "--workload"]),
        ("--machine steps --runs 0", &["'0'", "--runs", "1 to 100000"]),
        ("--machine steps --runs 100001", &["'100001'", "--runs", "1 to 100000"]),
        ("--machine steps --queueing last", &["'last'", "first-come, farthest-first"]),
        ("--machine steps --barrier --routing ecube", &["--barrier", "'ecube'", "two-phase"]),
        ("--machine steps --routing adaptive", &["choose", "'adaptive'", "--routing"]),
        ("--machine steps --engine rtl", &["--machine", "--engine"]),
        ("--machine steps --workload random", &["--machine", "--workload"]),
        ("--machine steps --trace t.csv", &["--machine", "--trace"]),
        ("--machine steps --load 0.3", &["--machine", "--load"]),
        ("--machine steps --packet-length 2", &["--machine", "--packet-length"]),
        ("--machine steps --burst 4", &["--machine", "--burst"]),
        ("--machine steps --depth 2", &["--machine", "--depth"]),
        ("--machine steps --vcs 2", &["--machine", "--vcs"]),
        ("--machine steps --vcd x.vcd", &["--machine", "--vcd"]),
        ("--machine steps --pattern transpose --traffic uniform", &["--pattern", "--traffic"]),
        ("--machine steps --pattern transpos", &["did you mean 'transpose'?"]),
        ("--machine steps --pattern permutation", &["takes a seed, as in permutation:1"]),
        ("--machine steps --pattern permutaton", &["did you mean 'permutation:1'?"]),
        ("--machine steps --pattern permutaton:3", &["did you mean 'permutation:1'?"]),
        ("--machine steps --pattern no.pattern", &["no.pattern"]),
        ("--machine steps --traffic transpose --failed 000", &["power of two"]),
    ]);
}

#[test]
fn hotspots() {
    check(&[
        ("--traffic hotspot --hotspot 1000", &["'1000'", "3 binary digits"]),
        ("--traffic hotspot --hotspot 001,01x", &["'01x'", "3 binary digits"]),
        ("--traffic hotspot --hotspot-share 1.5", &["'1.5'", "--hotspot-share", "0 to 1"]),
        ("--traffic hotspot --hotspot 000,000", &["--hotspot", "000 twice"]),
        ("--hotspot 001", &["--hotspot", "--traffic hotspot"]),
    ]);
}

#[test]
fn dimensions_out_of_range() {
    let folder = tempfile::tempdir().unwrap();
    refused_in(
        folder.path(),
        &[
            ("simulate hypercube --dim 0", &["dimension 0", "use 1 to 20"]),
            ("simulate hypercube --dim 21", &["dimension 21", "use 1 to 20"]),
            ("simulate hypercube --dim 11 --engine rtl", &["dimension 10, not 11"]),
            ("simulate hypercube --dim 11 --engine rtl --vcd x.vcd", &["dimension 10, not 11"]),
            ("simulate hypercube --dim 3 --routing thacker", &["dimension 4 only"]),
            ("simulate hypercube --dim 3 --depth 1", &["--depth 1", "2 to 1024"]),
            ("simulate hypercube --dim 10 --width 65 --engine rtl", &["--width 64 or less"]),
            ("verify hypercube --dim 0", &["dimension 0", "use 1 to 20"]),
            ("verify hypercube --dim 21", &["dimension 21", "use 1 to 20"]),
            ("verify hypercube --dim 3 --width 0", &["--width 0", "1 to 1024"]),
            ("verify hypercub --dim 3", &["did you mean 'hypercube'?"]),
            ("verify hypercube", &["--dim"]),
        ],
    );
}

#[test]
fn traces() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    let trace = format!("{CUBE} --trace t.csv");
    for (text, expected) in [
        (
            "cycle,source,destination,flits\n0,000,001,1\n0,8,001,1\n",
            "t.csv: trace line 3: source '8'",
        ),
        ("cycle,source,destination,flits\n0,000,9,1\n", "a label is 3 binary digits"),
        (
            "cycle,source,destination,flits\n0,000,001,0\n",
            "t.csv: trace line 2: flits '0': use 1 to",
        ),
        (
            "cycle,source,destination,flits\nx,000,001,1\n",
            "t.csv: trace line 2: cycle 'x': use 0 to",
        ),
        ("cycle,source,destination,flits\n0,0,1\n", "t.csv: trace line 2: 3 fields"),
        ("cycle,source,destination,flits\n0,000,x,1\n", "t.csv: trace line 2: destination 'x'"),
        ("0,000,001,1\n0,000,001,1\n", "t.csv: trace line 1: not the header"),
        (
            "cycle,source,destination,flits\n100000000000,000,001,1\n",
            "line 2: cycle '100000000000': use 0 to 1000000000",
        ),
        ("cycle,source,destination,flits\n18446744073709551615,000,001,1\n", "use 0 to 1000000000"),
        ("", "no packet"),
    ] {
        fs::write(&path, text).unwrap();
        refused_in(folder.path(), &[(&trace, &[expected])]);
    }
    let missing = format!("{CUBE} --trace missing.csv");
    refused_in(folder.path(), &[(&missing, &["cannot read the trace missing.csv"])]);
    fs::remove_file(&path).unwrap();
    fs::File::create(&path).unwrap().set_len((256 << 20) + 1).unwrap();
    let large = run_in(folder.path(), &trace);
    refused(&large, &trace, &["cannot read the trace t.csv", "at most 256 MiB"]);
    let large = format!("{CUBE} --config t.csv");
    refused(&run_in(folder.path(), &large), &large, &["configuration t.csv", "at most 1 MiB"]);
    check(&[
        ("--trace /dev/zero", &["cannot read the trace /dev/zero", "no regular file"]),
        ("--config /dev/zero", &["cannot read the configuration /dev/zero", "no regular file"]),
    ]);
}

#[test]
fn traces_beside_options_of_drawn_traffic() {
    for option in [
        "--traffic uniform",
        "--load 0.1",
        "--packet-length 2",
        "--hotspot 000",
        "--self-addressed",
        "--no-self-addressed",
        "--hotspot-share 0.5",
    ] {
        let name = option.split(' ').next().unwrap();
        let line = format!("--trace t.csv {option}");
        check(&[(&line, &["--trace", name, "does nothing in"])]);
    }
    // A configuration may serve both kinds of traffic.
    let folder = tempfile::tempdir().unwrap();
    let trace = "cycle,source,destination,flits\n0,000,001,1\n";
    fs::write(folder.path().join("t.csv"), trace).unwrap();
    let config = "traffic = \"hotspot\"\nload = 0.5\nhotspot = [\"000\"]\nself-addressed = false\n";
    fs::write(folder.path().join("c.toml"), config).unwrap();
    let run = run_in(folder.path(), &format!("{CUBE} --trace t.csv --config c.toml"));
    assert_eq!((run.code, &*run.stderr), (0, ""));
}

#[test]
fn waveforms() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("file"), "mine").unwrap();
    fs::create_dir(folder.path().join("folder")).unwrap();
    for (options, expected) in [
        ("--vcd x.vcd", &["--vcd", "--engine rtl"][..]),
        ("--engine verilator --vcd x.vcd", &["--vcd", "--engine rtl"]),
        ("--engine rtl --vcd folder", &["cannot write folder: it is a folder"]),
        ("--engine rtl --vcd no/such/x.vcd", &["cannot write no/such/x.vcd", "no folder no/such"]),
        ("--engine rtl --vcd file/x.vcd", &["cannot write file/x.vcd"]),
        ("--engine rtl --vcd /proc/x.vcd", &["cannot write /proc/x.vcd"]),
        ("--engine rtl --vcd file", &["file is there, and turnpike did not write it", "--force"]),
    ] {
        refused_in(folder.path(), &[(&format!("{CUBE} {options}"), expected)]);
    }
    // What is there is replaced by a whole waveform, or not at all.
    let line = format!("{CUBE} --engine rtl --vcd file --force --load 2");
    refused_in(folder.path(), &[(&line, &["--load"])]);
}

#[test]
fn a_waveform_on_a_full_disk() {
    let Some(disk) = small_disk(64) else { return };
    let line = "simulate hypercube --dim 3 --engine rtl --vcd x.vcd";
    refused_in(disk.path(), &[(line, &["x.vcd", "No space left"])]);
}

#[test]
fn no_verilator() {
    let folder = tempfile::tempdir().unwrap();
    let line = "simulate hypercube --dim 2 --engine verilator";
    // Nothing on the path, and no environment in this folder or above it.
    let nowhere = folder.path().to_str().unwrap();
    let run = run_with(folder.path(), line, &[("PATH", nowhere), ("TURNPIKE_VERILATOR", "")]);
    refused(&run, line, &["Verilator is missing", "make tools", "apt-get install verilator"]);
    let run = run_with(folder.path(), line, &[("TURNPIKE_VERILATOR", "/no/such")]);
    refused(&run, line, &["TURNPIKE_VERILATOR", "/no/such"]);
    assert!(tree(folder.path()).is_empty());
}

/// Refused before the run, not killed in it.
#[test]
fn more_than_memory() {
    let folder = tempfile::tempdir().unwrap();
    // 2^17 nodes, 17 queues of 1,024 flits: some 37 GB, which few machines have to spare.
    let line = "simulate hypercube --dim 17 --depth 1024 --cycles 1 --warmup 0";
    let meminfo = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let available = meminfo.lines().find_map(|l| l.strip_prefix("MemAvailable:"));
    let kilobytes = available.and_then(|l| l.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    if kilobytes.is_some_and(|kilobytes| kilobytes < 30_000_000) {
        let run = run_in(folder.path(), line);
        refused(&run, line, &["GB of memory", "are to be had", "lower --dim or --depth"]);
    }
}

//! The chip of `docs/examples/chip/`: cores of other people's around one network.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use turnpike_flow::find;
use turnpike_tests::icarus::Icarus;
use turnpike_tests::process::{self, LIMIT};
use turnpike_tests::require;
use turnpike_tests::sources::Sources;
use turnpike_tests::tools::Tool;
use turnpike_tests::verilator::{BuildOptions, Verilator};

/// Python with the cores, and the folders of their Verilog.
struct Cores {
    python: PathBuf,
    pico: PathBuf,
    serv: PathBuf,
}

impl Tool for Cores {
    const NAME: &'static str = "pythondata-cpu-picorv32 or pythondata-cpu-serv";

    fn locate() -> Option<Self> {
        let python = find::environment()?.join("bin/python");
        let code = "import pythondata_cpu_picorv32 as pico, pythondata_cpu_serv as serv\n\
                    print(pico.data_location)\nprint(serv.data_location)";
        let run = process::run(Command::new(&python).args(["-B", "-c", code]), LIMIT);
        let mut lines = run.success().then_some(run.stdout.as_str())?.lines().map(PathBuf::from);
        Some(Self { pico: lines.next()?, serv: lines.next()?, python })
    }
}

fn here(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/examples/chip").join(name)
}

/// The example as its user runs it; it says so where a processor is wrong.
#[test]
fn a_chip_of_cores_runs_on_icarus() {
    let (Some(cores), Some(_)) = (require::<Cores>(), require::<Icarus>()) else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new("sh");
    command.arg(here("run.sh")).arg(folder.path());
    command.env("TURNPIKE", env!("CARGO_BIN_EXE_turnpike")).env("PYTHON3", &cores.python);
    let run = process::run(&mut command, LIMIT);
    let passed = run.stdout.contains("PASS: 8 packets");
    assert!(run.success() && passed, "{}{}", run.stdout, run.stderr);

    let memory = folder.path().join("memory.hex");
    let program = fs::read_to_string(&memory).unwrap();
    assert!(program.contains("00120213  // addi x4, x4, 1"), "{program}");
    fs::write(&memory, program.replace("00120213", "00220213")).unwrap();
    let mut again = Command::new("vvp");
    again.args(["-N", "chip.vvp"]).current_dir(folder.path());
    let run = process::run(&mut again, LIMIT);
    assert!(run.stdout.contains("FAIL: packet 1 has 8 bytes"), "{}", run.stdout);
}

#[test]
fn a_chip_of_cores_runs_on_verilator() {
    let (Some(cores), Some(verilator)) = (require::<Cores>(), require::<Verilator>()) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let noc = folder.path().join("noc");
    let mut command = Command::new(env!("CARGO_BIN_EXE_turnpike"));
    command.arg("generate").arg(here("chip.system")).arg("--out").arg(&noc);
    assert!(process::run(&mut command, LIMIT).success());
    let mut sources = Sources::from_list(&noc, "noc").unwrap();
    sources.files.push(cores.pico.join("picorv32.v"));
    sources.files.extend(Sources::all_in(cores.serv.join("rtl"), "serv_rf_top").unwrap().files);
    sources.files.extend(["blocks.v", "chip.v", "chip_tb.v"].map(here));
    sources.top = "chip_tb".to_owned();
    // The cores have warnings of their own.
    let mut flags = ["-Wno-lint", "-Wno-style", "-Wno-fatal"].map(str::to_owned).to_vec();
    flags.push(format!("-I{}", noc.display()));
    let options = BuildOptions { verilator_flags: flags, ..BuildOptions::default() };
    let built = verilator.build_testbench(&sources, &options).unwrap();
    let run = built.run(&[], LIMIT);
    assert!(run.stdout.contains("PASS: 8 packets"), "{}{}", run.stdout, run.stderr);
}

/// What stands between cores, blocks and network, ports of the chip aside.
#[test]
fn the_glue_of_the_chip_is_short() {
    let text = fs::read_to_string(here("chip.v")).unwrap();
    let body = text.split_once("\n);\n").unwrap().1.split_once("\nendmodule").unwrap().0;
    let is_code = |line: &&str| !line.is_empty() && !line.trim_start().starts_with("//");
    let lines = body.lines().filter(is_code);
    assert!(lines.clone().all(|line| line.len() <= 120));
    assert!(lines.clone().count() <= 60, "{}", lines.count());
}

//! The LiteX modules of `cli/python/`: the examples of the docs simulated, and fabrics of other options.

mod bus;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use turnpike_flow::find;
use turnpike_tests::process::{self, Finished, LIMIT};
use turnpike_tests::require;
use turnpike_tests::sources::Sources;
use turnpike_tests::tools::Tool;
use turnpike_tests::verilator::{BuildOptions, Verilator};

/// Python with LiteX, migen and the VexRiscv processor.
struct Litex(PathBuf);

impl Tool for Litex {
    const NAME: &'static str = "litex, migen or pythondata-cpu-vexriscv";

    fn locate() -> Option<Self> {
        let python = find::environment()?.join("bin/python");
        let mut command = Command::new(&python);
        command.args(["-B", "-c", "import litex, migen, pythondata_cpu_vexriscv"]);
        process::run(&mut command, LIMIT).success().then_some(Self(python))
    }
}

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

impl Litex {
    /// Runs a script with the module on its path and this program.
    fn run(&self, script: &Path, arguments: &[&str]) -> Finished {
        let mut command = Command::new(&self.0);
        command.arg("-B").arg(script).args(arguments);
        command.env("PYTHONPATH", here("python")).env("TURNPIKE", TURNPIKE);
        process::run(&mut command, LIMIT)
    }

    /// Puts the bus of a SoC without a processor on a network.
    fn soc(&self, folder: &Path, arguments: &Value) -> Finished {
        let folder = folder.to_str().unwrap();
        self.run(&here("tests/litex/soc.py"), &[folder, &arguments.to_string()])
    }

    /// Makes a design of one fabric in `folder`, by a class of the modules.
    fn fabric(&self, folder: &Path, class: &str, arguments: &Value) -> Finished {
        let folder = folder.to_str().unwrap();
        self.run(&here("tests/litex/fabric.py"), &[folder, class, &arguments.to_string()])
    }
}

/// Arguments of a fabric called `noc`.
fn named(mut arguments: Value) -> Value {
    arguments["name"] = json!("noc");
    arguments
}

const TURNPIKE: &str = env!("CARGO_BIN_EXE_turnpike");

/// The Verilog that LiteX wrote and lists.
fn sources(folder: &Path) -> Sources {
    Sources::from_list(folder, "top").unwrap().with(folder.join("top.v"), "top").unwrap()
}

/// Output of a testbench of the design that LiteX wrote into `folder`.
fn simulated(verilator: &Verilator, folder: &Path, bench: &Path, name: &str) -> String {
    let sources = sources(folder).with(bench, name).unwrap();
    // LiteX's Verilog and the processor's have warnings of their own.
    let flags = ["-Wno-lint", "-Wno-style", "-Wno-COMBDLY", "-Wno-fatal"].map(str::to_owned);
    let options = BuildOptions { verilator_flags: flags.to_vec(), ..BuildOptions::default() };
    let built = verilator.build_testbench(&sources, &options).unwrap();
    for memory in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if memory.extension().is_some_and(|end| end == "init") {
            fs::copy(&memory, built.folder().join(memory.file_name().unwrap())).unwrap();
        }
    }
    built.run(&[], LIMIT).stdout
}

/// Lints the design that LiteX wrote into `folder`: each port of the fabric's module is connected, at its width.
fn is_connected(verilator: &Verilator, folder: &Path, arguments: &Value) {
    let report = verilator.lint(&sources(folder));
    // Of a design of LiteX alone there is much else to say.
    assert!(report.mentions("UNUSEDSIGNAL"), "{arguments}: {report}");
    for kind in ["%Error:", "PINMISSING", "PINNOTFOUND", "PINCONNECTEMPTY", "on the pin connection"]
    {
        assert!(!report.mentions(kind), "{arguments}: {report}");
    }
}

/// A run ended with a message, and left no Verilog of LiteX in `folder`.
fn is_refused(run: &Finished, folder: &Path, arguments: &Value, why: &str) {
    assert!(!run.success() && run.stderr.starts_with("refused: "), "{}", run.stderr);
    assert!(run.stderr.contains(why), "{arguments}: {}", run.stderr);
    assert!(!folder.join("top.v").exists(), "{arguments}");
}

/// Two processors of which each is right only if words go both ways, in order, between two clocks;
/// the second figure went over AXI4-Lite.
#[test]
fn two_processors_talk_over_a_fabric() {
    let (Some(litex), Some(verilator)) = (require::<Litex>(), require::<Verilator>()) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let example = here("../docs/examples/litex_two_cpus.py");
    let run = litex.run(&example, &[folder.path().to_str().unwrap()]);
    assert!(run.success(), "{}", run.stderr);

    let said =
        simulated(&verilator, folder.path(), &here("tests/litex/two_cpus_tb.v"), "two_cpus_tb");
    let total: u32 = (1..=20).map(|number| 3 * number + 1).sum();
    assert!(said.starts_with(&format!("PASS: total {total}, flits 20\n")), "{said}");
}

/// A system with message classes and a terminal in a clock of its own.
const SYSTEM: &str = r#"
turnpike-system = 1
[network]
topology = "ring"
nodes = 3
[options]
ports = "named"
width = 32
[[terminal]]
name = "cpu"
at = "0"
[[terminal]]
name = "mem"
at = "2"
width = 64
clock = "slow"
[[class]]
name = "request"
[[class]]
name = "reply"
after = "request"
[[flow]]
source = "cpu"
destination = "mem"
class = "request"
[[flow]]
source = "mem"
destination = "cpu"
class = "reply"
"#;

/// Each port of the fabric's module is connected at its width, whatever the options.
#[test]
fn every_port_is_connected() {
    let (Some(litex), Some(verilator)) = (require::<Litex>(), require::<Verilator>()) else {
        return;
    };
    for arguments in [
        json!({"topology": "mesh", "shape": "2x2"}),
        json!({"topology": "ring", "nodes": 3, "keep": true, "user_width": 3, "source_id": true,
               "reset": "low", "width": 64, "terminal_width": ["0=8", "1=128"],
               "terminal_clock": ["0=io_clk", "2=memory"], "counters": true,
               "clocks": {"io_clk": "io", "memory": "ddr"}}),
        json!({"topology": "soc.system", "clocks": {"slow": "io"}}),
    ] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("soc.system"), SYSTEM).unwrap();
        let arguments = named(arguments);
        let run = litex.fabric(folder.path(), "Fabric", &arguments);
        assert!(run.success(), "{arguments}: {}", run.stderr);
        is_connected(&verilator, folder.path(), &arguments);
    }
}

#[test]
fn terminals_are_those_of_the_system() {
    let Some(litex) = require::<Litex>() else { return };
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("soc.system"), SYSTEM).unwrap();
    let arguments = named(json!({"topology": "soc.system", "clocks": {"slow": "io"}}));
    let run = litex.fabric(folder.path(), "Fabric", &arguments);
    let said: Value = serde_json::from_str(&run.stdout).expect(&run.stderr);
    let cpu = json!({"data": 32, "domain": "sys"});
    let mem = json!({"data": 64, "domain": "io"});
    let terminals = json!({
        "cpu_request": {"address": 0, "sink": cpu, "source": null},
        "mem_request": {"address": 2, "sink": null, "source": mem},
        "cpu_reply": {"address": 0, "sink": null, "source": cpu},
        "mem_reply": {"address": 2, "sink": mem, "source": null},
    });
    assert_eq!((&said["counters"], &said["terminals"]), (&json!(false), &terminals));
}

#[test]
fn what_is_wrong_is_said() {
    let Some(litex) = require::<Litex>() else { return };
    for (arguments, why) in [
        (json!({"topology": "mash", "shape": "2x2"}), "unknown topology 'mash'"),
        (json!({"topology": "ring", "nodes": 3, "widht": 8}), "unknown option '--widht'"),
        (json!({"topology": "ring", "nodes": 3, "out": "x"}), "parameter 'out' is not for a core"),
        (json!({"topology": "ring", "nodes": 3, "ports": "flat"}), "ports=\"named\" alone"),
        (json!({"topology": "ocpc", "nodes": 4}), "--ports"),
        (
            json!({"topology": "ring", "nodes": 3, "ends": "ends.csv"}),
            "turnpike_litex_bus.Ends has memory-mapped ends",
        ),
        (
            json!({"topology": "ring", "nodes": 3, "terminal_clock": "0=io"}),
            "terminals are in the clock 'io'; say its domain: clocks={\"io\": \"DOMAIN\"}",
        ),
        (
            json!({"topology": "ring", "nodes": 3, "clocks": {"io": "io"}}),
            "clock 'io' is of no terminal; there are: none",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("ends.csv"), bus::ENDS).unwrap();
        let run = litex.fabric(folder.path(), "Fabric", &named(arguments.clone()));
        is_refused(&run, folder.path(), &arguments, why);
    }
}

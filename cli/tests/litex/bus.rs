//! Memory-mapped ends in LiteX: a whole SoC simulated, ports of every protocol, and what is refused.

use super::{Litex, here, is_connected, is_refused, named, simulated};
use serde_json::{Value, json};
use std::fs;
use turnpike_fabric::testing::sample;
use turnpike_tests::require;
use turnpike_tests::verilator::Verilator;

/// Ends of a ring of three switches.
pub const ENDS: &str = "name,protocol,role,range\n0,axi4,manager,\n1,axi4,subordinate,0..4095\n";

/// Processors run programs from one memory over the network, and test another one.
#[test]
fn a_soc_runs_on_a_network() {
    let (Some(litex), Some(verilator)) = (require::<Litex>(), require::<Verilator>()) else {
        return;
    };
    for bus in sample("busses", &["axi", "wishbone", "axi-lite"]) {
        let folder = tempfile::tempdir().unwrap();
        let example = here("../docs/examples/litex_soc.py");
        let run = litex.run(&example, &[folder.path().to_str().unwrap(), "--bus", bus]);
        assert!(run.success(), "{bus}: {}", run.stderr);
        let condition = "(4 <-> 6), without a time limit; free of deadlock as long as subordinates take and answer";
        assert!(run.stderr.contains(condition), "{}", run.stderr);
        let bench = here("../docs/examples/litex_soc_tb.v");
        let said = simulated(&verilator, folder.path(), &bench, "litex_soc_tb");
        assert!(said.starts_with("memory right, twice\n"), "{bus}: {said}");
    }
}

/// A system of every protocol that LiteX has, of several widths. The last two have names that look like
/// channels of the first.
const SYSTEM: &str = r#"
turnpike-system = 1
[network]
topology = "mesh"
shape = "2x2"
[[terminal]]
name = "cpu"
at = "0_0"
protocol = "axi4"
role = "manager"
data-width = 64
id-width = 3
[[terminal]]
name = "dma"
at = "1_0"
protocol = "axi4-lite"
role = "manager"
[[terminal]]
name = "boot"
at = "0_1"
protocol = "wishbone"
role = "manager"
data-width = 16
[[terminal]]
name = "mem"
at = "1_1"
protocol = "axi4"
role = "subordinate"
data-width = 128
range = "0x1_0000_0000..0x1_0000_ffff"
[[terminal]]
name = "cpu_axi_b"
at = "1_1"
protocol = "wishbone"
role = "subordinate"
data-width = 8
range = "0x1000..0x1fff"
[[terminal]]
name = "mem_axi_r"
at = "1_0"
protocol = "axi4-lite"
role = "subordinate"
data-width = 64
range = "0x2000..0x2fff"
"#;

#[test]
fn every_port_of_ends_is_connected() {
    let (Some(litex), Some(verilator)) = (require::<Litex>(), require::<Verilator>()) else {
        return;
    };
    for more in [json!({}), json!({"counters": true, "reset": "low", "routing": "adaptive"})] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("soc.system"), SYSTEM).unwrap();
        let mut arguments = named(more);
        arguments["topology"] = json!("soc.system");
        let run = litex.fabric(folder.path(), "Ends", &arguments);
        let said: Value = serde_json::from_str(&run.stdout).expect(&run.stderr);
        let of = |kind: &str, data: u32| json!({"type": kind, "data": data, "address": 33});
        let managers = json!({
            "cpu": of("AXIInterface", 64), "dma": of("AXILiteInterface", 32), "boot": of("Interface", 16),
        });
        let subordinates = json!({
            "mem": of("AXIInterface", 128), "cpu_axi_b": of("Interface", 8), "mem_axi_r": of("AXILiteInterface", 64),
        });
        assert_eq!((&said["managers"], &said["subordinates"]), (&managers, &subordinates));
        assert_eq!(said["counters"], arguments.get("counters").is_some());
        is_connected(&verilator, folder.path(), &arguments);
    }
}

#[test]
fn fabrics_that_are_no_ends_are_refused() {
    let Some(litex) = require::<Litex>() else { return };
    for (arguments, ends, why) in [
        (
            json!({}),
            ENDS,
            "fabric 'noc' has no memory-mapped ends; turnpike_litex.Fabric is for streams",
        ),
        (json!({"ends": "ends.csv", "clocks": {"io": "io"}}), ENDS, "leave clocks out"),
        (json!({"ends": "ends.csv", "width": 64}), ENDS, "--width"),
        (
            json!({"ends": "ends.csv"}),
            "name,protocol,role,range\n0,apb,manager,\n1,axi4,subordinate,0..4095\n",
            "end '0' speaks apb, of which LiteX has no interface; use one of: wishbone, axi4-lite, axi4",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("ends.csv"), ends).unwrap();
        let mut arguments = named(arguments);
        (arguments["topology"], arguments["nodes"]) = (json!("ring"), json!(3));
        let run = litex.fabric(folder.path(), "Ends", &arguments);
        is_refused(&run, folder.path(), &arguments, why);
    }
}

/// Places of the masters and slaves of `soc.py`.
fn places() -> Value {
    json!({
        "wide": "0_0", "dma": "0_0", "debug": "0_1", "jtag": "1_0", "old": "1_0",
        "mem": "1_1", "regs": "1_1", "uart": "0_1", "small": "0_1", "csr": "1_0",
    })
}

/// The network's ends convert, and not adapters of LiteX, but for what was on the bus before.
#[test]
fn masters_and_slaves_keep_their_protocol() {
    let (Some(litex), Some(verilator)) = (require::<Litex>(), require::<Verilator>()) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let ends = json!({"dma": {"outstanding": 4, "reach": ["mem", "regs"]}});
    let arguments = json!({"topology": "mesh", "shape": "2x2", "places": places(), "ends": ends});
    let run = litex.soc(folder.path(), &arguments);
    assert!(run.success(), "{}", run.stderr);
    is_connected(&verilator, folder.path(), &arguments);
    let ends = fs::read_to_string(folder.path().join("build/soc_bus/ends.csv")).unwrap();
    let wanted = "\
name,protocol,role,data-width,id-width,outstanding,burst,reorder,range,reach
wide,wishbone,manager,32,,,,,,mem regs uart small csr
dma,axi4,manager,64,2,4,256,,,mem regs
debug,wishbone,manager,32,,,,,,mem regs uart small csr
jtag,axi4-lite,manager,32,,8,,,,mem regs uart small csr
old,wishbone,manager,32,,,,,,mem regs uart small csr
mem,axi4,subordinate,128,,8,,,0x40000000..0x40000fff,
regs,axi4-lite,subordinate,64,,2,,,0x40010000..0x40010fff,
uart,wishbone,subordinate,8,,2,,,0x40020000..0x40020fff,
small,wishbone,subordinate,32,,2,,,0x40030000..0x40030fff,
csr,wishbone,subordinate,32,,2,,,0x00000000..0x0000ffff,
";
    assert_eq!(ends, wanted);
}

#[test]
fn a_bus_that_is_no_network_is_refused() {
    let Some(litex) = require::<Litex>() else { return };
    let (mut few, mut many) = (places(), places());
    few.as_object_mut().unwrap().remove("uart");
    many["cpu"] = json!("0_0");
    let there = "there are: wide, dma, debug, jtag, old, mem, regs, uart, small, csr";
    for (arguments, why) in [
        (
            json!({"places": few}),
            "places do not say where these are: uart; give each a switch: places={\"uart\": \"0_0\"}",
        ),
        (
            json!({"places": many}),
            &format!("'cpu' in places is neither master nor slave of the bus; {there}"),
        ),
        (
            json!({"places": places(), "ends": {"cpu": {}}}),
            &format!("'cpu' in ends is neither master nor slave of the bus; {there}"),
        ),
        (json!({"places": places(), "ends": {"dma": {"outstanding": 65}}}), "outstanding"),
        (json!({"places": places(), "width": 64}), "--width"),
        (json!({"places": places(), "dma": {"version": "axi3"}}), "manager 'dma' speaks axi3; use"),
        (
            json!({"places": places(), "dma": {"clock_domain": "io"}}),
            "manager 'dma' is in the domain 'io', and the network in 'sys'; put a crossing of LiteX",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut arguments = arguments;
        (arguments["topology"], arguments["shape"]) = (json!("mesh"), json!("2x2"));
        let run = litex.soc(folder.path(), &arguments);
        is_refused(&run, folder.path(), &arguments, why);
    }
}

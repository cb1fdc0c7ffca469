//! Memory-mapped ends, from the command line to a folder.

use crate::common::folders::{made_again, runs, with_files};
use crate::common::{json_in, refused_in, run_in};
use serde_json::json;
use std::fs;

const SOC: &str = r#"turnpike-system = 1
[network]
topology = "mesh"
shape = "2x2"
[[terminal]]
name = "cpu0"
at = "0_0"
protocol = "axi4"
role = "manager"
id-width = 2
[[terminal]]
name = "cpu1"
at = "0_1"
protocol = "axi4"
role = "manager"
reach = ["ddr"]
burst = 16
[[terminal]]
name = "ddr"
at = "1_1"
protocol = "axi4"
role = "subordinate"
range = ["0x8000_0000..0xBFFF_FFFF", "0x0..0xFFF"]
[[terminal]]
name = "uart"
at = "1_0"
protocol = "axi4"
role = "subordinate"
range = "0x1000_0000..0x1000_0FFF"
outstanding = 2
"#;

const LIST: &str = "name,protocol,role,range\n0_0,axi4,manager,\n1_1,axi4,subordinate,0..0xffff\n";

/// A system and a list are written, checked and made again by what the manifest says.
#[test]
fn ends_make_a_fabric_that_holds() {
    let here = with_files(&[("soc.system", SOC), ("ends.csv", LIST)]);
    let made = made_again(here.path(), "generate soc.system");
    assert_eq!(
        (&made["name"], &made["terminal"]["protocol"]),
        (&json!("soc"), &json!("memory-mapped"))
    );
    let ends = &made["ends"];
    assert_eq!((&ends["file"], &ends["data_width"]), (&json!("ends.csv"), &json!(32)));
    let cpu1 = json!({
        "name": "cpu1", "protocol": "axi4", "ports": "s_cpu1_axi", "data_width": 32,
        "id_width": 4, "outstanding": 8, "burst": 16, "reach": ["ddr"],
    });
    assert_eq!(ends["managers"][1], cpu1);
    assert_eq!(ends["subordinates"][0]["ranges"][1]["first"], "0x80000000");
    let condition = made["deadlock_free_condition"].as_str().unwrap();
    assert!(condition.contains("none of it waiting for a later transaction"), "{condition}");
    let top = fs::read_to_string(here.path().join("one/soc.v")).unwrap();
    for port in ["s_cpu0_axi_awid", "m_uart_axi_rdata", "s_cpu1_axi_bready"] {
        assert!(top.contains(port), "{port}");
    }
    for line in
        ["generate mesh --shape 2x2 --ends ends.csv --out two", "simulate soc.system --cycles 500"]
    {
        runs(here.path(), line);
    }
    for (line, flows) in [("soc.system", 6), ("mesh --shape 2x2 --ends ends.csv", 2)] {
        let report = json_in(here.path(), &format!("verify {line}"));
        let check = report["checks"].as_array().unwrap().last().unwrap();
        assert_eq!((&check["check"], &check["verdict"]), (&json!("ends"), &json!("holds")));
        let analysis = json_in(here.path(), &format!("analyze {line}"));
        assert_eq!(analysis["flows"]["count"], flows);
    }
}

/// Names that are keywords, and two that are one in Verilog; three terminals, not a power of two.
#[test]
fn ends_have_the_names_of_a_file() {
    let network = "turnpike-topology 1\nnode wire\nnode reg\nterminal a.b wire\nterminal a_b wire\n\
                   terminal module reg\nlink wire reg\n";
    let list = "name,protocol,role,range\na.b,wishbone,manager,\na_b,axi4-lite,manager,\n\
                module,apb,subordinate,0..0xfff\n";
    let here = with_files(&[("net.topology", network), ("ends.csv", list)]);
    let line = "net.topology --ends ends.csv --name manager";
    runs(here.path(), &format!("generate {line} --out one"));
    let made = fs::read_to_string(here.path().join("one/manager.json")).unwrap();
    let made: serde_json::Value = serde_json::from_str(&made).unwrap();
    // The folder's own files make the same Verilog.
    runs(&here.path().join("one"), &format!("generate {line} --out ../two"));
    let top =
        |folder: &str| fs::read_to_string(here.path().join(folder).join("manager.v")).unwrap();
    assert_eq!(top("one"), top("two"));
    let ports = |role: &str, at: usize| made["ends"][role][at]["ports"].clone();
    let found = [ports("managers", 0), ports("managers", 1), ports("subordinates", 0)];
    assert_eq!(found, ["s_a_b_2_wb", "s_a_b_axil", "m_module_apb"]);
    let report = json_in(here.path(), "verify net.topology --ends ends.csv");
    assert_eq!(report["holds"], true, "{report}");
    // A name that is an identifier is its own terminal's, whatever else would become that.
    for (name, label) in [("a_b", "a_b"), ("a.b", "a_b_2")] {
        let report = json_in(here.path(), &format!("route net.topology {name} module"));
        assert_eq!(report["source"], label, "{report}");
    }
}

/// Managers of each protocol, subordinates of each, of unlike widths.
const MIXED: &str = "name,protocol,role,data-width,range\n\
    0_0,axi4,manager,64,\n1_0,axi4-lite,manager,32,\n2_0,apb,manager,32,\n0_1,wishbone,manager,32,\n\
    0_2,wishbone-pipelined,manager,8,\n1_1,axi4,subordinate,64,0x8000_0000..0xBFFF_FFFF\n\
    2_1,axi4-lite,subordinate,32,0..0xfff\n2_2,apb,subordinate,16,0x1000..0x1fff\n\
    1_2,wishbone,subordinate,32,0x2000..0x2fff\n";

#[test]
fn any_protocol_reaches_any_other() {
    let here = with_files(&[("mixed.csv", MIXED)]);
    let made = made_again(here.path(), "generate mesh --shape 3x3 --ends mixed.csv --name soc");
    let ends = &made["ends"];
    assert_eq!((&ends["data_width"], &ends["managers"][4]["data_width"]), (&json!(64), &json!(8)));
    let ports = |role: &str, at: usize| ends[role][at]["ports"].clone();
    assert_eq!(ports("managers", 1), "s_1_0_axil");
    assert_eq!(ports("managers", 3), "s_0_1_wb");
    assert_eq!(ports("subordinates", 2), "m_2_2_apb");
    let bridge = fs::read_to_string(here.path().join("one/soc_to_apb_16.v")).unwrap();
    assert!(bridge.contains("AXI4 of 64 bits to APB of 16 bits"), "{bridge}");
    let report = json_in(here.path(), "verify mesh --shape 3x3 --ends mixed.csv");
    assert_eq!(report["holds"], true, "{report}");
}

const REORDER: &str = "name,protocol,role,reorder,range\n0_0,axi4,manager,16,\n\
     0_1,axi4,subordinate,,0x0..0xfff\n1_1,axi4,subordinate,,0x1000..0x1fff\n";

/// A reorder buffer in front of a manager's end, and none where packets may overtake one another.
#[test]
fn transactions_end_in_order_on_any_network() {
    let plain = REORDER.replace(",16,", ",,");
    let system = SOC.replacen("id-width = 2", "id-width = 2\nreorder = 64", 1);
    let files = [("reorder.csv", REORDER), ("plain.csv", &*plain), ("soc.system", &*system)];
    let here = with_files(&files);
    for of in [
        "mesh --shape 2x2 --ends reorder.csv",
        "mesh --shape 2x2 --routing adaptive --ends plain.csv",
        "soc.system",
    ] {
        let report = json_in(here.path(), &format!("verify {of}"));
        assert_eq!(report["holds"], true, "{of}: {report}");
    }
    run_in(here.path(), "generate soc.system --out soc");
    let manifest = fs::read_to_string(here.path().join("soc/soc.json")).unwrap();
    assert!(manifest.contains("\"reorder\": 64"), "{manifest}");
}

/// Separate networks of the classes, and counters at the streams between ends and network.
#[test]
fn ends_go_with_other_options() {
    let here = with_files(&[("soc.system", SOC)]);
    for options in [
        "--classes separate",
        "--counters",
        "--link-registers 1 --pipeline 1-ahead --mux lut4",
        "--reset low --depth 8",
    ] {
        let report = json_in(here.path(), &format!("verify soc.system {options}"));
        assert_eq!(report["holds"], true, "{options}: {report}");
    }
}

#[test]
fn ends_that_cannot_be_are_refused() {
    let wrong = |find: &str, by: &str| SOC.replacen(find, by, 1);
    let files = [
        ("soc.system", SOC.to_owned()),
        ("ends.csv", LIST.to_owned()),
        ("flow.system", format!("{SOC}[[flow]]\nsource = \"cpu0\"\ndestination = \"ddr\"\n")),
        (
            "stream.system",
            wrong("protocol = \"axi4\"\nrole = \"manager\"\nid-width = 2", "clock = \"io\""),
        ),
        ("role.system", wrong("role = \"manager\"", "role = \"master\"")),
        ("ahb.system", wrong("protocol = \"axi4\"", "protocol = \"ahb\"")),
        (
            "apb.system",
            wrong(
                "protocol = \"axi4\"\nrole = \"manager\"\nid-width",
                "protocol = \"apb\"\nrole = \"manager\"\nid-width",
            ),
        ),
        ("page.system", wrong("0x1000_0FFF", "0x1000_0FF0")),
        ("overlap.system", wrong("0x1000_0000..0x1000_0FFF", "0xB000_0000..0xCFFF_FFFF")),
        ("reach.system", wrong("reach = [\"ddr\"]", "reach = [\"drr\"]")),
        ("alone.system", wrong("id-width = 2", "reach = \"ddr\"")),
        ("many.system", wrong("outstanding = 2", "outstanding = 1024")),
        ("width.system", wrong("id-width = 2", "data-width = 12")),
        ("unknown.csv", LIST.replace("1_1", "9_9")),
        ("reorder.csv", REORDER.to_owned()),
        ("beats.csv", REORDER.replace(",16,", ",24,")),
    ];
    let files: Vec<(&str, &str)> =
        files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let here = with_files(&files);
    refused_in(
        here.path(),
        &[
            ("generate flow.system", &["flow.system:32", "leave [[flow]] out"]),
            ("generate stream.system", &["stream.system:6", "cpu0 has streams"]),
            (
                "generate role.system",
                &["role.system:6", "'master' is not known", "manager or subordinate"],
            ),
            (
                "generate ahb.system",
                &["ahb.system:6", "'ahb' is not known; use axi4, axi4-lite, apb"],
            ),
            (
                "generate apb.system",
                &["apb.system:6", "speaks APB: it has no IDs; leave id-width out"],
            ),
            ("generate page.system", &["page.system:", "whole pages of 4 KiB"]),
            ("generate overlap.system", &["overlap", "uart", "ddr"]),
            ("generate reach.system", &["'drr'", "did you mean 'ddr'?"]),
            ("generate alone.system", &["no manager reaches terminal uart"]),
            ("generate many.system", &["outstanding 1024 is out of range; use 2 to 64"]),
            ("generate width.system", &["data-width 12 is none of AXI4; use 8, 16"]),
            ("generate mesh --shape 2x2 --ends unknown.csv", &["unknown.csv:3", "'9_9'"]),
            ("generate mesh --shape 2x2 --ends none.csv", &["none.csv"]),
            ("generate soc.system --width 64", &["--width does nothing", "memory-mapped ends"]),
            ("generate soc.system --terminal-clock cpu0=io", &["--terminal-clock does nothing"]),
            ("generate hypercube --dim 2 --routing adaptive --ends ends.csv", &["ends.csv:2"]),
            (
                "generate mesh --shape 2x2 --routing adaptive --ends reorder.csv",
                &[
                    "terminal 0_0 has a reorder buffer",
                    "overtake",
                    "'adaptive'",
                    "leave reorder out",
                ],
            ),
            (
                "generate mesh --shape 2x2 --ends beats.csv",
                &["beats.csv:2", "a reorder buffer of 24 beats", "32"],
            ),
            ("generate soc.system --failed 1_0", &["terminal uart is at a switch that failed"]),
            ("generate ocpc --nodes 4 --ends ends.csv", &["--ends does nothing"]),
            ("generate benes --dim 2 --kind circuit --ends ends.csv", &["--ends does nothing"]),
        ],
    );
    let bsp = run_in(here.path(), "bsp soc.system");
    assert_eq!(bsp.code, 2, "{}", bsp.stdout);
}

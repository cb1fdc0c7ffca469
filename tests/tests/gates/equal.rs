//! The RTL and the netlist of a module, fed alike and started alike, give the same outputs for
//! ever (property-directed reachability); and a netlist with one cell changed does not.

use crate::{FAMILY, builds};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use turnpike_hdl_gen::emit;
use turnpike_hdl_gen::network::Network;
use turnpike_hdl_gen::plan::{FabricPlan, Parameters};
use turnpike_hdl_gen::rtl::fabric::{fabric, modules};
use turnpike_hdl_gen::rtl::{Module, Net, NetInfo, NetKind};
use turnpike_tests::abc::{Abc, Verdict};
use turnpike_tests::require;
use turnpike_tests::sources::Sources;
use turnpike_tests::yosys::Yosys;

const LIMIT: Duration = Duration::from_secs(600);
const WIDTH: u32 = 2;

fn plan(routing: &str, k: u32, parameters: Parameters) -> FabricPlan {
    let network = Network::new("hypercube", k, Some(routing), None).unwrap();
    FabricPlan::new(Arc::new(network), parameters, Some("cube")).unwrap()
}

/// Proves or refutes that a module equals its netlist, into which `fault` may put a fault.
/// A module with a parameter is taken two bits wide: it treats every bit alike.
fn decide(module: &Arc<Module>, fault: fn(&str) -> String) -> Option<Verdict> {
    let (Some(yosys), Some(abc)) = (require::<Yosys>(), require::<Abc>()) else { return None };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for file in emit::verilog_files(module).unwrap() {
        fs::write(folder.join(file.name), file.contents).unwrap();
    }
    let rtl = Sources::all_in(folder, &module.name).unwrap();
    let netlist = folder.join("netlist.v");
    let gates = format!("{}_gates", module.name);
    yosys
        .write_netlist(&rtl, FAMILY, module.width_parameter.map(|_| WIDTH), &gates, &netlist)
        .assert_clean();
    let text = fs::read_to_string(&netlist).unwrap();
    fs::write(&netlist, fault(&text)).unwrap();
    let proof = folder.join("proof.v");
    fs::write(&proof, side_by_side(module)).unwrap();
    let mut files = rtl.files;
    files.extend([netlist, proof, yosys.cells(FAMILY)]);
    let aiger = folder.join("proof.aig");
    let sources = Sources { files, top: "proof".to_owned() };
    let report = yosys.write_aiger_from_zero(&sources, &aiger);
    assert!(report.run.success(), "{report}");
    Some(abc.pdr(Path::new(&aiger), LIMIT).unwrap_or_else(|report| panic!("{report}")))
}

/// Both with the same inputs; every output is asserted equal after a cycle of reset.
fn side_by_side(module: &Module) -> String {
    let mut text = "module proof (input wire clk".to_owned();
    let top = |net: Net, info: &NetInfo| if info.parametric { WIDTH - 1 } else { net.width - 1 };
    let ports = |kind: NetKind| module.ports().filter(move |(_, info)| info.kind == kind);
    for (net, info) in ports(NetKind::Input) {
        write!(text, ", input wire [{}:0] {}", top(net, info), info.name).unwrap();
    }
    text += ");\n  reg started = 1'b0;\n  always @(posedge clk) started <= 1'b1;\n";
    for (side, suffix) in [("rtl", ""), ("gates", "_gates")] {
        let mut connections: Vec<String> = Vec::new();
        if module.clocked {
            connections.push(".clk(clk)".to_owned());
        }
        if module.has_reset {
            connections.push(".rst(~started)".to_owned());
        }
        connections.extend(ports(NetKind::Input).map(|(_, info)| format!(".{0}({0})", info.name)));
        for (net, info) in ports(NetKind::Output) {
            writeln!(text, "  wire [{}:0] {side}_{};", top(net, info), info.name).unwrap();
            connections.push(format!(".{0}({side}_{0})", info.name));
        }
        let width = module.width_parameter.filter(|_| suffix.is_empty()).map(|_| WIDTH);
        let width = width.map_or(String::new(), |width| format!("#(.WIDTH({width})) "));
        let connections = connections.join(", ");
        writeln!(text, "  {}{suffix} {width}{side} ({connections});", module.name).unwrap();
    }
    let equal = ports(NetKind::Output).map(|(_, info)| format!("rtl_{0} == gates_{0}", info.name));
    let equal: Vec<String> = equal.collect();
    writeln!(text, "  always @* if (started) assert ({});", equal.join(" && ")).unwrap();
    text + "endmodule\n"
}

fn equal(module: &Arc<Module>) {
    let Some(verdict) = decide(module, str::to_owned) else { return };
    assert_eq!(verdict, Verdict::Proved, "{}", module.name);
}

#[test]
fn leaf_parts_equal_their_netlists() {
    let mut proven = BTreeSet::new();
    for parameters in builds(2) {
        let top = fabric(&plan("ecube", 2, parameters)).unwrap();
        // Multiplexers have no state; they are proven within the switch.
        let leaf = |m: &Arc<Module>| m.clocked && m.instances().next().is_none();
        let leaves = modules(&top).into_iter().filter(leaf);
        leaves.filter(|m| proven.insert(m.name.clone())).for_each(|module| equal(&module));
    }
    assert!(proven.len() >= 7, "{proven:?}");
}

#[test]
fn switches_equal_their_netlists() {
    for parameters in builds(2) {
        let top = fabric(&plan("ecube", 2, parameters)).unwrap();
        let switch = modules(&top).into_iter().find(|m| m.name.ends_with("_switch")).unwrap();
        equal(&switch);
    }
}

/// One look-up table of the middle of the netlist with its function inverted.
#[test]
fn a_changed_netlist_is_refuted() {
    let top = fabric(&plan("ecube", 2, builds(2)[0])).unwrap();
    let switch = modules(&top).into_iter().find(|m| m.name.ends_with("_switch")).unwrap();
    let inverted = |netlist: &str| {
        let tables: Vec<usize> =
            netlist.match_indices("LUT_INIT(16'h").map(|(at, found)| at + found.len()).collect();
        let at = tables[tables.len() / 2];
        let table = u16::from_str_radix(&netlist[at..at + 4], 16).unwrap();
        format!("{}{:04x}{}", &netlist[..at], !table, &netlist[at + 4..])
    };
    let Some(verdict) = decide(&switch, inverted) else { return };
    assert!(matches!(verdict, Verdict::Failed { .. }), "{verdict:?}");
}

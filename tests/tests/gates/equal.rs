//! Whatever the RTL and the netlist of a module hold before a cycle of reset: from then on, fed
//! alike, they give the same outputs for ever (property-directed reachability); and a netlist
//! with a fault in one cell does not.

use crate::gates::builds;
use crate::gates::faults::FAULTS;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use turnpike_analysis::network::Network;
use turnpike_fabric::plan::{FabricPlan, Parameters};
use turnpike_fabric::rtl::fabric::fabric;
use turnpike_fabric::testing::sample;
use turnpike_flow::target::Family;
use turnpike_netlist::{Design, Module, Net, NetInfo, NetKind};
use turnpike_tests::abc::{Abc, ProofVerdict};
use turnpike_tests::require;
use turnpike_tests::sources::Sources;
use turnpike_tests::yosys::Yosys;

const LIMIT: Duration = Duration::from_secs(600);
/// Of a module with a parameter, which treats every bit alike: as wide as a LUT-RAM.
const WIDTH: u32 = 4;

fn plan(routing: &str, k: u32, parameters: Parameters) -> FabricPlan {
    let network = Network::new("hypercube", k, Some(routing), None).unwrap();
    FabricPlan::new(Arc::new(network), parameters, Some("cube")).unwrap()
}

/// Proves or refutes that a module equals its netlist, which `change` may change.
fn decide(
    module: &Arc<Module>,
    family: Family,
    change: impl Fn(String) -> String,
) -> Option<ProofVerdict> {
    let (Some(yosys), Some(abc)) = (require::<Yosys>(), require::<Abc>()) else { return None };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for file in turnpike_emit::verilog_files(&Design::new(module).unwrap()).unwrap() {
        fs::write(folder.join(file.name), file.contents).unwrap();
    }
    let rtl = Sources::all_in(folder, &module.name).unwrap();
    let netlist = folder.join("netlist.v");
    let gates = format!("{}_gates", module.name);
    yosys
        .write_netlist(&rtl, family, module.width_parameter.map(|_| WIDTH), &gates, &netlist)
        .assert_clean();
    let text = fs::read_to_string(&netlist).unwrap();
    fs::write(&netlist, change(text)).unwrap();
    let proof = folder.join("proof.v");
    fs::write(&proof, side_by_side(module)).unwrap();
    let mut files = rtl.files;
    files.extend([netlist, proof, yosys.cells(family)]);
    let aiger = folder.join("proof.aig");
    let sources = Sources { files, top: "proof".to_owned() };
    yosys.write_aiger(&sources, &aiger).assert_clean();
    Some(abc.pdr(Path::new(&aiger), LIMIT).unwrap_or_else(|report| panic!("{report}")))
}

/// Both with the same inputs; every output is asserted equal after a cycle of reset, and in
/// later ones. A flip-flop that the RTL gives no value starts with any, a cell's with its own.
fn side_by_side(module: &Module) -> String {
    let mut text = "module proof (input wire clk, input wire rst".to_owned();
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
            connections.push(".rst(rst | ~started)".to_owned());
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
    let outputs = || ports(NetKind::Output).map(|(_, info)| info.name.as_str());
    for name in outputs() {
        let counts = beside(name, outputs()).map_or(String::new(), |v| format!(" && |rtl_{v}"));
        writeln!(text, "  always @* if (started{counts}) assert (rtl_{name} == gates_{name});")
            .unwrap();
    }
    text + "endmodule\n"
}

/// The `valid` that says whether what stands at an output means anything: the words of queues
/// have no reset.
fn beside<'a>(name: &str, mut outputs: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    outputs.find(|valid| {
        let channel = valid.strip_suffix("valid").filter(|_| *valid != name);
        channel.is_some_and(|channel| name.starts_with(channel))
    })
}

fn equal(module: &Arc<Module>, family: Family) {
    let Some(verdict) = decide(module, family, |netlist| netlist) else { return };
    assert_eq!(verdict, ProofVerdict::Proved, "{family:?}, {}", module.name);
}

fn switch(parameters: Parameters) -> Arc<Module> {
    let design = fabric(&plan("ecube", 2, parameters)).unwrap();
    let switch = design.modules().iter().find(|m| m.name.ends_with("_switch"));
    Arc::clone(switch.unwrap())
}

fn switches_equal(family: Family) {
    for parameters in sample("switches", &builds()) {
        equal(&switch(parameters), family);
    }
}

fn leaves_equal(family: Family) {
    let (mut names, mut all) = (BTreeSet::new(), Vec::new());
    for parameters in builds() {
        let design = fabric(&plan("ecube", 2, parameters)).unwrap();
        // Multiplexers have no state; they are proven within the switch.
        let leaf = |m: &&Arc<Module>| m.clocked && m.instances().next().is_none();
        let leaves = design.modules().iter().filter(leaf);
        all.extend(leaves.filter(|m| names.insert(m.name.clone())).cloned());
    }
    assert!(names.len() >= 7, "{names:?}");
    sample("leaf parts", &all).iter().for_each(|module| equal(module, family));
}

#[test]
fn leaf_parts_equal_their_netlists_of_ice40() {
    leaves_equal(Family::Ice40);
}

#[test]
fn leaf_parts_equal_their_netlists_of_ecp5() {
    leaves_equal(Family::Ecp5);
}

#[test]
#[ignore = "as those of ECP5: `make test-all`"]
fn switches_equal_their_netlists_of_ice40() {
    switches_equal(Family::Ice40);
}

#[test]
fn switches_equal_their_netlists_of_ecp5() {
    switches_equal(Family::Ecp5);
}

#[test]
fn faults_in_a_netlist_are_refuted() {
    let switch = switch(builds()[0]);
    for fault in sample("faults", &FAULTS) {
        let change = |netlist: String| fault.put_into(&netlist);
        let Some(verdict) = decide(&switch, fault.family, change) else { return };
        let refuted = matches!(verdict, ProofVerdict::Failed { .. });
        assert!(refuted, "{:?}, {}: {verdict:?}", fault.family, fault.name);
    }
}

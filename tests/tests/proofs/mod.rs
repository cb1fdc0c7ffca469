//! Complete and minimal: for every input sequence that the relation can produce, the
//! depopulated switch does in every cycle what a switch with a full crossbar and the
//! relation's complete route logic does; and a turn fewer is refuted.
//!
//! The proof is unbounded (property-directed reachability). Payloads are one bit and queues
//! two flits: the crossbar, the route logic and the arbiters are those of any width and depth.

use std::fmt::Write;
use std::fs;
use std::sync::Arc;
use std::time::Duration;

use turnpike_analysis::turns::Turn;
use turnpike_fabric::plan::{FabricPlan, Parameters, SwitchPlan, full_crossbar_switch};
use turnpike_fabric::rtl::equivalence::{side_by_side, side_by_side_with};
use turnpike_fabric::testing::{FEW_ADAPTIVE_FABRICS, MORE_FABRICS, Named, plan_of, sample};
use turnpike_netlist::{Design, Module, NetKind};
use turnpike_tests::abc::{Abc, ProofVerdict};
use turnpike_tests::require;
use turnpike_tests::sources::Sources;
use turnpike_tests::yosys::Yosys;

const LIMIT: Duration = Duration::from_secs(900);

fn plan(fabric: Named) -> FabricPlan {
    plan_of(fabric, Parameters { width: 1, depth: 2, ..Parameters::default() })
}

/// Proves or refutes that `equal` of the module holds after one cycle of reset.
fn decide(module: &Arc<Module>) -> Option<ProofVerdict> {
    let (Some(yosys), Some(abc)) = (require::<Yosys>(), require::<Abc>()) else { return None };
    let folder = tempfile::tempdir().unwrap();
    for file in turnpike_emit::verilog_files(&Design::new(module).unwrap()).unwrap() {
        fs::write(folder.path().join(file.name), file.contents).unwrap();
    }
    fs::write(folder.path().join("proof.v"), harness(module)).unwrap();
    let sources = Sources::all_in(folder.path(), "proof").unwrap();
    let aiger = folder.path().join("proof.aig");
    yosys.write_aiger(&sources, &aiger).assert_clean();
    Some(abc.pdr(&aiger, LIMIT).unwrap_or_else(|report| panic!("{report}")))
}

fn harness(module: &Module) -> String {
    let mut ports = String::new();
    let mut connections = String::new();
    for (net, info) in module.ports().filter(|(_, info)| info.kind == NetKind::Input) {
        write!(ports, ", input wire [{}:0] {}", net.width - 1, info.name).unwrap();
        write!(connections, ", .{0}({0})", info.name).unwrap();
    }
    format!(
        "module proof (input wire clk{ports});\n\
         reg started = 1'b0;\n\
         always @(posedge clk) started <= 1'b1;\n\
         wire equal;\n\
         {} dut (.clk(clk), .rst(~started), .equal(equal){connections});\n\
         always @* if (started) assert (equal);\n\
         endmodule\n",
        module.name
    )
}

/// Every class of switches.
fn complete(fabric: Named) {
    let plan = plan(fabric);
    for (class, switch) in plan.switches.iter().enumerate() {
        // That of failed nodes is not built.
        if switch.queues.is_empty() {
            continue;
        }
        let module = side_by_side(&plan, class).unwrap().module;
        let Some(verdict) = decide(&module) else { return };
        assert_eq!(verdict, ProofVerdict::Proved, "{}", switch.name);
    }
}

#[test]
fn ecube_3_is_complete() {
    complete("hypercube 3 ecube");
}

#[test]
fn rotation_3_is_complete() {
    complete("hypercube 3 rotation");
}

#[test]
fn ecube_4_is_complete() {
    complete("hypercube 4 ecube");
}

#[test]
fn rotation_4_is_complete() {
    complete("hypercube 4 rotation");
}

#[test]
fn thacker_4_is_complete() {
    complete("hypercube 4 thacker");
}

#[test]
fn directed_cube_3_is_complete() {
    complete("directed-cube 3 static");
}

#[test]
fn ccc_3_is_complete() {
    complete("ccc 3 two-stage");
}

#[test]
fn arc_cube_2_is_complete() {
    complete("arc-cube 2 shortest");
}

#[test]
fn few_adaptive_are_complete() {
    sample("fabrics", FEW_ADAPTIVE_FABRICS).into_iter().for_each(complete);
}

#[test]
fn given_by_pair_is_complete() {
    complete("hypercube 3 around_111.relation");
}

#[test]
#[ignore = "minutes: `make test-all`"]
fn more_fabrics_are_complete() {
    MORE_FABRICS.iter().for_each(|&fabric| complete(fabric));
}

#[test]
#[ignore = "minutes: `make test-all`"]
fn adaptive_3_is_complete_and_minimal() {
    for fabric in [
        "hypercube 3 adaptive",
        "directed-cube 3 adaptive",
        "mesh 3x3 adaptive",
        "mesh 4x3 odd-even",
    ] {
        complete(fabric);
        minimal(fabric);
    }
}

/// The switch without one of its turns; without the (output, VC) and the port too where that
/// leaves nothing to feed them.
fn without(plan: &SwitchPlan, output_vc: usize, source: usize) -> SwitchPlan {
    let mut switch = plan.clone();
    switch.output_vcs[output_vc].sources.remove(source);
    if !switch.output_vcs[output_vc].sources.is_empty() {
        return switch;
    }
    let gone = switch.output_vcs.remove(output_vc);
    let port = &mut switch.outputs[gone.output];
    port.vcs.retain(|&vc| vc != gone.vc);
    if port.vcs.is_empty() {
        switch.outputs.remove(gone.output);
        let later = switch.output_vcs.iter_mut().filter(|ov| ov.output > gone.output);
        later.for_each(|ov| ov.output -= 1);
    }
    switch
}

/// Every turn between network ports, taken out by hand, is missed.
fn minimal(fabric: Named) {
    let plan = plan(fabric);
    (0..plan.switches.len()).for_each(|class| minimal_switch(&plan, class));
}

fn minimal_switch(plan: &FabricPlan, class: usize) {
    let turns = &plan.network().turns().classes[class];
    let full = full_crossbar_switch(plan.network(), turns, format!("{}_full", plan.name));
    let switch = &plan.switches[class];
    let mut refuted = 0;
    for (output_vc, lane) in switch.output_vcs.iter().enumerate() {
        let output = switch.outputs[lane.output].output;
        for (source, from) in lane.sources.iter().enumerate() {
            let input = switch.inputs[switch.queues[from.queue].input].input;
            if input.is_inject() || output.is_eject() {
                continue;
            }
            let fewer = without(switch, output_vc, source);
            let mut left = fewer.output_vcs.iter().flat_map(|lane| &lane.sources);
            if !left.any(|other| other.queue == from.queue) {
                // Its queue has no other turn and would never empty: there is no such switch.
                refuted += 1;
                continue;
            }
            let module = side_by_side_with(plan, class, &fewer, &full).unwrap().module;
            let Some(verdict) = decide(&module) else { return };
            let turn = format!("{} to {}", switch.queues[from.queue].name, lane.name);
            assert!(
                matches!(verdict, ProofVerdict::Failed { .. }),
                "{} without {turn}",
                switch.name
            );
            refuted += 1;
        }
    }
    let network = |t: &&Turn| !t.input.is_inject() && !t.output.is_eject();
    assert_eq!(refuted, switch.turns.iter().filter(network).count());
}

#[test]
fn rotation_3_is_minimal() {
    minimal("hypercube 3 rotation");
}

#[test]
fn ecube_3_is_minimal() {
    minimal("hypercube 3 ecube");
}

#[test]
#[ignore = "ten seconds: `make test-all`"]
fn dimension_4_is_minimal() {
    ["ecube", "rotation", "thacker"].into_iter().for_each(|r| minimal(&format!("hypercube 4 {r}")));
}

#[test]
fn directed_cube_3_is_minimal() {
    minimal("directed-cube 3 static");
}

#[test]
#[ignore = "ten seconds: `make test-all`"]
fn ccc_3_is_minimal() {
    minimal("ccc 3 two-stage");
}

#[test]
fn few_adaptive_are_minimal() {
    sample("fabrics", FEW_ADAPTIVE_FABRICS).into_iter().for_each(minimal);
}

#[test]
#[ignore = "minutes: `make test-all`"]
fn more_fabrics_are_minimal() {
    MORE_FABRICS.iter().for_each(|&fabric| minimal(fabric));
}

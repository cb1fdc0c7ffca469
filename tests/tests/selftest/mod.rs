//! The self-test of a board, as emitted: it passes, it sees faults that are put into the
//! fabric's Verilog and into the synthesised netlist, and its bitstreams are made.

mod bitstream;
mod busses;
mod faults;
mod netlist;

use std::time::Duration;

use turnpike_fabric::plan::Parameters;
use turnpike_fabric::rtl::selftest::fault::Fault;
use turnpike_tests::icarus::Icarus;
use turnpike_tests::report::Report;
use turnpike_tests::require;

const LIMIT: Duration = Duration::from_secs(300);

/// All options on.
fn every_option() -> Parameters {
    Parameters {
        width: 24,
        depth: 3,
        source_id: true,
        user_width: 3,
        keep: true,
        ..Parameters::default()
    }
}

/// What the testbench of a self-test said: `None` for a pass, else the fault on the LEDs.
fn verdict(report: &Report) -> Option<Fault> {
    let said = report.run.stdout.trim();
    if said.starts_with("PASS: ") && said.ends_with("led 00000") {
        return None;
    }
    let failed = said.starts_with("FAIL: ") && said.contains("done 1, pass 0, fail 1, led ");
    assert!(failed, "neither passed nor failed: {report}");
    let code = &said[said.len() - 3..];
    let (fault, _) = Fault::ALL[usize::from_str_radix(code, 2).expect("three bits")];
    assert_ne!(fault, Fault::None, "{said}");
    Some(fault)
}

fn on_icarus(icarus: &Icarus, sources: &turnpike_tests::sources::Sources) -> Option<Fault> {
    verdict(&icarus.simulate(sources, &[], LIMIT).assert_clean())
}

#[test]
fn right_fabrics_pass_on_icarus() {
    let Some(icarus) = require::<Icarus>() else { return };
    let narrow = Parameters { width: 8, ..Default::default() };
    for (named, parameters, board) in [
        ("hypercube 2 ecube", Parameters::default(), "ice40-hx8k"),
        ("hypercube 2 rotation", every_option(), "ulx3s-85f"),
        ("hypercube 3 rotation", narrow, "arty-a7-35t"),
        ("hypercube 2 adaptive", every_option(), "ulx3s-85f"),
        ("mesh 3x2 odd-even", Parameters::default(), "arty-a7-35t"),
        ("hypercube 2 two-phase", narrow, "ice40-hx8k"),
    ] {
        let fabric = turnpike_tests::fabric::Fabric::with_selftest(named, parameters, board);
        let fault = on_icarus(&icarus, &fabric.selftest_with_testbench());
        assert_eq!(fault, None, "{} on {board}", fabric.plan.canonical());
    }
}

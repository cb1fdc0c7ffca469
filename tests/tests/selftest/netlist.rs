//! The self-test after synthesis, in the cells of an iCE40.

use std::fs;

use regex::Regex;
use tempfile::TempDir;
use turnpike_fabric::plan::Parameters;
use turnpike_fabric::rtl::selftest::fault::Fault;
use turnpike_flow::target::Family;
use turnpike_tests::fabric::Fabric;
use turnpike_tests::icarus::Icarus;
use turnpike_tests::require;
use turnpike_tests::sources::Sources;
use turnpike_tests::yosys::Yosys;

use crate::selftest::{LIMIT, verdict};

/// A netlist with its testbench and cells.
struct Netlist {
    text: String,
    bench: Sources,
    folder: TempDir,
}

impl Netlist {
    fn new(yosys: &Yosys) -> Self {
        let parameters = Parameters { width: 8, ..Default::default() };
        let fabric = Fabric::with_selftest("hypercube 2 ecube", parameters, "ice40-hx8k");
        let folder = tempfile::tempdir().unwrap();
        let netlist = folder.path().join("netlist.v");
        let selftest = fabric.selftest();
        let top = selftest.top.clone();
        yosys.write_netlist(&selftest, Family::Ice40, None, &top, &netlist).assert_clean();
        let text = fs::read_to_string(&netlist).unwrap();
        let bench = folder.path().join("bench.v");
        let top = format!("{}_selftest_tb", fabric.plan.name);
        fs::copy(fabric.folder().join(format!("{top}.v")), &bench).unwrap();
        let bench = Sources { files: vec![bench, netlist, yosys.cells(Family::Ice40)], top };
        Self { text, bench, folder }
    }

    fn run(&self, icarus: &Icarus, text: &str) -> Option<Fault> {
        fs::write(self.folder.path().join("netlist.v"), text).unwrap();
        let report = icarus.simulate_netlist(&self.bench, LIMIT);
        assert!(report.run.success(), "{report}");
        verdict(&report)
    }

    /// The netlist with the input of one flip-flop in a queue of the fabric stuck at 0: the
    /// middle one of the kinds that `kind` describes.
    fn stuck(&self, kind: &str) -> String {
        let cell = format!(
            r"{kind} \S+ +\((?s:[^;]*?)\.D\(([^)]*)\),(?s:[^;]*?)\.Q\(\\core\.fabric\.[^)]*_fifo\.[^)]*\)"
        );
        let cell = Regex::new(&cell).unwrap();
        let found: Vec<_> = cell.captures_iter(&self.text).collect();
        let input = found.get(found.len() / 2).expect("such a flip-flop").get(1).unwrap();
        let mut text = self.text.clone();
        text.replace_range(input.range(), "1'h0");
        text
    }
}

#[test]
fn the_netlist_passes_and_its_faults_are_found() {
    let (Some(yosys), Some(icarus)) = (require::<Yosys>(), require::<Icarus>()) else { return };
    let netlist = Netlist::new(&yosys);
    assert_eq!(netlist.run(&icarus, &netlist.text), None);
    // Storage has no reset; what a queue knows of its state has one.
    let fault = netlist.run(&icarus, &netlist.stuck("SB_DFFE"));
    assert!(fault.is_some(), "a bit of a queue's storage");
    let fault = netlist.run(&icarus, &netlist.stuck("SB_DFFE?S[RS]"));
    assert!(fault.is_some(), "a bit of a queue's state");
}

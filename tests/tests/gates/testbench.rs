//! The emitted testbench on the synthesised netlist of a whole fabric.

use crate::gates::builds;
use crate::gates::faults::FAULTS;
use std::fs;
use std::time::Duration;
use turnpike_fabric::plan::Parameters;
use turnpike_fabric::testing::sample;
use turnpike_flow::target::Family;
use turnpike_tests::fabric::Fabric;
use turnpike_tests::icarus::Icarus;
use turnpike_tests::report::Report;
use turnpike_tests::require;
use turnpike_tests::sources::Sources;
use turnpike_tests::yosys::Yosys;

const LIMIT: Duration = Duration::from_secs(600);

/// The cells of a fabric, as Verilog.
struct Netlist {
    fabric: Fabric,
    family: Family,
    text: String,
}

impl Netlist {
    fn new(yosys: &Yosys, family: Family, parameters: Parameters) -> Self {
        let fabric = Fabric::hypercube("ecube", 2, parameters);
        let file = fabric.folder().join("netlist.v");
        let (sources, name) = (fabric.sources(), &fabric.plan.name);
        yosys.write_netlist(&sources, family, None, name, &file).assert_clean();
        Self { text: fs::read_to_string(&file).unwrap(), fabric, family }
    }

    /// What the fabric's testbench says of this text in the netlist's place.
    fn run(&self, yosys: &Yosys, icarus: &Icarus, text: &str) -> Report {
        let folder = self.fabric.folder();
        let bench = format!("{}_tb", self.fabric.plan.name);
        let netlist = folder.join("netlist.v");
        fs::write(&netlist, text).unwrap();
        // The testbench last: it reads a file that stands beside it.
        let files = vec![netlist, yosys.cells(self.family), folder.join(format!("{bench}.v"))];
        icarus.simulate_netlist(&Sources { files, top: bench }, LIMIT)
    }
}

fn passed(report: &Report) -> bool {
    report.run.success() && report.run.stdout.lines().any(|line| line.starts_with("PASS: "))
}

#[test]
fn fabrics_pass_at_gate_level() {
    let (Some(yosys), Some(icarus)) = (require::<Yosys>(), require::<Icarus>()) else { return };
    let families = [Family::Ice40, Family::Ecp5];
    let all: Vec<_> =
        builds().into_iter().flat_map(|build| families.map(|family| (build, family))).collect();
    for (parameters, family) in sample("fabrics", &all) {
        let netlist = Netlist::new(&yosys, family, parameters);
        let report = netlist.run(&yosys, &icarus, &netlist.text);
        assert!(passed(&report), "{family:?}, {parameters:?}: {report}");
    }
}

#[test]
fn faults_in_a_netlist_fail_the_testbench() {
    let (Some(yosys), Some(icarus)) = (require::<Yosys>(), require::<Icarus>()) else { return };
    for family in [Family::Ice40, Family::Ecp5] {
        let netlist = Netlist::new(&yosys, family, builds()[0]);
        for fault in FAULTS.iter().filter(|fault| fault.family == family) {
            let report = netlist.run(&yosys, &icarus, &fault.put_into(&netlist.text));
            let spoke = report.run.stdout.lines().any(|line| line.starts_with("FAIL"));
            assert!(spoke && !passed(&report), "{family:?}, {}: {report}", fault.name);
        }
    }
}

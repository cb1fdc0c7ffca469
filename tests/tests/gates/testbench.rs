//! The emitted testbench on the synthesised netlist of a whole fabric.

use crate::{FAMILY, builds};
use std::time::Duration;
use turnpike_tests::fabric::Fabric;
use turnpike_tests::icarus::Icarus;
use turnpike_tests::require;
use turnpike_tests::sources::Sources;
use turnpike_tests::yosys::Yosys;

const LIMIT: Duration = Duration::from_secs(600);

#[test]
fn fabrics_pass_at_gate_level() {
    let (Some(yosys), Some(icarus)) = (require::<Yosys>(), require::<Icarus>()) else { return };
    for parameters in builds(4) {
        let fabric = Fabric::hypercube("ecube", 2, parameters);
        let folder = tempfile::tempdir().unwrap();
        let netlist = folder.path().join("netlist.v");
        let name = &fabric.plan.name;
        yosys.write_netlist(&fabric.sources(), FAMILY, None, name, &netlist).assert_clean();
        let bench = fabric.folder().join(format!("{name}_tb.v"));
        let files = vec![bench, netlist, yosys.cells(FAMILY)];
        let report = icarus.simulate_netlist(&Sources { files, top: format!("{name}_tb") }, LIMIT);
        assert!(report.run.success(), "{parameters:?}: {report}");
        let passed = report.run.stdout.lines().any(|line| line.starts_with("PASS: "));
        assert!(passed, "{parameters:?}: {report}");
    }
}

//! The emitted text, run by real tools: no warning and no waiver from any lint, the
//! self-checking testbench passes on two simulators, Yosys synthesises.

mod area;
mod lint;
mod testbench;

use turnpike_fabric::plan::Parameters;
use turnpike_fabric::testing::Named;
use turnpike_tests::fabric::Fabric;

/// Fabrics of a list.
fn of(fabrics: &[Named], parameters: Parameters) -> Vec<Fabric> {
    fabrics.iter().map(|fabric| Fabric::of(fabric, parameters)).collect()
}

/// Parameters at the ends of their ranges and with every option.
fn variants() -> [Parameters; 5] {
    let base = Parameters::default();
    [
        Parameters { width: 1, depth: 2, ..base },
        Parameters { width: 7, depth: 3, source_id: true, user_width: 3, ..base },
        Parameters { width: 40, depth: 9, source_id: true, user_width: 1, keep: true, ..base },
        Parameters { width: 64, depth: 33, keep: true, ..base },
        Parameters { width: 1024, depth: 5, ..base },
    ]
}

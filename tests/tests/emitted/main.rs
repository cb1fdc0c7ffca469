//! The emitted text, run by real tools: no warning and no waiver from any lint, the
//! self-checking testbench passes on two simulators, Yosys synthesises.

mod area;
mod lint;
mod testbench;

use turnpike_fabric::plan::Parameters;
use turnpike_tests::fabric::Fabric;

/// Adaptive fabrics.
fn adaptive(parameters: Parameters) -> [Fabric; 4] {
    [("hypercube", 1), ("hypercube", 3), ("directed-cube", 3), ("directed-cube", 4)].map(
        |(topology, dimension)| Fabric::of(&format!("{topology} {dimension} adaptive"), parameters),
    )
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

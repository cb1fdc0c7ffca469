//! Synthesis: cells are counted, and a design that cannot be built is refused.

use turnpike_tests::require;
use turnpike_tests::yosys::Yosys;

use crate::wrappers::fixture::{changed, clean};

#[test]
fn ice40_cells() {
    let Some(yosys) = require::<Yosys>() else { return };
    let cells = yosys.synth_ice40(&clean().design).unwrap_or_else(|report| panic!("{report}"));
    assert_eq!(cells.flip_flops(), 4, "{cells:?}");
    assert!((4..=8).contains(&cells.luts()), "{cells:?}");
}

#[test]
fn ecp5_cells() {
    let Some(yosys) = require::<Yosys>() else { return };
    let cells = yosys.synth_ecp5(&clean().design).unwrap_or_else(|report| panic!("{report}"));
    assert_eq!((cells.flip_flops(), cells.wide_multiplexers()), (4, 0), "{cells:?}");
    assert!(cells.luts() + 2 * cells.carries() >= 4, "{cells:?}");
}

#[test]
fn a_latch_is_refused() {
    let Some(yosys) = require::<Yosys>() else { return };
    let latch = changed("always @(posedge clk) begin", "always @* if (clk) begin");
    assert!(!yosys.synth_ice40(&latch.design).unwrap_err().is_clean());
    assert!(!yosys.synth_ecp5(&latch.design).unwrap_err().is_clean());
}

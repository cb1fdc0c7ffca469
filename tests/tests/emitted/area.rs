//! Synthesis by Yosys for iCE40 and ECP5, flattened, one switch.
//!
//! The peers' switches of five ports take 966 LUTs (iCE40) and 699 LUTs (ECP5) at best, by
//! Yosys 0.23. Later versions of Yosys spend a LUT more per bit on a four-to-one multiplexer of
//! an iCE40, so the pinned one is held to figures of its own: see `docs/hardware.md`.

use turnpike_hdl_gen::plan::Parameters;
use turnpike_tests::fabric::{FABRICS, Fabric, MORE_FABRICS, Named};
use turnpike_tests::require;
use turnpike_tests::sources::Sources;
use turnpike_tests::yosys::Yosys;

/// The switch of a fabric whose switches are all alike.
fn only_switch(fabric: &Fabric) -> Sources {
    let mut switches = fabric.switches();
    let switch = switches.next().unwrap();
    assert!(switches.next().is_none(), "switches of several classes");
    switch
}

#[test]
fn the_four_cube_switch_is_small() {
    let Some(yosys) = require::<Yosys>() else { return };
    for (routing, ice40, ecp5) in [("ecube", 1030, 520), ("rotation", 1480, 640)] {
        let fabric = Fabric::hypercube(routing, 4, Parameters::default());
        let switch = only_switch(&fabric);
        let small = yosys.synth_ice40(&switch).unwrap_or_else(|r| panic!("{r}"));
        let large = yosys.synth_ecp5(&switch).unwrap_or_else(|r| panic!("{r}"));
        println!("{routing}: iCE40 {} LUTs, ECP5 {} LUTs", small.luts(), large.luts());
        assert!(small.luts() <= ice40, "{routing}: {} LUTs on iCE40", small.luts());
        assert!(large.luts() <= ecp5, "{routing}: {} LUTs on ECP5", large.luts());
        assert!(large.lut_rams() > 0, "{routing}: queues map to LUT-RAM on ECP5");
    }
}

/// Deep queues go to block RAM on both families.
#[test]
fn deep_queues_use_block_ram() {
    let Some(yosys) = require::<Yosys>() else { return };
    let parameters = Parameters { depth: 256, ..Parameters::default() };
    let fabric = Fabric::hypercube("ecube", 2, parameters);
    let switch = only_switch(&fabric);
    let cells = yosys.synth_ice40(&switch).unwrap_or_else(|r| panic!("{r}"));
    assert!(cells.block_rams() >= 3, "{cells:?}");
    let cells = yosys.synth_ecp5(&switch).unwrap_or_else(|r| panic!("{r}"));
    assert!(cells.block_rams() >= 3, "{cells:?}");
}

/// Whole fabrics synthesise too.
fn synthesises(fabric: Named) {
    let Some(yosys) = require::<Yosys>() else { return };
    let fabric = Fabric::of(fabric, Parameters { width: 8, ..Default::default() });
    for cells in [yosys.synth_ice40(&fabric.sources()), yosys.synth_ecp5(&fabric.sources())] {
        let cells = cells.unwrap_or_else(|r| panic!("{r}"));
        assert!(cells.luts() > 0 && cells.flip_flops() > 0);
    }
}

#[test]
fn whole_fabrics_synthesise() {
    for fabric in [("hypercube", 2, "rotation"), ("arc-cube", 2, "shortest")] {
        synthesises(fabric);
    }
}

#[test]
#[ignore = "minutes: `make test-all`"]
fn every_fabric_synthesises() {
    FABRICS.iter().chain(MORE_FABRICS).for_each(|&fabric| synthesises(fabric));
}

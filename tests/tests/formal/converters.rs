//! Proofs of the converters between terminals and the network, and faults that they refute.

use crate::formal::faults::{Fault, fault, mutant};
use crate::formal::{Sby, prove, refuted};
use turnpike_fabric::plan::Parameters;
use turnpike_fabric::testing::plan_of;
use turnpike_tests::any_kind::proofs;
use turnpike_tests::fabric::Fabric;
use turnpike_tests::require;

/// A converter of more parts than its proof has time for is not claimed.
#[test]
fn a_converter_of_many_parts_is_skipped() {
    let fields = Parameters { width: 256, keep: true, ..Parameters::default() };
    let proofs = proofs(&plan_of("mesh 2x2 dimension-order as 0_0=8,1_0=16", fields));
    let skipped: Vec<&str> = proofs.nothing_to_show.iter().map(|n| n.module.as_str()).collect();
    assert!(skipped.iter().any(|module| module.ends_with("_s_widen_8_256")), "{skipped:?}");
    let width = proofs.proofs.iter().find(|proof| proof.path == "formal/width.sby").unwrap();
    let proven: Vec<&str> = width.tasks.iter().map(|task| task.name.as_str()).collect();
    assert_eq!(proven.len(), 4, "{proven:?}");
}

/// Words of every ratio, beside `tkeep` and without it.
#[test]
fn converters_are_proven() {
    let Some(sby) = require::<Sby>() else { return };
    let fields = Parameters { keep: true, user_width: 1, source_id: true, ..Parameters::default() };
    let plain = Parameters { width: 6, ..Parameters::default() };
    for (named, parameters) in [
        ("mesh 2x2 dimension-order as 0_0=8,1_0=24,0_1=64", fields),
        ("mesh 2x2 dimension-order as 0_0=1,1_0=18,0_1=3", plain),
    ] {
        let fabric = Fabric::of(named, parameters);
        let mut proofs = proofs(&fabric.plan).proofs;
        proofs.retain(|proof| proof.path == "formal/width.sby");
        assert!(proofs[0].tasks.len() >= 10, "{named}");
        prove(&sby, &fabric.folder(), &proofs, named);
    }
}

#[test]
fn mutants_of_converters_are_refuted() {
    let parameters = Parameters { keep: true, user_width: 1, ..Parameters::default() };
    refuted(&Fabric::of("mesh 2x2 dimension-order as 0_0=8", parameters), WIDTHS);
}

/// In `mesh --shape 2x2 --keep --user-width 1 --ports named --terminal-width 0_0=8`.
const WIDTHS: &[Fault] = &[
    fault(
        "width",
        "prove_s_widen_8_32",
        mutant("waits for room that it has", WIDEN, "(~full | out_ready)", "~full"),
    ),
    fault(
        "width",
        "prove_s_widen_8_32",
        mutant(
            "lanes exchanged",
            WIDEN,
            "{data3, data2, data1, data0}",
            "{data3, data1, data2, data0}",
        ),
    ),
    fault(
        "width",
        "prove_s_widen_8_32",
        mutant(
            "keep of the word before",
            WIDEN,
            "(at == 2'd2) | first)) begin\n      keep2",
            "at == 2'd2)) begin\n      keep2",
        ),
    ),
    fault(
        "width",
        "prove_s_widen_8_32",
        mutant(
            "tdest of the last word",
            WIDEN,
            "accept & first) begin\n      out_dest",
            "accept) begin\n      out_dest",
        ),
    ),
    fault(
        "width",
        "prove_m_narrow_32_8",
        mutant("ends a part late", NARROW_32, "~(|in_keep[3:1])", "~(|in_keep[3:2])"),
    ),
    fault(
        "width",
        "prove_m_narrow_32_8",
        mutant(
            "last with every part",
            NARROW_32,
            "out_last = in_last & complete",
            "out_last = in_last",
        ),
    ),
];

const WIDEN: &str = "*_s_widen_8_32.v";
const NARROW_32: &str = "*_m_narrow_32_8.v";

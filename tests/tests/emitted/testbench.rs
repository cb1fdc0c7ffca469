//! The emitted self-checking testbench, on Icarus and on Verilator.

use crate::emitted::{of, variants};
use std::time::Duration;
use turnpike_fabric::plan::Parameters;
use turnpike_fabric::testing::{
    ADAPTIVE_FABRICS, FEW_ADAPTIVE_FABRICS, FEW_FABRICS, Named, every_fabric, sample,
};
use turnpike_tests::fabric::Fabric;
use turnpike_tests::icarus::Icarus;
use turnpike_tests::require;
use turnpike_tests::verilator::{BuildOptions, Verilator};

const LIMIT: Duration = Duration::from_secs(300);

fn on_icarus(fabric: Named, parameters: Parameters) {
    passes_on_icarus(&Fabric::of(fabric, parameters));
}

fn passes_on_icarus(fabric: &Fabric) {
    let Some(icarus) = require::<Icarus>() else { return };
    let report = icarus.simulate(&fabric.with_testbench(), &[], LIMIT).assert_clean();
    let output = &report.run.stdout;
    assert!(output.starts_with("PASS: "), "{}: {output}", fabric.plan.canonical());
}

#[test]
fn few_fabrics_pass_on_icarus() {
    sample("fabrics", FEW_FABRICS)
        .iter()
        .for_each(|&fabric| on_icarus(fabric, Parameters::default()));
}

#[test]
#[ignore = "minutes: `make test-all`"]
fn every_fabric_passes_on_icarus() {
    every_fabric().for_each(|fabric| on_icarus(fabric, Parameters::default()));
}

#[test]
fn few_adaptive_fabrics_pass_on_icarus() {
    let some = sample("fabrics", FEW_ADAPTIVE_FABRICS);
    of(&some, Parameters::default()).iter().for_each(passes_on_icarus);
}

#[test]
#[ignore = "a minute: `make test-all`"]
fn adaptive_fabrics_pass_on_icarus() {
    of(ADAPTIVE_FABRICS, Parameters::default()).iter().for_each(passes_on_icarus);
}

#[test]
#[ignore = "the sample of the covering arrays stands for them: `make test-all`"]
fn variants_pass_on_icarus() {
    for parameters in variants() {
        on_icarus("hypercube 2 ecube", parameters);
        // Icarus takes its time over wide vectors.
        let dimension = if parameters.width > 100 { 2 } else { 3 };
        on_icarus(&format!("hypercube {dimension} rotation"), parameters);
    }
}

fn pass_on_verilator(fabrics: impl IntoIterator<Item = Fabric>) {
    let Some(verilator) = require::<Verilator>() else { return };
    for fabric in fabrics {
        let built = verilator.build_testbench(&fabric.with_testbench(), &BuildOptions::default());
        let run = built.unwrap_or_else(|report| panic!("{report}")).run(&[], LIMIT);
        assert!(run.stdout.starts_with("PASS: "), "{}: {}", fabric.plan.canonical(), run.stdout);
    }
}

/// All options, with queues in a memory.
#[test]
fn a_fabric_passes_on_verilator() {
    pass_on_verilator([Fabric::hypercube("rotation", 2, variants()[2])]);
}

#[test]
#[ignore = "Verilator's builds: `make test-all`"]
fn fabrics_pass_on_verilator() {
    let plain = ["hypercube 3 rotation", "hypercube 4 thacker", "arc-cube 2 shortest"]
        .map(|fabric| Fabric::of(fabric, Parameters::default()));
    // All options with a queue in block RAM, and one in a thermometer-less memory.
    let varied = [2, 3].map(|i| Fabric::hypercube("rotation", 3, variants()[i]));
    pass_on_verilator(plain.into_iter().chain(varied));
}

//! The engines that are held against the reference router: the netlist of the RTL, and the
//! emitted Verilog under Verilator.

use crate::destination::Destination;
use crate::progress::Progress;
use crate::usage::note;
use anyhow::bail;
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::Arc;
use turnpike_fabric::plan::FabricPlan;
use turnpike_sim_bench::testbench::RunError;
use turnpike_sim_bench::testbench::fabric::{Observer, Until, run_fabric_observed};
use turnpike_sim_bench::testbench::terminals::FabricDut;
use turnpike_sim_bench::verilated::{Builds, Simulator, Verilator};
use turnpike_sim_network::stimulus::{Driver, ReferenceModel, Stimulus};

/// An engine beside the reference router.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Comparison {
    /// Whether every output was equal in every cycle.
    pub equal: bool,
    /// Cycles compared, to the first difference where there is one.
    pub cycles: u64,
    /// First difference from the reference router, where there is one.
    pub difference: Option<String>,
}

/// The circuit of a plan, with the nets inside it where a waveform shows them.
///
/// # Errors
/// A netlist that does not hold together: a bug in Turnpike.
pub fn circuit(plan: &FabricPlan, inside: bool) -> anyhow::Result<FabricDut> {
    let _progress = Progress::spinner("building the RTL");
    Ok(if inside { FabricDut::new(plan)? } else { FabricDut::of_ports(plan)? })
}

/// Runs a stimulus on the circuit.
///
/// # Errors
/// A waveform that cannot be written.
pub fn rtl(
    circuit: FabricDut,
    plan: &FabricPlan,
    stimulus: &Arc<Stimulus>,
    cycles: u64,
    waveform: Option<&Destination>,
) -> anyhow::Result<Comparison> {
    let progress = Progress::steps(cycles.max(1), "RTL netlist");
    let observer = Observer::new(move |done| progress.at(done, Some(cycles)));
    let (until, vcd) = (Until::Cycle(cycles), waveform.map(Destination::unfinished));
    match run_fabric_observed(circuit, plan, stimulus, until, vcd, observer) {
        Ok(_) => Ok(Comparison { equal: true, cycles, difference: None }),
        Err(RunError::Failure(failure)) => Ok(Comparison {
            equal: false,
            cycles: failure.cycle + 1,
            difference: Some(failure.to_string()),
        }),
        Err(RunError::Vcd { error, path }) => {
            let shown = waveform.map_or(path, |w| w.shown().display().to_string());
            bail!("cannot write the waveform {shown}: {error}")
        }
        Err(error) => Err(error.into()),
    }
}

/// Builds the emitted Verilog under Verilator, where that was not done before, runs a stimulus and compares digests.
///
/// # Errors
/// A build or a run that fails.
pub fn verilator(
    verilator: &Verilator,
    plan: &FabricPlan,
    stimulus: &Stimulus,
    cycles: u64,
) -> anyhow::Result<Comparison> {
    let progress = Progress::spinner("building the Verilog under Verilator");
    let simulator = Simulator::build(verilator, plan, Builds::of_user().as_ref())?;
    if let Some(why) = simulator.not_kept() {
        note(format!("the build under Verilator is not kept for the next time: {why}"));
    }
    progress.message("running the Verilog under Verilator");
    let found = simulator.run(stimulus, cycles)?;
    progress.message("comparing with the reference router");
    let mut reference = ReferenceModel::new(plan, stimulus)?;
    let mut driver = Driver::new(stimulus);
    if found.digests.len() as u64 != cycles {
        bail!("internal error: {} digests of {cycles} cycles", found.digests.len());
    }
    for (cycle, digest) in (0..).zip(&found.digests) {
        let expected = driver.step(&mut reference);
        if *digest != expected {
            let difference = format!("cycle {cycle}: digest {digest:016x}, not {expected:016x}");
            let difference = Some(difference);
            return Ok(Comparison { equal: false, cycles: cycle + 1, difference });
        }
    }
    Ok(Comparison { equal: true, cycles, difference: None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnpike_analysis::network::Network;
    use turnpike_fabric::plan::Parameters;
    use turnpike_fabric::rtl::fabric::fabric;
    use turnpike_sim_rtl::dut::Dut;

    fn plan(routing: &str) -> FabricPlan {
        let network = Network::new("hypercube", 3, Some(routing), None).unwrap();
        FabricPlan::new(Arc::new(network), Parameters::default(), None).unwrap()
    }

    /// The circuit of another routing has the same ports and is found out.
    #[test]
    fn a_difference_names_cycle_terminal_and_signal() {
        let (plan, other) = (plan("rotation"), plan("ecube"));
        let stimulus = Arc::new(Stimulus::new(&plan, 1).with_all_pairs(3));
        let good = rtl(circuit(&plan, false).unwrap(), &plan, &stimulus, 200, None).unwrap();
        assert!(good.equal && good.cycles == 200 && good.difference.is_none());
        let wrong = FabricDut::of(Dut::new(&fabric(&other).unwrap()), &plan);
        let found = rtl(wrong, &plan, &stimulus, 200, None).unwrap();
        assert!(!found.equal && found.cycles < 200);
        let difference = found.difference.unwrap();
        let place = format!("cycle {}: terminal ", found.cycles - 1);
        assert!(difference.starts_with(&place) && difference.contains("axis_t"), "{difference}");
    }
}

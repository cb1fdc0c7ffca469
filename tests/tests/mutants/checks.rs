//! What every mutant, and the fabric without a fault, is put to: lint, the emitted testbench,
//! lockstep.

use std::path::Path;
use std::time::Duration;

use turnpike_fabric::plan::{FabricPlan, Parameters};
use turnpike_fabric::testing::Named;
use turnpike_sim_network::stimulus::{ReferenceModel, bursts, record};
use turnpike_tests::fabric::{Fabric, sources, with_testbench};
use turnpike_tests::icarus::Icarus;
use turnpike_tests::lockstep::Lockstep;
use turnpike_tests::require;
use turnpike_tests::verilator::Verilator;

/// A run of the testbench takes some seconds; a fabric that is stuck takes it to its own
/// limit of idle cycles.
const LIMIT: Duration = Duration::from_secs(300);

/// Seeds and cycles of the lockstep: one long run, and short ones, for what happens only once
/// after each reset.
fn lockstep_runs() -> impl Iterator<Item = (u64, u64)> {
    std::iter::once((11, 6_000)).chain((12..36).map(|seed| (seed, 200)))
}

/// A run of the lockstep.
struct Run {
    stimulus: String,
    /// The reference router's digest of each cycle.
    wanted: Vec<u64>,
}

impl Run {
    fn new(plan: &FabricPlan, seed: u64, cycles: u64) -> Self {
        let stimulus = bursts(plan, seed, cycles);
        let mut model = ReferenceModel::new(plan, &stimulus).unwrap();
        let wanted = record(&mut model, &stimulus, cycles).digests;
        let mut text = Vec::new();
        stimulus.write(&mut text).unwrap();
        Self { stimulus: String::from_utf8(text).unwrap(), wanted }
    }

    /// The first difference.
    fn difference(&self, lockstep: &Lockstep) -> Option<String> {
        match lockstep.run(&self.stimulus, self.wanted.len() as u64, LIMIT) {
            Err(error) => Some(error),
            Ok(found) => {
                assert_eq!(found.digests.len(), self.wanted.len());
                let mut pairs = found.digests.iter().zip(&self.wanted);
                let cycle = pairs.position(|(a, b)| a != b)?;
                Some(format!("cycle {cycle} differs"))
            }
        }
    }
}

/// The tools.
pub struct Bench {
    icarus: Icarus,
    verilator: Verilator,
}

impl Bench {
    /// All of them or nothing.
    pub fn new() -> Option<Self> {
        Some(Self { icarus: require::<Icarus>()?, verilator: require::<Verilator>()? })
    }
}

/// A fabric and what its reference router does.
pub struct Subject {
    /// The fabric without a fault.
    pub fabric: Fabric,
    runs: Vec<Run>,
}

impl Subject {
    /// The fabric of this name and parameters.
    pub fn new(fabric: Named, parameters: Parameters) -> Self {
        let fabric = Fabric::of(fabric, parameters);
        let run = |(seed, cycles)| Run::new(&fabric.plan, seed, cycles);
        Self { runs: lockstep_runs().map(run).collect(), fabric }
    }
}

/// What the checks said of one folder; `None` where one had nothing against it.
#[derive(Debug, Default)]
pub struct MutantVerdict {
    /// Verilator's lint: the kinds of warnings.
    pub lint: Option<String>,
    /// The emitted self-checking testbench on Icarus: its first words.
    pub testbench: Option<String>,
    /// Lockstep with the reference router, which is left out where the testbench had something
    /// to say: the first difference.
    pub lockstep: Option<String>,
}

impl MutantVerdict {
    /// Whether every check passed.
    pub fn is_clean(&self) -> bool {
        self.lint.is_none() && self.testbench.is_none() && self.lockstep.is_none()
    }

    /// Whether the fault showed when the hardware ran, or is one of structure: a loop. A net
    /// that is left unused is a hint and not enough.
    pub fn is_caught(&self) -> bool {
        let loops = self.lint.as_ref().is_some_and(|kinds| kinds.contains("UNOPTFLAT"));
        loops || self.testbench.is_some() || self.lockstep.is_some()
    }
}

/// The checks on a folder, the cheapest first. With `all`, none is left out.
pub fn check(bench: &Bench, subject: &Subject, folder: &Path, all: bool) -> MutantVerdict {
    let mut verdict = MutantVerdict {
        lint: lint(bench, subject, folder),
        testbench: testbench(bench, subject, folder),
        lockstep: None,
    };
    if all || verdict.testbench.is_none() {
        verdict.lockstep = lockstep(bench, subject, folder);
    }
    verdict
}

fn lint(bench: &Bench, subject: &Subject, folder: &Path) -> Option<String> {
    let report = bench.verilator.lint(&sources(folder, &subject.fabric.plan.name));
    if report.is_clean() {
        return None;
    }
    let kind = |line: &String| {
        let (_, rest) = line.split_once("%Warning-")?;
        Some(rest.split(':').next()?.to_owned())
    };
    let mut kinds: Vec<String> = report.findings.iter().filter_map(kind).collect();
    kinds.dedup();
    // A mutant must be Verilog, or nothing is shown.
    assert!(!kinds.is_empty(), "{report}");
    Some(kinds.join(" "))
}

fn testbench(bench: &Bench, subject: &Subject, folder: &Path) -> Option<String> {
    let sources = with_testbench(folder, &subject.fabric.plan.name);
    let report = bench.icarus.simulate(&sources, &[], LIMIT);
    let output = &report.run.stdout;
    if report.is_clean() && output.starts_with("PASS: ") {
        return None;
    }
    assert_eq!(report.what, "Icarus simulation", "a mutant must be Verilog: {report}");
    let ended = report.run.status.is_some();
    Some(if ended { output.lines().next().unwrap_or_default() } else { "no end" }.to_owned())
}

fn lockstep(bench: &Bench, subject: &Subject, folder: &Path) -> Option<String> {
    let sources = sources(folder, &subject.fabric.plan.name);
    let built = match Lockstep::build(&bench.verilator, &sources, subject.fabric.defines()) {
        Ok(built) => built,
        // What Verilator warns of even without `-Wall`: the lint has said so.
        Err(report) if report.what == "Verilator" => return None,
        Err(report) => panic!("{report}"),
    };
    subject.runs.iter().find_map(|run| run.difference(&built))
}

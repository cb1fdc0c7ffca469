//! `turnpike verify --formal`: runs the proofs that stand beside the RTL.

mod text;

use text::text;

use crate::format::FormatOption;
use crate::kinds::{Identity, Reported};
use crate::progress::Progress;
use crate::tabular::{Document, ReportKind};
use crate::{Report, Verdict};
use anyhow::Context as _;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};
use turnpike_base::staging::Staging;
use turnpike_emit::formal::{Kind, Proof, Proofs, Task};
use turnpike_emit::{File, Vlnv, folder};
use turnpike_fabric::report::Configuration;
use turnpike_flow::sby::{self, Ended, Outcome};
use turnpike_flow::{jobs, tool};

/// Result of a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum ProofVerdict {
    /// Proven for ever.
    Proved,
    /// Proven for as many cycles as the row says.
    Bounded,
    /// Reached: a trace to everything that the properties speak of.
    Reached,
    /// Skipped: there is nothing that the property could speak of; it is not claimed.
    Skipped,
    /// Refuted by a counterexample.
    Refuted,
    /// Vacuous: the property holds, but something that it speaks of is not reached.
    Vacuous,
    /// Unreached: something is not reached.
    Unreached,
    /// Yosys read the design with a warning.
    Warned,
    /// The engine gave up.
    Unknown,
    /// Undecided at the time limit.
    TimeLimit,
}

impl ProofVerdict {
    /// Verdict on the fabric.
    fn ending(self) -> Verdict {
        match self {
            Self::Proved | Self::Bounded | Self::Reached | Self::Skipped => Verdict::Holds,
            Self::Refuted | Self::Vacuous | Self::Unreached | Self::Warned => Verdict::Fails,
            Self::Unknown | Self::TimeLimit => Verdict::Undecided,
        }
    }

    /// Whether something fails, so that its logs and its trace are worth keeping.
    fn fails(self) -> bool {
        self.ending() == Verdict::Fails
    }
}

/// Verdict of all rows together: one that fails decides; otherwise one that is open leaves all
/// open. Where no proof ran nothing is known.
fn ending(rows: &[ProofRow]) -> Verdict {
    if !any_ran(rows) {
        return Verdict::Undecided;
    }
    let any = |ending| rows.iter().any(|row| row.result.ending() == ending);
    [Verdict::Fails, Verdict::Undecided].into_iter().find(|&e| any(e)).unwrap_or(Verdict::Holds)
}

/// Whether there was anything to prove that was not skipped.
fn any_ran(rows: &[ProofRow]) -> bool {
    rows.iter().any(|row| row.result != ProofVerdict::Skipped)
}

/// A proof.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ProofRow {
    /// Name of the module.
    module: String,
    /// The SymbiYosys file and its task.
    file: String,
    /// Name of the task in the file.
    task: String,
    /// Properties that are proven.
    properties: &'static str,
    /// Engine of the proof.
    engine: &'static str,
    /// Result of the proof.
    result: ProofVerdict,
    /// Depth of the proof in cycles, where it has a bound.
    cycles: Option<u32>,
    /// Details: the property that fails, or the reason that there is nothing to show.
    details: Vec<String>,
    /// SymbiYosys' folder with the trace, where one is kept.
    trace: Option<PathBuf>,
    /// Time that the proof took, in seconds.
    seconds: f64,
}

/// Proofs of a fabric, under the head of its kind.
#[derive(Serialize, JsonSchema)]
struct FormalReport<'a, H> {
    /// Version of these fields: 2; of circuits and busses 1.
    schema_version: u32,
    /// The fabric.
    #[serde(flatten)]
    fabric: H,
    /// Whether every proof holds; `null` where that is not decided, as where there is none.
    holds: Option<bool>,
    /// Every proof.
    proofs: &'a [ProofRow],
}

impl<H: Serialize + JsonSchema> Document for FormalReport<'_, H> {
    const ROWS: Option<&'static str> = Some("proofs");
}

/// Entry in the list of reports.
pub const REPORT: ReportKind = ReportKind::of::<FormalReport<'_, Configuration>>(
    "verify_formal",
    "proofs (`verify --formal`)",
);

/// Entry in the list of reports, of circuit fabrics.
pub const CIRCUIT_REPORT: ReportKind = ReportKind::of::<FormalReport<'_, Identity>>(
    "verify_circuit_formal",
    "proofs of a circuit fabric (`verify --kind circuit --formal`)",
);

/// Entry in the list of reports, of slotted fabrics.
pub const SLOTTED_REPORT: ReportKind = ReportKind::of::<FormalReport<'_, Identity>>(
    "verify_slotted_formal",
    "proofs of a slotted fabric (`verify --kind slotted --formal`)",
);

/// Entry in the list of reports, of bus fabrics.
pub const BUS_REPORT: ReportKind = ReportKind::of::<FormalReport<'_, Identity>>(
    "verify_bus_formal",
    "proofs of a bus fabric (`verify ocpc --formal`)",
);

/// Results of the proofs of a fabric.
pub struct Proven {
    pub rows: Vec<ProofRow>,
    /// Verdict of all rows together.
    pub verdict: Verdict,
}

/// Runs every proof of a fabric, as many at once as there are cores, each for `limit` at most.
///
/// # Errors
/// A fabric without RTL, a missing tool, a tool that fails.
pub fn run<F: Reported>(
    fabric: &F,
    limit: Duration,
    format: FormatOption,
) -> anyhow::Result<Report> {
    fabric.check_rtl()?;
    let folder = fabric.folder(None, &Vlnv::default())?;
    let Proven { rows, verdict } = prove(fabric.name(), &folder.files, &folder.proofs, limit)?;
    let report = FormalReport {
        schema_version: F::VERIFY_VERSION,
        fabric: fabric.head(),
        holds: match verdict {
            Verdict::Holds => Some(true),
            Verdict::Fails => Some(false),
            Verdict::Undecided | Verdict::Interrupted => None,
        },
        proofs: &rows,
    };
    format.report(&report, verdict, || text(&fabric.canonical(), &rows, verdict, limit))
}

/// Runs the proofs of the fabric of this name, whose files these are.
///
/// # Errors
/// A missing tool, a tool that fails.
pub fn prove(
    name: &str,
    files: &[File],
    proofs: &Proofs,
    limit: Duration,
) -> anyhow::Result<Proven> {
    let sby = tool::SBY.find()?;
    let work = Staging::temporary().context("cannot make a temporary folder")?;
    let fabric = work.path().join("fabric");
    folder::write(&fabric, files, false)?;
    let tasks: Vec<(&Proof, &Task)> =
        proofs.proofs.iter().flat_map(|p| p.tasks.iter().map(move |t| (p, t))).collect();
    let progress = Progress::steps(tasks.len() as u64, "proving");
    let ended = jobs::run(&tasks, |(proof, task)| {
        let ended = sby::run(&sby, &fabric, &proof.path, &task.name, limit);
        progress.step();
        ended
    });
    let ended = match ended {
        Ok(ended) => ended,
        Err(error) => {
            let kept = keep(&fabric.join("work"), kept_folder(name)?)?;
            return Err(
                anyhow::Error::new(error).context(format!("logs are in {}", kept.display()))
            );
        }
    };
    drop(progress);
    let mut rows: Vec<ProofRow> =
        tasks.iter().zip(&ended).map(|((p, t), e)| row(p, t, e)).collect();
    mark_vacuous(&mut rows);
    rows.extend(proofs.nothing_to_show.iter().map(|nothing| ProofRow {
        module: nothing.module.clone(),
        file: String::new(),
        task: String::new(),
        properties: nothing.properties,
        engine: "",
        result: ProofVerdict::Skipped,
        cycles: None,
        details: vec![nothing.why.to_owned()],
        trace: None,
        seconds: 0.0,
    }));
    if rows.iter().any(|row| row.result.fails()) {
        let kept = kept_folder(name)?;
        for (row, ended) in rows.iter_mut().zip(&ended).filter(|(row, _)| row.result.fails()) {
            let name = ended.folder.file_name().unwrap_or_default();
            row.trace = Some(keep(&ended.folder, kept.join(name))?);
        }
    }
    let verdict = ending(&rows);
    Ok(Proven { rows, verdict })
}

fn row(proof: &Proof, task: &Task, ended: &Ended) -> ProofRow {
    let (result, details) = match (&ended.outcome, task.kind) {
        (Outcome::Passed, Kind::Proof | Kind::Induction(_)) => (ProofVerdict::Proved, Vec::new()),
        (Outcome::Passed, Kind::Bounded(_)) => (ProofVerdict::Bounded, Vec::new()),
        (Outcome::Passed, Kind::Cover(_)) => (ProofVerdict::Reached, Vec::new()),
        (Outcome::Failed { properties }, Kind::Cover(_)) => {
            (ProofVerdict::Unreached, properties.clone())
        }
        (Outcome::Failed { properties }, _) => (ProofVerdict::Refuted, properties.clone()),
        (Outcome::Warned { warnings }, _) => (ProofVerdict::Warned, warnings.clone()),
        (Outcome::Unknown, _) => (ProofVerdict::Unknown, Vec::new()),
        (Outcome::TimeLimit, _) => (ProofVerdict::TimeLimit, Vec::new()),
    };
    ProofRow {
        module: task.module.clone(),
        file: proof.path.clone(),
        task: task.name.clone(),
        properties: task.properties,
        engine: task.kind.engine(),
        result,
        cycles: task.kind.cycles(),
        details,
        trace: None,
        seconds: (ended.elapsed.as_secs_f64() * 10.0).round() / 10.0,
    }
}

/// A proof beside which something is not reached shows nothing.
fn mark_vacuous(rows: &mut [ProofRow]) {
    let unreached: Vec<(String, String)> = rows
        .iter()
        .filter(|row| row.result == ProofVerdict::Unreached)
        .map(|row| (row.file.clone(), row.module.clone()))
        .collect();
    for row in rows.iter_mut() {
        let doubtful = matches!(row.result, ProofVerdict::Proved | ProofVerdict::Bounded);
        if doubtful && unreached.contains(&(row.file.clone(), row.module.clone())) {
            row.result = ProofVerdict::Vacuous;
        }
    }
}

/// A folder that stays.
fn kept_folder(name: &str) -> anyhow::Result<PathBuf> {
    let prefix = format!("turnpike-proofs-{name}-");
    Ok(tempfile::Builder::new().prefix(&prefix).tempdir()?.keep())
}

/// Copies logs and traces to where they stay.
fn keep(work: &Path, kept: PathBuf) -> anyhow::Result<PathBuf> {
    copy(work, &kept).with_context(|| format!("cannot keep traces in {}", kept.display()))?;
    Ok(kept)
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copy(&entry.path(), &target)?,
            false => fs::copy(entry.path(), target).map(drop)?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::text::word;
    use super::*;
    use turnpike_fabric::plan::FabricPlan;
    use turnpike_kind::Fabric;

    fn of(outcome: Outcome, kind: Kind) -> ProofRow {
        let network = turnpike_analysis::network::Network::new("hypercube", 1, None, None).unwrap();
        let plan = FabricPlan::new(std::sync::Arc::new(network), Default::default(), None).unwrap();
        let proofs = plan.folder(None, &Vlnv::default()).unwrap().proofs;
        let proof = &proofs.proofs[0];
        let mut task: Task = proof.tasks[0].clone();
        task.kind = kind;
        row(proof, &task, &Ended { outcome, folder: PathBuf::new(), elapsed: Duration::ZERO })
    }

    #[test]
    fn a_proof_beside_which_nothing_is_reached_is_vacuous() {
        let unreached = Outcome::Failed { properties: vec!["full at x.v:1".to_owned()] };
        let mut rows = [of(Outcome::Passed, Kind::Proof), of(unreached, Kind::Cover(3))];
        assert!(!rows[0].result.fails() && rows[1].result.fails());
        mark_vacuous(&mut rows);
        assert_eq!(rows[0].result, ProofVerdict::Vacuous);
        assert_eq!(word(&rows[1]), "NOT REACHED in 3 cycles");
    }

    #[test]
    fn what_is_not_decided_neither_holds_nor_fails() {
        let kinds = || [Kind::Proof, Kind::Bounded(2), Kind::Cover(2)];
        let warned = Outcome::Warned { warnings: vec!["Warning: x".to_owned()] };
        let passed = kinds().map(|kind| of(Outcome::Passed, kind));
        assert_eq!(ending(&passed), Verdict::Holds);
        for kind in kinds() {
            let fails = of(warned.clone(), kind);
            assert_eq!(fails.result.ending(), Verdict::Fails);
            for outcome in [Outcome::Unknown, Outcome::TimeLimit] {
                let open = of(outcome.clone(), kind);
                let mut rows = passed.to_vec();
                rows.push(open.clone());
                assert_eq!(ending(&rows), Verdict::Undecided, "{outcome:?}");
                rows.insert(0, fails.clone());
                assert_eq!(ending(&rows), Verdict::Fails, "{outcome:?}");
            }
        }
        assert_eq!(word(&of(Outcome::Passed, Kind::Bounded(2))), "holds for 2 cycles");
    }

    /// No proof, or none that ran, is no claim.
    #[test]
    fn without_a_proof_nothing_is_claimed() {
        let mut skipped = of(Outcome::Passed, Kind::Proof);
        skipped.result = ProofVerdict::Skipped;
        for rows in [vec![], vec![skipped.clone()]] {
            assert_eq!(ending(&rows), Verdict::Undecided);
            let text = text("", &rows, Verdict::Undecided, Duration::ZERO);
            assert!(text.contains("NOTHING IS PROVEN") && !text.contains("holds"), "{text}");
        }
        assert_eq!(ending(&[skipped, of(Outcome::Passed, Kind::Proof)]), Verdict::Holds);
    }
}

//! `turnpike search`: a relation whose crossbars meet bounds, or a proof that there is none.

mod report;
mod text;

pub use report::REPORT;

use crate::destination::ForceOption;
use crate::flows_file;
use crate::format::FormatOption;
use crate::input;
use crate::options::values;
use crate::progress::Progress;
use crate::relation_file;
use crate::searching::Searching;
use crate::{Report, Verdict};
use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use report::{Outcome, SearchVerdict};
use std::path::{Path, PathBuf};
use std::time::Instant;
use turnpike_network::topology::{self, Topology};
use turnpike_search::question::{Balanced, Failures, Measure, Question, Symmetric};
use turnpike_search::search::{Answer, Impossible, decide, minimize};
use turnpike_search::solver::Limits;

/// Options of `search`.
#[derive(Args, Debug)]
pub struct SearchOptions {
    /// The topology: hypercube
    pub topology: String,
    /// Dimension of the hypercube, 2 to 10
    #[arg(long, value_name = "K", allow_hyphen_values = true, value_parser = values::whole)]
    pub dim: u32,
    /// Most crosspoints of a switch, those of terminals not counted
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = values::whole)]
    pub max_crosspoints: Option<u32>,
    /// Most crosspoints of an input port
    #[arg(long, value_name = "F", allow_hyphen_values = true, value_parser = values::whole)]
    pub max_fan_out: Option<u32>,
    /// Most crosspoints of an output port
    #[arg(long, value_name = "F", allow_hyphen_values = true, value_parser = values::whole)]
    pub max_fan_in: Option<u32>,
    /// Most routes of all pairs over a channel
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = values::whole)]
    pub max_load: Option<u32>,
    /// Most packets of any permutation over a channel
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = values::whole)]
    pub max_worst_case: Option<u32>,
    /// A node that failed, by its label; repeatable. Routes avoid it
    #[arg(long, value_name = "NODE")]
    pub failed: Vec<String>,
    /// Relation that any one node may fail under: regenerated (a relation made anew for each) or
    /// fixed (one crossbar per switch carries a relation for each)
    #[arg(
        long,
        value_enum,
        value_name = "HOW",
        hide_possible_values = true,
        conflicts_with = "failed"
    )]
    pub any_failure: Option<AnyFailure>,
    /// Channels that a route may have beyond the distance in the whole cube (with --any-failure
    /// fixed, after the failure)
    #[arg(long, value_name = "N", allow_hyphen_values = true, default_value = "0",
          value_parser = values::whole)]
    pub detour: u32,
    /// Most virtual channels
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = values::whole)]
    pub vcs: Option<u32>,
    /// Symmetry of the relation, the same at every node: translations, or rotations with them
    #[arg(long, value_enum, value_name = "HOW", num_args = 0..=1, require_equals = false,
          default_missing_value = "translations", hide_possible_values = true)]
    pub symmetric: Option<Kept>,
    /// Parities that make nodes alike: masks of bits such as 0110,1000, or how many of them (1 to
    /// 3), whichever
    #[arg(long, value_name = "MASKS")]
    pub parities: Option<String>,
    /// Equal all-pairs load on every channel: total, or per-step
    #[arg(long, value_enum, value_name = "HOW", hide_possible_values = true)]
    pub balanced: Option<Scope>,
    /// Greatest difference of balanced loads. Default: 0, unless --minimize imbalance is given
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = values::whole)]
    pub imbalance: Option<u32>,
    /// Next hops of minimal rotations alone, ties broken in any way
    #[arg(long)]
    pub minimal_rotations: bool,
    /// The flows whose routes count, a CSV file with the columns source and destination: crosspoints, loads,
    /// waits and the worst case are of these alone. Default: all pairs
    #[arg(long, value_name = "FILE")]
    pub flows: Option<PathBuf>,
    /// Find the least: crosspoints, fan-in, fan-out, vcs, max-load, worst-case or imbalance
    #[arg(long, value_name = "MEASURE")]
    pub minimize: Option<Measure>,
    /// Seed of the moves of local search, where it takes part
    #[arg(long, value_name = "N", allow_hyphen_values = true, default_value = "1",
          value_parser = values::long)]
    pub seed: u64,
    /// Seconds after which to give up. Default: no limit
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true,
          value_parser = values::positive)]
    pub time_limit: Option<u32>,
    /// The name of the relation that is found
    #[arg(long, value_name = "NAME", default_value = "found")]
    pub name: String,
    /// Write the relation to this file, for --routing; one file more for each failure with
    /// --any-failure fixed
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// If no relation exists: write the proof to this file (DRAT) and the formula to FILE.cnf
    /// (DIMACS), and check the proof. An earlier proof there is removed if this question has none
    #[arg(long, value_name = "FILE")]
    pub proof: Option<PathBuf>,
    /// Whether files that are there are overwritten.
    #[command(flatten)]
    pub force: ForceOption,
    /// Format of the report.
    #[command(flatten)]
    pub format: FormatOption,
}

/// Relations and crossbars after a failure of any node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum AnyFailure {
    /// With a relation and crossbars made anew.
    Regenerated,
    /// With the same crossbars.
    Fixed,
}

/// Symmetry that a relation keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Kept {
    /// Translations of the cube.
    Translations,
    /// Rotations of the dimensions, too.
    Rotations,
}

/// Scope in which loads are equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Scope {
    /// Loads over all steps together.
    Total,
    /// At each step.
    PerStep,
}

impl SearchOptions {
    /// The question that is asked.
    ///
    /// # Errors
    /// Another topology, a label of no node.
    pub fn question(&self) -> anyhow::Result<Question> {
        let kind = topology::find(&self.topology)?;
        if kind.name != "hypercube" {
            bail!(
                "search knows the hypercube alone, not {0}; turnpike design {0} finds routes for flows",
                kind.name
            );
        }
        if self.minimize == Some(Measure::Imbalance) && self.balanced.is_none() {
            bail!("--minimize imbalance: say where, --balanced total or per-step");
        }
        let mut question = Question {
            crosspoints: self.max_crosspoints,
            fan_out: self.max_fan_out,
            fan_in: self.max_fan_in,
            load: self.max_load,
            worst_case: self.max_worst_case,
            vcs: self.vcs,
            detour: self.detour,
            imbalance: self.imbalance.unwrap_or(match self.minimize {
                // No load is larger than all pairs together.
                Some(Measure::Imbalance) => u32::MAX,
                _ => 0,
            }),
            minimal_rotations: self.minimal_rotations,
            symmetric: match self.symmetric {
                None => Symmetric::No,
                Some(Kept::Translations) => Symmetric::Translations,
                Some(Kept::Rotations) => Symmetric::Rotations,
            },
            balanced: self.balanced.map(|scope| match scope {
                Scope::Total => Balanced::Total,
                Scope::PerStep => Balanced::PerStep,
            }),
            ..Question::new(self.dim)
        };
        let cube = kind.build(self.dim)?;
        let nodes = |labels: &mut dyn Iterator<Item = &str>| {
            let nodes = labels.map(|label| cube.node(label).map(|node| node.0));
            nodes.collect::<Result<Vec<_>, _>>()
        };
        if let Some(parities) = &self.parities {
            question.symmetric = match parities.parse() {
                // A mask has as many digits as the cube has dimensions: two or more.
                Ok(count) if parities.len() == 1 => Symmetric::AnyParities(count),
                _ => Symmetric::Parities(nodes(&mut parities.split(',')).context("--parities")?),
            };
        }
        question.failures = match self.any_failure {
            Some(AnyFailure::Regenerated) => Failures::Regenerated,
            Some(AnyFailure::Fixed) => Failures::Fixed,
            None => {
                let failed = nodes(&mut self.failed.iter().map(String::as_str))?;
                Failures::Given(failed.into_iter().collect())
            }
        };
        question.flows = self.flows.as_deref().map(|path| pairs(path, &*cube)).transpose()?;
        question.check()?;
        Ok(question)
    }
}

/// The pairs of a file of flows.
fn pairs(path: &Path, cube: &dyn Topology) -> anyhow::Result<Vec<(u32, u32)>> {
    let list = flows_file::read(path)?;
    if list.has_classes() {
        let why = "each message class has a relation of its own; search for one class at a time";
        return Err(input::fault(path, None, why));
    }
    let flows = list.on(cube).map_err(|flaw| input::fault(path, flaw.line, flaw.error))?;
    Ok(flows.list().iter().map(|flow| (flow.source.0, flow.destination.0)).collect())
}

/// Runs it. That there is none does not hold.
///
/// # Errors
/// A question that contradicts itself, a file that cannot be written.
pub fn run(options: &SearchOptions) -> anyhow::Result<Report> {
    let question = options.question()?;
    relation_file::check_name(&options.name)?;
    // Before the search, which may take long.
    let relations = report::Relations::new(options.save.as_deref(), &question, options.force)?;
    let proof = options.proof.as_deref().map(|path| report::Proof::new(path, options.force));
    let proof = proof.transpose()?;
    let began = Instant::now();
    let searching = Searching::new(Progress::spinner("searching"), "searching");
    let limits = Limits { seed: options.seed, ..searching.limits(began, options.time_limit) };
    let (name, unfinished) = (&*options.name, proof.as_ref().map(report::Proof::unfinished));
    let verdict = match options.minimize {
        None => match decide(&question, name, &limits, unfinished)? {
            Answer::Found(found) => SearchVerdict::Found(found),
            Answer::None(why) => SearchVerdict::None(why),
            Answer::Unknown => SearchVerdict::Undecided,
        },
        Some(measure) => {
            let each = |value| searching.message(&format!("{} {value}, less?", measure.name()));
            let least = minimize(&question, measure, name, &limits, unfinished, each)?;
            match (least.best, least.proven) {
                (Some(best), proven) => SearchVerdict::Least(best, proven),
                (None, Some(why)) => SearchVerdict::None(why),
                (None, None) => SearchVerdict::Undecided,
            }
        }
    };
    let interrupted = limits.is_interrupted();
    let by_solver = matches!(verdict.why(), Some(Impossible::BySolver { .. }));
    // Where nothing is decided, a proof that is there may well be this question's.
    let is_other = !by_solver && (verdict.found().is_some() || verdict.why().is_some());
    let outcome = Outcome {
        question: &question,
        measure: options.minimize,
        verdict: &verdict,
        seed: options.seed,
        seconds: began.elapsed().as_secs_f64(),
        time_limit: options.time_limit.filter(|_| !interrupted),
        save: options.save.as_deref(),
        proof: options.proof.as_deref().filter(|_| by_solver),
        no_proof: options.proof.as_deref().filter(|_| is_other),
    };
    if let Some(found) = verdict.found() {
        relations.write(found)?;
    }
    match proof {
        Some(proof) if by_solver => proof.keep()?,
        Some(proof) if is_other => proof.discard()?,
        _ => {}
    }
    let verdict = match &verdict {
        SearchVerdict::Found(_) | SearchVerdict::Least(_, Some(_)) => Verdict::Holds,
        SearchVerdict::None(_) => Verdict::Fails,
        SearchVerdict::Undecided | SearchVerdict::Least(_, None) if interrupted => {
            Verdict::Interrupted
        }
        SearchVerdict::Undecided | SearchVerdict::Least(_, None) => Verdict::Undecided,
    };
    options.format.report(&outcome.document(), verdict, || text::report(&outcome))
}

/// The file of the relation after a failure, beside that of the relation before.
fn after_failure(path: &Path, label: &str) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let suffix = path.extension().map(|e| format!(".{}", e.to_string_lossy()));
    path.with_file_name(format!("{stem}-without-{label}{}", suffix.unwrap_or_default()))
}

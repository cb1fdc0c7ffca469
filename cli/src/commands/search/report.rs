//! Result of a search, and the files that it goes to.

use super::after_failure;
use crate::destination::{Destination, ForceOption};
use crate::tabular::{Document, ReportKind};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::Path;
use turnpike_network::routing::given::Given;
use turnpike_search::answer::{Figures, Found};
use turnpike_search::cube::label;
use turnpike_search::encode::scenarios;
use turnpike_search::proof::formula_of;
use turnpike_search::question::{Measure, Question};
use turnpike_search::search::Impossible;

pub enum SearchVerdict {
    /// A relation.
    Found(Box<Found>),
    /// Relation with the least value found, and the reason that less is impossible, where that is
    /// known.
    Least(Box<Found>, Option<Impossible>),
    /// No relation answers.
    None(Impossible),
    /// Whether there is one is not known.
    Undecided,
}

impl SearchVerdict {
    /// The relation, if there is one.
    pub fn found(&self) -> Option<&Found> {
        match self {
            Self::Found(found) | Self::Least(found, _) => Some(found),
            Self::None(_) | Self::Undecided => None,
        }
    }

    /// Reason that there is none, or none with less, where that is known.
    pub fn why(&self) -> Option<&Impossible> {
        match self {
            Self::None(why) | Self::Least(_, Some(why)) => Some(why),
            Self::Found(_) | Self::Least(_, None) | Self::Undecided => None,
        }
    }
}

/// All there is to say.
pub struct Outcome<'a> {
    /// Question that was asked.
    pub question: &'a Question,
    /// Measure that was to be least.
    pub measure: Option<Measure>,
    /// Verdict on the question.
    pub verdict: &'a SearchVerdict,
    /// Seed of the moves of local search.
    pub seed: u64,
    /// Time of the search, in seconds.
    pub seconds: f64,
    /// After how many seconds it was to end, where nothing else ended it.
    pub time_limit: Option<u32>,
    /// Path of the relation.
    pub save: Option<&'a Path>,
    pub proof: Option<&'a Path>,
    /// Path that a proof was asked for at, where there is none.
    pub no_proof: Option<&'a Path>,
}

impl Outcome<'_> {
    /// The measures that were found, each with its value.
    pub fn figures(&self, figures: &Figures) -> Vec<(&'static str, u32)> {
        let mut all = vec![
            ("crosspoints", figures.crosspoints),
            ("crosspoints_in_all", figures.crosspoints_in_all),
            ("fan_in", figures.fan_in),
            ("fan_out", figures.fan_out),
            ("virtual_channels", figures.vcs),
            ("max_load", figures.max_load),
            ("imbalance", figures.imbalance),
            ("imbalance_per_step", figures.imbalance_per_step),
            ("detour", figures.detour),
        ];
        all.extend(figures.worst_case.map(|load| ("worst_case", load)));
        all
    }

    /// Whether local search found the relation.
    pub fn by_local_search(&self) -> bool {
        self.verdict.found().is_some_and(|found| found.by_local_search)
    }

    /// Verdict in one word.
    fn word(&self) -> &'static str {
        match self.verdict {
            SearchVerdict::Found(_) => "found",
            SearchVerdict::Least(_, Some(_)) => "least",
            SearchVerdict::Least(_, None) => "least found",
            SearchVerdict::None(_) => "none",
            SearchVerdict::Undecided => "undecided",
        }
    }

    /// Report for programs.
    pub fn document(&self) -> SearchReport {
        let found = self.verdict.found();
        let label = |&mask: &u32| label(self.question.dimension, mask);
        let parities = found.and_then(|found| found.parities.as_ref());
        let relations = found.into_iter().flat_map(|found| &found.relations);
        let relation =
            |given: &Given| FoundRelation { failed: given.failed.clone(), text: given.text() };
        SearchReport {
            schema_version: 2,
            topology: "hypercube",
            dimension: self.question.dimension,
            flows: self.question.flows.as_ref().map(Vec::len),
            verdict: self.word(),
            minimized: self.measure.map(Measure::name),
            figures: found.map(|found| FiguresReport::of(&found.figures)),
            local_search_seed: self.by_local_search().then_some(self.seed),
            parities: parities.map(|masks| masks.iter().map(label).collect()),
            impossible: self.verdict.why().map(Why::of),
            proof: self.proof.map(|path| path.display().to_string()),
            formula: self.proof.map(|path| formula_of(path).display().to_string()),
            relations: relations.map(relation).collect(),
        }
    }
}

/// Report of a search.
#[derive(Serialize, JsonSchema)]
pub struct SearchReport {
    /// Version of these fields: 2.
    schema_version: u32,
    /// The topology that was searched.
    topology: &'static str,
    /// Dimension of the hypercube.
    dimension: u32,
    /// Number of flows whose routes count; absent where those of all pairs do.
    #[serde(skip_serializing_if = "Option::is_none")]
    flows: Option<usize>,
    /// `found`, `least`, `least found` (less is not ruled out), `none` or `undecided`.
    verdict: &'static str,
    /// Measure that was to be least.
    minimized: Option<&'static str>,
    /// The figures of what was found.
    figures: Option<FiguresReport>,
    /// Seed of the moves of local search, where it found the relation.
    local_search_seed: Option<u64>,
    /// Masks whose parities the relation goes by, where it was asked to.
    parities: Option<Vec<String>>,
    /// Reason that there is none, or none with less.
    impossible: Option<Why>,
    /// The file of the proof.
    proof: Option<String>,
    /// File of the formula that the proof refutes.
    formula: Option<String>,
    /// Relations that were found: one, or one for each failure.
    relations: Vec<FoundRelation>,
}

impl Document for SearchReport {}

/// Entry in the list of reports.
pub const REPORT: ReportKind =
    ReportKind::of::<SearchReport>("search", "a relation that meets bounds (`search`)");

/// Figures of the relation by the ordinary analysis.
#[derive(Serialize, JsonSchema)]
struct FiguresReport {
    /// The most crosspoints of a switch, those of terminals not counted.
    crosspoints: u32,
    /// Crosspoints of all switches.
    crosspoints_in_all: u32,
    /// The most crosspoints of an output port.
    fan_in: u32,
    /// The most crosspoints of an input port.
    fan_out: u32,
    /// Number of virtual channels.
    virtual_channels: u32,
    /// The most routes over a channel.
    max_load: u32,
    /// The most packets of a permutation over a channel, where that was bounded or to be least.
    worst_case: Option<u32>,
    /// The largest difference of loads.
    imbalance: u32,
    /// Difference of the largest and the least load at the step where it is largest.
    imbalance_per_step: u32,
    /// The most channels of a route beyond the distance in the whole cube.
    detour: u32,
}

impl FiguresReport {
    fn of(figures: &Figures) -> Self {
        Self {
            crosspoints: figures.crosspoints,
            crosspoints_in_all: figures.crosspoints_in_all,
            fan_in: figures.fan_in,
            fan_out: figures.fan_out,
            virtual_channels: figures.vcs,
            max_load: figures.max_load,
            worst_case: figures.worst_case,
            imbalance: figures.imbalance,
            imbalance_per_step: figures.imbalance_per_step,
            detour: figures.detour,
        }
    }
}

/// Reason that something is impossible: an argument, or formulas without a solution.
#[derive(Default, Serialize, JsonSchema)]
struct Why {
    /// Argument that shows it, where one does.
    argument: Option<String>,
    /// Formulas that a solver refuted.
    formulas: Option<usize>,
    /// Variables of the formulas, in all.
    variables: Option<u64>,
    /// Clauses of the formulas, in all.
    clauses: Option<usize>,
    /// Whether another program checked the proof.
    proof_checked: Option<bool>,
}

impl Why {
    fn of(why: &Impossible) -> Self {
        match why {
            Impossible::ByArgument(argument) => {
                Self { argument: Some(argument.clone()), ..Self::default() }
            }
            &Impossible::BySolver { formulas, variables, clauses, checked } => Self {
                formulas: Some(formulas),
                variables: Some(variables),
                clauses: Some(clauses),
                proof_checked: Some(checked),
                ..Self::default()
            },
        }
    }
}

/// A relation that was found.
#[derive(Serialize, JsonSchema)]
struct FoundRelation {
    /// The nodes that it goes around.
    failed: Vec<String>,
    /// Text of the relation's file.
    text: String,
}

/// The files of the relations, their places made sure of.
pub struct Relations(Vec<Destination>);

impl Relations {
    /// Files of the relations that the question is about, one each; none without a path. none
    /// without a path.
    ///
    /// # Errors
    /// As [`Destination::new`].
    pub fn new(
        save: Option<&Path>,
        question: &Question,
        force: ForceOption,
    ) -> anyhow::Result<Self> {
        let Some(path) = save else { return Ok(Self(Vec::new())) };
        let mut files: Vec<Destination> = Vec::new();
        for (failed, _) in scenarios(question) {
            let labels: String =
                failed.iter().map(|&node| label(question.dimension, node)).collect();
            let example = "found.relation";
            files.push(match files.first() {
                None => Destination::new(path, example, force)?,
                Some(first) => first.beside(&after_failure(path, &labels), example)?,
            });
        }
        Ok(Self(files))
    }

    /// Writes them.
    ///
    /// # Errors
    /// As [`Destination::write`].
    pub fn write(self, found: &Found) -> anyhow::Result<()> {
        for (destination, given) in self.0.into_iter().zip(&found.relations) {
            destination.write(&given.text())?;
        }
        Ok(())
    }
}

/// The files of a proof and of its formula, their places made sure of.
pub struct Proof {
    proof: Destination,
    formula: Destination,
}

impl Proof {
    /// The proof is to stand in `path`.
    ///
    /// # Errors
    /// As [`Destination::new`].
    pub fn new(path: &Path, force: ForceOption) -> anyhow::Result<Self> {
        let proof = Destination::new(path, "search.drat", force)?;
        let formula = proof.beside(&formula_of(path), "search.drat.cnf")?;
        Ok(Self { proof, formula })
    }

    /// Path at which the proof is written before it is whole; the formula stands beside it.
    pub fn unfinished(&self) -> &Path {
        self.proof.unfinished()
    }

    /// Puts both in place.
    ///
    /// # Errors
    /// As [`Destination::keep`].
    pub fn keep(self) -> anyhow::Result<()> {
        self.formula.keep_from(&formula_of(self.proof.unfinished()))?;
        self.proof.keep()
    }

    /// Takes an earlier proof away, with its formula: it would pass for one of this question, which
    /// has none.
    ///
    /// # Errors
    /// As [`Destination::discard`].
    pub fn discard(self) -> anyhow::Result<()> {
        self.proof.discard()?;
        self.formula.discard()
    }
}

//! What a search comes to, and the files that it goes to.

use super::after_failure;
use crate::destination::{Destination, ForceOption};
use crate::table::Table;
use anyhow::anyhow;
use std::path::Path;
use turnpike_network::routing::given;
use turnpike_search::answer::{Figures, Found};
use turnpike_search::cube::label;
use turnpike_search::encode::scenarios;
use turnpike_search::proof::formula_of;
use turnpike_search::question::{Measure, Question};
use turnpike_search::search::Impossible;

/// What a search says.
pub enum SearchVerdict {
    /// A relation.
    Found(Box<Found>),
    /// The one with the least value found, and why less is impossible, where that is known.
    Least(Box<Found>, Option<Impossible>),
    /// There is none.
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

    /// Why there is none, or none with less, where that is known.
    pub fn why(&self) -> Option<&Impossible> {
        match self {
            Self::None(why) | Self::Least(_, Some(why)) => Some(why),
            Self::Found(_) | Self::Least(_, None) | Self::Undecided => None,
        }
    }
}

/// All there is to say.
pub struct Outcome<'a> {
    /// What was asked.
    pub question: &'a Question,
    /// What was to be least.
    pub measure: Option<Measure>,
    /// What came of it.
    pub verdict: &'a SearchVerdict,
    /// What local search drew its moves from.
    pub seed: u64,
    /// How long it took.
    pub seconds: f64,
    /// After how many seconds it was to end, where nothing else ended it.
    pub time_limit: Option<u32>,
    /// Where the relation is.
    pub save: Option<&'a Path>,
    /// Where the proof is.
    pub proof: Option<&'a Path>,
    /// Where it was asked for, and there is none.
    pub no_proof: Option<&'a Path>,
}

impl Outcome<'_> {
    /// The measures that were found, each with its value.
    pub fn figures(&self, figures: &Figures) -> Vec<(&'static str, u32)> {
        vec![
            ("crosspoints", figures.crosspoints),
            ("crosspoints_in_all", figures.crosspoints_in_all),
            ("fan_in", figures.fan_in),
            ("fan_out", figures.fan_out),
            ("virtual_channels", figures.vcs),
            ("max_load", figures.max_load),
            ("imbalance", figures.imbalance),
            ("imbalance_per_step", figures.imbalance_per_step),
            ("detour", figures.detour),
        ]
    }

    /// Whether local search found the relation.
    pub fn by_local_search(&self) -> bool {
        self.verdict.found().is_some_and(|found| found.by_local_search)
    }

    /// In one word.
    fn word(&self) -> &'static str {
        match self.verdict {
            SearchVerdict::Found(_) => "found",
            SearchVerdict::Least(_, Some(_)) => "least",
            SearchVerdict::Least(_, None) => "least found",
            SearchVerdict::None(_) => "none",
            SearchVerdict::Undecided => "undecided",
        }
    }

    /// For programs.
    pub fn json(&self) -> serde_json::Value {
        let figures = self.verdict.found().map(|found| {
            let pairs = self.figures(&found.figures).into_iter();
            pairs.map(|(name, value)| (name.to_owned(), value.into())).collect()
        });
        let figures: Option<serde_json::Map<String, serde_json::Value>> = figures;
        let why = self.verdict.why().map(|why| match why {
            Impossible::ByArgument(argument) => serde_json::json!({ "argument": argument }),
            Impossible::BySolver { formulas, variables, clauses, checked } => serde_json::json!({
                "formulas": formulas, "variables": variables, "clauses": clauses, "proof_checked": checked,
            }),
        });
        let seed = self.by_local_search().then_some(self.seed);
        let label = |&mask: &u32| label(self.question.dimension, mask);
        let masks = self.verdict.found().and_then(|found| found.parities.as_ref());
        let parities = masks.map(|masks| masks.iter().map(label).collect::<Vec<_>>());
        let found = self.verdict.found().into_iter().flat_map(|found| &found.relations);
        serde_json::json!({
            "schema_version": 1,
            "topology": "hypercube",
            "dimension": self.question.dimension,
            "verdict": self.word(),
            "minimized": self.measure.map(Measure::name),
            "figures": figures,
            "local_search_seed": seed,
            "parities": parities,
            "impossible": why,
            "proof": self.proof.map(|path| path.display().to_string()),
            "formula": self.proof.map(|path| formula_of(path).display().to_string()),
            "relations": found.map(|given| given.text()).collect::<Vec<_>>(),
        })
    }

    /// For spreadsheets.
    pub fn csv(&self) -> String {
        let mut header = vec!["dimension", "verdict"];
        let mut row = vec![self.question.dimension.to_string(), self.word().to_owned()];
        if let Some(found) = self.verdict.found() {
            for (name, value) in self.figures(&found.figures) {
                header.push(name);
                row.push(value.to_string());
            }
        }
        let mut table = Table::new(header);
        table.push(row);
        table.csv()
    }
}

/// A relation's name goes into files and Verilog.
///
/// # Errors
/// What is wrong with it.
pub fn check_name(name: &str) -> anyhow::Result<()> {
    given::check_name(name).map_err(|wrong| anyhow!("--name: {wrong}"))
}

/// The files of the relations, their places made sure of.
pub struct Relations(Vec<Destination>);

impl Relations {
    /// One for each relation that the question is about; none without a path.
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

    /// Where the proof is written before it is whole; the formula stands beside it.
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
        self.formula.discard().map(drop)
    }
}

//! Options of a measurement: a fabric, its traffic, loads and seeds. `sweep` and `report` take
//! them.

use super::page::MOST_POINTS;
use crate::options::traffic::{self, check_cycles};
use crate::options::{FabricOptions, Points, RunOptions, TrafficOptions, values};
use anyhow::bail;
use clap::{Arg, ArgAction, Args};
use std::fmt;

/// Most runs of the points that are asked for.
const MOST_RUNS: u64 = 100_000;

/// Curves: every relation with every pattern at every load.
#[derive(Args, Clone, Debug)]
pub struct CurveOptions {
    /// The fabric.
    #[command(flatten)]
    pub fabric: FabricOptions,
    /// Traffic patterns, with commas between them
    #[arg(long, value_name = "PATTERNS", value_delimiter = ',', default_value = "uniform",
          value_parser = values::traffic,
          help = traffic::help("Traffic patterns, with commas between them"))]
    pub traffic: Vec<String>,
    /// Flits offered per terminal and cycle, 0 to 1: loads and ranges with commas between them, such
    /// as 0.3, 0.05..=1 (with 1, in steps of 0.05) or 0.4..0.5:0.01 (without 0.5, with a step); or auto,
    /// auto:N: up to N points of each curve around the load at which it saturates, 16 if not said
    #[arg(long, value_name = "LOADS", allow_hyphen_values = true, default_value = "0.05..=1")]
    pub load: Points,
    /// Runs of each point, with seeds of their own, 1 to 100
    #[arg(long, value_name = "N", allow_hyphen_values = true, default_value = "5",
          value_parser = values::seeds)]
    pub seeds: u32,
    /// Each run.
    #[command(flatten)]
    pub run: RunOptions,
    /// Details of the traffic.
    #[command(flatten)]
    pub details: TrafficOptions,
    /// Find the load at which each network saturates: between the largest found steady and the least
    /// found saturated, within 1 % where runs can tell. Without being asked with --load auto
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = false,
          default_missing_value = "true", action = ArgAction::Set, value_name = "BOOL",
          hide_possible_values = true)]
    pub saturation: bool,
}

/// An option, with what it means where there are several runs.
pub fn amended(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "seed" => arg.help("Seed of the first run of each point; the others take those after it"),
        "cycles" => {
            arg.help("Cycles measured in each run. Default: 40000, fewer on large networks")
        }
        _ => arg,
    }
}

impl CurveOptions {
    /// The relations, each as `--routing` of other commands takes it; one that is none for the default.
    pub fn relations(&self) -> Vec<Option<String>> {
        match &self.fabric.network.routing {
            Some(several) => several.split(',').map(|name| Some(name.to_owned())).collect(),
            None => vec![None],
        }
    }

    /// The seeds of each point.
    pub fn all_seeds(&self) -> impl Iterator<Item = u64> + use<'_> {
        (0..u64::from(self.seeds)).map(|run| self.run.seed.wrapping_add(run))
    }

    /// Number of points, by relation, pattern and load.
    ///
    /// # Errors
    /// What cannot be measured, whatever the network.
    pub fn check(&self) -> anyhow::Result<Counts> {
        self.details.check()?;
        check_cycles(self.run.cycles())?;
        if self.run.is_auto() && self.details.precision.is_some() {
            bail!("--precision goes on until it can tell, too; leave --cycles auto out");
        }
        if self.run.is_auto() {
            bail!("the runs of a sweep are equally long; give --cycles a number, or more --seeds");
        }
        if let Points::At(loads) = &self.load {
            loads.list().iter().try_for_each(|&load| self.details.check_load(load))?;
        }
        let relations = self.relations();
        if relations.iter().flatten().any(String::is_empty) {
            bail!("--routing has a relation without a name; give names with commas between them");
        }
        if let Some(Some(name)) = twice(&relations) {
            bail!("--routing names {name} twice; name each relation once");
        }
        if let Some(name) = twice(&self.traffic) {
            bail!("--traffic names {name} twice; name each pattern once");
        }
        let counts = [relations.len(), self.traffic.len(), self.load.most()];
        let [relations, patterns, loads] = counts.map(|count| count as u64);
        let points = Counts { relations, patterns, loads, classes: self.details.classes().count() };
        let runs = points.count() * u64::from(self.seeds);
        if runs > MOST_RUNS {
            bail!(
                "these are {runs} runs ({points}, seeds {}); use at most {MOST_RUNS}, by fewer loads \
                 or --seeds",
                self.seeds
            );
        }
        Ok(points)
    }
}

/// Factors of the number of points.
#[derive(Clone, Copy, Debug)]
pub struct Counts {
    relations: u64,
    patterns: u64,
    loads: u64,
    /// Classes of traffic at each point; none where all packets are alike.
    classes: usize,
}

impl Counts {
    /// Number of points.
    pub fn count(self) -> u64 {
        self.relations * self.patterns * self.loads
    }

    /// Refuses more than a page shows, which `option` asks for.
    ///
    /// # Errors
    /// How many there are, and how many there may be.
    pub fn fit_a_page(self, option: &str) -> anyhow::Result<()> {
        let shown = self.count() * self.classes.max(1) as u64;
        if shown > MOST_POINTS {
            bail!(
                "a page of {option} shows at most {MOST_POINTS} points, each class by itself, and these \
                 are {shown} ({self}); use fewer loads, or sweep with --format csv"
            );
        }
        Ok(())
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { relations, patterns, loads, classes } = self;
        write!(f, "relations {relations}, patterns {patterns}, loads {loads}")?;
        if *classes > 0 { write!(f, ", classes {classes}") } else { Ok(()) }
    }
}

/// The first that stands there again.
fn twice<T: PartialEq>(all: &[T]) -> Option<&T> {
    all.iter().enumerate().find_map(|(at, one)| all[..at].contains(one).then_some(one))
}

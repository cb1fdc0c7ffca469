//! A curve: a network under traffic of one pattern; and its runs.

use super::CurveOptions;
use super::kept::{Kept, Settings};
use crate::input;
use crate::options::traffic::{cycles_of, has_hotspots};
use crate::options::{AllocatorName, FabricOptions};
use crate::progress::Progress;
use crate::relation_file;
use anyhow::{anyhow, bail};
use std::sync::Arc;
use turnpike_fabric::plan::FabricPlan;
use turnpike_flow::cache::digest;
use turnpike_flow::jobs;
use turnpike_sim_network::measure::{
    self, Deadlines, Replies, RunConfig, Unobserved, WarmUp, WhenSaturated,
};
use turnpike_sim_network::sweep::{Point, RunFigures};
use turnpike_sim_network::traffic::{
    ClassDescription, Ends, Lengths, TrafficConfig, TrafficDescription, synthetic,
};

/// A network under traffic of one pattern.
pub struct Curve {
    /// The network and its switches.
    pub plan: Arc<FabricPlan>,
    /// The traffic, at a load of 0.
    pub traffic: TrafficConfig,
    /// Classes of the traffic, where it has some.
    pub classes: Vec<ClassDescription>,
    /// Traffic of the flows of the network, where it has some.
    of_flows: Option<TrafficDescription>,
    /// Labels of the terminals that it favours, where it is hotspot traffic.
    pub hotspots: Option<Vec<String>>,
    /// Allocator of channels, where packets choose.
    pub allocator: Option<AllocatorName>,
    /// Cycles that a run measures, where no precision is asked for.
    pub cycles: u64,
    /// Cycles that a run of a point measures, one length after the other until the mean latency is precise.
    pub lengths: Vec<u64>,
    /// Share of the mean latency within which both ends of its interval are to be.
    pub precision: Option<f64>,
    ends: Ends,
    config: RunConfig,
    /// Digests of the files that give the network.
    files: Vec<String>,
}

impl Curve {
    /// Every relation with every pattern.
    ///
    /// # Errors
    /// Unknown names, numbers out of range, a pattern that the terminals do not have, a fabric beyond
    /// memory.
    pub fn all(options: &CurveOptions) -> anyhow::Result<Vec<Self>> {
        let mut curves: Vec<Self> = Vec::new();
        for routing in options.relations() {
            let mut fabric = options.fabric.clone();
            fabric.network.routing = routing;
            let plan = Arc::new(fabric.plan_to_run().map_err(|error| among(options, error))?);
            let same = |curve: &Self| curve.plan.canonical() == plan.canonical();
            if curves.iter().any(same) {
                let name = plan.relation().name();
                bail!(
                    "two relations of --routing are called '{name}', and the report could not tell \
                     them apart; change the name in one of the files"
                );
            }
            let check = options.details.check_plan(&plan, jobs::workers() as u64);
            check.map_err(|error| among(options, error))?;
            curves.extend(Self::of_plan(options, &plan, &files(&fabric)?)?);
        }
        Ok(curves)
    }

    /// A fabric that was checked, with every pattern. `files`: digests of those that give its network,
    /// for runs that are kept.
    ///
    /// # Errors
    /// A pattern that the terminals do not have.
    pub fn of_plan(
        options: &CurveOptions,
        plan: &Arc<FabricPlan>,
        files: &[String],
    ) -> anyhow::Result<Vec<Self>> {
        let all = options.traffic.iter();
        all.map(|pattern| Self::new(options, plan, pattern, files.to_owned())).collect()
    }

    fn new(
        options: &CurveOptions,
        plan: &Arc<FabricPlan>,
        pattern: &str,
        files: Vec<String>,
    ) -> anyhow::Result<Self> {
        let topology = plan.topology();
        let traffic = options.details.config(topology, pattern, 0.0, options.run.seed)?;
        let ends = match options.details.replies() {
            Some(_) => Ends::answering(topology),
            None => Ends::of(topology),
        };
        // Whether there is such traffic, before anything that takes long.
        let synthetic = synthetic(ends.clone(), &traffic)?;
        let described = synthetic.classes();
        let of_flows = topology.flows().map(|_| synthetic.description());
        let config = options.details.run_config(plan, options.run.cycles());
        let classes = traffic.classes.iter().map(|class| &*class.pattern);
        let hotspot = has_hotspots(&traffic.pattern, classes);
        Ok(Self {
            plan: Arc::clone(plan),
            classes: described,
            of_flows,
            hotspots: hotspot.then(|| options.details.hotspot_labels(topology)),
            allocator: plan.chooses().then_some(options.details.allocator),
            cycles: options.run.cycles().unwrap_or_else(|| cycles_of(plan)),
            lengths: options.details.lengths(plan, options.run.cycles()),
            precision: options.details.precision,
            config: RunConfig {
                when_saturated: match config.when_saturated {
                    WhenSaturated::Ends => WhenSaturated::Stops,
                    other => other,
                },
                ..config
            },
            traffic,
            ends,
            files,
        })
    }

    /// Whether the mean latency of a point is as precise as is asked for; `None` where that is not asked for, or
    /// there is no mean.
    pub fn is_precise(&self, point: &Point) -> Option<bool> {
        point.is_within(self.precision?)
    }

    /// Replies to packets, where they are answered.
    pub fn replies(&self) -> Option<Replies> {
        self.config.replies
    }

    /// Whether its network comes from files.
    pub fn has_files(&self) -> bool {
        !self.files.is_empty()
    }

    /// Name of the pattern: `flows` where the flows of the network are the traffic.
    pub fn pattern(&self) -> &str {
        self.of_flows.as_ref().map_or(&self.traffic.pattern, |traffic| &traffic.pattern)
    }

    /// Flits per packet, where all are of one length; their lengths, where they are of several.
    pub fn packets(&self) -> (Option<u32>, Option<String>) {
        match &self.of_flows {
            Some(traffic) => (traffic.packet_flits, traffic.packet_lengths.clone()),
            None => {
                let lengths = self.traffic.lengths_of_all();
                let several = lengths.and_then(Lengths::several).map(ToString::to_string);
                (lengths.and_then(Lengths::only), several)
            }
        }
    }

    /// Name of the curve in messages.
    pub fn name(&self) -> String {
        format!("{}, {}", self.plan.relation().name(), self.pattern())
    }

    fn run(&self, load: f64, seed: u64, cycles: u64) -> anyhow::Result<RunFigures> {
        let traffic = TrafficConfig { load, seed, ..self.traffic.clone() };
        let mut traffic = synthetic(self.ends.clone(), &traffic)?;
        let config = RunConfig { measure: Some(cycles), ..self.config };
        let mut unobserved = Unobserved;
        let mut deadlines = Deadlines::new(&self.plan, &mut unobserved);
        let report =
            measure::observe(&self.plan, &mut *traffic, &config, &mut |_| {}, &mut deadlines)?;
        Ok(RunFigures { deadlines: deadlines.all(), ..RunFigures::from(&report) })
    }

    fn settings(&self, load: f64, seed: u64, cycles: u64) -> Settings {
        Settings {
            configuration: self.plan.canonical(),
            files: self.files.clone(),
            routing: self.plan.relation().name().to_owned(),
            pattern: self.traffic.pattern.clone(),
            load,
            seed,
            packet_flits: self.traffic.packet_flits.clone(),
            classes: self.traffic.classes.clone(),
            burst_cycles: self.traffic.burst_cycles,
            replies: self.config.replies,
            self_addressed: self.traffic.self_addressed,
            hotspots: self.hotspots.clone().unwrap_or_default(),
            hotspot_share: self.hotspots.is_some().then_some(self.traffic.hotspot_share),
            warm_up_cycles: match self.config.warm_up {
                WarmUp::Cycles(cycles) => Some(cycles),
                WarmUp::Detect => None,
            },
            measured_cycles: cycles,
            allocator: self.allocator,
        }
    }
}

/// Error of one of several relations, where options are given that not all of them may take.
fn among(options: &CurveOptions, error: anyhow::Error) -> anyhow::Error {
    let network = &options.fabric.network;
    let own = network.phases.is_some()
        || network.intermediate.is_some()
        || network.route_seed.is_some()
        || options.fabric.draw_seed.is_some()
        || options.details.allocator != AllocatorName::default();
    match own && options.relations().len() > 1 {
        true => anyhow!("{error:#}; or sweep these relations apart, into one --out folder"),
        false => error,
    }
}

/// Digests of the files that give topology and relation: their names alone do not say what is in them.
///
/// # Errors
/// A file that cannot be read.
pub fn files(fabric: &FabricOptions) -> anyhow::Result<Vec<String>> {
    let network = &fabric.network;
    let topology = network.unrouted.size.file.path(&network.unrouted.topology);
    let topology = topology
        .filter(|path| path.is_file())
        .map(|path| input::bytes(path, "topology", input::MOST_TOPOLOGY));
    let relation = network.routing.as_deref().and_then(relation_file::path);
    let relation = relation.map(|path| input::bytes(path, "relation", input::MOST_RELATION));
    let flows = network.unrouted.flows.as_deref();
    let flows = flows.map(|path| input::bytes(path, "flows", input::MOST_PATTERN));
    let places = network.unrouted.places.as_deref();
    let places = places.map(|path| input::bytes(path, "places", input::MOST_PATTERN));
    let files = [topology, relation, flows, places].into_iter().flatten();
    files.map(|bytes| Ok(digest(bytes?))).collect()
}

#[derive(Clone, Copy)]
pub struct CurveRun<'a> {
    /// The network and its traffic.
    pub curve: &'a Curve,
    /// Flits offered per terminal and cycle.
    pub load: f64,
    pub seed: u64,
    /// Cycles that are measured.
    pub cycles: u64,
}

impl CurveRun<'_> {
    /// All that its figures depend on.
    pub fn settings(&self) -> Settings {
        self.curve.settings(self.load, self.seed, self.cycles)
    }
}

/// Runs of curves, each done once where there is a folder to keep it in.
pub struct Runs<'a> {
    /// Options of the measurement.
    pub options: &'a CurveOptions,
    /// Store of the runs.
    pub kept: Option<Kept>,
}

impl Runs<'_> {
    /// The figures of one run.
    ///
    /// # Errors
    /// A folder that cannot be written to.
    pub fn figures(&self, run: &CurveRun<'_>) -> anyhow::Result<RunFigures> {
        let CurveRun { curve, load, seed, cycles } = *run;
        let Some(kept) = &self.kept else { return curve.run(load, seed, cycles) };
        let settings = run.settings();
        match kept.get(&settings)? {
            Some(figures) => Ok(figures),
            None => {
                let figures = curve.run(load, seed, cycles)?;
                kept.put(&settings, &figures)?;
                Ok(figures)
            }
        }
    }

    /// Whether the figures of a run are kept.
    ///
    /// # Errors
    /// None: settings are plain.
    pub fn has(&self, run: &CurveRun<'_>) -> anyhow::Result<bool> {
        let Some(kept) = &self.kept else { return Ok(false) };
        Ok(kept.get(&run.settings())?.is_some())
    }

    /// The figures of these runs, on all cores.
    ///
    /// # Errors
    /// As [`Runs::figures`].
    pub fn all_figures(&self, all: &[CurveRun<'_>]) -> anyhow::Result<Vec<RunFigures>> {
        let progress = Progress::timed(all.len() as u64, "runs");
        jobs::run(all, |run| {
            let figures = self.figures(run);
            progress.step();
            figures
        })
    }

    /// The figures of the runs of all seeds.
    ///
    /// # Errors
    /// As [`Runs::figures`].
    pub fn of_all_seeds(
        &self,
        curve: &Curve,
        load: f64,
        cycles: u64,
    ) -> anyhow::Result<Vec<RunFigures>> {
        let seeds: Vec<u64> = self.options.all_seeds().collect();
        jobs::run(&seeds, |&seed| self.figures(&CurveRun { curve, load, seed, cycles }))
    }
}

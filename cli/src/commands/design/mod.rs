//! `turnpike design`: routes for the flows of a network that is given, with the least of what is asked.

mod report;
mod text;

pub use report::REPORT;

use crate::destination::{Destination, ForceOption};
use crate::format::FormatOption;
use crate::options::values;
use crate::options::{Chosen, ClassNetworks, NetworkOptions, NetworkSize};
use crate::progress::Progress;
use crate::{Report, Verdict};
use anyhow::{anyhow, bail};
use clap::Args;
use report::Outcome;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use turnpike_analysis::network::Wanted;
use turnpike_flow::interrupt;
use turnpike_network::flows::Bandwidth;
use turnpike_network::routing::walk::{Step, walk};
use turnpike_network::routing::{Draw, MAX_VCS, Output, given};
use turnpike_network::topology::Topology;
use turnpike_network::topology::failed::Failed;
use turnpike_search::design::figures::Route;
use turnpike_search::design::question::{Measure, Question};
use turnpike_search::design::search::{Least, Outcome as Answer, design};
use turnpike_search::solver::Limits;

/// Options of `design`.
#[derive(Args, Debug)]
pub struct DesignOptions {
    /// The topology (see `turnpike list`), or a file that describes one: .topology, .anynet,
    /// .graphml, .dot or .gv (others with --as)
    #[arg(value_name = "TOPOLOGY|FILE")]
    pub topology: String,
    /// Size of the network.
    #[command(flatten)]
    pub size: NetworkSize,
    /// The terminals by names of your own, a CSV file with the columns name and at: the switch where it is,
    /// or the terminal of the network that it is. There are no others. Default: those of the topology
    #[arg(long, value_name = "FILE")]
    pub places: Option<PathBuf>,
    /// The flows that get routes, a CSV file with the columns source and destination, and if wanted
    /// bandwidth (flits per cycle); names may be patterns such as cpu*
    #[arg(long, value_name = "FILE")]
    pub flows: Option<PathBuf>,
    /// The terminals that are memory-mapped, a CSV file with the columns name, protocol and role. Flows
    /// follow: from each manager to each subordinate that it reaches, and back
    #[arg(long, value_name = "FILE")]
    pub ends: Option<PathBuf>,
    /// A failed node, by its label. Routes avoid it. May be given several times
    #[arg(long, value_name = "NODE")]
    pub failed: Vec<String>,
    /// Channels that a route may have beyond the distance, 0 to 8
    #[arg(long, value_name = "N", allow_hyphen_values = true, default_value = "0",
          value_parser = values::whole)]
    pub detour: u32,
    /// Most virtual channels, those of all message classes together. Default: one for each class; with
    /// --minimize vcs as many as there may be
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = values::vcs)]
    pub vcs: Option<u8>,
    /// Most flits per cycle over a channel between switches, above 0 and up to 1
    #[arg(long, value_name = "LOAD", allow_hyphen_values = true)]
    pub max_load: Option<Bandwidth>,
    /// Most data inputs of the multiplexers of all switches
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = values::whole)]
    pub max_multiplexer_inputs: Option<u32>,
    /// Most queues at the ends of channels between switches
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = values::whole)]
    pub max_queues: Option<u32>,
    /// Find the least: max-load, multiplexer-inputs, queues or vcs. Several with commas between them: the
    /// least of the first, and of those routes the least of the second
    #[arg(
        long,
        value_name = "MEASURES",
        value_delimiter = ',',
        default_value = "max-load,multiplexer-inputs"
    )]
    pub minimize: Vec<Measure>,
    /// Seed of the moves of local search
    #[arg(long, value_name = "N", allow_hyphen_values = true, default_value = "1",
          value_parser = values::long)]
    pub seed: u64,
    /// Seconds after which it ends with the best so far
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true, default_value = "60",
          value_parser = values::positive)]
    pub time_limit: u32,
    /// The name of the relation that is found
    #[arg(long, value_name = "NAME", default_value = "found")]
    pub name: String,
    /// Write the relation to this file, for --routing
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Whether files that are there are overwritten.
    #[command(flatten)]
    pub force: ForceOption,
    /// Format of the report.
    #[command(flatten)]
    pub format: FormatOption,
}

impl DesignOptions {
    /// Options of the network, whose relation is what is looked for.
    fn network(&self) -> NetworkOptions {
        NetworkOptions {
            topology: self.topology.clone(),
            size: self.size.clone(),
            routing: None,
            phases: None,
            intermediate: None,
            route_seed: None,
            places: self.places.clone(),
            flows: self.flows.clone(),
            ends: self.ends.clone(),
            classes: ClassNetworks::Shared,
            failed: self.failed.clone(),
            vcs: None,
        }
    }

    /// Question about routes on a network without concentration, for the flows of one with it.
    fn question(
        &self,
        plain: &dyn Topology,
        intact: &dyn Topology,
        concentration: u32,
    ) -> anyhow::Result<Question> {
        let Some(flows) = intact.flows() else {
            bail!(
                "design finds routes for flows, and there are none; add --flows FILE (a line *,* for \
                 all pairs), or [[flow]] to a system"
            );
        };
        let mut question = Question::new(plain, flows, concentration, self.detour)?;
        let most_vcs = self.minimize.contains(&Measure::Vcs).then_some(MAX_VCS);
        for (measure, most) in [
            (Measure::Vcs, self.vcs.or(most_vcs).map(u64::from)),
            (Measure::MaxLoad, self.max_load.map(|load| load.0)),
            (Measure::MultiplexerInputs, self.max_multiplexer_inputs.map(u64::from)),
            (Measure::Queues, self.max_queues.map(u64::from)),
        ] {
            if let Some(most) = most {
                question = question.with(measure, most)?;
            }
        }
        Ok(question)
    }

    fn limits(&self, began: Instant, progress: &Arc<Mutex<Progress>>) -> Limits {
        let shown = Arc::clone(progress);
        let conflicts = move |conflicts: u64| message(&shown, &format!("{conflicts} conflicts"));
        Limits {
            deadline: Some(began + Duration::from_secs(self.time_limit.into())),
            interrupt: interrupt::stop_by(),
            progress: Some(Arc::new(conflicts)),
            seed: self.seed,
            ..Limits::default()
        }
    }
}

/// Runs it. That there are no routes does not hold.
///
/// # Errors
/// A network or flows that cannot be, a bound out of range, a file that cannot be written.
pub fn run(options: &DesignOptions) -> anyhow::Result<Report> {
    given::check_name(&options.name).map_err(|wrong| anyhow!("--name: {wrong}"))?;
    let mut measures = options.minimize.clone();
    measures.dedup();
    if let Some(twice) = measures.iter().enumerate().find(|(at, one)| measures[..*at].contains(one))
    {
        bail!("--minimize: {} stands there twice; give it once", twice.1.name());
    }
    // What may be had is not taken for nothing.
    if options.vcs.is_some() && !measures.contains(&Measure::Vcs) {
        measures.push(Measure::Vcs);
    }
    // Before the search, which may take long.
    let save = options.save.as_deref();
    let save = save.map(|path| Destination::new(path, "found.relation", options.force));
    let save = save.transpose()?;
    let network = options.network();
    let chosen = network.chosen()?;
    let built = |wanted: &Wanted| {
        let plain = wanted.topology.build()?;
        let left: Box<dyn Topology> = match &options.failed[..] {
            [] => plain,
            failed => Box::new(Failed::new(plain, failed)?),
        };
        Ok((left, wanted.intact()?))
    };
    let (plain, intact) = network.wanted_of(&chosen, built)?;
    let question = options.question(&*plain, &*intact, chosen.concentration())?;
    let began = Instant::now();
    let progress = Arc::new(Mutex::new(Progress::spinner("looking for routes")));
    let limits = options.limits(began, &progress);
    let known: Vec<Vec<Route>> = known(&network, &chosen, &question).into_iter().collect();
    let answer = design(&question, &measures, &known, &limits, |measure, value| {
        let value = text::value(measure, value);
        message(&progress, &format!("{} {value}, less?", measure.name()));
    })?;
    drop(progress);
    let outcome = Outcome::new(options, &network, &chosen, (&*plain, &*intact), question, answer)?;
    if let (Some(file), Some(found)) = (save, &outcome.found) {
        file.write(&found.given.text())?;
    }
    let is_stopped = limits.interrupt.load(std::sync::atomic::Ordering::Relaxed);
    let verdict = match &outcome.answer {
        Answer::Found { least, .. } if least.iter().all(Least::is_proven) => Verdict::Holds,
        Answer::None(_) => Verdict::Fails,
        _ if is_stopped => Verdict::Interrupted,
        _ => Verdict::Undecided,
    };
    options.format.report(&outcome.document(), verdict, || text::report(&outcome, options))
}

/// Routes of the relation that the network has by default, where it has one route for each pair.
fn known(network: &NetworkOptions, chosen: &Chosen, question: &Question) -> Option<Vec<Route>> {
    let (topology, relation) = network.wanted_of(chosen, |wanted| wanted.build()).ok()?;
    let routes = question.demands.iter().enumerate().map(|(at, demand)| {
        let &(source, sink) = demand.streams.first()?.flows.first()?;
        let mut ports = Vec::new();
        let each = |step: &Step| {
            if let Output::Network(port) = step.hop.output {
                ports.push(port);
            }
        };
        walk(&*topology, &relation, source, sink, Draw::NONE, each).ok()?;
        question.route(at, &ports)
    });
    if relation.keeps_order() { routes.collect() } else { None }
}

fn message(progress: &Mutex<Progress>, what: &str) {
    if let Ok(progress) = progress.lock() {
        progress.message(format!("looking for routes: {what}"));
    }
}

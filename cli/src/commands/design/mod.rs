//! `turnpike design`: routes for the flows of a network that is given, with the least of what is asked.

mod report;
mod text;

pub use report::REPORT;

use crate::destination::{Destination, ForceOption};
use crate::format::FormatOption;
use crate::options::{NetworkOptions, Routed, UnroutedOptions, values};
use crate::progress::Progress;
use crate::relation_file;
use crate::searching::{LimitOptions, Searching};
use crate::{Report, Verdict};
use anyhow::bail;
use clap::Args;
use report::Outcome;
use std::path::PathBuf;
use std::time::Instant;
use turnpike_analysis::network::Wanted;
use turnpike_network::flows::Bandwidth;
use turnpike_network::routing::walk::{Step, walk};
use turnpike_network::routing::{Draw, MAX_VCS, Output};
use turnpike_network::topology::Topology;
use turnpike_search::design::figures::Route;
use turnpike_search::design::question::{Measure, Question};
use turnpike_search::design::search::{Least, Outcome as Answer, design};

/// Options of `design`.
#[derive(Args, Debug)]
pub struct DesignOptions {
    /// The network, its terminals and its flows.
    #[command(flatten)]
    pub unrouted: UnroutedOptions,
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
    /// Seed and time of the search.
    #[command(flatten)]
    pub limits: LimitOptions,
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
}

/// Runs it. That there are no routes does not hold.
///
/// # Errors
/// A network or flows that cannot be, a bound out of range, a file that cannot be written.
pub fn run(options: &DesignOptions) -> anyhow::Result<Report> {
    relation_file::check_name(&options.name)?;
    let began = Instant::now();
    let mut measures = options.minimize.clone();
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
    let network = NetworkOptions::of(options.unrouted.clone());
    let chosen = network.chosen()?;
    let built = |wanted: &Wanted| {
        let left = options.unrouted.left(wanted.topology.build()?)?;
        Ok((left, wanted.intact()?, wanted.build().ok()))
    };
    let (plain, intact, own) = network.wanted_of(&chosen, built)?;
    let question = options.question(&*plain, &*intact, chosen.concentration())?;
    let what = "looking for routes";
    let searching = Searching::new(Progress::spinner(what), what);
    let limits = options.limits.limits(&searching, began);
    let known: Vec<Vec<Route>> = own.and_then(|own| known(&own, &question)).into_iter().collect();
    let answer = design(&question, &measures, &known, &limits, |measure, value| {
        let value = text::value(measure, value);
        searching.message(&format!("{} {value}, less?", measure.name()));
    })?;
    let was_stopped = limits.is_interrupted();
    // Their progress goes away.
    drop((searching, limits));
    let topologies = (&*plain, &*intact);
    let outcome = Outcome::new(options, &network, &chosen, topologies, question, answer)?;
    let outcome = Outcome { was_stopped, ..outcome };
    if let (Some(file), Some(found)) = (save, &outcome.found) {
        file.write(&found.given.text())?;
    }
    let verdict = match &outcome.answer {
        Answer::Found { least, .. } if least.iter().all(Least::is_proven) => Verdict::Holds,
        Answer::None(_) => Verdict::Fails,
        _ if outcome.was_stopped => Verdict::Interrupted,
        _ => Verdict::Undecided,
    };
    options.format.report(&outcome.document(), verdict, || text::report(&outcome, options))
}

/// Routes of the relation that the network has by default, where it has one route for each pair.
fn known((topology, relation): &Routed, question: &Question) -> Option<Vec<Route>> {
    let routes = question.demands.iter().enumerate().map(|(at, demand)| {
        let &(source, sink) = demand.streams.first()?.flows.first()?;
        let mut ports = Vec::new();
        let each = |step: &Step| {
            if let Output::Network(port) = step.hop.output {
                ports.push(port);
            }
        };
        walk(&**topology, relation, source, sink, Draw::NONE, each).ok()?;
        question.route(at, &ports)
    });
    if relation.keeps_order() { routes.collect() } else { None }
}

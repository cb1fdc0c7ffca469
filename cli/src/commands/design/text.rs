//! The outcome of a search for routes, for people.

use super::DesignOptions;
use super::report::{Outcome, in_units};
use crate::format::{counted, counted_as, number, wrap};
use crate::searching::{ended, not_the_least};
use turnpike_search::design::lengths::Lengths;
use turnpike_search::design::question::Measure;
use turnpike_search::design::search::{Least, Outcome as Answer, Why};

/// Columns of a line.
const WIDTH: usize = 90;
/// Channels or flows that are listed at most.
const LISTED: usize = 8;

/// Value of a measure.
pub fn value(measure: Measure, value: u64) -> String {
    number(in_units(measure, value))
}

/// The whole report.
pub fn report(outcome: &Outcome, options: &DesignOptions) -> String {
    let mut text = wrap(&asked(outcome), WIDTH);
    let (least, figures, found) = match (&outcome.answer, &outcome.found) {
        (Answer::Found { least, figures, .. }, Some(found)) => (least, figures, found),
        (Answer::None(why), _) => return text + &none(why, outcome),
        _ => {
            return text
                + &format!("Not decided, with no routes found. {}\n", ended(outcome.was_stopped));
        }
    };
    for (at, least) in least.iter().enumerate() {
        let beside = if at > 0 { "With that: " } else { "" };
        text += &wrap(&format!("{beside}{}", verdict(least, outcome)), WIDTH);
    }
    text.push('\n');
    text += &wrap(&format!("Free of deadlock by its certificate, {}.", found.condition), WIDTH);
    text += "\nMeasured by the ordinary analysis:\n";
    let built = found.figures.built;
    if let Some(load) = &found.figures.load {
        let (from, output) = (&load.from, &load.output);
        let flits = number(load.flits_per_cycle);
        let words = format!("flits per cycle, at most: on the channel {from} {output}");
        text += &format!("  {flits:>6}  {words}\n");
    }
    for (value, words) in [
        (u64::from(built.multiplexer_inputs), "inputs of multiplexers"),
        (u64::from(built.arbiters), "arbiters"),
        (figures.queues, "queues at the ends of channels"),
        (u64::from(built.queues), "queues, those of terminals among them"),
        (built.channels, "channels between switches"),
        (u64::from(built.switches), "switches"),
        (u64::from(found.vcs), "virtual channels"),
    ] {
        text += &format!("  {value:>6}  {words}\n");
    }
    text += &format!("\nLocal search drew its moves from seed {}.\n", outcome.seed);
    text += &match &options.save {
        Some(path) => format!("The relation is in {}; --routing takes it\n", path.display()),
        None => {
            "Write the relation to a file with --save, and build with it by --routing\n".to_owned()
        }
    };
    text
}

/// The question.
fn asked(outcome: &Outcome) -> String {
    let question = &outcome.question;
    let topology = &outcome.topology;
    let mut parts = vec![
        format!("{} {}", topology.topology, topology.size_words),
        counted(outcome.flows() as u64, "flow"),
    ];
    if question.classes > 1 {
        parts.push(counted_as(question.classes as u64, "message class", "message classes"));
    }
    parts.push(match question.detour {
        0 => "shortest paths".to_owned(),
        1 => "routes up to 1 channel longer than shortest".to_owned(),
        detour => format!("routes up to {detour} channels longer than shortest"),
    });
    if let Some(most) = question.most_channels() {
        parts.push(format!("of at most {most} channels, for which a header has room"));
    }
    for (&measure, &most) in &question.bounds {
        parts.push(format!("{} at most {}", measure.name(), value(measure, most)));
    }
    parts.join(", ")
}

/// Sentence on a measure: its value, and why there is no less.
fn verdict(least: &Least, outcome: &Outcome) -> String {
    let name = least.measure.name();
    let found = value(least.measure, least.value);
    if least.is_proven() {
        return format!("The least {name} is {found}: {}.", why(least, outcome));
    }
    let bound = value(least.measure, least.bound);
    not_the_least([name, &found, &bound], least.gap(), "no routes have", outcome.was_stopped)
}

/// A formula that a solver refuted.
fn formula(variables: u32, clauses: usize) -> String {
    format!("a formula of {variables} variables and {clauses} clauses")
}

fn why(least: &Least, outcome: &Outcome) -> String {
    match &least.why {
        Why::Least => "there is no less".to_owned(),
        Why::Lengths(lengths) => {
            let used = lengths.0.iter().filter(|&&length| length > 0).count();
            let all = outcome.channels.len();
            format!("lengths of {used} of the {all} channels show that no routes have less")
        }
        &Why::Solver { variables, clauses } => {
            format!("a solver refuted less ({})", formula(variables, clauses))
        }
    }
}

/// Reason that there are no routes.
fn none(why: &Why, outcome: &Outcome) -> String {
    let advice =
        "Raise the bounds, allow more virtual channels or a detour, or take another network.";
    let question = &outcome.question;
    let reason = match why {
        Why::Least => "less cannot be.".to_owned(),
        Why::Lengths(lengths) => {
            let most = question.bounds.get(&Measure::MaxLoad).copied().unwrap_or(u64::MAX);
            match lengths.cut(question, most) {
                Some(cut) => crossed(&cut, most, outcome),
                None => format!(
                    "lengths of the channels show that some channel has a load of {} at least.",
                    value(Measure::MaxLoad, lengths.bound(question))
                ),
            }
        }
        &Why::Solver { variables, clauses } => {
            format!("a solver refuted them ({}).", formula(variables, clauses))
        }
    };
    wrap(&format!("There are no such routes: {reason}"), WIDTH) + &wrap(advice, WIDTH)
}

/// A cut, with the flows that cross it.
fn crossed(cut: &Lengths, most: u64, outcome: &Outcome) -> String {
    let question = &outcome.question;
    let channels: Vec<String> = outcome
        .channels
        .iter()
        .zip(&cut.0)
        .filter(|(_, length)| **length > 0)
        .map(|([from, port], _)| format!("{from} {port}"))
        .collect();
    let crossings = (0..question.demands.len())
        .map(|at| (at, cut.shortest(question, at).0))
        .filter(|&(_, times)| times > 0);
    let (mut load, mut flows) = (0, Vec::new());
    for (at, times) in crossings {
        load += question.demands[at].load * times;
        let [from, to] = &outcome.pairs[at];
        let often = if times > 1 { format!(" ({times} times)") } else { String::new() };
        flows.push(format!("{from} to {to}{often}"));
    }
    let carried = most.saturating_mul(channels.len() as u64);
    format!(
        "{} {} {} flits per cycle at most, and the flows that must cross there put {} on them: {}.",
        listed(&channels),
        if channels.len() == 1 { "carries" } else { "carry" },
        value(Measure::MaxLoad, carried),
        value(Measure::MaxLoad, load),
        listed(&flows)
    )
}

/// The first of these, and how many more there are.
fn listed(all: &[String]) -> String {
    match all.len().saturating_sub(LISTED) {
        0 => all.join(", "),
        more => format!("{} and {more} more", all[..LISTED].join(", ")),
    }
}

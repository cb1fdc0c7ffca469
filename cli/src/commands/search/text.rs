//! The outcome of a search for people.

use super::after_failure;
use super::report::{Outcome, SearchVerdict};
use crate::format::{counted, wrap};
use std::collections::{BTreeMap, BTreeSet};
use turnpike_network::routing::given::{Given, Hops};
use turnpike_network::topology::{Node, Port, Terminal};
use turnpike_search::cube::label;
use turnpike_search::proof::formula_of;
use turnpike_search::question::{Balanced, Failures, Measure, Question, Symmetric};
use turnpike_search::search::Impossible;

/// Columns of a line.
const WIDTH: usize = 90;
/// Largest dimension whose relation is printed.
const PRINTED: u32 = 4;

/// The whole report.
pub fn report(outcome: &Outcome<'_>) -> String {
    let question = outcome.question;
    let mut text = wrap(&asked(question, outcome.measure), WIDTH);
    text += &verdict(outcome);
    if let Some(path) = outcome.no_proof {
        let path = path.display();
        let why = "a proof is written where one formula has no solution";
        text += &wrap(&format!("{path} is not written, nor kept from before: {why}."), WIDTH);
    }
    let Some(found) = outcome.verdict.found() else { return text };
    text += "\nMeasured by the ordinary analysis:\n";
    for (name, value) in outcome.figures(&found.figures) {
        let words = match question.flows {
            Some(_) if name == "max_load" => "routes of flows over a channel, at most",
            Some(_) if name == "worst_case" => "flows beside each other over a channel, at most",
            _ => words(name),
        };
        text += &format!("  {value:>6}  {words}\n");
    }
    if outcome.by_local_search() {
        text += &format!("\nLocal search found it, from seed {}.\n", outcome.seed);
    }
    if let (Symmetric::AnyParities(_), Some(masks)) = (&question.symmetric, &found.parities) {
        let masks = labels(question.dimension, masks);
        text += &format!("\nNodes are alike where their parities under {masks} are.\n");
    }
    if let Some(path) = outcome.save {
        text += &format!("\nThe relation is in {}", path.display());
        match question.failures == Failures::Fixed {
            true => {
                let example = after_failure(path, "LABEL");
                text += &format!(", those after a failure in {}\n", example.display());
            }
            false => text += "; --routing takes it\n",
        }
    }
    if question.dimension <= PRINTED
        && question.flows.is_none()
        && let [given] = &found.relations[..]
    {
        text += &hops(question.dimension, given);
        text += &crossbars(question.dimension, given);
    }
    text
}

fn asked(question: &Question, measure: Option<Measure>) -> String {
    let k = question.dimension;
    let mut parts = vec![match question.detour {
        0 => format!("hypercube {k}: an oblivious relation of shortest paths"),
        n => format!("hypercube {k}: an oblivious relation of routes up to {n} channels longer"),
    }];
    parts.push(match &question.failures {
        Failures::Given(failed) if failed.is_empty() => "all nodes alive".to_owned(),
        Failures::Given(failed) => {
            format!("without {}", labels(k, failed))
        }
        Failures::Regenerated => "any one node failed: by translation, node 0".to_owned(),
        Failures::Fixed => "one crossbar per switch for none failed and any one".to_owned(),
    });
    if let Some(flows) = &question.flows {
        parts.push(counted(flows.len() as u64, "flow"));
    }
    for (measure, name) in Measure::ALL {
        let balance = measure == Measure::Imbalance;
        if let Some(most) = question.bound(measure).filter(|_| !balance) {
            parts.push(format!("{name} at most {most}"));
        }
    }
    match &question.symmetric {
        Symmetric::No => {}
        Symmetric::Translations => parts.push("the same at every node".to_owned()),
        Symmetric::Rotations => {
            parts.push("the same at every node and under rotations".to_owned());
        }
        Symmetric::Parities(masks) => {
            parts.push(format!("the same where parities under {} are", labels(k, masks)));
        }
        Symmetric::AnyParities(count) => {
            parts.push(format!("the same where {count} parities of the node are, whichever"));
        }
    }
    if question.minimal_rotations {
        parts.push("minimal rotations".to_owned());
    }
    if let Some(scope) = question.balanced {
        let scope = match scope {
            Balanced::Total => "in all",
            Balanced::PerStep => "at each step",
        };
        parts.push(match question.imbalance {
            0 => format!("equal loads {scope}"),
            u32::MAX => format!("loads {scope}"),
            n => format!("loads {scope} at most {n} apart"),
        });
    }
    if let Some(measure) = measure {
        parts.push(format!("the least {}", measure.name()));
    }
    parts.join("; ")
}

/// Nodes, or masks of their bits.
fn labels<'a>(k: u32, nodes: impl IntoIterator<Item = &'a u32>) -> String {
    nodes.into_iter().map(|&node| label(k, node)).collect::<Vec<_>>().join(", ")
}

fn verdict(outcome: &Outcome<'_>) -> String {
    let seconds = format!("{:.2} s", outcome.seconds);
    match outcome.verdict {
        SearchVerdict::Found(_) => format!("Found, in {seconds}.\n"),
        SearchVerdict::Undecided => match outcome.time_limit {
            Some(limit) => format!("Not decided within {limit} s; raise --time-limit.\n"),
            None => format!("Not decided: interrupted after {seconds}.\n"),
        },
        SearchVerdict::None(why) => {
            format!("There is none, in {seconds}.\n{}", because(why, outcome))
        }
        SearchVerdict::Least(found, proven) => {
            let measure = outcome.measure.map_or("", Measure::name);
            let value = outcome
                .measure
                .map_or(0, |measure| found.figures.of(measure, outcome.question.balanced));
            match proven {
                Some(why) => format!(
                    "The least {measure} is {value}, in {seconds}. Less is impossible:\n{}",
                    because(why, outcome)
                ),
                None => format!(
                    "The least {measure} found is {value}, in {seconds}. Whether there is less \
                     is not known.\n"
                ),
            }
        }
    }
}

fn because(why: &Impossible, outcome: &Outcome<'_>) -> String {
    let text = match why {
        Impossible::ByArgument(argument) => format!("By argument: {argument}."),
        Impossible::BySolver { formulas, variables, clauses, .. } if *formulas > 1 => format!(
            "None of {formulas} formulas, one for each choice of parities, of {variables} \
             variables and {clauses} clauses in all, has a solution; --parities MASKS with \
             --proof FILE writes the proof for one choice."
        ),
        Impossible::BySolver { variables, clauses, .. } => {
            let formula = format!("A formula of {variables} variables and {clauses} clauses");
            match outcome.proof {
                Some(path) => format!(
                    "{formula} ({}) has no solution; the proof is in {}, and was checked.",
                    formula_of(path).display(),
                    path.display()
                ),
                None => format!("{formula} has no solution; --proof FILE writes the proof."),
            }
        }
    };
    wrap(&text, WIDTH)
}

fn words(name: &str) -> &'static str {
    match name {
        "crosspoints" => "crosspoints of a switch, at most",
        "crosspoints_in_all" => "crosspoints of all switches",
        "fan_in" => "crosspoints of an output port, at most",
        "fan_out" => "crosspoints of an input port, at most",
        "virtual_channels" => "virtual channels",
        "max_load" => "routes of all pairs over a channel, at most",
        "worst_case" => "packets of a permutation over a channel, at most",
        "imbalance" => "between the loads of two channels, at most",
        "imbalance_per_step" => "between the loads of two channels at one step, at most",
        _ => "channels of a route beyond the distance, at most",
    }
}

/// The dimension to cross: a row per node, a column per destination.
fn hops(dimension: u32, given: &Given) -> String {
    let k = dimension as usize;
    match &given.hops {
        Hops::ByDifference(next) => {
            let mut text = "\nThe dimension to cross, by node XOR destination:\n".to_owned();
            for (difference, port) in next {
                text += &format!("  {} {}\n", label(dimension, *difference as u32), port.0);
            }
            text
        }
        Hops::ByPair(next) => {
            let mut text =
                "\nThe dimension to cross, by node (row) and destination (column):\n".to_owned();
            let nodes: BTreeSet<_> = next.keys().map(|(at, _)| *at).collect();
            let label = |node| label(dimension, node);
            text += &" ".repeat(2 + k);
            nodes.iter().for_each(|node| text += &format!(" {}", label(node.0)));
            text.push('\n');
            for at in &nodes {
                text += &format!("  {}", label(at.0));
                for to in &nodes {
                    let port = next.get(&(*at, Terminal(to.0)));
                    let port = port.map_or("-".to_owned(), |p| p.0.to_string());
                    text += &format!(" {port:>k$}");
                }
                text.push('\n');
            }
            text
        }
        // What is searched for is a hop for each node.
        Hops::ByRoute(_) => String::new(),
    }
}

/// The turns of each switch: from an input's dimension to outputs' dimensions.
fn crossbars(dimension: u32, given: &Given) -> String {
    let Hops::ByPair(next) = &given.hops else { return String::new() };
    let mut turns: BTreeMap<u32, BTreeMap<Port, BTreeSet<Port>>> = BTreeMap::new();
    for ((at, to), &input) in next {
        let middle = at.0 ^ 1 << input.0;
        let at = turns.entry(middle).or_default();
        if let Some(&output) = next.get(&(Node(middle), *to)) {
            at.entry(input).or_default().insert(output);
        }
    }
    let mut text = "\nThe crossbar of each switch, from a dimension to dimensions:\n".to_owned();
    for (node, inputs) in turns {
        let list = |ports: &BTreeSet<Port>| ports.iter().map(|p| p.0.to_string()).collect();
        let input = |(input, outputs): (&Port, &BTreeSet<Port>)| {
            let outputs: Vec<String> = list(outputs);
            format!("{}>{}", input.0, outputs.join(","))
        };
        let crosspoints: usize = inputs.values().map(BTreeSet::len).sum();
        let all: Vec<String> = inputs.iter().map(input).collect();
        let node = label(dimension, node);
        text += &format!("  {node}  {crosspoints:>2}: {}\n", all.join("  "));
    }
    text
}

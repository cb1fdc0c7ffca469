//! The outcome of a search for places, for people.

use super::PlaceOptions;
use super::report::Outcome;
use crate::format::{counted, indent, number, wrap};
use crate::searching::{ended, not_the_least};
use crate::table::Table;
use turnpike_network::flows::Bandwidth;
use turnpike_search::placing::search::{Outcome as Answer, Placement};

/// Columns of a line.
const WIDTH: usize = 90;

/// Cost in flits per cycle times channels, exactly.
pub fn cost(billionths: u64) -> String {
    Bandwidth(billionths).to_string()
}

/// The whole report.
pub fn report(outcome: &Outcome, options: &PlaceOptions) -> String {
    let mut text = wrap(
        &format!(
            "{} {}, {} at {}, {} with flows",
            outcome.topology.topology,
            outcome.topology.size_words,
            counted(outcome.terminals as u64, "terminal"),
            counted(outcome.places as u64, "place"),
            counted(outcome.pairs as u64, "pair"),
        ),
        WIDTH,
    );
    let (found, placement) = match (&outcome.found, &outcome.answer) {
        (Some(found), Answer::Found(placement)) => (found, placement),
        (_, Answer::None { looked_at }) => {
            return text + &wrap(&none(*looked_at), WIDTH);
        }
        _ => {
            return text
                + &format!("Not decided, with no places found. {}\n", ended(outcome.was_stopped));
        }
    };
    text += &wrap(&verdict(placement, outcome), WIDTH);
    if let Some(known) = outcome.known_cost {
        let words = match known {
            Some(known) => format!("At the places that were given it is {}.", cost(known)),
            None => {
                "At the places that were given some flow has no path, or is too slow.".to_owned()
            }
        };
        text += &wrap(&words, WIDTH);
    }
    text += "Cost is flits per cycle times channels between switches, over all flows.\n\n";
    let mut table = Table::new(["terminal", "at"]);
    found.list.iter().for_each(|row| table.push(row.to_vec()));
    text += &indent(&table.text());
    if let Err(why) = &found.figures {
        text.push('\n');
        text += &wrap(&format!("No network is built there by itself: {why}."), WIDTH);
    }
    if let Ok((routing, figures)) = &found.figures {
        let load = match &figures.load {
            Some(load) => format!(
                "at most {} flits per cycle on a channel ({} {}), ",
                number(load.flits_per_cycle),
                load.from,
                load.output
            ),
            None => String::new(),
        };
        let inputs = figures.built.multiplexer_inputs;
        let inputs = counted(u64::from(inputs), "input");
        let words = format!("There, under {routing}: {load}{inputs} of multiplexers.");
        text.push('\n');
        text += &wrap(&words, WIDTH);
        for flow in &figures.distant {
            let asked = counted(flow.latency_cycles, "cycle");
            let words = format!(
                "Too slow under {routing}: {} to {} takes {}, and asks for {asked}.",
                flow.source, flow.destination, flow.least_cycles
            );
            text += &wrap(&words, WIDTH);
        }
    }
    text += &format!("\nLocal search drew its moves from seed {}.\n", outcome.seed);
    text += &match &options.save {
        Some(path) => format!("The places are in {}; --places takes them\n", path.display()),
        None => {
            "Write the places to a file with --save, and build with it by --places\n".to_owned()
        }
    };
    text
}

/// Sentence on the cost, and why there is no less.
fn verdict(placement: &Placement, outcome: &Outcome) -> String {
    let own = cost(placement.cost);
    let looked_at = counted(placement.looked_at, "partial placement");
    if placement.is_least() {
        return format!(
            "The least cost is {own}: branch and bound left nothing out ({looked_at} looked at)."
        );
    }
    let (none, bound) = ("no placement costs", cost(placement.bound));
    not_the_least(["cost", &own, &bound], placement.gap(), none, outcome.was_stopped)
}

/// Words where no placement will do.
fn none(looked_at: u64) -> String {
    format!(
        "There are no such places: branch and bound left nothing out ({} looked at). Allow more latency, \
         fix fewer terminals, allow more at a switch (--concentration), or take another network.",
        counted(looked_at, "partial placement")
    )
}

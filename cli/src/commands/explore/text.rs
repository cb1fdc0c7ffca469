//! Networks for flows, for people.

use super::ExploreOptions;
use super::report::{Outcome, Row};
use crate::format::{counted, indent, number, wrap};
use crate::table::Table;
use turnpike_network::flows::Bandwidth;

/// Columns of a line.
const WIDTH: usize = 90;

/// The whole report.
pub fn report(outcome: &Outcome, options: &ExploreOptions) -> String {
    let mut text = wrap(
        &format!(
            "{}, {} with flows, switches of up to {} ports, channels of up to {} flits per cycle",
            counted(outcome.terminals as u64, "terminal"),
            counted(outcome.pairs as u64, "pair"),
            outcome.ports,
            Bandwidth(outcome.most_load),
        ),
        WIDTH,
    );
    let mut table = Table::new([
        "network",
        "switches",
        "channels",
        "ports",
        "queues",
        "inputs",
        "LUTs",
        "cycles",
        "head room",
        "",
    ]);
    for row in &outcome.candidates {
        table.push(cells(row));
    }
    text.push('\n');
    text += &indent(&table.text());
    text.push('\n');
    text += &wrap(&verdict(outcome), WIDTH);
    text += &wrap(
        "inputs: data inputs of multiplexers. LUTs: by a model of Xilinx 7 at 32 bits and queues of 4. cycles: of a \
         flit in an empty network, in the mean over all flits. head room: the factor by which all flows can grow \
         until some link is full.",
        WIDTH,
    );
    text += &format!("\nLocal search drew its moves from seed {}.\n", outcome.seed);
    if let Some(end) = outcome.end {
        text += &format!("{end} With more there may be better ones (--time-limit)\n");
    }
    if outcome.front().next().is_none() {
        return text;
    }
    text += &match &options.out {
        Some(out) => format!(
            "The networks marked * are in {0}: turnpike generate {0}/NAME.system\n",
            out.display()
        ),
        None => "Write the networks marked * to a folder with --out\n".to_owned(),
    };
    text
}

/// Line of a candidate.
fn cells(row: &Row) -> Vec<String> {
    let mark = match (&row.wrong, row.is_on_front) {
        (Some(wrong), _) => format!("no: {wrong}"),
        (None, true) => "*".to_owned(),
        (None, false) => String::new(),
    };
    let mut cells = vec![row.own.name.clone()];
    match &row.own.figures {
        Ok(own) => cells.extend([
            own.built.switches.to_string(),
            own.built.channels.to_string(),
            own.ports.to_string(),
            own.built.queues.to_string(),
            own.built.multiplexer_inputs.to_string(),
            format!("{:.0}", own.counts.luts()),
            own.mean_cycles.map_or("-".to_owned(), |cycles| format!("{cycles:.2}")),
            row.head_room().map_or("-".to_owned(), number),
        ]),
        Err(_) => cells.extend(["-"; 8].map(str::to_owned)),
    }
    cells.push(mark);
    cells
}

/// Sentences on the network with the least area.
fn verdict(outcome: &Outcome) -> String {
    let Some(first) = outcome.front().next() else {
        let loud = outcome.too_loud.as_ref().map(|[from, to, own]| {
            format!(
                " What {from} sends to {to} alone is {own} flits per cycle, more than a channel may carry: the two must be at one \
                 switch."
            )
        });
        return format!("No network was found within the limits.{}", loud.unwrap_or_default());
    };
    let Ok(own) = &first.own.figures else { return String::new() };
    let (luts, least) = (own.counts.hundredths(), outcome.bound.hundredths());
    let name = &first.own.name;
    if luts == least {
        return format!("No network within the limits has less area by the model than {name}.");
    }
    let over = (luts as f64 - least as f64) / least as f64;
    format!(
        "Area of {name}: within {} % of the least there is, for no network within the limits has less than {:.0} LUTs by \
         the model ({} inputs of multiplexers).",
        number((over * 1000.0).ceil() / 10.0),
        outcome.bound.luts(),
        outcome.bound.inputs
    )
}

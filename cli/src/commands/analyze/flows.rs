//! Figures of the flows, in text.

use crate::format::{number, wrap};
use crate::table::Table;
use turnpike_fabric::report::{FlowFigures, FlowLoad, Totals};

/// Longest line.
const WIDTH: usize = 96;
/// Flows that meet on a channel, named at most.
const NAMED: usize = 8;

pub fn section(flows: &FlowFigures) -> String {
    let FlowFigures { count, sources, sinks, load, built, all_pairs } = flows;
    let mut text = format!("{count} flows from {sources} sources to {sinks} sinks\n");
    text += &load.as_ref().map_or_else(String::new, busiest);
    text + &savings(built, all_pairs.as_ref())
}

fn busiest(load: &FlowLoad) -> String {
    let FlowLoad { flits_per_cycle, from, output, flows } = load;
    let over = if *flits_per_cycle > 1.0 { ", MORE than the 1 that it carries" } else { "" };
    let named = flows.iter().take(NAMED).map(|flow| {
        format!("{} to {} ({})", flow.source, flow.destination, number(flow.bandwidth))
    });
    let named = named.collect::<Vec<_>>().join(", ");
    let more = match flows.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    wrap(
        &format!(
            "largest load: {} flits per cycle on {output} of {from}{over}; there meet {named}{more}",
            number(*flits_per_cycle)
        ),
        WIDTH,
    )
}

/// Table of what is built, beside what packets from all to all take.
fn savings(built: &Totals, all_pairs: Option<&Totals>) -> String {
    let mut table = Table::new(["", "built", "all to all", "of it"]);
    let mut line = |name: &str, of: fn(&Totals) -> u64| {
        let all = all_pairs.map(of);
        let share = all.filter(|&all| all > 0).map(|all| of(built) as f64 / all as f64);
        let cell = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
        table.push(vec![
            name.to_owned(),
            of(built).to_string(),
            cell(all.map(|all| all.to_string())),
            cell(share.map(|share| format!("{share:.3}"))),
        ]);
    };
    line("switches", |t| t.switches.into());
    line("channels", |t| t.channels);
    line("turns", |t| t.turns.into());
    line("multiplexer inputs", |t| t.multiplexer_inputs.into());
    line("arbiters", |t| t.arbiters.into());
    line("queues", |t| t.queues.into());
    line("bits of queues", |t| t.queue_bits);
    line("virtual channels", |t| t.virtual_channels.into());
    table.text()
}

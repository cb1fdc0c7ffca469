//! Figures of the flows, in text.

use super::WIDTH;
use crate::format::{number, wrap};
use crate::table::Table;
use turnpike_fabric::report::{DistantFlow, FlowFigures, FlowLoad, Totals};

/// Flows that are named for one thing, at most.
const NAMED: usize = 8;

pub fn section(flows: &FlowFigures) -> String {
    let FlowFigures { count, sources, sinks, load, distant, built, all_pairs } = flows;
    let mut text = format!("{count} flows from {sources} sources to {sinks} sinks\n");
    text += &load.as_ref().map_or_else(String::new, busiest);
    text += &too_far(distant);
    text + &savings(built, all_pairs.as_ref())
}

/// The names in a row, as far as there is room.
fn listed(names: impl ExactSizeIterator<Item = String>) -> String {
    let more = match names.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    names.take(NAMED).collect::<Vec<_>>().join(", ") + &more
}

fn too_far(flows: &[DistantFlow]) -> String {
    if flows.is_empty() {
        return String::new();
    }
    let named = flows.iter().map(|flow| {
        let DistantFlow { source, destination, latency_cycles, least_cycles } = flow;
        format!("{source} to {destination} ({latency_cycles}, takes {least_cycles})")
    });
    wrap(
        &format!("flows that ask for LESS latency than an empty network has: {}", listed(named)),
        WIDTH,
    )
}

fn busiest(load: &FlowLoad) -> String {
    let FlowLoad { flits_per_cycle, from, output, flows } = load;
    let over = if *flits_per_cycle > 1.0 { ", MORE than the 1 that it carries" } else { "" };
    let named = listed(flows.iter().map(|flow| {
        format!("{} to {} ({})", flow.source, flow.destination, number(flow.bandwidth))
    }));
    wrap(
        &format!(
            "largest load: {} flits per cycle on {output} of {from}{over}; there meet {named}",
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

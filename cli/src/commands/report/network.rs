//! The network with the load of its channels, under uniform traffic or that of its flows.

use std::collections::BTreeMap;
use turnpike_analysis::expected::Expected;
use turnpike_analysis::properties::{CarriedBy, channel_loads};
use turnpike_emit::picture::page::{Loads, words};
use turnpike_fabric::plan::FabricPlan;
use turnpike_network::flows::Bandwidth;

/// Most loads in the table.
const LISTED: usize = 64;

/// Loads of flows are shown to so many billionths of a flit per cycle.
const ROUNDED: f64 = 1000.0;

/// Section of the page on loads.
pub struct LoadTable {
    /// The loads, for the picture.
    pub loads: Loads,
    /// Traffic that loads the channels: a clause.
    pub offered: &'static str,
    /// A sentence on the largest.
    pub summary: String,
    /// The names of the columns of its rows.
    pub columns: [&'static str; 3],
    /// Load, how many channels have it, the first of them: the largest first.
    pub rows: Vec<[String; 3]>,
    /// Note on rows that are left out.
    pub left_out: Option<String>,
    /// The levels that the picture tells apart, with what they mean.
    pub levels: Vec<(usize, String)>,
}

/// The loads of a network at an offered load of 1: a flit per terminal and cycle, or what its flows ask
/// for.
pub fn loads(plan: &FabricPlan) -> LoadTable {
    let topology = plan.topology();
    let (offered, unit) = match topology.flows() {
        None => {
            let sinks = topology.sinks().count().max(1) as f64;
            ("every terminal offers 1 flit per cycle, to all terminals alike", sinks)
        }
        Some(flows) => {
            let offered = match flows.have_bandwidths() {
                true => "every flow offers the bandwidth that it asks for",
                false => "every source offers 1 flit per cycle, along its flows by their words",
            };
            (offered, Bandwidth::WHOLE.0 as f64)
        }
    };
    let flits = |packets: Expected| packets.to_f64() / unit;
    let mut all = channel_loads(plan.network());
    if topology.flows().is_some() {
        // Shares of a third and the like are rounded: three of them are one.
        let rounded = |load: Expected| ((load.to_f64() / ROUNDED).round() * ROUNDED) as u64;
        all.iter_mut().for_each(|load| load.packets = rounded(load.packets).into());
    }
    let mut alike: BTreeMap<Expected, (usize, String)> = BTreeMap::new();
    for &CarriedBy { from, output, packets } in &all {
        let named = || {
            let (to, _) = topology.channel(from, output).expect("a channel of the network");
            let (from, to) = (topology.label(from), topology.label(to));
            format!("{from} -{}-> {to}", topology.port_name(output))
        };
        alike.entry(packets).or_insert_with(|| (0, named())).0 += 1;
    }
    let row = |(packets, (channels, first)): (&Expected, &(usize, String))| {
        [words(flits(*packets)), channels.to_string(), first.clone()]
    };
    let summary = match alike.last_key_value() {
        None => "There are no channels.".to_owned(),
        Some((most, (channels, _))) => {
            let most = flits(*most);
            let bound = match most > 1.0 {
                true => format!(
                    ": no router carries an offered load of more than {}",
                    words(1.0 / most)
                ),
                false => String::new(),
            };
            let are = if *channels == 1 { "channel carries" } else { "channels carry" };
            format!("{channels} of {} {are} the most, {}{bound}.", all.len(), words(most))
        }
    };
    let left_out = (alike.len() > LISTED)
        .then(|| format!("loads of channels beyond the {LISTED} largest of {}", alike.len()));
    let loads = Loads::new(all.iter().map(|load| ((load.from, load.output), flits(load.packets))));
    let levels = loads.levels().into_iter().map(|(level, (least, most))| {
        let range = match (words(least), words(most)) {
            (least, most) if least == most => least,
            (least, most) => format!("{least} to {most}"),
        };
        (level, range)
    });
    LoadTable {
        offered,
        summary,
        columns: ["load", "channels", "the first of them"],
        rows: alike.iter().rev().take(LISTED).map(row).collect(),
        left_out,
        levels: levels.collect(),
        loads,
    }
}

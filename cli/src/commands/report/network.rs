//! The network with the load of its channels under uniform traffic.

use std::collections::BTreeMap;
use turnpike_analysis::expected::Expected;
use turnpike_analysis::properties::{CarriedBy, channel_loads};
use turnpike_emit::picture::page::{Loads, words};
use turnpike_fabric::plan::FabricPlan;

/// Most loads in the table.
const LISTED: usize = 64;

/// Section of the page on loads.
pub struct LoadTable {
    /// The loads, for the picture.
    pub loads: Loads,
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

/// The loads of a network at an offered load of 1 flit per terminal and cycle.
pub fn loads(plan: &FabricPlan) -> LoadTable {
    let topology = plan.topology();
    let sinks = topology.sinks().count().max(1) as f64;
    let flits = |packets: Expected| packets.to_f64() / sinks;
    let all = channel_loads(plan.network());
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
        summary,
        columns: ["load", "channels", "the first of them"],
        rows: alike.iter().rev().take(LISTED).map(row).collect(),
        left_out,
        levels: levels.collect(),
        loads,
    }
}

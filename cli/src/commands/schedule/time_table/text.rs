//! A time table as text.

use super::report::{ChannelFields, Head, Outcome, ShortFlow, TimeTableReport};
use crate::format::{counted, number};
use crate::network_fields::{NetworkFields, TopologyFields};
use crate::table::Table;
use std::collections::BTreeMap;

/// A table is printed as text for as many sources, and as many slots.
const PRINTED: (usize, u32) = (64, 16);

/// The report as text.
pub fn of(report: &TimeTableReport) -> String {
    let head = &report.head;
    let NetworkFields {
        topology: TopologyFields { topology, size_words, .. },
        routing,
        failed,
        ..
    } = &head.network;
    let failed = match failed.is_empty() {
        true => String::new(),
        false => format!(", {} failed", failed.join(", ")),
    };
    let ChannelFields { from, output } = &head.busiest;
    let [words, pairs, bound] = [
        counted(head.words, "word"),
        counted(head.pairs as u64, "pair"),
        counted(head.bound, "slot"),
    ];
    let mut text = format!(
        "{topology}, {size_words}{failed}, routing {routing}: {}, {words}, {pairs}\n\
         at least {bound}: the words on the channel {from} {output}; routes of up to {} channels, inject \
         and eject included\n\n",
        head.pattern, head.longest_route
    );
    text += &verdict(head);
    for ShortFlow { source, destination, words, bandwidth } in &report.short_of {
        let slots = counted(head.slot_count, "slot");
        text += &format!(
            "TOO LONG for the flow from {source} to {destination}: {} in {slots} are less than {}\n",
            counted(*words, "word"),
            number(*bandwidth)
        );
    }
    let sources = by_source(report);
    let (most_sources, most_slots) = PRINTED;
    if head.outcome == Outcome::Table {
        text += match sources.len() <= most_sources && head.slot_count <= most_slots {
            true => table(&report.sources, &sources, head.slot_count),
            false => "\n--format json or csv gives the table\n".to_owned(),
        }
        .as_str();
    }
    text
}

fn verdict(head: &Head) -> String {
    let Head { slot_count, excess, .. } = *head;
    let asked = counted(head.asked.unwrap_or(0), "slot");
    match head.outcome {
        Outcome::NotDecided => format!(
            "a table of {asked}: not decided; --conflicts with a larger number searches longer\n"
        ),
        Outcome::None => {
            let reason = head.reason.as_deref().unwrap_or_default();
            format!("there is no table of {asked}: {reason}\n")
        }
        Outcome::Table => {
            let above = match excess {
                0 => "as few as there can be".to_owned(),
                _ => format!("{excess} more than the busiest channel has words"),
            };
            let mut text = format!(
                "{}, {above}\nno word waits and no two meet: each was checked along its route\n",
                counted(slot_count, "slot")
            );
            if !head.refuted.is_empty() {
                text += &format!("no table has {} slots\n", listed(&head.refuted));
            }
            if !head.not_decided.is_empty() {
                text += &format!(
                    "not decided whether fewer slots are enough: {}; --conflicts with a larger number \
                     searches longer\n",
                    listed(&head.not_decided)
                );
            } else if excess > 0 && head.is_least == Some(true) {
                text += "so there is none with fewer\n";
            }
            text
        }
    }
}

/// Numbers, runs of them as a range.
fn listed(numbers: &[u32]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for &number in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let run = |(first, last): (u32, u32)| match first == last {
        true => first.to_string(),
        false => format!("{first} to {last}"),
    };
    runs.into_iter().map(run).collect::<Vec<_>>().join(", ")
}

/// The destinations of a source, by the slot in which it sends there.
type SlotCells<'a> = BTreeMap<u32, &'a str>;

fn by_source(report: &TimeTableReport) -> BTreeMap<&str, SlotCells<'_>> {
    let mut sources: BTreeMap<&str, SlotCells> = BTreeMap::new();
    for slot in &report.slots {
        for word in &slot.words {
            sources.entry(&word.source).or_default().insert(slot.slot, &word.destination);
        }
    }
    sources
}

fn table(order: &[String], sources: &BTreeMap<&str, SlotCells<'_>>, slots: u32) -> String {
    let columns = (0..slots).map(|slot| format!("slot {slot}"));
    let mut table = Table::new(std::iter::once("from".to_owned()).chain(columns));
    for source in order {
        let cell = |slot| sources[&**source].get(&slot).map_or(".", |to| to).to_owned();
        table.push(std::iter::once(source.clone()).chain((0..slots).map(cell)).collect());
    }
    format!("\nto whom each source sends in each slot (. to nobody)\n{}", table.text())
}

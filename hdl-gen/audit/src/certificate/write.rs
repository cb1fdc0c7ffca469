//! Writes certificates.

use super::FIRST_LINE;
use crate::model::Routed;
use crate::traffic::Traffic;
use crate::verdict::{Proof, Rule, Switching};
use crate::waits::Waits;
use std::fmt::Write;

/// The certificate of a network that is free of deadlock.
pub fn write(
    routed: &Routed,
    traffic: &Traffic,
    waits: &Waits,
    switching: Switching,
    proof: &Proof,
) -> String {
    let mut text = String::new();
    let mut line = |words: std::fmt::Arguments<'_>| {
        text.write_fmt(words).expect("a string takes any text");
        text.push('\n');
    };
    line(format_args!("{FIRST_LINE}"));
    line(format_args!("network {}", one_line(&routed.name)));
    line(format_args!(
        "switching {}",
        match switching {
            Switching::Wormhole => "wormhole",
            Switching::Packets => "packets",
        }
    ));
    line(format_args!(
        "rule {}",
        match proof.rule {
            Rule::All => "all",
            Rule::Some => "some",
            Rule::Escape => "escape",
        }
    ));
    line(format_args!("condition {}", proof.condition(traffic)));
    for switch in &routed.switches {
        line(format_args!("switch {}", one_line(switch)));
    }
    let place = |switch: Option<u32>| switch.map_or("-".to_owned(), |switch| switch.to_string());
    for terminal in &routed.terminals {
        let (source, sink) = (place(terminal.source), place(terminal.sink));
        line(format_args!("terminal {source} {sink} {}", one_line(&terminal.name)));
    }
    for class in &traffic.classes {
        let after: Vec<String> = class.after.iter().map(usize::to_string).collect();
        let after = if after.is_empty() { "-".to_owned() } else { after.join(",") };
        line(format_args!("class {after} {}", class.name));
    }
    if traffic.classes.is_empty() {
        line(format_args!("class - all"));
    }
    for (at, channel) in routed.channels.iter().enumerate() {
        let (table, number) = (routed.of_channel[at], proof.numbers[at]);
        let (from, to, vc) = (channel.from, channel.to, channel.vc);
        let escape = if proof.escape.get(at) == Some(&true) { " escape" } else { "" };
        line(format_args!("channel {from} {to} {vc} {table} {number}{escape}"));
    }
    for (resource, &number) in proof.numbers.iter().enumerate().skip(routed.channels.len()) {
        if let Some((terminal, class)) = waits.terminal(resource as u32)
            && waits.waits_at(terminal, class)
        {
            line(format_args!("sink {terminal} {class} {number}"));
        }
    }
    for class in 0..traffic.class_count() {
        for switch in 0..routed.switches.len() as u32 {
            let table = routed.injection(class, switch);
            line(format_args!("inject {class} {switch} {table}"));
        }
    }
    match traffic.flows() {
        None => line(format_args!("flows all")),
        Some(flows) => {
            for flows in flows.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
                let sources: String = flows.iter().map(|flow| format!(" {}", flow.2)).collect();
                line(format_args!("flow {} {}{sources}", flows[0].0, flows[0].1));
            }
        }
    }
    let mut row = String::new();
    for table in 0..routed.tables.len() {
        row.clear();
        for destination in 0..routed.tables.destinations() {
            let next = routed.tables.next(table, destination);
            if let Some((first, more)) = next.split_first() {
                write!(row, " {destination}:{first}").expect("a string takes any text");
                for next in more {
                    write!(row, ",{next}").expect("a string takes any text");
                }
            }
        }
        line(format_args!("table{row}"));
    }
    let lines = text.bytes().filter(|&byte| byte == b'\n').count();
    writeln!(text, "end {lines}").expect("a string takes any text");
    text
}

/// A name as it can stand in a line: without what ends one, and not empty.
fn one_line(name: &str) -> String {
    let plain: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if plain.trim().is_empty() { "-".to_owned() } else { plain.trim().to_owned() }
}

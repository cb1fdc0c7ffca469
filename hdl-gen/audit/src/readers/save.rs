//! Writes next hops in CSV, as [`super::csv`] reads them.

use crate::model::Routed;
use std::fmt::Write;

/// Next hops of a network as a file; `None` where they differ by message class.
pub fn save(routed: &Routed) -> Option<String> {
    if routed.of_injection.windows(2).any(|pair| pair[0] != pair[1]) {
        return None;
    }
    let mut into = vec![Vec::new(); routed.switches.len()];
    let mut out = vec![Vec::new(); routed.switches.len()];
    for (at, channel) in (0u32..).zip(&routed.channels) {
        into[channel.to as usize].push(at);
        out[channel.from as usize].push(at);
    }
    let own = |at: u32| &routed.channels[at as usize];
    // The name of a neighbour, or of the port where several links lead there or come from there.
    let leaves = |at: u32| {
        let channel = own(at);
        let beside = |&other: &u32| own(other).to == channel.to && own(other).port != channel.port;
        match out[channel.from as usize].iter().any(beside) {
            true => channel.port.clone(),
            false => routed.switches[channel.to as usize].clone(),
        }
    };
    let comes = |at: u32| {
        let channel = own(at);
        let beside =
            |&other: &u32| own(other).from == channel.from && own(other).input != channel.input;
        match into[channel.to as usize].iter().any(beside) {
            true => channel.input.clone(),
            false => routed.switches[channel.from as usize].clone(),
        }
    };
    let has_vcs = routed.channels.iter().any(|channel| channel.vc > 0);
    let with_vc = |name: String, vc: u32| if has_vcs { format!("{name}:{vc}") } else { name };
    let mut text = "switch,destination,next,input\n".to_owned();
    for (switch, name) in (0u32..).zip(&routed.switches) {
        let injection = routed.injection(0, switch);
        let rows = |table: u32, input: &str, text: &mut String| {
            for (destination, terminal) in (0..).zip(&routed.terminals) {
                if terminal.sink == Some(switch) {
                    continue;
                }
                for &next in routed.tables.next(table, destination) {
                    let next = with_vc(leaves(next), own(next).vc);
                    let row = [name, &terminal.name, &next, input].map(quoted);
                    writeln!(text, "{}", row.join(",")).expect("a string takes any text");
                }
            }
        };
        let of_channel = |&at: &u32| routed.of_channel[at as usize];
        if into[switch as usize].iter().all(|at| of_channel(at) == injection) {
            rows(injection, "", &mut text);
            continue;
        }
        rows(injection, "inject", &mut text);
        for at in &into[switch as usize] {
            rows(of_channel(at), &with_vc(comes(*at), own(*at).vc), &mut text);
        }
    }
    Some(text)
}

/// A field of CSV.
fn quoted(field: &str) -> String {
    match field.contains([',', '"', '#', '\n', '\r']) || field.trim() != field {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.to_owned(),
    }
}

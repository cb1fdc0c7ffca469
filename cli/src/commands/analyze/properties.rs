//! The five properties, in text.

use super::deadlock::route;
use crate::format::{indent, number};
use turnpike_analysis::properties::{Balance, Dependence, Failure, Load, Oblivious, PortBound};
use turnpike_analysis::properties::{Properties, ShortestPath};
use turnpike_fabric::report::Analysis;

/// The section on the five properties.
pub fn section(analysis: &Analysis, properties: &Properties) -> String {
    let Properties { shortest_path, port_bound, oblivious, balance, failure } = properties;
    let properties = [
        shortest(shortest_path),
        ports(port_bound),
        obliviousness(oblivious, analysis.configuration.virtual_channels),
        load(balance),
        failed_switch(failure),
    ];
    let mut text = String::new();
    if analysis.adaptive {
        text += "1 and 2 are of every route that a packet can choose, 4 and 5 of those by the ";
        text += match analysis.escape_channels {
            true => "escape\nchannels alone\n",
            false => "hops\nthat it likes best\n",
        };
    }
    for (number, (verdict, lines)) in (1..).zip(properties) {
        let mut lines = lines.into_iter();
        let head = lines.next().unwrap_or_default();
        text += &format!("{number}  {:<5}  {head}\n", if verdict { "holds" } else { "fails" });
        for line in lines {
            text += &format!("          {line}\n");
        }
    }
    indent(&text)
}

type Lines = (bool, Vec<String>);

fn shortest(p: &ShortestPath) -> Lines {
    let mut lines = vec!["every route is a shortest path".to_owned()];
    if let Some(detour) = &p.counterexample {
        lines.push(format!(
            "{} pairs go further, by up to {}; at distance {}: {}",
            p.longer_pairs,
            p.largest_excess,
            detour.distance,
            route(&detour.route)
        ));
    }
    (p.holds, lines)
}

fn ports(p: &PortBound) -> Lines {
    let verdict = match (p.holds, p.fan_in_holds) {
        (true, true) => "no output port either",
        (true, false) => "but some output port has",
        (false, true) => "no output port has",
        (false, false) => "some output port has, too",
    };
    let mut lines = vec![
        format!("no input port has more than ceil((k-1)/2) = {} crosspoints", p.bound),
        format!("{verdict}: largest fan-in {}, largest fan-out {}", p.max_fan_in, p.max_fan_out),
    ];
    let of_input = p.counterexample.iter().map(|busy| ("fan-out", busy));
    let of_output = p.fan_in_counterexample.iter().map(|busy| ("fan-in", busy));
    for (count, busy) in of_input.chain(of_output) {
        lines.push(format!("{count} of {} is {}:", busy.port, busy.crosspoints.len()));
        for c in &busy.crosspoints {
            lines.push(format!("  {} to {} at {}: {}", c.input, c.output, c.at, route(&c.route)));
        }
    }
    (p.holds, lines)
}

fn obliviousness(p: &Oblivious, vcs: u8) -> Lines {
    let mut lines = vec!["the output port is a function of node and destination alone".to_owned()];
    if vcs > 1 {
        lines.push("(its virtual channel follows from the turn)".to_owned());
    }
    match p.output_port_by {
        Dependence::NodeAndDestination => {}
        Dependence::NodeDestinationAndInputPort => {
            lines.push("with the input port it is one".to_owned());
        }
        Dependence::Choice => {
            return (p.holds, vec![lines[0].clone(), "what is free decides as well".to_owned()]);
        }
        Dependence::Draw => {
            return (
                p.holds,
                vec![lines[0].clone(), "what the source drew decides as well".to_owned()],
            );
        }
        Dependence::History => lines.push("nor of those and the input port".to_owned()),
    }
    if let Some(parting) = &p.counterexample {
        lines.push(format!("two packets to {} part at {}:", parting.destination, parting.at));
        lines.push(format!("  {}", route(&parting.passing)));
        lines.push(format!("  {}", route(&parting.starting)));
    }
    (p.holds, lines)
}

fn load(p: &Balance) -> Lines {
    let total = match p.total.balanced {
        true => format!("in all: {} packets on every channel", number(p.total.mean)),
        false => format!("in all: {}", uneven(&p.total)),
    };
    let mut lines = vec!["the all-pairs load of the channels is balanced".to_owned(), total];
    lines.push(match p.per_step.iter().find(|step| !step.load.balanced) {
        None => "per step: balanced".to_owned(),
        Some(first) => {
            format!("per step: not balanced; step {}: {}", first.step, uneven(&first.load))
        }
    });
    if !p.per_step_holds {
        let rest = if p.per_step_holds_without_farthest { "balanced" } else { "not balanced" };
        lines.push(format!("per step without the farthest pairs: {rest}"));
    }
    (p.holds, lines)
}

fn uneven(load: &Load) -> String {
    format!(
        "{} on {} of {}, {} on {} of {}, mean {}",
        load.least.packets,
        load.least.output,
        load.least.from,
        load.most.packets,
        load.most.output,
        load.most.from,
        number(load.mean)
    )
}

fn failed_switch(p: &Failure) -> Lines {
    let lost = if p.lost_most == p.lost_least {
        format!("any failed switch costs {} of the {} other ordered pairs", p.lost_most, p.pairs)
    } else {
        format!(
            "a failed switch costs {} to {} of the {} other ordered pairs, most at {}",
            p.lost_least, p.lost_most, p.pairs, p.worst_switch
        )
    };
    let mut lines = vec!["every pair keeps its route when a switch fails".to_owned(), lost];
    if let Some(lost) = &p.counterexample {
        lines.push(format!("without {}: {}", lost.failed, route(&lost.route)));
    }
    (p.holds, lines)
}

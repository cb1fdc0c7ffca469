//! The report of `analyze` for people.

use super::{deadlock, flows, matrix, properties};
use crate::format::{indent, number};
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::report::{Analysis, FailedNodes};

/// The whole report.
pub fn report(plan: &FabricPlan, a: &Analysis) -> String {
    let c = &a.configuration;
    let seed = c.route_seed.map(|seed| format!(" drawn from seed {seed}")).unwrap_or_default();
    let mut text = format!(
        "{}, {}, routing {}{seed}\nconfiguration: {}\n\n",
        c.topology,
        a.size.words(),
        c.routing,
        c.configuration
    );
    let over = format!("over {}", a.averages_over);
    text += "Network\n";
    let method = match &a.representatives[..] {
        [] if a.by_row => "one row of each dimension stands for all by construction".to_owned(),
        [] if a.flows.is_some() => "all flows walked".to_owned(),
        [] => "all pairs walked".to_owned(),
        [_] => "node 0 stands for all by construction".to_owned(),
        several => format!("routes from {} terminals stand for all by construction", several.len()),
    };
    text += &figures(&[
        ("nodes", c.nodes.to_string(), method),
        ("channels", a.channels.to_string(), String::new()),
        ("diameter", a.lengths.diameter.to_string(), String::new()),
        ("average distance", number(a.lengths.average_distance), over.clone()),
        ("longest route", a.lengths.longest_route.to_string(), String::new()),
        ("average route", number(a.lengths.average_route_length), over.clone()),
    ]);

    if let Some(failed) = &a.failure_cost {
        text += "\nFailed nodes\n";
        text += &indent(&failed_nodes(failed));
    }
    text += "\nSwitch";
    let several = a.switch_classes.len() > 1;
    text += if several { " (each figure is that of the largest class)\n" } else { "\n" };
    text += &figures(&[
        (
            "crosspoints",
            a.crosspoints_per_switch.to_string(),
            format!(
                "of {} without U-turns, {} full; terminals' apart",
                a.full_crosspoints_no_uturn, a.full_crosspoints
            ),
        ),
        ("terminal crosspoints", a.terminal_crosspoints.to_string(), String::new()),
        ("largest fan-in", a.max_fan_in.to_string(), String::new()),
        ("largest fan-out", a.max_fan_out.to_string(), String::new()),
        (
            "multiplexer inputs",
            a.multiplexer_inputs.to_string(),
            format!("of {} behind the full crossbar", a.full_multiplexer_inputs_no_uturn),
        ),
        ("virtual channels", c.virtual_channels.to_string(), String::new()),
        (
            "queues",
            a.queues_per_switch.to_string(),
            format!("{} bits, {} flits deep", a.queue_bits_per_switch, c.depth),
        ),
        (
            "injection queues",
            a.injection_queues_per_switch.to_string(),
            format!("{} bits", a.injection_queue_bits_per_switch),
        ),
    ]);

    for (class, switch) in a.switch_classes.iter().zip(&plan.switches) {
        text += &match several {
            true => format!(
                "\nTurns of {}: {} nodes, such as {}\n",
                class.name, class.nodes, class.first_node
            ),
            false => "\nTurns\n".to_owned(),
        };
        text += &indent(&matrix::turn_matrix(plan, switch));
    }
    text += "\nDeadlock\n";
    text += &indent(&deadlock::section(a));
    if let Some(properties) = &a.properties {
        text += "\nProperties (SRC Technical Note 2000-001)\n";
        text += &properties::section(a, properties);
    }
    if let Some(flows) = &a.flows {
        text += "\nFlows\n";
        text += &indent(&flows::section(flows));
    }
    text
}

fn failed_nodes(f: &FailedNodes) -> String {
    let by: Vec<String> =
        f.longer_by.iter().map(|(more, pairs)| format!("{pairs} by {more}")).collect();
    let longer = match (&f.worst_pair, f.longer_pairs) {
        (Some((from, to)), pairs) => {
            format!("{pairs} pairs are farther apart: {} (such as {from} to {to})", by.join(", "))
        }
        (None, _) => "no pair is farther apart".to_owned(),
    };
    let left = match f.terminals_left {
        left if left == f.sources_left && left == f.sinks_left => format!("{left} terminals"),
        _ => format!("{} sources and {} sinks", f.sources_left, f.sinks_left),
    };
    format!(
        "{} failed, {left} left, every pair connected\n\
         average distance {} without them, {} with, over the pairs that are left\n{longer}\n",
        f.nodes.join(", "),
        number(f.average_distance),
        number(f.average_distance_intact),
    )
}

/// Name, figure and remark, in columns.
fn figures(lines: &[(&str, String, String)]) -> String {
    let width = lines.iter().map(|(_, figure, _)| figure.len()).max().unwrap_or(0);
    let line = |(name, figure, remark): &(&str, String, String)| {
        format!("{name:<20}  {figure:>width$}  {remark}\n")
    };
    indent(&lines.iter().map(line).collect::<String>())
}

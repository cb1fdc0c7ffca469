//! Deadlock freedom, in text: the certificate, or the cycle and the routes that make it.

use super::WIDTH;
use crate::format::{counted, wrap};
use crate::table::Table;
use turnpike_analysis::properties::LabelledRoute;
use turnpike_fabric::report::{Analysis, LabelledCertificate, LabelledWait};

/// The section on deadlock.
pub fn section(analysis: &Analysis) -> String {
    let vcs = counted(analysis.configuration.virtual_channels, "virtual channel");
    match (&analysis.certificate, &analysis.deadlock_cycle) {
        (Some(certificate), _) => {
            let several = analysis.configuration.vc_allocation.is_some();
            let every_route = match analysis.configuration.draw_seed {
                Some(_) => "pairs and draws, every route of each",
                None => "pairs, every route of each",
            };
            let (what, of) = match (analysis.adaptive, analysis.escape_channels) {
                (false, _) if several => (
                    "channels are numbered so that every route ascends,\n\
                     whichever virtual channels packets take"
                        .to_owned(),
                    every_route,
                ),
                (false, _) => {
                    ("channels are numbered so that every route ascends".to_owned(), "routes")
                }
                (true, true) => (
                    format!(
                        "adaptive ({}) with escape channels,\n\
                         which are numbered so that every escape route ascends",
                        unnumbered(analysis, certificate)
                    ),
                    "routes",
                ),
                (true, false) => (
                    "adaptive without escape channels; channels are\n\
                     numbered so that every route ascends, whatever packets choose"
                        .to_owned(),
                    every_route,
                ),
            };
            let checked = analysis.routes_checked;
            let condition = analysis.deadlock_free_condition.unwrap_or_default();
            let condition = wrap(&format!("{condition}:"), WIDTH);
            let mut text = format!("free with {vcs},\n{condition}{what}\n");
            text += &format!("(checked along {checked} {of})\n");
            text += &wrap(&order(certificate), WIDTH);
            if let Some(cycle) = &analysis.single_vc_cycle {
                let cycle = round(cycle);
                let one = if analysis.adaptive { "escape" } else { "virtual" };
                let text_of = format!("with 1 {one} channel there is a cycle: {cycle}");
                text += &wrap(&text_of, WIDTH);
            }
            text
        }
        (None, Some(cycle)) => {
            let all = "packets can each hold a channel and wait for the next one's";
            format!("NOT free with {vcs}: {} {all}\n\n{}", cycle.len(), drawing(cycle))
        }
        (None, None) => String::new(),
    }
}

/// The virtual channels that have no number: `vc 0`, or `vc 0 to 2`.
fn unnumbered(analysis: &Analysis, certificate: &LabelledCertificate) -> String {
    let is_numbered = |vc: &u8| certificate.numbers.iter().any(|number| number.vc == *vc);
    let vcs: Vec<u8> =
        (0..analysis.configuration.virtual_channels).filter(|vc| !is_numbered(vc)).collect();
    let mut runs: Vec<(u8, u8)> = Vec::new();
    for vc in vcs {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == vc => *last = vc,
            _ => runs.push((vc, vc)),
        }
    }
    let words = runs.iter().map(|&(first, last)| match first == last {
        true => first.to_string(),
        false => format!("{first} to {last}"),
    });
    format!("vc {}", words.collect::<Vec<_>>().join(", "))
}

/// The channels in ascending order, where few numbers say it all.
fn order(certificate: &LabelledCertificate) -> String {
    if !certificate.every_node {
        return format!("{} channels have numbers (see --format json)", certificate.numbers.len());
    }
    let mut numbers: Vec<_> = certificate.numbers.iter().collect();
    numbers.sort_by_key(|n| n.number);
    let several = numbers.iter().any(|n| n.vc > 0);
    let names = numbers.iter().map(|n| match several {
        true => format!("{}_vc{}", n.output, n.vc),
        false => n.output.clone(),
    });
    format!("at every node: {}", names.collect::<Vec<_>>().join(" < "))
}

/// `0000 -dim3-> 1000 -dim2-> ... -> 0000`.
fn round(cycle: &[LabelledWait]) -> String {
    let steps = cycle.iter().map(|wait| format!("{} -{}-> ", wait.from, wait.output));
    let start = cycle.first().map_or("", |wait| &wait.from);
    steps.collect::<String>() + start
}

/// The cycle downward, each channel with the packet that holds it and waits.
fn drawing(cycle: &[LabelledWait]) -> String {
    let mut table = Table::new(["    channel held", "packet waits at", "packet's route"]);
    for (i, wait) in cycle.iter().enumerate() {
        let mark = match i {
            _ if cycle.len() == 1 => "=",
            0 => "+->",
            _ if i + 1 == cycle.len() => "+--",
            _ => "|",
        };
        table.push(vec![
            format!("{mark:<3} {} {} vc{}", wait.from, wait.output, wait.vc),
            wait.to.clone(),
            route(&wait.route),
        ]);
    }
    table.text()
}

/// `000 -dim2-> 100 -dim1-> 110`.
pub fn route(route: &LabelledRoute) -> String {
    let mut text = route.nodes[0].clone();
    for (port, node) in route.ports.iter().zip(&route.nodes[1..]) {
        text += &format!(" -{port}-> {node}");
    }
    text
}

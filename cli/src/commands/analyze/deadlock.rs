//! Deadlock freedom, in text: the certificate, or the cycle and the routes that make it.

use crate::format::indent;
use crate::table::Table;
use turnpike_hdl_gen::analysis::{Analysis, LabelledCertificate, LabelledWait};
use turnpike_hdl_gen::properties::LabelledRoute;

/// Ports on one line of the order of channels.
const ORDER_WIDTH: usize = 88;

/// The section on deadlock.
pub fn section(analysis: &Analysis) -> String {
    let mut text = String::new();
    match (&analysis.certificate, &analysis.deadlock_cycle) {
        (Some(certificate), _) => {
            let vcs = analysis.virtual_channels;
            text += &format!(
                "Deadlock-free with {vcs} virtual channel{}: every route ascends in the \
                 numbers of the\nchannels, checked along {} routes.\n",
                if vcs == 1 { "" } else { "s" },
                analysis.routes_checked
            );
            text += &order(certificate);
            if let Some(cycle) = &analysis.single_vc_cycle {
                text += &format!(
                    "With one virtual channel a cycle of {} channels would remain: {}\n",
                    cycle.len(),
                    round(cycle)
                );
            }
        }
        (None, Some(cycle)) => {
            text += &format!(
                "NOT deadlock-free: {} packets can each hold a channel and wait for the next \
                 one's.\n\n",
                cycle.len()
            );
            text += &indent(&drawing(cycle));
        }
        (None, None) => {}
    }
    text
}

/// The channels in ascending order, where few numbers say it all.
fn order(certificate: &LabelledCertificate) -> String {
    if !certificate.every_node {
        return format!("The certificate numbers {} channels.\n", certificate.numbers.len());
    }
    let mut numbers: Vec<_> = certificate.numbers.iter().collect();
    numbers.sort_by_key(|n| n.number);
    let several = numbers.iter().any(|n| n.vc > 0);
    let mut lines = vec!["  at every node:".to_owned()];
    for n in numbers {
        let name = if several { format!("{}.{}", n.output, n.vc) } else { n.output.clone() };
        let last = lines.last_mut().expect("there is a first line");
        if last.len() + name.len() + 3 > ORDER_WIDTH {
            lines.push(format!("    < {name}"));
        } else if last.ends_with(':') {
            *last += &format!(" {name}");
        } else {
            *last += &format!(" < {name}");
        }
    }
    lines.join("\n") + "\n"
}

/// `0000 -dim3-> 1000 -dim2-> ... -> 0000`.
fn round(cycle: &[LabelledWait]) -> String {
    let steps = cycle.iter().map(|wait| format!("{} -{}-> ", wait.from, wait.output));
    let start = cycle.first().map_or("", |wait| &wait.from);
    steps.collect::<String>() + start
}

/// The cycle downward, each channel with the packet that holds it and waits.
fn drawing(cycle: &[LabelledWait]) -> String {
    let mut table = Table::new(["channel", "", "held by a packet on this route, which waits at"]);
    for (i, wait) in cycle.iter().enumerate() {
        let mark = match i {
            _ if cycle.len() == 1 => "=",
            0 => "+->",
            _ if i + 1 == cycle.len() => "+--",
            _ => "|",
        };
        table.push(vec![
            format!("{mark:<3} {} -{}.{}-> {}", wait.from, wait.output, wait.vc, wait.to),
            wait.to.clone(),
            route(&wait.route),
        ]);
    }
    let rows: Vec<String> = table.text().lines().skip(1).map(str::to_owned).collect();
    let head = "    channel (port.VC); where its packet waits; that packet's route\n";
    head.to_owned() + &rows.join("\n") + "\n"
}

/// `000 -dim2-> 100 -dim1-> 110`.
pub fn route(route: &LabelledRoute) -> String {
    let mut text = route.nodes[0].clone();
    for (port, node) in route.ports.iter().zip(&route.nodes[1..]) {
        text += &format!(" -{port}-> {node}");
    }
    text
}

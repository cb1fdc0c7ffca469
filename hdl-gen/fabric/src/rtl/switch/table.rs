//! The table of a switch that routes by the destination's address, for who reads its module.

use crate::plan::{FabricPlan, SwitchPlan};
use turnpike_network::topology::Terminal;

/// Letters of a line, at most.
const LINE: usize = 88;
/// Terminals of a network whose tables are written out, at most.
const MOST: u32 = 1024;

/// Lines that say which output a packet for an address takes, runs of addresses with one output together.
/// Outputs that the switch does not have are those of packets that never come. None where headers are no
/// addresses, or there are many terminals.
pub fn lines(plan: &FabricPlan, class: &SwitchPlan) -> Vec<String> {
    // No table has more entries than there are terminals; to look for it would take their square.
    if plan.topology().terminals() > MOST {
        return Vec::new();
    }
    let classes = plan.network().turns().classes.iter().zip(&plan.switches);
    let sites = classes.filter(|(_, switch)| switch.name == class.name);
    let Some(site) = sites.map(|(turns, _)| turns.site).next() else { return Vec::new() };
    let Some(table) = plan.relation().table(site) else { return Vec::new() };
    let name = |output| class.outputs.iter().find(|own| own.output == output).map(|own| &*own.name);
    let mut runs: Vec<(Terminal, Terminal, &str)> = Vec::new();
    for (address, output) in table {
        let Some(output) = name(output) else { continue };
        match runs.last_mut() {
            Some((_, last, of)) if *of == output && last.0 + 1 == address.0 => *last = address,
            _ => runs.push((address, address, output)),
        }
    }
    let is_address = |terminal: Terminal| plan.address(terminal) == terminal.0;
    let mut lines = vec![match plan.sinks().iter().copied().all(is_address) {
        true => "Output by the destination's address:".to_owned(),
        false => "Output by the destination's number in the network, which is not its address:"
            .to_owned(),
    }];
    let mut line = String::new();
    for (at, (first, last, output)) in runs.iter().enumerate() {
        let range = if first == last { String::new() } else { format!("..{}", last.0) };
        let comma = if at + 1 < runs.len() { "," } else { "" };
        let entry = format!(" {}{range} {output}{comma}", first.0);
        if line.len() + entry.len() > LINE {
            lines.push(std::mem::take(&mut line));
        }
        line += if line.is_empty() { " " } else { "" };
        line += &entry;
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::plan_of;
    use std::collections::BTreeMap;
    use turnpike_network::routing::Draw;
    use turnpike_network::routing::walk::{Step, walk};

    /// The table as a reader takes it, by address.
    fn read(lines: &[String]) -> BTreeMap<u32, String> {
        let text = lines[1..].join("");
        let entries = text.split(',').map(|entry| entry.trim().split_once(' ').unwrap());
        let mut table = BTreeMap::new();
        for (addresses, output) in entries {
            let (first, last) = addresses.split_once("..").unwrap_or((addresses, addresses));
            for address in first.parse().unwrap()..=last.parse().unwrap() {
                assert_eq!(table.insert(address, output.to_owned()), None, "{text}");
            }
        }
        table
    }

    /// Each hop of each route is the one that the table of its switch says.
    #[test]
    fn routes_follow_the_tables() {
        for fabric in ["mesh 4x3 up-down", "wired delayed up-down", "ring 6 up-down"] {
            let plan = plan_of(fabric, Default::default());
            let topology = plan.topology();
            let tables: Vec<_> =
                plan.switches.iter().map(|class| read(&lines(&plan, class))).collect();
            let mut met = 0;
            for source in topology.sources() {
                for destination in topology.destinations(source) {
                    let hop = |step: &Step| {
                        let class = plan.network().turns().class_of(step.node);
                        let mut own = plan.switches[class].outputs.iter();
                        let output = own.find(|own| own.output == step.hop.output).unwrap();
                        let said = &tables[class][&destination.0];
                        assert_eq!(*said, output.name, "{fabric}: {source:?} to {destination:?}");
                        met += 1;
                    };
                    let relation = plan.relation();
                    walk(topology, relation, source, destination, Draw::NONE, hop).unwrap();
                }
            }
            assert!(met > 20, "{fabric}: {met} hops");
        }
        let chosen = plan_of("mesh 3x2 up-down as 2_1=@16", Default::default());
        let heading = &lines(&chosen, &chosen.switches[0])[0];
        assert!(heading.contains("number in the network"), "{heading}");
        let cube = plan_of("hypercube 3 rotation", Default::default());
        assert!(cube.switches.iter().all(|class| lines(&cube, class).is_empty()));
    }
}

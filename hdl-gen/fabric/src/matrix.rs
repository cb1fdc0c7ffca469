//! The crossbar drawn as text: which input feeds which output.

use crate::plan::SwitchPlan;

/// The widest drawing with the outputs' names side by side.
const COLUMNS: usize = 96;

/// The turn matrix of a switch: a row per queue, a column per (output port, VC), `X` where
/// there is a turn. Where that would be too wide, the outputs' names are written downward.
pub fn turn_matrix(switch: &SwitchPlan) -> String {
    let rows = switch.queues.iter().map(|q| q.name.len()).max().unwrap_or(0);
    let names: Vec<&str> = switch.output_vcs.iter().map(|o| o.name.as_str()).collect();
    let wide = rows + names.iter().map(|n| n.len() + 1).sum::<usize>() > COLUMNS;
    let width = |name: &str| if wide { 1 } else { name.len() };
    let mut lines = if wide {
        downward(rows, &names)
    } else {
        vec![format!("{:rows$} {}", "", names.join(" "))]
    };
    for (index, queue) in switch.queues.iter().enumerate() {
        let mut line = format!("{:rows$}", queue.name);
        for output in &switch.output_vcs {
            let turn = output.sources.iter().any(|s| s.queue == index);
            let mark = if turn { "X" } else { "." };
            line += &format!(" {mark:^width$}", width = width(&output.name));
        }
        lines.push(line);
    }
    let trimmed: Vec<&str> = lines.iter().map(|l| l.trim_end()).collect();
    trimmed.join("\n")
}

/// Names from top to bottom, one column each.
fn downward(indent: usize, names: &[&str]) -> Vec<String> {
    let height = names.iter().map(|n| n.len()).max().unwrap_or(0);
    let letter = |name: &str, at: usize| name.chars().nth(at).unwrap_or(' ');
    let line = |at| names.iter().flat_map(|n| [' ', letter(n, at)]).collect::<String>();
    (0..height).map(|at| format!("{:indent$}{}", "", line(at))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{FabricPlan, Parameters};
    use std::sync::Arc;
    use turnpike_analysis::network::Network;

    fn matrix(k: u32) -> (String, usize) {
        let network = Network::new("hypercube", k, Some("rotation"), None).unwrap();
        let plan = FabricPlan::new(Arc::new(network), Parameters::default(), None).unwrap();
        (turn_matrix(&plan.switches[0]), plan.switches[0].turns.len())
    }

    #[test]
    fn small_and_large() {
        let expected = "
         dim0_vc0 dim1_vc0 dim2_vc0 dim2_vc1 eject
inject      X        X        X        .       X
dim0_vc0    .        .        .        X       X
dim1_vc0    X        .        .        .       X
dim2_vc0    .        X        .        .       X
dim2_vc1    .        .        .        .       X";
        assert_eq!(format!("\n{}", matrix(3).0), expected);
        let (large, turns) = matrix(10);
        assert!(large.lines().all(|l| l.len() <= COLUMNS), "{large}");
        assert_eq!(large.matches('X').count(), turns);
    }
}

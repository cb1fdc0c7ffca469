//! The crossbar drawn as text: which input feeds which output.

use crate::plan::SwitchPlan;

/// The turn matrix of a switch: a row per queue, a column per (output port, VC), `X` where
/// there is a turn.
pub fn turn_matrix(switch: &SwitchPlan) -> String {
    let name_width = switch.queues.iter().map(|q| q.name.len()).max().unwrap_or(0);
    let mut text = format!("{:name_width$}", "");
    for output in &switch.output_vcs {
        text += &format!(" {}", output.name);
    }
    for (index, queue) in switch.queues.iter().enumerate() {
        text += &format!("\n{:name_width$}", queue.name);
        for output in &switch.output_vcs {
            let turn = output.sources.iter().any(|s| s.queue == index);
            text +=
                &format!(" {:^width$}", if turn { "X" } else { "." }, width = output.name.len());
        }
        text.truncate(text.trim_end().len());
    }
    text
}

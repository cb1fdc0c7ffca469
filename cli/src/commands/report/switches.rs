//! Switches with their crossbars: every turn with a route that takes it, its witness.

use crate::commands::analyze::deadlock::route;
use turnpike_emit::picture::page::{self, Switch, Words};
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::report::{Analysis, LabelledTurn};

/// Most turns in the table.
const LISTED: usize = 1000;

/// What the page says of switches.
pub struct Switches {
    /// The commonest classes, drawn.
    pub drawn: Vec<Switch>,
    /// Class, input, output, witness.
    pub rows: Vec<Vec<String>>,
    /// What is left out.
    pub left_out: Vec<String>,
}

/// Those of a fabric.
pub fn of(plan: &FabricPlan, analysis: &Analysis) -> Switches {
    let several = plan.relation().vcs() > 1;
    let (drawn, more) = page::switches(plan, |class| words(plan, analysis, class));
    let turns = drawn.iter().flat_map(|switch| {
        let turns = analysis.switch_classes[switch.class].turns.iter();
        turns.map(|turn| row(&switch.name, turn, several))
    });
    let mut rows: Vec<Vec<String>> = turns.collect();
    let mut left_out = Vec::new();
    if more > 0 {
        let drawn = drawn.len();
        left_out.push(format!("{more} classes of switches, none at more nodes than these {drawn}"));
    }
    if rows.len() > LISTED {
        left_out.push(format!("turns beyond the first {LISTED} of {} in the table", rows.len()));
        rows.truncate(LISTED);
    }
    Switches { drawn, rows, left_out }
}

/// The witnesses of the turns of each crosspoint.
fn words(plan: &FabricPlan, analysis: &Analysis, class: usize) -> Words {
    let mut words = Words::new();
    let turns = plan.network().turns().classes[class].turns.keys();
    for (turn, labelled) in turns.zip(&analysis.switch_classes[class].turns) {
        let said = words.entry((turn.input, turn.output)).or_default();
        let separator = if said.is_empty() { "" } else { "; " };
        *said += &format!("{separator}taken at {} by {}", labelled.at, witness(labelled));
    }
    words
}

/// A packet, by its ends and its route.
fn witness(turn: &LabelledTurn) -> String {
    let nodes = &turn.route.nodes;
    let (source, destination) = (&nodes[0], &nodes[nodes.len() - 1]);
    format!("a packet from {source} to {destination}: {}", route(&turn.route))
}

fn row(class: &str, turn: &LabelledTurn, several: bool) -> Vec<String> {
    let port = |name: &str, vc: u8, ends: &str| match several && !name.starts_with(ends) {
        true => format!("{name} vc{vc}"),
        false => name.to_owned(),
    };
    let nodes = &turn.route.nodes;
    vec![
        class.to_owned(),
        port(&turn.input, turn.input_vc, "inject"),
        port(&turn.output, turn.output_vc, "eject"),
        turn.at.clone(),
        nodes[0].clone(),
        nodes[nodes.len() - 1].clone(),
        route(&turn.route),
    ]
}

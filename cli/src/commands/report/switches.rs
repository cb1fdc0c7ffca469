//! Switches with their crossbars: every turn with a route that takes it, its witness.

use crate::commands::analyze::deadlock::route;
use turnpike_analysis::turns::Turn;
use turnpike_emit::picture::page::{self, Switch, Words};
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::report::{Analysis, LabelledTurn};

/// Most turns in the table.
const LISTED: usize = 1000;

/// Section of the page on switches.
pub struct Switches {
    /// The commonest classes, drawn.
    pub drawn: Vec<Switch>,
    /// Class, input, output, witness.
    pub rows: Vec<Vec<String>>,
    /// Notes on parts that are left out.
    pub left_out: Vec<String>,
}

/// Section on a fabric.
pub fn of(plan: &FabricPlan, analysis: &Analysis) -> Switches {
    let several = plan.relation().vcs() > 1;
    let (drawn, more) = page::switches(plan, |class| words(plan, analysis, class));
    let turns = drawn.iter().flat_map(|switch| {
        let turns = Taken::all(plan, analysis, switch.class);
        turns.map(|taken| taken.row(&switch.name, several))
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
    for taken in Taken::all(plan, analysis, class) {
        let said = words.entry((taken.turn.input, taken.turn.output)).or_default();
        let separator = if said.is_empty() { "" } else { "; " };
        *said += &format!("{separator}taken at {} by {}", taken.labelled.at, taken.witness());
    }
    words
}

/// A turn with a packet that takes it.
struct Taken<'a> {
    turn: &'a Turn,
    labelled: &'a LabelledTurn,
    /// The terminals where the packet enters and leaves: a switch may have several.
    source: String,
    destination: String,
}

impl<'a> Taken<'a> {
    /// All of a class of switches.
    fn all(
        plan: &'a FabricPlan,
        analysis: &'a Analysis,
        class: usize,
    ) -> impl Iterator<Item = Self> {
        let turns = plan.network().turns().classes[class].turns.iter();
        let label = |terminal| plan.topology().terminal_label(terminal);
        turns.zip(&analysis.switch_classes[class].turns).map(move |((turn, witness), labelled)| {
            let (source, destination) = (label(witness.source), label(witness.destination));
            Self { turn, labelled, source, destination }
        })
    }

    /// The packet, by its ends and its route.
    fn witness(&self) -> String {
        let Self { source, destination, labelled, .. } = self;
        format!("a packet from {source} to {destination}: {}", route(&labelled.route))
    }

    fn row(self, class: &str, several: bool) -> Vec<String> {
        let port = |name: &str, vc: u8, ends: &str| match several && !name.starts_with(ends) {
            true => format!("{name} vc{vc}"),
            false => name.to_owned(),
        };
        let turn = self.labelled;
        vec![
            class.to_owned(),
            port(&turn.input, turn.input_vc, "inject"),
            port(&turn.output, turn.output_vc, "eject"),
            turn.at.clone(),
            self.source,
            self.destination,
            route(&turn.route),
        ]
    }
}

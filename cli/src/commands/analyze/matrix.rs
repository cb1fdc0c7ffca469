//! The turns of a switch class as a small ASCII table: a row per queue, a column per output.

use crate::table::Table;
use turnpike_fabric::plan::{FabricPlan, SwitchPlan};
use turnpike_network::routing::{Input, Output};

/// Matrix of the turns of a switch. A cell holds the virtual channel of the output (`x` where there
/// is one VC only), `-` for a U-turn, `.` for a turn that no route takes.
pub fn turn_matrix(plan: &FabricPlan, switch: &SwitchPlan) -> String {
    let outputs = switch.outputs.iter().map(|output| output.name.clone());
    let mut table = Table::new(std::iter::once("in \\ out".to_owned()).chain(outputs));
    let network = plan.network();
    let one_vc = network.relation().vcs() == 1;
    let class = plan.switches.iter().position(|class| class.name == switch.name);
    let site = network.turns().classes[class.expect("a switch of this plan")].site;
    for queue in &switch.queues {
        let input = switch.inputs[queue.input].input;
        let cell = |output: Output| {
            let turns = switch.turns.iter().filter(|turn| {
                (turn.input, turn.input_vc, turn.output) == (input, queue.vc, output)
            });
            let vcs: Vec<String> = turns.map(|turn| turn.output_vc.0.to_string()).collect();
            match (vcs.first(), input, output) {
                (Some(_), _, Output::Eject(_)) => "x".to_owned(),
                (Some(_), ..) if one_vc => "x".to_owned(),
                (Some(_), ..) => vcs.join(","),
                (None, Input::Network(i), Output::Network(o))
                    if network.entering().is_u_turn(network.topology(), site, i, o) =>
                {
                    "-".to_owned()
                }
                (None, ..) => ".".to_owned(),
            }
        };
        let cells = switch.outputs.iter().map(|output| cell(output.output));
        table.push(std::iter::once(queue.name.clone()).chain(cells).collect());
    }
    let key = if one_vc {
        "x: built   -: U-turn   .: no route takes it"
    } else {
        "0, 1 ..: built, to that VC   x: built   -: U-turn   .: no route takes it"
    };
    format!("{}{key}\n", table.text())
}

//! Lanes of a switch in its property module: what must become of the followed packet at each, and how
//! long it may take.

use crate::formal::parts::most_passed;
use turnpike_fabric::plan::expected::counting;
use turnpike_fabric::plan::{FabricPlan, OutputVcPlan, SwitchPlan};
use turnpike_fabric::rtl::switch::port;

/// An (output port, VC).
pub(super) struct Lane {
    pub name: String,
    pub output: String,
    /// Whether it starts a channel, and is not the terminal's.
    pub channel: bool,
    pub valid: String,
    pub ready: String,
    /// Header bits that count further on, as the switch gives them; empty where none does.
    pub header: String,
    /// Header bits as the relation gives them.
    pub wanted: String,
    /// Conditions that the followed packet must leave here, or may, and that it must not.
    pub here: String,
    pub elsewhere: String,
    /// The moves of the other VCs of its link; empty where there are none.
    pub beside: String,
    /// The moves of those of them that have a higher priority; empty where there are none.
    pub above: String,
    /// Packets of others that leave here at most while one waits that has no other way.
    pub patience: u32,
    /// Cycles in a row in which a flit could leave here and none does, at most.
    pub turns: u32,
}

/// The lanes of a switch, of these names, whose widest header has so many bits.
pub(super) fn lanes(
    plan: &FabricPlan,
    switch: &SwitchPlan,
    names: &[String],
    widest: u32,
) -> Vec<Lane> {
    let lanes = switch.output_vcs.iter().enumerate();
    lanes
        .map(|(index, lane)| {
            let output = &switch.outputs[lane.output];
            let counts = counts(plan, switch, lane);
            let some = !counts.is_empty();
            let wanted: Vec<u32> = (0..widest).collect();
            let at: Vec<u32> = (0..counts.len() as u32).collect();
            let name = names[index].clone();
            let constant = format!("TO_{}", name.to_uppercase());
            let (wanted_next, here, elsewhere) = match plan.chooses() {
                false => (
                    "wanted_next".to_owned(),
                    format!("wanted == {constant}"),
                    format!("wanted != {constant}"),
                ),
                true => (
                    format!("to_{name}_next"),
                    format!("wanted[{index}]"),
                    format!("~wanted[{index}]"),
                ),
            };
            Lane {
                name,
                output: output.name.clone(),
                channel: !output.output.is_eject(),
                valid: port::output_vc(output, lane.vc, "valid"),
                ready: port::output_vc(output, lane.vc, "ready"),
                header: if some {
                    bits(&port::output(output, "header"), &output.header, &counts)
                } else {
                    String::new()
                },
                wanted: bits(&wanted_next, &wanted, &at),
                here,
                elsewhere,
                beside: moves_beside(switch, names, index, |_| true),
                above: moves_beside(switch, names, index, |other| other.priority > lane.priority),
                patience: passed_over(plan, lane.sources.len() as u32),
                // The other VCs that take turns on its link have one each; then what the registers cost.
                turns: taking_turns(switch, lane) - 1 + plan.parameters.pipeline.registers(),
            }
        })
        .collect()
}

/// Header bits of a lane's output that count further on.
pub(super) fn counts(plan: &FabricPlan, switch: &SwitchPlan, lane: &OutputVcPlan) -> Vec<u32> {
    let mask = counting(plan, switch, lane);
    let header = switch.outputs[lane.output].header.iter().copied();
    header.filter(|bit| mask >> bit & 1 == 1).collect()
}

/// `{wire[2], wire[0]}`: the bits of a port's header, of which the wires carry `all`.
pub(super) fn bits(wire: &str, all: &[u32], wanted: &[u32]) -> String {
    if all == wanted {
        return wire.to_owned();
    }
    let place =
        |bit: &u32| all.iter().position(|b| b == bit).expect("a stored bit is on the wires");
    let list: Vec<String> =
        wanted.iter().rev().map(|bit| format!("{wire}[{}]", place(bit))).collect();
    format!("{{{}}}", list.join(", "))
}

/// Number of the VCs that take turns on a lane's link, its own among them.
fn taking_turns(switch: &SwitchPlan, lane: &OutputVcPlan) -> u32 {
    let key = |lane: &OutputVcPlan| (lane.output, lane.priority);
    switch.output_vcs.iter().filter(|other| key(other) == key(lane)).count() as u32
}

/// Whether another VC of a lane's link sends a flit, of these.
fn moves_beside(
    switch: &SwitchPlan,
    names: &[String],
    lane: usize,
    of: impl Fn(&OutputVcPlan) -> bool,
) -> String {
    let lanes = switch.output_vcs.iter().enumerate();
    let others = lanes.filter(|&(at, other)| {
        at != lane && other.output == switch.output_vcs[lane].output && of(other)
    });
    let moves: Vec<String> = others.map(|(at, _)| format!("{}_moves", names[at])).collect();
    moves.join(" | ")
}

/// Packets of others that leave by an (output, VC) of `n` queues while one waits for it: what
/// the proof of its arbiter says, and with a registered output the packet that stands there.
fn passed_over(plan: &FabricPlan, n: u32) -> u32 {
    let pipeline = plan.parameters.pipeline;
    let others = most_passed(pipeline.granting(), n);
    others + u32::from(pipeline.registers_output())
}

//! Names of the ports of a switch, and of the wires between switches.

use crate::plan::{InputPlan, OutputPlan};
use crate::routing::Vc;

fn handshake(port: &str, direction: &str, vcs: &[Vc], vc: Vc, signal: &str) -> String {
    match vcs {
        [_] if vc.0 == 0 => format!("{port}_{direction}_{signal}"),
        _ => format!("{port}_{direction}_vc{}_{signal}", vc.0),
    }
}
/// `valid` or `ready` of an input's virtual channel.
pub fn input_vc(input: &InputPlan, vc: Vc, signal: &str) -> String {
    handshake(&input.name, "in", &input.vcs, vc, signal)
}
/// `valid` or `ready` of an output's virtual channel.
pub fn output_vc(output: &OutputPlan, vc: Vc, signal: &str) -> String {
    handshake(&output.name, "out", &output.vcs, vc, signal)
}
/// `header` or `flit` of an input.
pub fn input(input: &InputPlan, signal: &str) -> String {
    format!("{}_in_{signal}", input.name)
}
/// `header` or `flit` of an output.
pub fn output(output: &OutputPlan, signal: &str) -> String {
    format!("{}_out_{signal}", output.name)
}

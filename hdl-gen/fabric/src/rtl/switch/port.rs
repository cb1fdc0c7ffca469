//! Names of the ports of a switch, and of the wires between switches.

use crate::plan::{InputPlan, OutputPlan};
use turnpike_network::routing::Vc;

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

#[cfg(test)]
mod tests {
    use super::*;
    use turnpike_network::routing::{Input, Output};
    use turnpike_network::topology::Port;

    /// The virtual channel is named unless it is 0 and the port's only one.
    #[test]
    fn names_tell_the_virtual_channel() {
        for (vcs, vc, valid) in [
            (vec![Vc(0)], Vc(0), "valid"),
            (vec![Vc(1)], Vc(1), "vc1_valid"),
            (vec![Vc(0), Vc(1)], Vc(0), "vc0_valid"),
            (vec![Vc(0), Vc(1)], Vc(1), "vc1_valid"),
        ] {
            let (name, header) = ("dim2".to_owned(), Vec::new());
            let to = InputPlan {
                input: Input::Network(Port(2)),
                name: name.clone(),
                header: header.clone(),
                vcs: vcs.clone(),
            };
            let from = OutputPlan { output: Output::Network(Port(2)), name, header, vcs };
            assert_eq!(input_vc(&to, vc, "valid"), format!("dim2_in_{valid}"));
            assert_eq!(output_vc(&from, vc, "valid"), format!("dim2_out_{valid}"));
            assert_eq!(input(&to, "flit"), "dim2_in_flit");
            assert_eq!(output(&from, "flit"), "dim2_out_flit");
        }
    }
}

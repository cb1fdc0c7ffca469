//! The streams between switches: what they carry, and names of their ports.

use crate::plan::{InputPlan, OutputPlan};
use turnpike_netlist::StreamType;
use turnpike_network::routing::Vc;

/// A channel: a lane for each virtual channel; a header where one is carried, and a flit.
pub fn channel(vcs: &[Vc], header: &[u32], flit_width: u32) -> StreamType {
    let lanes = vcs.iter().map(|&vc| lane(vcs, vc));
    StreamType::new(lanes, [("header", header.len() as u32), ("flit", flit_width)])
}

/// The lane of a virtual channel: without a name where it is 0 and the only one.
fn lane(vcs: &[Vc], vc: Vc) -> String {
    match vcs {
        [_] if vc.0 == 0 => String::new(),
        _ => format!("vc{}_", vc.0),
    }
}

/// The stream of an input.
pub fn into(input: &InputPlan) -> String {
    format!("{}_in", input.name)
}
/// The stream of an output.
pub fn out_of(output: &OutputPlan) -> String {
    format!("{}_out", output.name)
}
/// `valid` or `ready` of an input's virtual channel.
pub fn input_vc(input: &InputPlan, vc: Vc, signal: &str) -> String {
    format!("{}_{}{signal}", into(input), lane(&input.vcs, vc))
}
/// `valid` or `ready` of an output's virtual channel.
pub fn output_vc(output: &OutputPlan, vc: Vc, signal: &str) -> String {
    format!("{}_{}{signal}", out_of(output), lane(&output.vcs, vc))
}
/// `header` or `flit` of an input.
pub fn input(input: &InputPlan, signal: &str) -> String {
    format!("{}_{signal}", into(input))
}
/// `header` or `flit` of an output.
pub fn output(output: &OutputPlan, signal: &str) -> String {
    format!("{}_{signal}", out_of(output))
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
                delay: 0,
            };
            let from = OutputPlan { output: Output::Network(Port(2)), name, header, vcs };
            assert_eq!(input_vc(&to, vc, "valid"), format!("dim2_in_{valid}"));
            assert_eq!(output_vc(&from, vc, "valid"), format!("dim2_out_{valid}"));
            assert_eq!(input(&to, "flit"), "dim2_in_flit");
            assert_eq!(output(&from, "flit"), "dim2_out_flit");
        }
    }
}

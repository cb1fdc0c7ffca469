//! The board's side of a self-test: pins.

use super::core::core;
use super::fault::Fault;
use super::reset::reset;
use super::subject::Subject;
use super::{Expr, TERMINAL_BITS};
use crate::board::Board;
use turnpike_netlist::{Design, Domain, ModuleBuilder, RtlError};

/// LEDs beside `done`, `pass` and `fail`.
const LEDS: u32 = Fault::BITS + TERMINAL_BITS;

/// The top module for a board, around `fabric`, and all below it. Ports, all active high: the board's button,
/// where it has one; `done`, `pass`, `fail`; `led`: the fault's code on the lowest three, the
/// low bits of the terminal above.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn top(subject: &Subject, fabric: &Design, board: &Board) -> Result<Design, RtlError> {
    let name = &subject.name;
    let core = core(subject, fabric.top())?;
    let reset = reset(name)?;
    let mut m = ModuleBuilder::new(format!("{name}_selftest"));
    m.about(format!("Self-test of {name} on the {}, clk at {} MHz.", board.title, board.clock_mhz));
    m.about("`led[2:0]`: the fault's code; above it: the low bits of the terminal. Begins at");
    m.about(match board.button {
        Some(_) => "power-on, and again at the press of the button.",
        None => "power-on.",
    });
    let button = board.button.map(|button| (m.input(button.pin, 1), button.active_low));
    let verdict = ["done", "pass", "fail"].map(|name| (name, m.output(name, 1)));
    let led = m.output("led", LEDS);
    let tied: Vec<_> = board.tied_high.iter().map(|&pin| m.output(pin, 1)).collect();

    m.section("Reset");
    let resets = m.wire("reset", 1);
    let pressed = match button {
        Some((pin, true)) => !Expr::from(pin),
        Some((pin, false)) => pin.into(),
        None => Expr::constant(1, 0),
    };
    m.instance("reset_part", &reset, [("button", pressed), ("reset", resets.into())]);
    m.section("The test");
    let inner = |port: &str| core.port(port).map_or(1, |net| net.width);
    let code = m.wire("code", inner("code"));
    let terminal = m.wire("terminal", inner("terminal"));
    let connections = verdict.into_iter().chain([("code", code), ("terminal", terminal)]);
    m.instance_in(
        Domain { clock: None, reset: Some(resets) },
        "core",
        &core,
        connections.map(|(port, net)| (port, net.into())),
    );
    m.section("LEDs");
    let dark = LEDS - code.width - terminal.width;
    let dark = (dark > 0).then(|| Expr::constant(dark, 0));
    m.assign(led, Expr::concat(dark.into_iter().chain([terminal.into(), code.into()])));
    for pin in tied {
        m.comment("The board wants this high.");
        m.assign(pin, Expr::constant(1, 1));
    }
    Design::new(&m.finish()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::BOARDS;
    use crate::plan::{FabricPlan, Parameters};
    use crate::rtl::fabric::fabric;
    use std::sync::Arc;
    use turnpike_analysis::network::Network;

    /// The ports, bit by bit, are the pins that the board's constraints place.
    #[test]
    fn ports_are_the_pins_of_the_board() {
        let network = Arc::new(Network::new("hypercube", 2, None, None).unwrap());
        let plan = FabricPlan::new(network, Parameters::default(), None).unwrap();
        let fabric = fabric(&plan).unwrap();
        for board in BOARDS {
            let design = top(&Subject::of(&plan).unwrap(), &fabric, board).unwrap();
            let top = design.top();
            assert!(top.clocked && !top.has_reset, "the reset is made inside");
            let mut ports = vec!["clk".to_owned()];
            for (net, info) in top.ports() {
                match net.width {
                    1 => ports.push(info.name.clone()),
                    width => ports.extend((0..width).map(|i| format!("{}[{i}]", info.name))),
                }
            }
            let mut pins = board.pins();
            ports.sort();
            pins.sort();
            assert_eq!(ports, pins, "{}", board.name);
        }
    }
}

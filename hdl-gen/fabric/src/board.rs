//! The boards that a self-test can be made for. A new one is an entry in [`BOARDS`] and a
//! file of pins in `constraints/`.

use turnpike_base::nearest::Nearest;

/// An FPGA board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board {
    /// Name of the board on the command line.
    pub name: &'static str,
    /// The board's full name.
    pub title: &'static str,
    /// The device on it, as its vendor orders it.
    pub device: &'static str,
    /// Frequency of the oscillator, in MHz.
    pub clock_mhz: u32,
    /// The button that starts the test again, where there is one.
    pub button: Option<Button>,
    /// Outputs that must be high for the board to work.
    pub tied_high: &'static [&'static str],
    /// Constraints with the board's pins, in the form that its flow reads.
    pub constraints: &'static str,
    /// Tools that make the bitstream.
    pub flow: Flow,
}

/// A button that starts the test again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Button {
    /// The pin's name: `restart`, or `restart_n` where pressing pulls it low.
    pub pin: &'static str,
    /// Whether pressing pulls it low.
    pub active_low: bool,
}

/// Tools that make a bitstream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// Yosys, nextpnr-ice40, icepack.
    Ice40 {
        /// nextpnr's options for the device.
        device: &'static str,
    },
    /// Yosys, nextpnr-ecp5, ecppack.
    Ecp5 {
        /// nextpnr's options for the device.
        device: &'static str,
    },
    /// AMD Vivado, by a Tcl script.
    Vivado,
}

/// Every board. Each has eight LEDs: `done`, `pass`, `fail` and `led[4:0]`.
pub const BOARDS: &[Board] = &[
    Board {
        name: "ice40-hx8k",
        title: "iCE40-HX8K breakout board",
        device: "iCE40HX8K-CT256",
        clock_mhz: 12,
        button: None,
        tied_high: &[],
        constraints: include_str!("../constraints/ice40-hx8k.pcf"),
        flow: Flow::Ice40 { device: "--hx8k --package ct256" },
    },
    Board {
        name: "ulx3s-85f",
        title: "ULX3S with ECP5-85F",
        device: "LFE5U-85F-6BG381C",
        clock_mhz: 25,
        button: Some(Button { pin: "restart", active_low: false }),
        // Low would let the ESP32 beside the FPGA start its loader.
        tied_high: &["wifi_gpio0"],
        constraints: include_str!("../constraints/ulx3s-85f.lpf"),
        flow: Flow::Ecp5 { device: "--85k --package CABGA381 --speed 6" },
    },
    Board {
        name: "arty-a7-35t",
        title: "Arty A7-35T",
        device: "xc7a35ticsg324-1L",
        clock_mhz: 100,
        button: Some(Button { pin: "restart_n", active_low: true }),
        tied_high: &[],
        constraints: include_str!("../constraints/arty-a7-35t.xdc"),
        flow: Flow::Vivado,
    },
];

impl Board {
    /// The ending of its constraint file.
    pub fn constraints_ending(&self) -> &'static str {
        match self.flow {
            Flow::Ice40 { .. } => "pcf",
            Flow::Ecp5 { .. } => "lpf",
            Flow::Vivado => "xdc",
        }
    }

    /// Type of the constraints file in FuseSoC: as edalize spells it.
    pub fn constraints_type(&self) -> &'static str {
        match self.flow {
            Flow::Ice40 { .. } => "PCF",
            Flow::Ecp5 { .. } => "LPF",
            Flow::Vivado => "xdc",
        }
    }

    /// Names of the pins, `clk` first.
    pub fn pins(&self) -> Vec<String> {
        let verdict = ["clk", "done", "pass", "fail"].map(str::to_owned);
        let leds = (0..5).map(|i| format!("led[{i}]"));
        let button = self.button.map(|button| button.pin.to_owned());
        let tied = self.tied_high.iter().map(|&pin| pin.to_owned());
        verdict.into_iter().chain(leds).chain(button).chain(tied).collect()
    }
}

/// A board that is not known.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("unknown board '{name}'{nearest} (there are: {})", known().join(", "))]
pub struct UnknownBoard {
    /// Name that was asked for.
    name: String,
    /// Known board with the most similar name.
    nearest: Nearest,
}

fn known() -> Vec<&'static str> {
    BOARDS.iter().map(|board| board.name).collect()
}

/// The board of this name.
///
/// # Errors
/// [`UnknownBoard`] lists those that there are.
pub fn find(name: &str) -> Result<&'static Board, UnknownBoard> {
    BOARDS
        .iter()
        .find(|board| board.name == name)
        .ok_or_else(|| UnknownBoard { name: name.to_owned(), nearest: Nearest::of(name, known()) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn boards_are_found_by_name() {
        for board in BOARDS {
            assert_eq!(find(board.name), Ok(board));
        }
        let error = find("ulx3s").unwrap_err().to_string();
        assert!(error.contains("'ulx3s-85f'?") && error.contains("ice40-hx8k, "), "{error}");
    }

    /// Every pin has one place, and no place serves two.
    #[test]
    fn constraints_name_every_pin_once() {
        for board in BOARDS {
            let lines: Vec<&str> =
                board.constraints.lines().filter(|l| !l.starts_with('#')).collect();
            let places: Vec<String> = board.pins().iter().map(|pin| place(&lines, pin)).collect();
            let distinct: HashSet<&String> = places.iter().collect();
            assert_eq!(distinct.len(), places.len(), "{}: {places:?}", board.name);
            let period = 1000.0 / f64::from(board.clock_mhz);
            let clock = [format!(" {}.0 MHZ;", board.clock_mhz), format!("-period {period:.3} ")];
            let said = clock.iter().any(|clock| board.constraints.contains(clock));
            assert!(said || matches!(board.flow, Flow::Ice40 { .. }), "{}", board.name);
        }
    }

    fn place(lines: &[&str], pin: &str) -> String {
        let quoted = [
            format!("set_io {pin} "),
            format!("COMP \"{pin}\" SITE "),
            format!("get_ports {pin}]"),
            format!("get_ports {{{pin}}}]"),
        ];
        let naming = |line: &&&str| {
            quoted.iter().any(|q| line.contains(q))
                && !line.contains("clock -")
                && !line.contains("false_path")
        };
        let found: Vec<_> = lines.iter().filter(naming).collect();
        assert_eq!(found.len(), 1, "{pin}: {found:?}");
        let words: Vec<&str> = found[0].split([' ', '"', ';']).filter(|w| !w.is_empty()).collect();
        let after = |word: &str| words.iter().position(|w| *w == word).map(|at| words[at + 1]);
        after("SITE").or(after("{PACKAGE_PIN")).unwrap_or(words[words.len() - 1]).to_owned()
    }
}

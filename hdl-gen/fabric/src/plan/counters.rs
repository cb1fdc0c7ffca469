//! Counters at the ports of the network: the registers in which software finds them.

use super::{FabricPlan, Side};
use turnpike_netlist::check::address_bits;
use turnpike_network::topology::Terminal;

/// Most cycles that the watchdog waits: what a counter of waits holds.
pub const MOST_WATCHDOG: u32 = 0xffff;

/// Output of the top module that tells of a flit that waits for too long.
pub const HANG_PORT: &str = "hang";

/// Value of [`ID`]: `TPN`, and the version of the map.
pub const IDENTITY: u32 = 0x5450_4e01;

/// Right of software to a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// Reads alone.
    Read,
    /// Reads and writes.
    ReadWrite,
    /// Writes alone: a 1 acts once, and is read as 0.
    Pulse,
}

/// Field of a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CounterField {
    /// Name of the field, in capitals.
    pub name: &'static str,
    /// Highest and lowest bit.
    pub bits: [u32; 2],
    /// Right of software to it.
    pub access: Access,
    /// A sentence that says what it holds.
    pub about: &'static str,
}

/// Register of 32 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CounterRegister {
    /// Name of the register, in capitals.
    pub name: &'static str,
    /// Byte address, from the beginning of the map or of a port's registers.
    pub offset: u32,
    /// Fields of it, the lowest first.
    pub fields: &'static [CounterField],
}

const fn read(name: &'static str, bits: [u32; 2], about: &'static str) -> CounterField {
    CounterField { name, bits, access: Access::Read, about }
}

const fn pulse(name: &'static str, bit: u32, about: &'static str) -> CounterField {
    CounterField { name, bits: [bit, bit], access: Access::Pulse, about }
}

/// Register that tells the map from others.
pub const ID: CounterRegister = CounterRegister {
    name: "ID",
    offset: 0x00,
    fields: &[read("ID", [31, 0], "The letters TPN, and the version of this map.")],
};
/// Register with the number of ports.
pub const PORTS: CounterRegister = CounterRegister {
    name: "PORTS",
    offset: 0x04,
    fields: &[read("COUNT", [31, 0], "Ports that are counted at.")],
};
/// Register that clears what was counted.
pub const CONTROL: CounterRegister = CounterRegister {
    name: "CONTROL",
    offset: 0x08,
    fields: &[
        pulse("CLEAR", 0, "CYCLES, FLITS and STALLS become 0, LONGEST the wait that goes on."),
        pulse("RESUME", 1, "HANG is lowered, and raised again where a flit still waits."),
    ],
};
/// Register with the limit of the watchdog.
pub const WATCHDOG: CounterRegister = CounterRegister {
    name: "WATCHDOG",
    offset: 0x0c,
    fields: &[CounterField {
        name: "LIMIT",
        bits: [15, 0],
        access: Access::ReadWrite,
        about: "Cycles after which HANG is raised where a flit still waits; 0: never.",
    }],
};
/// Register with the time.
pub const CYCLES: CounterRegister = CounterRegister {
    name: "CYCLES",
    offset: 0x10,
    fields: &[read("CYCLES", [31, 0], "Cycles since the reset or CLEAR, modulo 2^32.")],
};
/// Register with the port at which a flit waited for too long.
pub const HANG: CounterRegister = CounterRegister {
    name: "HANG",
    offset: 0x14,
    fields: &[
        read(
            "PORT",
            [15, 0],
            "Number of the port at which a flit waited so long: an m_axis before an s_axis.",
        ),
        read("HANG", [31, 31], "Whether a flit has waited for LIMIT cycles: the output hang."),
    ],
};
/// Register with the packet that waited there.
pub const HANG_ADDRESS: CounterRegister = CounterRegister {
    name: "HANG_ADDRESS",
    offset: 0x18,
    fields: &[read(
        "ADDRESS",
        [31, 0],
        "The packet that waits: where it goes (tdest) at an s_axis port; from where it is (tid) at an \
         m_axis port, 0 without tid.",
    )],
};
/// Register with the time at which that was seen.
pub const HANG_AT: CounterRegister = CounterRegister {
    name: "HANG_AT",
    offset: 0x1c,
    fields: &[read("CYCLES", [31, 0], "CYCLES when that port was found.")],
};

/// Registers of the map, beside those of the ports.
pub const REGISTERS: [CounterRegister; 8] =
    [ID, PORTS, CONTROL, WATCHDOG, CYCLES, HANG, HANG_ADDRESS, HANG_AT];

/// Register with the flits that passed a port.
pub const FLITS: CounterRegister = CounterRegister {
    name: "FLITS",
    offset: 0x0,
    fields: &[read("FLITS", [31, 0], "Flits that passed, modulo 2^32.")],
};
/// Register with the cycles in which a flit waited at a port.
pub const STALLS: CounterRegister = CounterRegister {
    name: "STALLS",
    offset: 0x4,
    fields: &[read("CYCLES", [31, 0], "Cycles in which a flit waited, modulo 2^32.")],
};
/// Register with the waits at a port in one go.
pub const WAITS: CounterRegister = CounterRegister {
    name: "WAITS",
    offset: 0x8,
    fields: &[
        read("NOW", [15, 0], "Cycles that the flit there has waited until now, at most 65,535."),
        read("LONGEST", [31, 16], "Cycles that a flit has waited at most; 65,535: or more."),
    ],
};

/// Registers of a port.
pub const PORT_REGISTERS: [CounterRegister; 3] = [FLITS, STALLS, WAITS];

/// Byte address of the first port's registers.
pub const FIRST_PORT: u32 = 0x40;

/// Bytes from a port's registers to the next port's.
pub const PORT_BYTES: u32 = 0x10;

/// Byte address of the registers of a port.
pub fn port_offset(port: u32) -> u32 {
    FIRST_PORT + PORT_BYTES * port
}

/// Bits of the addresses of the map, in bytes, for so many ports.
pub fn map_bits(ports: u32) -> u32 {
    address_bits(port_offset(ports))
}

/// Signals of AXI4-Lite: name, bits, and whether it is an input of the fabric.
pub fn axi_signals(map_bits: u32) -> [(&'static str, u32, bool); 19] {
    [
        ("awaddr", map_bits, true),
        ("awprot", 3, true),
        ("awvalid", 1, true),
        ("awready", 1, false),
        ("wdata", 32, true),
        ("wstrb", 4, true),
        ("wvalid", 1, true),
        ("wready", 1, false),
        ("bresp", 2, false),
        ("bvalid", 1, false),
        ("bready", 1, true),
        ("araddr", map_bits, true),
        ("arprot", 3, true),
        ("arvalid", 1, true),
        ("arready", 1, false),
        ("rdata", 32, false),
        ("rresp", 2, false),
        ("rvalid", 1, false),
        ("rready", 1, true),
    ]
}

/// Name of a signal of AXI4-Lite as a port.
pub fn axi_port(signal: &str) -> String {
    format!("s_axil_{signal}")
}

impl FabricPlan {
    /// Whether there are counters at the ports of the network.
    pub fn has_counters(&self) -> bool {
        self.watchdog().is_some()
    }

    /// Ports of the top module for software, where there are counters.
    pub(super) fn counter_port_names(&self) -> Vec<String> {
        if !self.has_counters() {
            return Vec::new();
        }
        let signals = axi_signals(1).map(|(signal, ..)| axi_port(signal));
        signals.into_iter().chain([HANG_PORT.to_owned()]).collect()
    }

    /// Number of the port of a stream, where it is counted at: those of sources come before those of sinks.
    pub fn counter_port(&self, side: Side, terminal: Terminal) -> Option<u32> {
        let before = match side {
            Side::Source => 0,
            Side::Sink => self.sources().len() as u32,
        };
        self.slice(side, terminal).filter(|_| self.has_counters()).map(|slice| before + slice)
    }

    /// The ports that are counted at, in the order of their numbers: none, where there are no counters.
    pub fn counter_ports(&self) -> Vec<(Side, Terminal)> {
        if !self.has_counters() {
            return Vec::new();
        }
        let of = |side| self.terminals_of(side).iter().map(move |&terminal| (side, terminal));
        of(Side::Source).chain(of(Side::Sink)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Registers stand one after the other, and fields do not overlap.
    #[test]
    fn nothing_of_the_map_overlaps() {
        for (registers, end) in [(&REGISTERS[..], FIRST_PORT), (&PORT_REGISTERS[..], PORT_BYTES)] {
            for (at, register) in registers.iter().enumerate() {
                assert_eq!(register.offset, 4 * at as u32, "{}", register.name);
                assert!(register.offset < end, "{}", register.name);
                let mut next = 0;
                for CounterField { name, bits: [high, low], .. } in register.fields {
                    assert!(next <= *low && low <= high && *high < 32, "{name}");
                    next = high + 1;
                }
            }
        }
        assert_eq!([0, 1, 4, 5].map(map_bits), [6, 7, 7, 8]);
    }
}

//! Ports of the terminals: AXI4-Stream, without a `tready` of the sinks, and with the slot of each source.

use crate::plan::SlottedPlan;
use std::collections::HashMap;
use turnpike_fabric::plan::{PortBits, Side, Signal, TerminalPort};
use turnpike_network::topology::Terminal;

/// Signal that says that a source has a slot of some flow in this cycle.
pub const SLOT_VALID: &str = "slot_valid";
/// Signal that says the destination of that flow.
pub const SLOT_DEST: &str = "slot_dest";
/// Signal of a sink that says the source of its word.
pub const ID: &str = "id";

/// Ports of a fabric, each with the terminals that have bits of it.
#[derive(Clone, Debug)]
pub struct SlottedPorts {
    /// The ports, in the order of the port list.
    pub list: Vec<TerminalPort>,
    /// By side, terminal and signal, the bits.
    bits: HashMap<(Side, Terminal, &'static str), PortBits>,
}

impl SlottedPorts {
    /// Ports of a plan.
    pub fn new(plan: &SlottedPlan) -> Self {
        let sides = [Side::Source, Side::Sink];
        let of_side = |side| {
            let named = |terminal, signal| name(plan, side, terminal, signal);
            plan.over().ports_of(side, &signals(plan, side), named)
        };
        let list: Vec<TerminalPort> = sides.into_iter().flat_map(of_side).collect();
        let mut bits = HashMap::new();
        for port in &list {
            for (slice, &terminal) in (0..).zip(&port.terminals) {
                let Signal { name, width, .. } = port.signal;
                let own = PortBits { port: port.name.clone(), low: slice * width, width };
                bits.insert((port.side, terminal, name), own);
            }
        }
        Self { list, bits }
    }

    /// Bits of a terminal's signal; `None` where the terminal has no such port.
    pub fn bits(&self, side: Side, terminal: Terminal, signal: &'static str) -> Option<&PortBits> {
        self.bits.get(&(side, terminal, signal))
    }
}

/// Signals of a side, in the order of the port list.
pub fn signals(plan: &SlottedPlan, side: Side) -> Vec<Signal> {
    let mut signals = plan.over().signals(side);
    let address = plan.address_bits();
    let output = |name, width| Signal { name, width, input: false };
    for signal in signals.iter_mut().filter(|signal| signal.name == "dest") {
        signal.width = address;
    }
    match side {
        Side::Source => signals.extend([output(SLOT_VALID, 1), output(SLOT_DEST, address)]),
        Side::Sink => {
            signals.retain(|signal| !signal.input);
            signals.push(output(ID, address));
        }
    }
    signals
}

/// Name of a port: `s_axis_tdata`, `s_slot_valid`; `s_cpu_slot_valid` where each terminal has ports of its own.
fn name(plan: &SlottedPlan, side: Side, terminal: Terminal, signal: &str) -> String {
    let over = plan.over();
    if ![SLOT_VALID, SLOT_DEST].contains(&signal) {
        return over.port_name(side, terminal, signal);
    }
    let stream = over.stream_name(side, terminal);
    let stem = stream.strip_suffix("axis").expect("streams are called so");
    format!("{stem}{signal}")
}

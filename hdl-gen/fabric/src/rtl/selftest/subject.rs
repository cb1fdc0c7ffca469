//! Facts that a self-test has to know of its fabric, of whatever kind the fabric is.

use super::cast::Cast;
use super::pattern::Pattern;
use super::{MOST_LIMIT_BITS, SelftestError};
use crate::plan::{FabricPlan, PortBits, Side, TerminalPort};
use std::collections::{BTreeMap, HashMap};

/// A fabric to be tested. Its terminals go by their addresses.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Name of the fabric.
    pub name: String,
    /// Contents of the packets.
    pub pattern: Pattern,
    /// Terminals that send and take packets.
    pub cast: Cast,
    /// Fields of a word from bit 0 up, with their widths: the signals of a terminal that carry it.
    pub fields: Vec<(&'static str, u32)>,
    /// Whether sinks are told a packet's source (`tid`).
    pub id: bool,
    /// The terminals' ports.
    pub ports: Vec<TerminalPort>,
    /// Labels of the terminals, by address.
    pub labels: BTreeMap<u32, String>,
}

impl Subject {
    /// A switched fabric.
    ///
    /// # Errors
    /// Those of [`Pattern::new`]; [`SelftestError::Crowded`].
    pub fn of(plan: &FabricPlan) -> Result<Self, SelftestError> {
        let name = plan.name.clone();
        if plan.topology().flows().is_some() {
            return Err(SelftestError::Flows(name));
        }
        // Before the cast, whose routes are walked.
        let pattern = Pattern::new(plan)?;
        let cast = Cast::of(plan);
        let (bits, most) = (cast.limit_bits(), MOST_LIMIT_BITS);
        if bits > most {
            let senders = cast.senders.len();
            return Err(SelftestError::Crowded { name, senders, bits, most });
        }
        let fields = plan.flit_fields().into_iter().filter(|f| !matches!(f.name, "id" | "last"));
        let ports = plan.terminal_ports();
        let terminals = ports.iter().flat_map(|port| &port.terminals);
        let label = |&terminal| (terminal, plan.topology().terminal_label(terminal));
        let labels = terminals.map(label).map(|(terminal, label)| (terminal.0, label)).collect();
        Ok(Self {
            name,
            pattern,
            cast,
            fields: fields.map(|f| (f.name, f.width)).collect(),
            id: plan.parameters.source_id,
            ports,
            labels,
        })
    }

    /// Bits of ports, by side, address and signal.
    pub(super) fn port_bits(&self) -> HashMap<(Side, u32, &'static str), PortBits> {
        let of_port = |port: &TerminalPort| {
            let TerminalPort { name, side, signal, .. } = port.clone();
            let bits = move |(slice, address): (u32, u32)| {
                let (low, width) = (slice * signal.width, signal.width);
                ((side, address, signal.name), PortBits { port: name.clone(), low, width })
            };
            let slices: Vec<_> = (0..).zip(port.terminals.iter().map(|t| t.0)).collect();
            slices.into_iter().map(bits)
        };
        self.ports.iter().flat_map(of_port).collect()
    }
}

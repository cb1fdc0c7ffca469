//! Memory-mapped ends of a plan: where their streams are.

use super::{FabricPlan, InterfaceError, Side, Wish};
use turnpike_base::names::Names;
use turnpike_ends::packet::Layout;
use turnpike_ends::{EndPort, Ends, REPLY, REQUEST, Role};
use turnpike_network::topology::{Terminal, Topology};

/// Streams of a terminal with a memory-mapped end, at the fabric of streams.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EndStreams {
    /// Address of the terminal on `tdest`.
    pub address: u32,
    /// Beginning of the names of the ports by which its packets enter.
    pub sends: String,
    /// Beginning of the names of the ports by which it takes packets.
    pub takes: String,
}

/// Ends whose terminals have the labels of the network: a list may call them as the network's file does.
pub(super) fn labelled(ends: &Ends, topology: &dyn Topology) -> Ends {
    let label = |name: &str| {
        let of = |class| topology.terminal(&format!("{name}_{class}")).ok();
        let stream = [REQUEST, REPLY].into_iter().find_map(of);
        stream.map_or_else(|| name.to_owned(), |stream| topology.place_label(stream))
    };
    ends.renamed(label)
}

impl FabricPlan {
    /// Whether the network and what else was asked for go with memory-mapped ends.
    pub(super) fn check_ends(&self) -> Result<(), InterfaceError> {
        let Some(ends) = self.ends() else { return Ok(()) };
        let reorders = ends.managers.iter().find(|manager| manager.reorder.is_some());
        if let Some(manager) = reorders.filter(|_| !self.keeps_order()) {
            let relation = self.relation().name().to_owned();
            return Err(InterfaceError::EndsOrder { terminal: manager.name.clone(), relation });
        }
        let topology = self.topology();
        let has_failed =
            |t: &&Terminal| topology.source(**t).is_none() && topology.sink(**t).is_none();
        let mut all = self.sources().iter().chain(self.sinks());
        if let Some(terminal) = all.find(has_failed) {
            return Err(InterfaceError::EndsFailed { terminal: topology.place_label(*terminal) });
        }
        let wishes = self.terminal_wishes();
        let asked = [
            (wishes.widths.is_empty(), Wish::Width),
            (wishes.clocks.is_empty(), Wish::Clock),
            (wishes.addresses.is_empty(), Wish::Address),
        ];
        match asked.into_iter().find(|(is_empty, _)| !is_empty) {
            Some((_, what)) => Err(InterfaceError::EndsBeside { what }),
            None => Ok(()),
        }
    }

    /// Ends of its terminals, where they are memory-mapped.
    pub fn ends(&self) -> Option<&Ends> {
        self.interfaces.ends.as_deref()
    }

    /// Words between these ends, and the fields of their packets.
    pub fn end_layout(&self, ends: &Ends) -> Layout {
        Layout {
            data: ends.data_width,
            address: ends.address_bits,
            terminal: self.address_bits(),
            tag: ends.tag_bits(),
        }
    }

    /// Streams of the terminal of an end.
    ///
    /// # Panics
    /// If the flows of the network are not those of the ends.
    pub fn end_streams(&self, name: &str) -> EndStreams {
        let of = |side| {
            let own = |terminal: &&Terminal| self.topology().place_label(**terminal) == name;
            *self.terminals_of(side).iter().find(own).expect("an end sends and takes packets")
        };
        let takes = of(Side::Sink);
        EndStreams {
            address: self.address(takes),
            sends: self.stream_name(Side::Source, of(Side::Source)),
            takes: self.stream_name(Side::Sink, takes),
        }
    }

    /// Name of the terminal of an end as part of identifiers.
    ///
    /// # Panics
    /// If no end is called so.
    pub fn end_part(&self, name: &str) -> String {
        let mut names = Names::default();
        let ends = self.ends().expect("the plan has ends");
        let mut parts = ends.ports().map(|end| (end.name, names.part(end.name)));
        parts.find(|(label, _)| *label == name).expect("an end of that name").1
    }

    /// Beginning of the names of an end's ports: `s_cpu0_axi` of a manager, which is one of the fabric's
    /// subordinate ports, and `m_uart_apb` of a subordinate.
    pub fn end_port(&self, end: &EndPort<'_>) -> String {
        let side = if end.role == Role::Manager { "s" } else { "m" };
        format!("{side}_{}_{}", self.end_part(end.name), end.protocol.facts().port)
    }
}

//! The ports of the terminals, and what of them a node has.

use crate::plan::BusPlan;
use turnpike_netlist::{Expr, ModuleBuilder, Net};

/// The ports of the terminals.
pub(super) struct Terminals {
    valid: Net,
    ready: Net,
    data: Net,
    dest: Net,
    error: Option<Net>,
    out_valid: Net,
    out_ready: Net,
    out_data: Net,
    out_id: Option<Net>,
}

impl Terminals {
    /// Declares those of so many sources and sinks, the one at place t at slice `[t*W +: W]`.
    pub fn declare(plan: &BusPlan, m: &mut ModuleBuilder, sources: u32, sinks: u32) -> Self {
        let width = plan.parameters.width;
        let partial = plan.refuses();
        let id = plan.id_bits();
        Self {
            valid: m.input("s_axis_tvalid", sources),
            ready: m.output("s_axis_tready", sources),
            data: m.input("s_axis_tdata", sources * width),
            dest: m.input("s_axis_tdest", sources * plan.grid.address_bits()),
            error: partial.then(|| m.output("s_axis_error", sources)),
            out_valid: m.output("m_axis_tvalid", sinks),
            out_ready: m.input("m_axis_tready", sinks),
            out_data: m.output("m_axis_tdata", sinks * width),
            out_id: (id > 0).then(|| m.output("m_axis_tid", sinks * id)),
        }
    }

    /// Drives what comes out of the nodes: of the sources and of the sinks, a terminal each.
    pub fn drive(
        &self,
        plan: &BusPlan,
        m: &mut ModuleBuilder,
        sources: Vec<&SourceNets>,
        sinks: Vec<&SinkNets>,
    ) {
        m.section("What comes to the terminals");
        let unless_reset = |ends: usize, part| (!Expr::Reset).repeat(ends as u32) & part;
        let (senders, takers) = (sources.len(), sinks.len());
        let of_sources = |part: &dyn Fn(&SourceNets) -> Expr| {
            Expr::concat(sources.iter().rev().map(|s| part(s)))
        };
        let of_sinks =
            |part: &dyn Fn(&SinkNets) -> Expr| Expr::concat(sinks.iter().rev().map(|s| part(s)));
        m.assign(self.ready, unless_reset(senders, of_sources(&|source| source.ready.into())));
        if let Some(error) = self.error {
            let errors = of_sources(&|source| source.error.expect("as declared").into());
            m.assign(error, unless_reset(senders, errors));
        }
        let width = plan.parameters.width;
        m.assign(self.out_valid, unless_reset(takers, of_sinks(&|sink| sink.valid.into())));
        m.assign(self.out_data, of_sinks(&|sink| sink.payload.slice(0, width)));
        if let Some(id) = self.out_id {
            m.assign(id, of_sinks(&|sink| sink.payload.slice(width, plan.id_bits())));
        }
    }
}

/// Nets that a node drives of its source's ports.
pub(super) struct SourceNets {
    ready: Net,
    error: Option<Net>,
}

impl SourceNets {
    /// Declares those of the node of this label.
    pub fn declare(plan: &BusPlan, m: &mut ModuleBuilder, label: &str) -> Self {
        let partial = plan.refuses();
        Self {
            ready: m.wire(format!("{label}_ready"), 1),
            error: partial.then(|| m.wire(format!("{label}_error"), 1)),
        }
    }

    /// Connections to the ports of a node whose source has this slice of the terminals.
    pub fn connections(
        &self,
        plan: &BusPlan,
        terminals: &Terminals,
        slice: u32,
    ) -> Vec<(String, Expr)> {
        let (width, address) = (plan.parameters.width, plan.grid.address_bits());
        let mut connections = vec![
            ("in_valid".into(), terminals.valid.bit(slice)),
            ("in_ready".into(), self.ready.into()),
            ("in_dest".into(), terminals.dest.slice(slice * address, address)),
            ("in_data".into(), terminals.data.slice(slice * width, width)),
        ];
        connections.extend(self.error.map(|error| ("in_error".into(), error.into())));
        connections
    }
}

/// Nets that a node drives of its sink's ports.
pub(super) struct SinkNets {
    valid: Net,
    payload: Net,
}

impl SinkNets {
    /// Declares those of the node of this label.
    pub fn declare(plan: &BusPlan, m: &mut ModuleBuilder, label: &str) -> Self {
        Self {
            valid: m.wire(format!("{label}_out_valid"), 1),
            payload: m.wire(format!("{label}_out_data"), plan.payload_bits()),
        }
    }

    /// Connections to the ports of a node whose sink has this slice of the terminals.
    pub fn connections(&self, terminals: &Terminals, slice: u32) -> [(String, Expr); 3] {
        [
            ("out_valid".into(), self.valid.into()),
            ("out_ready".into(), terminals.out_ready.bit(slice)),
            ("out_data".into(), self.payload.into()),
        ]
    }
}

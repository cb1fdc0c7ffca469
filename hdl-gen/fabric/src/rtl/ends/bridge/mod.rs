//! Bridges between AXI4 and what a terminal speaks, where that is another protocol, or has narrower data
//! at a subordinate. A protocol is one file here: what a manager asks by it becomes AXI4, and AXI4 what it
//! asks of a subordinate.

mod apb;
mod axi;
mod request;
mod sequence;
mod wishbone;

use super::axi::{PortNets, ports};
use std::sync::Arc;
use turnpike_ends::{Protocol, Role, Widths};
use turnpike_netlist::{Expr, Module, ModuleBuilder, Net, RtlError};

/// Shape of a bridge.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BridgeShape {
    /// Role of the terminal.
    pub role: Role,
    /// Protocol of the terminal.
    pub protocol: Protocol,
    /// Widths of the terminal's port.
    pub outer: Widths,
    /// Widths of the end's port, which is AXI4.
    pub inner: Widths,
}

impl BridgeShape {
    /// Whether a terminal needs a bridge: ends take narrower data of managers, but give none.
    pub fn is_needed(&self) -> bool {
        let is_narrow = self.role == Role::Subordinate && self.outer.data < self.inner.data;
        self.protocol != Protocol::Axi4 || is_narrow
    }

    /// Name of its module.
    pub fn module_name(&self, prefix: &str) -> String {
        let way = if self.role == Role::Manager { "from" } else { "to" };
        let protocol = self.protocol.facts().name.replace('-', "_");
        format!("{prefix}_{way}_{protocol}_{}", self.outer.data)
    }
}

/// Access to a subordinate: what is asked of it, and its answer. What is asked stays until it is done.
struct Access {
    /// Whether there is one.
    valid: Net,
    /// Whether it writes.
    write: Net,
    /// Address of its first byte; of its word, where the protocol has no size.
    address: Net,
    /// Data of a write.
    data: Net,
    /// Bytes that are written, or read.
    strobes: Net,
    /// Protection, as `AxPROT` gives it.
    prot: Net,
    /// Other attributes of AXI4, by name, where the protocol has them.
    attributes: Vec<(&'static str, Expr)>,
    answer: Answer,
}

/// Answer to an access, which the face of a protocol gives.
#[derive(Clone, Copy)]
struct Answer {
    /// Signal that the access is done.
    done: Net,
    /// Data of a read.
    data: Net,
    /// Answer, as `BRESP` gives it.
    response: Net,
}

impl Answer {
    /// Wires of an answer with so many bits of data.
    fn wires(m: &mut ModuleBuilder, bits: u32) -> Self {
        Self {
            done: m.wire("done", 1),
            data: m.wire("read_data", bits),
            response: m.wire("response", 2),
        }
    }

    /// An answer that says whether there was an error.
    fn give(&self, m: &mut ModuleBuilder, done: Expr, data: Net, error: Net) {
        m.assign(self.done, done);
        m.assign(self.data, data);
        m.assign(self.response, Expr::concat([Expr::from(error), Expr::constant(1, 0)]));
    }
}

/// Beginning of the names of a bridge's ports at the end of the network.
pub const INNER: &str = "end_";

/// Bridge between a terminal's port, whose signals are as in the protocol, and that of its end.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub(super) fn bridge(prefix: &str, shape: &BridgeShape) -> Result<Arc<Module>, RtlError> {
    let BridgeShape { role, protocol, outer, inner } = *shape;
    let mut m = ModuleBuilder::new(shape.module_name(prefix));
    about(&mut m, shape);
    let own = ports(&mut m, "", role, protocol, outer);
    let other = match role {
        Role::Manager => Role::Subordinate,
        Role::Subordinate => Role::Manager,
    };
    let end = ports(&mut m, INNER, other, Protocol::Axi4, inner);
    match role {
        Role::Manager => from_manager(&mut m, shape, &own, &end),
        Role::Subordinate => {
            let access = sequence::sequence(&mut m, shape, &end);
            to_subordinate(&mut m, protocol, &own, &access);
        }
    }
    m.finish()
}

fn from_manager(m: &mut ModuleBuilder, shape: &BridgeShape, own: &PortNets, end: &PortNets) {
    match shape.protocol {
        Protocol::Axi4 => unreachable!("an end speaks AXI4 itself"),
        Protocol::Axi4Lite => axi::from_lite(m, shape, own, end),
        Protocol::Apb => apb::from_manager(m, shape, own, end),
        Protocol::Wishbone => wishbone::from_manager(m, shape, own, end, false),
        Protocol::WishbonePipelined => wishbone::from_manager(m, shape, own, end, true),
    }
}

fn to_subordinate(m: &mut ModuleBuilder, protocol: Protocol, own: &PortNets, access: &Access) {
    match protocol {
        Protocol::Axi4 | Protocol::Axi4Lite => axi::issue(m, own, access),
        Protocol::Apb => apb::to_subordinate(m, own, access),
        Protocol::Wishbone => wishbone::to_subordinate(m, own, access, false),
        Protocol::WishbonePipelined => wishbone::to_subordinate(m, own, access, true),
    }
}

fn about(m: &mut ModuleBuilder, shape: &BridgeShape) {
    let BridgeShape { role, protocol, outer, inner } = shape;
    let title = protocol.facts().title;
    let (outer, inner) = (outer.data, inner.data);
    match role {
        Role::Manager => {
            m.about(format!(
                "{title} of {outer} bits to AXI4: a transfer becomes a burst of one beat."
            ));
        }
        Role::Subordinate => {
            m.about(format!(
                "AXI4 of {inner} bits to {title} of {outer} bits: the beats of a burst become transfers,"
            ));
            m.about(
                "one at a time, reads and writes by turns. Bytes that are not written make none.",
            );
        }
    }
}

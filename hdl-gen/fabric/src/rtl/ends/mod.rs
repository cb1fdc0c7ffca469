//! Memory-mapped ends around a fabric: the hardware between AXI4 and the streams of packets.

mod axi;
mod bridge;
mod burst;
mod decode;
mod in_flight;
mod manager;
mod reorder;
mod subordinate;
mod top;

pub use bridge::{BridgeShape, INNER};
pub use decode::Target;
pub use in_flight::Order;
pub use manager::ManagerShape;
pub use reorder::ReorderShape;
pub use subordinate::SubordinateShape;
pub use top::{EndModules, bridges, modules, reorders};

pub(super) use top::top;

use turnpike_netlist::Expr;

/// Zero of so many bits.
fn zeros(bits: u32) -> Expr {
    Expr::constant(bits, 0)
}

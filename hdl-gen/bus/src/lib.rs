//! Bus fabrics: networks of optical busses. Time goes in slots. A node on a bus may send a word to
//! any other on it; it arrives only if its receiver gets no other in that slot, and nobody sees a
//! collision but by a missing acknowledgement (Anderson and Miller, Optical communication for
//! pointer based algorithms, 1988).
//!
//! [`layout::Layout`] says which nodes share a bus, [`protocol::Protocol`] when a node sends,
//! [`plan::BusPlan`] what is built; everything downstream reads it. [`rtl`] makes the netlist.

mod canonical;
mod delivery;
pub mod extent;
pub mod figures;
pub mod flows;
pub mod funnels;
pub mod grid;
pub mod layout;
mod name;
pub mod plan;
pub mod protocol;
pub mod rtl;
pub mod selftest;
pub mod split_hash;
pub mod testing;
pub mod time_table;

pub use figures::Figures;
pub use flows::BusFlows;
pub use funnels::Funnels;
pub use grid::Grid;
pub use layout::Layout;
pub use plan::{BusError, BusPlan, Parameters};
pub use protocol::Protocol;
pub use split_hash::SplitHash;
pub use time_table::TimeTable;

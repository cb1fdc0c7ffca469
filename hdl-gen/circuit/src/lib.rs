//! Circuit fabrics: multistage networks whose switches have no queues and follow settings that
//! were computed beforehand, a word per terminal and cycle.
//!
//! [`plan::CircuitPlan`] says what is built; everything downstream reads it. [`layout`] says where
//! in the settings memory each switch has its bits, [`baked`] which crosspoints a fixed schedule
//! takes, and [`rtl`] makes the netlist.

pub mod baked;
mod delivery;
pub mod layout;
mod name;
pub mod plan;
pub mod rtl;
pub mod testing;

pub use plan::{CircuitError, CircuitPlan, Control, Parameters};

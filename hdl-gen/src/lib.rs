//! Turnpike's generator: from a topology and a routing relation to proven, synthesizable
//! Verilog. Data flows one way:
//!
//! `topology` → `routing` → `turns` → `deadlock` → `plan` → `rtl` → `emit`

pub mod analysis;
pub mod bits;
pub mod board;
pub mod certificate;
pub mod deadlock;
pub mod emit;
pub mod heller;
pub mod matrix;
pub mod names;
pub mod needs;
pub mod network;
pub mod plan;
pub mod properties;
pub mod routing;
pub mod rtl;
pub mod staging;
pub mod symmetry;
pub mod topology;
pub mod turns;

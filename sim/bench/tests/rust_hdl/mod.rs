//! The testbenches in rust-hdl's simulation, and modules described once more in rust-hdl's language.

mod hosted;
mod leaf;
mod testbenches;

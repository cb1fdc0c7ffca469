//! Turnpike's simulators: the software reference router, and the generated RTL inside
//! rust-hdl.

//! The command `turnpike`.
fn main() {}

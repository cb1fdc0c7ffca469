//! Nothing but features. The tests of every crate depend on this one, whose manifest asks of shared
//! dependencies all that any crate of the workspace asks of them. So `cargo test -p CRATE` and
//! `cargo test --workspace` build each dependency once, and not once for each set of features. The
//! program does not depend on it: `cargo build` gives each crate only what it needs.

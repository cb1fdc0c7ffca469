//! The wrappers of the open tools: each passes clean input and each catches a seeded
//! fault, so that a lint which always passes cannot hide.

mod fixture;
mod lints;
mod programs;
mod proofs;
mod simulation;
mod synthesis;

//! What the tests share. Not every test uses all of it.
pub mod mutant;

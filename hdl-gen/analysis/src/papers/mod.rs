//! The tables and lemmas of papers, computed from their definitions.

pub mod butterflies;
pub mod heller;
pub mod table;

//! The tables and lemmas of papers, computed from their definitions.

pub mod heller;

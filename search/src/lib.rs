//! Search for routing relations of the hypercube that meet given bounds, by SAT: a relation
//! that the ordinary analysis has measured, or a proof that there is none.
//!
//! A [`question::Question`] is held against itself and against short arguments
//! ([`counting`]), becomes a [`formula`] ([`encode`]), which the [`solver`] decides; what it
//! finds becomes a relation that is measured like any other ([`answer`]), and where there is
//! nothing, a [`proof`] says so. [`search`] puts these together.
//!
//! [`time_table`] puts another question to the same solver: how few slots carry a pattern of words
//! along fixed routes. [`design`] asks for routes of flows on a network that is given. [`placing`] asks where
//! its terminals should be.

pub mod answer;
pub mod clash;
pub mod counting;
pub mod cube;
pub mod design;
pub mod encode;
pub mod formula;
pub mod gap;
pub mod growing;
pub mod local;
pub mod named;
pub mod orbits;
pub mod parities;
pub mod placing;
pub mod proof;
pub mod question;
pub mod search;
pub mod solver;
pub mod time_table;

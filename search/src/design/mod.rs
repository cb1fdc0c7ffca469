//! Routes for the flows of a network that is given: one route for each pair of terminals, such that
//! waits close no cycle, and a measure is least.
//!
//! A [`question::Question`] becomes a formula ([`encode`]) whose solutions are routes. The [`search`]
//! looks for routes with little of the measure nearby (`near`), and asks the solver for less and less, until
//! there is no less; for the largest load there is a bound
//! besides, with a certificate that takes no search to check ([`lengths`]).

pub mod encode;
pub mod figures;
pub mod lengths;
mod near;
pub mod question;
pub mod reach;
pub mod search;
mod state;

//! Networks grown for flows: switches, channels and routes that come from who talks to whom, not from a regular
//! topology (Srinivasan, Chatha and Konjevod, IEEE TVLSI 14, 2006; Murali et al., ICCAD 2006, put it so, and route
//! it in steps; here all is moved at once).
//!
//! A [`question::Question`] has the flows and what a switch may be. A [`layout::Layout`] answers it: the switch of each
//! source and sink, and the switches that each pair's packets pass. Simulated annealing ([`search`]) moves it;
//! `state` keeps what it takes up to date. The hardware is weighed by an [`area`] in LUTs, and a [`bound`] says
//! what no network for these flows is below.

pub mod area;
pub mod bound;
pub mod layout;
mod moves;
pub mod question;
pub mod search;
mod state;

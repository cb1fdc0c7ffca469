//! Places of terminals on a network that is given: those whose flows take the fewest channels, each channel
//! weighed by the bandwidth that it carries. That is the quadratic assignment problem (Koopmans and Beckmann
//! 1957); for networks on chips Hu and Marculescu (ASP-DAC 2003) and Murali and De Micheli (DATE 2004) put it
//! so.
//!
//! Simulated annealing (`near`) finds a placement for a [`question::Question`]; branch and bound ([`search`])
//! shows that there is no better, or how much better there may be, by the `bound` of Gilmore and
//! Lawler. Places that a symmetry of the network maps to each other (`symmetry`) are tried once.

mod bound;
mod near;
pub mod question;
pub mod search;
mod symmetry;

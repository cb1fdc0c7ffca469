//! Audit of networks that somebody else made: from switches, channels and tables of next hops to a
//! certificate that no packets wait for each other for ever, or to those that do.
//!
//! Knows no fabric: what is audited is a graph with tables. `docs/audit.md` describes the claims.

pub mod certificate;
mod cycles;
pub mod deadlock;
mod error;
mod escape;
pub mod mend;
pub mod model;
pub mod readers;
pub mod simulate;
pub mod trace;
pub mod traffic;
pub mod verdict;
pub mod waits;

pub use error::AuditError;

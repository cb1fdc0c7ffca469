//! Certificates: text files that say why a network cannot deadlock, and that are checked without
//! whatever read the network. `docs/audit.md` has the format, and
//! `docs/examples/check_certificate.py` another checker.

mod check;
mod write;

pub use check::{Checked, Flaw, check};
pub use write::write;

/// First line of a certificate: the name and the version of the format.
pub const FIRST_LINE: &str = "turnpike-certificate 1";
/// Ending of a certificate's name.
pub const ENDING: &str = "certificate";

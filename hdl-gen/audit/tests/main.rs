//! Tests of `turnpike-audit` through its public interface.

mod brute;
mod choosing;
mod common;
mod exhaustive;
mod formats;
mod mending;
mod readers;

//! Tests of `turnpike-search` through its public interface.

mod answers;
mod design;
mod exhaustive;
mod flows;
mod time_tables;

//! Tests of `turnpike-emit` through its public interface.

mod design;
mod modules;
mod picture;

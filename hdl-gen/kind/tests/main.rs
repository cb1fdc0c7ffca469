//! Tests of `turnpike-kind` through its public interface.

mod kinds;

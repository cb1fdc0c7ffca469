//! Tests of `turnpike-schedule` through its public interface.

mod clos;
mod colouring;
mod common;
mod looping;
mod self_routing;
mod slots;
mod wiring;

//! Random netlists, and an interpreter that shares no code with the evaluator, to which tests hold
//! the evaluator and the printer.

pub mod case;
pub mod interpreter;
pub mod lockstep;
pub mod random_netlist;
pub mod random_network;

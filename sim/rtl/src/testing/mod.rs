//! What tests hold the evaluator and the printer to: random netlists, and an interpreter that
//! shares no code with the evaluator.

pub mod case;
pub mod interpreter;
pub mod lockstep;
pub mod random_netlist;

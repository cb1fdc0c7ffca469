//! Slotted fabrics: switches without queues and arbiters, whose words go by a time table. In each slot of a
//! frame that repeats each output of each switch takes the word of one input, or none, so that no word ever
//! waits on its way. Only a source waits, for a slot of its flow.
//!
//! This is contention-free routing (Goossens, Dielissen and Radulescu, *Æthereal Network on Chip*, IEEE Design
//! & Test of Computers 22(5), 2005), with the router's slot table fixed as in aelite (Hansson, Subburaman and
//! Goossens, DATE 2009).
//!
//! [`plan::SlottedPlan`] says what is built; everything downstream reads it. [`switches`] says what the slot
//! table of each switch is, [`ports`] what the terminals' ports are, and [`rtl`] makes the netlist.

mod canonical;
pub mod delivery;
mod flow;
pub mod plan;
pub mod ports;
pub mod rtl;
pub mod switches;
pub mod testing;

pub use flow::SlottedFlow;
pub use plan::{SlottedError, SlottedPlan};

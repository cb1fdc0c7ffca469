//! Tests that run the open tools on what is emitted, and tests of the project itself.

mod book;
mod browser;
mod busses;
mod circuits;
mod cover;
mod document_links;
mod emitted;
mod fabric_lockstep;
mod folder;
mod formal;
mod gates;
mod hostile_names;
mod lockstep;
mod mutants;
mod netlists;
mod packages;
mod proofs;
mod random_networks;
mod readers;
mod readme_commands;
mod reference_fabrics;
mod selftest;
mod test_programs;
mod tutorial;
mod words;
mod wrappers;

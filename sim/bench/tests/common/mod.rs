//! What the tests share. Not every test uses all of it.
#![allow(dead_code)]

pub mod mutant;

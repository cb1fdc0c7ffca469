//! What the tests share. Not every test uses all of it.

pub mod mutant;

use turnpike_fabric::plan::Parameters;

/// Every field that a word may have.
pub fn every_field() -> Parameters {
    Parameters { keep: true, source_id: true, user_width: 3, ..Parameters::default() }
}

//! Names: those that users give, and the table of those in a module.

mod keywords;
mod table;

pub use table::{LONGEST_IDENTIFIER, Names, is_basic};

use crate::bits::hexadecimal;
use keywords::{SYSTEMVERILOG_KEYWORDS, VERILOG_KEYWORDS, VHDL_KEYWORDS};
use sha2::{Digest, Sha256};

/// A name that cannot stand in Verilog.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum NameError {
    /// A name that is no identifier of Verilog.
    #[error(
        "'{0}' is not a Verilog identifier: use a letter or underscore, then letters, digits \
         and underscores, at most {MAX_LENGTH} in all"
    )]
    Identifier(String),
    /// A reserved word.
    #[error("'{0}' is a keyword of {1}; choose another name, such as '{0}_fabric'")]
    Keyword(String, &'static str),
    /// A name that is no identifier of VHDL.
    #[error(
        "'{0}' is not an identifier in VHDL, which takes no underscore first, last or behind \
         another; use '{1}'"
    )]
    Vhdl(String, String),
}

/// Longest fabric name: leaves room for the suffixes of modules and files.
pub const MAX_LENGTH: usize = 64;

/// Checks that `name` can be a module's name in Verilog-2005 and in SystemVerilog, and a
/// file's name on any system.
///
/// # Errors
/// [`NameError`] says which rule it breaks.
pub fn check_identifier(name: &str) -> Result<(), NameError> {
    let mut bytes = name.bytes();
    let head = bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_');
    if !head || name.len() > MAX_LENGTH || !bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_') {
        return Err(NameError::Identifier(name.to_owned()));
    }
    if VERILOG_KEYWORDS.contains(&name) {
        return Err(NameError::Keyword(name.to_owned(), "Verilog-2005"));
    }
    if SYSTEMVERILOG_KEYWORDS.contains(&name) {
        return Err(NameError::Keyword(name.to_owned(), "SystemVerilog"));
    }
    Ok(())
}

/// Checks that `name` can be the name of a fabric: an identifier ([`check_identifier`]) that is one
/// in VHDL as well, where designs of both languages are put together.
///
/// # Errors
/// [`NameError`] says which rule it breaks.
pub fn check_fabric_name(name: &str) -> Result<(), NameError> {
    check_identifier(name)?;
    let lower = name.to_ascii_lowercase();
    if VHDL_KEYWORDS.contains(&lower.as_str()) {
        return Err(NameError::Keyword(name.to_owned(), "VHDL"));
    }
    match is_basic(name) {
        true => Ok(()),
        false => Err(NameError::Vhdl(name.to_owned(), Names::default().identifier(name))),
    }
}

/// Hexadecimal digits that tell texts apart in names.
const DIGITS: usize = 8;

/// The first digits of the SHA-256 of a text, for a name.
pub fn digest(text: &str) -> String {
    let digest = hexadecimal(&Sha256::digest(text));
    digest[..DIGITS].to_owned()
}

/// The name of a fabric out of words that tell it from others. One that would be too long is cut,
/// and ends with the digest of the whole.
pub fn fitted(words: &str) -> String {
    let name = |text: &str| Names::default().identifier(text);
    match words.len() {
        0..=MAX_LENGTH => name(words),
        _ => {
            let kept: String = words.chars().take(MAX_LENGTH - 1 - DIGITS).collect();
            name(&format!("{kept}_{}", digest(words)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers() {
        for good in ["cube", "_x9", "hypercube_4_rotation"] {
            assert_eq!(check_identifier(good), Ok(()));
        }
        for bad in ["", "9x", "a-b", "a b", "é", "a/b", "../x", &"x".repeat(65)] {
            assert!(matches!(check_identifier(bad), Err(NameError::Identifier(_))), "{bad}");
        }
        for keyword in ["module", "wire", "logic", "interface"] {
            assert!(matches!(check_identifier(keyword), Err(NameError::Keyword(..))));
        }
    }

    #[test]
    fn names_of_fabrics_are_identifiers_of_vhdl() {
        assert_eq!(check_fabric_name("hypercube_4_rotation"), Ok(()));
        for keyword in ["wire", "signal", "Entity"] {
            assert!(matches!(check_fabric_name(keyword), Err(NameError::Keyword(..))));
        }
        for (bad, good) in [("a__b", "a_b"), ("a_", "a"), ("_a", "a")] {
            assert_eq!(check_fabric_name(bad), Err(NameError::Vhdl(bad.into(), good.into())));
        }
    }
}

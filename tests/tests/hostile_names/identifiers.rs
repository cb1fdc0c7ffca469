//! Identifiers in Verilog text.

use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Every identifier in the Verilog of a folder, its proofs among them, is a basic identifier of
/// VHDL, and no two of one file differ in case alone. A testbench, which no design takes in, has
/// parameters in capitals beside tasks of the same name.
///
/// # Errors
/// The file and what is in it.
pub fn are_basic(folder: &Path) -> Result<(), String> {
    for folder in [folder.to_owned(), folder.join("formal")] {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("a file").path();
            if path.extension().is_some_and(|ending| ending == "v") {
                let text = fs::read_to_string(&path).expect("text");
                let testbench = path.to_string_lossy().ends_with("_tb.v");
                check(&text, !testbench).map_err(|error| format!("{}: {error}", path.display()))?;
            }
        }
    }
    Ok(())
}

fn check(text: &str, whatever_case: bool) -> Result<(), String> {
    let aside =
        Regex::new(r#"//[^\n]*|"[^"\n]*"|`\w+|\$\w+|\d*'s?[bdhBDH][0-9a-fA-FxzXZ_]+"#).unwrap();
    let word = Regex::new(r"[A-Za-z_$][A-Za-z0-9_$]*").unwrap();
    let basic = Regex::new(r"^[A-Za-z](_?[A-Za-z0-9])*$").unwrap();
    let text = aside.replace_all(text, " ");
    let words: BTreeSet<&str> = word.find_iter(&text).map(|found| found.as_str()).collect();
    let mut lower: BTreeMap<String, &str> = BTreeMap::new();
    for found in words {
        if !basic.is_match(found) {
            return Err(format!("{found} is no basic identifier"));
        }
        let key = if whatever_case { found.to_ascii_lowercase() } else { found.to_owned() };
        if let Some(other) = lower.insert(key, found) {
            return Err(format!("{other} and {found} differ in case alone"));
        }
    }
    Ok(())
}

#[test]
fn what_is_no_basic_identifier_is_found() {
    let text = "`timescale 1ns/1ps // a__b\nmodule m (input wire a_b); $display(\"a__\"); 4'b1_0";
    assert_eq!(check(text, true), Ok(()));
    assert_eq!(check("wire aB, ab;", false), Ok(()));
    for (bad, said) in [
        ("wire a__b;", "a__b is no"),
        ("wire _a;", "_a is no"),
        ("wire a_;", "a_ is no"),
        ("wire aB, ab;", "aB and ab differ"),
    ] {
        let error = check(bad, true).unwrap_err();
        assert!(error.contains(said), "{error}");
    }
}
